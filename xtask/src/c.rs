//! The C interface, and the programs in C, C++ and C# that use it.

use crate::job::{Job, root};
use std::fs;

/// Where the programs are built.
const FOLDER: &str = "target/c";

/// C programs and C++ programs, each with its compiler and the language it is held to.
const NATIVE: [(&str, &str, &str); 2] =
    [("cc", "-std=c11", "bindings/c/plain_loop.c"), ("c++", "-std=c++17", "bindings/cpp/platformer.cpp")];

/// What the job installs, if it has to.
pub fn fetches() -> Option<String> {
    (!has_mono())
        .then(|| "installs Mono on this machine (apt-get install mono-mcs mono-runtime).".to_string())
}

fn has_mono() -> bool {
    Job::new("mcs --version").succeeds() && Job::new("mono --version").succeeds()
}

/// Builds the library and every program, and runs them: natively with the sanitizers of the compiler, C# under Mono.
pub fn run() -> Result<(), String> {
    fs::create_dir_all(root().join(FOLDER)).map_err(|error| format!("cannot make {FOLDER}: {error}"))?;
    Job::new("cargo build --release -p portamento-c").run()?;
    only_our_symbols()?;
    let library = root().join("target/release");
    for (compiler, language, source) in NATIVE {
        let program =
            root().join(FOLDER).join(source.rsplit('/').next().unwrap_or(source)).with_extension("");
        Job::new(compiler)
            .words(language)
            .words("-Wall -Wextra -Wpedantic -Werror -g -fsanitize=address,undefined -Ibindings")
            .arg(source)
            .arg(library.join("libportamento_c.a"))
            .words("-lm -lpthread -ldl -o")
            .arg(&program)
            .run()?;
        Job::of(&program).run()?;
    }
    csharp()
}

fn csharp() -> Result<(), String> {
    if !has_mono() {
        let cure = "install Mono (Debian: apt-get install mono-mcs mono-runtime), or leave this job out: cargo xtask \
                    test --without c";
        if !Job::new("apt-get --version").succeeds() {
            return Err(format!("the C# program needs mcs and mono: {cure}"));
        }
        Job::new("apt-get update -qq")
            .run()
            .and_then(|()| {
                Job::new("apt-get install -y -qq --no-install-recommends mono-mcs mono-runtime")
                    .env("DEBIAN_FRONTEND", "noninteractive")
                    .run()
            })
            .map_err(|why| format!("{why}\nThe C# program needs mcs and mono: {cure}"))?;
    }
    let program = root().join(FOLDER).join("QuantumGate.exe");
    Job::new("mcs -langversion:7 bindings/csharp/Portamento.cs bindings/csharp/QuantumGate.cs")
        .arg(format!("-out:{}", program.display()))
        .run()?;
    Job::new("mono").arg(&program).env("LD_LIBRARY_PATH", root().join("target/release")).run()
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
