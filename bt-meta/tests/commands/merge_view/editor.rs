//! The original's editor, as far as files show it: opened, changed by its commands, and saved.
//!
//! It saves nodes level by level; `is_collapsed` and unknown keys are dropped, the date becomes the `signature`. Pasted
//! nodes get new numbers, and the top of what is pasted loses comment and colour.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};

pub(super) struct Editor {
    tree_type: Value,
    nodes: BTreeMap<u64, Node>,
    next: u64,
}

#[derive(Clone)]
struct Node {
    kind: String,
    parent: Option<u64>,
    children: Vec<u64>,
    extra: Value,
    comment: String,
    color: u64,
}

const KEPT: [(&str, &[&str]); 5] = [
    ("root", &["agent_name"]),
    ("action", &["action_name", "action_args"]),
    ("wait_event", &["event"]),
    ("sub_tree", &["sub_tree_name"]),
    ("probility", &["prob"]),
];

impl Editor {
    pub(super) fn open(text: &str) -> Editor {
        let file: Value = serde_json::from_str(text).unwrap();
        let mut nodes = BTreeMap::new();
        for node in file["nodes"].as_array().unwrap() {
            let kind = node["type"].as_str().unwrap().to_owned();
            let kept = KEPT.iter().find(|(of, _)| *of == kind);
            let kept = kept.map_or(&[][..], |(_, keys)| keys);
            let extra = kept
                .iter()
                .map(|key| ((*key).to_owned(), node["extra"][key].clone()));
            let children = node["children"].as_array().unwrap();
            let read = Node {
                kind,
                parent: node["parent"].as_u64(),
                children: children
                    .iter()
                    .map(|child| child.as_u64().unwrap())
                    .collect(),
                extra: Value::Object(extra.collect()),
                comment: node["comment"].as_str().unwrap().to_owned(),
                color: node["color"].as_u64().unwrap(),
            };
            nodes.insert(node["idx"].as_u64().unwrap(), read);
        }
        let next = nodes.keys().max().unwrap() + 1;
        Editor {
            tree_type: file["tree_type"].clone(),
            nodes,
            next,
        }
    }

    pub(super) fn save(&self) -> String {
        let mut order = VecDeque::from([self.root()]);
        let mut nodes = Vec::new();
        while let Some(idx) = order.pop_front() {
            let node = &self.nodes[&idx];
            let mut saved = json!({"idx": idx, "type": node.kind, "children": node.children, "comment": node.comment,
                "color": node.color, "is_collapsed": false, "extra": node.extra});
            if let Some(parent) = node.parent {
                saved["parent"] = parent.into();
            }
            nodes.push(saved);
            order.extend(&node.children);
        }
        let file = json!({"nodes": nodes, "extra": {}, "name": "saved.json", "tree_type": self.tree_type,
            "signature": "27-11-2026 21:00:00"});
        format!("{file:#}\n")
    }

    pub(super) fn root(&self) -> u64 {
        let mut all = self.nodes.iter();
        *all.find(|(_, node)| node.parent.is_none()).unwrap().0
    }

    /// All nodes but the root.
    pub(super) fn below(&self) -> Vec<u64> {
        let all = self.nodes.iter().filter(|(_, node)| node.parent.is_some());
        all.map(|(idx, _)| *idx).collect()
    }

    pub(super) fn kind(&self, idx: u64) -> &str {
        &self.nodes[&idx].kind
    }

    pub(super) fn children(&self, idx: u64) -> &[u64] {
        &self.nodes[&idx].children
    }

    pub(super) fn extra(&mut self, idx: u64) -> &mut Value {
        &mut self.nodes.get_mut(&idx).unwrap().extra
    }

    pub(super) fn comment(&mut self, idx: u64) -> &mut String {
        &mut self.nodes.get_mut(&idx).unwrap().comment
    }

    pub(super) fn paint(&mut self, idx: u64, color: u64) {
        self.nodes.get_mut(&idx).unwrap().color = color;
    }

    pub(super) fn insert(&mut self, parent: u64, kind: &str, extra: Value) -> u64 {
        let node = Node {
            kind: kind.to_owned(),
            parent: Some(parent),
            children: Vec::new(),
            extra,
            comment: String::new(),
            color: 0xffff_ffff,
        };
        self.add(parent, node)
    }

    fn add(&mut self, parent: u64, node: Node) -> u64 {
        let idx = self.next;
        self.next += 1;
        self.nodes.insert(idx, node);
        self.nodes.get_mut(&parent).unwrap().children.push(idx);
        idx
    }

    /// Removes a node, and all below it; they are given back with their numbers.
    pub(super) fn cut(&mut self, idx: u64) -> Part {
        let parent = self.nodes[&idx].parent.unwrap();
        self.nodes
            .get_mut(&parent)
            .unwrap()
            .children
            .retain(|child| *child != idx);
        let part = self.copied(idx);
        let mut gone = vec![idx];
        while let Some(idx) = gone.pop() {
            gone.extend(self.nodes.remove(&idx).unwrap().children);
        }
        part
    }

    pub(super) fn copied(&self, idx: u64) -> Part {
        let node = self.nodes[&idx].clone();
        let below = node.children.iter().map(|child| self.copied(*child));
        Part(node.clone(), below.collect())
    }

    pub(super) fn paste(&mut self, parent: u64, part: &Part) -> u64 {
        let mut top = part.0.clone();
        (top.comment, top.color) = (String::new(), 0xffff_ffff);
        let mut level = VecDeque::from([(parent, top, &part.1)]);
        let mut first = None;
        while let Some((parent, mut node, below)) = level.pop_front() {
            node.parent = Some(parent);
            node.children = Vec::new();
            let idx = self.add(parent, node);
            first.get_or_insert(idx);
            level.extend(below.iter().map(|part| (idx, part.0.clone(), &part.1)));
        }
        first.unwrap()
    }

    /// Moves a node one place up.
    pub(super) fn up(&mut self, idx: u64) {
        let parent = self.nodes[&idx].parent.unwrap();
        let siblings = &mut self.nodes.get_mut(&parent).unwrap().children;
        let at = siblings.iter().position(|child| *child == idx).unwrap();
        if at > 0 {
            siblings.swap(at, at - 1);
        }
    }

    /// Numbers all nodes anew, level by level.
    pub(super) fn reorder(&mut self) {
        let mut order = VecDeque::from([self.root()]);
        let mut new: BTreeMap<u64, u64> = BTreeMap::new();
        while let Some(idx) = order.pop_front() {
            new.insert(idx, new.len() as u64);
            order.extend(&self.nodes[&idx].children);
        }
        let nodes = std::mem::take(&mut self.nodes);
        for (idx, mut node) in nodes {
            node.parent = node.parent.map(|parent| new[&parent]);
            node.children = node.children.iter().map(|child| new[child]).collect();
            self.nodes.insert(new[&idx], node);
        }
        self.next = self.nodes.len() as u64;
    }
}

/// A node and what is below it, copied or cut.
pub(super) struct Part(Node, Vec<Part>);
