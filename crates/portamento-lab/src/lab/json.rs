//! The figures as JSON, for scripts.

use super::{Case, Kind, Options};
use crate::yardstick::Figures;
use serde_json::{Value, json};

/// Everything that was measured, in the order of the report. Times in seconds, shares 0 to 1.
pub fn render(cases: &[Case], options: &Options) -> Value {
    json!({
        "portamento": env!("CARGO_PKG_VERSION"),
        "seed": options.seed,
        "cases": cases.iter().map(case).collect::<Vec<_>>(),
    })
}

fn case(case: &Case) -> Value {
    let rows = case.rows.iter().map(|row| {
        let mut value = figures(&row.figures);
        value["strategy"] = json!(row.name);
        value["kind"] = json!(kind(row.kind));
        value["penetration"] = json!(row.penetration);
        value
    });
    json!({
        "scenario": case.scenario.id(),
        "case": case.name,
        "setting": case.setting,
        "unit": if case.turning { "radians" } else { "motion's own" },
        "strategies": rows.collect::<Vec<_>>(),
    })
}

/// The word for a kind of strategy.
pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Floor => "floor",
        Kind::Raw => "raw",
        Kind::Rival => "rival",
        Kind::Ours => "ours",
    }
}

fn figures(f: &Figures) -> Value {
    json!({
        "latency": f.latency,
        "judder": f.judder,
        "judder2": f.judder2,
        "ideal_speed": f.ideal_speed,
        "age_p50": f.age_p50,
        "age_p95": f.age_p95,
        "wander": f.wander,
        "animation_error": f.animation.map(|a| json!({ "rms": a.rms, "p99": a.p99, "per_second": a.per_second })),
        "freeze": f.freeze,
        "jump": f.jump,
        "reverse": f.reverse,
        "moving": f.moving,
        "off_path_p99": f.off_path_p99,
        "off_path_max": f.off_path_max,
        "slide": json!({ "time": f.slide.time, "depth": f.slide.depth, "cuts": f.slide.cuts }),
        "false_snaps": f.false_snaps,
        "arc_length": f.arc_length,
        "jerk": f.jerk,
        "frames": f.frames,
    })
}
