//! The pairs of nodes: each of an edited copy, and the one of the tree that it is.
//!
//! The editor gives a number to a node once. It numbers what is pasted anew, and drops the comment of the node that was
//! cut or copied, so a pasted part is known by what it says. It uses a number again if the last node was removed before
//! the file was opened, and it can number all nodes anew. So a number is believed where nothing contradicts it, and
//! where all that a node is stands in its kind and `extra`, it does not matter.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash as _, Hasher as _};

use bt_core::TreeAsset;
use bt_core::tree::asset::AssetNode;

use super::{View, ViewNode};

/// The meaning of a node of the edited copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Is {
    /// A node of the tree, perhaps cut and pasted.
    Node(u32),
    /// A pasted copy of a node, of which the editor does not know all.
    CopyOf(u32),
    /// A new node.
    New,
}

/// The nodes of an edited copy.
pub(super) struct Paired {
    /// The meaning of each.
    pub(super) is: BTreeMap<u32, Is>,
    /// The tops of pasted parts, whose comments the editor has dropped.
    pub(super) pasted: BTreeSet<u32>,
    /// New nodes that may be copies of several nodes.
    pub(super) doubtful: Vec<u32>,
}

/// Pairs the nodes of an edited copy with those of the copy as it was written.
pub(super) fn paired(view: &View, tree: &TreeAsset, edited: &TreeAsset) -> Paired {
    let by_words = Words::of(view);
    let own = by_words.believed(view, edited);
    let mut paired = Paired {
        is: own.iter().map(|idx| (*idx, Is::Node(*idx))).collect(),
        pasted: BTreeSet::new(),
        doubtful: Vec::new(),
    };
    let parts = Parts::of(view);
    let hashes = hashes(edited);
    for node in edited.preorder() {
        let idx = node.idx();
        if paired.is.contains_key(&idx) {
            continue;
        }
        let alike = parts.alike(hashes.get(&idx));
        let (is, is_part) = match paired.meaning(view, tree, alike) {
            Some(Is::New) | None => {
                let same = by_words.0.get(&node.comment).map_or(&[][..], Vec::as_slice);
                (paired.meaning(view, tree, same), false)
            }
            known => (known, true),
        };
        match is {
            Some(is) if is_part => paired.part(view, edited, idx, is),
            Some(is) => _ = paired.is.insert(idx, is),
            None => {
                paired.doubtful.push(idx);
                paired.is.insert(idx, Is::New);
            }
        }
    }
    paired
}

impl Paired {
    /// The nodes of the tree that are there still.
    pub(super) fn nodes(&self) -> BTreeSet<u32> {
        let nodes = self.is.values().filter_map(|is| match is {
            Is::Node(idx) => Some(*idx),
            Is::CopyOf(_) | Is::New => None,
        });
        nodes.collect()
    }

    /// The meaning of a node that is like some of the tree; none if it may be a copy of several.
    fn meaning(&self, view: &View, tree: &TreeAsset, alike: &[u32]) -> Option<Is> {
        let taken = self.nodes();
        let mut gone = alike.iter().filter(|idx| !taken.contains(idx));
        if let (Some(one), None) = (gone.next(), gone.next()) {
            return Some(Is::Node(*one));
        }
        let hidden: Vec<u32> = alike
            .iter()
            .copied()
            .filter(|idx| view.hides(*idx))
            .collect();
        let are_one = hidden
            .windows(2)
            .all(|two| tree.copy(two[0]) == tree.copy(two[1]));
        match hidden.first() {
            None => Some(Is::New),
            Some(one) if are_one => Some(Is::CopyOf(*one)),
            Some(_) => None,
        }
    }

    /// A pasted part is another part, node by node.
    fn part(&mut self, view: &View, edited: &TreeAsset, top: u32, is: Is) {
        self.pasted.insert(top);
        let taken = self.nodes();
        let mut next = VecDeque::from([(top, is)]);
        while let Some((new, is)) = next.pop_front() {
            // Another node was found to be that one before, by its words.
            let is = match is {
                Is::Node(old) if taken.contains(&old) => Is::CopyOf(old),
                Is::Node(_) | Is::CopyOf(_) | Is::New => is,
            };
            self.is.insert(new, is);
            let (old, with): (u32, fn(u32) -> Is) = match is {
                Is::Node(old) => (old, Is::Node),
                Is::CopyOf(old) => (old, Is::CopyOf),
                Is::New => continue,
            };
            let old = view.node(old).map_or(&[][..], |node| &node.children);
            let new = edited.node(new).map_or(&[][..], |node| node.children());
            next.extend(new.iter().copied().zip(old.iter().copied().map(with)));
        }
    }
}

impl View {
    /// Returns true if there is more to a node, or to one below it, than the editor knows.
    fn hides(&self, idx: u32) -> bool {
        let mut next = vec![idx];
        while let Some(idx) = next.pop() {
            let Some(node) = self.node(idx) else { continue };
            if !node.said.is_empty() {
                return true;
            }
            next.extend(&node.children);
        }
        false
    }
}

/// The nodes whose comments say what they really are, by their comments.
struct Words(BTreeMap<String, Vec<u32>>);

impl Words {
    fn of(view: &View) -> Words {
        let mut words: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for node in view.nodes.iter().filter(|node| !node.said.is_empty()) {
            words
                .entry(node.whole_comment(""))
                .or_default()
                .push(node.idx);
        }
        Words(words)
    }

    /// The nodes that are what their numbers say: nothing else has the words of one, and it has no other's.
    fn believed(&self, view: &View, edited: &TreeAsset) -> BTreeSet<u32> {
        let comments: BTreeSet<&str> = edited.nodes().iter().map(|node| &*node.comment).collect();
        let is_it = |now: &&AssetNode| {
            let Some(was) = view.node(now.idx()) else {
                return false;
            };
            let others = self.0.get(&now.comment);
            let has_others = others.is_some_and(|others| !others.contains(&was.idx));
            let lost = !now.comment.starts_with(&was.said);
            let are_elsewhere = lost && comments.contains(&*was.whole_comment(""));
            was.kind.name() == now.kind && !has_others && !are_elsewhere
        };
        let believed = edited.nodes().iter().filter(is_it);
        believed.map(AssetNode::idx).collect()
    }
}

/// The parts of a copy, by all that stands in them.
struct Parts(BTreeMap<u64, Vec<u32>>);

impl Parts {
    fn of(view: &View) -> Parts {
        let mut parts: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        let mut below: BTreeMap<u32, u64> = BTreeMap::new();
        for node in view.upwards() {
            let children: Vec<Option<&u64>> =
                node.children.iter().map(|child| below.get(child)).collect();
            let (kind, extra) = (node.kind.name(), node.extra.to_string());
            // The editor drops the comment of a part's top.
            let top = hash(kind, &extra, "", &children);
            let whole = hash(kind, &extra, &node.whole_comment(""), &children);
            parts.entry(top).or_default().push(node.idx);
            below.insert(node.idx, whole);
        }
        Parts(parts)
    }

    fn alike(&self, part: Option<&u64>) -> &[u32] {
        let found = part.and_then(|part| self.0.get(part));
        found.map_or(&[][..], Vec::as_slice)
    }
}

impl View {
    /// Its nodes, each after those below it.
    fn upwards(&self) -> Vec<&ViewNode> {
        let root = self.nodes.iter().find(|node| node.parent.is_none());
        let mut order: Vec<&ViewNode> = root.into_iter().collect();
        let mut at = 0;
        while let Some(node) = order.get(at) {
            at += 1;
            order.extend(node.children.iter().filter_map(|child| self.node(*child)));
        }
        order.reverse();
        order
    }
}

/// The parts of an edited copy by their tops, whose comments do not count.
fn hashes(edited: &TreeAsset) -> BTreeMap<u32, u64> {
    let mut order: Vec<&AssetNode> = edited.preorder().collect();
    order.reverse();
    let (mut tops, mut below) = (BTreeMap::new(), BTreeMap::new());
    for node in order {
        let children: Vec<Option<&u64>> = node
            .children()
            .iter()
            .map(|child| below.get(child))
            .collect();
        let extra = serde_json::to_string(&node.extra).unwrap_or_default();
        let top = hash(&node.kind, &extra, "", &children);
        let whole = hash(&node.kind, &extra, &node.comment, &children);
        tops.insert(node.idx(), top);
        below.insert(node.idx(), whole);
    }
    tops
}

fn hash(kind: &str, extra: &str, comment: &str, children: &[Option<&u64>]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (kind, extra, comment, children).hash(&mut hasher);
    hasher.finish()
}
