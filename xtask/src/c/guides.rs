//! Does the code of the guides and of the first page compile?
//!
//! Every block of C, C++ and C# is a whole file. The engines are not here: `bindings/tests/stubs` declares what the guides
//! use of them.

use super::pack::{blocks, entries};
use super::{C, CPP, STRICT};
use crate::job::{Job, root, write};
use std::fs;
use std::path::Path;

const STUBS: &str = "bindings/tests/stubs";

pub fn run(folder: &str) -> Result<(), String> {
    let mut compiled = 0;
    let first = root().join("bindings/README.md");
    for guide in entries(&root().join("bindings/guides"))?.into_iter().chain([first]) {
        let page = fs::read_to_string(&guide).map_err(|error| format!("{}: {error}", guide.display()))?;
        let name = guide.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (extension, (compiler, language)) in [("c", C), ("cpp", CPP)] {
            for (number, code) in blocks(&page, extension).enumerate() {
                let source = root().join(folder).join(format!("guide-{name}-{number}.{extension}"));
                write(&source, code)?;
                Job::new(compiler)
                    .words(language)
                    .words(STRICT)
                    .arg(format!("-I{STUBS}"))
                    .arg("-fsyntax-only")
                    .arg(&source)
                    .run()?;
                compiled += 1;
            }
        }
        let code: Vec<String> = blocks(&page, "csharp").collect();
        if !code.is_empty() {
            compile_csharp(folder, &name, &code.concat())?;
            compiled += code.len();
        }
    }
    // A page whose blocks are not recognised would pass unseen.
    if compiled < 7 { Err(format!("only {compiled} blocks of code in the guides")) } else { Ok(()) }
}

fn compile_csharp(folder: &str, name: &str, code: &str) -> Result<(), String> {
    let source = root().join(folder).join(format!("guide-{name}.cs"));
    write(&source, code)?;
    let stub = Path::new(STUBS).join(name).with_extension("cs");
    let engine = if name == "unity" { "-d:UNITY_5_3_OR_NEWER" } else { "" };
    // Public fields that only the engine's editor fills (649), private methods that only the engine calls.
    Job::new("mcs -langversion:7 -warnaserror -nowarn:649 -t:library")
        .words(engine)
        .arg(format!("-out:{}", source.with_extension("dll").display()))
        .arg("bindings/csharp/Portamento.cs")
        .arg(stub)
        .arg(&source)
        .run()
}
