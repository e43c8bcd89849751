//! What does the picture do when the writer pauses, the machine sleeps, a clock is set, the tick rate changes?
//!
//! Every case prints its figures (`cargo test -p portamento --test playhead_relock -- --nocapture`): how long
//! until the drawn speed is the writer's again, the largest forward jump of the drawn moment beyond what a frame
//! plays, and the longest stand-still.

use portamento::playhead::{Playhead, PlayheadStatistics};

const TICK: f64 = 1.0 / 60.0;
const FRAME: f64 = 1.0 / 144.0;
/// Seconds before the disturbance.
const BEFORE: f64 = 5.0;

/// A writer's ticks as (arrival, simulation time), a little late each.
struct Writer {
    ticks: Vec<(f64, f64)>,
    noise: u64,
    now: f64,
    sim: f64,
}

impl Writer {
    fn new() -> Self {
        Writer { ticks: Vec::new(), noise: 1, now: 0.0, sim: 0.0 }
    }

    fn late(&mut self) -> f64 {
        self.noise = self.noise.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        0.003 * (self.noise >> 40) as f64 / (1 << 24) as f64
    }

    /// Ticks of `tick` simulated seconds for `seconds`, at `rate` simulated seconds a second, `delay` late.
    fn run(&mut self, seconds: f64, tick: f64, rate: f64, delay: f64) -> &mut Self {
        let end = self.now + seconds;
        while self.now < end - 1e-9 {
            let late = self.late() + delay;
            self.ticks.push((self.now + late, self.sim));
            self.now += tick / rate;
            self.sim += tick;
        }
        self
    }

    /// Nothing for so long, and then all the ticks of that time at once.
    fn stall(&mut self, seconds: f64) -> &mut Self {
        let end = self.now + seconds;
        while self.now < end - 1e-9 {
            self.ticks.push((end, self.sim));
            self.now += TICK;
            self.sim += TICK;
        }
        self
    }

    fn wait(&mut self, seconds: f64) -> &mut Self {
        self.now += seconds;
        self
    }
}

/// What was drawn: (our clock, drawn moment).
fn draw(playhead: &mut Playhead, ticks: &[(f64, f64)], frames: &[f64]) -> Vec<(f64, f64)> {
    let mut ticks = ticks.iter().peekable();
    let mut drawn = Vec::new();
    for &now in frames {
        while let Some(&(arrival, sim)) = ticks.next_if(|tick| tick.0 <= now) {
            playhead.observe(arrival, sim);
        }
        if let Some(shown) = playhead.advance(now) {
            assert!(shown.at <= playhead.statistics().newest.unwrap());
            drawn.push((now, shown.at));
        }
    }
    drawn
}

fn frames(from: f64, to: f64) -> Vec<f64> {
    (0..).map(|k| from + f64::from(k) * FRAME).take_while(|&t| t < to).collect()
}

struct Figures {
    /// From the disturbance to the last frame whose speed is not the writer's (within 10 %).
    locked_after: f64,
    /// The most that a frame moved beyond what it may play at the writer's rate, in seconds.
    jump: f64,
    /// The longest stand-still, in seconds.
    still: f64,
}

/// `first` is the first frame after the disturbance, `rate` the writer's from then on. A clock that was set makes
/// one frame of any length; it counts as a usual one.
fn figures(
    name: &str,
    drawn: &[(f64, f64)],
    first: usize,
    rate: f64,
    counts: &PlayheadStatistics,
) -> Figures {
    let mut figures = Figures { locked_after: 0.0, jump: 0.0, still: 0.0 };
    let (mut still, mut since) = (0.0, 0.0);
    for (k, pair) in drawn.windows(2).enumerate() {
        let moved = pair[1].1 - pair[0].1;
        assert!(moved >= 0.0, "{name}: drawn time goes back by {moved} at {}", pair[1].0);
        let took = pair[1].0 - pair[0].0;
        let took = if (0.0..0.1).contains(&took) { took } else { FRAME };
        if k + 1 >= first {
            since += took;
            if (moved / took - rate).abs() > 0.1 * rate {
                figures.locked_after = since;
            }
            figures.jump = f64::max(figures.jump, moved - 1.06 * took * rate.max(1.0));
            still = if moved < 0.1 * took * rate { still + took } else { 0.0 };
            figures.still = f64::max(figures.still, still);
        }
    }
    println!(
        "{name:34} locked after {:6.3} s, largest jump {:7.1} ms, longest still {:7.1} ms, re-locks {}, jumps {}",
        figures.locked_after,
        1e3 * figures.jump,
        1e3 * figures.still,
        counts.relocks,
        counts.jumps,
    );
    figures
}

fn run(name: &str, writer: &mut Writer, rate: f64) -> (Figures, PlayheadStatistics) {
    let mut playhead = Playhead::at_hz(1.0 / TICK).unwrap();
    let drawn = draw(&mut playhead, &writer.ticks, &frames(0.0, writer.now));
    let first = drawn.partition_point(|frame| frame.0 < BEFORE);
    (figures(name, &drawn, first, rate, &playhead.statistics()), playhead.statistics())
}

#[test]
fn after_a_pause_it_goes_on_from_where_it_stood() {
    for pause in [0.1, 0.2, 2.0, 60.0] {
        let mut writer = Writer::new();
        writer.run(BEFORE, TICK, 1.0, 0.0).wait(pause).run(8.0, TICK, 1.0, 0.0);
        let (figures, _) = run(&format!("pause of {pause} s"), &mut writer, 1.0);
        assert!(figures.jump < 0.001, "{}", figures.jump);
        assert!(figures.still < pause + 0.005, "{}", figures.still);
        assert!(figures.locked_after < pause + 0.050, "{}", figures.locked_after);
    }
}

/// Ticks and frames whose times have `by` added from `BEFORE` on, as a clock that was set (or slept) gives them.
fn with_clock_set(name: &str, by: f64) -> (Figures, PlayheadStatistics) {
    let mut writer = Writer::new();
    writer.run(BEFORE + 8.0, TICK, 1.0, 0.0);
    let (mut early, mut late) = (Vec::new(), Vec::new());
    for (arrival, sim) in writer.ticks.clone() {
        if arrival < BEFORE { early.push((arrival, sim)) } else { late.push((arrival + by, sim)) }
    }
    let mut playhead = Playhead::at_hz(1.0 / TICK).unwrap();
    let mut drawn = draw(&mut playhead, &early, &frames(0.0, BEFORE));
    let after: Vec<f64> =
        frames(0.0, BEFORE + 8.0).into_iter().filter(|&t| t >= BEFORE).map(|t| t + by).collect();
    let first = drawn.len();
    drawn.extend(draw(&mut playhead, &late, &after));
    (figures(name, &drawn, first, 1.0, &playhead.statistics()), playhead.statistics())
}

#[test]
fn a_machine_that_slept_wakes_up_without_a_jump() {
    let (figures, counts) = with_clock_set("machine slept for an hour", 3600.0);
    assert_eq!(counts.relocks, 1);
    assert!(figures.jump < 0.001 && figures.still < 0.030, "{} {}", figures.jump, figures.still);
    assert!(figures.locked_after < 0.05, "{}", figures.locked_after);
}

#[test]
fn a_clock_that_is_set_moves_nothing_on_the_screen() {
    for by in [0.4, 5.0, -5.0, -3600.0, -0.2] {
        let (figures, counts) = with_clock_set(&format!("clock set by {by} s"), by);
        assert!(figures.jump < 0.001, "{}", figures.jump);
        // A clock set back by less than half a second may as well be one that hangs: it is waited for.
        let wait = if by == -0.2 { 0.2 } else { 0.0 };
        assert!(figures.locked_after < wait + 0.05, "{}", figures.locked_after);
        assert!(figures.still < wait + 0.030, "{}", figures.still);
        assert!(counts.relocks <= 1 && counts.jumps == 0);
    }
}

#[test]
fn another_tick_rate_costs_at_most_the_difference_of_the_ticks() {
    for (from, to) in [(60.0, 20.0), (20.0, 60.0), (60.0, 240.0), (240.0, 30.0)] {
        let mut writer = Writer::new();
        writer.run(BEFORE, 1.0 / from, 1.0, 0.0).run(8.0, 1.0 / to, 1.0, 0.0);
        let (figures, _) = run(&format!("from {from} to {to} ticks a second"), &mut writer, 1.0);
        assert!(figures.jump < 0.001, "{}", figures.jump);
        assert!(figures.still <= (1.0 / to - 1.0 / from).max(0.0) + 0.004, "{}", figures.still);
        assert!(figures.locked_after < 0.25, "{}", figures.locked_after);
    }
}

#[test]
fn slow_motion_and_back_is_followed_within_some_ticks() {
    for (from, to) in [(1.0, 0.25), (0.25, 1.0), (1.0, 0.5), (1.0, 2.0), (1.0, 0.03), (0.03, 1.0)] {
        let mut writer = Writer::new();
        writer.run(BEFORE, TICK, from, 0.0).run(10.0, TICK, to, 0.0);
        let (figures, counts) = run(&format!("from speed {from} to {to}"), &mut writer, to);
        assert!(figures.locked_after < 16.0 * TICK / to, "{}", figures.locked_after);
        assert!(figures.jump < 0.002 && counts.jumps == 0, "{}", figures.jump);
    }
}

#[test]
fn a_slightly_other_speed_is_followed_without_a_stand_still() {
    for to in [0.9, 0.95, 1.05, 1.1] {
        let mut writer = Writer::new();
        writer.run(BEFORE, TICK, 1.0, 0.0).run(10.0, TICK, to, 0.0);
        let (figures, counts) = run(&format!("from speed 1 to {to}"), &mut writer, to);
        assert!(figures.locked_after < 3.0, "{}", figures.locked_after);
        assert!(figures.jump < 0.001 && figures.still == 0.0);
        assert_eq!((counts.relocks, counts.jumps), (0, 0));
    }
}

#[test]
fn a_short_stall_is_played_without_a_jump_and_a_long_one_is_skipped_once() {
    for stall in [0.1, 0.2] {
        let mut writer = Writer::new();
        writer.run(BEFORE, TICK, 1.0, 0.0).stall(stall).run(10.0, TICK, 1.0, 0.0);
        let (figures, counts) = run(&format!("stall of {stall} s, then all at once"), &mut writer, 1.0);
        assert!(figures.jump < 0.001 && figures.still < stall + 0.005);
        assert_eq!(counts.jumps, 0);
    }
    for stall in [1.0, 10.0] {
        let mut writer = Writer::new();
        writer.run(BEFORE, TICK, 1.0, 0.0).stall(stall).run(8.0, TICK, 1.0, 0.0);
        let (figures, counts) = run(&format!("stall of {stall} s, then all at once"), &mut writer, 1.0);
        assert_eq!(counts.jumps, 1);
        assert!(figures.jump > 0.9 * stall && figures.locked_after < stall + 0.05);
    }
}

#[test]
fn a_longer_way_costs_its_length_once() {
    for delay in [0.030, 0.100] {
        let mut writer = Writer::new();
        writer.run(BEFORE, TICK, 1.0, 0.0).run(8.0, TICK, 1.0, delay);
        let (figures, _) = run(&format!("{} ms longer on the way", 1e3 * delay), &mut writer, 1.0);
        assert!(figures.jump < 0.001);
        assert!(figures.still < delay, "{}", figures.still);
        assert!(figures.locked_after < delay + 0.1, "{}", figures.locked_after);
        let mut writer = Writer::new();
        writer.run(BEFORE, TICK, 1.0, delay).run(12.0, TICK, 1.0, 0.0);
        let (figures, _) = run(&format!("{} ms shorter on the way", 1e3 * delay), &mut writer, 1.0);
        assert!(figures.jump < 0.001 && figures.still == 0.0 && figures.locked_after == 0.0);
    }
}

#[test]
fn a_new_run_of_the_writer_is_drawn_at_once() {
    let mut playhead = Playhead::at_hz(1.0 / TICK).unwrap();
    let mut first = Writer::new();
    first.run(BEFORE, TICK, 1.0, 0.0);
    draw(&mut playhead, &first.ticks, &frames(0.0, BEFORE));
    playhead.restart();
    assert_eq!(playhead.advance(BEFORE), None, "nothing of the new run is known yet");
    let mut second = Writer::new();
    second.wait(BEFORE + 0.5).run(8.0, TICK, 1.0, 0.0);
    let drawn = draw(&mut playhead, &second.ticks, &frames(BEFORE + 0.5, second.now));
    assert_eq!(drawn[0].1, 0.0, "its first tick");
    let figures = figures("restarted writer", &drawn, 0, 1.0, &playhead.statistics());
    assert!(figures.jump < 0.001 && figures.locked_after < 0.1);
    assert_eq!(playhead.statistics().restarts, 1);
}
