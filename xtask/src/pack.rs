//! The packages as their users get them: packed, unpacked outside the checkout, built and tested there.

use crate::job::{Job, root, write};
use std::path::{Path, PathBuf};

/// What is published from the workspace, in the order in which it is.
const CRATES: [&str; 5] =
    ["portamento_derive", "portamento", "portamento-replay", "portamento-lab", "portamento-c"];
/// Published from a workspace of its own, after the others.
const BEVY: &str = "bevy_portamento";
/// What a package without is not fit to be published.
const NEEDED: [&str; 4] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "Cargo.toml"];

pub fn run() -> Result<(), String> {
    let target = root().join("target/packages");
    let packed = target.join("package");
    let mut pack =
        Job::new("cargo package --quiet --locked --no-verify --allow-dirty").env("CARGO_TARGET_DIR", &target);
    for name in CRATES {
        pack = pack.arg("-p").arg(name);
    }
    pack.run()?;
    // Cargo packs what depends on unpublished crates only within one workspace; here it is told where they are.
    Job::new("cargo package --quiet --no-verify --allow-dirty --config")
        .arg(format!(
            "patch.crates-io.portamento.path={:?}",
            root().join("crates/portamento").display().to_string()
        ))
        .within("crates/bevy_portamento")
        .env("CARGO_TARGET_DIR", &target)
        .run()?;

    let place = Place::new()?;
    println!("\nPackages, compressed:");
    let version = version()?;
    for (workspace, names) in [("portamento", &CRATES[..]), ("bevy", &[BEVY])] {
        let folder = place.0.join(workspace);
        std::fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for name in names {
            let file = packed.join(format!("{name}-{version}.crate"));
            let bytes =
                std::fs::metadata(&file).map_err(|error| format!("{}: {error}", file.display()))?.len();
            println!("  {name:<20}{:>5} kB", bytes.div_ceil(1000));
            // With the time of now: those in a package are all the same, and cargo goes by them.
            Job::new("tar xzmf").arg(&file).arg("-C").arg(&folder).output()?;
            check(&folder.join(format!("{name}-{version}")))?;
        }
        make_workspace(&folder, names, &place.0.join("portamento"), &version)?;
    }
    let outside = |line: &str, workspace: &str, target: &str| {
        Job::new(line)
            .arg("--manifest-path")
            .arg(place.0.join(workspace).join("Cargo.toml"))
            .env("CARGO_TARGET_DIR", root().join(target))
            .run()
    };
    outside("cargo test --quiet -p portamento", "portamento", "target/packages")?;
    outside(
        "cargo build --quiet -p portamento-lab -p portamento-c -p portamento_derive",
        "portamento",
        "target/packages",
    )?;
    // With what the job `bevy` has built, if it has.
    outside("cargo test --quiet -p bevy_portamento --lib", "bevy", "target/bevy")
}

/// What is published has its licences, its README and its documentation.
fn check(package: &Path) -> Result<(), String> {
    for file in NEEDED {
        if !package.join(file).is_file() {
            return Err(format!("{} has no {file}", package.display()));
        }
    }
    let manifest = read(&package.join("Cargo.toml"))?;
    for key in ["description", "license", "repository", "readme", "keywords", "categories"] {
        if !manifest.lines().any(|line| line.starts_with(&format!("{key} = "))) {
            return Err(format!("{} has no `{key}` in its manifest", package.display()));
        }
    }
    Ok(())
}

/// A workspace of unpacked packages that finds ours beside it, with our lock file and profiles.
fn make_workspace(folder: &Path, names: &[&str], ours: &Path, version: &str) -> Result<(), String> {
    let from = if names == [BEVY] { root().join("crates/bevy_portamento") } else { root() };
    let manifest = read(&root().join("Cargo.toml"))?;
    let profiles = manifest.find("[profile.").map_or("", |at| &manifest[at..]);
    let members: Vec<String> = names.iter().map(|name| format!("\"{name}-{version}\"")).collect();
    let mut text =
        format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n[patch.crates-io]\n", members.join(", "));
    for name in CRATES {
        let path = ours.join(format!("{name}-{version}"));
        text += &format!("{name} = {{ path = {:?} }}\n", path.display().to_string());
    }
    write(&folder.join("Cargo.toml"), format!("{text}\n{profiles}"))?;
    write(&folder.join("Cargo.lock"), read(&from.join("Cargo.lock"))?)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The one version of all packages.
fn version() -> Result<String, String> {
    let manifest = read(&root().join("Cargo.toml"))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = "));
    Ok(line.ok_or("Cargo.toml has no version")?.trim_matches('"').to_owned())
}

/// A folder outside the checkout that is gone afterwards.
struct Place(PathBuf);

impl Place {
    fn new() -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("portamento-packages-{}", std::process::id()));
        std::fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
