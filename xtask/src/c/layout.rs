//! Do C# and C++ know the interface as the header has it?
//!
//! C# repeats each struct by hand. A program made from the header prints the size and the places of the fields of each, a
//! program in C# compares. And each function of the header is called by both wrappers.

use super::{C, compile_csharp, mono};
use crate::job::{Job, root, write};
use std::fs;

const SOURCE: &str = "bindings/tests/Layout.cs";

pub fn run(folder: &str) -> Result<(), String> {
    let header = read("bindings/portamento.h")?;
    let program = root().join(folder).join("layout");
    let source = program.with_extension("c");
    write(&source, printing(&structs(&header)))?;
    let (compiler, language) = C;
    Job::new(compiler)
        .words(language)
        .words("-Wall -Werror -Ibindings -o")
        .arg(&program)
        .arg(&source)
        .run()?;
    let listed = Job::of(&program).output()?;
    let list = program.with_extension("txt");
    write(&list, listed)?;
    compile_csharp(SOURCE, "")?;
    mono(SOURCE, "").arg(&list).run()?;
    for wrapper in ["bindings/portamento.hpp", "bindings/csharp/Portamento.cs"] {
        let text = read(wrapper)?;
        let left: Vec<&str> = functions(&header).into_iter().filter(|name| !names(&text, name)).collect();
        if !left.is_empty() {
            return Err(format!("{wrapper} calls none of {left:?}"));
        }
    }
    Ok(())
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

/// Whether `text` has this name, not merely as the beginning of another.
fn names(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        !text[at + name.len()..].starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_')
    })
}

/// The structs of the header but for handles, each with its fields.
fn structs(header: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut inside = false;
    for line in header.lines() {
        if let Some(name) = line.strip_prefix("typedef struct ").and_then(|rest| rest.strip_suffix(" {")) {
            found.push((name, Vec::new()));
            inside = true;
        } else if line.starts_with('}') {
            inside = false;
        } else if inside
            && let Some(field) = line.trim().strip_suffix(';')
            && let Some(name) = field.rsplit([' ', '*']).next()
            && let Some((_, fields)) = found.last_mut()
        {
            fields.push(name.split('[').next().unwrap_or(name));
        }
    }
    found.retain(|(_, fields)| fields != &["id"]);
    found
}

/// A program that prints, for each struct, its name, its size and where its fields are.
fn printing(structs: &[(&str, Vec<&str>)]) -> String {
    let mut text = String::from("#include \"portamento.h\"\n#include <stdio.h>\nint main(void) {\n");
    for (name, fields) in structs {
        text += &format!("    printf(\"{name} %zu\", sizeof({name}));\n");
        for field in fields {
            text += &format!("    printf(\" %zu\", offsetof({name}, {field}));\n");
        }
        text += "    printf(\"\\n\");\n";
    }
    text + "    return 0;\n}\n"
}

/// The functions that the header declares.
fn functions(header: &str) -> Vec<&str> {
    header
        .lines()
        .filter(|line| !line.starts_with("//") && !line.starts_with("typedef") && !line.starts_with(' '))
        .filter_map(|line| line.split_once('(')?.0.rsplit([' ', '*']).next())
        .filter(|name| name.starts_with("portamento_"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "typedef struct portamento_track {\n  // The handle.\n  uint64_t id;\n} portamento_track;\n\
                          typedef struct portamento_pose {\n  // x, y, z.\n  float position[3];\n  struct a *b;\n}\n\
                          // Frees portamento_that(x).\nenum portamento_status portamento_track_free(struct a);\n\
                          size_t portamento_last_error(char *buffer,\n                             size_t x);\n";

    #[test]
    fn structs_and_functions_are_found() {
        assert_eq!(structs(HEADER), [("portamento_pose", vec!["position", "b"])]);
        assert_eq!(functions(HEADER), ["portamento_track_free", "portamento_last_error"]);
        assert!(names("Free<portamento_track_free>", "portamento_track_free"));
        assert!(!names("portamento_track_free_all()", "portamento_track_free"));
    }
}
