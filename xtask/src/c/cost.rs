//! What does a call from C, C++ and C# cost? Timed, so not for CI.

use super::{C, CPP, FOLDER, LINKED, STRICT, compile_csharp, mono, pack::Pack};
use crate::job::{Job, root};

const SOURCE: &str = "bindings/tests/cost.c";

pub fn run(pack: &Pack) -> Result<(), String> {
    let shared = pack.folder.join("lib");
    let rust = Job::new("cargo run --release --quiet -p portamento-c --example cost").output()?;
    let mut table = format!("Rust\n{rust}");
    for (name, (compiler, standard), language) in [("C", C, "-xc"), ("C++", CPP, "-xc++")] {
        for (linked, library) in [("static", pack.archive()), ("shared", shared.join("libportamento_c.so"))] {
            let program = root().join(FOLDER).join("cost");
            Job::new(compiler)
                .words("-O2 -DNDEBUG")
                .words(standard)
                .words(STRICT)
                .arg(language)
                .arg(SOURCE)
                .words("-xnone")
                .arg(library)
                .words(LINKED)
                .arg("-o")
                .arg(&program)
                .run()?;
            let printed = Job::of(&program).env("LD_LIBRARY_PATH", &shared).output()?;
            table += &format!("{name}, {linked} library\n{printed}");
        }
    }
    let source = "bindings/tests/Cost.cs";
    compile_csharp(source, "-optimize")?;
    table += &format!("C#, Mono\n{}", mono(source, "").output()?);
    println!("\nNanoseconds per call, the best of many runs:\n{table}");
    Ok(())
}
