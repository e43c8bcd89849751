//! The four pictures of a case and the one of a whole run.

use super::plot::{FRAME, Frame, LEADER, Picture, Scale, escape, label_width, place_labels, short};
use crate::lab::verdict::SMOOTH;
use crate::lab::{Case, Kind, Row, Scenario};
use crate::yardstick::place::length;
use crate::yardstick::spectrum::magnitudes;
use crate::yardstick::{Place, judder_error};
use std::fmt::Write;

/// The three that are compared in pictures: raw, the best rival, ours.
pub fn lanes(case: &Case) -> Vec<&Row> {
    [case.raw(), case.rival(), case.ours()].into_iter().flatten().collect()
}

/// The class that gives a kind its colour.
pub fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Floor => "k-floor",
        Kind::Raw => "k-raw",
        Kind::Rival => "k-rival",
        Kind::Older => "k-older",
        Kind::Ours => "k-ours",
    }
}

/// Latency across, judder up: one labelled point per strategy.
pub fn front(case: &Case) -> String {
    let frame = FRAME;
    // The oracle has no judder and any latency one likes: no point of the plane.
    let points: Vec<&Row> = case.rows.iter().filter(|r| r.name != "oracle").collect();
    let late = points.iter().map(|r| r.figures.latency * 1e3).fold(20.0, f64::max);
    let early = points.iter().map(|r| r.figures.latency * 1e3).fold(0.0, f64::min);
    let judders = points.iter().map(|r| r.figures.judder);
    let low = judders.clone().fold(0.04, f64::min).max(0.0005) / 2.5;
    let high = judders.fold(0.1, f64::max) * 1.6;
    let y = Scale::log(low, high, frame.bottom, frame.top);
    // Ours is labelled first: it takes the best place.
    let mut order: Vec<&Row> = points.clone();
    order.sort_by_key(|r| r.kind != Kind::Ours);
    // Low judder at no latency is no one's: the note is in no point's way there.
    let note = [frame.left, frame.bottom - 20.0, frame.left + 160.0, frame.bottom];
    let labelled = |room: f64| {
        let x = Scale::linear(early, late * room, frame.left, frame.right);
        let place = |r: &&Row| {
            let width = label_width(&r.name, r.kind == Kind::Ours);
            (x.at(r.figures.latency * 1e3), y.at(r.figures.judder), width)
        };
        let places: Vec<(f64, f64, f64)> = order.iter().map(place).collect();
        let labels = place_labels(&places, &frame, (low < SMOOTH).then_some(note));
        (x, places, labels)
    };
    // As much space on the right as brings the labels nearest to their points.
    let (x, places, labels) = [1.12, 1.4, 1.8]
        .map(labelled)
        .into_iter()
        .min_by(|a, b| a.2.cost.total_cmp(&b.2.cost))
        .expect("there are three to choose from");
    let mut picture = Picture::new("front", "Latency against judder, one point per strategy");
    if low < SMOOTH {
        let (top, height) = (y.at(SMOOTH), frame.bottom - y.at(SMOOTH));
        let (left, width) = (frame.left, frame.right - frame.left);
        picture.raw(&format!(
            "<rect class=\"calm\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        ));
    }
    picture.x_axis(&frame, &x, 6, "latency, ms");
    picture.y_axis(&frame, &y, 4, "judder");
    if low < SMOOTH {
        let at = y.at(SMOOTH);
        picture.raw(&format!("<path class=\"seen\" d=\"M{:.1} {at:.1}H{:.1}\"/>", frame.left, frame.right));
        picture.text("note", frame.left + 6.0, frame.bottom - 6.0, "start", "below 0.05: smooth");
    }
    // The family of fixed delays is one curve.
    let mut fixed: Vec<(f64, f64)> = points
        .iter()
        .filter(|r| r.name.starts_with("fixed ") && r.name.ends_with(" ms"))
        .map(|r| (x.at(r.figures.latency * 1e3), y.at(r.figures.judder)))
        .collect();
    fixed.sort_by(|a, b| a.0.total_cmp(&b.0));
    picture.line("family", fixed.into_iter().map(Some));
    // Ours is larger and drawn first: where two are in one place, both are seen.
    for ((row, (px, py, _)), (lx, ly, anchor)) in order.iter().zip(&places).zip(labels.places) {
        let (name, class) = (&row.name, class(row.kind));
        let about = format!(
            "{}: {} ms, judder {}",
            escape(name),
            short(row.figures.latency * 1e3),
            short(row.figures.judder)
        );
        let radius = if row.kind == Kind::Ours { 6.5 } else { 4.5 };
        picture.raw(&format!(
            "<circle class=\"dot {class}\" cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"{radius}\" data-tip=\"{about}\"/>"
        ));
        if (ly - 4.0 - py).abs() > LEADER {
            let toward = ly - 4.0 + if ly > *py { -8.0 } else { 8.0 };
            picture
                .raw(&format!("<path class=\"leader {class}\" d=\"M{px:.1} {py:.1}L{lx:.1} {toward:.1}\"/>"));
        }
        picture.text(&format!("label {class}"), lx, ly, anchor, name);
    }
    picture.finish()
}

/// A stretch of time that shows the difference: the rival's (or the raw picture's) roughest.
fn telling_window(case: &Case, seconds: f64) -> (f64, f64) {
    let Some(row) = case.rival().or_else(|| case.raw()) else { return (0.0, seconds) };
    let rough = judder_error(&case.motion, &row.drawn, &case.rules, &row.figures);
    let mut best = (0.0, rough.first().map_or(0.0, |r| r.0));
    let (mut first, mut sum) = (0, 0.0);
    for (time, rate) in &rough {
        sum += rate * rate;
        while rough[first].0 < time - seconds * 0.6 {
            sum -= rough[first].1 * rough[first].1;
            first += 1;
        }
        if sum > best.0 {
            best = (sum, rough[first].0);
        }
    }
    let from = best.1 - seconds * 0.2;
    (from, from + seconds)
}

/// Drawn against true: the place over time above, the speed over time below.
pub fn drawn_against_true(case: &Case) -> String {
    let rows = lanes(case);
    // Long enough for a gap in the messages, or short enough to see single frames.
    let seconds = match case.scenario {
        Scenario::Wall
        | Scenario::Links
        | Scenario::Teleports
        | Scenario::Gaps
        | Scenario::Interest
        | Scenario::Recorded => 2.0,
        Scenario::Loop | Scenario::Gate | Scenario::Worker | Scenario::Monitor | Scenario::Camera => 0.6,
    };
    let (from, to) = telling_window(case, seconds);
    let above = Frame { bottom: 156.0, ..FRAME };
    let below = Frame { top: 190.0, ..FRAME };
    let x = Scale::linear(0.0, (to - from) * 1e3, above.left, above.right);
    let truth: Vec<(f64, [f64; 3])> = (0..=300)
        .map(|k| from + (to - from) * f64::from(k) / 300.0)
        .map(|t| (t, case.motion.at(t)))
        .collect();
    let spread = spread(truth.iter().map(|(_, place)| *place));
    let axis = (0..3).max_by(|&a, &b| spread[a].total_cmp(&spread[b])).unwrap_or(0);
    let values = |row: &Row| -> Vec<(f64, f64)> {
        let drawn = row.drawn.times.iter().zip(&row.drawn.places);
        drawn.filter(|(t, _)| **t >= from && **t <= to).map(|(t, p)| (*t, p[axis])).collect()
    };
    let all = rows.iter().flat_map(|r| values(r)).chain(truth.iter().map(|(t, p)| (*t, p[axis])));
    let (low, high) = all.fold((f64::MAX, f64::MIN), |(l, h), (_, v)| (l.min(v), h.max(v)));
    let y = Scale::linear(low, high + (high - low) * 0.05, above.bottom, above.top);
    let mut picture = Picture::new("drawn", "Drawn against true place and speed over time");
    picture.y_axis(&above, &y, 4, &format!("{} over time, true and drawn", ["x", "y", "z"][axis]));
    let at = |t: f64| x.at((t - from) * 1e3);
    let cuts = case.motion.cuts();
    let cut_between = |a: f64, b: f64| cuts.iter().any(|&c| c > a && c <= b);
    let mut last = from;
    picture.line(
        "k-truth",
        truth.iter().flat_map(|(t, p)| {
            let broken = cut_between(last, *t);
            last = *t;
            [broken.then_some(None), Some(Some((at(*t), y.at(p[axis]))))].into_iter().flatten()
        }),
    );
    for row in &rows {
        picture.line(class(row.kind), values(row).into_iter().map(|(t, v)| Some((at(t), y.at(v)))));
    }
    // Below: how far each frame moved, per second.
    let speeds: Vec<Vec<(f64, f64)>> = rows.iter().map(|r| frame_speeds(r, from, to)).collect();
    let ideal = rows.iter().map(|r| r.figures.ideal_speed).fold(0.0, f64::max);
    let most = speeds.iter().flatten().map(|s| s.1).fold(ideal, f64::max).min(ideal * 4.0);
    let speed = Scale::linear(0.0, most * 1.05, below.bottom, below.top);
    picture.y_axis(&below, &speed, 3, "speed of each frame");
    picture.x_axis(&below, &x, 6, "ms");
    for (row, speeds) in rows.iter().zip(speeds) {
        picture.line(class(row.kind), speeds.into_iter().map(|(t, v)| Some((at(t), speed.at(v)))));
    }
    picture.finish()
}

/// How far places lie apart along each axis.
pub fn spread(places: impl Iterator<Item = [f64; 3]> + Clone) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let values = places.clone().map(|p| p[axis]);
        values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
    })
}

fn median_interval(row: &Row) -> f64 {
    let intervals = row.drawn.times.windows(2).map(|w| w[1] - w[0]).collect();
    crate::yardstick::statistics::percentile(intervals, 0.5).unwrap_or(1.0 / 60.0)
}

fn frame_speeds(row: &Row, from: f64, to: f64) -> Vec<(f64, f64)> {
    let (times, places) = (&row.drawn.times, &row.drawn.places);
    (1..times.len())
        .filter(|&k| times[k] >= from && times[k] <= to && times[k] > times[k - 1])
        .map(|k| (times[k], length(places[k].minus(places[k - 1])) / (times[k] - times[k - 1])))
        .collect()
}

/// At which frequencies the judder lives.
pub fn spectrum(case: &Case) -> String {
    let frame = FRAME;
    let curves: Vec<(&Row, Vec<(f64, f64)>)> =
        lanes(case).into_iter().map(|row| (row, amplitude_spectrum(case, row))).collect();
    let highest = curves.iter().filter_map(|(_, c)| c.last()).map(|c| c.0).fold(1.0, f64::max);
    let loudest = curves.iter().flat_map(|(_, c)| c).map(|c| c.1).fold(0.01, f64::max);
    let x = Scale::linear(0.0, highest, frame.left, frame.right);
    let y = Scale::log(1e-4, loudest * 1.5, frame.bottom, frame.top);
    let mut picture = Picture::new("spectrum", "Judder by frequency");
    picture.x_axis(&frame, &x, 7, "Hz");
    picture.y_axis(&frame, &y, 4, "judder by frequency");
    for (row, curve) in curves {
        picture.line(class(row.kind), curve.into_iter().map(|(f, a)| Some((x.at(f), y.at(a)))));
    }
    picture.finish()
}

/// Mean amplitude per frequency of the relative error rate, in half overlapping windows: of 256 frames, or as
/// many as there are between two cuts.
fn amplitude_spectrum(case: &Case, row: &Row) -> Vec<(f64, f64)> {
    let error = judder_error(&case.motion, &row.drawn, &case.rules, &row.figures);
    let rate = 1.0 / median_interval(row);
    [256, 128, 64, 32]
        .into_iter()
        .map(|size| windowed(&error, rate, size))
        .find(|s| !s.is_empty())
        .unwrap_or_default()
}

fn windowed(error: &[(f64, f64)], rate: f64, size: usize) -> Vec<(f64, f64)> {
    let taper = |i: usize| 0.5 - 0.5 * libm::cos(2.0 * std::f64::consts::PI * i as f64 / size as f64);
    let mut power = vec![0.0; size / 2];
    let mut windows = 0.0;
    for window in error.windows(size).step_by(size / 2) {
        if window[size - 1].0 - window[0].0 > 1.5 * size as f64 / rate {
            continue; // a cut lies between
        }
        let tapered: Vec<f64> = window.iter().enumerate().map(|(i, (_, v))| v * taper(i)).collect();
        for (sum, m) in power.iter_mut().zip(magnitudes(&tapered, size)) {
            *sum += m * m;
        }
        windows += 1.0;
    }
    if windows == 0.0 {
        return Vec::new();
    }
    // A sine of amplitude a has the magnitude a size / 4 under this taper.
    let amplitude = |p: f64| (p / windows).sqrt() * 4.0 / size as f64;
    power.iter().enumerate().skip(1).map(|(k, &p)| (k as f64 * rate / size as f64, amplitude(p))).collect()
}

/// Those of the three whose age is known.
pub fn aged(case: &Case) -> Vec<&Row> {
    let mut rows: Vec<&Row> = lanes(case);
    // A method that does not know what it shows has no age; the smoothest rival that does stands in.
    if rows.iter().all(|r| r.kind != Kind::Rival || r.figures.age_p50.is_none()) {
        rows.extend(case.smoothest(Kind::Rival, |f| f.age_p50.is_some()));
    }
    rows.retain(|r| r.figures.age_p50.is_some());
    rows
}

/// How old the picture is, over the whole run: the band is the range within a moment, the line its mean.
pub fn age(case: &Case) -> String {
    let frame = FRAME;
    let rows = aged(case);
    let from = case.rules.from;
    let to = rows.iter().filter_map(|r| r.drawn.times.last()).copied().fold(from + 1.0, f64::max);
    let most = rows.iter().filter_map(|r| r.figures.age_p95).fold(0.02, f64::max) * 1e3;
    let x = Scale::linear(from, to, frame.left, frame.right);
    let y = Scale::linear(0.0, most * 1.35, frame.bottom, frame.top);
    let mut picture = Picture::new("age", "Age of the picture over time");
    picture.x_axis(&frame, &x, 7, "s");
    picture.y_axis(&frame, &y, 5, "age of the picture, ms");
    for row in rows {
        let columns = age_columns(row, from, to);
        let place = |c: &AgeColumn| x.at(c.time);
        let band: Vec<(f64, f64, f64)> =
            columns.iter().map(|c| (place(c), y.at(c.low), y.at(c.high))).collect();
        picture.band(class(row.kind), &band);
        picture.line(class(row.kind), columns.iter().map(|c| Some((place(c), y.at(c.sum / c.count)))));
    }
    picture.finish()
}

/// Ages of the frames in one column of the picture, in milliseconds.
struct AgeColumn {
    time: f64,
    low: f64,
    high: f64,
    sum: f64,
    count: f64,
}

fn age_columns(row: &Row, from: f64, to: f64) -> Vec<AgeColumn> {
    const COLUMNS: usize = 120;
    let width = (to - from) / COLUMNS as f64;
    let empty = |i: usize| AgeColumn {
        time: from + (i as f64 + 0.5) * width,
        low: f64::MAX,
        high: f64::MIN,
        sum: 0.0,
        count: 0.0,
    };
    let mut columns: Vec<AgeColumn> = (0..COLUMNS).map(empty).collect();
    for (&time, content) in row.drawn.times.iter().zip(&row.drawn.content) {
        let (Some(content), true) = (content, time >= from) else { continue };
        let column = &mut columns[(((time - from) / width) as usize).min(COLUMNS - 1)];
        let age = (time - content) * 1e3;
        (column.low, column.high) = (column.low.min(age), column.high.max(age));
        (column.sum, column.count) = (column.sum + age, column.count + 1.0);
    }
    columns.retain(|c| c.count > 0.0);
    columns
}

/// The whole run at a glance: one line per case with raw, rival and ours on a common scale of judder.
pub fn glance(cases: &[Case]) -> String {
    const LEAST: f64 = 0.001;
    const MOST: f64 = 10.0;
    // In percent of the scale, which has room for some twenty dots on a phone.
    const TOUCHING: f64 = 2.0;
    let mut out = String::from("<div class=\"glance\" role=\"list\">");
    let share = |judder: f64| Scale::log(LEAST, MOST, 0.0, 100.0).at(judder.max(LEAST));
    let _ = write!(
        out,
        "<div class=\"g-head\" aria-hidden=\"true\"><span>judder</span><span class=\"g-scale\"><i style=\"left:{:.1}%\">≤ 0.001</i>\
         <i style=\"left:{:.1}%\">0.01</i><i class=\"g-seen\" style=\"left:{:.1}%\">0.05</i>\
         <i style=\"left:{:.1}%\">1</i></span></div>",
        share(0.001),
        share(0.01),
        share(SMOOTH),
        share(1.0)
    );
    let mut scenario = None;
    for (index, case) in cases.iter().enumerate() {
        if scenario != Some(case.scenario) {
            scenario = Some(case.scenario);
            let _ = write!(out, "<h3 class=\"g-title\">{}</h3>", escape(case.scenario.title()));
        }
        let rows = lanes(case);
        let places: Vec<f64> = rows.iter().map(|r| share(r.figures.judder)).collect();
        let low = places.iter().copied().fold(100.0, f64::min);
        let high = places.iter().copied().fold(0.0, f64::max);
        let _ = write!(
            out,
            "<a class=\"g-row\" role=\"listitem\" href=\"#case-{index}\" data-case=\"{index}\"><span class=\"g-name\">{}</span>\
             <span class=\"g-track\"><b class=\"g-seen\" style=\"left:{:.1}%\"></b>\
             <b class=\"g-bar\" style=\"left:{low:.1}%;width:{:.1}%\"></b>",
            escape(&case.name),
            share(SMOOTH),
            high - low
        );
        for (k, (row, place)) in rows.iter().zip(&places).enumerate() {
            // Dots that would cover each other stand one above the other.
            let touches = |others: &[f64]| others.iter().any(|other| (other - place).abs() < TOUCHING);
            let aside = match (touches(&places[..k]), touches(&places[k + 1..])) {
                (false, true) => " g-above",
                (true, false) => " g-below",
                (true, true) | (false, false) => "",
            };
            let tip = format!("{}: judder {}", escape(&row.name), short(row.figures.judder));
            let _ = write!(
                out,
                "<i class=\"g-dot {}{aside}\" style=\"left:{place:.1}%\" data-tip=\"{tip}\"></i>",
                class(row.kind)
            );
        }
        out.push_str("</span></a>");
    }
    out.push_str("</div>");
    out
}
