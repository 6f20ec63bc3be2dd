//! `bt-meta merge-view`: edits that the original's editor made in copies, brought back to their trees.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bt_core::TreeAsset;
use bt_core::tree::is_script;
use clap::Args;
use similar::TextDiff;

use super::print::print;
use crate::catalogue::Catalogue;
use crate::error::{Error, count, did_you_mean};
use crate::say::say;
use crate::validate::input::{self, File};
use crate::view_trees::{Merged, merge};
use crate::write;

#[derive(Debug, Args)]
#[command(next_help_heading = "What is merged")]
pub(super) struct Merging {
    /// Copies that `export --view-trees` wrote and the original's editor changed: files, folders or patterns
    #[arg(value_name = "VIEWS", required = true)]
    views: Vec<PathBuf>,
    /// The trees that they were made from: files, folders or patterns, with the same names
    #[arg(long, value_name = "TREES", num_args = 1.., required = true)]
    into: Vec<PathBuf>,
    /// The trees as they were when the copies were made, if they have changed since
    #[arg(long, value_name = "OLD", num_args = 1..)]
    base: Vec<PathBuf>,
    /// Write the trees; a diff is shown otherwise
    #[arg(long)]
    write: bool,
}

/// A tree that gets edits of its copy.
struct Target {
    path: PathBuf,
    before: String,
    merged: Merged,
    is_script: bool,
}

/// Shows what the copies change, or writes it.
pub(super) fn run(catalogue: &Catalogue, merging: &Merging, quiet: bool) -> Result<(), Error> {
    let views = input::read(&merging.views)?;
    let trees = Named::of(input::read(&merging.into)?);
    let old = match merging.base.is_empty() {
        true => None,
        false => Some(Named::of(input::read(&merging.base)?)),
    };
    let mut targets = Vec::new();
    for view in &views {
        let target = one(catalogue, view, views.len() == 1, &trees, old.as_ref());
        targets.push(target.map_err(|error| error.in_file(&view.path.display().to_string()))?);
    }
    report(&targets, merging.write, quiet)
}

/// Files by their names, without the ending.
struct Named(BTreeMap<String, File>);

impl Named {
    fn of(files: Vec<File>) -> Named {
        let named = files.into_iter().map(|file| (stem(&file.name), file));
        Named(named.collect())
    }

    /// The file of a copy: that of its name, or the only one there is.
    fn find(&self, name: &str, is_only: bool) -> Result<&File, Error> {
        if let (true, 1, Some(file)) = (is_only, self.0.len(), self.0.values().next()) {
            return Ok(file);
        }
        let missing = || {
            let near = did_you_mean(&stem(name), self.0.keys().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; {near}"));
            Error::failure(format!("there is no tree of that name{near}"))
        };
        self.0.get(&stem(name)).ok_or_else(missing)
    }
}

fn stem(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.to_owned()
}

fn read(file: &File) -> Result<TreeAsset, Error> {
    TreeAsset::from_slice(&file.path.display().to_string(), &file.bytes).map_err(|error| {
        Error::findings(error.problems().iter().map(ToString::to_string).collect())
    })
}

fn one(
    catalogue: &Catalogue,
    view: &File,
    is_only: bool,
    trees: &Named,
    old: Option<&Named>,
) -> Result<Target, Error> {
    let file = trees.find(&view.name, is_only)?;
    let base = old.map(|old| old.find(&view.name, is_only)).transpose()?;
    let base = base.map(read).transpose()?;
    let (now, edited) = (read(file)?, read(view)?);
    let is_script = is_script(&file.name);
    let before = match is_script {
        true => now.to_json(),
        false => String::from_utf8_lossy(&file.bytes).into_owned(),
    };
    let merged = merge(catalogue, &now, &before, base.as_ref(), &edited)?;
    Ok(Target {
        path: file.path.clone(),
        before,
        merged,
        is_script,
    })
}

impl Target {
    fn changes(&self) -> bool {
        self.merged.text != self.before
    }

    fn diff(&self) -> String {
        let path = self.path.display().to_string();
        TextDiff::from_lines(&self.before, &self.merged.text)
            .unified_diff()
            .header(&path, &format!("{path}, merged"))
            .to_string()
    }
}

fn report(targets: &[Target], write: bool, quiet: bool) -> Result<(), Error> {
    let mut problems = Vec::new();
    let mut text = String::new();
    let changed = targets.iter().filter(|target| target.changes());
    let (scripts, files): (Vec<&Target>, Vec<&Target>) =
        changed.partition(|target| target.is_script);
    for target in targets {
        let path = target.path.display();
        for why in &target.merged.left {
            say("warning", format_args!("{path}: {why}"));
        }
        if !target.merged.left.is_empty() {
            let edits = count(target.merged.left.len(), "edit");
            problems.push(format!("{path}: {edits} could not be brought back"));
        }
    }
    for target in &scripts {
        problems.push(format!(
            "{} is a script, which a person changes: {}",
            target.path.display(),
            target.merged.done.join("; ")
        ));
    }
    if write {
        let texts = files.iter();
        write::replace(texts.map(|file| (file.path.clone(), file.merged.text.as_bytes())))?;
    }
    for target in &files {
        if !write {
            text += &target.diff();
        }
        text += &format!("{}:\n", target.path.display());
        text.extend(target.merged.done.iter().map(|done| format!("  {done}\n")));
    }
    let summary = match files.len() {
        0 => format!("{}: nothing to bring back", count(targets.len(), "copy")),
        some => {
            let all = count(targets.len(), "tree");
            format!("{some} of {all} changed")
        }
    };
    if !write && !files.is_empty() {
        problems.push(format!("{summary}; `--write` writes them"));
    } else if !quiet {
        text += &(summary + "\n");
    }
    print(&text)?;
    match problems.is_empty() {
        true => Ok(()),
        false => Err(Error::findings(problems)),
    }
}
