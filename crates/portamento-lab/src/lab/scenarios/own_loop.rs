//! Fixed ticks and frames in one loop, with a clock that is read a little early or late.

use super::Scenario;
use crate::lab::{Case, Job, Kind, Options};
use crate::strategy::ours::OwnLoop;
use crate::strategy::rivals::Curve;
use crate::strategy::{Drawn, Feed};
use crate::synthetic::eight;
use crate::yardstick::Rules;
use portamento::blend::Blend;
use portamento::step::{FixedSettings, Moment, Snapping, Stepper};

/// Tick and frame rates of the tour.
const RATES: [(f64, f64); 5] = [(20.0, 60.0), (30.0, 60.0), (60.0, 60.0), (60.0, 144.0), (60.0, 240.0)];

pub(super) fn jobs(options: &Options) -> Vec<Job> {
    let mut rates = RATES.map(|(tick, frame)| (options.tick_rate(tick), options.frame_rate(frame))).to_vec();
    rates.dedup();
    let job = |(tick, frame): (f64, f64)| {
        let name = format!("{tick} Hz ticks, {}", options.frames_name(frame));
        Job::new(name, move |name, options| case(name, tick, frame, options))
    };
    rates.into_iter().map(job).collect()
}

fn case(name: &str, tick: f64, frame: f64, options: &Options) -> Case {
    const NOISE: f64 = 0.0002;
    let motion = eight(options.seconds);
    let display = options.frames(frame, 0.0, options.seconds);
    let mut random = options.random(name);
    let mut newest: f64 = 0.0;
    let readings: Vec<f64> = display
        .iter()
        .map(|t| {
            newest = newest.max(t + random.normal(0.0, NOISE));
            newest
        })
        .collect();
    let setting = format!(
        "Fixed ticks at {tick} Hz, {}, the loop's clock read to ±0.2 ms.",
        options.frames_name(frame)
    );
    let mut case = Case::new(Scenario::Loop, name, setting, motion.clone(), Rules::default());
    case.add_floors(&Feed::instant(&motion, tick), &display, 1.0 / tick, Curve::Linear);
    let own = OwnLoop { truth: &|t| motion.at(t), display: &display, readings: &readings };
    let stepper = || Stepper::fixed(tick).expect("the command line refuses rates that make no sense");
    case.add(Kind::Raw, "newest tick drawn", own.raw(stepper()));
    case.add(Kind::Rival, "accumulator, f64 seconds", accumulator(&own, 1.0 / tick));
    case.add(Kind::Rival, "blend, whole milliseconds", whole_milliseconds(&own, stepper()));
    case.add(Kind::Rival, "blend, alpha averaged", averaged_alpha(&own, stepper()));
    case.add(Kind::Ours, "portamento", own.smooth(stepper()));
    if options.intervals.is_none() {
        let snapping = Snapping::ToDisplay { hz: frame };
        let snapped = Stepper::new(FixedSettings { snapping, ..FixedSettings::at_hz(tick) });
        let snapped = snapped.expect("a frame rate above zero");
        case.add(Kind::Ours, "portamento, snapped frames", own.smooth(snapped));
    }
    case
}

/// What most loops are, written out without this library: seconds gathered in an f64, whole ticks taken out of them, the
/// last two ticks blended by what is left.
pub(super) fn accumulator(own: &OwnLoop<'_>, step: f64) -> Drawn<[f64; 3]> {
    const LONGEST_FRAME: f64 = 0.25;
    let (mut gathered, mut time, mut last_reading) = (0.0, 0.0, 0.0);
    let mut current = (own.truth)(0.0);
    let mut previous = current;
    let mut drawn = Drawn::new();
    for (&shown_at, &reading) in own.display.iter().zip(own.readings) {
        gathered += (reading - last_reading).min(LONGEST_FRAME);
        last_reading = reading;
        while gathered >= step {
            previous = current;
            time += step;
            current = (own.truth)(time);
            gathered -= step;
        }
        let alpha = gathered / step;
        let place = std::array::from_fn(|axis| previous[axis] + (current[axis] - previous[axis]) * alpha);
        drawn.push(shown_at, place, Some(time - step + gathered));
    }
    drawn
}

/// The clock of many tutorials: whole milliseconds.
fn whole_milliseconds(own: &OwnLoop<'_>, stepper: Stepper) -> Drawn<[f64; 3]> {
    let rounded: Vec<f64> = own.readings.iter().map(|t| (t * 1000.0).floor() / 1000.0).collect();
    OwnLoop { readings: &rounded, ..*own }.smooth(stepper)
}

/// A cure that is tried again and again: the blend factor itself smoothed over frames.
fn averaged_alpha(own: &OwnLoop<'_>, stepper: Stepper) -> Drawn<[f64; 3]> {
    let mut smooth = 0.0;
    own.draw(stepper, |frame| {
        smooth += 0.3 * (frame.moment.alpha() - smooth);
        let (places, times, start) = (frame.places, frame.times, Moment::at(0.0, 0.0));
        (places.view(start).blend(places.truth(), smooth), times.view(start).blend(times.truth(), smooth))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yardstick::Place;
    use crate::yardstick::place::length;

    #[test]
    fn a_plain_stepper_draws_what_the_textbook_accumulator_draws() {
        let options = Options { seconds: 8.0, ..Options::default() };
        for job in jobs(&options) {
            let case = job.run(&options);
            let drawn = |name: &str| &case.rows.iter().find(|row| row.name == name).unwrap().drawn.places;
            for (ours, textbook) in drawn("portamento").iter().zip(drawn("accumulator, f64 seconds")) {
                assert!(length(ours.minus(*textbook)) < 1e-9, "{}: {ours:?} {textbook:?}", case.name);
            }
        }
    }
}
