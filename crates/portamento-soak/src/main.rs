//! `cargo xtask soak`: every driver in turn, with new seeds, for as long as you like.

use portamento_soak::{DRIVERS, Driver, run_case};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const HELP: &str = "\
Drives every public type with random and extreme numbers, and checks the laws.

  --minutes N      stop after N minutes (default 1; 0.1 is six seconds)
  --operations N   stop after N calls, if that comes first
  --seed S         the seed to begin with (default: a new one, printed)
  --only A,B       only these drivers
  --case N         one case alone: what a failure prints
  --resume FILE    go on where FILE says, and keep it up to date";

/// How far a soak has come: all that is needed to go on with it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Record {
    seed: u64,
    next_case: u64,
    operations: BTreeMap<String, u64>,
    seconds: f64,
}

struct Options {
    minutes: f64,
    operations: u64,
    seed: Option<u64>,
    drivers: Vec<Driver>,
    case: Option<u64>,
    resume: Option<PathBuf>,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        minutes: 1.0,
        operations: u64::MAX,
        seed: None,
        drivers: DRIVERS.to_vec(),
        case: None,
        resume: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        if name == "--help" {
            return Err(HELP.into());
        }
        let value = arguments.next().ok_or(format!("{name} needs a value\n{HELP}"))?;
        let wrong = |what: &str| format!("{name} {value}: give {what}");
        match name.as_str() {
            "--minutes" => {
                options.minutes = value.parse().ok().filter(|n| *n > 0.0).ok_or(wrong("a number above 0"))?;
            }
            "--operations" => options.operations = value.parse().map_err(|_| wrong("a whole number"))?,
            "--seed" => options.seed = Some(value.parse().map_err(|_| wrong("a whole number"))?),
            "--case" => options.case = Some(value.parse().map_err(|_| wrong("a whole number"))?),
            "--resume" => options.resume = Some(PathBuf::from(&value)),
            "--only" => {
                let all = DRIVERS.iter().map(|driver| driver.name).collect::<Vec<_>>().join(", ");
                let known =
                    |name: &str| portamento_soak::driver(name).ok_or(wrong(&format!("some of {all}")));
                options.drivers = value.split(',').map(known).collect::<Result<_, _>>()?;
            }
            _ => return Err(format!("there is no option {name}\n{HELP}")),
        }
    }
    Ok(options)
}

/// What is running, for whoever has to report a failure.
static RUNNING: Mutex<Option<(&'static str, u64, u64)>> = Mutex::new(None);

fn main() {
    let options = options().unwrap_or_else(|what| {
        eprintln!("{what}");
        std::process::exit(2);
    });
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        usual(panic);
        if let Ok(running) = RUNNING.lock()
            && let Some((driver, seed, case)) = *running
        {
            eprintln!("\nFound by: cargo xtask soak --only {driver} --seed {seed} --case {case}");
        }
    }));
    let record = soak(&options);
    #[cfg(feature = "lab")]
    portamento_soak::drivers::traces::clean_up();
    let sum: u64 = record.operations.values().sum();
    for (driver, operations) in &record.operations {
        println!("{driver:<10} {operations:>14}");
    }
    println!(
        "{:<10} {sum:>14} calls in {:.0} s, seed {}, {} profile, overflow checks {}",
        "all",
        record.seconds,
        record.seed,
        profile(),
        overflow_checks()
    );
}

fn profile() -> &'static str {
    if cfg!(debug_assertions) { "dev" } else { "release" }
}

fn overflow_checks() -> &'static str {
    let most = std::hint::black_box(u8::MAX);
    let checked = std::panic::catch_unwind(|| {
        std::panic::set_hook(Box::new(|_| ()));
        std::hint::black_box(most + std::hint::black_box(1))
    });
    if checked.is_err() { "on" } else { "off" }
}

fn soak(options: &Options) -> Record {
    let mut record = options
        .resume
        .as_deref()
        .and_then(read)
        .unwrap_or_else(|| Record { seed: options.seed.unwrap_or_else(new_seed), ..Record::default() });
    println!("seed {}", record.seed);
    if let Some(case) = options.case {
        record.next_case = case;
    }
    let (start, mut written) = (Instant::now(), Instant::now());
    let (before, mut done) = (record.seconds, 0);
    let longest = Duration::from_secs_f64(60.0 * options.minutes);
    while start.elapsed() < longest && done < options.operations {
        for driver in &options.drivers {
            *RUNNING.lock().expect("no one panics with it") =
                Some((driver.name, record.seed, record.next_case));
            let calls = run_case(driver, record.seed, record.next_case);
            *record.operations.entry(driver.name.into()).or_default() += calls;
            done += calls;
        }
        record.next_case += 1;
        record.seconds = before + start.elapsed().as_secs_f64();
        if options.case.is_some() {
            break;
        }
        if written.elapsed() > Duration::from_secs(5) {
            written = Instant::now();
            options.resume.as_deref().inspect(|path| write(path, &record));
        }
    }
    options.resume.as_deref().inspect(|path| write(path, &record));
    record
}

fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    portamento_soak::mixed(now.map_or(1, |since| since.as_nanos() as u64)) >> 16
}

fn read(path: &Path) -> Option<Record> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Beside and renamed, so that a soak that is stopped leaves a whole record.
fn write(path: &Path, record: &Record) {
    let beside = path.with_extension("new");
    let text = serde_json::to_string_pretty(record).expect("plain data");
    std::fs::write(&beside, text)
        .and_then(|()| std::fs::rename(&beside, path))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
