//! `bt-meta export`: the editor's files, and what there is for other tools and people.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bt_core::TreeAsset;
use clap::Args;

use super::print::print;
use crate::catalogue::Catalogue;
use crate::error::{Error, count};
use crate::files::File;
use crate::formats::{self, Format};
use crate::layout::{Briefs, Editor, Layout, Options, TypeNames};
use crate::paths::{end, is_below};
use crate::say::say;
use crate::validate::{self, input};
use crate::view_trees;
use crate::write::{self, Outcome};

#[derive(Debug, Args)]
#[command(next_help_heading = "What is written")]
pub(super) struct Written {
    #[command(flatten)]
    output: Output,
    /// Formats to write, with commas between several
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        value_delimiter = ',',
        default_value = "mosaic"
    )]
    format: Vec<Format>,
}

/// The folder of the editor's files, and their layout.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is written")]
pub(super) struct Output {
    /// The directory for the files; made if it is not there
    #[arg(long, value_name = "DIR")]
    out_dir: PathBuf,
    /// Only this agent: its name, its full name or an alias
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Layout of action_types.json (mosaic)
    #[arg(long, value_enum, default_value_t)]
    layout: Layout,
    /// Spelling of the arguments' types in action_types.json (mosaic)
    #[arg(long, value_enum, default_value_t)]
    type_names: TypeNames,
    /// Descriptions of actions and arguments in action_types.json (mosaic)
    #[arg(long, value_enum, default_value_t)]
    briefs: Briefs,
    /// Editor that node_types.json (mosaic) is for
    #[arg(long, value_enum, default_value_t)]
    editor: Editor,
}

/// Trees: copies for the original's editor, or for a format that has trees.
#[derive(Debug, Args)]
pub(super) struct Views {
    /// Write copies of the trees into DIR that the original's editor and debugger open, for looking at
    #[arg(long, value_name = "DIR", requires = "trees")]
    view_trees: Option<PathBuf>,
    /// The trees, for `--view-trees` and `--format btcpp`: files, folders or patterns
    #[arg(long, value_name = "TREES", num_args = 1..)]
    trees: Vec<PathBuf>,
}

impl Views {
    /// The copies, and the folder that they go to; `others` are the files that are written besides.
    fn copies(
        &self,
        catalogue: &Catalogue,
        others: &[PathBuf],
    ) -> Result<Vec<(PathBuf, String)>, Error> {
        let Some(folder) = &self.view_trees else {
            return Ok(Vec::new());
        };
        let files = input::read(&self.trees)?;
        let refused = |file: &validate::File, why: &str| {
            let file = file.path.display();
            Err(Error::failure(format!("the copy of {file} {why}")))
        };
        let sources: BTreeMap<PathBuf, &Path> = files
            .iter()
            .map(|file| (end(&file.path), &*file.path))
            .collect();
        let mut taken: BTreeMap<PathBuf, &Path> =
            others.iter().map(|path| (end(path), &**path)).collect();
        let mut copies = Vec::new();
        for file in &files {
            if !is_below(Path::new(&file.name)) {
                let (name, folder) = (&file.name, folder.display());
                return refused(
                    file,
                    &format!(
                        "would not be below {folder}, since its name is `{name}`: name its folder"
                    ),
                );
            }
            // The original knows no scripts.
            let target = folder.join(&file.name).with_extension("json");
            if let Some(tree) = sources.get(&end(&target)) {
                let tree = tree.display();
                return refused(
                    file,
                    &format!(
                        "would replace the tree {tree}: choose another folder for `--view-trees`"
                    ),
                );
            }
            if let Some(other) = taken.insert(end(&target), &file.path) {
                let (other, target) = (other.display(), target.display());
                return refused(
                    file,
                    &format!(
                        "would be {target}, as what is made of {other}: name the folder that both trees are in, or \
                         choose another folder for `--view-trees`"
                    ),
                );
            }
            copies.push((target, view_trees::copy(catalogue, &tree(file)?)?));
        }
        Ok(copies)
    }

    /// The trees for the formats that have them.
    fn assets(&self, formats: &[Format]) -> Result<Vec<TreeAsset>, Error> {
        if !formats.contains(&Format::Btcpp) {
            return match self.view_trees.is_none() && !self.trees.is_empty() {
                true => Err(Error::failure(
                    "`--trees` is for `--view-trees DIR` or `--format btcpp`: write one of them",
                )),
                false => Ok(Vec::new()),
            };
        }
        match self.trees.is_empty() {
            true => Ok(Vec::new()),
            false => input::read(&self.trees)?.iter().map(tree).collect(),
        }
    }
}

/// The tree of a file, under its name in other trees.
fn tree(file: &validate::File) -> Result<TreeAsset, Error> {
    let shown = file.path.display().to_string();
    let tree = TreeAsset::from_slice(&shown, &file.bytes).map_err(|error| {
        let problems = error.problems().iter().map(ToString::to_string);
        Error::findings(problems.collect())
    })?;
    Ok(tree.with_name(&file.name))
}

impl Output {
    /// The folder of the files.
    pub(super) fn folder(&self) -> &Path {
        &self.out_dir
    }

    /// The options of the export.
    pub(super) fn options(&self) -> Options {
        Options {
            agent: self.agent.clone(),
            layout: self.layout,
            type_names: self.type_names,
            briefs: self.briefs,
            editor: self.editor,
        }
    }
}

/// Writes the files and says which of them changed.
pub(super) fn run(
    catalogue: &Catalogue,
    written: &Written,
    views: &Views,
    quiet: bool,
) -> Result<(), Error> {
    let output = &written.output;
    let trees = views.assets(&written.format)?;
    let rendered = formats::render_trees(catalogue, &output.options(), &written.format, &trees)?;
    let path = |file: &File| output.out_dir.join(file.name);
    let paths: Vec<PathBuf> = rendered.files.iter().map(path).collect();
    let copies = views.copies(catalogue, &paths)?;
    for warning in &rendered.warnings {
        say("warning", warning);
    }
    write::make_folder(&output.out_dir, "choose another with `--out-dir`")?;
    for folder in copies.iter().filter_map(|(path, _)| path.parent()) {
        write::make_folder(folder, "choose another with `--view-trees`")?;
    }
    let texts = rendered.files.iter().map(|file| file.text.as_bytes());
    let texts = paths.iter().cloned().zip(texts);
    let copied = copies.iter();
    let copied = copied.map(|(path, text)| (path.clone(), text.as_bytes()));
    let outcomes = write::replace(texts.chain(copied))?;
    if quiet {
        return Ok(());
    }
    let mut report = String::new();
    for ((file, path), outcome) in rendered.files.iter().zip(&paths).zip(outcomes) {
        let outcome = match outcome {
            Outcome::Written => "wrote",
            Outcome::Unchanged => "unchanged",
        };
        report += &format!("{outcome} {} ({})\n", path.display(), file.counts);
    }
    if let Some(folder) = &views.view_trees {
        let number = count(copies.len(), "tree");
        report += &format!("copied {number} into {}\n", folder.display());
    }
    print(&report)
}
