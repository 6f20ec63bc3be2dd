//! The check that the nodes of a file are a tree: one root, each other node below exactly one node.

use crate::tree::Code;
use std::collections::BTreeMap;
use std::fmt;
use std::iter::successors;

use serde_json::Value;

use super::node::{AssetNode, Nodes};
use super::problem::{Problem, Problems};
use super::raw::Raw;
use crate::decode::shown;

/// The place of a node in a list of children: its parent, and its position.
#[derive(Clone, Copy)]
struct Listed {
    by: usize,
    nth: usize,
}

/// The nodes as a tree, each with its parent; none, and at least one problem, where they are none.
pub(super) fn link(raw: Raw, problems: &mut Problems<'_>) -> Option<Nodes> {
    let mut links = Links::of(&raw, problems);
    links.children();
    let root = links.root();
    links.parents(root);
    links.cycles(root);
    let (listed, by_idx, root) = (links.listed, links.by_idx, root?);
    if !problems.is_empty() {
        return None;
    }
    let mut nodes = raw.nodes;
    for (i, listed) in listed.into_iter().enumerate() {
        nodes[i].parent = listed.map(|listed| nodes[listed.by].idx);
    }
    let root = nodes[root].idx;
    Some(Nodes {
        list: nodes,
        by_idx,
        root,
        left_out: None,
    })
}

/// Nodes by their place among those that could be read.
struct Links<'r, 'p, 'f> {
    raw: &'r Raw,
    nodes: &'r [AssetNode],
    problems: &'p mut Problems<'f>,
    by_idx: BTreeMap<u32, usize>,
    /// Its `idx` is taken by an earlier node.
    duplicate: Vec<bool>,
    listed: Vec<Option<Listed>>,
    /// Listed more than once.
    shared: Vec<bool>,
}

impl<'r, 'p, 'f> Links<'r, 'p, 'f> {
    fn of(raw: &'r Raw, problems: &'p mut Problems<'f>) -> Links<'r, 'p, 'f> {
        let nodes = raw.nodes.as_slice();
        let mut links = Links {
            raw,
            nodes,
            problems,
            by_idx: BTreeMap::new(),
            duplicate: vec![false; nodes.len()],
            listed: vec![None; nodes.len()],
            shared: vec![false; nodes.len()],
        };
        for (i, node) in nodes.iter().enumerate() {
            let first = *links.by_idx.entry(node.idx).or_insert(i);
            if first != i {
                links.duplicate[i] = true;
                links.say(Code::RepeatedIdx, i, "/idx", || {
                    "an earlier node of the file has the same `idx`".to_owned()
                });
            }
        }
        links
    }

    fn say(
        &mut self,
        code: Code,
        node: usize,
        key: impl fmt::Display,
        message: impl FnOnce() -> String,
    ) {
        self.say_more(code, node, key, message, |problem| problem);
    }

    fn say_more(
        &mut self,
        code: Code,
        node: usize,
        key: impl fmt::Display,
        message: impl FnOnce() -> String,
        more: impl FnOnce(Problem) -> Problem,
    ) {
        let pointer = format!("/nodes/{}{key}", self.raw.places[node]);
        let idx = self.nodes[node].idx;
        self.problems.say(code, message, |problem| {
            more(problem.of_node(idx).at(pointer))
        });
    }

    /// Each child is in the file and listed once.
    fn children(&mut self) {
        for (by, node) in self.nodes.iter().enumerate() {
            for (nth, child) in node.children.iter().enumerate() {
                let Some(&at) = self.by_idx.get(child) else {
                    if !self.raw.idx_unread {
                        self.say(
                            Code::UnknownChild,
                            by,
                            format_args!("/children/{nth}"),
                            || format!("its child {child} is not in the file"),
                        );
                    }
                    continue;
                };
                match self.listed[at] {
                    None => self.listed[at] = Some(Listed { by, nth }),
                    Some(first) => {
                        self.shared[at] = true;
                        let first = self.nodes[first.by].idx;
                        self.say(
                            Code::SharedChild,
                            by,
                            format_args!("/children/{nth}"),
                            || match first == node.idx {
                                true => format!("its child {child} is listed twice"),
                                false => {
                                    format!("its child {child} is a child of node {first} too")
                                }
                            },
                        );
                    }
                }
            }
        }
    }

    /// The one node of type `root`, which is nobody's child.
    fn root(&mut self) -> Option<usize> {
        let nodes = self.nodes;
        let mut roots = (0..nodes.len()).filter(|i| nodes[*i].is_root() && !self.duplicate[*i]);
        let Some(root) = roots.next() else {
            if !self.raw.idx_unread {
                self.no_root();
            }
            return None;
        };
        let more: Vec<_> = roots.collect();
        for other in more {
            let first = nodes[root].idx;
            self.say(Code::OneRoot, other, "/type", || {
                format!("a second root: node {first} is the root")
            });
        }
        if let Some(Listed { by, nth }) = self.listed[root] {
            let idx = nodes[root].idx;
            self.say(Code::OneRoot, by, format_args!("/children/{nth}"), || {
                format!("its child {idx} is the root")
            });
        }
        Some(root)
    }

    fn no_root(&mut self) {
        let mut tops = (0..self.nodes.len()).filter(|i| self.listed[*i].is_none());
        let (top, more) = (tops.next(), tops.next());
        let help = match (top, more) {
            (Some(top), None) => {
                let AssetNode { idx, data, .. } = &self.nodes[top];
                let kind = shown(&Value::String(data.kind.clone()));
                format!("the type of node {idx}, which is nobody's child, is {kind}")
            }
            _ => String::new(),
        };
        self.problems.say(
            Code::OneRoot,
            || "no node is of type `root`".to_owned(),
            |problem| problem.at("/nodes").with_help(help),
        );
    }

    /// Each node but the root is somebody's child, and of the parent that it states.
    fn parents(&mut self, root: Option<usize>) {
        for (i, node) in self.nodes.iter().enumerate() {
            let stated = node.parent;
            match self.listed[i] {
                _ if self.duplicate[i] || self.shared[i] => {}
                None if Some(i) == root => {
                    if let Some(stated) = stated {
                        self.say(Code::WrongParent, i, "/parent", || {
                            format!("the root has no parent, found {stated}")
                        });
                    }
                }
                None if self.raw.child_unread || node.is_root() => {}
                None => self.orphan(i, root),
                Some(Listed { by, .. }) => {
                    let parent = self.nodes[by].idx;
                    if let Some(stated) = stated.filter(|stated| *stated != parent) {
                        self.say(Code::WrongParent, i, "/parent", || {
                            format!("its `parent` is {stated}, but it is a child of node {parent}")
                        });
                    }
                }
            }
        }
    }

    fn orphan(&mut self, i: usize, root: Option<usize>) {
        let node = &self.nodes[i];
        let idx = node.idx;
        let (message, help) = match node.parent {
            // Where no node is the root, that is the problem.
            None if root.is_none() => return,
            None => ("is nobody's child".to_owned(), String::new()),
            Some(parent) if self.by_idx.contains_key(&parent) => (
                format!("its `parent` is {parent}, which does not list it as a child"),
                format!("add {idx} to the `children` of node {parent}, or take the node out"),
            ),
            Some(parent) => (
                format!("its `parent` is {parent}, which is not in the file"),
                String::new(),
            ),
        };
        let key = if node.parent.is_some() { "/parent" } else { "" };
        self.say_more(
            Code::Orphan,
            i,
            key,
            || message,
            |problem| problem.with_help(help),
        );
    }

    /// No node is below itself. A root that is listed as a child was reported already.
    fn cycles(&mut self, root: Option<usize>) {
        let mut seen_from: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for start in 0..self.nodes.len() {
            let mut at = start;
            loop {
                if let Some(from) = seen_from[at] {
                    // Come round to where this very walk has been.
                    if from == start {
                        self.cycle(at);
                    }
                    break;
                }
                seen_from[at] = Some(start);
                match self.listed[at] {
                    Some(Listed { by, .. }) if Some(at) != root => at = by,
                    _ => break,
                }
            }
        }
    }

    fn cycle(&mut self, through: usize) {
        let above = |at: usize| self.listed[at].map(|listed| listed.by);
        let mut round: Vec<usize> = successors(Some(through), |at| {
            above(*at).filter(|above| *above != through)
        })
        .collect();
        round.reverse();
        let lowest = (0..round.len()).min_by_key(|i| self.nodes[round[*i]].idx);
        round.rotate_left(lowest.unwrap_or_default());
        let mut names: Vec<_> = round
            .iter()
            .map(|i| self.nodes[*i].idx.to_string())
            .collect();
        let message = if names.len() == 1 {
            "is its own child".to_owned()
        } else {
            names.push(names[0].clone());
            if names.len() > SHOWN {
                names.splice(SHOWN / 2..names.len() - SHOWN / 2, ["…".to_owned()]);
            }
            format!("is below itself: {}", names.join(" -> "))
        };
        self.say(Code::Cycle, round[0], "/children", || message);
    }
}

/// The number of a cycle's nodes that are named.
const SHOWN: usize = 10;
