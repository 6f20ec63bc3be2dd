//! BehaviorTree.CPP, versions 3 and 4.
//!
//! [`files`] reads the files and what they include, [`models`] gathers what the leaves take, [`build`] makes trees:
//! twice or more, since what the keys hold is known when all trees have been seen.

mod build;
mod escape;
mod files;
mod kinds;
mod models;
mod scope;
mod script;
#[cfg(test)]
mod tests;
mod xml;

use std::collections::BTreeSet;
use std::path::Path;

use super::catalogue::catalogue;
use super::skeleton::skeleton;
use super::{Imported, Options};
use crate::error::Error;
use build::{Builder, Known};
use files::Files;
pub(crate) use kinds::is_built_in;
use models::Models;

/// All trees are built so often at most, until no type of a key changes.
const MOST_PASSES: usize = 5;

/// Reads a file with what it includes, or a folder.
pub(super) fn import(path: &Path, options: &Options) -> Result<Imported, Error> {
    let files = files::read(path)?;
    let models = models(&files, options);
    let mut known = Known::default();
    for _ in 1..MOST_PASSES {
        let mut builder = Builder::new(&files, &models, options, &known);
        builder.all()?;
        let found = builder.found();
        if found == known {
            break;
        }
        known = found;
    }
    let mut builder = Builder::new(&files, &models, options, &known);
    builder.all()?;
    Ok(finish(builder, &files, options))
}

fn models(files: &Files, options: &Options) -> Models {
    let mut models = Models::default();
    if let Some(catalogue) = &options.known {
        models.know(catalogue, &options.agent);
    }
    for source in &files.sources {
        models.read(&source.root);
    }
    let trees: Vec<_> = files.trees().map(|(_, tree)| tree).collect();
    models.learn(&trees);
    models
}

fn finish(builder: Builder<'_>, files: &Files, options: &Options) -> Imported {
    let built = builder.finish();
    let methods: Vec<_> = built.methods.iter().collect();
    let new: Vec<_> = methods
        .iter()
        .copied()
        .filter(|method| !method.is_known())
        .collect();
    let problems: BTreeSet<_> = files
        .problems
        .iter()
        .cloned()
        .chain(built.problems)
        .collect();
    Imported {
        trees: built.trees,
        catalogue: catalogue(&options.agent, &methods, options.known.as_ref()),
        rust: skeleton(&options.agent, &new),
        problems: problems.into_iter().collect(),
        elements: files.trees().map(|(_, tree)| tree.all().len() - 1).sum(),
    }
}
