//! Everything that must come out in the same bits on every machine: what it was when it was last known to be right,
//! and how to do it again.
//!
//! The tests of this crate do it natively and the program in `tests/wasm` in WebAssembly, from this one list.

pub mod blending;
pub mod cameras;
pub mod crowd;
pub mod input;
pub mod others;
pub mod random;
pub mod steps;
pub mod waypoints;

use crowd::{Member, Way, drawn};
use input::gate;
use portamento::batch::internals::Kernel;
use portamento::blend::{Pose, Pose2, Scaled};
use portamento::remote::waypoints::WaypointRule;
use portamento::step::{GateRule, Stepper};

/// One number over everything that was computed: compact, but it does not say where it went wrong.
pub struct Number {
    pub name: &'static str,
    pub golden: u64,
    pub now: fn() -> u64,
}

/// Every number in its shortest form that reads back exactly, so that any change of arithmetic shows as a changed
/// line. Lies beside this file as `name`.txt.
pub struct Trace {
    pub name: &'static str,
    pub golden: &'static str,
    pub now: fn() -> String,
}

macro_rules! trace {
    ($name:literal, $now:expr) => {
        Trace { name: $name, golden: include_str!(concat!($name, ".txt")), now: || $now }
    };
}

pub const TRACES: [Trace; 7] = [
    trace!("fixed", steps::trace(Stepper::fixed(60.0).unwrap())),
    trace!("snapped", steps::trace(steps::snapped())),
    trace!("even", steps::trace(Stepper::gated())),
    trace!("client", steps::trace(gate(GateRule::AllAtOnce))),
    trace!("seed", steps::trace(gate(GateRule::OneAtATime))),
    trace!("waypoints_client", waypoints::trace(WaypointRule::BySpeed)),
    trace!("waypoints_seed", waypoints::trace(WaypointRule::ByTime)),
];

const fn number(name: &'static str, golden: u64, now: fn() -> u64) -> Number {
    Number { name, golden, now }
}

pub const NUMBERS: [Number; 14] = [
    number("blending and stepping", 0x947f_a4d7_80e3_d820, blending::hash),
    number("angles", 0x69b8_f234_8c49_f557, blending::angles),
    number("turns", 0x4c0e_1a5f_5f52_4565, blending::turns),
    number("cameras", 0x2497_b94b_98fd_5da5, cameras::hash),
    number("playhead", 0xe663_6911_30c7_3260, others::playhead),
    number("snapshots", 0xd9f7_7869_30d2_1dbc, others::snapshots::<Pose>),
    number("flat snapshots", 0xafbd_0bb6_9d91_f5d5, others::snapshots::<Pose2>),
    number("scaled snapshots", 0x488a_8528_722c_12f1, others::snapshots::<Scaled<Pose>>),
    number("batch of poses", Pose::GOLDEN, sound::<Pose>),
    number("batch of scaled poses", <Scaled<Pose>>::GOLDEN, sound::<Scaled<Pose>>),
    number("batch of flat poses", Pose2::GOLDEN, sound::<Pose2>),
    number("batch of odd poses", Pose::GOLDEN_ODD, odd::<Pose>),
    number("batch of odd scaled poses", <Scaled<Pose>>::GOLDEN_ODD, odd::<Scaled<Pose>>),
    number("batch of odd flat poses", Pose2::GOLDEN_ODD, odd::<Pose2>),
];

const WAYS: [Way; 3] = [Way::Rows, Way::Lists, Way::Tracks];

fn sound<P: Member>() -> u64 {
    first_that_differs(P::GOLDEN, WAYS.map(|way| drawn::<P>(Kernel::widest(), false, way)))
}

fn odd<P: Member>() -> u64 {
    first_that_differs(P::GOLDEN_ODD, WAYS.map(|way| drawn::<P>(Kernel::widest(), true, way)))
}

fn first_that_differs(golden: u64, found: [u64; WAYS.len()]) -> u64 {
    found.into_iter().find(|&found| found != golden).unwrap_or(golden)
}

/// FNV-1a, a word at a time.
pub struct Hash(pub u64);

impl Hash {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn eat(&mut self, bits: u64) {
        self.0 = (self.0 ^ bits).wrapping_mul(0x0000_0100_0000_01b3);
    }

    pub fn numbers(&mut self, numbers: impl IntoIterator<Item = f64>) {
        numbers.into_iter().for_each(|number| self.eat(number.to_bits()));
    }

    pub fn pose(&mut self, pose: &Pose) {
        let numbers = pose.position.into_iter().chain(pose.rotation.to_array());
        numbers.for_each(|number| self.eat(number.to_bits().into()));
    }
}
