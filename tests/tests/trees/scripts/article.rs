//! The tree of the Python article, written down after what the article says: its prose, and the
//! pseudo-code where the prose leaves a question. Nothing here is the runner's. One thing is not the article's: a
//! `PARALLEL` that runs already executes no child to the right of the one that decides.

use std::collections::HashMap;

use bt_core::Status;
use bt_core::Status::{Failure, Running, Success};

/// A line of a script, and the deeper lines below it.
struct Node {
    name: String,
    param: String,
    children: Vec<Node>,
}

/// The memory of nodes from one execution of the root to the next.
#[derive(Default)]
struct Caches {
    /// The caches of nodes with memory: by node and child.
    results: HashMap<*const Node, HashMap<usize, Status>>,
    /// In which execution of the root a `PARALLEL` returned Running last, and was not left since.
    running: HashMap<*const Node, u64>,
    /// The number of the execution.
    number: u64,
}

impl Caches {
    /// All below a node, and itself, has been left.
    fn leave(&mut self, node: &Node) {
        let id: *const Node = node;
        self.running.remove(&id);
        node.children.iter().for_each(|child| self.leave(child));
    }
}

pub(crate) struct Article {
    root: Box<Node>,
    caches: Caches,
}

impl Article {
    /// “One line is one node, and indentation says which one is above it.”
    pub(crate) fn new(script: &str) -> Article {
        let lines: Vec<_> = script.lines().filter(|line| !line.is_empty()).collect();
        let (root, rest) = parse(&lines);
        assert_eq!(rest, 0, "one root");
        Article {
            root: Box::new(root),
            caches: Caches::default(),
        }
    }

    /// “Every so often the root is executed: that is a tick.” A leaf is called with its parameter.
    pub(crate) fn tick(&mut self, leaf: &mut impl FnMut(&str, &str) -> Status) -> Status {
        self.caches.number += 1;
        execute(&self.root, &mut self.caches, leaf)
    }
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The node of the first line, and how many lines are left after it and all below it.
fn parse(lines: &[&str]) -> (Node, usize) {
    let (name, param) = lines[0]
        .trim()
        .split_once(' ')
        .unwrap_or((lines[0].trim(), ""));
    let mut node = Node {
        name: name.to_owned(),
        param: param.to_owned(),
        children: Vec::new(),
    };
    let mut rest = &lines[1..];
    while rest
        .first()
        .is_some_and(|line| depth(line) > depth(lines[0]))
    {
        let (child, left) = parse(rest);
        node.children.push(child);
        rest = &rest[rest.len() - left..];
    }
    (node, rest.len())
}

fn execute(
    node: &Node,
    caches: &mut Caches,
    leaf: &mut impl FnMut(&str, &str) -> Status,
) -> Status {
    let result = match node.name.as_str() {
        // “Its children in order, until one returns Failure or Running.”
        "SEQUENCE" => in_order(node, Success, caches, leaf),
        // “Its children in order, until one returns Success or Running.”
        "FALLBACK" => in_order(node, Failure, caches, leaf),
        "PARALLEL" => parallel(node, caches, leaf),
        name => leaf(name, &node.param),
    };
    if result != Running {
        caches.leave(node);
    }
    result
}

/// “Its result is that of the last child.” With memory: “what a child returned, Success or Failure, is
/// cached; a child whose result is cached is not executed, the cache is taken; until the node itself
/// returns Success or Failure: then the cache is cleared.”
fn in_order(
    node: &Node,
    on: Status,
    caches: &mut Caches,
    leaf: &mut impl FnMut(&str, &str) -> Status,
) -> Status {
    let has_memory = node.param == "True";
    let id: *const Node = node;
    let mut result = on;
    for (i, child) in node.children.iter().enumerate() {
        let cached = caches
            .results
            .get(&id)
            .and_then(|cache| cache.get(&i))
            .copied();
        result = cached.unwrap_or_else(|| execute(child, caches, leaf));
        if has_memory && result != Running {
            caches.results.entry(id).or_default().insert(i, result);
        }
        if result != on {
            break;
        }
    }
    if result != Running {
        caches.results.remove(&id);
    }
    result
}

/// “It executes all of its children. If M at least return Success, it returns Success; if N - M + 1 at
/// least return Failure, it returns Failure; otherwise Running.” The article's code compares another
/// number.
fn parallel(
    node: &Node,
    caches: &mut Caches,
    leaf: &mut impl FnMut(&str, &str) -> Status,
) -> Status {
    let m: usize = node.param.parse().expect("a number");
    let id: *const Node = node;
    let runs = caches.running.get(&id) == Some(&(caches.number - 1));
    let (mut succeeded, mut failed, mut decided) = (0, 0, None);
    for child in &node.children {
        match execute(child, caches, leaf) {
            Success => succeeded += 1,
            Failure => failed += 1,
            Running => {}
        }
        if decided.is_none() && succeeded >= m {
            decided = Some(Success);
        } else if decided.is_none() && failed > node.children.len() - m {
            decided = Some(Failure);
        }
        if runs && decided.is_some() {
            break;
        }
    }
    if decided.is_none() {
        caches.running.insert(id, caches.number);
    }
    decided.unwrap_or(Running)
}
