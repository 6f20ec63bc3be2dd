//! `bt-meta diff`: what changed between two catalogues, and between two versions of trees.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::print::print;
use super::root::place;
use crate::catalogue::Catalogue;
use crate::diff::page::page;
use crate::diff::revision::{self, catalogue_file};
use crate::diff::versions::{self, Version};
use crate::diff::{Diff, diff, print as printed};
use crate::error::Error;
use crate::say::say;
use crate::validate::show::notice;
use crate::{protocol, validate};

#[derive(Debug, Args)]
#[command(next_help_heading = "What is compared")]
pub(super) struct Compared {
    /// The old catalogue: an `agents.json`, or a folder that has one; with `--since` the file or folder in
    /// the repository (default: `agents.json`)
    #[arg(value_name = "OLD")]
    old: Option<PathBuf>,
    /// The new one; left out, the agents of the package, program or catalogue that other options name
    #[arg(value_name = "NEW")]
    new: Option<PathBuf>,
    /// The old catalogue is the file as it was at this git revision
    #[arg(long, value_name = "REV")]
    since: Option<String>,
    /// Trees that may use what changed: files, or folders with `.json` files
    #[arg(long, value_name = "FILES", num_args = 1..)]
    trees: Vec<PathBuf>,
    /// With `--format html`: the trees as they were, to be compared with those of the same names in `--trees`; left
    /// out, they are those at the revision that `--since` names
    #[arg(long, value_name = "FILES", num_args = 1.., requires = "trees")]
    old_trees: Vec<PathBuf>,
    /// Format of the changes
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The changes for which the exit code is 1
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t)]
    fail_on: FailOn,
    /// With `--format sarif` and `github`: the folder that paths are relative to (default: the one above
    /// with `.git` in it)
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

/// The format of the changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// For people: by agent, the breaking ones first
    #[default]
    Human,
    /// For programs
    Json,
    /// SARIF 2.1.0, which code hosts and editors read
    Sarif,
    /// Commands that annotate a pull request on GitHub
    Github,
    /// One page for a pull request, with the trees of `--trees` before and after as pictures. Where no catalogue is
    /// named and none is here, the trees alone are compared
    Html,
}

/// The changes for which the exit code is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum FailOn {
    /// Those by which trees may be refused
    #[default]
    Breaking,
    /// Those too by which trees may do something else
    Behaviour,
    /// None
    Never,
}

impl FailOn {
    fn fails(self, found: &Diff) -> bool {
        match self {
            FailOn::Breaking => found.is_breaking(),
            FailOn::Behaviour => found.is_breaking() || found.behaviour > 0,
            FailOn::Never => false,
        }
    }
}

/// Prints the changes. `collect` says what is annotated, if options say where.
pub(super) fn run(
    compared: &Compared,
    collect: Option<impl FnOnce() -> Result<Catalogue, Error>>,
    quiet: bool,
) -> Result<(), Error> {
    if compared.format != Format::Html && !compared.old_trees.is_empty() {
        return Err(Error::failure(
            "`--old-trees` is for `--format html`, which shows trees before and after: add that",
        ));
    }
    if is_trees_alone(compared, collect.is_some()) {
        return print(&page(None, &tree_versions(compared)?));
    }
    let (old, new) = catalogues(compared, collect)?;
    let mut found = diff(&old, &new)?;
    if !compared.trees.is_empty() {
        found.look_for_uses(&old, &new, &validate::read(&compared.trees)?);
    }
    for warning in &found.warnings {
        say("warning", warning);
    }
    match compared.format {
        Format::Json => {
            let json = serde_json::to_value(&found).map(|mut json| {
                json.sort_all_objects();
                format!("{json:#}\n")
            });
            print(
                &json.map_err(|error| Error::failure(format!("cannot write as JSON: {error}")))?,
            )?;
        }
        Format::Sarif | Format::Github => {
            let mut notices = printed::notices(&found);
            place(&mut notices, compared.root.as_deref())?;
            print(&match compared.format {
                Format::Sarif => notice::sarif(&notices),
                Format::Human | Format::Json | Format::Github | Format::Html => {
                    notice::github(&notices)
                }
            })?;
        }
        Format::Html => print(&page(Some(&found), &tree_versions(compared)?))?,
        Format::Human if quiet && !compared.fail_on.fails(&found) => {}
        Format::Human => print(&printed::text(&found))?,
    }
    match compared.fail_on.fails(&found) {
        true => Err(Error::finding(printed::total(&found))),
        false => Ok(()),
    }
}

/// Returns true if there are two versions of trees, and no catalogue that could be compared.
fn is_trees_alone(compared: &Compared, collects: bool) -> bool {
    let has_versions = compared.since.is_some() || !compared.old_trees.is_empty();
    compared.format == Format::Html
        && has_versions
        && !compared.trees.is_empty()
        && compared.old.is_none()
        && !collects
        && !catalogue_file(Path::new("agents.json")).is_file()
}

/// The trees that are not as they were.
fn tree_versions(compared: &Compared) -> Result<Vec<Version>, Error> {
    match (&compared.since, compared.old_trees.as_slice()) {
        (Some(revision), []) if !compared.trees.is_empty() => {
            versions::since(revision, &compared.trees)
        }
        (_, []) => Ok(Vec::new()),
        (_, old) => versions::between(old, &compared.trees),
    }
}

fn catalogues(
    compared: &Compared,
    collect: Option<impl FnOnce() -> Result<Catalogue, Error>>,
) -> Result<(Catalogue, Catalogue), Error> {
    let misuse = |why: &str| Err(Error::failure(why));
    match (&compared.since, &compared.old, &compared.new, collect) {
        (_, _, Some(_), Some(_)) => misuse(
            "the new catalogue is named twice, as a file and by the options that say where agents come \
             from: leave one out",
        ),
        (Some(_), _, Some(_), None) => {
            misuse("`--since` compares one file with what it was: name one file or folder, not two")
        }
        (Some(revision), path, None, collect) => {
            let file = path.as_deref().unwrap_or(Path::new("agents.json"));
            let file = catalogue_file(file);
            let old = revision::catalogue(revision, &file)?;
            Ok((
                old,
                collect.map_or_else(|| protocol::read(&file), |collect| collect())?,
            ))
        }
        (None, Some(old), Some(new), None) => Ok((read(old)?, read(new)?)),
        (None, Some(old), None, Some(collect)) => Ok((read(old)?, collect()?)),
        (None, None, _, _) | (None, Some(_), None, None) => misuse(
            "two catalogues are compared: `bt-meta diff OLD NEW`, `bt-meta diff OLD --package NAME`, or \
             `bt-meta diff --since REV [PATH]`",
        ),
    }
}

fn read(path: &Path) -> Result<Catalogue, Error> {
    protocol::read(&catalogue_file(path))
}
