//! `bt-meta export`: the editor's files, and what there is for other tools and people.

use std::path::{Path, PathBuf};

use clap::Args;

use super::print;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::formats::{self, Format};
use crate::layout::{Editor, Layout, Options, TypeNames};
use crate::write;
use crate::write::Outcome;

#[derive(Debug, Args)]
#[command(next_help_heading = "What is written")]
pub(super) struct Output {
    /// The directory for the files; made if it is not there
    #[arg(long, value_name = "DIR")]
    out_dir: PathBuf,
    /// What to write, with commas between several
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        value_delimiter = ',',
        default_value = "mosaic"
    )]
    format: Vec<Format>,
    /// Only this agent: its name, its full name or an alias
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// How action_types.json (mosaic) is laid out
    #[arg(long, value_enum, default_value_t)]
    layout: Layout,
    /// How action_types.json (mosaic) spells the types of arguments
    #[arg(long, value_enum, default_value_t)]
    type_names: TypeNames,
    /// Which editor node_types.json (mosaic) is for
    #[arg(long, value_enum, default_value_t)]
    editor: Editor,
}

impl Output {
    /// Where the files are.
    pub(super) fn folder(&self) -> &Path {
        &self.out_dir
    }

    /// What is written, and how.
    pub(super) fn options(&self) -> Options {
        Options {
            agent: self.agent.clone(),
            layout: self.layout,
            type_names: self.type_names,
            editor: self.editor,
        }
    }
}

/// Writes the files and says which of them changed.
pub(super) fn run(catalogue: &Catalogue, output: &Output, quiet: bool) -> Result<(), Error> {
    let rendered = formats::render(catalogue, &output.options(), &output.format)?;
    for warning in &rendered.warnings {
        eprintln!("warning: {warning}");
    }
    let outcomes = write::write(&output.out_dir, &rendered.files)?;
    if quiet {
        return Ok(());
    }
    let mut report = String::new();
    for (file, outcome) in rendered.files.iter().zip(outcomes) {
        let outcome = match outcome {
            Outcome::Written => "wrote",
            Outcome::Unchanged => "unchanged",
        };
        let path = output.out_dir.join(file.name);
        report += &format!("{outcome} {} ({})\n", path.display(), file.counts);
    }
    print(&report)
}
