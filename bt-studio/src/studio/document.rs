//! A document: the text of a tree file as one client edits it.

use std::collections::BTreeMap;

use bt_core::TreeAsset;
use bt_core::tree::is_script;
use bt_live::protocol::hash;

use crate::cards;
use crate::project::files::File;
use crate::protocol::{Card, Changed, View};
use crate::text::splices::{Splice, apply};
use crate::text::utf16;

/// The path of the tree that a name means.
pub(super) type PathOf<'p> = &'p dyn Fn(&str) -> Option<String>;

/// The text of a tree file as one client edits it.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) id: u32,
    /// Whose it is.
    pub(super) client: u64,
    pub(super) path: String,
    /// What other trees call it.
    pub(super) name: String,
    pub(super) revision: u32,
    pub(super) text: String,
    /// What the file on the disk is known by that the text was read from or saved to; empty if there is none.
    pub(super) hash: String,
    /// None where the text is no tree.
    pub(super) tree: Option<TreeAsset>,
    /// What the client shows of each node.
    cards: BTreeMap<u32, Card>,
}

impl Document {
    /// Of a text. `hash`: of the file on the disk, empty if there is none.
    pub(super) fn of(
        id: u32,
        client: u64,
        path: &str,
        name: &str,
        text: String,
        hash: String,
    ) -> Document {
        Document {
            id,
            client,
            path: path.to_owned(),
            name: name.to_owned(),
            revision: 0,
            tree: TreeAsset::from_slice(name, text.as_bytes()).ok(),
            text,
            hash,
            cards: BTreeMap::new(),
        }
    }

    /// Whether there is something to save.
    pub(super) fn is_changed(&self) -> bool {
        self.hash != hash(&self.text)
    }

    pub(super) fn is_script(&self) -> bool {
        is_script(&self.name)
    }

    /// It as a file.
    pub(super) fn file(&self) -> File {
        File::of(&self.name, self.text.clone().into_bytes())
    }

    /// All of what is shown.
    pub(super) fn view(&mut self, path_of: PathOf<'_>) -> Option<View> {
        let view = self.tree.as_ref().map(|tree| cards::view(tree, path_of));
        let cards = view.iter().flat_map(|view| view.cards.iter());
        self.cards = cards.map(|card| (card.idx, card.clone())).collect();
        view
    }

    /// Makes a change that is known to fit the text; what the client has to show otherwise.
    pub(super) fn change(
        &mut self,
        splices: &[Splice],
        created: Vec<u32>,
        path_of: PathOf<'_>,
    ) -> Changed {
        let shown = utf16::to_page(&self.text, splices);
        self.text = apply(&self.text, splices);
        self.revision += 1;
        let before = self.tree.take();
        self.tree = TreeAsset::from_slice(&self.name, self.text.as_bytes()).ok();
        let old = std::mem::take(&mut self.cards);
        let now = self.tree.as_ref();
        let nodes = now.into_iter().flat_map(TreeAsset::preorder);
        let mut changed = Vec::new();
        for node in nodes {
            let card = now.map(|tree| cards::card(tree, node, path_of));
            let Some(card) = card else { continue };
            if old.get(&card.idx) != Some(&card) {
                changed.push(card.clone());
            }
            self.cards.insert(card.idx, card);
        }
        let removed = old.keys().filter(|idx| !self.cards.contains_key(idx));
        let root = now.map(|tree| tree.root().idx());
        let root_before = before.as_ref().map(|tree| tree.root().idx());
        Changed {
            revision: self.revision,
            splices: shown,
            cards: changed,
            removed: removed.copied().collect(),
            is_tree: now.is_some(),
            root: root.filter(|_| root != root_before),
            agent: now.and_then(|tree| tree.agent()).map(str::to_owned),
            created,
            documents: Vec::new(),
        }
    }
}
