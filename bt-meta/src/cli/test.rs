//! `bt-meta test`: scenarios played.

use std::path::PathBuf;

use clap::Args;

use super::print::print;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::scenarios;
use crate::scenarios::show::{Format, show};

#[derive(Debug, Args)]
#[command(next_help_heading = "What is tested")]
pub(super) struct Tested {
    /// The folder with the trees and, beside them, their scenarios; or one scenario
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Format of the output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Count the outcomes of nodes that the scenarios show; `bt-meta draw --coverage` paints what
    /// `--format json` writes
    #[arg(long)]
    coverage: bool,
    /// Print the JSON Schema of scenario files, for editors, and play none
    #[arg(long)]
    schema: bool,
}

/// Plays them and prints what came of them.
pub(super) fn run(
    collect: impl FnOnce() -> Result<Catalogue, Error>,
    tested: &Tested,
    quiet: bool,
) -> Result<(), Error> {
    if tested.schema {
        return print(&format!("{:#}\n", bt_core::scenario::schema()));
    }
    let report = scenarios::run(collect()?, &tested.path, tested.coverage)?;
    print(&show(&report, tested.format))?;
    report.verdict()?;
    match tested.format == Format::Text && !quiet {
        true => print(&(report.summary() + "\n")),
        false => Ok(()),
    }
}
