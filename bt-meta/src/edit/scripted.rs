//! A whole tree given as a script: what of the tree's text must change so that it says that.
//!
//! A line of a script that [`script`] writes ends with the number of its node, `# [5]`. So a script that comes back says
//! which of its nodes are which; what it cannot say of them, as their colours, stays as it is.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::text::OneLine;
use bt_core::tree::asset::AssetNode;
use bt_core::{AssetError, TreeAsset};
use serde_json::Value;

use super::{Alone, Edit, edit};
use crate::text::splices::apply;

/// A tree that was made to say what a script says.
#[derive(Debug)]
pub struct Scripted {
    /// Its text.
    pub text: String,
    /// The nodes that were made.
    pub created: Vec<u32>,
}

/// The reason why a script is not made a tree of.
#[derive(Debug)]
pub enum Unscripted {
    /// The problems of the script.
    Script(AssetError),
    /// The script calls for something that cannot be done.
    Refused(String),
}

impl From<String> for Unscripted {
    fn from(why: String) -> Unscripted {
        Unscripted::Refused(why)
    }
}

/// A tree as a script, each node with its number behind it: `walk_to $post  # [5]`. A node that is disabled has that
/// there too, and with `comments` its comment.
///
/// # Errors
/// The nodes that have no line.
pub fn script(tree: &TreeAsset, comments: bool) -> Result<String, Vec<(u32, String)>> {
    tree.to_script(&|node| {
        let comment = Some(&node.comment).filter(|comment| comments && !comment.is_empty());
        if node.parent().is_none() {
            return comment.cloned();
        }
        let disabled = match bt_core::kinds::attached::is_disabled(&node.extra) {
            true => " disabled",
            false => "",
        };
        let comment = comment.map(|comment| format!(" {comment}"));
        Some(format!(
            "[{}{disabled}]{}",
            node.idx(),
            comment.unwrap_or_default()
        ))
    })
}

/// Makes a tree say what a script says. Nodes keep the numbers that the script gives behind them; a node without one is
/// new, and one whose number is missing is removed. Everything that need not change stays as it is.
///
/// # Errors
/// The problems of the script, or why the tree cannot be so.
pub fn scripted(tree: &TreeAsset, text: &str, wanted: &str) -> Result<Scripted, Unscripted> {
    let wanted = TreeAsset::from_script(tree.name(), wanted).map_err(Unscripted::Script)?;
    let as_read = as_script(tree)?;
    let own: BTreeMap<u32, &AssetNode> = tree
        .preorder()
        .map(AssetNode::idx)
        .zip(as_read.preorder())
        .collect();
    let plan = Plan::of(tree, &wanted)?;
    let moved = edit(tree, text, &plan.structure(tree), &Alone)?;
    let moved_text = apply(text, &moved.splices);
    let contents = plan.contents(&own, &moved.tree);
    let written = edit(&moved.tree, &moved_text, &contents, &Alone)?;
    Ok(Scripted {
        text: apply(&moved_text, &written.splices),
        created: moved.created,
    })
}

/// A tree as it is read from its own script.
fn as_script(tree: &TreeAsset) -> Result<TreeAsset, Unscripted> {
    if tree.root().children().is_empty() {
        // No script is without a node.
        return Ok(tree.clone());
    }
    let script = tree.to_script(&|_| None).map_err(|wrong| {
        let (idx, why) = &wrong[0];
        format!("node {idx} of the tree as it is has no line ({why}): edit it with `edits` instead")
    })?;
    TreeAsset::from_script(tree.name(), &script).map_err(Unscripted::Script)
}

/// A node of the script, and which one of the tree it is.
struct Line<'w> {
    idx: u32,
    is_new: bool,
    node: &'w AssetNode,
    comment: String,
    parent: Option<u32>,
    children: Vec<u32>,
}

struct Plan<'w> {
    /// In the script's order.
    lines: Vec<Line<'w>>,
}

impl<'w> Plan<'w> {
    fn of(tree: &TreeAsset, wanted: &'w TreeAsset) -> Result<Plan<'w>, String> {
        let largest = tree.nodes().iter().map(AssetNode::idx).max();
        let mut next = largest.unwrap_or_default();
        let mut seen = BTreeSet::new();
        let mut of: BTreeMap<u32, (u32, bool, String)> = BTreeMap::new();
        for node in wanted.preorder() {
            if node.parent().is_none() {
                of.insert(node.idx(), (tree.root().idx(), false, node.comment.clone()));
                continue;
            }
            let (mark, comment) = marked(&node.comment);
            let idx = match mark {
                Some(idx) if tree.node(idx).is_none_or(|node| node.parent().is_none()) => {
                    return Err(format!(
                        "the script has a node [{idx}], and the tree has none: leave the number out behind a new node"
                    ));
                }
                Some(idx) if !seen.insert(idx) => {
                    return Err(format!(
                        "the script has two nodes [{idx}]: leave the number out behind the new one"
                    ));
                }
                Some(idx) => idx,
                None => {
                    next = next
                        .checked_add(1)
                        .ok_or("there is no number left for a new node")?;
                    next
                }
            };
            of.insert(node.idx(), (idx, mark.is_none(), comment));
        }
        let own = |idx: u32| of.get(&idx).map_or(0, |(own, ..)| *own);
        let lines = wanted.preorder().filter_map(|node| {
            let (idx, is_new, comment) = of.get(&node.idx())?.clone();
            Some(Line {
                idx,
                is_new,
                node,
                comment,
                parent: node.parent().map(own),
                children: node.children().iter().copied().map(own).collect(),
            })
        });
        Ok(Plan {
            lines: lines.collect(),
        })
    }

    /// The edits that make, move and remove nodes.
    fn structure(&self, tree: &TreeAsset) -> Vec<Edit> {
        let mut edits = Vec::new();
        let nodes = tree.nodes().iter();
        let mut now: BTreeMap<u32, Vec<u32>> = nodes
            .map(|node| (node.idx(), node.children().to_vec()))
            .collect();
        for line in self.lines.iter().filter(|line| line.is_new) {
            // Its own parent may stand elsewhere so far; it is moved there below.
            let parent = line.parent.unwrap_or_else(|| tree.root().idx());
            edits.push(Edit::Insert {
                parent,
                at: None,
                kind: line.node.kind.clone(),
                name: None,
                extra: Some(line.node.extra.clone()).filter(|extra| !extra.is_empty()),
            });
            now.entry(parent).or_default().push(line.idx);
            now.insert(line.idx, Vec::new());
        }
        let kept: BTreeSet<u32> = self.lines.iter().map(|line| line.idx).collect();
        for line in &self.lines {
            let has: Vec<u32> = now.get(&line.idx).cloned().unwrap_or_default();
            let has = has.iter().filter(|idx| kept.contains(idx));
            let same = has.zip(&line.children).take_while(|(has, is)| has == is);
            let same = same.count();
            let is_same = same == line.children.len()
                && now[&line.idx]
                    .iter()
                    .filter(|idx| kept.contains(idx))
                    .count()
                    == same;
            if is_same {
                continue;
            }
            // One that is below a sibling of its future may not come along with that.
            for child in &line.children[same..] {
                edits.push(Edit::Move {
                    nodes: vec![*child],
                    parent: line.idx,
                    at: None,
                });
                for list in now.values_mut() {
                    list.retain(|idx| idx != child);
                }
                now.entry(line.idx).or_default().push(*child);
            }
        }
        let all = tree.nodes().iter().filter(|node| node.parent().is_some());
        let gone: Vec<u32> = all
            .map(AssetNode::idx)
            .filter(|idx| !kept.contains(idx))
            .collect();
        if !gone.is_empty() {
            edits.push(Edit::Remove {
                nodes: gone,
                keep_children: false,
            });
        }
        edits
    }

    /// The edits that write what nodes say. `own`: the nodes of the tree as their own script has them.
    fn contents(&self, own: &BTreeMap<u32, &AssetNode>, moved: &TreeAsset) -> Vec<Edit> {
        let mut edits = Vec::new();
        for line in &self.lines {
            let Some(now) = moved.node(line.idx) else {
                continue;
            };
            if !line.comment.is_empty() && line.comment != OneLine(&now.comment).to_string() {
                edits.push(set(line.idx, "/comment", &line.comment.as_str().into()));
            }
            let Some(own) = own.get(&line.idx).filter(|_| !line.is_new) else {
                continue;
            };
            // A script without `AGENT` is for the tree's agent.
            if line.parent.is_none() && moved.agent().is_some() && line.node.extra.is_empty() {
                continue;
            }
            if own.kind != line.node.kind {
                edits.push(Edit::Kind {
                    node: line.idx,
                    kind: line.node.kind.clone(),
                    name: None,
                });
            }
            let kind = bt_core::kinds::Kind::named(&line.node.kind);
            let gone = own.extra.keys().filter(|key| {
                let stays =
                    own.kind == line.node.kind || kind.is_some_and(|kind| kind.has_key(key));
                !line.node.extra.contains_key(*key) && now.extra.contains_key(*key) && stays
            });
            edits.extend(gone.map(|key| Edit::Unset {
                node: Some(line.idx),
                at: pointer(key),
            }));
            for (key, value) in &line.node.extra {
                if own.extra.get(key) != Some(value) {
                    edits.push(set(line.idx, &pointer(key), value));
                }
            }
        }
        edits
    }
}

fn pointer(key: &str) -> String {
    format!("/extra/{}", bt_core::tree::asset::step(key))
}

fn set(idx: u32, at: &str, value: &Value) -> Edit {
    Edit::Set {
        node: Some(idx),
        at: at.to_owned(),
        value: value.to_string(),
    }
}

/// The number that a comment begins with, or ends with on a line of its own; and the rest of it.
fn marked(comment: &str) -> (Option<u32>, String) {
    let own = |text: &str| -> Option<(u32, usize)> {
        let inside = text.strip_prefix('[')?;
        let (inside, _) = inside.split_once(']')?;
        let number = inside.strip_suffix(" disabled").unwrap_or(inside);
        Some((number.trim().parse().ok()?, inside.len() + 2))
    };
    let (before, last) = comment.rsplit_once('\n').unwrap_or(("", comment));
    match own(last) {
        Some((idx, length)) => {
            let rest = last[length..].trim();
            let parts = [before, rest].into_iter().filter(|part| !part.is_empty());
            (Some(idx), parts.collect::<Vec<_>>().join("\n"))
        }
        None => (None, comment.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = r#"{
  "nodes": [
    {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard"}, "color": 7},
    {"idx": 1, "type": "select", "children": [2, 5], "extra": {}, "comment": "first \"this\""},
    {"idx": 2, "type": "sequence", "children": [3, 4], "extra": {"mine": [1,2 ,3]}},
    {"idx": 3, "type": "condition", "children": [], "extra": {"action_name": "sees"}},
    {"idx": 4, "type": "action", "children": [], "extra": {"action_name": "chase", "disabled": true}},
    {"idx": 5, "type": "repeat", "children": [6], "extra": {"count": 3}},
    {"idx": 6, "type": "action", "children": [], "extra": {"action_name": "walk", "action_args": [{"arg_type": "plain", "arg_value": 1.50}]}}
  ]
}
"#;

    fn of(change: impl Fn(&str) -> String) -> Result<Scripted, Unscripted> {
        let tree = TreeAsset::from_json("t.json", TREE).unwrap();
        scripted(&tree, TREE, &change(&script(&tree, false).unwrap()))
    }

    #[test]
    fn script_that_comes_back_as_it_is_changes_no_byte() {
        for comments in [false, true] {
            let tree = TreeAsset::from_json("t.json", TREE).unwrap();
            let own = script(&tree, comments).unwrap();
            assert_eq!(scripted(&tree, TREE, &own).unwrap().text, TREE, "{own}");
        }
    }

    #[test]
    fn changed_line_changes_its_node_alone() {
        let text = of(|own| own.replace("walk 1.5", "walk 2")).unwrap().text;
        assert_eq!(
            text,
            TREE.replace(
                r#""action_args": [{"arg_type": "plain", "arg_value": 1.50}]"#,
                r#""action_args": [{"arg_type": "plain", "arg_value": 2}]"#
            )
        );
        let text = of(|own| own.replace("REPEAT {\"count\": 3}", "NEGATIVE")).unwrap();
        let tree = TreeAsset::from_json("t.json", &text.text).unwrap();
        assert_eq!(tree.node(5).unwrap().kind, "negative");
        assert!(tree.node(5).unwrap().extra.is_empty());
    }

    #[test]
    fn nodes_are_made_moved_and_removed() {
        let wanted = "AGENT guard\nREPEAT {\"count\": 3}  # [5]\n  SELECT  # [1]\n    look  # sees first\n    chase  # [4 disabled]\n    SEQUENCE {}  # [2]\n      GUARD is_day\n      walk 1.5  # [6]\n";
        let scripted = of(|_| wanted.to_owned()).unwrap();
        let tree = TreeAsset::from_json("t.json", &scripted.text).unwrap();
        assert_eq!(scripted.created, [7]);
        let order: Vec<u32> = tree.preorder().map(AssetNode::idx).collect();
        assert_eq!(order, [0, 5, 1, 7, 4, 2, 6]);
        assert_eq!(tree.node(7).unwrap().comment, "sees first");
        assert_eq!(
            tree.node(2).unwrap().extra["mine"],
            serde_json::json!([1, 2, 3])
        );
        assert!(tree.node(2).unwrap().extra.contains_key("guards"));
        assert_eq!(tree.node(4).unwrap().extra["disabled"], true);
        assert_eq!(tree.root().color, 7);
    }

    #[test]
    fn numbers_that_are_not_there_or_twice_are_refused() {
        for (wanted, why) in [
            ("a  # [9]\n", "[9], and the tree has none"),
            ("a  # [0]\n", "[0], and the tree has none"),
            ("SEQUENCE\n  a  # [3]\n  b  # [3]\n", "two nodes [3]"),
        ] {
            match of(|_| wanted.to_owned()).unwrap_err() {
                Unscripted::Refused(found) => assert!(found.contains(why), "{found}"),
                Unscripted::Script(error) => panic!("{error}"),
            }
        }
        let wrong = of(|_| "chase(\n".to_owned()).unwrap_err();
        assert!(matches!(wrong, Unscripted::Script(_)));
    }
}
