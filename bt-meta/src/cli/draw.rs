//! `bt-meta draw`: pictures of trees.

use std::path::{Path, PathBuf};

use bt_core::TreeAsset;
use clap::Args;

use super::print::print;
use crate::draw::{self, Direction, Format};
use crate::error::{Error, count};
use crate::paths::end;
use crate::say::say;
use crate::scenarios::coverage;
use crate::write::{self, Outcome};

#[derive(Debug, Args)]
pub(super) struct Draw {
    /// The tree's file
    #[arg(value_name = "TREE")]
    tree: PathBuf,
    /// The format of the drawing; by default that of the ending of the output's name, or text
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// The file for the picture; otherwise it is printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Direction in which it grows
    #[arg(long, value_enum, default_value_t)]
    direction: Direction,
    /// Greatest width of an SVG in pixels; a wider one is scaled down
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(100..=100_000))]
    max_width: Option<u32>,
    /// The trees that it calls too, from files beside it
    #[arg(long)]
    follow: bool,
    /// Mark what scenarios show of each node: what `bt-meta test --coverage --format json` wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["follow", "max_width"])]
    coverage: Option<PathBuf>,
}

/// The picture with what scenarios show of each node.
fn marked(wanted: &Draw, trees: &[TreeAsset], format: Format) -> Result<String, Error> {
    let (Some(file), [tree]) = (&wanted.coverage, trees) else {
        return Err(Error::failure("`--coverage` marks one tree"));
    };
    let text = crate::read::text(file)
        .map_err(|error| Error::failure(format!("cannot read {}: {error}", file.display())))?;
    let marks = coverage::marks(&text, tree.name())
        .map_err(|why| Error::failure(format!("{}: {why}", file.display())))?;
    match format {
        Format::Text => Ok(draw::text_marked(tree, &marks)),
        Format::Svg => Ok(draw::svg_marked(tree, wanted.direction, &marks, 0)),
        Format::Dot | Format::Mermaid => Err(Error::failure(
            "`--coverage` is for text and SVG: write `--format svg`",
        )),
    }
}

/// Prints the picture, or writes it into a file.
pub(super) fn run(wanted: &Draw, quiet: bool) -> Result<(), Error> {
    let read = draw::files::read(&wanted.tree, wanted.follow)?;
    for warning in &read.warnings {
        say("warning", warning);
    }
    let ending = wanted.out.as_deref().and_then(Path::extension);
    let of_ending = ending.and_then(|ending| Format::of_ending(ending.to_str()?));
    let format = wanted.format.or(of_ending).unwrap_or_default();
    let picture = match wanted.max_width {
        None if wanted.coverage.is_some() => marked(wanted, &read.trees, format)?,
        None => draw::draw(&read.trees, format, wanted.direction),
        Some(most) if format == Format::Svg => {
            draw::svg_within(&read.trees, wanted.direction, most)
        }
        Some(_) => {
            return Err(Error::failure(
                "`--max-width` is for an SVG: write `--format svg` too, or an `--out` that ends in `.svg`",
            ));
        }
    };
    let Some(out) = &wanted.out else {
        return print(&picture);
    };
    if let Some(tree) = read.paths.iter().find(|tree| end(tree) == end(out)) {
        return Err(Error::failure(format!(
            "the picture would replace the tree {}: choose another file for `--out`",
            tree.display()
        )));
    }
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
