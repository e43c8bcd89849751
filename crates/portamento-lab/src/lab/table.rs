//! The figures as a table for a terminal.

use super::{Case, Kind, Row};
use std::fmt::Write;

/// One table per case (latency, judder, freeze, slide and what else is worth a column), then all at a glance.
pub fn render(cases: &[Case]) -> String {
    let mut out = String::new();
    let mut scenario = None;
    for case in cases {
        if scenario != Some(case.scenario) {
            scenario = Some(case.scenario);
            let title = case.scenario.title();
            let _ = writeln!(out, "\n{title}\n{}", "═".repeat(title.chars().count()));
        }
        let _ = writeln!(out, "\n{}", case.setting);
        render_case(&mut out, case);
    }
    render_glance(&mut out, cases);
    out
}

/// One line per case: judder (and latency) as it comes, of the best rival at that latency, and of ours.
fn render_glance(out: &mut String, cases: &[Case]) {
    let widest = cases.iter().map(|c| c.name.chars().count()).max().unwrap_or(0);
    let _ = writeln!(out, "\nAt a glance: judder, 0.05 is seen (latency in ms)\n");
    let _ =
        writeln!(out, "  {:<widest$}  {:>15}  {:>15}  {:>15}", "", "as it comes", "best rival", "portamento");
    let cell = |row: Option<&Row>| {
        row.map_or("–".to_owned(), |r| format!("{:.3} ({:.0})", r.figures.judder, r.figures.latency * 1e3))
    };
    for case in cases {
        let (raw, rival, ours) = (cell(case.raw()), cell(case.rival()), cell(case.ours()));
        let _ = writeln!(out, "  {:<widest$}  {raw:>15}  {rival:>15}  {ours:>15}", case.name);
    }
}

/// The same lines as a Markdown table, for a README: each figure in it has a command that made it.
pub fn markdown(cases: &[Case]) -> String {
    let mut out = String::from(
        "| situation | as it comes | best rival at that latency | portamento |\n|---|---|---|---|\n",
    );
    let cell = |row: Option<&Row>, named: bool| {
        row.map_or("–".to_owned(), |r| {
            let name = if named { format!(", {}", r.name) } else { String::new() };
            format!("{:.3} ({:.0} ms{name})", r.figures.judder, r.figures.latency * 1e3)
        })
    };
    for case in cases {
        let (raw, rival, ours) =
            (cell(case.raw(), false), cell(case.rival(), true), cell(case.ours(), false));
        let _ = writeln!(out, "| {} | {raw} | {rival} | **{ours}** |", case.name);
    }
    out
}

fn render_case(out: &mut String, case: &Case) {
    let widest = case.rows.iter().map(|r| r.name.chars().count()).max().unwrap_or(0).max(8);
    let wall = if case.wall.is_some() { "   in wall" } else { "" };
    let _ = writeln!(
        out,
        "  {:<widest$}  latency ms  judder  freeze %  jump %  reverse %  slide ms  off path{wall}",
        "strategy"
    );
    for row in &case.rows {
        let f = &row.figures;
        let mark = match row.kind {
            Kind::Ours => '▸',
            Kind::Floor => '·',
            Kind::Raw | Kind::Rival => ' ',
        };
        let _ = write!(
            out,
            "{mark} {:<widest$}  {:>10.1}  {:>6.3}  {:>8.1}  {:>6.1}  {:>9.1}  {:>8}  {:>8.3}",
            row.name,
            f.latency * 1e3,
            f.judder,
            f.freeze * 1e2,
            f.jump * 1e2,
            f.reverse * 1e2,
            if f.slide.cuts > 0 { format!("{:.1}", f.slide.time * 1e3) } else { "–".to_owned() },
            f.off_path_p99,
        );
        if let Some(depth) = row.penetration {
            let _ = write!(out, "  {depth:>8.3}");
        }
        out.push('\n');
    }
}
