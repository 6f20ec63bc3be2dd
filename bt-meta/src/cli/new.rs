//! `bt-meta new`: a crate to start from.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::print::print;
use crate::error::Error;
use crate::say::say;
use crate::starter::{Made, Starter};

#[derive(Debug, Args)]
pub(super) struct New {
    /// The name of the package
    name: String,
    /// Its folder; one of its name in the current folder otherwise
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// The checkout of this repository whose bt-core it depends on; otherwise the one that bt-meta was
    /// built from, or, if that is gone, the version
    #[arg(long, value_name = "PATH")]
    bt: Option<PathBuf>,
    /// The address of this repository, to depend on it in place of a checkout: a colleague needs none then
    #[arg(long, value_name = "URL", conflicts_with = "bt", value_parser = NonEmptyStringValueParser::new())]
    git: Option<String>,
}

/// Makes it, and says what to do next.
pub(super) fn run(new: &New, quiet: bool) -> Result<(), Error> {
    let starter = Starter {
        name: new.name.clone(),
        folder: new.path.clone(),
        bt: new.bt.clone(),
        git: new.git.clone(),
    };
    let made = starter.make()?;
    if let Some(note) = made.note.as_ref().filter(|_| !quiet) {
        say("note", note);
    }
    if quiet { Ok(()) } else { print(&report(&made)) }
}

fn report(made: &Made) -> String {
    let mut text = String::new();
    for file in &made.files {
        let _ = writeln!(text, "wrote {}", made.folder.join(file).display());
    }
    let folder = made.folder.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    let folder = match folder.chars().all(is_plain) {
        true => folder,
        false => format!("'{}'", folder.replace('\'', "'\\''")),
    };
    let _ = write!(
        text,
        "
Next:
  cd {folder}
  cargo test                         # the tree and the agent fit each other
  cargo run                          # twenty seconds in the life of a guard
  bt-meta export --out-dir editor    # the files that the editor loads
"
    );
    text
}
