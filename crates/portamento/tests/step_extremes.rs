//! Steppers driven by random calls with the numbers that break programs: every answer stays finite, time only moves
//! forward, counters add up, and no call works for long.

use portamento::step::{
    FixedSettings, Frame, GateRule, GateSettings, GatedStepper, MomentParts, Snapping, Stepper,
};
use std::time::{Duration, Instant};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Usual numbers, unusual ones, and any bits at all.
    fn number(&mut self) -> f64 {
        const ODD: [f64; 26] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            60.0,
            1.0 / 60.0,
            1.0 / 30.0,
            0.2,
            0.25,
            0.1,
            1e-9,
            1e-6,
            1e6,
            1e9,
            -1e9,
            1e15,
            -1e15,
            1e300,
            1e308,
            5e-324,
            f64::MAX,
            f64::MIN,
            f64::INFINITY,
            f64::NAN,
        ];
        match self.below(8) {
            0..=1 => ODD[self.below(ODD.len())],
            2 => f64::from_bits(self.next()),
            3 => 10f64.powf(self.unit() * 20.0 - 10.0),
            _ => self.unit() * 0.05,
        }
    }

    fn snapping(&mut self) -> Snapping {
        match self.below(3) {
            0 => Snapping::Off,
            1 => Snapping::ToStep,
            _ => Snapping::ToDisplay { hz: if self.below(2) == 0 { 60.0 } else { self.number() } },
        }
    }

    fn stepper(&mut self) -> Option<GatedStepper> {
        if self.below(2) == 0 {
            let plain = FixedSettings::at_hz(if self.below(2) == 0 { 60.0 } else { self.number() });
            let settings = FixedSettings {
                max_frame: if self.below(2) == 0 { 0.25 } else { self.number() },
                max_ticks: [None, Some(0), Some(3), Some(u32::MAX)][self.below(4)],
                extrapolate: if self.below(2) == 0 { 0.0 } else { self.number() },
                snapping: self.snapping(),
                carry_drift: self.below(2) == 0,
                watch_display: self.below(2) == 0,
                ..plain
            };
            Stepper::new(settings).ok().map(GatedStepper::from)
        } else {
            let rule = [GateRule::Even, GateRule::AllAtOnce, GateRule::OneAtATime][self.below(3)];
            let mut settings = GateSettings::from(rule);
            if self.below(2) == 0 {
                settings = GateSettings { min: self.number(), max: self.number(), huge: self.number(), rule };
            }
            GatedStepper::with_gate(settings).ok()
        }
    }
}

/// What every answer must be. Gives the number of ticks.
fn sane(frame: Frame, stepper: &GatedStepper, before: u64) -> u64 {
    let Frame { ticks, moment, lost } = frame;
    assert!((0.0..=1.0).contains(&moment.alpha()), "{moment:?}");
    assert!(moment.presented() >= 0.0 && moment.presented().is_finite(), "{moment:?}");
    let MomentParts { beyond, back, .. } = moment.into();
    assert!((0.0..=1.0).contains(&beyond), "{moment:?}");
    assert!(back as usize <= stepper.ends_needed() - 2, "{moment:?}");
    assert!(lost.seconds >= 0.0 && lost.seconds.is_finite() && stepper.counts().lost.is_finite(), "{lost:?}");
    assert_eq!(lost.seconds > 0.0, lost.reason.is_some());
    assert!(stepper.counts().drift.is_finite() && stepper.counts().simulated.is_finite());
    let count = ticks.len() as u64;
    assert_eq!(stepper.counts().ticks, before.saturating_add(count));
    let mut last = f64::NEG_INFINITY;
    for tick in ticks.take(50) {
        assert!(
            tick.dt > 0.0 && tick.dt.is_finite() && tick.time.is_finite() && tick.time >= last,
            "{tick:?}"
        );
        last = tick.time;
    }
    count
}

#[derive(Default)]
struct Work {
    calls: u64,
    longest: Duration,
}

impl Work {
    fn of<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let answer = call();
        self.longest = self.longest.max(start.elapsed());
        self.calls += 1;
        answer
    }
}

fn drive(stepper: &mut GatedStepper, random: &mut Random, calls: u32, work: &mut Work) {
    for _ in 0..calls {
        let (before, simulated) = (stepper.counts().ticks, stepper.counts().simulated);
        let x = random.number();
        let frame = match random.below(12) {
            0 => work.of(|| stepper.frame_at(x)),
            1 => work.of(|| stepper.step_once()),
            2 => {
                stepper.cut();
                continue;
            }
            3 => {
                if stepper.counts().paused {
                    stepper.resume()
                } else {
                    stepper.pause()
                }
                continue;
            }
            4 => {
                let _ = stepper.set_time_scale(x);
                continue;
            }
            5 => {
                let _ = stepper.set_hz(x);
                continue;
            }
            6 => {
                let _ = stepper.set_snapping(random.snapping());
                continue;
            }
            _ => work.of(|| stepper.frame(x)),
        };
        sane(frame, stepper, before);
        assert!(stepper.counts().simulated >= simulated);
        assert!(stepper.moment().presented() == 0.0);
    }
}

#[test]
fn no_number_breaks_a_stepper() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut work = Work::default();
    let mut made = 0;
    for _ in 0..20_000 {
        let Some(mut stepper) = random.stepper() else { continue };
        made += 1;
        drive(&mut stepper, &mut random, 60, &mut work);
    }
    println!("{made} steppers, {} calls, the longest took {:?}", work.calls, work.longest);
    assert!(made > 5000);
    assert!(work.longest < Duration::from_secs(10), "{:?}", work.longest);
}

#[test]
fn counters_stop_at_their_ends() {
    let mut stepper = Stepper::new(FixedSettings { max_frame: 1e9, ..FixedSettings::at_hz(1e6) }).unwrap();
    for _ in 0..40_000 {
        let Frame { ticks, moment, .. } = stepper.frame(1e9);
        assert!(ticks.size_hint().0 as u64 <= 1_000_000_000_001_000 && moment.alpha() <= 1.0);
    }
    let _ = stepper.step_once();
    stepper.set_hz(30.0).unwrap();
    assert!(stepper.frame(0.1).ticks.len() <= 4 && stepper.moment().alpha() <= 1.0);
}

#[cfg(feature = "serde")]
mod saves {
    use super::*;
    use serde_json::{Value, json};

    /// Puts something else in the place of one number, flag or null.
    fn mutate(value: &mut Value, random: &mut Random) {
        match value {
            Value::Object(map) if !map.is_empty() => {
                let at = random.below(map.len());
                mutate(map.values_mut().nth(at).unwrap(), random);
            }
            Value::Array(list) if !list.is_empty() => {
                let at = random.below(list.len());
                mutate(&mut list[at], random);
            }
            other => {
                *other = match random.below(6) {
                    0 => json!(random.next()),
                    1 => json!(random.below(100)),
                    2 => Value::Null,
                    3 => json!(other.as_f64().unwrap_or(0.0) * random.number()),
                    _ => json!(random.number()),
                }
            }
        }
    }

    #[test]
    fn saves_come_back_and_broken_ones_are_refused_or_sane() {
        let mut random = Random(0x0dd_ba11);
        let mut work = Work::default();
        let (mut loaded, mut refused) = (0, 0);
        for _ in 0..4_000 {
            let Some(mut stepper) = random.stepper() else { continue };
            drive(&mut stepper, &mut random, 20, &mut work);
            let saved = serde_json::to_value(&stepper).unwrap();
            let again: GatedStepper =
                serde_json::from_value(saved.clone()).unwrap_or_else(|error| panic!("{error}: {saved}"));
            assert_eq!(again, stepper);
            for _ in 0..10 {
                let mut broken = saved.clone();
                for _ in 0..=random.below(3) {
                    mutate(&mut broken, &mut random);
                }
                let Ok(mut stepper) = serde_json::from_value::<GatedStepper>(broken.clone()) else {
                    refused += 1;
                    continue;
                };
                loaded += 1;
                // Not more ticks at once than a frame and the tick under way explain.
                let before = stepper.counts().ticks;
                let usual = stepper.clone();
                let ticks = sane(stepper.frame(0.01), &stepper, before);
                assert!(ticks <= 10_000_000_000, "{ticks} ticks from {broken}, {usual:?}");
                drive(&mut stepper, &mut random, 20, &mut work);
            }
        }
        println!("{loaded} broken saves loaded, {refused} refused, the longest call took {:?}", work.longest);
        assert!(loaded > 1000 && refused > 1000);
        assert!(work.longest < Duration::from_secs(10), "{:?}", work.longest);
    }

    #[test]
    fn a_save_that_would_run_for_years_or_never_again_is_refused() {
        let mut stepper = Stepper::fixed(60.0).unwrap();
        let _ = stepper.frame(0.107);
        let saved = serde_json::to_value(&stepper).unwrap();
        assert!(serde_json::from_value::<Stepper>(saved.clone()).is_ok());
        for (total, old_step) in [
            (1e15, json!(1e308)),
            (-1e15, json!(1e308)),
            (1e15, Value::Null),
            (-1e15, Value::Null),
            (1e5, json!(1e5)),
        ] {
            let mut broken = saved.clone();
            broken["policy"]["Fixed"]["total"] = json!(total);
            broken["policy"]["Fixed"]["old_step"] = old_step.clone();
            let error = serde_json::from_value::<Stepper>(broken).unwrap_err().to_string();
            assert!(error.contains("do not fit together"), "{total} {old_step}: {error}");
        }
    }
}
