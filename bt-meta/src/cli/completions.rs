//! `bt-meta completions`: what a shell offers on the tab key.

use clap::{Args, Command};
use clap_complete::Shell;

use super::print;
use crate::error::Error;

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the shell's script for a command.
pub(super) fn run(completions: &Completions, mut command: Command) -> Result<(), Error> {
    let name = called().unwrap_or_else(|| command.get_name().to_owned());
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut command, name, &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// What this program is called: a user's own meta binary has another name than ours.
fn called() -> Option<String> {
    let program = std::env::current_exe().ok()?;
    Some(program.file_stem()?.to_str()?.to_owned())
}
