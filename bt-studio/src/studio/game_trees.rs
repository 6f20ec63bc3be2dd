//! The trees of games beside those of the project.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::TreeAsset;
use bt_core::tree::by_either_name;
use bt_live::protocol::hash;

use super::Studio;
use super::documents::path_of;
use crate::cards;
use crate::games::{Nodes, Source, ToSession};
use crate::protocol::{Failure, GameTree, Session, SessionKind};

impl Studio {
    /// The nodes of the project's trees, for logs.
    pub(super) fn nodes_for(&self, source: &Source) -> Nodes {
        let mut nodes = Nodes::default();
        if matches!(source, Source::Log(_) | Source::Listen(_)) {
            for file in self.files.values() {
                if let Ok(tree) = TreeAsset::from_slice(&file.name, &file.bytes) {
                    nodes.add(&tree);
                }
            }
        }
        nodes
    }

    /// Says which of the project's trees a session has.
    pub(super) fn fill_in(&self, session: &mut Session) {
        for (name, tree) in &mut session.trees {
            let path = path_of(&self.files)(name);
            let file = path.as_ref().and_then(|path| self.files.get(path));
            tree.same = file.map(|file| file.hash() == tree.hash);
            if tree.hash.is_empty() {
                tree.same = None;
            }
            tree.path = path;
        }
    }

    /// Files have changed: sessions have other trees of the project, or the same again.
    pub(super) fn files_changed_for_games(&mut self) {
        let known: Vec<Session> = self
            .sessions
            .each()
            .filter_map(|handle| handle.info.clone())
            .collect();
        for session in known {
            self.stands(session);
        }
    }

    pub(super) fn game_tree(
        &self,
        session: u32,
        name: &str,
        text: Option<String>,
    ) -> Result<GameTree, Failure> {
        let path = path_of(&self.files)(name);
        let file = path.as_ref().and_then(|path| self.files.get(path));
        let own = || file.and_then(|file| file.text()).map(str::to_owned);
        let is_known = text.is_some();
        let text = text.or_else(own).ok_or_else(|| {
            Failure::unknown(format!("nobody knows the text of tree {name:?} of session {session}: open the folder that has it"))
        })?;
        let tree = TreeAsset::from_slice(name, text.as_bytes()).ok();
        let hash = hash(&text);
        Ok(GameTree {
            name: name.to_owned(),
            same: file.filter(|_| is_known).map(|file| file.hash() == hash),
            view: tree.map(|tree| cards::view(&tree, &path_of(&self.files))),
            hash,
            text,
            path,
        })
    }

    /// A tree was saved: the games that have it get it at once, with those that it calls and they have not.
    pub(super) fn saved_for_games(&mut self, name: &str) {
        for handle in self.sessions.each() {
            let Some(session) = &handle.info else {
                continue;
            };
            if session.kind != SessionKind::Game {
                continue;
            }
            let trees = self.trees_for(session, name);
            if !trees.is_empty() {
                let tree = name.to_owned();
                _ = handle.to.send(ToSession::Saved { tree, trees });
            }
        }
    }

    /// The trees for a game after a tree was saved: that tree, or those of its own that call it and are
    /// others on the disk; and all called trees that it does not have.
    fn trees_for(&self, session: &Session, saved: &str) -> Vec<(String, String)> {
        let has = |name: &str| by_either_name(name, |name| session.trees.get_key_value(name));
        let own = has(saved).map(|(name, _)| name.clone());
        let mut wanted: Vec<String> = match own {
            Some(own) => vec![own],
            None => {
                let differ = session
                    .trees
                    .iter()
                    .filter(|(_, tree)| tree.same == Some(false));
                let callers = differ.filter(|(name, _)| {
                    let called = self.called_by(name);
                    called.iter().any(|called| self.is_tree(called, saved))
                });
                callers.map(|(name, _)| name.clone()).collect()
            }
        };
        let mut texts = BTreeMap::new();
        let mut seen = BTreeSet::new();
        while let Some(name) = wanted.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            let path = path_of(&self.files)(&name);
            let file = path.and_then(|path| self.files.get(&path));
            let Some(text) = file.and_then(|file| file.text()) else {
                continue;
            };
            let called = self.called_by(&name).into_iter();
            wanted.extend(called.filter(|called| has(called).is_none()));
            texts.insert(name, text.to_owned());
        }
        texts.into_iter().collect()
    }

    fn is_tree(&self, called: &str, name: &str) -> bool {
        let path = path_of(&self.files);
        path(called).is_some() && path(called) == path(name)
    }

    /// The trees that a tree of the project calls.
    fn called_by(&self, name: &str) -> Vec<String> {
        let path = path_of(&self.files)(name);
        let file = path.and_then(|path| self.files.get(&path));
        let tree = file.and_then(|file| TreeAsset::from_slice(&file.name, &file.bytes).ok());
        let nodes = tree.iter().flat_map(|tree| tree.preorder());
        let called = nodes.filter_map(|node| bt_meta::draw::card(node).calls);
        called.collect()
    }
}
