//! What was drawn around a cut, and which jumps were drawn without a cut?

use super::motion::Motion;
use super::place::{Place, dot, length, scale, sub};
use crate::strategy::Drawn;
use serde::Serialize;

/// Teleports that show as slides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Slide {
    /// Time per cut in which the drawn point was on neither side, seconds.
    pub time: f64,
    /// How deep between the two sides it was drawn at worst, as a share of the jump: 0 to 0.5.
    pub depth: f64,
    /// Cuts that were checked: those with a jump above three local steps.
    pub cuts: usize,
}

/// How far from the true path of these seconds a place is.
pub(super) fn distance_to_path<P: Place>(motion: &Motion<P>, from: f64, to: f64, place: P) -> f64 {
    let mut nearest = f64::INFINITY;
    motion.segments(from, to, |a, b| {
        let (along, toward) = (b.minus(a), place.minus(a));
        let square = dot(along, along);
        let t = if square > 0.0 { (dot(along, toward) / square).clamp(0.0, 1.0) } else { 0.0 };
        nearest = nearest.min(length(sub(toward, scale(along, t))));
    });
    nearest
}

/// Looks at the frames from 50 ms before to `after` seconds past each cut.
/// `local_step` gives the usual step of a frame around a time.
pub(super) fn slides<P: Place>(
    motion: &Motion<P>,
    drawn: &Drawn<P>,
    from: f64,
    after: f64,
    local_step: impl Fn(f64) -> f64,
) -> Slide {
    let mut slide = Slide::default();
    for &cut in motion.cuts().iter().filter(|&&cut| cut >= from && cut < motion.end()) {
        let sides = motion.samples().partition_point(|s| s.time < cut);
        let jump = motion.samples()[sides].place.distance(motion.samples()[sides - 1].place);
        let step = local_step(cut);
        if jump <= 3.0 * step {
            continue; // no larger than the motion itself: there is nothing to slide across
        }
        let bound = (0.05 * jump).max(3.0 * step);
        let next = motion.cuts().iter().copied().find(|&c| c > cut).unwrap_or(f64::INFINITY);
        let end = (cut + after).min(next);
        let first = drawn.times.partition_point(|&t| t < cut - 0.05).max(1);
        let last = drawn.times.partition_point(|&t| t < end);
        slide.cuts += 1;
        for k in first..last {
            let place = drawn.places[k];
            // The side before is a path too: an entity drawn late still walks along it.
            let before = distance_to_path(motion, cut - 1.5, cut.next_down(), place);
            let behind = distance_to_path(motion, cut, end, place);
            let off = before.min(behind);
            if off > bound {
                slide.time += drawn.times[k] - drawn.times[k - 1];
                slide.depth = slide.depth.max(if jump > 0.0 { off / jump } else { 0.0 });
            }
        }
    }
    slide.time /= slide.cuts.max(1) as f64;
    slide
}
