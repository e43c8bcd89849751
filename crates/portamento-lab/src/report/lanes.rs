//! What the page needs to play a case back: a stretch of frames of raw, rival and ours, and the truth.

use super::charts::{class, lanes, spread};
use crate::lab::{Case, Row};
use serde_json::{Value, json};

/// Seconds that are played.
const SECONDS: f64 = 9.0;
/// Truth samples per second.
const TRUTH_RATE: f64 = 60.0;

/// The case as whole numbers, each as the difference to the one before: small and exact enough for a screen.
pub fn playback(case: &Case) -> Value {
    let rows = lanes(case);
    let from = rows
        .iter()
        .filter_map(|r| r.drawn.times.first())
        .copied()
        .fold(f64::NEG_INFINITY, f64::max)
        .max(case.play_from.unwrap_or(case.rules.from));
    let to = from + SECONDS;
    let speed = rows.iter().map(|r| r.figures.ideal_speed).fold(1e-9, f64::max);
    // A two-thousandth of a second's way is far below a pixel in every view of the page.
    let unit = speed / 2000.0;
    let origin = case.motion.at(from);
    let axes = case_axes(case, from, to);
    let whole = |p: [f64; 3]| axes.map(|axis| ((p[axis] - origin[axis]) / unit).round() as i64);
    let lane = |row: &Row| {
        let frames: Vec<usize> =
            (0..row.drawn.times.len()).filter(|&k| (from..to).contains(&row.drawn.times[k])).collect();
        let places: Vec<[i64; 2]> = frames.iter().map(|&k| whole(row.drawn.places[k])).collect();
        json!({
            "name": row.name,
            "class": class(row.kind),
            "latency": (row.figures.latency * 1e4).round() / 1e4,
            "judder": (row.figures.judder * 1e4).round() / 1e4,
            "t": differences(frames.iter().map(|&k| ((row.drawn.times[k] - from) * 1e5).round() as i64)),
            "x": differences(places.iter().map(|p| p[0])),
            "y": differences(places.iter().map(|p| p[1])),
        })
    };
    let truth_from = from - 1.0;
    let count = ((SECONDS + 1.0) * TRUTH_RATE) as u32;
    let truth: Vec<[i64; 2]> =
        (0..=count).map(|k| whole(case.motion.at(truth_from + f64::from(k) / TRUTH_RATE))).collect();
    let cuts = case.motion.cuts().iter().filter(|&&c| c > truth_from && c < to);
    json!({
        "speed": (speed / unit).round(),
        "lanes": rows.iter().map(|row| lane(row)).collect::<Vec<_>>(),
        "truth": {
            "rate": TRUTH_RATE,
            "lead": 1.0,
            "x": differences(truth.iter().map(|p| p[0])),
            "y": differences(truth.iter().map(|p| p[1])),
        },
        "cuts": cuts.map(|c| ((c - from) * 1e4).round() / 1e4).collect::<Vec<_>>(),
        "wall": case.wall.map(|wall| json!({ "low": whole(wall.low), "high": whole(wall.high) })),
    })
}

/// The two axes that show the most of the motion, in their usual order.
fn case_axes(case: &Case, from: f64, to: f64) -> [usize; 2] {
    let samples = case.motion.samples().iter().filter(|s| (from..to).contains(&s.time));
    let spread = spread(samples.map(|sample| sample.place));
    let least = (0..3).rev().min_by(|&a, &b| spread[a].total_cmp(&spread[b])).unwrap_or(2);
    match least {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    }
}

fn differences(values: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut before = 0;
    values.map(|value| value - std::mem::replace(&mut before, value)).collect()
}
