//! The figures as tables for a terminal of eighty columns.

use super::{Case, Kind, Row};
use crate::text::markdown_cell;
use std::fmt::Write;

const WIDTH: usize = 80;

/// What the columns mean, for those who have not read `lab --help`.
const LEGEND: &str = "\
freeze, jump, back  frames that hardly move, move over twice too far, move back
off path, in wall   how far from the true path (99 % are nearer), into the wall
slide               time per cut in which the picture is on neither side of it
";

/// One table per case (latency, judder, freeze, slide and what else is worth a column), then all at a glance.
pub fn render(cases: &[Case]) -> String {
    let mut out = format!("▸ this library    · knows everything: nobody can be better\n{LEGEND}");
    let mut scenario = None;
    for case in cases {
        if scenario != Some(case.scenario) {
            scenario = Some(case.scenario);
            let title = case.scenario.title();
            let _ = writeln!(out, "\n{title}\n{}", "═".repeat(title.chars().count()));
        }
        let _ = writeln!(out, "\n{}\n{}", case.name, wrapped(&case.setting));
        render_case(&mut out, case);
    }
    render_glance(&mut out, cases);
    out
}

/// The text in lines that fit.
fn wrapped(text: &str) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

/// One line per case: judder and latency as it comes, of the best rival that is hardly later, and of ours.
fn render_glance(out: &mut String, cases: &[Case]) {
    let widest = cases.iter().map(|c| c.name.chars().count()).max().unwrap_or(0);
    let _ = writeln!(
        out,
        "\nAt a glance\n═══════════\nJudder (0 is perfect, smooth below 0.05) and latency in ms;\n\
         the best rival is the smoothest of those at most 2 ms later than portamento\n"
    );
    let _ = writeln!(out, "  {:<widest$}  as it comes   best rival   portamento", "");
    let cell = |row: Option<&Row>| {
        row.map_or("–".to_owned(), |r| {
            format!("{:.3} {:>4}", r.figures.judder, (r.figures.latency * 1e3).round())
        })
    };
    for case in cases {
        let (raw, rival, ours) = (cell(case.raw()), cell(case.rival()), cell(case.ours()));
        let _ = writeln!(out, "  {:<widest$}  {raw:>11}  {rival:>11}  {ours:>11}", case.name);
    }
}

/// The same lines as a Markdown table, for a README: each figure in it has a command that made it. All variants of ours
/// are named, and so is a rival that buys less judder with more delay.
pub fn markdown(cases: &[Case]) -> String {
    let mut out = String::from(
        "| situation | as it comes | best rival at most 2 ms later | portamento | smoother, but later |\n\
         |---|---|---|---|---|\n",
    );
    for case in cases {
        let cell = |row: Option<&Row>| row.map_or("–".to_owned(), |r| figures(r, &markdown_cell(&r.name)));
        let raw = case.raw().map_or("–".to_owned(), |r| figures(r, ""));
        let _ = writeln!(
            out,
            "| {} | {raw} | {} | {} | {} |",
            markdown_cell(&case.name),
            cell(case.rival()),
            variants_of_ours(case),
            cell(case.smoother_but_later())
        );
    }
    out
}

/// Judder, latency and, unless it is empty, a name.
fn figures(row: &Row, name: &str) -> String {
    let comma = if name.is_empty() { "" } else { ", " };
    format!("{:.3} ({} ms{comma}{name})", row.figures.judder, (row.figures.latency * 1e3).round())
}

/// Each variant of ours, in bold if it is the smoothest and smoother than the best rival.
fn variants_of_ours(case: &Case) -> String {
    let shown = |row: &Row| format!("{:.3}", row.figures.judder);
    let winner = case
        .ours()
        .zip(case.rival())
        .filter(|(ours, rival)| ours.figures.judder < rival.figures.judder && shown(ours) != shown(rival))
        .map(|(ours, _)| ours.name.as_str());
    let ours = case.rows.iter().filter(|row| row.kind == Kind::Ours);
    let cells: Vec<String> = ours
        .map(|row| {
            let variant = row.name.trim_start_matches("portamento").trim_start_matches(", ");
            let cell = figures(row, variant);
            if winner == Some(row.name.as_str()) { format!("**{cell}**") } else { cell }
        })
        .collect();
    if cells.is_empty() { "–".to_owned() } else { cells.join("<br>") }
}

/// In the motion's own unit, whatever that is: four digits.
fn distance(value: f64) -> String {
    let digits = if value < 10.0 {
        3
    } else if value < 100.0 {
        2
    } else {
        1
    };
    format!("{value:.digits$}")
}

/// A column of a table: its two lines of heading, its width, and what it says of a row.
pub(crate) struct Column<T> {
    heading: [&'static str; 2],
    width: usize,
    cell: fn(&T) -> String,
}

impl<T> Column<T> {
    pub(crate) const fn new(heading: [&'static str; 2], width: usize, cell: fn(&T) -> String) -> Self {
        Self { heading, width, cell }
    }
}

/// A table of names and figures in lines of at most `width`, however long a name is.
pub(crate) fn write_rows<T>(out: &mut String, width: usize, columns: &[Column<T>], rows: &[(String, &T)]) {
    let room = width - columns.iter().map(|column| column.width).sum::<usize>();
    let widest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).min(room);
    let mut line = |name: &str, cell: &dyn Fn(&Column<T>) -> String| {
        let cells: String = columns.iter().map(|c| format!("{:>1$}", cell(c), c.width)).collect();
        let _ = writeln!(out, "{}", format!("{name:<widest$}{cells}").trim_end());
    };
    for part in 0..2 {
        line("", &|column| column.heading[part].to_owned());
    }
    for (name, row) in rows {
        let clipped: String = if name.chars().count() > room {
            name.chars().take(room - 1).chain(['…']).collect()
        } else {
            name.clone()
        };
        line(&clipped, &|column| (column.cell)(row));
    }
}

fn render_case(out: &mut String, case: &Case) {
    let mut columns: Vec<Column<Row>> = vec![
        Column::new(["latency", "ms"], 8, |row| format!("{:.1}", row.figures.latency * 1e3)),
        Column::new(["judder", ""], 7, |row| format!("{:.3}", row.figures.judder)),
        Column::new(["freeze", "%"], 7, |row| format!("{:.1}", row.figures.freeze * 1e2)),
        Column::new(["jump", "%"], 6, |row| format!("{:.1}", row.figures.jump * 1e2)),
        Column::new(["back", "%"], 6, |row| format!("{:.1}", row.figures.reverse * 1e2)),
        Column::new(["off", "path"], 7, |row| distance(row.figures.off_path_p99)),
    ];
    if case.rows.iter().any(|row| row.figures.slide.cuts > 0) {
        columns.push(Column::new(["slide", "ms"], 7, |row| format!("{:.1}", row.figures.slide.time * 1e3)));
    }
    if case.wall.is_some() {
        columns.push(Column::new(["in", "wall"], 7, |row| distance(row.penetration.unwrap_or(0.0))));
    }
    let rows: Vec<(String, &Row)> = case
        .rows
        .iter()
        .map(|row| {
            let mark = match row.kind {
                Kind::Ours => '▸',
                Kind::Floor => '·',
                Kind::Raw | Kind::Rival => ' ',
            };
            (format!("{mark} {}", row.name), row)
        })
        .collect();
    write_rows(out, WIDTH, &columns, &rows);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{self, Options, Scenario};

    #[test]
    fn eighty_columns_are_enough() {
        let options = Options { seconds: 6.0, ..Options::default() };
        let jobs: Vec<_> = Scenario::built_in().flat_map(|s| s.jobs(&options)).collect();
        let text = render(&lab::run(&jobs, &options, |_| {}));
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }
}
