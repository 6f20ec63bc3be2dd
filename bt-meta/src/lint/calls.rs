//! The trees that a tree runs, and those that it runs in any case.

use std::collections::{BTreeMap, HashMap};

use super::keys::Spot;
use super::outcome::Outcome;
use bt_core::kinds::values::Name;
use bt_core::kinds::{Node, Path, Use};
use bt_core::tree::asset::AssetNode;

/// The trees that a tree runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Calls {
    /// By `sub_tree`, or by an event: their names as the file says them, each with its first place.
    pub(super) all: BTreeMap<String, Spot>,
    /// Those that are called, below all others, in every run that gets so far without an abort.
    pub(super) certain: BTreeMap<String, Spot>,
    /// Some tree is named by a key.
    pub(super) any: bool,
    /// The certain effects below each node, while nodes are visited from the last to the first.
    below: HashMap<u32, BTreeMap<String, Spot>>,
}

impl Calls {
    pub(super) fn spots(&self) -> impl Iterator<Item = &Spot> {
        self.all.values().chain(self.certain.values())
    }

    /// Adds a node whose children have been added.
    pub(super) fn node(&mut self, node: &AssetNode, said: &Node<'_>, children: &[Outcome]) {
        let mut certain = self.by_children(node, said, children);
        said.uses(&Path::TOP.own("extra"), &mut |path, used| match used {
            Use::Starts(event) => {
                self.add(event.tree, node, &path.key("tree"));
            }
            Use::Tree(tree) => {
                self.any |= tree.name_key.is_some();
                let Some(name) = tree.sub_tree_name else {
                    return;
                };
                let spot = self.add(name, node, &path.key("sub_tree_name"));
                // Which of the two names counts, the runtime knows.
                if tree.comes_back() && tree.named().is_some() {
                    certain.insert(name.0.to_owned(), spot);
                }
            }
            Use::Call(..)
            | Use::Guard(..)
            | Use::Expression(..)
            | Use::Value(..)
            | Use::Writes(..)
            | Use::Number(..)
            | Use::Event(..) => {}
        });
        if !said.attachments.guards.is_empty() {
            certain.clear();
        }
        match node.parent() {
            Some(_) if certain.is_empty() => {}
            Some(_) => drop(self.below.insert(node.idx(), certain)),
            None => self.certain = certain,
        }
    }

    fn add(&mut self, Name(name): Name<'_>, node: &AssetNode, path: &Path<'_>) -> Spot {
        let spot = Spot::of(node, path);
        self.all.insert(name.to_owned(), spot.clone());
        spot
    }

    fn by_children(
        &mut self,
        node: &AssetNode,
        said: &Node<'_>,
        outcomes: &[Outcome],
    ) -> BTreeMap<String, Spot> {
        let params = said.params.as_ref();
        let sure = params.map_or(0, |params| params.certain(outcomes));
        let mut certain = BTreeMap::new();
        for (at, idx) in node.children().iter().enumerate() {
            let below = self.below.remove(idx).unwrap_or_default();
            for (name, spot) in below.into_iter().filter(|_| at < sure) {
                certain.entry(name).or_insert(spot);
            }
        }
        certain
    }
}
