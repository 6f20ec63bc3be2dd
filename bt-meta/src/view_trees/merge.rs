//! Edits of a copy brought back to its tree.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::TreeAsset;
use bt_core::tree::asset::{AssetNode, VIEW_MARK, WHITE};
use serde_json::Value;

use super::content::{back, says_same, set};
use super::paired::{Is, Paired, paired};
use super::structure::{Structure, structure};
use super::{View, ViewNode};
use crate::catalogue::Catalogue;
use crate::diff::trees::compare;
use crate::edit::{Alone, Edit, edit};
use crate::error::Error;

/// A tree with the edits of its copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The text of the tree. What the copy did not change is as it was.
    pub text: String,
    /// The edits that were brought back, a line for each node.
    pub done: Vec<String>,
    /// The edits that could not be brought back, and why.
    pub left: Vec<String>,
}

/// A tree as it is, as it was when the copy was made, and the copy as it is.
pub(super) struct Three<'t> {
    pub(super) now: &'t TreeAsset,
    pub(super) now_view: &'t View,
    pub(super) base: &'t TreeAsset,
    pub(super) base_view: &'t View,
    pub(super) edited: &'t TreeAsset,
    pub(super) paired: Paired,
}

/// Brings the edits of a copy back to its tree. `text` is the tree's; `base` is the tree as it was when the copy was made,
/// if it has changed since.
///
/// The numbers of nodes say which is which; parts that were cut and pasted are found by what they say. Only what differs
/// is written.
///
/// # Errors
/// A finding if it is no copy, or not one of this tree; a failure if the catalogue contradicts itself.
pub fn merge(
    catalogue: &Catalogue,
    now: &TreeAsset,
    text: &str,
    base: Option<&TreeAsset>,
    edited: &TreeAsset,
) -> Result<Merged, Error> {
    let base_view = View::of(catalogue, base.unwrap_or(now))?;
    refuse_others(&base_view, base.is_some(), edited)?;
    let now_view = View::of(catalogue, now)?;
    let base = base.unwrap_or(now);
    let three = Three {
        now,
        now_view: &now_view,
        base,
        base_view: &base_view,
        edited,
        paired: paired(&base_view, base, edited),
    };
    let planned = structure(&three);
    let moved = edit(now, text, &planned.edits, &Alone).map_err(Error::finding)?;
    let moved_text = crate::text::splices::apply(text, &moved.splices);
    let moved_view = View::of(catalogue, &moved.tree)?;
    let mut left = three.notes(&planned);
    let edits = three.contents(&planned, &moved.tree, &moved_view, &mut left);
    let written = edit(&moved.tree, &moved_text, &edits, &Alone).map_err(Error::finding)?;
    let text = crate::text::splices::apply(&moved_text, &written.splices);
    three.missed(&planned, &View::of(catalogue, &written.tree)?, &mut left);
    let changes = compare(now, &written.tree);
    let done = changes
        .iter()
        .filter_map(|node| node.in_words(now, &written.tree));
    Ok(Merged {
        text,
        done: done.collect(),
        left: left
            .into_iter()
            .map(|(idx, why)| format!("node {idx}: {why}"))
            .collect(),
    })
}

/// Refuses what is no copy of the tree.
fn refuse_others(view: &View, has_base: bool, edited: &TreeAsset) -> Result<(), Error> {
    let Some(mark) = edited.view_mark() else {
        return Err(Error::finding(
            "it is no copy that `bt-meta export --view-trees` wrote: neither its `tree_type` nor the root's comment says so",
        ));
    };
    let number = format!("{:016x}", view.number());
    match (mark.starts_with(&number), has_base) {
        (true, _) => Ok(()),
        (false, true) => Err(Error::finding(
            "it was not made from the tree that `--base` names: give the version of the tree that it was made from",
        )),
        (false, false) => Err(Error::finding(
            "its tree, the agent or bt-meta has changed since it was made: name the tree as it was with `--base`, which \
             `git show REVISION:PATH` prints, or write the copy anew and edit that",
        )),
    }
}

type Left = BTreeMap<u32, String>;

impl Three<'_> {
    /// The conflicts of the structure, and new nodes that may be more than they seem.
    fn notes(&self, planned: &Structure) -> Left {
        let mut left = planned.conflicts.clone();
        for idx in &self.paired.doubtful {
            let why = "it looks like a copy of several nodes that are more than the editor knows: it is added as it stands";
            left.insert(planned.own[idx], why.to_owned());
        }
        left
    }

    /// The edits of what nodes say.
    fn contents(
        &self,
        planned: &Structure,
        tree: &TreeAsset,
        view: &View,
        left: &mut Left,
    ) -> Vec<Edit> {
        let mut edits = self.tree_type();
        for edited in self.edited.preorder() {
            let extra = Value::Object(edited.extra.clone());
            let own = planned.own[&edited.idx()];
            let (Some(node), Some(now)) = (tree.node(own), view.node(own)) else {
                continue;
            };
            let was = match self.paired.is.get(&edited.idx()) {
                Some(Is::Node(idx)) => self.base_view.node(*idx),
                Some(Is::CopyOf(_)) => {
                    match back(node, now, &extra) {
                        Ok(more) => edits.extend(more),
                        Err(why) => _ = left.insert(own, why),
                    }
                    None
                }
                Some(Is::New) | None => None,
            };
            let Some(was) = was else { continue };
            let has_other_children = edited
                .children()
                .iter()
                .map(|idx| planned.own[idx])
                .ne(was.children.iter().copied());
            let is_changed = !says_same(&was.extra, &extra) || has_other_children;
            let in_tree = self
                .now_view
                .node(own)
                .is_some_and(|now| now.extra != was.extra);
            if is_changed && !says_same(&now.extra, &extra) {
                match in_tree {
                    true => _ = left.insert(own, "what it calls is changed in the copy and in the tree: it stays as the tree has it".to_owned()),
                    false => match back(node, now, &extra) {
                        Ok(more) => edits.extend(more),
                        Err(why) => _ = left.insert(own, why),
                    },
                }
            }
            self.looks(node, was, edited, &mut edits, left);
        }
        edits
    }

    /// The edits of a comment and a colour. The editor drops both of the top of what is pasted.
    fn looks(
        &self,
        node: &AssetNode,
        was: &ViewNode,
        edited: &AssetNode,
        edits: &mut Vec<Edit>,
        left: &mut Left,
    ) {
        let is_pasted = self.paired.pasted.contains(&edited.idx());
        let is_dropped = is_pasted && edited.comment.is_empty();
        if !is_dropped {
            let own = self.own_comment(was.idx, &edited.comment);
            // What is written on a pasted node is below what the editor dropped.
            let below =
                || is_pasted.then(|| format!("{}\n{}", was.comment, edited.comment.trim_start()));
            match own.or_else(below) {
                None => {
                    let why = "its comment does not begin with what the copy says of it: write yours behind that";
                    left.entry(was.idx).or_insert_with(|| why.to_owned());
                }
                Some(own)
                    if own != was.comment && node.comment != was.comment && own != node.comment =>
                {
                    let why = "its comment is changed in the copy and in the tree: it stays as the tree has it";
                    left.entry(was.idx).or_insert_with(|| why.to_owned());
                }
                Some(own) if own != was.comment => edits.push(set(node, "/comment", &own.into())),
                Some(_) => {}
            }
        }
        if edited.color != was.color && !(is_pasted && edited.color == WHITE) {
            edits.push(set(node, "/color", &edited.color.into()));
        }
    }

    /// The part of a comment in the copy that a person wrote; none if the rest is not there.
    pub(super) fn own_comment(&self, idx: u32, comment: &str) -> Option<String> {
        let node = self.base_view.node(idx)?;
        let mut rest = comment;
        // The mark of the root may be anything that is no words of its own.
        if node.parent.is_none() && rest.starts_with(VIEW_MARK) {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
        let rest = rest.strip_prefix(&*node.said)?;
        let own = match node.said.is_empty() {
            true => rest,
            false => rest
                .strip_prefix('\n')
                .unwrap_or(rest.trim_start_matches(' ')),
        };
        Some(own.to_owned())
    }

    /// The edit of the purpose of the tree, which the copy has behind its mark.
    fn tree_type(&self) -> Vec<Edit> {
        let marked = self.edited.tree_type().strip_prefix(VIEW_MARK);
        let now = match marked {
            Some(mark) => mark.split_once("; ").map_or("", |(_, own)| own),
            // Older editors drop it.
            None if self.edited.tree_type().is_empty() => return Vec::new(),
            None => self.edited.tree_type(),
        };
        if now == self.base.tree_type() || now == self.now.tree_type() {
            return Vec::new();
        }
        vec![Edit::Set {
            node: None,
            at: "/tree_type".to_owned(),
            value: Value::from(now).to_string(),
        }]
    }

    /// Everything else in which the copy of the new tree differs from the edited one.
    fn missed(&self, planned: &Structure, view: &View, left: &mut Left) {
        let named: BTreeSet<u32> = left.keys().copied().collect();
        for edited in self.edited.preorder() {
            let own = planned.own[&edited.idx()];
            if named.contains(&own) || self.was_changed(own) {
                continue;
            }
            let Some(node) = view.node(own) else {
                left.insert(own, "the tree has no such node any more".to_owned());
                continue;
            };
            let children = edited.children().iter().map(|idx| planned.own[idx]);
            // A node that stays after a conflict is named already.
            let now = node.children.iter().copied();
            let now = now.filter(|idx| !planned.conflicts.contains_key(idx));
            let what = match () {
                () if self.has_other_kind(edited) => "its kind",
                () if children.ne(now) => "the order of its children",
                () if !says_same(&node.extra, &Value::Object(edited.extra.clone())) => {
                    "what it says"
                }
                () => continue,
            };
            left.insert(
                own,
                format!("{what} cannot be brought back: change it in the tree"),
            );
        }
    }

    /// Returns true if a node has another kind than the copy that it was. The kind of a copy goes with the number of its
    /// children, so that of the new tree says nothing.
    fn has_other_kind(&self, edited: &AssetNode) -> bool {
        let was = match self.paired.is.get(&edited.idx()) {
            Some(Is::Node(idx) | Is::CopyOf(idx)) => self.base_view.node(*idx),
            Some(Is::New) | None => None,
        };
        was.is_some_and(|was| was.kind.name() != edited.kind)
    }

    /// Returns true if the tree has another node than the one that was copied: then it may differ.
    fn was_changed(&self, idx: u32) -> bool {
        let both = self.base_view.node(idx).zip(self.now_view.node(idx));
        both.is_some_and(|(was, now)| {
            was.extra != now.extra || was.children != now.children || was.kind != now.kind
        })
    }
}
