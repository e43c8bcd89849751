//! The quantum gate: its table of facts, and a second, deliberately simple implementation beside it.

use portamento::step::{
    Frame, GateRule, GateSettings, GatedStepper, LostReason, MomentParts, Snapping, Stepper,
};
use portamento::{Moment, Track};
use proptest::prelude::*;

const MIN: f64 = 1.0 / 30.0;

fn gate(rule: GateRule) -> GatedStepper {
    GatedStepper::with_gate(GateSettings::from(rule)).unwrap()
}

fn quanta(stepper: &mut GatedStepper, dt: f64) -> Vec<f64> {
    stepper.frame(dt).ticks.map(|tick| tick.dt).collect()
}

#[test]
fn exactly_the_shortest_quantum_runs_when_one_runs_at_a_time_and_not_when_all_do() {
    assert_eq!(quanta(&mut gate(GateRule::OneAtATime), MIN), [MIN]);
    for rule in [GateRule::AllAtOnce, GateRule::Even] {
        let mut stepper = gate(rule);
        assert_eq!(quanta(&mut stepper, 1.0 / 60.0), [0.0; 0]);
        assert_eq!(quanta(&mut stepper, 1.0 / 60.0), [0.0; 0], "1/60 + 1/60 is exactly 1/30");
        assert_eq!(quanta(&mut stepper, 1.0 / 60.0), [MIN + 1.0 / 60.0]);
    }
}

#[test]
fn exactly_the_stale_limit_is_not_stale() {
    let mut stepper = gate(GateRule::AllAtOnce);
    let Frame { ticks, lost, .. } = stepper.frame(2.0);
    assert_eq!(ticks.map(|tick| tick.dt).collect::<Vec<_>>(), [0.2; 10]);
    assert_ne!(lost.reason, Some(LostReason::Stale));
    let mut stepper = gate(GateRule::OneAtATime);
    let Frame { ticks, lost, .. } = stepper.frame(2.0);
    assert_eq!(ticks.map(|tick| tick.dt).collect::<Vec<_>>(), [0.1], "one quantum a frame");
    assert_ne!(lost.reason, Some(LostReason::Stale));
}

#[test]
fn stale_time_is_thrown_away_and_both_ends_become_the_present() {
    for rule in [GateRule::AllAtOnce, GateRule::OneAtATime, GateRule::Even] {
        let mut stepper = gate(rule);
        let mut track = Track::<f64>::new(0.0);
        for _ in 0..10 {
            for tick in stepper.frame(0.05).ticks {
                track.push(track.truth() + tick.dt);
            }
        }
        let Frame { ticks, moment, lost } = stepper.frame(2.5);
        assert_eq!(ticks.len(), 0, "{rule:?}");
        assert!(lost.reason == Some(LostReason::Stale) && lost.seconds >= 2.5, "{rule:?} {lost:?}");
        assert_eq!(moment.presented(), 2.5, "the wall time");
        assert_eq!(track.view(moment), *track.truth(), "{rule:?}");
        let still = *track.truth();
        // Until the next quantum nothing moves, and then the motion begins at the present.
        loop {
            let Frame { ticks, moment, .. } = stepper.frame(0.005);
            let ran = ticks.len();
            for tick in ticks {
                track.push(track.truth() + tick.dt);
            }
            if ran > 0 {
                assert!(track.view(moment) >= still);
                break;
            }
            assert_eq!(track.view(moment), still, "{rule:?}");
        }
        assert!((stepper.counts().lost - lost.seconds).abs() < 1e-12);
    }
}

#[test]
fn tiny_pending_time_is_consumed_by_all_at_once_and_saved_up_by_the_others() {
    let mut client = gate(GateRule::AllAtOnce);
    let mut seed = gate(GateRule::OneAtATime);
    for _ in 0..2000 {
        assert_eq!(quanta(&mut client, 0.0001), [0.0; 0]);
    }
    assert_eq!(client.moment().alpha(), 0.0);
    let ran: usize = (0..2000).map(|_| quanta(&mut seed, 0.0001).len()).sum();
    assert!(ran > 0);
}

#[test]
fn alpha_is_measured_in_the_last_quantum_by_all_at_once_and_in_the_shortest_by_one_at_a_time() {
    let mut client = gate(GateRule::AllAtOnce);
    let mut seed = gate(GateRule::OneAtATime);
    for stepper in [&mut client, &mut seed] {
        assert_eq!(quanta(stepper, 0.05), [0.05]);
        let _ = stepper.frame(0.01);
    }
    assert!((client.moment().alpha() - 0.01 / 0.05).abs() < 1e-12);
    assert!((seed.moment().alpha() - 0.01 / MIN).abs() < 1e-12);
}

/// The drawn speed in quanta per frame, at 144 frames/s: the dip that the seed rule has and dividing by the real
/// length cures.
#[test]
fn one_at_a_time_dips_once_in_every_tick_and_the_others_do_not() {
    for (rule, even) in [(GateRule::OneAtATime, false), (GateRule::AllAtOnce, true), (GateRule::Even, true)] {
        let mut stepper = gate(rule);
        let mut track = Track::<f64>::new(0.0);
        let mut views = Vec::new();
        for _ in 0..200 {
            let Frame { ticks, moment, .. } = stepper.frame(1.0 / 144.0);
            for tick in ticks {
                track.push(track.truth() + tick.dt);
            }
            views.push(track.view(moment));
        }
        let steps: Vec<f64> = views[100..].windows(2).map(|w| (w[1] - w[0]) * 144.0).collect();
        let (slowest, fastest) = steps.iter().fold((f64::MAX, 0.0f64), |(a, b), s| (a.min(*s), b.max(*s)));
        if even {
            assert!(fastest - slowest < 1e-9, "{rule:?}: {slowest} {fastest}");
        } else {
            assert!((slowest / fastest - 0.8).abs() < 0.01, "{rule:?}: {slowest} {fastest}");
        }
    }
}

#[test]
fn a_cut_forgets_pending_time_and_the_last_length() {
    for rule in [GateRule::AllAtOnce, GateRule::OneAtATime, GateRule::Even] {
        let mut stepper = gate(rule);
        let _ = stepper.frame(0.15);
        let _ = stepper.frame(0.03);
        stepper.cut();
        assert_eq!(quanta(&mut stepper, 0.03), [0.0; 0], "{rule:?}");
        if rule != GateRule::Even {
            assert!((stepper.moment().alpha() - 0.9).abs() < 1e-9);
        }
    }
}

#[test]
fn a_gate_that_can_never_work_cannot_be_built() {
    for (lengths, number) in [
        ([0.3, 0.2, 2.0], "0.3"),
        ([0.0, 0.2, 2.0], "0"),
        ([-1.25, 0.2, 2.0], "-1.25"),
        ([0.1, f64::NAN, 2.0], "NaN"),
        ([0.1, 0.2, f64::INFINITY], "inf"),
        ([0.1, 7.5, 2.0], "7.5"),
        ([1e-300, 1.5e-300, 2.0], "(huge) is 2: give at most a million times max"),
        // It worked 18.7 s inside one frame of 9e8 s.
        ([0.1, 0.2, 1e9], "(huge) is 1e9"),
    ] {
        let [min, max, huge] = lengths;
        let settings = GateSettings { min, max, huge, ..GateSettings::default() };
        let error = GatedStepper::with_gate(settings).unwrap_err();
        assert!(error.to_string().contains(number), "{error}");
    }
    let settings = GateSettings { huge: 1e5, ..GateSettings::default() };
    assert!(GatedStepper::with_gate(settings).is_ok(), "never stale, in practice");
}

#[test]
fn a_gate_has_no_rate_and_takes_only_snapping_that_is_off() {
    let mut gate = Stepper::gated();
    let error = gate.set_hz(45.5).unwrap_err();
    assert_eq!(error.value, 45.5);
    assert_eq!(
        error.to_string(),
        "a gate has no tick rate (45.5 was given): set `min` and `max` of GateSettings"
    );
    assert_eq!(gate.set_snapping(Snapping::Off), Ok(()));
    let error = gate.set_snapping(Snapping::ToDisplay { hz: 144.0 }).unwrap_err();
    assert_eq!(error.value, 144.0);
    assert_eq!(error.to_string(), "a gate does not snap to a display (144 Hz): give Snapping::Off");
    let error = gate.set_snapping(Snapping::ToStep).unwrap_err().to_string();
    assert_eq!(
        error,
        "a gate does not snap to steps (its shortest is 0.03333333333333333 s): give Snapping::Off"
    );
}

#[test]
fn a_gate_that_its_stepper_cannot_remember_is_refused_with_the_cure() {
    let wide = GateSettings { min: 0.001, ..GateSettings::default() };
    let endless = GateSettings { min: 1e-300, ..GateSettings::default() };
    for (error, text) in [
        (
            Stepper::<0>::with_gate(GateSettings::default()).unwrap_err(),
            "is 0: give at least 40 (max / min + 34), such as Stepper::<40>",
        ),
        (
            GatedStepper::with_gate(wide).unwrap_err(),
            "is 128: give at least 234 (max / min + 34), such as Stepper::<234>",
        ),
        (
            GatedStepper::with_gate(endless).unwrap_err(),
            "is 128: give at least 1.8446744073709552e19 (max / min + 34), or a longer `min`",
        ),
    ] {
        let error = error.to_string();
        assert_eq!(error, format!("the memory of a stepper (MEMORY) {text}"));
    }
    assert!(Stepper::<233>::with_gate(wide).is_err());
    assert_eq!(Stepper::<234>::with_gate(wide).unwrap().ends_needed(), 202);
}

#[test]
fn the_longest_frame_that_a_gate_takes_is_done_in_no_time() {
    // The most quanta that settings allow in one frame: a million. (Timed on purpose: the bound is
    // generous, and the best of five counts, because another program may have had the processor.)
    let settings = GateSettings { min: 0.001, max: 0.002, huge: 2000.0, ..GateSettings::default() };
    for rule in [GateRule::Even, GateRule::AllAtOnce, GateRule::OneAtATime] {
        let took = (0..5).map(|_| {
            let mut stepper = GatedStepper::with_gate(GateSettings { rule, ..settings }).unwrap();
            let start = std::time::Instant::now();
            let ticks = stepper.frame(2000.0).ticks.len();
            println!("{rule:?}: {ticks} quanta in {:?}", start.elapsed());
            start.elapsed()
        });
        let took = took.min().expect("five of them");
        assert!(took.as_secs_f64() < 0.5, "{rule:?}: {took:?}");
    }
}

#[test]
fn the_even_gate_loses_no_time_at_any_frame_rate_and_scale() {
    for (rate, scale) in
        [(240.0, 0.04), (1000.0, 0.15), (5200.0, 1.0), (1e4, 1e-3), (60.0, 1e-4), (144.0, 1.0), (30.0, 3.0)]
    {
        let mut even = gate(GateRule::Even);
        let mut all_at_once = gate(GateRule::AllAtOnce);
        let mut lost = 0.0;
        even.set_time_scale(scale).unwrap();
        all_at_once.set_time_scale(scale).unwrap();
        let frames = (40.0 * rate / scale).min(1e6) as usize;
        let real = frames as f64 * scale / rate;
        for _ in 0..frames {
            let frame = even.frame(1.0 / rate);
            assert_eq!(frame.lost.seconds, 0.0);
            lost += all_at_once.frame(1.0 / rate).lost.seconds;
        }
        // What is pending is no more than a quantum.
        let (even, older) = (even.counts().simulated, all_at_once.counts().simulated);
        println!("{rate} frames/s, scale {scale}: of {real:.3} s Even ran {even:.3}, AllAtOnce {older:.3}");
        assert!((-1e-6..=0.2001).contains(&(real - even)), "{rate} {scale}: {even} of {real}");
        assert!((-1e-6..=0.2001).contains(&(real - older - lost)), "what AllAtOnce drops is reported");
        assert_eq!(all_at_once.counts().lost, lost);
    }
}

#[test]
fn sizes_allow_a_clock_for_every_body() {
    let (plain, gated) = (size_of::<Stepper>(), size_of::<GatedStepper>());
    println!("Stepper {plain} bytes, GatedStepper {gated}");
    assert!(plain < 300, "{plain}");
    assert!(gated <= 1200, "{gated}");
    for rule in [GateRule::AllAtOnce, GateRule::OneAtATime] {
        let mut small = Stepper::<0>::with_gate(GateSettings::from(rule)).unwrap();
        let mut large = gate(rule);
        for i in 0..2000 {
            let dt = [0.01, 0.03, 0.3, 0.0001, 2.5, 0.017][i * i % 6];
            assert_eq!(small.frame(dt), large.frame(dt), "{rule:?}");
            if i % 500 == 250 {
                large = small.clone().into();
            }
        }
    }
}

#[test]
fn a_hundred_numbers_remember_as_well_as_a_thousand() {
    // Frame rates that wander, jump, and rise for seconds: what a real game does to the list of the longest quanta.
    for seed in 0..40u32 {
        let noise = |i: u32| f64::from((i ^ seed << 20).wrapping_mul(2_654_435_761) >> 8) / 16_777_216.0;
        let mut small = Stepper::gated();
        let mut large = Stepper::<1024>::with_gate(GateSettings::default()).unwrap();
        for i in 0..4000u32 {
            let wander = 1.0 + 0.8 * (f64::from(i) * 0.003 * f64::from(1 + seed % 7)).sin();
            let dt = (0.004 + 0.02 * wander) * (1.0 + 0.02 * f64::from(seed % 5) * noise(i));
            assert_eq!(small.frame(dt), large.frame(dt), "seed {seed}, frame {i}");
        }
    }
}

#[test]
fn a_paused_gate_is_stepped_by_one_shortest_quantum() {
    for rule in [GateRule::Even, GateRule::AllAtOnce, GateRule::OneAtATime] {
        let mut stepper = gate(rule);
        let mut body = Track::<f64>::new(0.0);
        let mut view = 0.0;
        for i in 0..400 {
            if i == 100 {
                stepper.pause();
            }
            if i == 300 {
                stepper.resume();
            }
            let Frame { ticks, moment, lost } = if i % 20 == 19 && stepper.counts().paused {
                stepper.step_once()
            } else {
                stepper.frame(0.013)
            };
            if (100..300).contains(&i) {
                let ran: Vec<f64> = ticks.clone().map(|tick| tick.dt).collect();
                assert_eq!(ran, if i % 20 == 19 { vec![MIN] } else { vec![] }, "{rule:?}");
            }
            for tick in ticks {
                body.push(body.truth() + tick.dt);
            }
            assert_eq!(lost.seconds, 0.0);
            let now: f64 = body.view(moment);
            assert!(now >= view - 1e-12, "{rule:?}: {view} to {now}");
            if rule == GateRule::Even && (100..300).contains(&i) {
                assert!((now - view - moment.presented()).abs() < 1e-8);
            }
            view = now;
        }
        assert!((stepper.counts().simulated - body.truth()).abs() < 1e-9);
    }
}

/// The gate as its table reads, with every end kept forever and the longest quantum searched anew each time.
struct Simple {
    rule: GateRule,
    min: f64,
    max: f64,
    huge: f64,
    pending: f64,
    last: f64,
    simulated: f64,
    position: f64,
    /// (time, position) of every end since the last cut or stale time.
    ends: Vec<(f64, f64)>,
    lengths: Vec<(f64, f64)>,
    distance: f64,
    drawn: f64,
    stale: bool,
}

impl Simple {
    fn new(rule: GateRule) -> Self {
        let max = if rule == GateRule::OneAtATime { 0.1 } else { 0.2 };
        Self {
            rule,
            min: MIN,
            max,
            huge: 2.0,
            pending: 0.0,
            last: MIN,
            simulated: 0.0,
            position: 0.0,
            ends: vec![(-MIN, 0.0), (0.0, 0.0)],
            lengths: vec![],
            distance: MIN,
            drawn: -MIN,
            stale: false,
        }
    }

    fn quantum(&mut self, dt: f64, quanta: &mut Vec<f64>) {
        quanta.push(dt);
        self.simulated += dt;
        self.position += dt;
        self.last = dt;
        self.ends.push((self.simulated, self.position));
        self.lengths.push((self.simulated, dt));
        self.stale = false;
    }

    fn length(&self) -> f64 {
        if self.rule == GateRule::OneAtATime { self.min } else { self.last }
    }

    /// Quanta and presented time.
    fn frame(&mut self, dt: f64) -> (Vec<f64>, f64) {
        let mut quanta = vec![];
        if !dt.is_finite() || dt <= 0.0 {
            return (quanta, 0.0);
        }
        let (length_before, pending_before) = (self.length(), self.pending);
        let mut total = self.pending + dt;
        if total > self.huge {
            self.pending = 0.0;
            self.last = self.min;
            self.ends = vec![(self.simulated, self.position)];
            self.stale = true;
            return (quanta, dt);
        }
        if self.rule == GateRule::OneAtATime {
            self.pending = total;
            if self.pending >= self.min {
                let quantum = self.pending.min(self.max);
                self.pending -= quantum;
                self.quantum(quantum, &mut quanta);
            }
        } else if self.rule == GateRule::AllAtOnce && total <= 0.000199999995 {
            self.pending = 0.0;
        } else {
            while total > self.max {
                self.quantum(self.max, &mut quanta);
                total -= self.max;
            }
            self.pending = total;
            if total > self.min {
                self.quantum(total, &mut quanta);
                self.pending = 0.0;
            }
        }
        let recent = self.lengths.iter().filter(|(ended, _)| self.simulated - *ended <= 2.0);
        let longest =
            recent.map(|(_, length)| *length).fold(None, |a: Option<f64>, b| Some(a.map_or(b, |a| a.max(b))));
        self.distance = longest.unwrap_or(self.min).max(self.distance - 0.02 * dt);
        let moment = self.drawn.max(self.simulated + self.pending - self.distance);
        let advance = moment - self.drawn;
        self.drawn = moment;
        let ran: f64 = quanta.iter().sum();
        let length = self.length();
        let presented = if self.rule == GateRule::Even {
            advance
        } else {
            let after = self.pending.min(length) - length;
            let before = pending_before.min(length_before) - length_before;
            (ran + after - before).max(0.0)
        };
        (quanta, presented)
    }

    fn cut(&mut self, position: f64) {
        self.position = position;
        self.pending = 0.0;
        self.last = self.min;
        self.stale = false;
        self.ends = vec![(self.simulated - self.min, position), (self.simulated, position)];
    }

    fn correct(&mut self, position: f64) {
        self.position = position;
        self.ends.last_mut().unwrap().1 = position;
    }

    fn view(&self) -> f64 {
        let newest = self.ends[self.ends.len() - 1];
        if self.stale || self.ends.len() == 1 {
            return newest.1;
        }
        if self.rule != GateRule::Even {
            let previous = self.ends[self.ends.len() - 2];
            return previous.1 + (newest.1 - previous.1) * (self.pending / self.length()).clamp(0.0, 1.0);
        }
        if self.drawn <= self.ends[0].0 {
            return self.ends[0].1;
        }
        for pair in self.ends.windows(2) {
            if self.drawn <= pair[1].0 {
                let alpha = (self.drawn - pair[0].0) / (pair[1].0 - pair[0].0);
                return pair[0].1 + (pair[1].1 - pair[0].1) * alpha;
            }
        }
        newest.1
    }
}

#[derive(Clone, Debug)]
enum Event {
    Frame(f64),
    Cut(f64),
    Correct(f64),
}

fn frame_time() -> impl Strategy<Value = f64> {
    prop_oneof![
        10 => 0.001f64..0.05,
        4 => Just(1.0 / 60.0),
        2 => 0.05f64..0.6,
        1 => 1.5f64..3.0,
        1 => prop_oneof![
            Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(0.0), Just(-1.0),
            Just(1e-9), Just(1e9), Just(2.0), Just(MIN), Just(0.2), Just(0.00005)
        ],
    ]
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        30 => frame_time().prop_map(Event::Frame),
        1 => (-100.0f64..100.0).prop_map(Event::Cut),
        1 => (-1.0f64..1.0).prop_map(Event::Correct),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_gate_agrees_with_the_simple_one(
        rule in prop_oneof![Just(GateRule::Even), Just(GateRule::AllAtOnce), Just(GateRule::OneAtATime)],
        events in proptest::collection::vec(event(), 1..300),
    ) {
        let mut stepper = gate(rule);
        let mut track = Track::<f64>::new(0.0);
        let mut simple = Simple::new(rule);
        let mut drawn = Moment::at(0.0, 0.0);
        for event in events {
            match event {
                Event::Frame(dt) => {
                    let Frame { ticks, moment, .. } = stepper.frame(dt);
                    let (quanta, presented) = simple.frame(dt);
                    prop_assert_eq!(ticks.clone().map(|tick| tick.dt).collect::<Vec<_>>(), quanta);
                    for tick in ticks {
                        track.push(track.truth() + tick.dt);
                    }
                    prop_assert!((moment.presented() - presented).abs() < 1e-9);
                    prop_assert!((0.0..=1.0).contains(&moment.alpha()));
                    prop_assert!(MomentParts::from(moment).back as usize <= stepper.ends_needed() - 2);
                    drawn = moment;
                }
                Event::Cut(to) => {
                    track.cut(to);
                    stepper.cut();
                    simple.cut(to);
                    drawn = stepper.moment();
                }
                Event::Correct(by) => {
                    let to = track.truth() + by;
                    track.correct(to);
                    simple.correct(to);
                }
            }
            prop_assert!((track.view(drawn) - simple.view()).abs() < 1e-6, "{} {}", track.view(drawn), simple.view());
        }
    }
}

proptest! {
    #[test]
    fn presented_time_is_what_the_picture_advanced_by(
        // Not `seed`, whose alpha is measured in another length than its quanta have.
        rule in prop_oneof![Just(GateRule::Even), Just(GateRule::AllAtOnce)],
        frames in proptest::collection::vec(
            prop_oneof![20 => 0.001f64..0.04, 2 => 0.04f64..0.3, 1 => 0.3f64..1.9], 1..300,
        ),
    ) {
        let mut stepper = gate(rule);
        let mut time = Track::<f64>::new(0.0);
        let mut last = None;
        for dt in frames {
            let Frame { ticks, moment, .. } = stepper.frame(dt);
            for tick in ticks {
                time.push(tick.time);
            }
            let view = time.view(moment);
            // Before the first quantum has been drawn from its start, the start stands still.
            if let Some(last) = last.replace(view).filter(|last| *last > 0.0) {
                let advanced: f64 = view - last;
                prop_assert!((advanced - moment.presented()).abs() < 1e-8, "{advanced} {moment:?}");
            }
        }
    }
}
