//! The same bits on ARM?
//!
//! The tests of the library's arithmetic, compiled for 64-bit ARM and run there: every golden, and the tests within the
//! modules. Then the code itself is looked into: what is fused rounds once where two roundings are written, and a kernel
//! that is not made of vectors keeps its bits and loses its speed.

use crate::arm_target::{self, Machine};
use crate::job::root;
use std::collections::BTreeMap;

/// The tests that print which kernel gave which bits.
const PARITY: &str = "batch::tests::parity";

/// Returns what a run would fetch.
pub fn fetches() -> Option<String> {
    arm_target::fetches().map(|costs| {
        format!(
            "unpacks Debian's compiler, linker and emulator below target/ and nowhere else, once ({costs})."
        )
    })
}

/// Compiles and runs the tests.
pub fn run(unpacked: bool) -> Result<(), String> {
    let machine = Machine::find(unpacked)?;
    // No feature that has nothing to do with numbers: what it needs would only be waited for.
    let built = machine
        .cargo("test --no-run --profile arm --locked -p portamento --no-default-features --features std --lib --test golden --message-format=json-render-diagnostics")
        .env("CARGO_TARGET_DIR", root().join("target/arm").join(machine.name()))
        .output()?;
    let programs = programs(&built);
    let (golden, library) = (program(&programs, "golden")?, program(&programs, "portamento")?);
    machine.program(golden).run()?;
    let parity = machine.program(library).arg(PARITY).words("--nocapture --test-threads=1").output()?;
    println!("{parity}");
    if !parity.contains("kernel neon") {
        return Err("the tests passed on ARM, but not by the kernel that is made of its vectors".into());
    }
    // The exchange's tests are about the order of memory, and an emulator has that of the machine it runs on.
    machine.program(library).words("--quiet --skip exchange:: --skip").arg(PARITY).run()?;
    if !cfg!(target_os = "linux") {
        println!(
            "The same bits on ARM. Its instructions were not looked into: that is done with GNU's objdump."
        );
        return Ok(());
    }
    let listing = machine.objdump().words("-d --no-show-raw-insn").arg(golden).output()?;
    println!("{}", look_into(&listing)?.join("\n"));
    println!("The same bits on ARM, by vectors, with nothing fused.");
    Ok(())
}

/// The programs that cargo says it has made.
fn programs(messages: &str) -> Vec<&str> {
    messages
        .lines()
        .filter_map(|line| line.split_once("\"executable\":\"")?.1.split_once('"'))
        .map(|(program, _)| program)
        .collect()
}

fn program<'a>(programs: &[&'a str], name: &str) -> Result<&'a str, String> {
    let is_it =
        |path: &&&str| path.rsplit('/').next().is_some_and(|file| file.starts_with(&format!("{name}-")));
    programs.iter().find(is_it).copied().ok_or_else(|| format!("cargo made no program {name}: {programs:?}"))
}

const FUSED: [&str; 6] = ["fmadd", "fmsub", "fnmadd", "fnmsub", "fmla", "fmls"];
/// Without any of which a kernel is not done four numbers at a time.
const VECTORS: [&str; 5] = ["fsqrt", "fadd", "fsub", "fmul", "fdiv"];

/// What the batch's kernels, one function for each kind of pose, are made of; or what is wrong with them.
fn look_into(listing: &str) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    let mut kernels = Vec::new();
    for (function, instructions) in functions(listing) {
        if let Some(fused) = instructions.iter().find(|(name, _)| FUSED.contains(name)) {
            wrong.push(format!("{} in {function}", fused.0));
        }
        if function.contains("write_tiles") {
            let fours = VECTORS.map(|wanted| {
                instructions.iter().filter(|(name, of)| *name == wanted && of.contains(".4s")).count()
            });
            let found: BTreeMap<_, _> = VECTORS.into_iter().zip(fours).collect();
            kernels.push(format!("fours in a kernel: {found:?}"));
            // Three of the four forms have rotations, and so square roots.
            if fours.iter().any(|&times| times < 3) {
                wrong.push(format!("{function} has too few instructions for fours: {found:?}"));
            }
        }
    }
    if kernels.len() != 3 {
        wrong.push(format!("{} functions write_tiles instead of 3", kernels.len()));
    }
    if wrong.is_empty() {
        Ok(kernels)
    } else {
        Err(format!("Not the right instructions:\n  {}", wrong.join("\n  ")))
    }
}

/// Our functions in what objdump prints, each with its instructions and what they work on.
fn functions(listing: &str) -> Vec<(&str, Vec<(&str, &str)>)> {
    let mut functions: Vec<(&str, Vec<_>)> = Vec::new();
    for line in listing.lines() {
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
            functions.push((name, Vec::new()));
        } else if let (Some((_, instruction)), Some(function)) =
            (line.split_once(":\t"), functions.last_mut())
        {
            function.1.push(instruction.split_once('\t').unwrap_or((instruction, "")));
        }
    }
    // What the C library does is its own affair.
    functions.retain(|(name, _)| name.contains("portamento") || name.contains("golden"));
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What objdump prints of three kernels, with `times` of each instruction on `registers`, and of one function more.
    fn listing(times: usize, registers: &str, more: &str) -> String {
        let body: String =
            VECTORS.iter().map(|name| format!("  40000c:\t{name}\t{registers}\n").repeat(times)).collect();
        let kernel =
            format!("0000000000400000 <_ZN10portamento11write_tiles17h0E>:\n{body}  400010:\tret\n\n");
        kernel.repeat(3) + more
    }

    const FOURS: &str = "v0.4s, v1.4s, v2.4s";

    #[test]
    fn kernels_of_vectors_pass() {
        assert_eq!(look_into(&listing(3, FOURS, "")).unwrap().len(), 3);
    }

    #[test]
    fn a_kernel_that_is_not_of_vectors_or_not_there_is_noticed() {
        assert!(look_into(&listing(2, FOURS, "")).unwrap_err().contains("too few"));
        assert!(look_into(&listing(9, "s0, s1, s2", "")).unwrap_err().contains("too few"));
        assert!(look_into("").unwrap_err().contains("0 functions"));
    }

    #[test]
    fn what_is_fused_is_noticed_in_our_functions_alone() {
        let function = |name| format!("0000000000500000 <{name}>:\n  500004:\tfmadd\td0, d1, d2, d3\n");
        assert!(
            look_into(&listing(3, FOURS, &function("_ZN6golden6goldenE"))).unwrap_err().contains("fmadd")
        );
        assert!(look_into(&listing(3, FOURS, &function("__exp"))).is_ok());
    }

    #[test]
    fn programs_are_found_in_what_cargo_says() {
        let said = "{\"executable\":null}\n{\"executable\":\"/a/deps/golden-0f\",\"fresh\":true}\n";
        assert_eq!(program(&programs(said), "golden"), Ok("/a/deps/golden-0f"));
        assert!(program(&programs(said), "gold").is_err());
    }
}
