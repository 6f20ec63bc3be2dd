//! Nodes of a tree added, removed and moved as they are in an edited copy.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::tree::asset::{AssetNode, WHITE};
use serde_json::{Value, json};

use super::View;
use super::merge::Three;
use super::paired::Is;
use crate::edit::Edit;

/// The edits, and the nodes that they make.
#[derive(Default)]
pub(super) struct Structure {
    pub(super) edits: Vec<Edit>,
    /// The `idx` in the tree of each node of the copy.
    pub(super) own: BTreeMap<u32, u32>,
    /// The nodes that were changed in the tree as well, which stay as they are there.
    pub(super) conflicts: BTreeMap<u32, String>,
}

/// The edits that put the nodes of a tree where they are in a copy.
pub(super) fn structure(three: &Three<'_>) -> Structure {
    let mut planned = Planned {
        three,
        children: BTreeMap::new(),
        made: Structure::default(),
    };
    planned.number();
    for node in three.edited.preorder() {
        planned.node(node);
    }
    planned.remove();
    planned.made
}

/// A tree as it will be after the edits so far.
struct Planned<'p, 't> {
    three: &'p Three<'t>,
    children: BTreeMap<u32, Vec<u32>>,
    made: Structure,
}

impl Planned<'_, '_> {
    /// Gives new nodes numbers: their own, unless the tree has a node of that number.
    fn number(&mut self) {
        let three = self.three;
        let taken: BTreeSet<u32> = [three.now, three.base]
            .into_iter()
            .flat_map(|tree| tree.nodes().iter().map(AssetNode::idx))
            .collect();
        let all = taken.iter().copied();
        let last = all
            .chain(three.edited.nodes().iter().map(AssetNode::idx))
            .max();
        let mut next = last.unwrap_or(0);
        for (idx, is) in &three.paired.is {
            let own = match is {
                Is::Node(own) => *own,
                Is::CopyOf(_) | Is::New if taken.contains(idx) => {
                    next = next.saturating_add(1);
                    next
                }
                Is::CopyOf(_) | Is::New => *idx,
            };
            self.made.own.insert(*idx, own);
        }
    }

    fn children(&mut self, idx: u32) -> &mut Vec<u32> {
        let now = self.three.now;
        self.children.entry(idx).or_insert_with(|| {
            let node = now.node(idx);
            node.map_or_else(Vec::new, |node| node.children().to_vec())
        })
    }

    /// Puts the children of a node in their places.
    fn node(&mut self, node: &AssetNode) {
        let three = self.three;
        let own = self.made.own[&node.idx()];
        let wanted: Vec<u32> = node
            .children()
            .iter()
            .map(|idx| self.made.own[idx])
            .collect();
        if let Some(Is::Node(idx)) = three.paired.is.get(&node.idx()) {
            let was = children(three.base_view, *idx);
            let now = three.now.node(*idx).map(AssetNode::children);
            if wanted == was || now == Some(wanted.as_slice()) {
                return;
            }
            match now {
                // It is gone, with what was below it.
                None => return self.conflict(
                    *idx,
                    "its children are changed in the copy, and the tree has no such node any more",
                ),
                Some(now) if now != was => {
                    return self.conflict(*idx, "its children are changed in the copy and in the tree: they stay as the tree has them");
                }
                Some(_) => {}
            }
        }
        for (at, child) in node.children().iter().enumerate() {
            self.child(own, at, *child);
        }
    }

    /// Puts a node of the copy at a place below another.
    fn child(&mut self, parent: u32, at: usize, idx: u32) {
        let three = self.three;
        let own = self.made.own[&idx];
        let place = u32::try_from(at).ok();
        let of = match three.paired.is.get(&idx) {
            Some(Is::Node(_)) if three.now.node(own).is_none() => {
                return self.conflict(
                    own,
                    "it is moved in the copy, and the tree has no such node any more",
                );
            }
            Some(Is::Node(_)) => None,
            Some(Is::CopyOf(of)) => Some(Some(*of)),
            Some(Is::New) | None => Some(None),
        };
        if let Some(of) = of {
            let text = json!({"nodes": [self.written(idx, own, of)]}).to_string();
            self.made.edits.push(Edit::Paste {
                parent,
                at: place,
                text,
                keep: true,
            });
            self.children(parent).insert(at, own);
            self.children.insert(own, Vec::new());
            return;
        }
        if self.children(parent).get(at) == Some(&own) {
            return;
        }
        let above = self.above(own);
        self.children(above).retain(|child| *child != own);
        let at = at.min(self.children(parent).len());
        self.children(parent).insert(at, own);
        let at = u32::try_from(at).ok();
        self.made.edits.push(Edit::Move {
            nodes: vec![own],
            parent,
            at,
        });
    }

    /// The node above another by now.
    fn above(&self, idx: u32) -> u32 {
        let mut moved = self.children.iter();
        let found = moved.find(|(_, children)| children.contains(&idx));
        let was = || self.three.now.node(idx).and_then(AssetNode::parent);
        found
            .map(|(above, _)| *above)
            .or_else(was)
            .unwrap_or_default()
    }

    /// A new node as a file has it: what the copy says, or a copy of a node of the tree.
    fn written(&self, idx: u32, own: u32, of: Option<u32>) -> Value {
        let three = self.three;
        let edited = three.edited.node(idx);
        let copied = of.and_then(|of| three.now.node(of));
        let Some(node) = copied.or(edited) else {
            return Value::Null;
        };
        let mut written = json!({"idx": own, "type": node.kind, "children": []});
        let comment = match (of, edited) {
            (Some(of), Some(edited)) => three.own_comment(of, &edited.comment).unwrap_or_default(),
            _ => node.comment.clone(),
        };
        let color = edited.map_or(WHITE, |edited| edited.color);
        if !node.extra.is_empty() {
            written["extra"] = Value::Object(node.extra.clone());
        }
        if !comment.is_empty() {
            written["comment"] = comment.into();
        }
        if color != WHITE {
            written["color"] = color.into();
        }
        written
    }

    /// Removes the nodes that the copy has no longer.
    fn remove(&mut self) {
        let three = self.three;
        let kept = three.paired.nodes();
        let gone = three.base_view.nodes.iter().map(|node| node.idx);
        let gone: Vec<u32> = gone.filter(|idx| !kept.contains(idx)).collect();
        let mut removed = Vec::new();
        for idx in gone
            .into_iter()
            .filter(|idx| three.now.node(*idx).is_some())
        {
            match three.is_changed(idx) {
                true => self.conflict(
                    idx,
                    "it is removed in the copy and changed in the tree: it stays",
                ),
                false => removed.push(idx),
            }
        }
        // What is below a node that stays, stays.
        let stays: BTreeSet<u32> = self.made.conflicts.keys().copied().collect();
        let mut around: BTreeSet<u32> = BTreeSet::new();
        for idx in stays {
            let mut at = Some(idx);
            while let Some(idx) = at.filter(|idx| around.insert(*idx)) {
                at = three.now.node(idx).and_then(AssetNode::parent);
            }
        }
        removed.retain(|idx| !around.contains(idx));
        if !removed.is_empty() {
            self.made.edits.push(Edit::Remove {
                nodes: removed,
                keep_children: false,
            });
        }
    }

    fn conflict(&mut self, idx: u32, what: &str) {
        self.made.conflicts.insert(idx, what.to_owned());
    }
}

fn children(view: &View, idx: u32) -> &[u32] {
    view.node(idx).map_or(&[][..], |node| &node.children)
}

/// The nodes of a tree by what could have changed.
impl Three<'_> {
    /// Returns true if the tree has changed a node since the copy was made, or has a new one below it.
    fn is_changed(&self, idx: u32) -> bool {
        match (self.base_view.node(idx), self.now_view.node(idx)) {
            (Some(was), Some(now)) => {
                was.children != now.children
                    || was.extra != now.extra
                    || was.said != now.said
                    || was.comment != now.comment
            }
            _ => true,
        }
    }
}
