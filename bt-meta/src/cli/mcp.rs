//! `bt-meta mcp`: a server for assistants.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::mcp::{Attach, Options, serve};

#[derive(Debug, Args)]
#[command(next_help_heading = "What is served")]
pub(super) struct Served {
    /// The folder of the trees: nothing outside of it is read or written
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Look into a running game too: the one whose port wrote that token file, or the only one that runs; or into a
    /// recording, `*.btrec`
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    attach: Option<Option<PathBuf>>,
    /// Let the game be changed as well: keys, events, steps, trees
    #[arg(long, requires = "attach")]
    control: bool,
    /// Write no file, and change nothing in a game
    #[arg(long)]
    read_only: bool,
}

impl Served {
    /// The folder of the trees.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Serves until the input ends.
pub(super) fn run(
    served: &Served,
    collect: impl Fn() -> Result<Catalogue, Error> + Send + Sync + 'static,
) -> Result<(), Error> {
    let attach = served.attach.clone().map(|file| match file {
        Some(file) => Attach::File(file),
        None => Attach::Only,
    });
    let options = Options {
        folder: served.folder.clone(),
        read_only: served.read_only,
        control: served.control,
        attach,
    };
    serve(options, collect)
}
