//! Every job of CI and of a developer is a subcommand of this small tool.
//!
//! It has no dependencies, so that it builds in seconds on a fresh machine.

mod arm;
mod arm_target;
mod avx512;
mod bevy;
mod browser;
mod c;
mod counts;
mod debian;
mod debian_rust;
mod docsrs;
mod figures;
mod job;
mod json;
mod loops;
mod mutants;
mod pack;
mod surface;
mod test;
mod wasm;
mod wasm_target;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <job>

  test [--without JOB].. everything that CI checks, stopping at the first failure; JOB is one of:
                         {jobs}
  quick                  what a developer runs between edits: format; clippy for library, lab and this tool; the
                         library's tests with its default features, its documentation's examples, and its
                         public items;
                         104 s from a fresh clone, 33 s after an edit, on two cores
  wasm [--own-std]       the golden bits in WebAssembly, with and without SIMD; with --own-std not by the compiler
                         in use but by Debian's, with a std built here
  arm [--unpacked]       the golden bits and the tests within the library on 64-bit ARM, in an emulator if this is
                         none; with --unpacked not by what is installed but by Debian's packages
  bevy [--rivals]        the Bevy plugin, in its own workspace; with --rivals raced against what others use
  c [--cost]             the C interface: its programs in C, C++ and C#, with sanitizers and valgrind, and a pack for
                         people without Rust, tried outside of the repository; with --cost what a call costs
  pack                   every crate packed as for publishing, built and tested outside the checkout; prints the sizes
  loops [--write]        the recipes' loops against winit, macroquad and SDL, checked but not linked, and the page
                         that shows them (or put them there)
  docsrs [--bevy]        the library's documentation as docs.rs builds it (or the Bevy plugin's, with minutes of building);
                         needs a nightly toolchain
  browser                the lab's report in a real browser, with screenshots in target/screenshots
  web                    the browser package: tests in Node.js, packed and installed, then measured in a real
                         browser, with the figures in target/web-report.txt
  figures [--write]      the README's figures against what the lab prints (or put them there)
  bench                  every timed benchmark, each a table of ratios from one run
  surface [--write]      the public items against docs/surface.txt (or write them there, and the table in
                         docs/notes/api.md); --table and --print show them
  counts [--save]        instruction counts against benchmarks/counts.txt (or save them there)
  stress                 the exchange under load for 10 s a case, and 200 kills of either side
  soak [OPTION VALUE]..  every public type driven with random and extreme numbers for a minute, with a new seed that
                         is printed; --minutes N, --operations N, --seed S, --only NAMES, --case N, --resume FILE;
                         --profile release: optimised, with overflow checks
  fuzz [SECONDS]         a minute (or so many seconds) of each fuzz target; needs a nightly toolchain and cargo-fuzz
  avx512                 the batch's parity tests with AVX-512, in an emulator if the processor has none
  mutants [WORD]         break each promise once and see its test turn red (those whose name holds WORD)

A job names each command before it runs it, so that you can run it yourself.
";

fn help() -> String {
    HELP.replace("{jobs}", &test::names())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["avx512", program, arguments @ ..] => avx512::emulate(program, arguments),
        [.., "help" | "--help" | "-h"] => {
            print!("{}", help());
            return ExitCode::SUCCESS;
        }
        ["test", options @ ..] => test::everything(options),
        ["quick"] => test::quick(),
        ["wasm"] => wasm::run(false),
        ["wasm", "--own-std"] => wasm::run(true),
        ["arm"] => arm::run(false),
        ["arm", "--unpacked"] => arm::run(true),
        ["bevy"] => bevy::run(),
        ["bevy", "--rivals"] => bevy::rivals(),
        ["browser"] => browser::run(),
        ["web"] => web::run(),
        ["c"] => c::run(),
        ["c", "--cost"] => c::cost(),
        ["pack"] => pack::run(),
        ["docsrs"] => docsrs::run(false),
        ["docsrs", "--bevy"] => docsrs::run(true),
        ["loops"] => loops::run(false),
        ["loops", "--write"] => loops::run(true),
        ["stress"] => test::stress(),
        ["figures"] => figures::run(false),
        ["figures", "--write"] => figures::run(true),
        ["bench"] => test::bench(),
        ["counts"] => counts::run(false),
        ["counts", "--save"] => counts::run(true),
        ["surface", options @ ..] => surface::run(options),
        ["soak", options @ ..] => test::soak(options),
        ["fuzz"] => test::fuzz("60"),
        ["fuzz", seconds] => test::fuzz(seconds),
        ["avx512"] => avx512::run(),
        ["mutants"] => mutants::run(""),
        ["mutants", word] => mutants::run(word),
        _ => {
            eprint!("{}", help());
            if !words.is_empty() {
                eprintln!("\nxtask: there is no job `{}`", words.join(" "));
            }
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("\nxtask: {why}");
            ExitCode::FAILURE
        }
    }
}
