//! The figures as JSON, for scripts.

use super::{Case, Options};
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
        let mut value = json!(row.figures);
        value["strategy"] = json!(row.name);
        value["kind"] = json!(row.kind);
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
