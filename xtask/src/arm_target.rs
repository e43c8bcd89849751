//! Which tools compile and run programs for ARM?
//!
//! This machine, if it is one. If not, the compiler in use, a linker and an emulator, if all three are installed. If one
//! is missing, Debian's packages of all, unpacked into a folder of ours (`debian.rs`). Debian has the very std of its
//! compiler for ARM, so none is built.

use crate::debian;
use crate::debian_rust::{self, DebianRust};
use crate::job::{Job, root};
use std::path::PathBuf;

const TARGET: &str = "aarch64-unknown-linux-gnu";
const FOLDER: &str = "target/arm-toolchain";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const OBJDUMP: &str = "aarch64-linux-gnu-objdump";
const QEMU: &str = "qemu-aarch64-static";
/// What holds the last three, and the C library to link with.
const TOOLS: &str = "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static";

const COSTS: &str = "230 MB to download, 1.1 GB unpacked";

/// Returns what it takes to get compiler, linker and emulator, if one is missing.
pub fn fetches() -> Option<&'static str> {
    let native = cfg!(target_arch = "aarch64") || !cfg!(target_os = "linux");
    let there = native
        || root().join(FOLDER).join("debian/usr").exists()
        || missing().is_ok_and(|missing| missing.is_empty());
    (!there).then_some(COSTS)
}

/// What runs programs for ARM.
pub enum Machine {
    /// This one.
    Native,
    /// QEMU, with tools that are installed.
    Installed,
    /// QEMU, with tools that were unpacked to `usr`.
    Unpacked { rust: DebianRust, usr: PathBuf },
}

impl Machine {
    /// With `unpacked`, Debian's packages whatever else there is.
    pub fn find(unpacked: bool) -> Result<Self, String> {
        if !unpacked && cfg!(target_arch = "aarch64") {
            return Ok(Self::Native);
        }
        if !cfg!(target_os = "linux") {
            return Err("programs for ARM run on ARM, or in an emulator that needs Linux: this is neither. \
                        Leave this job out (cargo xtask test --without arm)"
                .into());
        }
        let missing = missing()?;
        if !unpacked && missing.is_empty() {
            return Ok(Self::Installed);
        }
        set_up().map_err(|why| {
            format!(
                "{why}\nWhat runs for ARM needs std for {TARGET}, {LINKER}, {OBJDUMP} and {QEMU}; missing here: {}. \
                 Install them (rustup target add {TARGET}; on Debian, as root: apt-get install {TOOLS}), or leave this \
                 job out (cargo xtask test --without arm)",
                if missing.is_empty() { "none".into() } else { missing.join(", ") }
            )
        })
    }

    /// What to call the folder of what is compiled for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Installed => "installed",
            Self::Unpacked { .. } => "unpacked",
        }
    }

    /// A command of cargo that compiles for it.
    pub fn cargo(&self, line: &str) -> Job {
        if matches!(self, Self::Native) {
            return Job::new(&format!("cargo {line}"));
        }
        // Static, so that QEMU needs no libraries for ARM to run it.
        let job = Job::new(&format!("cargo {line} --target {TARGET}"))
            .env("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+crt-static")
            .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", self.tool(LINKER));
        self.with_libraries(job)
    }

    /// A program that was compiled for it.
    pub fn program(&self, path: &str) -> Job {
        match self {
            Self::Native => Job::of(path),
            _ => Job::of(self.tool(QEMU)).arg(path),
        }
    }

    /// What lists a program's instructions.
    pub fn objdump(&self) -> Job {
        match self {
            Self::Native => Job::new("objdump"),
            _ => self.with_libraries(Job::of(self.tool(OBJDUMP))),
        }
    }

    fn tool(&self, name: &str) -> PathBuf {
        match self {
            Self::Unpacked { usr, .. } => usr.join("bin").join(name),
            _ => name.into(),
        }
    }

    fn with_libraries(&self, job: Job) -> Job {
        match self {
            Self::Unpacked { rust, .. } => rust.hand_to(job),
            _ => job,
        }
    }
}

/// What would have to be installed.
fn missing() -> Result<Vec<&'static str>, String> {
    let mut missing = Vec::new();
    if !debian_rust::is_installed(TARGET)? {
        missing.push("that std");
    }
    for tool in [LINKER, OBJDUMP, QEMU] {
        if !Job::new(&format!("{tool} --version")).succeeds() {
            missing.push(tool);
        }
    }
    Ok(missing)
}

fn set_up() -> Result<Machine, String> {
    let usr = debian::unpacked(FOLDER, COSTS, Some("arm64"), |packages| {
        DebianRust::get(packages)?;
        packages.get_alone("libstd-rust-web-dev:arm64")?;
        packages.get(TOOLS)
    })?;
    Ok(Machine::Unpacked { rust: DebianRust::unpacked(&usr)?, usr })
}
