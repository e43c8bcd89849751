//! The figures as tables for a terminal of eighty columns.

use super::verdict::{Situation, Tally, Verdict, situations};
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
    let mut out =
        format!("▸ this library    ‹ its older rules    · knows everything: nobody can be better\n{LEGEND}");
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
    let _ = writeln!(out, "\nAt a glance\n═══════════");
    out.push_str(&summary(cases, usize::MAX));
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

/// Rows that fit a screen of 24 lines.
pub const ONE_SCREEN: usize = 15;

/// A line for each situation that users are in, `most` at the most, and what it comes to.
pub fn summary(cases: &[Case], most: usize) -> String {
    let all = situations(cases);
    let mut shown: Vec<&Situation<'_>> = all.iter().collect();
    let hidden = shown.len().saturating_sub(most);
    if hidden > 0 {
        // What is left out is what looks best for us.
        let share = |s: &Situation<'_>| {
            let judder = |row: Option<&Row>| row.map_or(1.0, |row| row.figures.judder);
            judder(s.worst.ours()) / judder(s.worst.rival()).max(1e-9)
        };
        shown.sort_by(|a, b| share(b).total_cmp(&share(a)));
        shown.truncate(most);
        shown.sort_by_key(|situation| situation.index);
    }
    let mut out =
        format!("{:NAME$}{:>GROUP$}{:>GROUP$}\n{:NAME$}{HEADS}{HEADS}\n", "", "best rival", "portamento", "");
    for situation in shown {
        let mark = situation.verdict.as_ref().map_or(' ', Verdict::mark);
        let (rival, ours) = (cells(situation.worst.rival()), cells(situation.worst.ours()));
        let name = clipped(&format!("{mark} {}", situation.name), NAME);
        let _ = writeln!(out, "{}", format!("{name:<NAME$}{rival}{ours}").trim_end());
    }
    if hidden > 0 {
        let _ = writeln!(out, "  and {hidden} more, in which ours does better than in these");
    }
    let _ = writeln!(
        out,
        "\n{}\nMarks: + better, - worse, ± both, = no difference to be seen. The rival is the\n\
         smoothest that is at most 2 ms later. Everything: --all. Columns: lab --help.",
        wrapped(&headline(Tally::of(&all)))
    );
    out
}

/// What a run comes to, in a sentence.
pub fn headline(tally: Tally) -> String {
    let of = tally.compared();
    let mut parts = vec![format!("better than the best rival in {} of {of} situations", tally.better)];
    for (count, what) in
        [(tally.mixed, "better and worse"), (tally.alike, "no difference to be seen"), (tally.worse, "worse")]
    {
        if count > 0 {
            parts.push(format!("{what} in {count}"));
        }
    }
    if of == 0 {
        parts = vec!["no rival takes part in these situations".to_owned()];
    }
    format!("portamento: {}.", parts.join(", "))
}

const NAME: usize = 26;
const GROUP: usize = 27;
const HEADS: &str = " judder late back  frz  off";

/// The figures of one row in the summary.
fn cells(row: Option<&Row>) -> String {
    let Some(row) = row else { return format!("{:>GROUP$}", "–") };
    let f = &row.figures;
    let percent = |share: f64| {
        if share >= 0.0995 { format!("{:.0}", share * 1e2) } else { format!("{:.1}", share * 1e2) }
    };
    let off = if f.off_path_p99 < 9.995 {
        format!("{:.2}", f.off_path_p99)
    } else {
        format!("{:.0}", f.off_path_p99)
    };
    let (judder, late) = (f.judder.min(99.0), (f.latency * 1e3).round());
    format!(" {judder:>6.3} {late:>4} {:>4} {:>4} {off:>4}", percent(f.reverse), percent(f.freeze))
}

/// The text, cut where it is longer than `width`.
fn clipped(text: &str, width: usize) -> String {
    if text.chars().count() > width {
        text.chars().take(width - 1).chain(['…']).collect()
    } else {
        text.to_owned()
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
        line(&clipped(name, room), &|column| (column.cell)(row));
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
                Kind::Older => '‹',
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
        let mut cases = lab::run(&jobs, &options, |_| {});
        for line in render(&cases).lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
        let more: Vec<_> =
            cases.iter().cloned().map(|c| Case { name: format!("{} again", c.name), ..c }).collect();
        cases.extend(more);
        let screen = summary(&cases, ONE_SCREEN);
        assert!(screen.lines().count() < 24, "{} lines", screen.lines().count());
        assert!(screen.lines().all(|line| line.chars().count() <= WIDTH), "{screen}");
    }
}
