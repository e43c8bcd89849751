//! The binary as a user meets it: exit codes, messages, same bytes for the same seed.

use std::path::PathBuf;
use std::process::{Command, Output};

fn portamento(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_portamento")).args(arguments).output().unwrap()
}

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("portamento-{}-{name}", std::process::id()))
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_does_not() {
    let run = |seed: &str, name: &str| {
        let out = temporary(name);
        let path = out.to_str().unwrap();
        let done = portamento(&[
            "lab",
            "--scenario",
            "links",
            "--seconds",
            "6",
            "--seed",
            seed,
            "--json",
            "--out",
            path,
        ]);
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        let page = std::fs::read(&out).unwrap();
        let _ = std::fs::remove_file(&out);
        (done.stdout, page)
    };
    let (first, second, other) = (run("5", "a.html"), run("5", "b.html"), run("6", "c.html"));
    assert!(first == second, "two runs with one seed differ");
    assert!(first.0 != other.0 && first.1 != other.1, "the seed changes nothing");
}

#[test]
fn bad_input_is_exit_code_2_with_a_message() {
    let cases: [(&[&str], &str); 12] = [
        (&["lab", "--frames", "no-such-file.csv"], "no-such-file.csv"),
        (&["lab", "--tick-rate", "0"], "between 1 and 2000"),
        (&["lab", "--scenario", "sea"], "possible values"),
        (&["lab", "--data", "no-such-directory"], "no-such-directory"),
        (&["frames", "no-such-file.csv"], "cannot be opened"),
        (
            &["lab", "--scenario", "gate", "--seconds", "6", "--no-report", "--strategy", "magic"],
            "no strategy is called `magic`; there are: oracle; oracle-blend; newest quantum drawn; no gate, fixed 30 Hz",
        ),
        (&["lab", "--max-judder", "NaN"], "give a number, 0 or more"),
        (&["lab", "--max-judder", "-1"], "give a number, 0 or more"),
        (&["frames", "x.csv", "--max-interval", "inf"], "give a number, 0 or more"),
        (&["frames", env!("CARGO_MANIFEST_DIR")], "is a directory (name the CSV file itself)"),
        (&["replay", env!("CARGO_MANIFEST_DIR")], concat!(env!("CARGO_MANIFEST_DIR"), ": cannot be read")),
        (
            &["lab", "--scenario", "gate", "--seconds", "6", "--out", "no-such-directory/report.html"],
            "no-such-directory/report.html: cannot be written",
        ),
    ];
    for (arguments, word) in cases {
        let done = portamento(arguments);
        let message = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(word), "{arguments:?}: {message}");
    }
}

#[test]
fn a_limit_that_is_exceeded_is_exit_code_1() {
    let loose = ["lab", "--scenario", "gate", "--seconds", "6", "--no-report", "--max-judder", "1"];
    assert_eq!(portamento(&loose).status.code(), Some(0));
    let tight = ["lab", "--scenario", "gate", "--seconds", "6", "--no-report", "--max-judder", "0.000001"];
    let done = portamento(&tight);
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&done.stderr).contains("found: "));

    let file = temporary("hitch.csv");
    std::fs::write(&file, "display_interval_ms\n16\n16\n90\n16\n").unwrap();
    let path = file.to_str().unwrap();
    assert_eq!(portamento(&["frames", path]).status.code(), Some(0));
    assert_eq!(portamento(&["frames", path, "--max-interval", "50"]).status.code(), Some(1));
    let done = portamento(&["frames", path, "--max-animation-error", "2"]);
    assert_eq!(done.status.code(), Some(2), "a limit that cannot be judged is not kept");
    let _ = std::fs::remove_file(&file);
}

#[test]
fn every_command_has_help_worth_reading() {
    for command in ["lab", "frames", "replay", "contest", "yardstick", "completions"] {
        let done = portamento(&[command, "--help"]);
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        assert_eq!(done.status.code(), Some(0));
        assert!(text.contains("Example"), "{command}: {text}");
        let examples = text.split_once("Example").unwrap().1;
        assert!(examples.lines().all(|line| line.len() <= 80), "{command}: {examples}");
    }
    let top = String::from_utf8_lossy(&portamento(&["--help"]).stdout).into_owned();
    assert!(top.contains("Examples:") && top.contains("Exit status:"), "{top}");
    assert!(!top.contains("--tick-rate"), "the lab's options bury the commands:\n{top}");
}

#[test]
fn shells_complete_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let done = portamento(&["completions", shell]);
        assert_eq!(done.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&done.stdout).contains("yardstick"), "{shell}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let pipe = std::process::Stdio::piped;
    let arguments = ["lab", "--scenario", "gate", "--seconds", "6", "--no-report", "--max-judder", "0"];
    let program =
        Command::new(env!("CARGO_BIN_EXE_portamento")).args(arguments).stdout(pipe()).stderr(pipe()).spawn();
    let mut child = program.unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(1), "a closed pipe changes nothing of what was found");
}

/// A file system that is full cannot be had in a test, but a limit of the size of files can: half of the new report is
/// written, then no more.
#[test]
#[cfg(unix)]
fn a_report_that_cannot_be_written_leaves_the_old_one() {
    let folder = temporary("full");
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join("report.html");
    std::fs::write(&out, "the good one").unwrap();
    let done = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" lab --scenario gate --seconds 6 --out \"$1\""])
        .arg(env!("CARGO_BIN_EXE_portamento"))
        .arg(&out)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(2), "{message}");
    assert!(message.contains("cannot be written"), "{message}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "the good one");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
#[cfg(unix)]
fn names_of_files_reach_the_terminal_escaped() {
    let folder = temporary("names");
    std::fs::create_dir_all(&folder).unwrap();
    let motion = folder.join("motion-a\x1b[31m|b\nc.csv");
    let rows: String =
        (0..400).map(|k| format!("{},{},0,0,0\n", f64::from(k) / 40.0, f64::from(k) / 10.0)).collect();
    std::fs::write(&motion, format!("t,x,y,z,cut\n{rows}")).unwrap();
    let path = motion.to_str().unwrap();
    for form in ["--markdown", "--json", "--strategy=portamento"] {
        let done = portamento(&["lab", "--motion", path, "--no-report", form]);
        let text =
            String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{text}");
        assert!(!text.contains('\x1b'), "{form}: {text:?}");
        if form == "--markdown" {
            for line in text.lines() {
                assert_eq!(line.replace("\\|", "").matches('|').count(), 6, "{line}");
            }
        }
    }
    let capture = folder.join("capture\x1b[2J.csv");
    std::fs::write(&capture, "Application,MsBetweenPresents,MsBetweenDisplayChange\nbad\x1b[31m,x,16\n")
        .unwrap();
    let done = portamento(&["frames", capture.to_str().unwrap()]);
    assert_eq!(done.status.code(), Some(2));
    assert!(!done.stderr.contains(&0x1b), "{}", String::from_utf8_lossy(&done.stderr));
    std::fs::remove_dir_all(&folder).unwrap();
}
