//! System `steps` with `watch`: a display that is not the one named.

use super::lines;
use std::fmt::Write;

/// How far the picture leads real time after each frame, with the time of the frame. Velocity 1, so places are times.
fn leads(header: &str, frames: &[f64]) -> Vec<(f64, f64)> {
    let mut script = format!(r#"{{"replay":1,"system":"steps","velocity":[1,0,0],{header}}}"#);
    for dt in frames {
        write!(script, "\n{{\"frame\":{dt}}}").unwrap();
    }
    let mut real = 0.0;
    let tick = 1.0 / 60.0;
    let lead = |(line, dt): (serde_json::Value, &f64)| {
        real += dt;
        (real, line["view"][0].as_f64().unwrap() + tick - real)
    };
    lines(&script).into_iter().zip(frames).map(lead).skip(10).collect()
}

#[test]
fn watched_snapping_keeps_real_time_on_any_display() {
    for (named, display) in [(60.0, 75.0), (60.0, 61.0), (144.0, 125.0), (144.0, 165.0), (60.0, 50.5)] {
        let frames = vec![1.0 / display; (150.0 * display) as usize];
        let header = format!(r#""snap":true,"display_hz":{named}"#);
        let blind = leads(&header, &frames);
        assert!(blind.last().unwrap().1.abs() > 1.5, "unwatched, the plain bounds hold for ever");

        let watched = leads(&format!(r#"{header},"watch":true"#), &frames);
        let most = watched.iter().map(|(_, lead)| lead.abs()).fold(0.0, f64::max);
        assert!(most <= 0.25, "{named} on {display}: {most}");
        // Noticed within ten seconds; from then on at most 0.2 % in any minute.
        let after: Vec<_> = watched.iter().filter(|(time, _)| *time > 10.0).collect();
        for (from, to) in after.iter().zip(&after[(60.0 * display) as usize..]) {
            assert!((to.1 - from.1).abs() <= 0.002 * 60.0, "{named} on {display}: {from:?} {to:?}");
        }
    }
}

#[test]
fn watched_snapping_snaps_as_before_on_the_display_that_is_named() {
    let frames: Vec<f64> = (0..3000u32).map(|i| (1.0 + 0.05 * f64::from(i * 7 % 11) / 11.0) / 61.4).collect();
    let header = r#""snap":true,"display_hz":60"#;
    assert_eq!(leads(header, &frames), leads(&format!(r#"{header},"watch":true"#), &frames));
    assert_ne!(leads(header, &frames), leads(r#""snap":false,"watch":true"#, &frames));
}
