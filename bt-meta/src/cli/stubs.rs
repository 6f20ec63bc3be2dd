//! `bt-meta stubs`: the Rust to begin with, for actions that a file lists.

use std::path::PathBuf;

use clap::Args;

use super::print::print;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::original::skeleton;
use crate::write;

#[derive(Debug, Args)]
pub(super) struct Written {
    /// The file for it; it is printed otherwise
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints it, or writes it where nothing is.
pub(super) fn run(catalogue: &Catalogue, written: &Written) -> Result<(), Error> {
    let text = skeleton(catalogue)?;
    let Some(path) = &written.output else {
        return print(&text);
    };
    let shown = path.display();
    let instead = "choose another file with `--output`";
    write::refuse_edited([(path.as_path(), text.as_str())], instead)?;
    write::replace([(path.clone(), text.as_bytes())])?;
    print(&format!("wrote {shown}\n"))
}
