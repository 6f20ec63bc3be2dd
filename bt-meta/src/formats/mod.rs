//! The formats of an export: the editor's files, and files for other tools and people.
//!
//! Each format is a pure function from a catalogue to text, in a module of its own.

mod behaviac;
mod btcpp;
mod ids;
mod manual;
mod members;
mod tree_schema;
mod xml;

use bt_core::TreeAsset;

use crate::catalogue::{AgentEntry, Catalogue};
use crate::error::Error;
use crate::files::{self, Files};
use crate::layout::{Agents, Options};
use manual::Manual;

/// A format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Format {
    /// The editor's files, agents.json and its schema
    Mosaic,
    /// behaviac_meta.xml: what behaviac's designer knows the agents by
    Behaviac,
    /// btcpp.xml: trees, and the model of their leaves, as BehaviorTree.CPP and Groot2 read them
    Btcpp,
    /// trees.schema.json: a JSON Schema by which any editor completes and checks tree files
    JsonSchema,
    /// agents.md: the agents' manual, for a repository or a wiki
    Markdown,
    /// agents.html: the agents' manual, one page that needs nothing else
    Html,
}

/// Makes the text of the files of some formats, each of which may stand there several times.
///
/// # Errors
/// As [`files::render`]. A format refuses what contradicts itself even where it would not show it.
pub fn render(
    catalogue: &Catalogue,
    options: &Options,
    formats: &[Format],
) -> Result<Files, Error> {
    render_trees(catalogue, options, formats, &[])
}

/// The same, with trees for the formats that have them: [`Format::Btcpp`].
///
/// # Errors
/// As [`render()`]; findings that name each node that such a format has no counterpart for.
pub fn render_trees(
    catalogue: &Catalogue,
    options: &Options,
    formats: &[Format],
    trees: &[TreeAsset],
) -> Result<Files, Error> {
    let agents = Agents::new(catalogue)?;
    let mut all = Files {
        files: Vec::new(),
        warnings: Vec::new(),
    };
    let mut formats = formats.to_vec();
    formats.sort_unstable();
    formats.dedup();
    for format in formats {
        let files = of(catalogue, &agents, options, format, trees)?;
        all.files.extend(files.files);
        all.warnings.extend(files.warnings);
    }
    all.files.sort_by_key(|file| file.name);
    Ok(all)
}

fn of(
    catalogue: &Catalogue,
    agents: &Agents<'_>,
    options: &Options,
    format: Format,
    trees: &[TreeAsset],
) -> Result<Files, Error> {
    let wanted = options.agent.as_deref();
    let selected = || -> Result<Vec<&AgentEntry>, Error> {
        Ok(match wanted {
            Some(wanted) => vec![agents.find(wanted)?],
            None => agents.all().collect(),
        })
    };
    match format {
        Format::Mosaic => files::render(catalogue, options),
        Format::Behaviac => behaviac::file(catalogue, agents, &selected()?),
        Format::Btcpp => btcpp::file(agents, wanted, trees),
        Format::JsonSchema => tree_schema::file(catalogue, agents, &selected()?),
        Format::Markdown => Ok(Manual::of(catalogue, agents, wanted)?.markdown_file()),
        Format::Html => Ok(Manual::of(catalogue, agents, wanted)?.html_file()),
    }
}
