//! A pack for people without Rust: headers, libraries, pkg-config and CMake files, examples, guides. And does it work
//! somewhere else?
//!
//! The static library that cargo makes holds a whole standard library, with its names, its debug information and its
//! bitcode. In the pack it is one object from which all that is never called is gone, and in which only our names are seen:
//! two libraries written in Rust can be linked into one program.

use super::FOLDER;
use crate::job::{Job, root, write};
use std::fs;
use std::path::{Path, PathBuf};

/// What goes where: files and folders of the repository, as they are.
const COPIED: [(&str, &str); 11] = [
    ("bindings/pack/README.md", "README.md"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("bindings/portamento.h", "include/portamento.h"),
    ("bindings/portamento.hpp", "include/portamento.hpp"),
    ("bindings/csharp/Portamento.cs", "csharp/Portamento.cs"),
    ("bindings/pack/portamento-config.cmake", "lib/cmake/portamento/portamento-config.cmake"),
    ("bindings/pack/CMakeLists.txt", "examples/CMakeLists.txt"),
    ("bindings/c", "examples/c"),
    ("bindings/cpp", "examples/cpp"),
    ("bindings/guides", "guides"),
];

/// A pack that has been made.
pub struct Pack {
    /// The folder that is packed, for those who only need what is in it.
    pub folder: PathBuf,
    name: String,
}

impl Pack {
    /// The static library.
    pub fn archive(&self) -> PathBuf {
        self.folder.join("lib/libportamento_c.a")
    }

    /// Fills the folder from what cargo has built.
    pub fn stage() -> Result<Self, String> {
        let version = env!("CARGO_PKG_VERSION");
        let name = format!("portamento-{version}-{}-linux", std::env::consts::ARCH);
        let folder = root().join(FOLDER).join(&name);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| told(&folder, error))?;
        }
        for (from, to) in COPIED {
            copy(&root().join(from), &folder.join(to))?;
        }
        for file in entries(&root().join("bindings/csharp"))? {
            if !file.ends_with("Portamento.cs") {
                copy(&file, &folder.join("examples/csharp").join(file.file_name().unwrap_or_default()))?;
            }
        }
        let minor = version.rsplit_once('.').map_or(version, |(minor, _)| minor);
        for (from, to) in [
            ("portamento.pc.in", "lib/pkgconfig/portamento.pc"),
            ("portamento-config-version.cmake.in", "lib/cmake/portamento/portamento-config-version.cmake"),
        ] {
            let path = root().join("bindings/pack").join(from);
            let text = fs::read_to_string(&path).map_err(|error| told(&path, error))?;
            parent(&folder.join(to))?;
            write(&folder.join(to), text.replace("@VERSION@", version).replace("@MINOR@", minor))?;
        }
        let pack = Self { folder, name };
        pack.libraries()?;
        Ok(pack)
    }

    fn libraries(&self) -> Result<(), String> {
        let built = root().join("target/release");
        let shared = self.folder.join("lib/libportamento_c.so");
        Job::new("strip --strip-unneeded -o").arg(&shared).arg(built.join("libportamento_c.so")).run()?;

        let names = Job::new("nm -D --defined-only target/release/libportamento_c.so").output()?;
        let names = names.lines().filter_map(|line| line.split_whitespace().nth(2));
        let wanted = root().join(FOLDER).join("wanted");
        write(&wanted, names.map(|name| format!("-u {name}\n")).collect::<String>())?;
        let (all, one) = (root().join(FOLDER).join("all.o"), root().join(FOLDER).join("portamento_c.o"));
        Job::new("ld -r --gc-sections")
            .arg(format!("@{}", wanted.display()))
            .arg("--whole-archive")
            .arg(built.join("libportamento_c.a"))
            .arg("-o")
            .arg(&all)
            .run()?;
        Job::new("objcopy --wildcard --keep-global-symbol=portamento_* --strip-debug")
            .words("--remove-section=.llvmbc --remove-section=.llvmcmd")
            .arg(&all)
            .arg(&one)
            .run()?;
        Job::new("ar rcs").arg(self.archive()).arg(&one).run()?;

        let seen = Job::new("nm -g --defined-only").arg(self.archive()).output()?;
        let foreign: Vec<&str> = seen
            .lines()
            .filter_map(|line| line.split_whitespace().nth(2))
            .filter(|name| !name.starts_with("portamento_"))
            .collect();
        if foreign.is_empty() { Ok(()) } else { Err(format!("the static library also shows {foreign:?}")) }
    }

    /// Packs the folder, and says how large everything is.
    pub fn close(&self) -> Result<PathBuf, String> {
        let file = root().join(FOLDER).join(format!("{}.tar.gz", self.name));
        Job::new("tar --sort=name --owner=0 --group=0 --numeric-owner -czf")
            .arg(&file)
            .arg(&self.name)
            .within(FOLDER)
            .run()?;
        println!();
        for path in [self.archive(), self.folder.join("lib/libportamento_c.so"), file.clone()] {
            let bytes = fs::metadata(&path).map_err(|error| told(&path, error))?.len();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            println!("{:>9.2} MB  {name}", bytes as f64 / 1e6);
        }
        Ok(file)
    }
}

/// Unpacks `file` into an empty folder outside of the repository, and does there what its README says: C by pkg-config and
/// statically, C++ by CMake, C# with Mono; then all examples by their CMake file.
pub fn try_elsewhere(pack: &Pack, file: &Path) -> Result<(), String> {
    let place = std::env::temp_dir().join(format!("portamento-pack-{}", std::process::id()));
    fs::create_dir_all(&place).map_err(|error| told(&place, error))?;
    let outcome = tried(pack, file, &place);
    fs::remove_dir_all(&place).map_err(|error| told(&place, error))?;
    outcome
}

fn tried(pack: &Pack, file: &Path, place: &Path) -> Result<(), String> {
    let here = |line: &str| Job::new(line).within(&place.display().to_string());
    here("tar -xzf").arg(file).run()?;
    let unpacked = place.join(&pack.name);
    let readme = fs::read_to_string(unpacked.join("README.md")).map_err(|error| told(&unpacked, error))?;
    for (language, name) in
        [("c", "game.c"), ("cpp", "game.cpp"), ("cmake", "CMakeLists.txt"), ("csharp", "Game.cs")]
    {
        let block = blocks(&readme, language).next();
        write(&unpacked.join(name), block.ok_or(format!("the README has no {language}"))?)?;
    }
    let commands: String = blocks(&readme, "text").collect();
    let script = unpacked.join("commands.sh");
    write(&script, format!("set -eu\n{commands}"))?;
    let folder = unpacked.display().to_string();
    // What the README says, as it says it; each of the four programs prints ten lines.
    let printed = Job::new("sh commands.sh").within(&folder).output()?;
    let lines: Vec<&str> = printed.lines().filter(|line| line.starts_with("simulated")).collect();
    println!("{}", lines.first().unwrap_or(&""));
    if lines.len() != 40 || lines.chunks(10).any(|program| program != &lines[..10]) {
        return Err(format!("four programs should print the same ten lines each:\n{printed}"));
    }
    for example in ["on the screen", "bytes allocated"] {
        if !printed.contains(example) {
            return Err(format!("an example of the README did not run to its end:\n{printed}"));
        }
    }
    Job::new("cmake -S examples -B examples/build")
        .arg(format!("-DCMAKE_PREFIX_PATH={folder}"))
        .within(&folder)
        .run()?;
    Job::new("cmake --build examples/build").within(&folder).run()?;
    for program in entries(&unpacked.join("examples/build"))? {
        if is_program(&program) {
            Job::of(&program).within(&folder).run()?;
        }
    }
    Ok(())
}

fn is_program(path: &Path) -> bool {
    path.is_file() && path.extension().is_none() && !path.ends_with("Makefile")
}

/// The code blocks of a page in one language.
pub fn blocks<'a>(page: &'a str, language: &'a str) -> impl Iterator<Item = String> + 'a {
    page.split("\n```").skip(1).step_by(2).filter_map(move |block| {
        let (named, code) = block.split_once('\n')?;
        (named == language).then(|| format!("{code}\n"))
    })
}

/// What lies in a folder, in order.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(|error| told(folder, error))?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    found.sort();
    Ok(found)
}

fn parent(path: &Path) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|error| told(folder, error))
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if from.is_dir() {
        return entries(from)?
            .iter()
            .try_for_each(|path| copy(path, &to.join(path.file_name().unwrap_or_default())));
    }
    parent(to)?;
    fs::copy(from, to).map(drop).map_err(|error| told(from, error))
}

fn told(path: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_by_their_language() {
        let page = "Words.\n\n```c\nint x;\n\nint y;\n```\n\nMore.\n\n```text\nls\n```\n```c\nint z;\n```\n";
        assert_eq!(blocks(page, "c").collect::<Vec<_>>(), ["int x;\n\nint y;\n", "int z;\n"]);
        assert_eq!(blocks(page, "text").collect::<Vec<_>>(), ["ls\n"]);
    }
}
