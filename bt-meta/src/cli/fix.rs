//! `bt-meta fix`: trees brought up to date.

use std::path::PathBuf;

use clap::Args;

use super::print::print;
use crate::catalogue::Catalogue;
use crate::diff::revision::catalogue_file;
use crate::error::Error;
use crate::fix::{self, Fixes, Kind};
use crate::say::say;
use crate::validate::input;
use crate::{protocol, write};

#[derive(Debug, Args)]
#[command(next_help_heading = "What is fixed")]
pub(super) struct Fixing {
    /// Tree files, folders or patterns, as `validate` takes them
    #[arg(value_name = "TREES", required = true)]
    files: Vec<PathBuf>,
    /// Write the files; a diff is shown otherwise
    #[arg(long)]
    write: bool,
    /// The catalogue that the trees were made with, an `agents.json` or a folder that has one: arguments that were
    /// reordered or renamed since get the names that they have now. JSON only; of scripts it says what to write
    #[arg(long, value_name = "OLD")]
    old: Option<PathBuf>,
    /// Only this; may be given several times (default: `names`, `parents` and `order`)
    #[arg(long, value_enum, value_name = "KIND")]
    only: Vec<Kind>,
}

/// Shows what there is to fix, or writes it.
pub(super) fn run(catalogue: Catalogue, fixing: &Fixing, quiet: bool) -> Result<(), Error> {
    let inputs = input::inputs(&fixing.files)?;
    let usual = Kind::USUAL;
    let kinds = match fixing.only.is_empty() {
        true => &usual[..],
        false => &fixing.only,
    };
    let old = fixing.old.as_deref().map(catalogue_file);
    let old = old.map(|path| protocol::read(&path)).transpose()?;
    let fixes = fix::run(catalogue, old, &inputs, kinds)?;
    for what in &fixes.by_hand {
        say(
            "warning",
            format_args!("{what}; write the names in a dict, such as {{\"name\": value}}"),
        );
    }
    for path in &fixes.no_trees {
        say(
            "warning",
            format_args!("{path} is no tree and stays as it is; `bt-meta validate` says why"),
        );
    }
    let summary = fixes.summary(inputs.len() - fixes.no_trees.len());
    let cannot = fixes.files.iter().find(|file| !file.input.is_file());
    if let Some(file) = cannot.filter(|_| fixing.write) {
        return Err(Error::failure(format!(
            "{} is no file that can be written: leave out `--write`, or give a file",
            file.input.shown()
        )));
    }
    match fixing.write {
        true => written(&fixes)?,
        false => shown(&fixes)?,
    }
    if !fixing.write && !fixes.files.is_empty() {
        return Err(Error::finding(format!("{summary}; `--write` makes them")));
    }
    match quiet {
        true => Ok(()),
        false => print(&(summary + "\n")),
    }
}

fn shown(fixes: &Fixes) -> Result<(), Error> {
    let diffs: String = fixes.files.iter().map(fix::Fixed::diff).collect();
    print(&diffs)?;
    print(&fixes.listing())
}

fn written(fixes: &Fixes) -> Result<(), Error> {
    let files = fixes.files.iter();
    write::replace(files.map(|file| (file.input.path.clone(), file.after.as_bytes())))?;
    print(&fixes.listing())
}
