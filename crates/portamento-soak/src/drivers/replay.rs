//! Scripts for `portamento replay`, from nearly right to line noise.

use crate::Source;
use portamento_lab::replay::{Failure, run};
use std::fmt::Write;

/// Makes calls until the source is empty; returns how many.
pub fn drive(source: &mut Source) -> u64 {
    if let Some(bytes) = source.rest() {
        let (kind, text) = bytes.split_first().map_or((0, bytes), |(kind, text)| (*kind, text));
        if kind & 1 == 1 {
            replay(text);
            *source = Source::bytes(&[]);
            return 1;
        }
        let _ = source.byte();
    }
    let mut calls = 0;
    while !source.is_empty() {
        let script = script(source);
        calls += replay(script.as_bytes());
    }
    calls
}

/// Replays a script, and checks that it ends in lines or in the number of the bad one. Returns how many lines it had.
pub fn replay(script: &[u8]) -> u64 {
    let mut output = Vec::new();
    let result = run(script, &mut output);
    let output = String::from_utf8(output).expect("text");
    let lines = script.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
    match result {
        Ok(()) => assert_eq!(output.lines().count() + 1, lines, "one line for each event"),
        Err(Failure::Line { number, what }) => {
            assert!(number >= 1 && !what.is_empty());
            assert!(output.lines().count() < lines.max(1), "fewer lines than events");
            assert!(!what.chars().any(|c| c.is_control() && c != '\n'), "escapes in {what:?}");
        }
        Err(other) => panic!("{other}"),
    }
    let mut overflowed = false;
    for line in output.lines() {
        assert!(line.starts_with('{') && line.ends_with('}'), "{line}");
        // These two have something to say at every event.
        let own_loop = line.contains("\"alpha\"") && line.contains("\"position\"");
        // But where the script itself moves its body beyond all numbers: that is the truth, and drawn as such.
        let position = line.split_once("\"position\":[").and_then(|(_, rest)| rest.split(']').next());
        overflowed |= position.is_some_and(|position| position.contains("null"));
        assert!(overflowed || !(own_loop && line.contains("null")), "a number that is missing: {line}");
    }
    lines as u64
}

fn number(source: &mut Source) -> String {
    let number = if source.one_in(6) { source.number() } else { source.unit() * 200.0 - 100.0 };
    text(number)
}

fn text(number: f64) -> String {
    if number.is_nan() {
        "\"NaN\"".into()
    } else if number == f64::INFINITY {
        "\"inf\"".into()
    } else if number == f64::NEG_INFINITY {
        "\"-inf\"".into()
    } else {
        format!("{number:?}")
    }
}

fn time(source: &mut Source, now: f64) -> String {
    text(source.mostly(now))
}

fn pose(source: &mut Source) -> String {
    let turn = source.of(&["", "", "", "", ",0,0,0,1", ",0.6,0,0,-0.8", ",1,1,1,1"]);
    format!("[{},{},{}{turn}]", number(source), number(source), number(source))
}

fn vector(source: &mut Source) -> String {
    format!("[{},{},{}]", number(source), number(source), number(source))
}

fn script(source: &mut Source) -> String {
    let system = source.of(&["steps", "gate", "waypoints", "timed", "snapshots"]);
    let mut script = format!("{{\"replay\":1,\"system\":\"{system}\"");
    let _ = match system {
        "steps" => write!(
            script,
            ",\"hz\":{},\"max_frame\":{},\"snap\":{},\"velocity\":{}",
            text(source.mostly(60.0)),
            text(source.mostly(0.25)),
            source.flag(),
            vector(source)
        ),
        "gate" => write!(
            script,
            ",\"rule\":\"{}\",\"min\":{},\"max\":{},\"huge\":{},\"velocity\":{}",
            source.of(&["even", "client", "seed"]),
            text(source.mostly(1.0 / 30.0)),
            text(source.mostly(0.2)),
            text(source.mostly(2.0)),
            vector(source)
        ),
        "waypoints" => write!(
            script,
            ",\"rule\":\"{}\",\"start\":{},\"max_speed\":{}",
            source.of(&["client", "seed"]),
            pose(source),
            text(source.mostly(4.0))
        ),
        "timed" => {
            write!(
                script,
                ",\"rule\":\"{}\",\"interval\":{}",
                source.of(&["locked", "seed"]),
                text(source.mostly(0.05))
            )
        }
        _ => write!(script, ",\"interval\":{}", text(source.mostly(0.05))),
    };
    script += "}\n";
    let mut now = 0.0;
    for _ in 0..source.below(40) {
        now += source.unit() / 30.0;
        let frame = if matches!(system, "timed" | "snapshots") { now } else { source.unit() / 30.0 };
        script += &event(source, system, frame);
        script.push('\n');
        if source.one_in(30) {
            damage(source, &mut script);
        }
    }
    script
}

fn event(source: &mut Source, system: &str, now: f64) -> String {
    match system {
        "steps" | "gate" => match source.below(6) {
            0 => {
                format!("{{\"{}\":{}}}", source.of(&["velocity", "cut", "correct", "rebase"]), vector(source))
            }
            _ => format!("{{\"frame\":{}}}", time(source, now)),
        },
        "waypoints" => match source.below(8) {
            0..=2 => format!("{{\"enqueue\":{},\"keep_heading\":{}}}", pose(source), source.flag()),
            3 => format!("{{\"enqueue_velocity\":{}}}", vector(source)),
            4 => source.of(&["{\"enqueue_stop\":true}", "{\"stop\":true}"]).into(),
            _ => format!(
                "{{\"tick\":{},\"contact\":{},\"place\":{}}}",
                time(source, now),
                source.flag(),
                source.flag()
            ),
        },
        "timed" => match source.below(3) {
            0 => format!(
                "{{\"{}\":{},\"pose\":{}}}",
                source.of(&["tick", "cut"]),
                time(source, now),
                pose(source)
            ),
            1 => format!(
                "{{\"tick\":{},\"sim\":{},\"scale\":{},\"pose\":{}}}",
                time(source, now),
                time(source, now),
                text(source.mostly(1.0)),
                pose(source)
            ),
            _ => format!("{{\"frame\":{}}}", time(source, now)),
        },
        _ => match source.below(4) {
            0 => format!("{{\"receive\":{},\"at\":{}}}", time(source, now), time(source, now)),
            1 | 2 => format!(
                "{{\"receive\":{},\"at\":{},\"pose\":{},\"velocity\":{},\"epoch\":{}}}",
                time(source, now),
                time(source, now),
                pose(source),
                vector(source),
                source.below(3)
            ),
            _ => format!("{{\"frame\":{}}}", time(source, now)),
        },
    }
}

/// Puts something odd into the script's last line.
fn damage(source: &mut Source, script: &mut String) {
    let last = script.trim_end().rfind('\n').map_or(0, |at| at + 1);
    let mut at = last + source.below((script.len() - last).max(1));
    while !script.is_char_boundary(at) {
        at -= 1;
    }
    let odd =
        source.of(&["null", "[", "}", "\"x\":", "1e400", "\u{1b}[2J", "-", ",", "\"\\ud800\"", "\u{202e}"]);
    script.insert_str(at, odd);
}
