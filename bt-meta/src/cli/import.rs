//! `bt-meta import`: trees of other engines.

use std::path::PathBuf;

use clap::Args;

use super::print::print;
use crate::error::{Error, count};
use crate::files;
use crate::import::{self, Engine, Level, Options};
use crate::protocol;
use crate::say::say;
use crate::write;

#[derive(Debug, Args)]
pub(super) struct Import {
    /// The file, or a folder with files
    #[arg(value_name = "FILE|FOLDER")]
    path: PathBuf,
    /// The engine that they are of
    #[arg(long, value_enum, value_name = "ENGINE")]
    from: Engine,
    /// The folder for `agents.json` and the trees, which go into its folder `trees`
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// A file for a skeleton of the agent in Rust
    #[arg(long, value_name = "FILE")]
    rust: Option<PathBuf>,
    /// The name of the agent that the trees are for
    #[arg(long, value_name = "NAME", default_value = "imported_agent")]
    agent: String,
    /// Take what is known of the agent from an `agents.json`
    #[arg(long, value_name = "FILE")]
    catalogue: Option<PathBuf>,
    /// A name that scripts use for a whole number
    #[arg(long = "enum", value_name = "NAME=NUMBER", value_parser = number)]
    enums: Vec<(String, i64)>,
    /// Fail, and write nothing, if anything is lost
    #[arg(long)]
    strict: bool,
    /// Replace files that are there with another text
    #[arg(long)]
    overwrite: bool,
}

fn number(text: &str) -> Result<(String, i64), String> {
    let (name, number) = text.split_once('=').ok_or("write `NAME=NUMBER`")?;
    let number = number
        .parse()
        .map_err(|_| format!("`{number}` is no whole number"))?;
    Ok((name.to_owned(), number))
}

/// Reads, says what is lost, and writes.
pub(super) fn run(wanted: &Import, quiet: bool) -> Result<(), Error> {
    let known = wanted
        .catalogue
        .as_deref()
        .map(protocol::read)
        .transpose()?;
    let options = Options {
        engine: wanted.from,
        agent: wanted.agent.clone(),
        known,
        enums: wanted.enums.iter().cloned().collect(),
    };
    let imported = import::import(&wanted.path, &options)?;
    let (losses, notes): (Vec<_>, Vec<_>) = imported
        .problems
        .iter()
        .partition(|problem| problem.level == Level::Loss);
    for note in notes.iter().filter(|_| !quiet) {
        say("note", note);
    }
    if wanted.strict && !losses.is_empty() {
        let messages = losses.iter().map(ToString::to_string);
        let summary = format!(
            "nothing was written: {} lost",
            count(losses.len(), "construct")
        );
        return Err(Error::findings(messages.chain([summary]).collect()));
    }
    for loss in &losses {
        say("warning", loss);
    }
    let trees = wanted.out.join("trees");
    let texts: Vec<_> = imported
        .trees
        .iter()
        .map(|tree| (trees.join(tree.name()), tree.to_json()))
        .collect();
    let catalogue = (
        wanted.out.join("agents.json"),
        files::text(&imported.catalogue)?,
    );
    let rust = wanted
        .rust
        .iter()
        .map(|path| (path.clone(), imported.rust.clone()));
    let all: Vec<_> = texts.into_iter().chain([catalogue]).chain(rust).collect();
    if !wanted.overwrite {
        let files = all
            .iter()
            .map(|(path, text)| (path.as_path(), text.as_str()));
        let instead = "choose another folder, or replace what is there with `--overwrite`";
        write::refuse_edited(files, instead)?;
    }
    write::make_folder(&trees, "choose another")?;
    write::replace(
        all.iter()
            .map(|(path, text)| (path.clone(), text.as_bytes())),
    )?;
    let nodes = imported
        .trees
        .iter()
        .map(|tree| tree.nodes().len() - 1)
        .sum();
    let report = format!(
        "imported {} with {} from {}; {} lost, {}\n",
        count(imported.trees.len(), "tree"),
        count(nodes, "node"),
        count(imported.elements, "element"),
        count(losses.len(), "construct"),
        count(notes.len(), "note"),
    );
    match quiet {
        true => Ok(()),
        false => print(&report),
    }
}
