//! Playheads, with the timelines and cues that they drive.

use crate::Source;
use crate::laws::finite;
use crate::saves::through_a_save;
use portamento::playhead::{Cues, Lateness, Playhead, PlayheadRule, PlayheadSettings, Shown, Timeline};
use portamento::remote::PeerSettings;

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    let mut calls = 0;
    while !source.is_empty() {
        calls += one(source);
    }
    calls
}

pub(super) fn settings(source: &mut Source) -> PlayheadSettings {
    let hz = source.of(&[60.0, 20.0, 30.0, 144.0]);
    let usual = if source.flag() { PlayheadSettings::at_hz(hz) } else { PeerSettings::at_hz(hz).playhead };
    PlayheadSettings {
        interval: source.mostly(usual.interval),
        rule: if source.one_in(6) { PlayheadRule::SinceArrival } else { PlayheadRule::Locked },
        lateness: source.of(&[Lateness::Worst, Lateness::Median]),
        margin_memory: source.mostly(usual.margin_memory),
        margin_floor: source.mostly(usual.margin_floor),
        margin_ticks: source.mostly(usual.margin_ticks),
        extrapolate: if source.flag() { usual.extrapolate } else { source.mostly(0.13) },
        pull: source.mostly(usual.pull),
        brake: source.mostly(usual.brake),
        bend: source.mostly(usual.bend),
        relock: source.mostly(usual.relock),
        rate_within: source.mostly(usual.rate_within),
        offset_gain: source.mostly(usual.offset_gain),
        rate_gain: source.mostly(usual.rate_gain),
        late_scale: source.mostly(usual.late_scale),
    }
}

struct World {
    playhead: Playhead,
    timeline: Timeline<f64, 8>,
    cues: Cues<u32, 8>,
    now: f64,
    sim: f64,
    last: f64,
    /// How far it may extrapolate.
    limit: f64,
    /// What was given to it since it was made, or `None` when it comes from an edited save.
    given: Option<Given>,
}

#[derive(Default)]
struct Given {
    observed: u64,
    cues: u64,
    fired: u64,
    least: f64,
    most: f64,
}

fn one(source: &mut Source) -> u64 {
    let settings = settings(source);
    let Ok(playhead) = Playhead::new(settings) else { return 1 };
    let mut world = World {
        playhead,
        timeline: Timeline::default(),
        cues: Cues::default(),
        now: source.mostly(0.0),
        sim: source.mostly(0.0),
        last: f64::NEG_INFINITY,
        limit: settings.extrapolate,
        given: Some(Given { least: f64::INFINITY, most: f64::NEG_INFINITY, ..Given::default() }),
    };
    let steps = 120;
    for _ in 0..steps {
        world.step(source);
    }
    steps + 1
}

impl World {
    fn step(&mut self, source: &mut Source) {
        // Clocks that go on as usual, mostly.
        let passed = if source.one_in(40) { source.number() } else { source.unit() / 60.0 };
        self.now += passed;
        if !self.now.is_finite() {
            self.now = 0.0;
        }
        match source.below(32) {
            0..=11 => self.tick(source),
            12 => {
                let scale = source.of(&[1.0, 0.0, 0.2, 1e6, 1e-6]);
                self.playhead.set_time_scale(source.mostly(self.now), source.mostly(scale));
            }
            13 if source.one_in(4) => {
                self.playhead.restart();
                self.timeline.clear();
                self.last = f64::NEG_INFINITY;
            }
            14 if source.one_in(12) => {
                let Some(again) = through_a_save(&self.playhead, source) else { return };
                if again != self.playhead {
                    self.given = None;
                    self.last = f64::NEG_INFINITY;
                }
                self.playhead = again;
            }
            15 if source.one_in(8) => {
                if let Some(again) = through_a_save(&self.timeline, source) {
                    if again != self.timeline {
                        self.given = None;
                        if !again.truth().copied().finite_or_none() {
                            return;
                        }
                    }
                    self.timeline = again;
                }
            }
            16 if source.one_in(8) => {
                if let Some(again) = through_a_save(&self.cues, source) {
                    if again != self.cues {
                        self.given = None;
                    }
                    self.cues = again;
                }
            }
            17 => {
                let refused = self.cues.add(source.mostly(self.sim), 1).is_err();
                if let Some(given) = &mut self.given {
                    given.cues += u64::from(!refused);
                }
            }
            _ => self.frame(source),
        }
    }

    fn tick(&mut self, source: &mut Source) {
        self.sim += if source.one_in(40) { source.number() } else { 1.0 / 60.0 };
        if !self.sim.is_finite() {
            self.sim = 0.0;
        }
        let (arrival, sim) = (source.mostly(self.now), source.mostly(self.sim));
        let before = self.playhead.statistics();
        let cut = source.one_in(16);
        let is_newest =
            if cut { self.playhead.observe_cut(arrival, sim) } else { self.playhead.observe(arrival, sim) };
        let after = self.playhead.statistics();
        let usable = arrival.is_finite() && sim.is_finite();
        assert!(usable || !is_newest, "{arrival} {sim}");
        assert_eq!(after.unusable, before.unusable.saturating_add(u64::from(!usable)), "{arrival} {sim}");
        assert!(after.newest >= before.newest, "the newest tick goes back");
        let value = source.place();
        let taken = if cut { self.timeline.cut(sim, value) } else { self.timeline.push(sim, value) };
        if let Some(given) = &mut self.given {
            given.observed += 1;
            if taken {
                given.least = given.least.min(value);
                given.most = given.most.max(value);
            }
            let counts = self.playhead.statistics();
            // A clock reading or a scale may be unusable too, so this is a bound.
            assert!(counts.ticks + counts.old <= given.observed, "{counts:?}");
            assert!(counts.ticks + counts.old + counts.unusable >= given.observed, "{counts:?}");
        }
    }

    fn frame(&mut self, source: &mut Source) {
        let now = source.mostly(self.now);
        let was = self.playhead.clone();
        let Some(shown) = self.playhead.advance(now) else { return };
        let Shown { at, presented, beyond, skipped } = shown;
        finite(&[at, presented, beyond, skipped]);
        assert!(at >= self.last, "drawn time goes back from {} to {at} at {now}: {was:?}", self.last);
        assert!(presented >= 0.0 && beyond >= 0.0 && skipped >= 0.0, "{shown:?} at {now}: {was:?}");
        self.last = at;
        if self.given.is_some() {
            let limit = self.limit;
            assert!(
                beyond <= limit * (1.0 + 1e-9) + at.abs() * 1e-15,
                "{shown:?} is farther ahead than {limit}"
            );
        }
        finite(&self.playhead.writer_reads(now));
        finite(&[self.playhead.statistics().rate, self.playhead.statistics().spacing]);
        if let Some(alpha) = self.playhead.alpha_since_arrival() {
            assert!((0.0..=1.0).contains(&alpha));
        }
        let mut stamp = f64::NEG_INFINITY;
        let mut fired = 0;
        while let Some(cue) = self.cues.next(shown) {
            assert!(cue.at <= at && (cue.at >= stamp || self.given.is_none()), "cues in order");
            stamp = cue.at;
            fired += 1;
            assert!(fired <= 8, "no more than there is room for");
        }
        let drawn = self.timeline.draw(shown);
        if let Some(given) = &mut self.given {
            given.fired += fired;
            assert_eq!(given.cues, given.fired + self.cues.waiting() as u64, "each cue once");
            if let Some(drawn) = drawn {
                finite(&[drawn.now, drawn.before]);
                let place = self.timeline.place(shown).expect("there is a value");
                assert!((0.0..=1.0).contains(&place.alpha()), "{place:?}");
                if !matches!(place, portamento::playhead::TimelinePlace::Beyond { .. }) {
                    let within = given.least <= drawn.now && drawn.now <= given.most;
                    assert!(within, "{drawn:?} is not between {} and {}", given.least, given.most);
                }
            }
        }
    }
}

trait FiniteOrNone {
    fn finite_or_none(self) -> bool;
}

impl FiniteOrNone for Option<f64> {
    fn finite_or_none(self) -> bool {
        self.is_none_or(f64::is_finite)
    }
}
