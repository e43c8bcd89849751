//! The program, with scripts of systems `steps` and `gate`: what it prints, when it prints it, and how it refuses.

use super::{by_program, lines, near, program};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Command;

/// The script prints just these lines.
#[track_caller]
fn prints(script: &str, want: &[Value]) {
    let got = lines(script);
    assert_eq!(got.len(), want.len(), "one line for each event");
    for (got, want) in got.iter().zip(want) {
        let want = want.as_object().unwrap();
        assert_eq!(got.as_object().unwrap().len(), want.len(), "{got}");
        for (key, want) in want {
            assert!(near(&got[key], want, 1e-9), "{key}: wanted {want} in {got}");
        }
    }
}

#[test]
fn steps_ticks_and_draws() {
    prints(
        r#"{"replay":1,"system":"steps","velocity":[60,0,0]}
{"frame":0.25}
{"frame":"NaN"}

{"frame":0.4}
{"velocity":[0,6,0]}
{"frame":0.025}
{"cut":[5,0,0]}
{"correct":[6,0,0]}
{"rebase":[100,0,0]}
"#,
        &[
            json!({"ticks":15,"alpha":0,"dropped":0,"position":[15,0,0],"view":[14,0,0]}),
            json!({"ticks":0,"alpha":0,"dropped":0,"position":[15,0,0],"view":[14,0,0]}),
            json!({"ticks":15,"alpha":0,"dropped":0.15,"position":[30,0,0],"view":[29,0,0]}),
            json!({"ticks":0,"alpha":0,"dropped":0,"position":[30,0,0],"view":[29,0,0]}),
            json!({"ticks":1,"alpha":0.5,"dropped":0,"position":[30,0.1,0],"view":[30,0.05,0]}),
            json!({"ticks":0,"alpha":0.5,"dropped":0,"position":[5,0,0],"view":[5,0,0]}),
            json!({"ticks":0,"alpha":0.5,"dropped":0,"position":[6,0,0],"view":[5.5,0,0]}),
            json!({"ticks":0,"alpha":0.5,"dropped":0,"position":[106,0,0],"view":[105.5,0,0]}),
        ],
    );
}

#[test]
fn steps_snaps_and_takes_a_step_length() {
    prints(
        r#"{"replay":1,"system":"steps","step":0.1,"snap":true,"display_hz":null,"max_frame":1,"start":[1,1,1],"velocity":[1,0,0]}
{"frame":0.0951}
{"frame":0.0501}
"#,
        &[
            json!({"ticks":1,"alpha":0,"dropped":0,"position":[1.1,1,1],"view":[1,1,1]}),
            json!({"ticks":0,"alpha":0.5,"dropped":0,"position":[1.1,1,1],"view":[1.05,1,1]}),
        ],
    );
}

#[test]
fn gate_runs_quanta_under_each_rule() {
    prints(
        r#"{"replay":1,"system":"gate","rule":"client","velocity":[10,0,0]}
{"frame":0.05}
{"frame":0.01}
{"frame":2.5}
{"frame":0.01}
{"correct":[1.5,0,0]}
{"cut":[100,0,0]}
"#,
        &[
            json!({"quanta":[0.05],"stale":false,"alpha":0,"presented":1.0 / 30.0,"position":[0.5,0,0],"view":[0,0,0]}),
            json!({"quanta":[],"stale":false,"alpha":0.2,"presented":0.01,"position":[0.5,0,0],"view":[0.1,0,0]}),
            json!({"quanta":[],"stale":true,"alpha":0,"presented":2.5,"position":[0.5,0,0],"view":[0.5,0,0]}),
            json!({"quanta":[],"stale":false,"alpha":0.3,"presented":0.01,"position":[0.5,0,0],"view":[0.5,0,0]}),
            json!({"quanta":[],"stale":false,"alpha":0.3,"presented":0,"position":[1.5,0,0],"view":[0.8,0,0]}),
            json!({"quanta":[],"stale":false,"alpha":0,"presented":0,"position":[100,0,0],"view":[100,0,0]}),
        ],
    );
    prints(
        r#"{"replay":1,"system":"gate","rule":"seed","velocity":[10,0,0]}
{"frame":0.15}
{"frame":0.001}
"#,
        &[
            json!({"quanta":[0.1],"stale":false,"alpha":1,"presented":0.1 + 1.0 / 30.0,"position":[1,0,0],"view":[1,0,0]}),
            json!({"quanta":[0.051],"stale":false,"alpha":0,"presented":0.051 - 1.0 / 30.0,"position":[1.51,0,0],"view":[1,0,0]}),
        ],
    );
    prints(
        r#"{"replay":1,"system":"gate","velocity":[10,0,0]}
{"frame":0.04}
{"frame":0.01}
{"frame":0.06}
"#,
        &[
            json!({"quanta":[0.04],"stale":false,"alpha":0,"presented":1.0 / 30.0,"position":[0.4,0,0],"view":[0,0,0]}),
            json!({"quanta":[],"stale":false,"alpha":0.25,"presented":0.01,"position":[0.4,0,0],"view":[0.1,0,0]}),
            json!({"quanta":[0.07],"stale":false,"alpha":0,"presented":0.03,"position":[1.1,0,0],"view":[0.4,0,0]}),
        ],
    );
}

#[test]
fn a_bad_line_ends_the_run_with_its_number_and_what_is_wrong() {
    let steps = r#"{"replay":1,"system":"steps"}"#;
    for (script, line, words) in [
        ("", 1, "empty"),
        ("\n\nnot json\n", 3, "not JSON"),
        ("\"\u{7f}\u{9b}31m\"", 1, "\\u{7f}\\u{9b}31m"),
        (r#"{"system":"steps"}"#, 1, "replay"),
        (r#"{"replay":2,"system":"steps"}"#, 1, "2"),
        (r#"{"replay":1,"system":"dance"}"#, 1, "dance"),
        (r#"{"replay":1,"system":"steps","hz":0}"#, 1, "0"),
        (r#"{"replay":1,"system":"steps","hz":"NaN"}"#, 1, "hz"),
        (r#"{"replay":1,"system":"steps","hz":60,"step":0.1}"#, 1, "both"),
        (r#"{"replay":1,"system":"steps","speed":3}"#, 1, "speed"),
        (r#"{"replay":1,"system":"steps","start":[1,2]}"#, 1, "start"),
        (r#"{"replay":1,"system":"steps","start":[1,2,3,0,0,0,1]}"#, 1, "start"),
        (r#"{"replay":1,"system":"steps","max_frame":-1}"#, 1, "-1"),
        (r#"{"replay":1,"system":"steps","display_hz":-144}"#, 1, "-144"),
        (r#"{"replay":1,"system":"gate","rule":"odd"}"#, 1, "odd"),
        (r#"{"replay":1,"system":"gate","min":0.5}"#, 1, "0.5"),
        (&format!("{steps}\n{{\"frame\":0.1}}\n{{\"frame\":\"nan\"}}"), 3, "nan"),
        (&format!("{steps}\n{{\"frame\":0.1,\"extra\":1}}"), 2, "extra"),
        (&format!("{steps}\n{{\"jump\":[0,0,0]}}"), 2, "jump"),
        (&format!("{steps}\n{{\"cut\":[0,0,\"NaN\"]}}"), 2, "cut"),
        (&format!("{steps}\n[1]"), 2, "object"),
        (&format!("{steps}\n{{\"frame\":1e999}}"), 2, "not JSON"),
        (&format!("{steps}\n{{\"frame\":0.1,\"frame\":0.2}}"), 2, "\"frame\" is given twice"),
        (&format!("\u{feff}{steps}"), 1, "byte order mark"),
        (r#"{"replay":1,"system":"steps","step":0}"#, 1, "step is 0"),
        (r#"{"replay":1,"system":"steps","step":-0.5}"#, 1, "step is -0.5"),
        (&format!("{steps}\n{{\"cut\":[1e308,0,0]}}\n{{\"rebase\":[1e308,0,0]}}"), 3, "[inf, 0.0, 0.0]"),
        ("{\"replay\":1,\"system\":\"gate\",\"velocity\":[0,1e308,0]}\n{\"frame\":1.9}", 2, "inf"),
        ("{\"replay\":1,\"system\":\"steps\",\"max_frame\":1e9}\n{\"frame\":1e9}", 2, "60000000000 ticks"),
    ] {
        let output = by_program(script.as_bytes());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{script}");
        assert!(error.starts_with(&format!("line {line}: ")) && error.contains(words), "{script}\n{error}");
        let events = script.trim().lines().count().saturating_sub(2);
        let printed = output.stdout.lines().count();
        assert!(printed <= events, "{script}");
    }
    let long = by_program(format!("{steps}\n{{\"frame\":0.1,\"{}\":0}}", "x".repeat(1_000_000)).as_bytes());
    assert!(long.status.code() == Some(2) && long.stderr.len() < 200, "{}", long.stderr.len());
    let output = by_program(format!("{steps}\n{{\"frame\":0.1}}\nx\n").as_bytes());
    assert_eq!(output.stdout.lines().count(), 1, "the lines before it are printed");
}

#[test]
fn a_pipe_can_be_driven_step_by_step() {
    let mut child = program();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    writeln!(input, r#"{{"replay":1,"system":"steps","velocity":[60,0,0]}}"#).unwrap();
    for i in 1..=5 {
        writeln!(input, r#"{{"frame":0.016666666666666666}}"#).unwrap();
        input.flush().unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let value: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["position"][0].as_f64(), Some(i as f64));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_file_that_does_not_exist_is_named() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_portamento")).args(["replay", "no/such/file"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no/such/file"));
}

#[test]
fn numbers_are_read_to_the_last_bit() {
    // Two sixtieths are exactly a thirtieth, which the client's gate does not run: one unit in the last place more
    // and it would.
    let sixtieth = 1.0f64 / 60.0;
    for times in 0..200 {
        let odd = f64::from_bits(sixtieth.to_bits() + times);
        let script = format!(
            "{{\"replay\":1,\"system\":\"gate\",\"rule\":\"client\",\"max\":1}}\n{{\"frame\":{odd}}}\n{{\"frame\":{odd}}}\n"
        );
        let ran = !lines(&script)[1]["quanta"].as_array().unwrap().is_empty();
        assert_eq!(ran, odd + odd > 1.0 / 30.0, "{odd}");
    }
}
