//! The C interface, and the programs in C, C++ and C# that use it.

mod cost;
mod guides;
mod layout;
mod pack;

use crate::job::{Job, root};
use pack::Pack;
use std::fs;
use std::path::PathBuf;

/// Where the programs are built.
const FOLDER: &str = "target/c";

/// The languages that native programs are held to.
const C: (&str, &str) = ("cc", "-std=c11");
const CPP: (&str, &str) = ("c++", "-std=c++17");

/// Programs in C and C++, each complete in one file. Each returns 0 if it printed what it should.
const NATIVE: [((&str, &str), &str); 8] = [
    (C, "bindings/c/plain_loop.c"),
    (C, "bindings/c/two_processes.c"),
    (CPP, "bindings/cpp/platformer.cpp"),
    (CPP, "bindings/cpp/remote_players.cpp"),
    (CPP, "bindings/cpp/sketch.cpp"),
    (C, "bindings/tests/border.c"),
    (CPP, "bindings/tests/border.cpp"),
    (CPP, "bindings/tests/everything.cpp"),
];

/// Programs in C#, and what else the compiler is given for them.
const CSHARP: [(&str, &str); 4] = [
    ("bindings/csharp/QuantumGate.cs", ""),
    ("bindings/csharp/RemotePlayers.cs", ""),
    ("bindings/tests/Everything.cs", ""),
    ("bindings/csharp/Sketch.cs", "-d:PORTAMENTO_NUMERICS -r:System.Numerics.dll"),
];

/// Examples of the library that `bindings/tests/Figures.cs` repeats.
const REPEATED: [&str; 3] = ["quantum_gate", "teleport", "chase_camera"];

/// Warnings are errors, in this header as in these programs.
const STRICT: &str = "-Wall -Wextra -Wpedantic -Wshadow -Werror -Ibindings";

/// What a static library written in Rust needs on Linux.
const LINKED: &str = "-lm -lpthread -ldl";

/// What the job installs, if it has to.
pub fn fetches() -> Option<String> {
    let packages = missing();
    (!packages.is_empty())
        .then(|| format!("installs on this machine: apt-get install {}.", packages.join(" ")))
}

/// Debian's packages for the programs that are not there.
fn missing() -> Vec<&'static str> {
    ["mcs mono-mcs", "mono mono-runtime", "valgrind valgrind", "cmake cmake", "pkg-config pkg-config"]
        .iter()
        .filter_map(|both| both.split_once(' '))
        .filter(|(program, _)| !Job::new(&format!("{program} --version")).succeeds())
        .map(|(_, package)| package)
        .collect()
}

/// Builds the library, packs it, builds every program with what is packed, and runs them: natively with the sanitizers of
/// the compiler and in valgrind, C# under Mono. Then unpacks it elsewhere and does what its README says.
pub fn run() -> Result<(), String> {
    let pack = staged()?;
    only_our_symbols()?;
    for ((compiler, language), source) in NATIVE {
        let native = |program: PathBuf, words: &str| {
            Job::new(compiler)
                .words(language)
                .words(STRICT)
                .words(words)
                .arg(source)
                .arg(pack.archive())
                .words(LINKED)
                .arg("-o")
                .arg(program)
                .run()
        };
        native(built(source, "checked"), "-g -fsanitize=address,undefined -fno-sanitize-recover=all")?;
        Job::of(built(source, "checked")).run()?;
        native(built(source, ""), "-g -O1")?;
        Job::new("valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite")
            .arg(built(source, ""))
            .run()?;
    }
    // The header promises to need neither exceptions nor type information, and to be fine with the next C++.
    for words in ["-std=c++17 -fno-exceptions -fno-rtti", "-std=c++20"] {
        Job::new("c++").words(STRICT).words(words).words("-fsyntax-only bindings/cpp/sketch.cpp").run()?;
    }
    csharp()?;
    layout::run(FOLDER)?;
    guides::run(FOLDER)?;
    pack::try_elsewhere(&pack, &pack.close()?)
}

/// What a call costs from each language.
pub fn cost() -> Result<(), String> {
    cost::run(&staged()?)
}

/// Everything that is packed, not packed yet.
fn staged() -> Result<Pack, String> {
    install()?;
    fs::create_dir_all(root().join(FOLDER)).map_err(|error| format!("cannot make {FOLDER}: {error}"))?;
    Job::new("cargo build --release -p portamento-c").run()?;
    Pack::stage()
}

/// Where the program of this source goes.
fn built(source: &str, extension: &str) -> PathBuf {
    let name = source.rsplit('/').next().unwrap_or(source);
    root().join(FOLDER).join(name).with_extension(extension)
}

fn csharp() -> Result<(), String> {
    for (source, words) in CSHARP {
        compile_csharp(source, words)?;
        mono(source, "").run()?;
    }
    // What Mono's compiler takes beyond C# 7.0; nothing here runs it.
    Job::new(
        "mcs -langversion:latest -warnaserror -t:library -d:PORTAMENTO_SPANS bindings/csharp/Portamento.cs",
    )
    .arg(format!("-out:{}", root().join(FOLDER).join("Spans.dll").display()))
    .run()?;
    figures()
}

fn compile_csharp(source: &str, words: &str) -> Result<(), String> {
    Job::new("mcs -langversion:7 -warnaserror")
        .words(words)
        .arg(format!("-out:{}", built(source, "exe").display()))
        .arg("bindings/csharp/Portamento.cs")
        .arg(source)
        .run()
}

fn mono(source: &str, words: &str) -> Job {
    Job::new("mono")
        .arg(built(source, "exe"))
        .words(words)
        .env("LD_LIBRARY_PATH", root().join("target/release"))
}

/// C# prints, byte for byte, what the library's own examples print.
fn figures() -> Result<(), String> {
    let source = "bindings/tests/Figures.cs";
    compile_csharp(source, "")?;
    for example in REPEATED {
        let rust = Job::new(&format!("cargo run --quiet -p portamento --all-features --example {example}"))
            .output()?;
        let csharp = mono(source, example).output()?;
        if rust != csharp {
            let (line, here, there) = first_difference(&rust, &csharp);
            return Err(format!("{example} differs in line {line}:\nRust  {here}\nC#    {there}"));
        }
        println!("  the same {} lines", rust.lines().count());
    }
    Ok(())
}

fn first_difference<'a>(a: &'a str, b: &'a str) -> (usize, &'a str, &'a str) {
    let (mut left, mut right) = (a.lines(), b.lines());
    for line in 1.. {
        match (left.next(), right.next()) {
            (Some(here), Some(there)) if here == there => {}
            (here, there) => return (line, here.unwrap_or("(ends)"), there.unwrap_or("(ends)")),
        }
    }
    unreachable!("one of the two ends")
}

fn install() -> Result<(), String> {
    let packages = missing();
    if packages.is_empty() {
        return Ok(());
    }
    let packages = packages.join(" ");
    let cure = format!(
        "install {packages} (so Debian calls them), or leave this job out: cargo xtask test --without c"
    );
    if !Job::new("apt-get --version").succeeds() {
        return Err(cure);
    }
    Job::new("apt-get update -qq")
        .run()
        .and_then(|()| {
            Job::new("apt-get install -y -qq --no-install-recommends")
                .words(&packages)
                .env("DEBIAN_FRONTEND", "noninteractive")
                .run()
        })
        .map_err(|why| format!("{why}\n{cure}"))
}

/// A library that exports more than its interface gets in the way of others.
fn only_our_symbols() -> Result<(), String> {
    let listed = Job::new("nm -D --defined-only target/release/libportamento_c.so").output()?;
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    let foreign: Vec<&&str> = names.iter().filter(|name| !name.starts_with("portamento_")).collect();
    if names.len() < 20 {
        return Err(format!("only {} symbols are exported: the interface is not there", names.len()));
    }
    if foreign.is_empty() { Ok(()) } else { Err(format!("exported besides the interface: {foreign:?}")) }
}
