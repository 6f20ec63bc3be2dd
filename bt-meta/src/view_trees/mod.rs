//! Copies of trees that the original's editor and debugger open.
//!
//! A copy has the tree's name and the same `idx`, so a debug log of the tree fits it. It has only kinds that the original
//! knows (`shape`), and only what the original keeps of a node; what a node really is stands in its comment. It bears a
//! mark, by which nobody takes it for the tree, and [`merge`](merge()) brings edits of it back: `paired` says which node
//! is which, `structure` moves nodes, `content` writes what they say.

mod content;
mod merge;
mod paired;
mod shape;
mod structure;

use std::collections::BTreeMap;
use std::hash::Hasher as _;

use bt_core::TreeAsset;
use bt_core::kinds::Kind;
use bt_core::tree::asset::{AssetNode, VIEW_MARK};
use fnv::FnvHasher;
use serde_json::{Value, json};

use crate::catalogue::{Catalogue, MethodEntry};
use crate::draw::{DISABLED, node_lines};
use crate::error::Error;
use crate::layout::Agents;
pub use merge::{Merged, merge};
use shape::Place;

/// The keys of a node's `extra` that the original's editor keeps when it saves a node of a kind.
pub fn kept(kind: Kind) -> &'static [&'static str] {
    const KEPT: [(Kind, &[&str]); 5] = [
        (Kind::Root, &["agent_name"]),
        (Kind::Action, &["action_name", "action_args"]),
        (Kind::WaitEvent, &["event"]),
        (Kind::SubTree, &["sub_tree_name"]),
        (Kind::Probability, &["prob"]),
    ];
    let found = KEPT.iter().find(|(known, _)| *known == kind);
    found.map_or(&[], |(_, keys)| keys)
}

/// The copy of a tree, as the text of its file.
///
/// Conditions are actions. A decorator that the original does not know is an `always_true`, any other kind
/// a `sequence` or, without children, the action `nop`. Properties are keys, arguments stand in their order
/// with defaults filled in, and weights are whole numbers.
///
/// # Errors
/// A failure if the catalogue contradicts itself.
pub fn copy(catalogue: &Catalogue, tree: &TreeAsset) -> Result<String, Error> {
    View::of(catalogue, tree)?.text(tree)
}

/// The methods of an agent, by name or alias.
type Methods<'m, 'c> = dyn Fn(&str) -> Option<&'c MethodEntry> + 'm;

/// The copy of a tree.
struct View {
    /// In the order of the file.
    nodes: Vec<ViewNode>,
    places: BTreeMap<u32, usize>,
}

/// The copy of a node.
#[derive(Debug, Clone)]
struct ViewNode {
    idx: u32,
    parent: Option<u32>,
    children: Vec<u32>,
    kind: Kind,
    extra: Value,
    /// The parameters of its call.
    places: Vec<Place>,
    /// The lines of its comment that say what the node really is; empty where its kind and `extra` say all.
    said: String,
    /// The comment that a person wrote on the node.
    comment: String,
    color: u32,
    is_collapsed: bool,
}

impl View {
    fn of(catalogue: &Catalogue, tree: &TreeAsset) -> Result<View, Error> {
        let agents = Agents::new(catalogue)?;
        let agent = tree.agent().and_then(|name| agents.find(name).ok());
        let methods = agent.map(|agent| agents.callables(agent));
        let method = |name: &str| -> Option<&MethodEntry> {
            let methods = methods.as_ref()?;
            let by_alias = |name: &str| {
                let mut all = methods.values();
                all.find(|found| found.method.item.alias.iter().any(|alias| alias == name))
            };
            let found = methods.get(name).or_else(|| by_alias(name))?;
            Some(found.method)
        };
        let lines = node_lines(tree);
        let nodes = tree.nodes().iter().map(|node| {
            let lines = lines.get(&node.idx()).map_or(&[][..], Vec::as_slice);
            ViewNode::of(node, lines, &method)
        });
        let nodes: Vec<ViewNode> = nodes.collect();
        let places = nodes.iter().map(|node| node.idx).zip(0..).collect();
        Ok(View { nodes, places })
    }

    fn node(&self, idx: u32) -> Option<&ViewNode> {
        self.places.get(&idx).map(|at| &self.nodes[*at])
    }

    /// The number by which a copy knows the tree that it was made from: of everything that an edit could change.
    fn number(&self) -> u64 {
        let mut hasher = FnvHasher::default();
        let mut text = |text: &str| {
            hasher.write(text.as_bytes());
            hasher.write_u8(0xff);
        };
        for at in self.places.values() {
            let node = &self.nodes[*at];
            text(&node.idx.to_string());
            text(node.kind.name());
            text(&format!("{:?}", node.children));
            text(&node.extra.to_string());
            text(&node.said);
            text(&node.comment);
        }
        hasher.finish()
    }

    /// The text of the file.
    fn text(&self, tree: &TreeAsset) -> Result<String, Error> {
        let mark = format!("{VIEW_MARK}{:016x}", self.number());
        let tree_type = match tree.tree_type() {
            "" => mark.clone(),
            own => format!("{mark}; {own}"),
        };
        let nodes = self.nodes.iter().map(|node| node.to_json(&mark));
        let copy = json!({
            "name": tree.name(),
            "extra": {},
            "tree_type": tree_type,
            "signature": tree.signature(),
            "nodes": nodes.collect::<Vec<_>>(),
        });
        let text = serde_json::to_string_pretty(&copy);
        let text =
            text.map_err(|error| Error::failure(format!("cannot write as JSON: {error}")))?;
        Ok(text + "\n")
    }
}

impl ViewNode {
    /// A node's copy. `lines`: what it is, for people.
    fn of(node: &AssetNode, lines: &[String], method: &Methods<'_, '_>) -> ViewNode {
        let (kind, extra, places) = shape::shape(node, method);
        let (first, more) = lines
            .split_first()
            .map_or(("", &[][..]), |(first, more)| (&**first, more));
        let is_renamed = kind.name() != node.kind;
        let said = match is_renamed || !more.is_empty() || says_less(node, kind) {
            true => {
                let heading = heading(node, first, is_renamed);
                let lines = std::iter::once(heading).chain(more.iter().cloned());
                lines
                    .filter(|line| !line.is_empty())
                    .collect::<Vec<_>>()
                    .join("\n")
            }
            // The editor shows a comment in the place of a call.
            false if !node.comment.is_empty() && !kept(kind).is_empty() => {
                heading(node, first, false)
            }
            false => String::new(),
        };
        ViewNode {
            idx: node.idx(),
            parent: node.parent(),
            children: node.children().to_vec(),
            kind,
            extra,
            places,
            said,
            comment: node.comment.clone(),
            color: node.color,
            is_collapsed: node.is_collapsed,
        }
    }

    /// Its whole comment; the root's begins with the mark.
    fn whole_comment(&self, mark: &str) -> String {
        let mark = match self.parent {
            None => format!("{mark}: `bt-meta merge-view` brings edits back to the tree"),
            Some(_) => String::new(),
        };
        let lines = [&mark, &self.said, &self.comment];
        let lines = lines.into_iter().filter(|line| !line.is_empty());
        lines.map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    fn to_json(&self, mark: &str) -> Value {
        let mut copy = json!({
            "idx": self.idx,
            "type": self.kind.name(),
            "children": self.children,
            "comment": self.whole_comment(mark),
            "color": self.color,
            "is_collapsed": self.is_collapsed,
            "extra": self.extra,
        });
        if let Some(parent) = self.parent {
            copy["parent"] = json!(parent);
        }
        copy
    }
}

/// Returns true if the copy of a node has not all of what its kind takes: an argument from a property, a called tree's
/// keys, or thresholds.
fn says_less(node: &AssetNode, kind: Kind) -> bool {
    let kept = kept(kind);
    let is_source =
        |arg: &Value| matches!(arg["arg_type"].as_str(), Some("property" | "expression"));
    let args = node.extra.get("action_args").and_then(Value::as_array);
    let attached = ["guards", "effects", "services", "events", "blackboard"];
    let mut keys = node.extra.keys().map(String::as_str);
    keys.any(|key| !kept.contains(&key) && !attached.contains(&key))
        || args.is_some_and(|args| args.iter().any(is_source))
}

/// The first line of a node's comment: a call names itself before its kind, since the editor shows the comment in its
/// place.
fn heading(node: &AssetNode, first: &str, is_renamed: bool) -> String {
    let kind = &node.kind;
    let (off, first) = match first.strip_prefix(DISABLED) {
        Some(first) => (DISABLED, first),
        None => ("", first),
    };
    // The line begins with the kind where nothing is called.
    let rest = first.strip_prefix(&**kind);
    let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with(' '));
    let heading = match rest {
        Some(rest) if is_renamed => format!("[{kind}]{}", rest.replacen(" ·", "", 1)),
        Some("") if off.is_empty() => String::new(),
        // What the root is for is seen without a comment.
        None if node.parent().is_none() => String::new(),
        None if is_renamed => format!("{first} [{kind}]"),
        Some(_) | None => first.to_owned(),
    };
    format!("{off}{heading}")
}
