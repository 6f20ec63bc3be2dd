//! `bt-meta draw`: pictures of trees.

use std::path::{Path, PathBuf};

use clap::Args;

use super::print;
use crate::draw::{self, Direction, Format};
use crate::error::{Error, count};
use crate::write::{self, Outcome};

#[derive(Debug, Args)]
pub(super) struct Draw {
    /// The tree's file
    #[arg(value_name = "TREE")]
    tree: PathBuf,
    /// How it is written: if it is not said, as the ending of the output's name says, or as text
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// The file for the picture; otherwise it is printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Which way it grows
    #[arg(long, value_enum, default_value_t)]
    direction: Direction,
    /// The trees that it calls too, from files beside it
    #[arg(long)]
    follow: bool,
}

/// Prints the picture, or writes it into a file.
pub(super) fn run(wanted: &Draw, quiet: bool) -> Result<(), Error> {
    let read = draw::files::read(&wanted.tree, wanted.follow)?;
    for warning in &read.warnings {
        eprintln!("warning: {warning}");
    }
    let ending = wanted.out.as_deref().and_then(Path::extension);
    let of_ending = ending.and_then(|ending| Format::of_ending(ending.to_str()?));
    let format = wanted.format.or(of_ending).unwrap_or_default();
    let picture = draw::draw(&read.trees, format, wanted.direction);
    let Some(out) = &wanted.out else {
        return print(&picture);
    };
    let outcome = match write::write_one(out, &picture)? {
        Outcome::Written => "wrote",
        Outcome::Unchanged => "unchanged",
    };
    let nodes = read.trees.iter().map(|tree| tree.nodes().len()).sum();
    let (trees, nodes) = (count(read.trees.len(), "tree"), count(nodes, "node"));
    match quiet {
        true => Ok(()),
        false => print(&format!("{outcome} {} ({trees}, {nodes})\n", out.display())),
    }
}
