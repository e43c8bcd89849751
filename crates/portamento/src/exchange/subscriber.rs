//! What does the drawing side do?

use core::ops::Deref;

use super::block::{Found, Ticks};
use super::layout::{CLAIMS, MAX_TICKS, Shape};
use super::reading::Reading;
use super::slots::Reader;
use super::{NoTick, PublisherState, TickStamp};
use crate::playhead::{Playhead, Shown};

/// How often a reader looks again when the writer overtook it between looking and claiming. That takes K ticks
/// within some hundred nanoseconds, or a reader that lost its core just there; several times in a row it is a
/// publisher without any pause.
const ATTEMPTS: u32 = 8;

/// The side that draws: it sees the last complete ticks, each of them whole.
///
/// Reading never waits for the publisher and never disturbs it. Nothing is allocated.
///
/// ```
/// # use portamento::{blend::Pose, exchange::{Exchange, Shape}, playhead::Playhead};
/// # let exchange = Exchange::new(Shape::new(10))?;
/// # let mut publisher = exchange.publisher()?;
/// # publisher.spawn(1, Pose::default())?;
/// # for tick in 0..5 { publisher.publish(0.1 * f64::from(tick), 0.1 * f64::from(tick))?; }
/// let mut subscriber = exchange.subscriber()?;
/// let mut playhead = Playhead::at_hz(10.0)?; // the publisher's ticks a second
/// let now = 0.45; // by the clock that the publisher stamps its ticks with
///
/// // In every frame:
/// subscriber.feed(&mut playhead);
/// if let Some(shown) = playhead.advance(now) {
///     let reading = subscriber.around(shown)?;
///     for view in reading.views() {
///         println!("draw {} at {:?}", view.id, view.pose.position);
///     }
/// }
/// assert_eq!(subscriber.counts().behind, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Subscriber {
    reader: Reader,
    /// Sequence number in the block and stamp of the last tick that `news` gave out.
    told: Option<(u64, TickStamp)>,
    counts: ReaderCounts,
}

/// What did not go as planned, since the subscriber attached. The numbers never shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReaderCounts {
    /// Ticks that were overwritten before [`Subscriber::news`] could tell of them.
    pub missed: u64,
    /// Runs that [`Subscriber::news`] told of after the first one.
    pub restarts: u64,
    /// Reads for a moment before the oldest tick that is kept; they got the oldest.
    pub behind: u64,
    /// Reads that were given up because the publisher overtook every attempt.
    pub overtaken: u64,
    /// Directory words and stamps in the block that no publisher of this library can have written, once per
    /// read that met them.
    pub nonsense: u64,
}

impl Subscriber {
    pub(super) fn new(reader: Reader) -> Self {
        Self { reader, told: None, counts: ReaderCounts::default() }
    }

    /// How much the block holds.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.reader.block().layout().shape
    }

    /// What did not go as planned so far.
    #[must_use]
    pub fn counts(&self) -> ReaderCounts {
        self.counts
    }

    /// What the publisher last said of itself. One that was killed says nothing any more: look at
    /// [`TickStamp::age`] of the newest tick too.
    #[must_use]
    pub fn publisher(&self) -> PublisherState {
        self.reader.block().state()
    }

    /// The stamps of all ticks that can be read now, oldest first. Just after a restart they belong to two runs.
    #[must_use]
    pub fn stamps(&mut self) -> Stamps {
        let ticks = self.reader.block().survey();
        self.counts.nonsense += ticks.nonsense;
        Stamps::of(ticks.iter().map(|tick| tick.stamp))
    }

    /// The stamps of the ticks that this call is the first to see, oldest first: each tick once, in order.
    /// Ticks that were overwritten since the last call are counted in [`ReaderCounts::missed`].
    #[must_use]
    pub fn news(&mut self) -> Stamps {
        let ticks = self.reader.block().survey();
        self.counts.nonsense += ticks.nonsense;
        let told = self.told.map_or(0, |(sequence, _)| sequence);
        for tick in ticks.iter().filter(|tick| tick.entry.sequence() > told) {
            if let Some((sequence, last)) = self.told {
                self.counts.missed += tick.entry.sequence() - sequence - 1;
                self.counts.restarts += u64::from(tick.stamp.run != last.run);
            }
            self.told = Some((tick.entry.sequence(), tick.stamp));
        }
        Stamps::of(ticks.iter().filter(|tick| tick.entry.sequence() > told).map(|tick| tick.stamp))
    }

    /// Tells a playhead of every tick that is new since the last call, and of new runs. The publisher's clock
    /// (`now` of [`Publisher::publish`](super::Publisher::publish)) must be the one that the frames are timed by.
    pub fn feed(&mut self, playhead: &mut Playhead) {
        let mut run = self.told.map(|(_, stamp)| stamp.run);
        for stamp in self.news().iter() {
            if run.is_some_and(|run| run != stamp.run) {
                playhead.restart();
            }
            run = Some(stamp.run);
            // A tick that the playhead cannot use is counted there.
            let _ = playhead.observe(stamp.published, stamp.simulated);
        }
    }

    /// The newest complete tick.
    ///
    /// # Errors
    /// When there is none, or the publisher overtook every attempt.
    pub fn latest(&mut self) -> Result<Reading<'_>, NoTick> {
        self.read(f64::INFINITY, |ticks| ticks.iter().next_back().map(|newest| [*newest; CLAIMS]))
    }

    /// The two ticks around the moment `shown` that a playhead chose.
    ///
    /// At or past the newest tick these are the last two, and the newest is drawn; before the oldest that is
    /// kept, the oldest is. While ticks of the run that [`news`](Self::news) told of last are kept, others are
    /// not looked at: a playhead that has not heard of a restart does not meet its ticks.
    ///
    /// # Errors
    /// When there is no tick, the moment is NaN, or the publisher overtook every attempt.
    pub fn around(&mut self, shown: Shown) -> Result<Reading<'_>, NoTick> {
        let at = shown.at;
        if at.is_nan() {
            return Err(NoTick::Time(at));
        }
        let told = self.told.map(|(_, stamp)| stamp.run);
        self.read(at, move |ticks| pair_around(ticks, told, at))
    }

    fn read(
        &mut self,
        at: f64,
        choose: impl Fn(&Ticks) -> Option<[Found; CLAIMS]>,
    ) -> Result<Reading<'_>, NoTick> {
        let Self { reader, counts, .. } = self;
        let mut overtaken = true;
        let claimed = reader.claim(ATTEMPTS, |block| {
            let ticks = block.survey();
            counts.nonsense += ticks.nonsense;
            let pair = choose(&ticks);
            overtaken = pair.is_some() || ticks.overtaken;
            pair
        });
        let Some(claimed) = claimed else {
            if !overtaken {
                return Err(NoTick::Empty);
            }
            counts.overtaken += 1;
            return Err(NoTick::Overtaken { attempts: ATTEMPTS });
        };
        counts.behind += u64::from(claimed.tick(0).stamp.simulated > at);
        Ok(Reading::new(claimed, at))
    }
}

/// The last two ticks of which the older is not after `at`.
fn pair_around(ticks: &Ticks, told: Option<u64>, at: f64) -> Option<[Found; CLAIMS]> {
    let newest = ticks.iter().next_back()?.stamp.run;
    let run = told.filter(|run| ticks.iter().any(|tick| tick.stamp.run == *run)).unwrap_or(newest);
    ticks.iter().filter(|tick| tick.stamp.run == run).fold(None, |pair, tick| match pair {
        // The oldest is drawn as it is until the playhead has come that far.
        None => Some([*tick; CLAIMS]),
        Some([_, to]) if to.stamp.simulated <= at => Some([to, *tick]),
        found => found,
    })
}

/// Some stamps, oldest first; reads like a slice.
#[derive(Clone, Copy, Debug)]
pub struct Stamps {
    stamps: [TickStamp; MAX_TICKS],
    count: usize,
}

impl Stamps {
    fn of(found: impl Iterator<Item = TickStamp>) -> Self {
        let nothing = TickStamp { run: 0, tick: 0, published: 0.0, simulated: 0.0 };
        let mut stamps = Self { stamps: [nothing; MAX_TICKS], count: 0 };
        for stamp in found {
            stamps.stamps[stamps.count] = stamp;
            stamps.count += 1;
        }
        stamps
    }
}

impl Deref for Stamps {
    type Target = [TickStamp];

    fn deref(&self) -> &[TickStamp] {
        &self.stamps[..self.count]
    }
}
