//! A tree's file, and those of the trees that it calls.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use bt_core::TreeAsset;
use bt_core::kinds::Use;

use super::figure::place_of;
use crate::error::Error;
use crate::paths::is_below;

/// Trees that are to be drawn.
#[derive(Debug)]
pub struct Read {
    /// The one that was asked for, then those that it leads to.
    pub trees: Vec<TreeAsset>,
    /// The file of each.
    pub paths: Vec<PathBuf>,
    /// The called trees that are missing.
    pub warnings: Vec<String>,
}

/// Reads a tree; with `follow` those too that it calls or that its events start, and so on, from files
/// beside it or below.
///
/// # Errors
/// A failure for a file that cannot be read, a finding for each problem of one that is no tree.
pub fn read(path: &Path, follow: bool) -> Result<Read, Error> {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let first = tree(path, &name.to_string_lossy())?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut called: VecDeque<_> = match follow {
        true => calls(&first).into(),
        false => VecDeque::new(),
    };
    let mut read = Read {
        trees: vec![first],
        paths: vec![path.to_owned()],
        warnings: Vec::new(),
    };
    while let Some(call) = called.pop_front() {
        if place_of(&call.tree, &read.trees).is_some() {
            continue;
        }
        match beside(folder, &call.tree) {
            Some((name, path)) => {
                let tree = tree(&path, &name)?;
                called.extend(calls(&tree));
                read.trees.push(tree);
                read.paths.push(path);
            }
            None => {
                let warning = format!(
                    "{}: node {}: `{}` is not drawn: there is no file of that name beside {}",
                    call.from,
                    call.node,
                    call.tree.escape_debug(),
                    path.display()
                );
                read.warnings.push(warning);
            }
        }
    }
    Ok(read)
}

fn tree(path: &Path, name: &str) -> Result<TreeAsset, Error> {
    let shown = path.display().to_string();
    let bytes = crate::read::bytes(path);
    let bytes = bytes.map_err(|error| Error::failure(format!("cannot read {shown}: {error}")))?;
    match TreeAsset::from_slice(&shown, &bytes) {
        Ok(tree) => Ok(tree.with_name(name)),
        Err(error) => {
            let mut lines: Vec<_> = error.problems().iter().map(ToString::to_string).collect();
            if error.unlisted() > 0 {
                lines.push(format!("and {} more", error.unlisted()));
            }
            Err(Error::findings(lines))
        }
    }
}

/// A call of another tree.
struct Call {
    from: String,
    node: u32,
    tree: String,
}

fn calls(tree: &TreeAsset) -> Vec<Call> {
    let mut calls = Vec::new();
    for node in tree.preorder() {
        node.uses(&mut |_, used| {
            let name = match used {
                Use::Tree(tree) => tree.named(),
                Use::Starts(event) => Some(event.tree.0),
                Use::Call(..)
                | Use::Guard(..)
                | Use::Expression(..)
                | Use::Value(..)
                | Use::Writes(..)
                | Use::Number(..)
                | Use::Event(..) => None,
            };
            let named = name.filter(|name| !name.is_empty());
            calls.extend(named.map(|name| Call {
                from: tree.name().to_owned(),
                node: node.idx(),
                tree: name.to_owned(),
            }));
        });
    }
    calls
}

/// The file of a tree: its name as it is there, and its path. A name that leads out of the folder has
/// none.
fn beside(folder: &Path, name: &str) -> Option<(String, PathBuf)> {
    let names = [
        name.to_owned(),
        format!("{name}.json"),
        format!("{name}.bt"),
    ];
    let named = names
        .into_iter()
        .filter(|name| is_below(Path::new(name)) && !name.is_empty());
    let mut files = named.map(|name| (folder.join(&name), name));
    let (path, name) = files.find(|(path, _)| path.is_file())?;
    Some((name, path))
}
