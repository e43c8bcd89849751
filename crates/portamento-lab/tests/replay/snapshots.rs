//! System `snapshots`: what each event prints.

use serde_json::{Value, json};

fn replay(header: Value, events: &[Value]) -> Vec<Value> {
    super::lines(&std::iter::once(&header).chain(events).map(|line| format!("{line}\n")).collect::<String>())
}

fn failure(header: Value, event: Value) -> String {
    super::replay(format!("{header}\n{event}\n")).1.unwrap_err().to_string()
}

fn header() -> Value {
    json!({"replay": 1, "system": "snapshots", "interval": 0.05})
}

#[test]
fn it_waits_holds_blends_and_goes_on_for_a_little() {
    let mut events = vec![json!({"frame": 0.0})];
    for k in 0..40 {
        let sent = 100.0 + f64::from(k) * 0.05;
        events.push(json!({"receive": sent, "at": sent - 99.97, "pose": [f64::from(k), 0, 0]}));
        events.push(json!({"frame": sent - 99.96}));
        events.push(json!({"frame": sent - 99.94}));
    }
    let end = events.len();
    events.extend([
        json!({"frame": 2.05}),
        json!({"frame": "NaN"}),
        json!({"frame": 9.0}),
        json!({"frame": 12.0}),
    ]);
    let out = replay(header(), &events);
    assert_eq!(out[0], json!({"view": null, "shown": null, "delay": null, "state": "waiting"}));
    assert_eq!(out[1], json!({"accepted": true}));
    assert_eq!((&out[2]["view"], &out[2]["state"]), (&json!([0.0, 0.0, 0.0]), &json!("holding")));
    let late = &out[end - 2];
    assert_eq!(late["state"], "blending");
    let (x, shown) = (late["view"][0].as_f64().unwrap(), late["shown"].as_f64().unwrap());
    assert!((x - (shown - 100.0) / 0.05).abs() < 0.05, "{late}");
    assert!((late["delay"].as_f64().unwrap() - 0.06).abs() < 0.02, "{late}");
    assert_eq!(out[end]["state"], "extrapolating");
    assert_eq!(out[end + 1], out[end], "a frame at no time repeats the last");
    // It slowed down within 0.155 s of its way, and stands.
    let x = out[end + 3]["view"][0].as_f64().unwrap();
    assert!((42.0..42.11).contains(&x), "{x}");
    assert_eq!(out[end + 3]["view"], out[end + 2]["view"]);
}

#[test]
fn one_snapshot_is_held_until_there_is_a_motion_to_go_on_with() {
    let receive = |sent: f64, x: f64, epoch: u32| json!({"receive": sent, "at": sent, "pose": [x, 0, 0], "epoch": epoch});
    let frames = |from: f64| (0..20).map(move |k| json!({"frame": from + f64::from(k) * 0.01}));
    let mut events = vec![receive(0.0, 5.0, 0)];
    events.extend(frames(0.0));
    for frame in &replay(header(), &events)[1..] {
        assert_eq!(
            (&frame["view"], &frame["state"]),
            (&json!([5.0, 0.0, 0.0]), &json!("holding")),
            "{frame}"
        );
    }
    // The same after a teleport: how it moved before says nothing of how it moves now.
    let mut events: Vec<Value> = (0..20).map(|k| receive(f64::from(k) * 0.05, f64::from(k), 0)).collect();
    events.push(receive(1.0, 500.0, 1));
    events.extend(frames(1.2));
    for frame in replay(header(), &events)[21..].iter().filter(|frame| frame["shown"].as_f64() > Some(1.0)) {
        assert_eq!(
            (&frame["view"], &frame["state"]),
            (&json!([500.0, 0.0, 0.0]), &json!("holding")),
            "{frame}"
        );
    }
    // A velocity that came along is enough, once the snapshot is as old as the delay.
    let with = json!({"receive": 0, "at": 0, "pose": [5, 0, 0], "velocity": [1, 0, 0]});
    let frame = |at: f64| json!({"frame": at});
    let out = replay(header(), &[with, frame(0.0), frame(0.04), frame(0.06), frame(0.08)]);
    assert_eq!(out[2]["state"], "holding", "{}", out[2]);
    assert_eq!(out[4]["state"], "extrapolating", "{}", out[4]);
    assert!(out[4]["view"][0].as_f64() > Some(5.0), "{}", out[4]);
}

#[test]
fn duplicates_old_ones_and_unusable_times_are_not_accepted() {
    let receive = |sent: Value, at: Value| json!({"receive": sent, "at": at, "pose": [0, 0, 0, 0, 0, 0, 1]});
    let mut events: Vec<Value> =
        (0..40).map(|k| receive(json!(f64::from(k) * 0.05), json!(f64::from(k) * 0.05 + 0.03))).collect();
    events.push(json!({"frame": 2.0}));
    let tried = events.len();
    events.push(receive(json!(39.0 * 0.05), json!(2.0)));
    events.push(receive(json!(0.01), json!(2.0)));
    events.push(receive(json!("NaN"), json!(2.0)));
    events.push(receive(json!(2.0), json!("inf")));
    events.push(receive(json!(2.0), json!(2.03)));
    let out = replay(header(), &events);
    let accepted: Vec<bool> = out[tried..].iter().map(|o| o["accepted"].as_bool().unwrap()).collect();
    assert_eq!(accepted, [false, false, false, false, true]);
    assert_eq!(out[40]["view"].as_array().unwrap().len(), 7);
}

/// The sender's clock is known, the entity is not.
#[test]
fn a_pose_that_was_refused_is_not_shown() {
    let waiting = json!({"view": null, "shown": null, "delay": null, "state": "waiting"});
    let out = replay(
        header(),
        &[
            json!({"receive": "NaN", "at": 0, "pose": [1, 2, 3]}),
            json!({"receive": 0, "at": 0}),
            json!({"frame": 0}),
            json!({"receive": 0.05, "at": 0.05, "pose": [4, 5, 6]}),
            json!({"frame": 0.05}),
        ],
    );
    assert_eq!((&out[2], &out[4]["view"]), (&waiting, &json!([4.0, 5.0, 6.0])));
}

#[test]
fn another_epoch_is_a_teleport_whatever_the_numbers() {
    let pairs = [
        (json!(0), json!(1)),
        (json!(7), json!(-7)),
        (json!(0), json!(1u64 << 32)),
        (json!(u64::MAX), json!(u64::MAX - 1)),
        (json!(1e20), json!(0)),
    ];
    for (before, after) in pairs {
        let mut events = Vec::new();
        for k in 0..60 {
            let (sent, jumped) = (f64::from(k) * 0.05, k >= 30);
            let (x, epoch) = if jumped { (1000.0, &after) } else { (0.0, &before) };
            events.push(json!({"receive": sent, "at": sent + 0.03, "pose": [x, 0, 0], "velocity": [0, 0, 0], "epoch": epoch}));
            events.extend((0..3).map(|part| json!({"frame": sent + 0.03 + f64::from(part) / 60.0})));
        }
        for line in replay(header(), &events).iter().filter(|line| line.get("view").is_some()) {
            let x = line["view"][0].as_f64().unwrap();
            assert!(x == 0.0 || x == 1000.0, "from epoch {before} to {after}: {line}");
        }
    }
}

#[test]
fn bad_lines_say_what_is_wrong() {
    let bare = json!({"replay": 1, "system": "snapshots"});
    assert!(failure(bare, json!({"frame": 0})).contains("line 1: the header gives no \"interval\""));
    let preset = json!({"replay": 1, "system": "snapshots", "interval": 0.05, "preset": "chess"});
    assert!(failure(preset, json!({"frame": 0})).contains("chess"));
    for (event, what) in [
        (json!({"receive": 0, "pose": [0, 0, 0]}), "needs \"at\""),
        (json!({"receive": 0, "at": 0, "pose": [0, 0, 0], "epoch": 1.5}), "epoch is 1.5"),
        (json!({"receive": 0, "at": 0, "pose": [0, 0, 0], "velocity": [1]}), "velocity is [1]"),
        (
            json!({"receive": 0, "at": 0, "pose": [0, 0, 0], "velocity": [0, 1e155, 0]}),
            "velocity is [0,1e+155,0]: nothing is faster than 1e18",
        ),
        (json!({"receive": 0, "at": 0, "pose": [0, 0]}), "pose has 2 numbers"),
        (json!({"receive": 0, "at": 0, "pose": [0, 0, 0], "speed": 1}), "unknown key \"speed\""),
        (json!({"receive": 0, "at": 0, "epoch": 1}), "unknown key \"epoch\" in a message without a pose"),
        (
            json!({"receive": 0, "at": 0, "velocity": [1, 0, 0]}),
            "unknown key \"velocity\" in a message without",
        ),
    ] {
        let error = failure(header(), event);
        assert!(error.starts_with("line 2: ") && error.contains(what), "{error}");
    }
}

#[test]
fn a_message_without_the_entity_feeds_the_clock_alone() {
    let mut events = Vec::new();
    for k in 0..80 {
        let sent = 100.0 + f64::from(k) * 0.05;
        let at = sent - 99.97;
        events.push(match k % 2 {
            0 => json!({"receive": sent, "at": at, "pose": [f64::from(k), 0, 0]}),
            _ => json!({"receive": sent, "at": at}),
        });
        events.push(json!({"frame": at}));
        events.push(json!({"frame": at + 0.025}));
    }
    events.push(json!({"receive": "NaN", "at": 9}));
    let out = replay(header(), &events);
    assert_eq!((&out[3], out.last().unwrap()), (&json!({"accepted": true}), &json!({"accepted": false})));
    let frames: Vec<_> = out.iter().filter(|o| o["shown"].is_number()).collect();
    let number = |o: &serde_json::Value| (o["view"][0].as_f64().unwrap(), o["shown"].as_f64().unwrap());
    for pair in frames[frames.len() / 2..].windows(2) {
        let [(x, shown), (next, later)] = [number(pair[0]), number(pair[1])];
        assert!((0.4..0.6).contains(&(next - x)), "evenly: {x} {next}");
        assert!(shown <= later && (x - (shown - 100.0) / 0.05).abs() < 0.1, "{x} at {shown}");
    }
}
