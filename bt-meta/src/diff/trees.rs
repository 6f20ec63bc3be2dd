//! Two versions of one tree: which node became which, and what differs.
//!
//! Nodes are paired from the roots downwards: what is the same with all that is below it, then what has the same
//! number and kind, then what has the same name. What is left over has moved if it is somewhere else as it was. So a
//! tree that was numbered anew has not changed.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash as _, Hasher as _};

use bt_core::TreeAsset;
use bt_core::kinds::attached::is_disabled;
use bt_core::tree::asset::AssetNode;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::draw::{Card, Mark, card, heading};

/// The change of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another place; it may say something else as well.
    Moved,
    /// It says something else.
    Changed,
    /// It is as it was.
    Same,
}

/// A node of one version or of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its `idx` before.
    pub before: Option<u32>,
    /// Its `idx` after.
    pub after: Option<u32>,
    /// The change.
    pub change: Change,
    /// The differences in words.
    pub what: Vec<String>,
}

impl Node {
    /// The change in a line; none for an unchanged node.
    pub fn in_words(&self, before: &TreeAsset, after: &TreeAsset) -> Option<String> {
        let old = self.before.and_then(|idx| before.node(idx));
        let new = self.after.and_then(|idx| after.node(idx));
        let shown = new.or(old)?;
        let word = match self.change {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Moved => "moved",
            Change::Changed => "changed",
            Change::Same => return None,
        };
        let line = format!("{word} {} #{}", heading(shown), shown.idx());
        Some(match self.what.is_empty() {
            true => line,
            false => format!("{line}: {}", self.what.join("; ")),
        })
    }

    /// The mark in a picture.
    pub fn mark(&self) -> Option<Mark> {
        Some(match self.change {
            Change::Added => Mark::Added,
            Change::Removed => Mark::Removed,
            Change::Moved => Mark::Moved,
            Change::Changed => Mark::Changed,
            Change::Same => return None,
        })
    }
}

/// Compares two versions of a tree. The nodes are in the order of the one after; one that is gone comes behind the
/// one that was before it.
///
/// ```
/// use bt_core::TreeAsset;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_meta::diff::trees::{Change, compare};
///
/// let tree = |top| TreeAsset::build("t", "guard", top);
/// let before = tree(sequence([action("walk").arg(1), action("rest")]));
/// let after = tree(sequence([action("walk").arg(2), action("look"), action("rest")]));
/// let changes: Vec<_> = compare(&before, &after).into_iter().map(|node| node.change).collect();
/// assert_eq!(changes, [Change::Same, Change::Same, Change::Changed, Change::Added, Change::Same]);
/// ```
pub fn compare(before: &TreeAsset, after: &TreeAsset) -> Vec<Node> {
    let mut pairs = Pairs::of(before, after);
    pairs.pair_roots();
    pairs.moved();
    pairs.nodes()
}

/// One of the versions.
struct Side<'t> {
    tree: &'t TreeAsset,
    /// The content of a node, and of all below it.
    whole: BTreeMap<u32, u64>,
    /// The pairs of nodes.
    pair: BTreeMap<u32, u32>,
}

impl<'t> Side<'t> {
    fn of(tree: &'t TreeAsset) -> Side<'t> {
        let order: Vec<&AssetNode> = tree.preorder().collect();
        let mut whole = BTreeMap::new();
        for node in order.iter().rev() {
            let mut hasher = DefaultHasher::new();
            own(node).hash(&mut hasher);
            for child in node.children() {
                whole.get(child).hash(&mut hasher);
            }
            whole.insert(node.idx(), hasher.finish());
        }
        Side {
            tree,
            whole,
            pair: BTreeMap::new(),
        }
    }

    fn children(&self, idx: u32) -> Vec<u32> {
        self.tree
            .node(idx)
            .map_or(&[][..], |node| node.children())
            .to_vec()
    }

    fn kind(&self, idx: u32) -> &str {
        self.tree.node(idx).map_or("", |node| &node.kind)
    }

    fn title(&self, idx: u32) -> String {
        self.tree
            .node(idx)
            .map_or_else(String::new, |node| card(node).title)
    }
}

/// The content of a node by itself.
fn own(node: &AssetNode) -> (String, String, u32, bool, String) {
    let data = node.data();
    let rest = format!("{:?} {:?}", data.extra, data.others);
    (
        data.kind.clone(),
        data.comment.clone(),
        data.color,
        data.is_collapsed,
        rest,
    )
}

struct Pairs<'t> {
    before: Side<'t>,
    after: Side<'t>,
}

impl<'t> Pairs<'t> {
    fn of(before: &'t TreeAsset, after: &'t TreeAsset) -> Pairs<'t> {
        Pairs {
            before: Side::of(before),
            after: Side::of(after),
        }
    }

    fn pair(&mut self, old: u32, new: u32) {
        self.before.pair.insert(old, new);
        self.after.pair.insert(new, old);
    }

    fn is_free(&self, old: u32, new: u32) -> bool {
        !self.before.pair.contains_key(&old) && !self.after.pair.contains_key(&new)
    }

    fn pair_roots(&mut self) {
        let roots = (self.before.tree.root().idx(), self.after.tree.root().idx());
        self.downwards(roots.0, roots.1);
    }

    /// Pairs two nodes, and what is below them.
    fn downwards(&mut self, old: u32, new: u32) {
        let mut next = vec![(old, new)];
        while let Some((old, new)) = next.pop() {
            if !self.is_free(old, new) {
                continue;
            }
            self.pair(old, new);
            next.extend(self.below(old, new));
        }
    }

    /// The pairs of equal children of two nodes.
    fn below(&self, old: u32, new: u32) -> Vec<(u32, u32)> {
        let (old, new) = (self.before.children(old), self.after.children(new));
        let wholes = |side: &Side<'_>, all: &[u32]| -> Vec<u64> {
            all.iter()
                .map(|idx| side.whole.get(idx).copied().unwrap_or_default())
                .collect()
        };
        let (a, b) = (wholes(&self.before, &old), wholes(&self.after, &new));
        let mut pairs = Vec::new();
        for op in capture_diff_slices(Algorithm::Myers, &a, &b) {
            if op.tag() == DiffTag::Equal {
                pairs.extend(
                    op.old_range()
                        .map(|at| old[at])
                        .zip(op.new_range().map(|at| new[at])),
                );
            }
        }
        let taken: BTreeSet<u32> = pairs.iter().map(|(old, _)| *old).collect();
        let mut old: Vec<u32> = old.into_iter().filter(|idx| !taken.contains(idx)).collect();
        let taken: BTreeSet<u32> = pairs.iter().map(|(_, new)| *new).collect();
        let mut new: VecDeque<u32> = new.into_iter().filter(|idx| !taken.contains(idx)).collect();
        let same_number =
            |old: u32, new: u32| old == new && self.before.kind(old) == self.after.kind(new);
        let same_name = |old: u32, new: u32| {
            self.before.kind(old) == self.after.kind(new)
                && self.before.title(old) == self.after.title(new)
        };
        let alike: [&dyn Fn(u32, u32) -> bool; 3] = [
            &|old, new| same_number(old, new) && same_name(old, new),
            &same_name,
            &same_number,
        ];
        for is_it in alike {
            old.retain(|old| match new.iter().position(|new| is_it(*old, *new)) {
                Some(at) => {
                    pairs.extend(new.remove(at).map(|new| (*old, new)));
                    false
                }
                None => true,
            });
        }
        pairs
    }

    /// Pairs what is left over and is somewhere else as it was.
    fn moved(&mut self) {
        let mut places: BTreeMap<u64, VecDeque<u32>> = BTreeMap::new();
        for node in self.after.tree.preorder() {
            if !self.after.pair.contains_key(&node.idx()) {
                let whole = self
                    .after
                    .whole
                    .get(&node.idx())
                    .copied()
                    .unwrap_or_default();
                places.entry(whole).or_default().push_back(node.idx());
            }
        }
        let left: Vec<u32> = self.before.tree.preorder().map(AssetNode::idx).collect();
        for old in &left {
            let whole = self.before.whole.get(old).copied().unwrap_or_default();
            if self.before.pair.contains_key(old) {
                continue;
            }
            let queue = places.get_mut(&whole);
            let new = queue.and_then(|queue| {
                queue.retain(|new| !self.after.pair.contains_key(new));
                queue.pop_front()
            });
            if let Some(new) = new {
                self.downwards(*old, new);
            }
        }
        for old in &left {
            let is_it = self.after.tree.node(*old).is_some()
                && self.before.kind(*old) == self.after.kind(*old)
                && self.before.title(*old) == self.after.title(*old);
            if is_it {
                self.downwards(*old, *old);
            }
        }
        // What is where it was under its number has become of another kind.
        for old in left {
            let parent = |side: &Side<'_>| side.tree.node(old).and_then(|node| node.parent());
            let (from, to) = (parent(&self.before), parent(&self.after));
            if from
                .zip(to)
                .is_some_and(|(from, to)| self.before.pair.get(&from) == Some(&to))
            {
                self.downwards(old, old);
            }
        }
    }

    /// The nodes below one that keep their order among those that were there.
    fn in_order(&self, parent: u32) -> BTreeSet<u32> {
        let Some(old_parent) = self.after.pair.get(&parent) else {
            return BTreeSet::new();
        };
        let old = self.before.children(*old_parent);
        let places: BTreeMap<u32, usize> = old.into_iter().zip(0..).collect();
        let new = self.after.children(parent).into_iter();
        let placed: Vec<(u32, usize)> = new
            .filter_map(|new| Some((new, *places.get(self.after.pair.get(&new)?)?)))
            .collect();
        longest_rise(&placed)
    }

    fn nodes(&self) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut gone: BTreeMap<Option<u32>, Vec<u32>> = BTreeMap::new();
        let mut last = None;
        for node in self.before.tree.preorder() {
            match self.before.pair.get(&node.idx()) {
                Some(new) => last = Some(*new),
                None => gone.entry(last).or_default().push(node.idx()),
            }
        }
        let removed = |nodes: &mut Vec<Node>, behind: Option<u32>| {
            for old in gone.get(&behind).into_iter().flatten() {
                nodes.push(Node {
                    before: Some(*old),
                    after: None,
                    change: Change::Removed,
                    what: Vec::new(),
                });
            }
        };
        removed(&mut nodes, None);
        let mut orders: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for node in self.after.tree.preorder() {
            let new = node.idx();
            let old = self.after.pair.get(&new).copied();
            nodes.push(match old.and_then(|old| self.before.tree.node(old)) {
                None => Node {
                    before: None,
                    after: Some(new),
                    change: Change::Added,
                    what: Vec::new(),
                },
                Some(old) => {
                    let in_order = node.parent().is_none_or(|parent| {
                        let order = orders
                            .entry(parent)
                            .or_insert_with(|| self.in_order(parent));
                        order.contains(&new)
                    });
                    self.both(old, node, !in_order)
                }
            });
            removed(&mut nodes, Some(new));
        }
        nodes
    }

    fn both(&self, old: &AssetNode, new: &AssetNode, moved: bool) -> Node {
        let mut what = Vec::new();
        if moved {
            let place = |node: &AssetNode| node.parent().unwrap_or_default();
            let (from, to) = (place(old), place(new));
            what.push(match self.before.pair.get(&from) == Some(&to) {
                true => "another place among its siblings".to_owned(),
                false => format!("was below #{from}, is below #{to}"),
            });
        }
        differences(old, new, &mut what);
        Node {
            before: Some(old.idx()),
            after: Some(new.idx()),
            change: match (moved, what.is_empty()) {
                (true, _) => Change::Moved,
                (_, false) => Change::Changed,
                (_, true) => Change::Same,
            },
            what,
        }
    }
}

/// The differences between the contents of two nodes.
fn differences(old: &AssetNode, new: &AssetNode, what: &mut Vec<String>) {
    if own(old) == own(new) {
        return;
    }
    let before = what.len();
    let (a, b): (Card, Card) = (card(old), card(new));
    let mut said = |name: &str, old: &str, new: &str| {
        if old != new {
            what.push(match (old, new) {
                ("", new) => format!("{name}: `{new}` is new"),
                (old, "") => format!("{name}: `{old}` is gone"),
                _ => format!("{name}: `{old}` became `{new}`"),
            });
        }
    };
    said("kind", &old.kind, &new.kind);
    if old.kind == new.kind || (a.title != old.kind && b.title != new.kind) {
        said("name", &a.title, &b.title);
    }
    said("arguments", &a.arguments, &b.arguments);
    said("parameters", &a.parameters, &b.parameters);
    let lines = |card: &Card| -> BTreeSet<String> {
        let lines = card
            .attached
            .iter()
            .map(|(when, what)| format!("{when} {what}"));
        lines.collect()
    };
    let (olds, news) = (lines(&a), lines(&b));
    for line in olds.difference(&news) {
        said("attached", line, "");
    }
    for line in news.difference(&olds) {
        said("attached", "", line);
    }
    said("comment", &a.comment, &b.comment);
    said(
        "colour",
        &format!("{:08x}", old.color),
        &format!("{:08x}", new.color),
    );
    if old.is_collapsed != new.is_collapsed {
        what.push(
            if new.is_collapsed {
                "collapsed"
            } else {
                "expanded"
            }
            .to_owned(),
        );
    }
    match (is_disabled(&old.extra), is_disabled(&new.extra)) {
        (false, true) => what.push("disabled".to_owned()),
        (true, false) => what.push("enabled".to_owned()),
        (true, true) | (false, false) => {}
    }
    if what.len() == before {
        what.push("something that pictures do not show".to_owned());
    }
}

/// Of numbered items those of a longest sequence whose numbers rise.
fn longest_rise(items: &[(u32, usize)]) -> BTreeSet<u32> {
    // The last item of the best sequence of each length, and the one before each item.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    for (at, (_, place)) in items.iter().enumerate() {
        let length = ends.partition_point(|end| items[*end].1 < *place);
        before.push(length.checked_sub(1).map(|length| ends[length]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut rise = BTreeSet::new();
    let mut at = ends.last().copied();
    while let Some(here) = at {
        rise.insert(items[here].0);
        at = before[here];
    }
    rise
}

#[cfg(test)]
mod tests {
    use bt_core::tree::asset::spec::{NodeSpec, action, node, sequence};

    use super::*;

    fn changes(before: NodeSpec, after: NodeSpec) -> Vec<String> {
        let tree = |top| TreeAsset::build("t", "guard", top);
        let nodes = compare(&tree(before), &tree(after)).into_iter();
        let changed = nodes.filter(|node| node.change != Change::Same);
        let shown = changed.map(|node| {
            format!(
                "{:?} {:?} {:?} {:?}",
                node.change, node.before, node.after, node.what
            )
        });
        shown.collect()
    }

    #[test]
    fn a_wrapped_node_has_moved_below_a_new_one() {
        let found = changes(
            sequence([action("a"), action("b")]),
            sequence([node("negative").child(action("a")), action("b")]),
        );
        assert_eq!(
            found,
            [
                "Added None Some(2) []",
                "Moved Some(2) Some(3) [\"was below #1, is below #2\"]"
            ]
        );
    }

    #[test]
    fn node_that_is_disabled_has_changed() {
        let tree =
            |disabled: bool| sequence([action("a").extra("disabled", disabled), action("b")]);
        let found = [(false, true), (true, false)].map(|(was, is)| changes(tree(was), tree(is)));
        assert_eq!(found[0], ["Changed Some(2) Some(2) [\"disabled\"]"]);
        assert_eq!(found[1], ["Changed Some(2) Some(2) [\"enabled\"]"]);
    }

    #[test]
    fn one_that_changes_places_has_moved_and_its_siblings_have_not() {
        let found = changes(
            sequence([action("a"), action("b"), action("c")]),
            sequence([action("c"), action("a"), action("b")]),
        );
        assert_eq!(
            found,
            ["Moved Some(4) Some(2) [\"another place among its siblings\"]"]
        );
    }

    #[test]
    fn what_is_gone_comes_behind_the_one_before_it() {
        let found = changes(
            sequence([action("a"), sequence([action("b")]), action("c")]),
            sequence([action("a").arg(1), action("c")]),
        );
        assert_eq!(
            found,
            [
                "Changed Some(2) Some(2) [\"arguments: `1` is new\"]",
                "Removed Some(3) None []",
                "Removed Some(4) None []"
            ]
        );
    }

    #[test]
    fn a_tree_that_is_numbered_anew_has_not_changed() {
        let text = r#"{"nodes": [
            {"idx": 7, "type": "root", "children": [5]},
            {"idx": 5, "type": "sequence", "children": [9, 2]},
            {"idx": 9, "type": "action", "children": [], "extra": {"action_name": "a"}},
            {"idx": 2, "type": "action", "children": [], "extra": {"action_name": "b"}}]}"#;
        let before = TreeAsset::from_json("t", text).unwrap();
        let mut after = before.clone();
        after.normalise();
        assert!(
            compare(&before, &after)
                .iter()
                .all(|node| node.change == Change::Same)
        );
    }
}
