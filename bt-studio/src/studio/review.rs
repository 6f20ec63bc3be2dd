//! Versions of a tree, side by side. Git is asked on other threads: it may take its time.

use std::path::PathBuf;
use std::thread;

use bt_core::TreeAsset;
use bt_live::protocol::envelope::Id;
use bt_meta::diff::trees::{self, Change, compare};
use bt_meta::scenarios::Report;

use super::documents::path_of;
use super::games::Answered;
use super::requests::{answer, to_value};
use super::scenarios;
use super::{Message, Studio};
use crate::cards::view;
use crate::project::git;
use crate::protocol::{
    DiffTrees, Failure, ListRevisions, NodeChange, NodeDiff, Revisions, Side, TreeDiff,
};

/// Git is asked so many things at once, at most.
const ASKED: usize = 8;

/// The findings of another thread.
#[derive(Debug)]
pub enum Reviewed {
    /// The revisions of a file.
    Revisions(Result<Vec<crate::protocol::Revision>, String>),
    /// Two trees that are to be compared.
    Trees(Result<Box<(TreeAsset, TreeAsset)>, String>),
    /// Scenarios that were played.
    Scenarios(Result<Box<Report>, String>),
}

/// A version of a tree that is not read yet.
enum Version {
    Text(String, String),
    Revision(String, PathBuf, String),
}

impl Version {
    fn read(self) -> Result<TreeAsset, String> {
        let (name, text) = match self {
            Version::Text(name, text) => (name, text),
            Version::Revision(name, file, id) => (name, git::text(&file, &id)?),
        };
        TreeAsset::from_slice(&name, text.as_bytes()).map_err(|error| {
            let problem = error.problems().first();
            let why = problem.map_or_else(String::new, ToString::to_string);
            format!("that version is no tree: {why}")
        })
    }
}

impl Studio {
    pub(super) fn revisions(&mut self, client: u64, id: &Id, asked: &ListRevisions) -> Answered {
        let meant = match self.options.folders.find(&asked.path) {
            Ok(meant) => meant,
            Err(failure) => return Answered::Now(Err(failure)),
        };
        let file = meant.place.path();
        self.find_out(client, id, move || {
            Reviewed::Revisions(git::revisions(&file))
        })
    }

    pub(super) fn diff(&mut self, client: u64, id: &Id, asked: &DiffTrees) -> Answered {
        let left = self.version(client, &asked.left);
        let sides = left.and_then(|left| Ok((left, self.version(client, &asked.right)?)));
        let (left, right) = match sides {
            Ok(sides) => sides,
            Err(failure) => return Answered::Now(Err(failure)),
        };
        self.find_out(client, id, move || {
            let left = left.read();
            Reviewed::Trees(left.and_then(|left| Ok(Box::new((left, right.read()?)))))
        })
    }

    /// Does something on another thread, which is answered later.
    pub(super) fn find_out(
        &mut self,
        client: u64,
        id: &Id,
        work: impl FnOnce() -> Reviewed + Send + 'static,
    ) -> Answered {
        if self.reviews >= ASKED {
            return Answered::Now(Err(Failure::limit(format!(
                "{ASKED} such requests are under way, which is the most: wait for one"
            ))));
        }
        let (post, id) = (self.post.clone(), id.clone());
        let work = move || {
            let found = work();
            // The studio ends with the program.
            _ = post.send(Message::Reviewed { client, id, found });
        };
        let spawned = thread::Builder::new().name("review".to_owned()).spawn(work);
        match spawned {
            Ok(_) => {
                self.reviews += 1;
                Answered::Later
            }
            Err(error) => Answered::Now(Err(Failure::refused(error))),
        }
    }

    /// Something was found out: it is the answer to a request.
    pub(super) fn reviewed(&mut self, client: u64, id: Id, found: Reviewed) {
        self.reviews -= 1;
        let result = match found {
            Reviewed::Revisions(found) => {
                let found = found.map(|revisions| Revisions { revisions });
                found.map_err(Failure::refused).and_then(to_value)
            }
            Reviewed::Scenarios(found) => {
                let found = found.map(|report| scenarios::shown(&report));
                found.map_err(Failure::refused).and_then(to_value)
            }
            Reviewed::Trees(found) => {
                let found = found.map(|sides| self.compared(&sides.0, &sides.1));
                found.map_err(Failure::refused).and_then(to_value)
            }
        };
        self.clients.send(client, answer(Some(id), result));
    }

    fn compared(&self, left: &TreeAsset, right: &TreeAsset) -> TreeDiff {
        let compared = compare(left, right);
        let list = compared
            .iter()
            .filter_map(|node| node.in_words(left, right));
        let list = list.collect();
        let path_of = path_of(&self.files);
        TreeDiff {
            nodes: compared.into_iter().map(node).collect(),
            left: view(left, &path_of),
            right: view(right, &path_of),
            list,
        }
    }

    /// The version that a side is of.
    fn version(&mut self, client: u64, side: &Side) -> Result<Version, Failure> {
        match (side.doc, &side.path, &side.revision_id) {
            (Some(doc), None, None) => {
                let document = self.document(client, doc)?;
                let (name, text) = (document.name.clone(), document.text.clone());
                Ok(Version::Text(name, text))
            }
            (None, Some(path), id) => {
                let meant = self.options.folders.find(path)?;
                Ok(match id {
                    None => Version::Text(meant.name.clone(), self.read(path, &meant)?),
                    Some(id) => Version::Revision(meant.name, meant.place.path(), id.clone()),
                })
            }
            _ => Err(Failure::refused(
                "a side is a `doc`, a `path`, or a `path` and a `revision_id`: expected one of these",
            )),
        }
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
