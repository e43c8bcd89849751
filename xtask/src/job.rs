//! Running commands, with their names on the screen.

use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The repository's root.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask lies in the root").to_path_buf()
}

/// Writes a file beside its place and renames it: it is whole or as it was.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    std::fs::write(&part, content).and_then(|()| std::fs::rename(&part, path)).map_err(|error| {
        let _ = std::fs::remove_file(&part);
        format!("{}: {error}", path.display())
    })
}

/// A word as one would type it.
fn shown(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    if word.contains(|c: char| c.is_whitespace() || c == '"') {
        format!("{word:?}")
    } else {
        word.into_owned()
    }
}

/// A command of ours: shown, run in the root, and timed.
pub struct Job {
    command: Command,
    shown: String,
}

impl Job {
    /// `line` is split at blanks; the first word is the program. A path may have blanks in it: see [`Job::arg`].
    pub fn new(line: &str) -> Self {
        let (program, words) = line.split_once(' ').unwrap_or((line, ""));
        Self::of(program).words(words)
    }

    /// The program at this path.
    pub fn of(program: impl AsRef<OsStr>) -> Self {
        let program = program.as_ref();
        let mut command = Command::new(program);
        command.current_dir(root());
        Self { command, shown: shown(program) }
    }

    /// More arguments, split at blanks.
    pub fn words(self, words: &str) -> Self {
        words.split_whitespace().fold(self, Self::arg)
    }

    /// One more argument, unsplit.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(&argument);
        self.shown = format!("{} {}", self.shown, shown(argument.as_ref()));
        self
    }

    /// Sets an environment variable for it.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        let value = value.as_ref();
        self.shown = format!("{name}={:?} {}", value.to_string_lossy(), self.shown);
        self.command.env(name, value);
        self
    }

    /// Runs it somewhere else than in the root.
    pub fn within(mut self, directory: &str) -> Self {
        self.command.current_dir(root().join(directory));
        self.shown = format!("(cd {directory}; {})", self.shown);
        self
    }

    fn show(&self) {
        let (bold, plain) = if std::io::stdout().is_terminal() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
        println!("\n{bold}$ {}{plain}", self.shown);
    }

    /// Runs it to its end.
    pub fn run(mut self) -> Result<(), String> {
        self.show();
        let start = Instant::now();
        let status =
            self.command.status().map_err(|error| format!("cannot run `{}`: {error}", self.shown))?;
        let seconds = start.elapsed().as_secs_f64();
        if status.success() {
            println!("  ({seconds:.1} s)");
            Ok(())
        } else {
            Err(format!("`{}` failed ({status}, {seconds:.1} s)", self.shown))
        }
    }

    /// Runs it to its end and gives what it printed.
    pub fn output(mut self) -> Result<String, String> {
        self.show();
        let output =
            self.command.output().map_err(|error| format!("cannot run `{}`: {error}", self.shown))?;
        if !output.status.success() {
            return Err(format!("`{}` failed:\n{}", self.shown, String::from_utf8_lossy(&output.stderr)));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Whether it ends well; silent.
    pub fn succeeds(mut self) -> bool {
        self.command.output().is_ok_and(|output| output.status.success())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_blank_stays_one_argument() {
        let job = Job::new("dpkg-deb  -x").arg(Path::new("/my games/a.deb")).words("--quiet to");
        let arguments: Vec<_> = job.command.get_args().collect();
        assert_eq!(job.command.get_program(), "dpkg-deb");
        assert_eq!(arguments, ["-x", "/my games/a.deb", "--quiet", "to"]);
        assert_eq!(job.shown, "dpkg-deb -x \"/my games/a.deb\" --quiet to");
        assert_eq!(Job::of("/my games/rustc").command.get_program(), "/my games/rustc");
    }
}
