//! Replay scripts of system `timed`: the original rule number by number, the locked one by its properties.

use super::{check, lines, replay};
use proptest::prelude::*;
use serde_json::{Value, json};

fn frames(script: &str) -> Vec<Value> {
    lines(script)
        .into_iter()
        .filter(|line| line.as_object().is_some_and(|object| !object.is_empty()))
        .collect()
}

#[test]
fn seed_draws_from_the_arrival_of_the_newest_tick_on() {
    let got = lines(
        r#"{"replay":1,"system":"timed","rule":"seed","interval":0.1}
{"frame":0.5}
{"tick":1,"pose":[0,0,0]}
{"frame":1.05}
{"tick":1.1,"pose":[1,0,0]}
{"frame":1.12}
{"frame":"NaN"}
{"frame":1.0}
{"frame":1.5}
{"cut":1.5,"pose":[10,0,0]}
{"frame":1.52}
{"tick":1.6,"sim":0.7,"pose":[11,0,0]}
{"frame":1.65}
{"tick":"inf","pose":[99,0,0]}
{"tick":1.7,"pose":[12,0,0]}
{"frame":1.8}
"#,
    );
    let want = [
        json!({"alpha":null,"shown":null,"view":null}),
        json!({}),
        json!({"alpha":0.5,"shown":0.0,"view":[0,0,0]}),
        json!({}),
        json!({"alpha":0.2,"shown":0.02,"view":[0.2,0,0]}),
        json!({"alpha":0.2,"shown":0.02,"view":[0.2,0,0]}),
        json!({"alpha":0.2,"shown":0.02,"view":[0.2,0,0]}),
        json!({"alpha":1.0,"shown":0.1,"view":[1,0,0]}),
        json!({}),
        json!({"alpha":0.2,"shown":0.2,"view":[10,0,0]}),
        json!({}),
        json!({"alpha":0.5,"shown":0.45,"view":[10.5,0,0]}),
        json!({}),
        json!({}),
        // The fifth that counts stands for 4 x 0.1, whatever came before it: the original rule trusts the writer.
        json!({"alpha":1.0,"shown":0.4,"view":[12,0,0]}),
    ];
    assert_eq!(got.len(), want.len());
    for (got, want) in got.iter().zip(&want) {
        check(got, want);
    }
}

#[test]
fn seed_turns_as_well_as_it_moves() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let script = format!(
        r#"{{"replay":1,"system":"timed","rule":"seed","interval":0.1}}
{{"tick":0,"pose":[0,0,0,0,0,0,1]}}
{{"tick":0.1,"pose":[2,0,0,0,0,{half},{half}]}}
{{"frame":0.15}}
"#
    );
    let (sin, cos) = (std::f64::consts::PI / 8.0).sin_cos();
    let got = &frames(&script)[0];
    let view: Vec<f64> = got["view"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    for (got, want) in view.iter().zip([1.0, 0.0, 0.0, 0.0, 0.0, sin, cos]) {
        assert!((got - want).abs() < 1e-4, "{view:?}");
    }
}

/// Ticks every 1/60 s and frames every 1/144 s, in order of time; `tick` says how late a tick is, `None` for lost.
fn steady(seconds: f64, late: impl Fn(u32) -> Option<f64>) -> String {
    let mut events = Vec::new();
    for n in 0..(seconds * 60.0) as u32 {
        if let Some(late) = late(n) {
            let sim = f64::from(n) / 60.0;
            events.push((sim + late, format!(r#"{{"tick":{},"sim":{sim},"pose":[{sim},0,0]}}"#, sim + late)));
        }
    }
    for k in 0..(seconds * 144.0) as u32 {
        let now = f64::from(k) / 144.0 + 1e-4;
        events.push((now, format!(r#"{{"frame":{now}}}"#)));
    }
    events.sort_by(|a, b| a.0.total_cmp(&b.0));
    let lines: Vec<String> = events.into_iter().map(|event| event.1).collect();
    format!("{{\"replay\":1,\"system\":\"timed\",\"interval\":{}}}\n{}\n", 1.0 / 60.0, lines.join("\n"))
}

#[test]
fn locked_is_the_default_and_draws_a_punctual_writer_evenly() {
    let frames = frames(&steady(10.0, |_| Some(0.0)));
    let shown: Vec<f64> = frames.iter().filter_map(|frame| frame["shown"].as_f64()).collect();
    let late = &shown[shown.len() - 300..];
    let steps: Vec<f64> = late.windows(2).map(|pair| (pair[1] - pair[0]) * 144.0).collect();
    assert!(steps.iter().all(|step| (step - 1.0).abs() < 0.002), "{steps:?}");
    // One tick and the least margin behind, and nothing more once nothing was late for a while.
    let age = (frames.len() - 1) as f64 / 144.0 + 1e-4 - shown.last().unwrap();
    assert!((0.0190..0.0205).contains(&age), "{age}");
}

#[test]
fn locked_holds_the_newest_tick_exactly_when_no_more_come() {
    let frames = frames(&steady(4.0, |n| (n < 120).then_some(0.001)));
    let last = frames.last().unwrap();
    let newest = 119.0 / 60.0;
    assert_eq!(*last, json!({"alpha":1.0,"shown":newest,"view":[newest,0.0,0.0]}));
}

#[test]
fn locked_draws_a_cut_from_its_own_moment_on_and_the_pose_before_until_then() {
    let script = steady(4.0, |n| Some(f64::from(n * 7 % 5) * 1e-3));
    let cut = 2.0;
    let mut lines = Vec::new();
    for line in script.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        match event["sim"].as_f64() {
            Some(sim) if sim == cut => {
                lines.push(line.replace("tick", "cut").replace("[2,0,0]", "[1000,0,0]"));
            }
            Some(sim) if sim > cut => {
                lines.push(line.replace(&format!("[{sim},"), &format!("[{},", sim + 998.0)))
            }
            _ => lines.push(line.to_string()),
        }
    }
    let before = 119.0 / 60.0;
    let mut seen = [0; 3];
    for frame in frames(&lines.join("\n")) {
        let (Some(shown), Some(x)) = (frame["shown"].as_f64(), frame["view"][0].as_f64()) else { continue };
        let want = if shown >= cut {
            seen[2] += 1;
            shown + 998.0
        } else if shown >= before {
            seen[1] += 1;
            before
        } else {
            seen[0] += 1;
            shown
        };
        assert!((x - want).abs() < 1e-6, "{frame}");
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

/// Slow motion as the publisher reports it: a simulation that makes fewer ticks, or shorter ones.
#[test]
fn a_change_of_scale_is_followed_at_once() {
    for shorter in [false, true] {
        let mut script = String::from(r#"{"replay":1,"system":"timed","interval":0.016666666666666666}"#);
        let scale_at = |t: f64| if (2.0..4.0).contains(&t) { 0.2 } else { 1.0 };
        let (mut next, mut sim, mut times) = (0.0, 0.0, Vec::new());
        for frame in 0..864 {
            let now = f64::from(frame) / 144.0;
            while next <= now {
                let scale = scale_at(next);
                script +=
                    &format!("\n{{\"tick\":{next},\"sim\":{sim},\"pose\":[{sim},0,0],\"scale\":{scale}}}");
                sim += if shorter { scale / 60.0 } else { 1.0 / 60.0 };
                next += if shorter { 1.0 / 60.0 } else { 1.0 / 60.0 / scale };
            }
            script += &format!("\n{{\"frame\":{now}}}");
            times.push(now);
        }
        let shown: Vec<_> = frames(&script).iter().map(|frame| frame["shown"].as_f64().unwrap()).collect();
        for (pair, now) in shown.windows(2).zip(&times[1..]).filter(|(_, now)| **now > 0.5) {
            let speed = (pair[1] - pair[0]) * 144.0;
            let (is, was) = (scale_at(*now), scale_at(*now - 0.25));
            let (least, most) = (is.min(was), is.max(was));
            assert!(speed > 0.9 * least && speed < 1.1 * most, "{speed} at {now}, true is {is} ({shorter})");
        }
    }
}

#[test]
fn without_a_scale_it_is_one_and_seed_ignores_it() {
    let ticks = |scale: &str, rule: &str| {
        let mut script = format!(r#"{{"replay":1,"system":"timed","rule":"{rule}","interval":0.1}}"#);
        for tick in 0..20 {
            script += &format!("\n{{\"tick\":{},\"pose\":[{tick},0,0]{scale}}}", f64::from(tick) * 0.1);
            script += &format!("\n{{\"frame\":{}}}", f64::from(tick) * 0.1 + 0.05);
        }
        lines(&script)
    };
    assert_eq!(ticks("", "locked"), ticks(",\"scale\":1", "locked"));
    assert_eq!(ticks("", "seed"), ticks(",\"scale\":0.5", "seed"));
    assert_ne!(ticks("", "locked"), ticks(",\"scale\":0.5", "locked"));
}

#[test]
fn a_bad_line_ends_the_run_with_its_number() {
    let header = r#"{"replay":1,"system":"timed","interval":0.1}"#;
    for (script, number, says) in [
        (r#"{"replay":1,"system":"timed"}"#.to_string(), 1, "interval"),
        (r#"{"replay":1,"system":"timed","interval":0}"#.to_string(), 1, "interval"),
        (r#"{"replay":1,"system":"timed","interval":0.1,"rule":"client"}"#.to_string(), 1, "client"),
        (r#"{"replay":1,"system":"timed","interval":0.1,"speed":1}"#.to_string(), 1, "speed"),
        (format!("{header}\n{{\"tick\":0}}"), 2, "pose"),
        (format!("{header}\n{{\"tick\":0,\"pose\":[0,0]}}"), 2, "2 numbers"),
        (format!("{header}\n{{\"tick\":0,\"pose\":[0,0,0,0,0,0,2]}}"), 2, "quaternion"),
        (format!("{header}\n{{\"tick\":0,\"pose\":[0,0,0],\"cut\":1}}"), 2, "cut"),
        (format!("{header}\n{{\"frame\":\"soon\"}}"), 2, "soon"),
        (format!("{header}\n{{\"tick\":0,\"pose\":[0,0,0],\"scale\":0}}"), 2, "scale"),
        (format!("{header}\n{{\"tick\":0,\"pose\":[0,0,0],\"scale\":\"NaN\"}}"), 2, "scale"),
        (format!("{header}\n{{\"frame\":0,\"pose\":[0,0,0]}}"), 2, "pose"),
        (
            format!("{header}\n{{\"tick\":0,\"pose\":[0,0,0]}}\n{{\"tick\":1,\"pose\":[0,0,0,0,0,0,1]}}"),
            3,
            "7",
        ),
        // A tick at no time is ignored, but not what its pose says of the script.
        (
            format!(
                "{header}\n{{\"tick\":\"NaN\",\"pose\":[0,0,0]}}\n{{\"tick\":1,\"pose\":[0,0,0,0,0,0,1]}}"
            ),
            3,
            "7",
        ),
        (format!("{header}\n{{\"jump\":1}}"), 2, "jump"),
    ] {
        let (lines, result) = replay(&script);
        let what = result.unwrap_err().to_string();
        assert!(what.starts_with(&format!("line {number}: ")) && what.contains(says), "{script}: {what}");
        assert_eq!(
            lines.lines().count(),
            usize::saturating_sub(number, 2),
            "the lines before it are printed"
        );
    }
}

/// The original rule once more, as simply as it can be said.
#[derive(Default)]
struct Simple {
    seen: Option<f64>,
    ticks: Vec<(f64, f64, f64)>,
    cut: bool,
    count: u32,
}

impl Simple {
    fn time(&mut self, t: f64) -> f64 {
        let t = self.seen.map_or(t, |seen| seen.max(t));
        self.seen = Some(t);
        t
    }

    fn tick(&mut self, t: f64, sim: Option<f64>, x: f64, cut: bool) {
        let t = self.time(t);
        let sim = sim.unwrap_or(f64::from(self.count) * 0.1);
        self.count += 1;
        self.cut = cut;
        self.ticks.push((t, sim, x));
    }

    fn frame(&mut self, t: f64) -> Option<(f64, f64, f64)> {
        let t = self.time(t);
        let &(arrived, sim, x) = self.ticks.last()?;
        let alpha = ((t - arrived) / 0.1).clamp(0.0, 1.0);
        let before = if self.cut || self.ticks.len() < 2 {
            (arrived, sim, x)
        } else {
            self.ticks[self.ticks.len() - 2]
        };
        Some((alpha, before.1 + (sim - before.1) * alpha, before.2 + (x - before.2) * alpha))
    }
}

#[derive(Clone, Debug)]
enum Event {
    Tick { after: f64, sim: Option<f64>, x: f64, cut: bool },
    Frame { after: f64 },
    Nonsense,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let after = || prop_oneof![6 => 0.0..0.15f64, 1 => Just(0.0), 1 => -0.5..5.0f64];
    let event = prop_oneof![
        4 => (after(), proptest::option::of(0.0..3.0f64), -10.0..10.0f64, prop::bool::weighted(0.1))
            .prop_map(|(after, sim, x, cut)| Event::Tick { after, sim, x, cut }),
        6 => after().prop_map(|after| Event::Frame { after }),
        1 => Just(Event::Nonsense),
    ];
    proptest::collection::vec(event, 0..80)
}

fn script(rule: &str, events: &[Event]) -> String {
    let mut now = 0.0;
    let mut lines = vec![format!(r#"{{"replay":1,"system":"timed","rule":"{rule}","interval":0.1}}"#)];
    for event in events {
        lines.push(match event {
            Event::Tick { after, sim, x, cut } => {
                now += after;
                let kind = if *cut { "cut" } else { "tick" };
                let sim = sim.map_or(String::new(), |sim| format!(r#","sim":{sim}"#));
                format!(r#"{{"{kind}":{now}{sim},"pose":[{x},0,0]}}"#)
            }
            Event::Frame { after } => {
                now += after;
                format!(r#"{{"frame":{now}}}"#)
            }
            Event::Nonsense => r#"{"frame":"-inf"}"#.into(),
        });
    }
    lines.join("\n")
}

proptest! {
    #[test]
    fn seed_agrees_with_a_second_simple_implementation(events in events()) {
        let lines = lines(&script("seed", &events));
        let (mut simple, mut now, mut last) = (Simple::default(), 0.0, None);
        for (event, line) in events.iter().zip(&lines) {
            match event {
                Event::Tick { after, sim, x, cut } => {
                    now += after;
                    simple.tick(now, *sim, *x, *cut);
                    prop_assert_eq!(line, &json!({}));
                    continue;
                }
                Event::Frame { after } => {
                    now += after;
                    last = simple.frame(now);
                }
                Event::Nonsense => {}
            }
            match last {
                None => prop_assert_eq!(line, &json!({"alpha":null,"shown":null,"view":null})),
                Some((alpha, shown, x)) => check(line, &json!({"alpha":alpha,"shown":shown,"view":[x,0,0]})),
            }
        }
    }

    #[test]
    fn locked_never_goes_back_nor_past_the_newest(events in events()) {
        let lines = lines(&script("locked", &events));
        let (mut newest, mut last, mut count) = (f64::NEG_INFINITY, f64::NEG_INFINITY, 0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (event, line) in events.iter().zip(&lines) {
            match event {
                Event::Tick { sim, x, .. } => {
                    newest = newest.max(sim.unwrap_or(f64::from(count) * 0.1));
                    count += 1;
                    (low, high) = (low.min(*x), high.max(*x));
                }
                _ => {
                    let Some(shown) = line["shown"].as_f64() else { continue };
                    prop_assert!(shown >= last && shown <= newest, "{} after {}, newest {}", shown, last, newest);
                    last = shown;
                    let (alpha, x) = (line["alpha"].as_f64().unwrap(), line["view"][0].as_f64().unwrap());
                    prop_assert!((0.0..=1.0).contains(&alpha));
                    prop_assert!(x >= low && x <= high);
                }
            }
        }
    }

    #[test]
    fn locked_draws_no_place_between_the_sides_of_cuts(events in events()) {
        let cuts: Vec<Event> = events
            .into_iter()
            .map(|event| match event {
                Event::Tick { after, sim, x, .. } => Event::Tick { after, sim, x, cut: true },
                other => other,
            })
            .collect();
        for line in lines(&script("locked", &cuts)) {
            let Some(x) = line["view"][0].as_f64() else { continue };
            let a_side = cuts.iter().any(|event| matches!(event, Event::Tick { x: side, .. } if *side == x));
            prop_assert!(a_side, "{} lies between", x);
        }
    }
}
