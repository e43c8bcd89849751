//! The situations, one file each.

mod camera;
mod gaps;
mod gate;
mod interest;
mod links;
mod monitor;
mod own_loop;
mod recorded;
mod teleports;
mod wall;
mod worker;

use super::{Job, Options};
use clap::ValueEnum;

/// A situation that games are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Scenario {
    /// Fixed ticks and frames in one loop
    Loop,
    /// Physics in accepted portions of time
    Gate,
    /// Physics on another thread or in a web worker
    Worker,
    /// A walker around a wall, known by reports
    Wall,
    /// Remote players over good and bad links
    Links,
    /// Remote players that teleport
    Teleports,
    /// Sleep, a hitch, a loading screen
    Gaps,
    /// Entities that are only in some messages
    Interest,
    /// A window that is dragged to another display
    Monitor,
    /// A camera behind a runner
    Camera,
    /// Your motion and network files
    Recorded,
}

impl Scenario {
    /// All that need no files, in the order of the report.
    pub fn built_in() -> impl Iterator<Item = Scenario> {
        Self::value_variants().iter().copied().filter(|&scenario| scenario != Scenario::Recorded)
    }

    /// The word for it on the command line.
    pub fn id(self) -> String {
        self.to_possible_value().expect("no scenario is hidden").get_name().to_owned()
    }

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Scenario::Loop => "Your own loop",
            Scenario::Gate => "A quantum gate",
            Scenario::Worker => "A worker that is never on time",
            Scenario::Wall => "A walker behind a wall",
            Scenario::Links => "Good and bad links",
            Scenario::Teleports => "Teleports",
            Scenario::Gaps => "Sleep, hitches and loading screens",
            Scenario::Interest => "In some messages only",
            Scenario::Monitor => "A second monitor",
            Scenario::Camera => "A camera that follows",
            Scenario::Recorded => "Recorded traces",
        }
    }

    /// What is at stake, in a few sentences.
    pub fn lead(self) -> &'static str {
        match self {
            Scenario::Loop => {
                "Physics ticks at its own fixed rate, the display draws at another, and the loop's clock is read with \
                 a fifth of a millisecond of noise. Drawing the newest tick beats against the display; blending the last \
                 two does not, whoever does it. Snapping the frame times to the display takes out the noise as well."
            }
            Scenario::Gate => {
                "Physics runs only in accepted portions of time, at least 1/30 s each. The two older rules, client and seed, draw \
                 unevenly wherever frames come close to that length; the even rule keeps the same portions and draws \
                 at a constant distance behind them."
            }
            Scenario::Worker => {
                "Physics runs on a timer of its own, in another thread or in a web worker, and its ticks come late. \
                 Dividing by the nominal interval makes motion vibrate; a playhead locked to the worker's clock does \
                 not."
            }
            Scenario::Wall => {
                "Few reports, and a wall in between. Whatever blends or guesses between reports goes through the wall; \
                 a body that walks from report to report collides, and is put there when it is stuck."
            }
            Scenario::Links => {
                "Another player's moves arrive in messages, late, in bunches, or not at all. Every buffer trades \
                 latency for smoothness; lower and farther left is better."
            }
            Scenario::Teleports => {
                "A fast player who is also put somewhere else now and then. A blend across that jump shows a slide \
                 through walls; a cut that is carried as an epoch number survives lost messages."
            }
            Scenario::Gaps => {
                "Laptops sleep, disks make games hitch, and messages come in while a level loads. What matters is how \
                 soon everything is drawn where it belongs."
            }
            Scenario::Interest => {
                "Servers leave out of a message what is far away. The link is good; the entity is in every second or \
                 fourth message, and should still move evenly."
            }
            Scenario::Monitor => {
                "Snapping frame times to a display's rate takes out the clock's noise, as long as it is that display. On \
                 another one the game itself must not run fast or slow."
            }
            Scenario::Camera => {
                "A camera glides behind a runner while frames come unevenly. Damping that counts frames, or that takes \
                 the target as standing still within a frame, shakes it and lags by an amount that depends on the \
                 frame rate; solved exactly, it does neither."
            }
            Scenario::Recorded => "Motions and links as they were recorded, drawn by every strategy.",
        }
    }

    /// The cases of this scenario under the given choices.
    pub fn jobs(self, options: &Options) -> Vec<Job> {
        match self {
            Scenario::Loop => own_loop::jobs(options),
            Scenario::Gate => gate::jobs(options),
            Scenario::Worker => worker::jobs(options),
            Scenario::Wall => wall::jobs(),
            Scenario::Links => links::jobs(),
            Scenario::Teleports => teleports::jobs(),
            Scenario::Gaps => gaps::jobs(),
            Scenario::Interest => interest::jobs(),
            Scenario::Monitor => monitor::jobs(),
            Scenario::Camera => camera::jobs(options),
            Scenario::Recorded => recorded::jobs(options),
        }
    }
}
