//! A document: the text of a tree file as one client edits it.

use std::collections::BTreeMap;

use bt_core::TreeAsset;
use bt_core::tree::is_script;
use bt_live::protocol::hash;
use bt_meta::text::splices::{Splice, apply};

use crate::cards;
use crate::project::files::File;
use crate::protocol::{Card, Changed, View};
use crate::utf16;

/// The path of the tree that a name means.
pub(super) type PathOf<'p> = &'p dyn Fn(&str) -> Option<String>;

/// The text of a tree file as one client edits it.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) id: u32,
    /// The client that it belongs to.
    pub(super) client: u64,
    pub(super) path: String,
    /// Its name in other trees.
    pub(super) name: String,
    pub(super) revision: u32,
    pub(super) text: String,
    /// The hash of the file on the disk that the text was read from or saved to; empty if there is none.
    pub(super) hash: String,
    /// None where the text is no tree.
    pub(super) tree: Option<TreeAsset>,
    /// The cards of the nodes that the client shows.
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

    /// Returns true if there is something to save.
    pub(super) fn is_changed(&self) -> bool {
        self.hash != hash(&self.text)
    }

    pub(super) fn is_script(&self) -> bool {
        is_script(&self.name)
    }

    /// Gives it another name.
    pub(super) fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        self.tree = self.tree.take().map(|tree| tree.with_name(name));
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

    /// Finds the trees again that the nodes call; those that call another one than they did.
    pub(super) fn call_again(&mut self, path_of: PathOf<'_>) -> Vec<Card> {
        let mut changed = Vec::new();
        for node in self.tree.iter().flat_map(TreeAsset::preorder) {
            let calls = cards::calls(node, path_of);
            if let Some(card) = self.cards.get_mut(&node.idx())
                && card.calls != calls
            {
                card.calls = calls;
                changed.push(card.clone());
            }
        }
        changed
    }

    /// Makes a change that is known to fit the text; what the client has to show otherwise. `tree`: what the text is
    /// then, if that is known.
    pub(super) fn change(
        &mut self,
        splices: &[Splice],
        tree: Option<TreeAsset>,
        created: Vec<u32>,
        path_of: PathOf<'_>,
    ) -> Changed {
        let shown = utf16::to_page(&self.text, splices);
        self.text = apply(&self.text, splices);
        self.revision += 1;
        let before = self.tree.take();
        let read = || TreeAsset::from_slice(&self.name, self.text.as_bytes()).ok();
        self.tree = tree.or_else(read);
        let mut old = std::mem::take(&mut self.cards);
        let now = self.tree.as_ref();
        let disabled = now.map(TreeAsset::disabled).unwrap_or_default();
        let mut changed = Vec::new();
        for (tree, node) in now
            .iter()
            .flat_map(|tree| tree.preorder().map(move |node| (tree, node)))
        {
            let idx = node.idx();
            let was = before.as_ref().and_then(|before| before.node(idx));
            let same = was.is_some_and(|was| was == node);
            let pointer = same.then(|| tree.pointer(idx).unwrap_or_default());
            let left_out = disabled.contains(&idx);
            let card = match (old.remove(&idx), pointer) {
                // What a node says is not checked again if the file says the same.
                (Some(card), Some(pointer))
                    if card.pointer == pointer && card.left_out == left_out =>
                {
                    card
                }
                (Some(card), Some(pointer)) => {
                    let card = Card {
                        pointer,
                        left_out,
                        ..card
                    };
                    changed.push(card.clone());
                    card
                }
                (card, _) => {
                    let new = cards::card(tree, node, &disabled, path_of);
                    if card.as_ref() != Some(&new) {
                        changed.push(new.clone());
                    }
                    new
                }
            };
            self.cards.insert(idx, card);
        }
        let root = now.map(|tree| tree.root().idx());
        let root_before = before.as_ref().map(|tree| tree.root().idx());
        Changed {
            revision: self.revision,
            splices: shown,
            cards: changed,
            removed: old.into_keys().collect(),
            is_tree: now.is_some(),
            root: root.filter(|_| root != root_before),
            agent: now.and_then(|tree| tree.agent()).map(str::to_owned),
            created,
            documents: Vec::new(),
        }
    }
}
