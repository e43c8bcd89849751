//! `portamento completions`.

use super::{Cli, Outcome, print};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::error::Error;

/// Print a script that completes commands and options in your shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  portamento completions bash >> ~/.bash_completion
  portamento completions zsh > ~/.zfunc/_portamento
  portamento completions fish > ~/.config/fish/completions/portamento.fish")]
pub(crate) struct Completions {
    /// Which shell
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<Outcome, Box<dyn Error>> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "portamento", &mut script);
        print(&String::from_utf8_lossy(&script))?;
        Ok(Outcome::Fine)
    }
}
