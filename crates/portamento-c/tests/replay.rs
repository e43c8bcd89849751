//! Does the library say the same through its C interface?
//!
//! Random scripts of every system, some of them with a bad line, are replayed by the library itself and by the program
//! `replay-through-c`: every number must have the same bits, and a bad line the same words and exit status.
//! `PORTAMENTO_SCRIPTS` is how many scripts of each system; 60 if it is not set.

use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// Random numbers from a seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.0 ^ (self.0 >> 33);
        (x.wrapping_mul(0xff51_afd7_ed55_8ccd)) >> 20
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        self.below(1 << 40) as f64 / (1u64 << 40) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    fn number(&mut self) -> f64 {
        match self.below(12) {
            0 => [0.0, -0.0, 1e-9, -3.0, 96.0, 5e-324, 1e300, -1e160, 2e38][self.below(9) as usize],
            1..=3 => self.between(-1.0, 1.0),
            _ => self.between(-100.0, 100.0),
        }
    }

    fn vector(&mut self) -> String {
        let [x, y, z] = [self.number(), self.number(), self.number()];
        format!("[{x:?},{y:?},{z:?}]")
    }

    /// Near the vector before, as motion is.
    fn walk(&mut self, at: &mut [f64; 3]) -> [f64; 3] {
        if self.chance(3) {
            *at = [self.number(), self.number(), self.number()];
        }
        for c in at.iter_mut() {
            *c += self.between(-0.5, 0.7);
        }
        *at
    }

    fn pose(&mut self, at: &mut [f64; 3], seven: bool) -> String {
        let [x, y, z] = self.walk(at);
        if !seven {
            return format!("[{x:?},{y:?},{z:?}]");
        }
        let mut q = [0.0; 4].map(|_: f64| self.between(-1.0, 1.0));
        if self.chance(20) {
            q = [0.0, 0.0, self.between(-0.1, 0.1), 1.0];
        }
        // Some are off by as much as a script allows.
        let off = if self.chance(10) { self.between(0.9991, 1.0009) } else { 1.0 };
        let length = q.iter().map(|c| c * c).sum::<f64>().sqrt().max(1e-3) / off;
        let [a, b, c, d] = q.map(|c| c / length);
        format!("[{x:?},{y:?},{z:?},{a:?},{b:?},{c:?},{d:?}]")
    }

    /// A length of time as a loop gives it, now and then one that makes no sense.
    fn length(&mut self) -> String {
        match self.below(20) {
            0 => self.pick(&["\"NaN\"", "\"inf\"", "\"-inf\"", "0", "-1", "1e-9", "1e9", "5e-324"]).into(),
            1 => format!("{:?}", self.between(0.0, 3.0)),
            2..=6 => self.pick(&["0.016666666666666666", "0.03333333333333333", "0.0069444", "0.25"]).into(),
            _ => format!("{:?}", self.between(0.0, 0.05)),
        }
    }

    /// A reading of a clock, mostly a little after the one before.
    fn clock(&mut self, now: &mut f64) -> String {
        *now += self.between(0.0, 0.03);
        match self.below(40) {
            0 => self.pick(&["\"NaN\"", "\"inf\"", "\"-inf\"", "-5", "1e12", "0"]).into(),
            1 => {
                *now += self.between(0.0, 5.0);
                format!("{now:?}")
            }
            _ => format!("{:?}", *now + self.between(-0.01, 0.01)),
        }
    }
}

fn steps(dice: &mut Dice) -> String {
    let mut script = String::from(r#"{"replay":1,"system":"steps""#);
    match dice.below(4) {
        0 => {}
        1 => _ = write!(script, r#","step":{:?}"#, dice.between(0.001, 0.1)),
        2 => {
            script += dice.pick(&[r#","hz":0"#, r#","hz":30"#, r#","hz":1e9"#, r#","hz":-1"#, r#","hz":20"#])
        }
        _ => _ = write!(script, r#","hz":{:?}"#, dice.between(5.0, 300.0)),
    }
    if dice.chance(50) {
        _ = write!(script, r#","snap":{}"#, dice.chance(80));
        script += dice.pick(&[
            "",
            r#","display_hz":144"#,
            r#","display_hz":60.1"#,
            r#","display_hz":null"#,
            r#","display_hz":0"#,
        ]);
        script += dice.pick(&["", r#","watch":true"#]);
    }
    if dice.chance(20) {
        _ = write!(script, r#","max_frame":{:?}"#, dice.between(-0.01, 0.5));
    }
    own_loop(dice, script)
}

fn gate(dice: &mut Dice) -> String {
    let mut script = String::from(r#"{"replay":1,"system":"gate""#);
    script += dice.pick(&["", r#","rule":"even""#, r#","rule":"client""#, r#","rule":"seed""#]);
    if dice.chance(30) {
        let min = dice.between(0.0001, 0.05);
        _ = write!(script, r#","min":{min:?},"max":{:?}"#, min * dice.between(0.9, 300.0));
    }
    script += dice.pick(&["", "", "", r#","huge":3"#, r#","huge":0.5"#, r#","huge":1e9"#]);
    own_loop(dice, script)
}

fn own_loop(dice: &mut Dice, mut script: String) -> String {
    if dice.chance(70) {
        _ = write!(script, r#","start":{},"velocity":{}"#, dice.vector(), dice.vector());
    }
    script += "}\n";
    for _ in 0..dice.below(80) {
        script += &match dice.below(12) {
            0 => format!(r#"{{"velocity":{}}}"#, dice.vector()),
            1 => format!(r#"{{"cut":{}}}"#, dice.vector()),
            2 => format!(r#"{{"correct":{}}}"#, dice.vector()),
            3 => format!(r#"{{"rebase":{}}}"#, dice.vector()),
            _ => format!(r#"{{"frame":{}}}"#, dice.length()),
        };
        script.push('\n');
    }
    script
}

fn timed(dice: &mut Dice) -> String {
    let interval = if dice.chance(50) { 1.0 / 60.0 } else { dice.between(0.002, 0.2) };
    let rule = dice.pick(&["", r#","rule":"locked""#, r#","rule":"seed""#]);
    let mut script = format!(r#"{{"replay":1,"system":"timed","interval":{interval:?}{rule}}}"#);
    script.push('\n');
    let (seven, mut at, mut now) = (dice.chance(60), [0.0; 3], dice.between(-10.0, 1000.0));
    for _ in 0..dice.below(120) {
        let clock = dice.clock(&mut now);
        if dice.chance(50) {
            _ = writeln!(script, r#"{{"frame":{clock}}}"#);
            continue;
        }
        let kind = if dice.chance(5) { "cut" } else { "tick" };
        _ = write!(script, r#"{{"{kind}":{clock},"pose":{}"#, dice.pose(&mut at, seven));
        if dice.chance(5) {
            _ = write!(script, r#","sim":{:?}"#, dice.between(-1.0, 10.0));
        }
        if dice.chance(5) {
            _ = write!(script, r#","scale":{:?}"#, dice.between(0.01, 3.0));
        }
        script += "}\n";
    }
    script
}

fn waypoints(dice: &mut Dice) -> String {
    let (seven, mut at) = (dice.chance(60), [0.0; 3]);
    let mut script = String::from(r#"{"replay":1,"system":"waypoints""#);
    script += dice.pick(&["", r#","rule":"client""#, r#","rule":"seed""#]);
    script += dice.pick(&["", "", r#","max_speed":0"#, r#","max_speed":9.5"#, r#","blip":1.5"#]);
    if dice.chance(70) {
        _ = write!(script, r#","start":{}"#, dice.pose(&mut at, seven));
    }
    script += "}\n";
    for _ in 0..dice.below(120) {
        match dice.below(12) {
            0..=2 => {
                _ = write!(script, r#"{{"enqueue":{}"#, dice.pose(&mut at, seven));
                script += dice.pick(&["", "", "", r#","keep_heading":true"#, r#","blip":2"#]);
            }
            3 => _ = write!(script, r#"{{"enqueue_velocity":{}"#, dice.vector()),
            4 => {
                script +=
                    dice.pick(&[r#"{"enqueue_stop":true"#, r#"{"stop":true"#, r#"{"enqueue_stop":true"#])
            }
            _ => {
                _ = write!(script, r#"{{"tick":{}"#, dice.length());
                script += dice.pick(&[
                    "",
                    "",
                    "",
                    "",
                    r#","contact":false"#,
                    r#","sticky":true"#,
                    r#","place":false"#,
                    r#","max_speed":1"#,
                ]);
                if dice.chance(30) {
                    script += r#","moved":[0,0,0]"#;
                }
            }
        }
        script += "}\n";
    }
    script
}

fn snapshots(dice: &mut Dice) -> String {
    let interval = if dice.chance(50) { 0.05 } else { dice.between(0.01, 0.3) };
    let mut script = format!(r#"{{"replay":1,"system":"snapshots","interval":{interval:?}"#);
    script +=
        dice.pick(&["", "", r#","preset":"action""#, r#","preset":"racing""#, r#","preset":"strategy""#]);
    script += dice.pick(&["", "", "", r#","extrapolate":0"#, r#","extrapolate":0.4"#]);
    script += "}\n";
    let (seven, mut at, mut now) = (dice.chance(60), [0.0; 3], dice.between(-10.0, 1000.0));
    let behind = dice.between(-100.0, 100.0);
    for _ in 0..dice.below(150) {
        let clock = dice.clock(&mut now);
        if dice.chance(50) {
            _ = writeln!(script, r#"{{"frame":{clock}}}"#);
            continue;
        }
        let sent = if dice.chance(3) {
            dice.length()
        } else {
            format!("{:?}", now - behind - dice.between(0.0, 0.08))
        };
        _ = write!(script, r#"{{"receive":{sent},"at":{clock}"#);
        if !dice.chance(10) {
            _ = write!(script, r#","pose":{}"#, dice.pose(&mut at, seven));
            if dice.chance(20) {
                let (a, b, c) = (dice.number(), dice.between(-3.0, 3.0), dice.between(-3.0, 3.0));
                _ = write!(script, r#","velocity":[{a:?},{b:?},{c:?}"#);
                if dice.chance(60) {
                    _ = write!(script, ",{:?},0,{:?}", dice.between(-1.0, 1.0), dice.between(-1.0, 1.0));
                }
                script.push(']');
            }
            if dice.chance(5) {
                _ = write!(script, r#","epoch":{}"#, dice.below(4));
            }
        }
        script += "}\n";
    }
    script
}

/// Sometimes a line goes wrong.
fn damaged(dice: &mut Dice, mut script: String) -> String {
    if !dice.chance(8) {
        return script;
    }
    let bad = dice.pick(&[
        r#"{"frame":[1,2]}"#,
        r#"{"tick":0.1,"extra":1}"#,
        "not JSON",
        r#"{"enqueue":[0,0,0,1,1,1,1]}"#,
        r#"{"cut":[1,2,"NaN"]}"#,
        r#"{"receive":1,"at":1,"pose":[0,0]}"#,
        r#"{"tick":1,"pose":[0,0,0,0,0,0,0.5]}"#,
        r#"{"enqueue_velocity":[1e400,0,0]}"#,
        "[1,2,3]",
        r#"{"replay":2,"system":"steps"}"#,
    ]);
    let breaks: Vec<usize> = script.match_indices('\n').map(|(i, _)| i + 1).chain([0]).collect();
    let at = breaks[dice.below(breaks.len() as u64) as usize];
    script.insert_str(at, &format!("{bad}\n"));
    script
}

fn through_c(script: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_replay-through-c"))
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Written by another thread: the program answers while it reads. One that is refused early closes its input.
    let mut input = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        scope.spawn(move || _ = input.write_all(script.as_bytes()));
        child.wait_with_output().expect("the program ends")
    })
}

/// The same structure, and numbers of the same bits.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64().map(f64::to_bits) == b.as_f64().map(f64::to_bits),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

fn values(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).expect("the output is text");
    text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

fn compare(system: &str, make: fn(&mut Dice) -> String) {
    let scripts = std::env::var("PORTAMENTO_SCRIPTS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let (mut good, mut lines) = (0, 0);
    for seed in 0..scripts {
        let mut dice = Dice(seed * 7919 + 1);
        let script = make(&mut dice);
        let script = damaged(&mut dice, script);
        let mut native = Vec::new();
        let ended = portamento_replay::run(script.as_bytes(), &mut native);
        let c = through_c(&script);
        let (native, through) = (values(&native), values(&c.stdout));
        for (line, (a, b)) in native.iter().zip(&through).enumerate() {
            assert!(same(a, b), "{system}, seed {seed}, event {line}:\n{a}\n{b}\n{script}");
        }
        assert_eq!(native.len(), through.len(), "{system}, seed {seed}\n{script}");
        let words = String::from_utf8_lossy(&c.stderr);
        match ended {
            Ok(()) => {
                assert_eq!((c.status.code(), &*words), (Some(0), ""), "{system}, seed {seed}\n{script}")
            }
            Err(failure) => {
                assert_eq!(c.status.code(), Some(2), "{system}, seed {seed}\n{script}");
                assert_eq!(
                    words.trim_end(),
                    failure.to_string().trim_end(),
                    "{system}, seed {seed}\n{script}"
                );
            }
        }
        good += usize::from(c.status.success());
        lines += native.len();
    }
    // Otherwise the comparison would compare nothing.
    assert!(good as u64 * 2 > scripts && lines as u64 > 10 * scripts, "{good} good scripts, {lines} lines");
    println!("{system}: {scripts} scripts, {good} of them good, {lines} lines compared");
}

#[test]
fn steps_are_the_same_through_c() {
    compare("steps", steps);
}

#[test]
fn gates_are_the_same_through_c() {
    compare("gate", gate);
}

#[test]
fn timed_poses_are_the_same_through_c() {
    compare("timed", timed);
}

#[test]
fn waypoints_are_the_same_through_c() {
    compare("waypoints", waypoints);
}

#[test]
fn snapshots_are_the_same_through_c() {
    compare("snapshots", snapshots);
}

#[test]
fn a_file_that_is_not_there_and_no_file_at_all_end_with_2() {
    for arguments in [&["/nowhere/script.jsonl"][..], &[], &["a", "b"]] {
        let ended = Command::new(env!("CARGO_BIN_EXE_replay-through-c")).args(arguments).output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}");
        assert!(ended.stdout.is_empty() && !ended.stderr.is_empty());
    }
}

/// The program reaches the library by its C interface only.
#[test]
fn the_program_names_nothing_of_the_library_but_its_c_interface() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin/replay-through-c");
    let mut files = 0;
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            for word in ["portamento::", "Native", "run(", "extern crate"] {
                assert!(!source.contains(word), "{} has {word}", path.display());
            }
            files += 1;
        }
    }
    assert_eq!(files, 7);
}
