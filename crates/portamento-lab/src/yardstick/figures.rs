//! All figures of a drawn motion against the true one.

use super::animation::AnimationError;
use super::cuts::{self, Slide, distance_to_path};
use super::motion::Motion;
use super::place::{Place, Vector, dot, length, scale, sub};
use super::spectrum::{log_dimensionless_jerk, spectral_arc_length};
use super::statistics::{deviation, percentile, rms};
use crate::strategy::Drawn;
use serde::Serialize;

/// What counts and what is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Frames before this time are not measured: a method may need a moment to settle.
    pub from: f64,
    /// Frames this many seconds before a cut are left out of latency and judder.
    pub before_cut: f64,
    /// Frames this many seconds after a cut are left out.
    pub after_cut: f64,
    /// Whether the method's own latency is added to `after_cut`.
    pub add_latency: bool,
    /// "Off path" is the distance to the true path of this many last seconds.
    pub path: f64,
    /// Latencies between these are searched, in seconds.
    pub latencies: (f64, f64),
}

impl Rules {
    /// For recorded traces: nothing within 1.2 s after a cut, whatever a method's latency, and longer paths.
    pub fn recorded(from: f64) -> Self {
        Self { from, after_cut: 1.2, add_latency: false, path: 1.5, ..Self::default() }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            from: 1.0,
            before_cut: 0.05,
            after_cut: 0.6,
            add_latency: true,
            path: 1.0,
            latencies: (-0.1, 1.5),
        }
    }
}

/// A box that the truth does not enter. A side at infinity makes it a wall without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The corner with the smallest coordinates.
    pub low: Vector,
    /// The corner with the largest.
    pub high: Vector,
}

impl Wall {
    /// How deep inside the wall a place is: the way to its nearest side; 0 outside.
    pub fn depth(&self, place: Vector) -> f64 {
        let sides = (0..3).flat_map(|axis| [place[axis] - self.low[axis], self.high[axis] - place[axis]]);
        sides.fold(f64::INFINITY, f64::min).max(0.0)
    }

    /// How far the view enters the wall beyond what the truth does, at worst: the truth's own depth is that
    /// of the moment the picture stands for.
    pub fn penetration(&self, motion: &Motion<[f64; 3]>, drawn: &Drawn<[f64; 3]>, latency: f64) -> f64 {
        let mut truth = motion.reader();
        let over =
            |(&time, &place): (&f64, &[f64; 3])| self.depth(place) - self.depth(truth.at(time - latency));
        drawn.times.iter().zip(&drawn.places).map(over).fold(0.0, f64::max)
    }
}

/// Every figure of one run. Times in seconds, shares 0..=1, distances in the motion's unit (radians for turns).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// How far in the past the picture is: the shift that fits it best to the truth.
    pub latency: f64,
    /// Judder: RMS rate of change of the error at that shift over the RMS ideal speed. 0 is perfect; below
    /// 0.05 we call it smooth.
    pub judder: f64,
    /// RMS second difference of the error per frame, in the motion's unit: what the eye catches first.
    pub judder2: f64,
    /// Root mean square of the ideal speed per second.
    pub ideal_speed: f64,
    /// Median of display time minus content time, if the method knows its content times.
    pub age_p50: Option<f64>,
    /// 95th percentile of the same.
    pub age_p95: Option<f64>,
    /// Standard deviation of the age averaged over a second: does the delay breathe?
    pub wander: Option<f64>,
    /// Animation error, if content times are known.
    #[serde(rename = "animation_error")]
    pub animation: Option<AnimationError>,
    /// Share of moving frames whose step is below a tenth of the ideal one.
    pub freeze: f64,
    /// Share of moving frames whose step is more than twice the ideal one.
    pub jump: f64,
    /// Share of moving frames that step against the ideal direction.
    pub reverse: f64,
    /// Share of moving frames (ideal speed above 15 % of its RMS).
    pub moving: f64,
    /// 99th percentile of the distance to the true path of the last seconds.
    pub off_path_p99: f64,
    /// The largest such distance.
    pub off_path_max: f64,
    /// Teleports that show as slides.
    pub slide: Slide,
    /// Drawn jumps where the truth has none.
    pub false_snaps: usize,
    /// Spectral arc length of the drawn speed (longest stretch without a cut).
    pub arc_length: Option<f64>,
    /// Log dimensionless jerk of the same.
    pub jerk: Option<f64>,
    /// Frames that latency and judder were measured on.
    pub frames: usize,
}

/// Which frames count, given where the cuts are.
fn counted(times: &[f64], cuts: &[f64], rules: &Rules, latency: f64) -> Vec<bool> {
    let after = rules.after_cut + if rules.add_latency { latency.max(0.0) } else { 0.0 };
    times
        .iter()
        .map(|&t| {
            let next = cuts.partition_point(|&cut| cut <= t);
            let near = cuts.get(next).is_some_and(|cut| cut - t <= rules.before_cut)
                || next.checked_sub(1).is_some_and(|last| t - cuts[last] <= after);
            t >= rules.from && !near
        })
        .collect()
}

/// The latency that fits best, to half a millisecond.
fn best_latency<P: Place>(motion: &Motion<P>, drawn: &Drawn<P>, counts: &[bool], range: (f64, f64)) -> f64 {
    const FINE: f64 = 0.0005;
    const COARSE: i64 = 8;
    /// Enough frames to find the valley; its bottom is found with all of them.
    const ROUGHLY: usize = 1500;
    let counted: Vec<usize> = (0..drawn.times.len()).filter(|&k| counts[k]).collect();
    let error = |step: i64, every: usize| -> f64 {
        let mut truth = motion.reader();
        let mut sum = 0.0;
        for &k in counted.iter().step_by(every) {
            let off = drawn.places[k].minus(truth.at(drawn.times[k] - step as f64 * FINE));
            sum += dot(off, off);
        }
        sum
    };
    let best = |steps: &mut dyn Iterator<Item = i64>, every: usize| -> i64 {
        steps.map(|s| (error(s, every), s)).min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, s)| s)
    };
    let (low, high) = ((range.0 / FINE).round() as i64, (range.1 / FINE).round() as i64);
    let every = (counted.len() / ROUGHLY).max(1);
    let near = best(&mut (low..=high).step_by(COARSE as usize), every);
    best(&mut (near - 2 * COARSE..=near + 2 * COARSE), 1) as f64 * FINE
}

/// The error of the view at a fixed latency and its rate of change, frame by frame: the pairs
/// (display time, rate of change divided by the RMS ideal speed) that judder is the RMS of.
pub fn judder_error<P: Place>(
    motion: &Motion<P>,
    drawn: &Drawn<P>,
    rules: &Rules,
    figures: &Figures,
) -> Vec<(f64, f64)> {
    let counts = counted(&drawn.times, motion.cuts(), rules, figures.latency);
    let run = Run::new(motion, drawn, &counts, figures.latency);
    let along = |k: usize| {
        // Signed: along the ideal direction when there is one, so that a spectrum can be taken.
        let rate = scale(run.error_step(k), 1.0 / run.seconds(k));
        let ideal = run.ideal_step(k);
        let size = length(ideal);
        if size > 0.0 { dot(rate, ideal) / size } else { length(rate) }
    };
    (1..drawn.times.len())
        .filter(|&k| counts[k] && counts[k - 1])
        .map(|k| (drawn.times[k], along(k) / figures.ideal_speed.max(f64::MIN_POSITIVE)))
        .collect()
}

/// The view and the truth it stands for, at one latency.
struct Run<'a, P> {
    drawn: &'a Drawn<P>,
    ideal: Vec<P>,
    counts: &'a [bool],
}

impl<'a, P: Place> Run<'a, P> {
    fn new(motion: &Motion<P>, drawn: &'a Drawn<P>, counts: &'a [bool], latency: f64) -> Self {
        let mut truth = motion.reader();
        let ideal: Vec<P> = drawn.times.iter().map(|t| truth.at(t - latency)).collect();
        Self { drawn, ideal, counts }
    }

    fn seconds(&self, k: usize) -> f64 {
        self.drawn.times[k] - self.drawn.times[k - 1]
    }
    fn ideal_step(&self, k: usize) -> Vector {
        self.ideal[k].minus(self.ideal[k - 1])
    }
    fn drawn_step(&self, k: usize) -> Vector {
        self.drawn.places[k].minus(self.drawn.places[k - 1])
    }
    /// How the error changed in a frame. Of turns the steps are compared, not the errors: a rotation vector of
    /// nearly half a turn may flip its sign.
    fn error_step(&self, k: usize) -> Vector {
        sub(self.drawn_step(k), self.ideal_step(k))
    }
    /// Frames whose step from the frame before counts.
    fn steps(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.counts.len()).filter(|&k| self.counts[k] && self.counts[k - 1] && self.seconds(k) > 0.0)
    }

    /// The usual ideal step within a quarter of a second around a time.
    fn local_step(&self, time: f64) -> f64 {
        let first = self.drawn.times.partition_point(|&t| t < time - 0.25).max(1);
        let last = self.drawn.times.partition_point(|&t| t < time + 0.25);
        let steps: Vec<f64> = (first..last).map(|k| length(self.ideal_step(k))).collect();
        percentile(steps, 0.5).unwrap_or(0.0)
    }
}

/// Measures a drawn motion against the true one.
///
/// Frames near cuts are left out of everything but `slide` and the ages. With no counted frame at all the
/// figures are zero, and so is `frames`.
pub fn measure<P: Place>(motion: &Motion<P>, drawn: &Drawn<P>, rules: &Rules) -> Figures {
    let mut counts = counted(&drawn.times, motion.cuts(), rules, 0.0);
    let mut latency = best_latency(motion, drawn, &counts, rules.latencies);
    if rules.add_latency && !motion.cuts().is_empty() {
        counts = counted(&drawn.times, motion.cuts(), rules, latency);
        latency = best_latency(motion, drawn, &counts, rules.latencies);
    }
    let run = Run::new(motion, drawn, &counts, latency);
    let steps: Vec<usize> = run.steps().collect();
    let rate = |v: Vector, k: usize| length(v) / run.seconds(k);
    let ideal_speed =
        rms(&steps.iter().map(|&k| rate(run.ideal_step(k), k)).collect::<Vec<_>>()).unwrap_or(0.0);
    let error_rate: Vec<f64> = steps.iter().map(|&k| rate(run.error_step(k), k)).collect();
    let judder = rms(&error_rate).map_or(0.0, |r| if ideal_speed > 0.0 { r / ideal_speed } else { 0.0 });
    let seconds: Vec<f64> = steps
        .iter()
        .filter(|&&k| k >= 2 && counts[k - 2])
        .map(|&k| length(sub(run.error_step(k), run.error_step(k - 1))))
        .collect();
    let stumbles = Stumbles::count(&run, &steps, ideal_speed);
    let off_path: Vec<f64> = (0..drawn.times.len())
        .filter(|&k| counts[k])
        .map(|k| distance_to_path(motion, drawn.times[k] - rules.path, drawn.times[k], drawn.places[k]))
        .collect();
    let ages = Ages::of(drawn, rules.from);
    let (arc_length, jerk) = drawn_roughness(&run);
    Figures {
        latency,
        judder,
        judder2: rms(&seconds).unwrap_or(0.0),
        ideal_speed,
        age_p50: percentile(ages.ages.clone(), 0.5),
        age_p95: percentile(ages.ages.clone(), 0.95),
        wander: ages.wander(),
        animation: AnimationError::from_times(&ages.frames),
        freeze: stumbles.freeze,
        jump: stumbles.jump,
        reverse: stumbles.reverse,
        moving: stumbles.moving,
        off_path_max: off_path.iter().copied().fold(0.0, f64::max),
        off_path_p99: percentile(off_path, 0.99).unwrap_or(0.0),
        slide: cuts::slides(motion, drawn, rules.from, rules.after_cut, |t| run.local_step(t)),
        false_snaps: stumbles.false_snaps,
        arc_length,
        jerk,
        frames: counts.iter().filter(|&&c| c).count(),
    }
}

/// Frames that stumble, as shares of the moving ones.
struct Stumbles {
    freeze: f64,
    jump: f64,
    reverse: f64,
    moving: f64,
    false_snaps: usize,
}

impl Stumbles {
    fn count<P: Place>(run: &Run<'_, P>, steps: &[usize], ideal_speed: f64) -> Self {
        const MOVING: f64 = 0.15;
        let (mut moving, mut freeze, mut jump, mut reverse, mut false_snaps) = (0, 0, 0, 0, 0);
        for &k in steps {
            let (step, ideal) = (run.drawn_step(k), run.ideal_step(k));
            let (size, ideal_size) = (length(step), length(ideal));
            if size > 5.0 * ideal_size && size > 5.0 * ideal_size + 3.0 * run.local_step(run.drawn.times[k]) {
                false_snaps += 1;
            }
            if ideal_size / run.seconds(k) > MOVING * ideal_speed {
                moving += 1;
                freeze += usize::from(size < 0.1 * ideal_size);
                jump += usize::from(size > 2.0 * ideal_size);
                reverse += usize::from(dot(step, ideal) < 0.0);
            }
        }
        let share = |n: usize, of: usize| if of > 0 { n as f64 / of as f64 } else { 0.0 };
        Self {
            freeze: share(freeze, moving),
            jump: share(jump, moving),
            reverse: share(reverse, moving),
            moving: share(moving, steps.len()),
            false_snaps,
        }
    }
}

/// Ages of all frames whose content time is known.
struct Ages {
    frames: Vec<(f64, f64)>,
    ages: Vec<f64>,
}

impl Ages {
    fn of<P>(drawn: &Drawn<P>, from: f64) -> Self {
        let known = drawn.times.iter().zip(&drawn.content).filter(|(t, _)| **t >= from);
        let frames: Vec<(f64, f64)> = known.filter_map(|(&t, &c)| c.map(|c| (t, c))).collect();
        let ages = frames.iter().map(|(t, c)| t - c).collect();
        Self { frames, ages }
    }

    /// Standard deviation of the age averaged over the last second.
    fn wander(&self) -> Option<f64> {
        let mut smooth = Vec::with_capacity(self.ages.len());
        let (mut first, mut sum) = (0, 0.0);
        for (k, (time, _)) in self.frames.iter().enumerate() {
            sum += self.ages[k];
            while self.frames[first].0 < time - 1.0 {
                sum -= self.ages[first];
                first += 1;
            }
            if time - self.frames[0].0 >= 1.0 {
                smooth.push(sum / (k - first + 1) as f64);
            }
        }
        deviation(&smooth)
    }
}

/// Arc length and jerk of the drawn speed on the longest stretch without a cut, at an even rate.
fn drawn_roughness<P: Place>(run: &Run<'_, P>) -> (Option<f64>, Option<f64>) {
    let times = &run.drawn.times;
    let mut longest = 0..0;
    let mut start = 0;
    for k in 0..=times.len() {
        if k == times.len() || !run.counts[k] {
            if k - start > longest.len() {
                longest = start..k;
            }
            start = k + 1;
        }
    }
    if longest.len() < 8 {
        return (None, None);
    }
    let speeds: Vec<(f64, f64)> = (longest.start + 1..longest.end)
        .filter(|&k| run.seconds(k) > 0.0)
        .map(|k| (times[k], length(run.drawn_step(k)) / run.seconds(k)))
        .collect();
    let span = speeds[speeds.len() - 1].0 - speeds[0].0;
    let rate = (speeds.len() - 1) as f64 / span;
    let mut next = 1;
    let even: Vec<f64> = (0..speeds.len())
        .map(|i| {
            let time = speeds[0].0 + i as f64 / rate;
            while next + 1 < speeds.len() && speeds[next].0 < time {
                next += 1;
            }
            let ((t0, a), (t1, b)) = (speeds[next - 1], speeds[next]);
            a + (b - a) * ((time - t0) / (t1 - t0)).clamp(0.0, 1.0)
        })
        .collect();
    (spectral_arc_length(&even, rate, 10.0), log_dimensionless_jerk(&even, rate))
}
