//! Running commands, with their names on the screen.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The repository's root.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask lies in the root").to_path_buf()
}

/// A command of ours: shown, run in the root, and timed.
pub struct Job {
    command: Command,
    shown: String,
}

impl Job {
    /// `line` is split at blanks; the first word is the program.
    pub fn new(line: &str) -> Self {
        let mut words = line.split_whitespace();
        let mut command = Command::new(words.next().expect("a command has a name"));
        command.args(words).current_dir(root());
        Self { command, shown: line.into() }
    }

    /// Sets an environment variable for it.
    pub fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
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
