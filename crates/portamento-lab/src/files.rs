//! Writes files whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `content` beside `path` and renames it into place: a full disk or a killed process leaves the old file as it
/// was. Devices and pipes are written directly, and a symbolic link stays one.
pub(crate) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let old = fs::metadata(path);
    if old.as_ref().is_ok_and(|old| !old.is_file()) {
        return File::options().write(true).open(path)?.write_all(content);
    }
    let path = if old.is_ok() { fs::canonicalize(path)? } else { path.to_owned() };
    let (part, mut file) = beside(&path)?;
    let outcome = file.write_all(content).and_then(|()| file.sync_all()).and_then(|()| {
        if let Ok(old) = old {
            file.set_permissions(old.permissions())?;
        }
        fs::rename(&part, &path)
    });
    if outcome.is_err() {
        let _ = fs::remove_file(&part);
    }
    outcome
}

/// A new file in the same directory, so that renaming it is one step.
fn beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it names no file"))?.to_string_lossy();
    let mut last = io::Error::other("no name is free beside it");
    for attempt in 0..100 {
        let part = path.with_file_name(format!(".{name}.{}-{attempt}.part", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            Ok(file) => return Ok((part, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = std::env::temp_dir().join(format!("portamento-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.txt");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_link_stays_a_link_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("portamento-links-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, link) = (folder.join("file"), folder.join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::remove_dir_all(&folder).unwrap();
    }
}
