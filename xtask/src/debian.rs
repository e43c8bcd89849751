//! How does a Debian package get here without being installed?
//!
//! apt downloads it by settings of ours and dpkg unpacks it below `target`: for machines that reach package registries
//! but not, say, rustup's server. Root is not needed, and nothing else on the machine changes.
//!
//! ```text
//! target/<folder>/
//!   apt/      package lists and packages; gone when all is unpacked
//!   debian/   the unpacked packages; appears complete or not at all, so a run that was interrupted is begun anew
//! ```

use crate::job::{Job, root, write};
use std::fs;
use std::path::{Path, PathBuf};

/// Packages on their way into a folder.
pub struct Packages {
    /// Seen from the root.
    apt: String,
}

/// The `usr` of what `fill` takes of Debian's packages into `folder`, done once. `costs` is its size, in words for the
/// user; `architecture` is one whose packages are needed besides this machine's.
pub fn unpacked(
    folder: &str,
    costs: &str,
    architecture: Option<&str>,
    fill: impl FnOnce(&Packages) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let place = root().join(folder);
    let usr = place.join("debian/usr");
    if usr.exists() {
        return Ok(usr);
    }
    for tool in ["apt-get", "dpkg-deb"] {
        if !Job::new(&format!("{tool} --version")).succeeds() {
            return Err(format!("Debian's packages would do, but there is no {tool} to get them with"));
        }
    }
    println!("\nUnpacking Debian's packages into {folder}, once: {costs}.");
    if place.exists() {
        fs::remove_dir_all(&place).map_err(|error| told(&place, error))?;
    }
    let packages = Packages::begin(format!("{folder}/apt"), architecture)?;
    fill(&packages)?;
    let apt = root().join(&packages.apt);
    fs::rename(apt.join("debian"), place.join("debian")).map_err(|error| told(&place, error))?;
    fs::remove_dir_all(&apt).map_err(|error| told(&apt, error))?;
    Ok(usr)
}

impl Packages {
    fn begin(folder: String, architecture: Option<&str>) -> Result<Self, String> {
        let apt = root().join(&folder);
        make_folder(&apt.join("lists/partial"))?;
        make_folder(&apt.join("cache/archives/partial"))?;
        let mut settings = format!(
            "Dir::State::lists \"{apt}/lists/\";\n\
             Dir::Cache \"{apt}/cache/\";\n\
             Debug::NoLocking \"true\";\n\
             Acquire::Retries \"3\";\n\
             APT::Sandbox::User \"root\";\n\
             APT::Install-Recommends \"false\";\n\
             APT::Get::Download-Only \"true\";\n\
             APT::Get::ReInstall \"true\";\n\
             APT::Get::Assume-Yes \"true\";\n",
            apt = apt.display()
        );
        if let Some(architecture) = architecture {
            settings += &format!("APT::Architectures:: \"{architecture}\";\n");
        }
        write(&apt.join("apt.conf"), &settings)?;
        let packages = Self { apt: folder };
        // One unreachable source among many is no reason to stop: what is missing is told by the next line.
        let _ = packages.apt_get("update").run();
        Ok(packages)
    }

    fn apt_get(&self, line: &str) -> Job {
        Job::new(&format!("apt-get -q {line}"))
            .within(&format!("{}/cache/archives", self.apt))
            .env("APT_CONFIG", root().join(&self.apt).join("apt.conf"))
    }

    /// These, and what they need that is not installed.
    pub fn get(&self, names: &str) -> Result<(), String> {
        self.unpack_after(self.apt_get(&format!("install {names}")), names)
    }

    /// This one alone, whatever it needs.
    pub fn get_alone(&self, name: &str) -> Result<(), String> {
        self.unpack_after(self.apt_get(&format!("download {name}")), name)
    }

    fn unpack_after(&self, download: Job, names: &str) -> Result<(), String> {
        download
            .run()
            .map_err(|why| format!("{why}\nDebian's {names} cannot be had: no network, or no Debian"))?;
        let archives = root().join(&self.apt).join("cache/archives");
        let packages = entries(&archives).filter(|path| path.extension().is_some_and(|e| e == "deb"));
        for package in packages {
            Job::new(&format!("dpkg-deb -x cache/archives/{} debian", name_of(&package)))
                .within(&self.apt)
                .run()?;
            fs::remove_file(&package).map_err(|error| told(&package, error))?;
        }
        Ok(())
    }

    /// Where they are until all are there.
    pub fn usr(&self) -> PathBuf {
        root().join(&self.apt).join("debian/usr")
    }
}

/// What lies in a folder; nothing if it is not there.
pub fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

pub fn has_file(folder: &Path, start: &str) -> bool {
    entries(folder).any(|path| name_of(&path).starts_with(start))
}

pub fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| told(path, error))
}

pub fn told(path: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
