//! What the README says of the examples is what is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What stands behind `flag` in a command.
fn value<'a>(command: &'a str, flag: &str) -> Option<&'a str> {
    command.split_once(flag)?.1.split_whitespace().next()
}

#[test]
fn the_readme_has_a_command_for_every_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let commands: Vec<&str> =
        readme.lines().filter(|line| line.starts_with("cargo run") && line.contains("--example")).collect();

    let listed: BTreeSet<String> =
        commands.iter().filter_map(|line| value(line, "--example")).map(str::to_owned).collect();
    let files = fs::read_dir(folder.join("examples")).unwrap();
    let there: BTreeSet<String> =
        files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(listed, there);

    for command in commands {
        let name = value(command, "--example").unwrap();
        let needs = manifest.split_once(&format!("[[example]]\nname = \"{name}\"")).and_then(|(_, rest)| {
            let example = rest.split("[[").next().unwrap();
            example.lines().find_map(|line| line.strip_prefix("required-features = "))
        });
        let named = value(command, "--features").map(|feature| format!("[\"{feature}\"]"));
        assert_eq!(needs, named.as_deref(), "{command}");
    }
}
