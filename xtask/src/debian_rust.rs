//! Which compilers are there for another target than this machine?
//!
//! The one in use, if the target is installed. If not, Debian's `rustc-web`, which comes from package registries
//! (`debian.rs`); what it needs for the target beyond that is the target's own matter.

use crate::debian::{Packages, entries, has_file};
use crate::job::Job;
use std::path::{Path, PathBuf};

/// Whether the compiler in use has std for `target`.
pub fn is_installed(target: &str) -> Result<bool, String> {
    // The one that cargo will take.
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let folder = Job::of(rustc).words("--print target-libdir --target").arg(target).output()?;
    Ok(has_file(Path::new(folder.trim()), "libstd-"))
}

/// Debian's compiler, unpacked.
pub struct DebianRust {
    rustc: PathBuf,
    libraries: PathBuf,
    version: Version,
}

impl DebianRust {
    /// Unpacks it, if it is new enough.
    pub fn get(packages: &Packages) -> Result<Self, String> {
        packages.get("rustc-web libstd-rust-web-dev")?;
        let rust = Self::unpacked(&packages.usr())?;
        rust.version.is_new_enough()?;
        Ok(rust)
    }

    /// As it was unpacked to `usr`.
    pub fn unpacked(usr: &Path) -> Result<Self, String> {
        let libraries = entries(&usr.join("lib"))
            .find(|path| has_file(path, "librustc_driver"))
            .ok_or_else(|| format!("{} holds no librustc_driver: has the package changed?", usr.display()))?;
        let rustc = usr.join("bin/rustc");
        let version = Job::of(&rustc).arg("-vV").env("LD_LIBRARY_PATH", &libraries).output()?;
        Ok(Self { version: Version::parse(&version)?, rustc, libraries })
    }

    /// The major version of its LLVM.
    pub fn llvm(&self) -> &str {
        &self.version.llvm
    }

    /// Makes cargo use it, and programs that were unpacked beside it find their libraries.
    pub fn hand_to(&self, job: Job) -> Job {
        job.env("RUSTC", &self.rustc).env("LD_LIBRARY_PATH", &self.libraries)
    }
}

/// What matters of a compiler's version.
#[derive(Debug, PartialEq)]
struct Version {
    release: String,
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
