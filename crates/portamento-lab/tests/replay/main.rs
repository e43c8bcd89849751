//! `portamento replay`: what a script prints, event by event, and how a wrong one is refused.

mod fuzz;
mod program;
mod snapshots;
mod steps;
mod timed;
mod waypoints;

use portamento_lab::replay::{Failure, run};
use serde_json::Value;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// What a script prints, and how it ends.
fn replay(script: impl AsRef<[u8]>) -> (String, Result<(), Failure>) {
    let mut output = Vec::new();
    let result = run(script.as_ref(), &mut output);
    (String::from_utf8(output).expect("the output is text"), result)
}

fn values(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

/// The lines of a script that is good to its end.
#[track_caller]
fn lines(script: &str) -> Vec<Value> {
    let (output, result) = replay(script);
    assert!(result.is_ok(), "{}", result.unwrap_err());
    values(&output)
}

/// The program itself, waiting for a script.
fn program() -> Child {
    let pipe = Stdio::piped;
    let mut program = Command::new(env!("CARGO_BIN_EXE_portamento"));
    program.args(["replay", "-"]).stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn().unwrap()
}

/// The program with a whole script.
fn by_program(script: &[u8]) -> Output {
    let mut child = program();
    // A script that is refused early closes its input; that is not the test's failure.
    let _ = child.stdin.take().unwrap().write_all(script);
    child.wait_with_output().unwrap()
}

fn near(got: &Value, want: &Value, within: f64) -> bool {
    match (got, want) {
        (Value::Number(a), Value::Number(b)) => (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < within,
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(a, b, within))
        }
        _ => got == want,
    }
}

/// A line has these keys with these values, whatever else it has; rotations are of 32 bits.
#[track_caller]
fn check(line: &Value, want: &Value) {
    for (key, want) in want.as_object().unwrap() {
        assert!(near(&line[key], want, 1e-6), "{key}: wanted {want} in {line}");
    }
}
