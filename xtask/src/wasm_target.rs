//! Who compiles for WebAssembly here?
//!
//! The compiler in use, if the target is installed. If not, Debian's `rustc-web`, unpacked into a folder of ours, with
//! a std that is built there once: for machines that reach package registries but not rustup's server. Nothing is
//! installed and root is not needed.
//!
//! ```text
//! target/wasm-toolchain/
//!   apt/      package lists and packages; gone when all is unpacked
//!   debian/   the unpacked packages, and what is built: debian/usr/lib/rustlib/wasm32-unknown-unknown/lib
//!   std/      the build of std; gone when it is done
//! ```
//! `debian` and the `lib` in it appear complete or not at all, so a run that was interrupted is begun anew.

use crate::job::{Job, root};
use std::fs;
use std::path::{Path, PathBuf};

pub const TARGET: &str = "wasm32-unknown-unknown";
const FOLDER: &str = "target/wasm-toolchain";
const CURE: &str = "install the target (rustup target add wasm32-unknown-unknown), or leave this job out \
                    (cargo xtask test --without wasm)";

/// A compiler that has the target.
pub enum Compiler {
    /// The one in use.
    Installed,
    /// Debian's, with our std.
    Own { rustc: PathBuf, libraries: PathBuf, linker: PathBuf },
}

impl Compiler {
    /// With `own_std`, not the one in use, even if it has the target.
    pub fn find(own_std: bool) -> Result<Self, String> {
        if !own_std {
            // The one that cargo will take.
            let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
            let folder = Job::new(&format!("{rustc} --print target-libdir --target {TARGET}")).output()?;
            if has_file(Path::new(folder.trim()), "libstd-") {
                return Ok(Self::Installed);
            }
        }
        set_up().map_err(|why| format!("{why}\nThere is no compiler for {TARGET}: {CURE}"))
    }

    /// What to call the folder of what it compiles.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Installed => "installed",
            Self::Own { .. } => "own-std",
        }
    }

    /// Makes cargo use it.
    pub fn hand_to(&self, job: Job) -> Job {
        match self {
            Self::Installed => job,
            Self::Own { rustc, libraries, linker } => job
                .env("RUSTC", rustc)
                .env("LD_LIBRARY_PATH", libraries)
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker),
        }
    }

    /// Debian's as it was unpacked to `usr`.
    fn unpacked(usr: &Path) -> Result<(Self, Version), String> {
        let libraries = entries(&usr.join("lib"))
            .find(|path| has_file(path, "librustc_driver"))
            .ok_or_else(|| format!("{} holds no librustc_driver: has the package changed?", usr.display()))?;
        let rustc = usr.join("bin/rustc");
        let version =
            Job::new(&format!("{} -vV", rustc.display())).env("LD_LIBRARY_PATH", &libraries).output()?;
        let version = Version::parse(&version)?;
        let linker = usr.join(format!("lib/llvm-{}/bin/wasm-ld", version.llvm));
        Ok((Self::Own { rustc, libraries, linker }, version))
    }
}

/// Debian's compiler and a std for it, made where they are missing.
fn set_up() -> Result<Compiler, String> {
    let folder = root().join(FOLDER);
    let usr = folder.join("debian/usr");
    if !usr.exists() {
        unpack(&folder)?;
    }
    let (compiler, _) = Compiler::unpacked(&usr)?;
    let std = usr.join("lib/rustlib").join(TARGET).join("lib");
    if !std.exists() {
        build_std(&compiler, &folder, &std)?;
    }
    Ok(compiler)
}

/// Downloads Debian's packages and unpacks them.
fn unpack(folder: &Path) -> Result<(), String> {
    for tool in ["apt-get", "dpkg-deb"] {
        if !Job::new(&format!("{tool} --version")).succeeds() {
            return Err(format!("Debian's compiler would do, but there is no {tool} to get it with"));
        }
    }
    println!("\nUnpacking Debian's compiler into {FOLDER}, once: 140 MB to download, 850 MB unpacked.");
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| told(folder, error))?;
    }
    let apt = folder.join("apt");
    make_folder(&apt.join("lists/partial"))?;
    make_folder(&apt.join("cache/archives/partial"))?;
    let settings = format!(
        "Dir::State::lists \"{apt}/lists/\";\n\
         Dir::Cache \"{apt}/cache/\";\n\
         Debug::NoLocking \"true\";\n\
         APT::Sandbox::User \"root\";\n\
         APT::Install-Recommends \"false\";\n\
         APT::Get::Download-Only \"true\";\n\
         APT::Get::ReInstall \"true\";\n\
         APT::Get::Assume-Yes \"true\";\n",
        apt = apt.display()
    );
    write(&apt.join("apt.conf"), &settings)?;
    let apt_get =
        |line: &str| Job::new(&format!("apt-get -q {line}")).env("APT_CONFIG", apt.join("apt.conf"));
    // One unreachable source among many is no reason to stop: what is missing is told by the next line.
    let _ = apt_get("update").run();
    apt_get("install rustc-web libstd-rust-web-dev rust-web-src")
        .run()
        .map_err(|why| format!("{why}\nDebian's rustc-web cannot be had: no network, or no Debian"))?;
    unpack_packages(&apt)?;
    let (_, version) = Compiler::unpacked(&apt.join("debian/usr"))?;
    version.is_new_enough()?;
    apt_get(&format!("install lld-{}", version.llvm)).run()?;
    unpack_packages(&apt)?;
    fs::rename(apt.join("debian"), folder.join("debian")).map_err(|error| told(folder, error))?;
    fs::remove_dir_all(&apt).map_err(|error| told(&apt, error))
}

fn unpack_packages(apt: &Path) -> Result<(), String> {
    let packages =
        entries(&apt.join("cache/archives")).filter(|path| path.extension().is_some_and(|e| e == "deb"));
    for package in packages {
        Job::new(&format!("dpkg-deb -x cache/archives/{} debian", name_of(&package)))
            .within(&format!("{FOLDER}/apt"))
            .run()?;
        fs::remove_file(&package).map_err(|error| told(&package, error))?;
    }
    Ok(())
}

/// Builds std for a package that holds nothing, and puts it where the compiler looks for it.
fn build_std(compiler: &Compiler, folder: &Path, to: &Path) -> Result<(), String> {
    println!("\nBuilding std for {TARGET}, once: about a minute.");
    let package = folder.join("std");
    make_folder(&package.join("src"))?;
    write(&package.join("src/lib.rs"), "")?;
    let manifest = "[package]\nname = \"nothing\"\nedition = \"2024\"\n\n\
                    [workspace]\n\n\
                    [profile.release]\npanic = \"abort\"\n";
    write(&package.join("Cargo.toml"), manifest)?;
    let target = package.join("target");
    let build = Job::new(&format!("cargo build --release --target {TARGET} -Z build-std=std,panic_abort"))
        .within(&format!("{FOLDER}/std"))
        // `-Z` is for nightly compilers, unless they are told that they build std itself.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", "")
        .env("CARGO_TARGET_DIR", &target);
    compiler.hand_to(build).run()?;
    let part = to.with_extension("part");
    make_folder(&part)?;
    copy_libraries(&target.join(TARGET), &part)?;
    if !has_file(&part, "libstd-") {
        return Err(format!("the build of std left no libstd in {}", target.display()));
    }
    fs::rename(&part, to).map_err(|error| told(to, error))?;
    fs::remove_dir_all(&package).map_err(|error| told(&package, error))
}

/// Every library below `from`, but for the one that holds nothing.
fn copy_libraries(from: &Path, to: &Path) -> Result<(), String> {
    for path in entries(from) {
        let name = name_of(&path);
        if path.is_dir() {
            copy_libraries(&path, to)?;
        } else if name.ends_with(".rlib") && !name.starts_with("libnothing") {
            fs::copy(&path, to.join(name)).map_err(|error| told(&path, error))?;
        }
    }
    Ok(())
}

/// What matters of a compiler's version.
#[derive(Debug, PartialEq)]
struct Version {
    release: String,
    /// The major one: the linker must be of the same.
    llvm: String,
}

impl Version {
    /// Reads what `rustc -vV` prints.
    fn parse(text: &str) -> Result<Self, String> {
        let field = |name| {
            let found = text.lines().find_map(|line| line.strip_prefix(name));
            found.ok_or_else(|| format!("the compiler does not tell its {name:?}: {text}"))
        };
        let llvm = field("LLVM version: ")?;
        let llvm = llvm.split('.').next().unwrap_or_default();
        Ok(Self { release: field("release: ")?.into(), llvm: llvm.into() })
    }

    fn is_new_enough(&self) -> Result<(), String> {
        let needed = env!("CARGO_PKG_RUST_VERSION");
        let numbers = |version: &str| -> Vec<u32> { version.split('.').flat_map(str::parse).collect() };
        if numbers(&self.release) >= numbers(needed) {
            return Ok(());
        }
        Err(format!(
            "Debian's rustc-web is {} and {needed} is needed: its security updates have a newer one",
            self.release
        ))
    }
}

/// What lies in a folder; nothing if it is not there.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn has_file(folder: &Path, start: &str) -> bool {
    entries(folder).any(|path| name_of(&path).starts_with(start))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| told(path, error))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| told(path, error))
}

fn told(path: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compilers_version_is_understood() {
        let text = "rustc 1.96.0\nhost: x86_64-unknown-linux-gnu\nrelease: 1.96.0\nLLVM version: 22.1.8\n";
        assert_eq!(Version::parse(text), Ok(Version { release: "1.96.0".into(), llvm: "22".into() }));
        assert!(Version::parse("release: 1.96.0").unwrap_err().contains("LLVM version"));
    }

    #[test]
    fn a_compiler_that_is_too_old_is_told_by_numbers_not_letters() {
        let version = |release: &str| Version { release: release.into(), llvm: "22".into() };
        assert!(version("1.100.0").is_new_enough().is_ok());
        assert!(version("1.85.0").is_new_enough().unwrap_err().contains("1.85.0"));
    }
}
