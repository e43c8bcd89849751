//! How long does it take, compared with what?
//!
//! A time alone says little: machines differ, and a busy machine differs from itself. So the programs in
//! `benches/` race a piece of work against yardsticks in one process, in turns. A time is the best of many rounds:
//! outside influences only ever make a round slower. A ratio is the median of the rounds' own ratios: what the
//! neighbours do to a shared cache lasts longer than a round, and so hits both sides of it.

pub mod growth;
pub mod yardstick;

use std::{
    fmt::Write as _,
    fs,
    hint::black_box,
    time::{Duration, Instant},
};

/// One piece of work in a [`race`], called again and again.
pub struct Runner<'a> {
    name: String,
    work: Box<dyn FnMut() + 'a>,
}

/// `work`, under `name`. It must leave its results where the optimiser cannot remove them ([`black_box`]).
pub fn runner<'a>(name: impl Into<String>, work: impl FnMut() + 'a) -> Runner<'a> {
    Runner { name: name.into(), work: Box::new(work) }
}

/// What one runner took.
#[derive(Clone, Debug)]
pub struct Time {
    /// The runner's name.
    pub name: String,
    /// Seconds for one call, the best of all rounds.
    pub seconds: f64,
    /// Seconds for one call in each round.
    rounds: Vec<f64>,
}

impl Time {
    /// How many times `other` this took: the median of the rounds of one race.
    #[must_use]
    pub fn over(&self, other: &Self) -> f64 {
        let mut ratios: Vec<f64> = self.rounds.iter().zip(&other.rounds).map(|(a, b)| a / b).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }
}

/// Times every runner. They take turns, so that a disturbance hits all of them; within a round each is called
/// often enough to fill `slice`.
#[must_use]
pub fn race(rounds: usize, slice: Duration, mut runners: Vec<Runner>) -> Vec<Time> {
    let calls: Vec<u32> = runners
        .iter_mut()
        .map(|runner| {
            let start = Instant::now();
            let mut calls = 0u32;
            while start.elapsed() < slice {
                black_box(&mut runner.work)();
                calls += 1;
            }
            calls.max(1)
        })
        .collect();
    let mut taken = vec![Vec::with_capacity(rounds); runners.len()];
    for _ in 0..rounds {
        for ((runner, &calls), taken) in runners.iter_mut().zip(&calls).zip(&mut taken) {
            // Once for nothing: whoever ran before has left the caches full of its own data.
            black_box(&mut runner.work)();
            let start = Instant::now();
            for _ in 0..calls {
                black_box(&mut runner.work)();
            }
            taken.push(start.elapsed().as_secs_f64() / f64::from(calls));
        }
    }
    times(runners, taken)
}

/// A [`race`] in which other work goes through the caches before every call, as between two frames of a game.
#[must_use]
pub fn cold_race(rounds: usize, mut runners: Vec<Runner>) -> Vec<Time> {
    let largest = caches().last().map_or(32 << 20, |cache| cache.bytes);
    let mut others = vec![0u64; 2 * largest / 8];
    let mut taken = vec![Vec::with_capacity(rounds); runners.len()];
    for _ in 0..rounds {
        for (runner, taken) in runners.iter_mut().zip(&mut taken) {
            black_box(&mut others).iter_mut().for_each(|number| *number += 1);
            let start = Instant::now();
            black_box(&mut runner.work)();
            taken.push(start.elapsed().as_secs_f64());
        }
    }
    times(runners, taken)
}

fn times(runners: Vec<Runner>, taken: Vec<Vec<f64>>) -> Vec<Time> {
    let time = |(runner, rounds): (Runner, Vec<f64>)| {
        let seconds = rounds.iter().copied().fold(f64::INFINITY, f64::min);
        Time { name: runner.name, seconds, rounds }
    };
    runners.into_iter().zip(taken).map(time).collect()
}

/// Floats that begin with a cache line, as the batch's own do and a graphics card's buffers: a vector that crosses two
/// lines takes longer, and where an allocator begins is luck.
pub struct Floats {
    room: Vec<f32>,
    start: usize,
}

impl Floats {
    /// `count` times `value`.
    #[must_use]
    pub fn new(count: usize, value: f32) -> Self {
        let mut room: Vec<f32> = Vec::with_capacity(count + 16);
        let start = room.as_ptr().align_offset(64);
        room.resize(start + count, value);
        Self { room, start }
    }
}

impl std::ops::Deref for Floats {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.room[self.start..]
    }
}

impl std::ops::DerefMut for Floats {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.room[self.start..]
    }
}

/// The processor, its caches and the system: what a table of times must name.
#[must_use]
pub fn machine() -> String {
    let mut out = String::new();
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |key: &str| {
        cpu.lines().find(|line| line.starts_with(key)).and_then(|line| line.split(": ").nth(1)).map(str::trim)
    };
    let _ = write!(
        out,
        "{} (family {}, model {})",
        field("model name").unwrap_or(std::env::consts::ARCH),
        field("cpu family").unwrap_or("?"),
        field("model\t").unwrap_or("?"),
    );
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let _ = write!(out, ", {cores} cores");
    for Cache { level, bytes } in caches() {
        let _ = write!(out, ", L{level} {} KiB", bytes >> 10);
    }
    let _ = write!(out, ", {}", std::env::consts::OS);
    out
}

/// A data cache of the first core.
#[derive(Clone, Copy, Debug)]
pub struct Cache {
    /// 1 is the nearest.
    pub level: u32,
    /// Its size.
    pub bytes: usize,
}

/// The data caches, the nearest first; empty where the system gives none.
#[must_use]
pub fn caches() -> Vec<Cache> {
    let cache = |index: u32| {
        let read = |what: &str| {
            let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{what}");
            fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
        };
        let kibibytes: usize = read("size")?.strip_suffix('K')?.parse().ok()?;
        let is_data = read("type")? != "Instruction";
        is_data.then_some(Cache { level: read("level")?.parse().ok()?, bytes: kibibytes << 10 })
    };
    (0..8).filter_map(cache).collect()
}

/// The value below which a share (0 to 1) of the values lies.
#[must_use]
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// Rows of text as a Markdown table, padded so that it reads well unrendered.
#[must_use]
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut out = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        for (cell, &width) in cells.zip(&widths) {
            let _ = write!(out, "| {cell:<width$} ");
        }
        out.push_str("|\n");
    };
    line(&mut head.iter().copied());
    let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    line(&mut rules.iter().map(String::as_str));
    for row in rows {
        line(&mut row.iter().map(String::as_str));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_work_takes_more_time() {
        let spin = |n: u64| move || (0..n).for_each(|i| drop(black_box(Box::new(i))));
        let times =
            race(5, Duration::from_millis(1), vec![runner("few", spin(100)), runner("many", spin(10_000))]);
        assert!(times[1].seconds > 10.0 * times[0].seconds, "{times:?}");
        assert!(times[1].over(&times[0]) > 10.0, "{times:?}");
    }

    #[test]
    fn a_table_lines_up() {
        let text = table(&["n", "time"], &[vec!["10".into(), "1".into()], vec!["1".into(), "12345".into()]]);
        assert_eq!(text, "| n  | time  |\n| -- | ----- |\n| 10 | 1     |\n| 1  | 12345 |\n");
    }
}
