//! Versions of a tree, side by side.

use bt_core::TreeAsset;
use bt_meta::diff::trees::{self, Change, compare};

use super::Studio;
use super::documents::path_of;
use crate::cards::view;
use crate::project::git;
use crate::protocol::{DiffTrees, Failure, NodeChange, NodeDiff, Revisions, Side, TreeDiff};

impl Studio {
    pub(super) fn revisions(&self, path: &str) -> Result<Revisions, Failure> {
        let meant = self.options.folders.find(path)?;
        let revisions = git::revisions(&meant.disk).map_err(Failure::refused)?;
        Ok(Revisions { revisions })
    }

    pub(super) fn diff(&mut self, client: u64, asked: &DiffTrees) -> Result<TreeDiff, Failure> {
        let (left, right) = (
            self.side(client, &asked.left)?,
            self.side(client, &asked.right)?,
        );
        let compared = compare(&left, &right);
        let list = compared
            .iter()
            .filter_map(|node| node.in_words(&left, &right));
        let list = list.collect();
        let path_of = path_of(&self.files);
        Ok(TreeDiff {
            nodes: compared.into_iter().map(node).collect(),
            left: view(&left, &path_of),
            right: view(&right, &path_of),
            list,
        })
    }

    /// The tree of a version.
    fn side(&mut self, client: u64, side: &Side) -> Result<TreeAsset, Failure> {
        let (name, text) = match (side.doc, &side.path, &side.revision_id) {
            (Some(doc), None, None) => {
                let document = self.document(client, doc)?;
                (document.name.clone(), document.text.clone())
            }
            (None, Some(path), id) => {
                let meant = self.options.folders.find(path)?;
                let text = match id {
                    None => self.read(path, &meant)?,
                    Some(id) => git::text(&meant.disk, id).map_err(Failure::refused)?,
                };
                (meant.name, text)
            }
            _ => {
                return Err(Failure::refused(
                    "a side is a `doc`, a `path`, or a `path` and a `revision_id`: expected one of these",
                ));
            }
        };
        TreeAsset::from_slice(&name, text.as_bytes()).map_err(|error| {
            let problem = error.problems().first();
            let why = problem.map_or_else(String::new, ToString::to_string);
            Failure::refused(format!("that version is no tree: {why}"))
        })
    }
}

fn node(node: trees::Node) -> NodeDiff {
    NodeDiff {
        left: node.before,
        right: node.after,
        change: match node.change {
            Change::Added => NodeChange::Added,
            Change::Removed => NodeChange::Removed,
            Change::Moved => NodeChange::Moved,
            Change::Changed => NodeChange::Changed,
            Change::Same => NodeChange::Same,
        },
        what: node.what,
    }
}
