//! System `waypoints`: every event's line, every override, every refusal.

use super::{check, lines, replay};
use portamento_lab::replay::Failure;
use serde_json::{Value, json};

fn play(header: &str, events: &[&str]) -> Vec<Value> {
    let header = format!(r#"{{"replay":1,"system":"waypoints"{header}}}"#);
    let lines = lines(&format!("{header}\n{}\n", events.join("\n")));
    assert_eq!(lines.len(), events.len(), "one line for each event");
    lines
}

/// The last line of a script.
fn last(header: &str, events: &[&str]) -> Value {
    play(header, events).pop().unwrap()
}

const STUCK: &str = r#"{"tick":0.016666666666666666,"moved":[0,0,0]}"#;

#[test]
fn every_event_prints_the_whole_state() {
    let lines = play(
        "",
        &[
            r#"{"enqueue":[10,0,0]}"#,
            r#"{"enqueue_velocity":[1,2,3]}"#,
            r#"{"enqueue_stop":true}"#,
            r#"{"tick":0.1}"#,
            r#"{"tick":"NaN"}"#,
            r#"{"stop":true}"#,
        ],
    );
    let mut keys: Vec<&String> = lines[0].as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(
        keys,
        ["baseline", "depth", "failures", "frames", "offset", "placed", "position", "turn", "velocity"]
    );
    check(
        &lines[0],
        &json!({"offset":null,"turn":null,"position":[0,0,0],"depth":1,"failures":0,"frames":0,
        "baseline":999999,"placed":null,"velocity":null}),
    );
    check(&lines[2], &json!({"depth":3}));
    check(&lines[3], &json!({"offset":[0.8,0,0],"turn":null,"position":[0.8,0,0],"depth":3,"frames":1}));
    check(&lines[4], &json!({"offset":null,"position":[0.8,0,0],"depth":3,"frames":1}));
    check(&lines[5], &json!({"depth":0,"frames":0,"baseline":999999}));
}

#[test]
fn defaults_are_client_max_speed_4_and_blip_100() {
    check(&last("", &[r#"{"enqueue":[100,0,0]}"#]), &json!({"failures":0}));
    check(&last("", &[r#"{"enqueue":[100.001,0,0]}"#]), &json!({"failures":4}));
    check(&last(r#","blip":20"#, &[r#"{"enqueue":[20.001,0,0]}"#]), &json!({"failures":4}));
    check(&last(r#","blip":20"#, &[r#"{"enqueue":[20.001,0,0],"blip":30}"#]), &json!({"failures":0}));
    let fast = &[r#"{"enqueue":[50,0,0]}"#, r#"{"tick":0.1}"#];
    check(&last(r#","max_speed":10"#, fast), &json!({"offset":[2,0,0]}));
    // Exactly 0.05: only the client writes its step.
    let exact = &[r#"{"enqueue":[0.1,0,0]}"#, r#"{"tick":0.001,"moved":[0.05,0,0]}"#, r#"{"tick":0.1}"#];
    check(&last("", exact), &json!({"offset":[0.05,0,0],"depth":0}));
    check(&last(r#","rule":"seed""#, exact), &json!({"offset":null,"depth":0}));
}

#[test]
fn overrides_are_for_their_tick_only() {
    let lines = play(
        "",
        &[
            r#"{"enqueue":[50,0,0]}"#,
            r#"{"tick":0.1,"max_speed":1}"#,
            r#"{"tick":0.1}"#,
            r#"{"tick":0.1,"contact":false}"#,
            r#"{"tick":0.1,"contact":false,"moved":[0,0,-1]}"#,
            r#"{"tick":0.1,"moved":[0,0,1]}"#,
        ],
    );
    check(&lines[1], &json!({"offset":[0.2,0,0]}));
    check(&lines[2], &json!({"offset":[0.8,0,0],"position":[1,0,0],"frames":2}));
    check(&lines[3], &json!({"offset":null,"position":[1,0,0],"frames":2}));
    check(&lines[4], &json!({"offset":null,"position":[1,0,-1]}));
    assert!(lines[5]["offset"].is_array(), "what was written, not what was moved");
    check(&lines[5], &json!({"position":[1,0,0]}));
}

#[test]
fn the_wall() {
    let slide = r#"{"tick":0.016666666666666666,"moved":[0.0002,0,0]}"#;
    let mut events = vec![r#"{"enqueue":[5,0,0]}"#];
    events.extend([slide; 600]);
    for (line, tick) in play("", &events)[1..].iter().zip(1..) {
        assert_eq!(line["placed"].is_null(), tick != 10, "tick {tick}");
    }
    for line in &play(r#","rule":"seed""#, &events)[1..] {
        assert!(line["placed"].is_null() && line["depth"] == 1);
    }
}

#[test]
fn a_refused_placement_is_tried_again() {
    let lines = play(
        "",
        &[
            r#"{"enqueue":[200,0,0]}"#,
            r#"{"enqueue_velocity":[1,2,3]}"#,
            r#"{"tick":0.1,"place":false}"#,
            r#"{"tick":0.1}"#,
        ],
    );
    check(&lines[2], &json!({"placed":null,"velocity":null,"failures":4,"depth":2}));
    check(
        &lines[3],
        &json!({"placed":[200,0,0],"position":[200,0,0],"velocity":[1,2,3],"failures":0,"depth":0}),
    );
}

#[test]
fn a_stop_node_sets_a_velocity_only_when_placed() {
    check(&last("", &[r#"{"enqueue_stop":true}"#, r#"{"tick":0.1}"#]), &json!({"velocity":null,"depth":0}));
    let placed = &[r#"{"enqueue":[200,0,0]}"#, r#"{"enqueue_stop":true}"#, r#"{"tick":0.1}"#];
    check(&last("", placed), &json!({"velocity":[0,0,0],"placed":[200,0,0]}));
}

#[test]
fn sticky_passes_the_window() {
    let stuck_while_sticky = r#"{"tick":0.016666666666666666,"moved":[0,0,0],"sticky":true}"#;
    let mut events = vec![r#"{"enqueue":[5,0,0]}"#];
    events.extend([STUCK; 9]);
    events.push(stuck_while_sticky);
    check(&last("", &events), &json!({"placed":null,"failures":0,"frames":0,"baseline":5}));
    *events.last_mut().unwrap() = STUCK;
    check(&last("", &events), &json!({"placed":[5,0,0]}));
}

#[test]
fn rotations() {
    let s = std::f64::consts::FRAC_1_SQRT_2;
    let seven = r#","start":[0,0,0,0,0,0,1]"#;
    let quarter = r#"{"enqueue":[9,0,0,0,0,0.7071,0.7071]}"#; // within 1e-3 of unit length: normalised
    let lines = play(seven, &[quarter, r#"{"tick":0.1}"#, r#"{"tick":0.1}"#]);
    check(&lines[0], &json!({"position":[0,0,0,0,0,0,1]}));
    check(&lines[1], &json!({"turn":[0,0,s,s],"position":[0.8,0,0,0,0,s,s]}));
    check(&lines[2], &json!({"turn":[0,0,0,1]}));
    let kept = r#"{"enqueue":[9,0,0,0,0,0.7071,0.7071],"keep_heading":true}"#;
    check(&last(seven, &[kept, r#"{"tick":0.1}"#]), &json!({"turn":[0,0,0,1],"position":[0.8,0,0,0,0,0,1]}));
    // Already there: the heading alone. This one is tilted by 90 degrees about x after a quarter turn about z.
    let tilted = r#"{"enqueue":[0,0,0,0.5,0.5,0.5,0.5]}"#;
    check(&last(seven, &[tilted]), &json!({"position":[0,0,0,0,0,s,s]}));
    // The turn is applied whatever the body moved.
    let moved = r#"{"tick":0.1,"moved":[0,1,0]}"#;
    check(&last(seven, &[quarter, moved]), &json!({"position":[0,1,0,0,0,s,s],"offset":[0.8,0,0]}));
    // Without a start, the first pose decides how long poses are.
    check(&last("", &[quarter]), &json!({"position":[0,0,0,0,0,0,1]}));
    check(&last("", &[quarter, r#"{"tick":0.1}"#]), &json!({"turn":[0,0,s,s]}));
}

#[test]
fn a_bad_dt_is_a_pure_read_also_for_use_time() {
    for dt in [r#""NaN""#, r#""inf""#, r#""-inf""#, "0", "-0.1", "-0.0"] {
        let bad = format!(r#"{{"tick":{dt},"moved":[1,1,1]}}"#);
        let line = last("", &[r#"{"enqueue":[200,0,0]}"#, &bad]);
        check(&line, &json!({"placed":null,"offset":null,"failures":4,"depth":1,"position":[0,0,0]}));
        check(&last("", &[r#"{"enqueue_velocity":[1,0,0]}"#, &bad]), &json!({"velocity":null,"depth":1}));
    }
}

#[test]
fn bad_lines_end_the_run_with_their_number() {
    let headers = [
        r#","rule":"even""#,
        r#","max_speed":-1"#,
        r#","max_speed":"fast""#,
        r#","blip":-1"#,
        r#","blip":null"#,
        r#","start":[0,0]"#,
        r#","start":[0,0,0,0,0,0,0.9]"#,
        r#","start":[0,0,0,0,0,0,0]"#,
        r#","unknown":1"#,
    ];
    for header in headers {
        let (lines, result) = replay(format!(r#"{{"replay":1,"system":"waypoints"{header}}}"#));
        assert!(lines.is_empty());
        assert!(matches!(result, Err(Failure::Line { number: 1, .. })), "{header}");
    }
    let events = [
        r#"{"enqueue":[1,0]}"#,
        r#"{"enqueue":[1,0,0,0,0,0,1]}"#,
        r#"{"enqueue":[1,0,"NaN"]}"#,
        r#"{"enqueue":[1,0,0],"keep_heading":1}"#,
        r#"{"enqueue":[1,0,0],"blip":"inf"}"#,
        r#"{"enqueue":[1,0,0],"blip":-1}"#,
        r#"{"enqueue":[1,0,0],"contact":true}"#,
        r#"{"enqueue_velocity":[1,0]}"#,
        r#"{"enqueue_velocity":true}"#,
        r#"{"enqueue_stop":false}"#,
        r#"{"enqueue_stop":1}"#,
        r#"{"stop":false}"#,
        r#"{"stop":true,"now":1}"#,
        r#"{"tick":"soon"}"#,
        r#"{"tick":null}"#,
        r#"{"tick":0.1,"moved":[1,0]}"#,
        r#"{"tick":0.1,"max_speed":-1}"#,
        r#"{"tick":0.1,"max_speed":"NaN"}"#,
        r#"{"tick":0.1,"sticky":"yes"}"#,
        r#"{"tick":0.1,"stop":true}"#,
        r#"{"tick":"NaN","unknown":true}"#,
        r#"{"jump":[1,0,0]}"#,
        r#"{}"#,
        r#"[]"#,
        r#"{"tick":0.1"#,
    ];
    for event in events {
        let start = r#"{"replay":1,"system":"waypoints","start":[0,0,0]}"#;
        let (lines, result) = replay(format!("{start}\n\n{{\"tick\":0.1}}\n{event}\n{{\"tick\":0.1}}\n"));
        assert_eq!(
            lines.lines().count(),
            1,
            "{event}: the line before it is printed, the one after it is not"
        );
        assert!(matches!(result, Err(Failure::Line { number: 4, .. })), "{event}: {result:?}");
    }
}
