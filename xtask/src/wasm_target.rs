//! Which compiler compiles for WebAssembly?
//!
//! The compiler in use, if the target is installed. If not, Debian's, with a std that is built here once:
//!
//! ```text
//! target/wasm-toolchain/
//!   debian/   the unpacked packages, and what is built: debian/usr/lib/rustlib/wasm32-unknown-unknown/lib
//!   std/      the build of std; gone when it is done
//! ```
//! The `lib` appears complete or not at all, as `debian` does.

use crate::debian::{self, entries, has_file, make_folder, name_of, told};
use crate::debian_rust::{self, DebianRust};
use crate::job::{Job, root, write};
use std::fs;
use std::path::{Path, PathBuf};

pub const TARGET: &str = "wasm32-unknown-unknown";
const FOLDER: &str = "target/wasm-toolchain";
const CURE: &str = "install the target (rustup target add wasm32-unknown-unknown), or leave this job out \
                    (cargo xtask test --without wasm)";

const COSTS: &str = "140 MB to download, 850 MB unpacked";

/// Returns what it takes to get a compiler, if it is missing; with `own_std`, if Debian's is missing.
pub fn fetches(own_std: bool) -> Option<&'static str> {
    let installed = !own_std && debian_rust::is_installed(TARGET).unwrap_or(false);
    let there = installed || root().join(FOLDER).join("debian/usr").exists();
    (!there).then_some(COSTS)
}

/// A compiler that has the target.
pub enum Compiler {
    /// The one in use.
    Installed,
    /// Debian's, with our std.
    Own { rust: DebianRust, linker: PathBuf },
}

impl Compiler {
    /// With `own_std`, not the one in use, even if it has the target.
    pub fn find(own_std: bool) -> Result<Self, String> {
        if !own_std && debian_rust::is_installed(TARGET)? {
            return Ok(Self::Installed);
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
            Self::Own { rust, linker } => {
                rust.hand_to(job).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
            }
        }
    }
}

/// Debian's compiler and a std for it, made where they are missing.
fn set_up() -> Result<Compiler, String> {
    let usr = debian::unpacked(FOLDER, COSTS, None, |packages| {
        let rust = DebianRust::get(packages)?;
        packages.get(&format!("rust-web-src lld-{}", rust.llvm()))
    })?;
    let rust = DebianRust::unpacked(&usr)?;
    let linker = usr.join(format!("lib/llvm-{}/bin/wasm-ld", rust.llvm()));
    let compiler = Compiler::Own { rust, linker };
    let std = usr.join("lib/rustlib").join(TARGET).join("lib");
    if !std.exists() {
        build_std(&compiler, &root().join(FOLDER), &std)?;
    }
    Ok(compiler)
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
        // Programs with `lto` need bitcode in it, which cargo leaves out of libraries.
        .env("CARGO_ENCODED_RUSTFLAGS", "-Cembed-bitcode=yes")
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
