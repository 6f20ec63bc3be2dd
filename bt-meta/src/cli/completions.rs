//! `bt-meta completions`: what a shell offers on the tab key.

use clap::{Args, Command};
use clap_complete::Shell;

use super::print::print;
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
    clap_complete::generate(completions.shell, &mut command, &name, &mut script);
    let script = String::from_utf8_lossy(&script);
    print(&match completions.shell {
        Shell::Bash => one_spelling(&script, &name),
        _ => script.into_owned(),
    })
}

/// Bash's script spells a hyphen in the program's name in two ways, and finds nothing after a command
/// then: clap's issue 6421. Where that is mended, this changes nothing.
fn one_spelling(script: &str, name: &str) -> String {
    script.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"))
}

/// The name of this program: a user's own meta binary has another name than ours.
fn called() -> Option<String> {
    let program = std::env::current_exe().ok()?;
    Some(program.file_stem()?.to_str()?.to_owned())
}
