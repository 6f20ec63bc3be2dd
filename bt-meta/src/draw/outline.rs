//! An outline: a line for each node, those below it indented, and what is attached beneath.

use std::collections::{BTreeMap, BTreeSet};

use super::figure::Figure;
use super::options::Mark;

pub(super) fn draw(figures: &[Figure]) -> String {
    let plain = |figure| outline(figure, |_| "", |_| None);
    let outlines: Vec<String> = figures.iter().map(plain).collect();
    outlines.join("\n")
}

/// An outline whose active nodes have a sign in front.
pub(super) fn marked(figure: &Figure, active: &BTreeSet<u32>) -> String {
    let front = |node| match node {
        Some(node) if active.contains(&node) => "▶ ",
        Some(_) | None => "  ",
    };
    outline(figure, front, |_| None)
}

/// One figure with a sign before the text of each node that is marked.
pub(super) fn draw_marked(figure: &Figure, marks: &BTreeMap<u32, Mark>) -> String {
    outline(figure, |_| "", |node| marks.get(&node).copied())
}

/// A node that remains to be written; true if its parent has more below it.
struct Next {
    node: usize,
    is_last: bool,
}

/// `front` stands in front of each line: that of a node, or another. `mark` is the mark of a node.
fn outline(
    figure: &Figure,
    front: impl Fn(Option<u32>) -> &'static str,
    mark: impl Fn(u32) -> Option<Mark>,
) -> String {
    let mut text = format!("{}{}\n", front(None), figure.name);
    let mut next = vec![Next {
        node: 0,
        is_last: true,
    }];
    // The lines that stand before a node's own: one piece for each node above it.
    let mut rails = String::new();
    let mut ends = Vec::new();
    while let Some(Next { node, is_last }) = next.pop() {
        let Some(shown) = figure.nodes.get(node) else {
            continue;
        };
        // The root has no rail before it.
        ends.truncate(shown.depth.saturating_sub(1));
        rails.truncate(ends.last().copied().unwrap_or(0));
        let (branch, rail) = match (shown.depth, is_last) {
            (0, _) => ("", ""),
            (_, true) => ("└─ ", "   "),
            (_, false) => ("├─ ", "│  "),
        };
        let sign = front(Some(shown.idx));
        let mark = mark(shown.idx).map_or("", |mark| mark.looks().1);
        let space = if mark.is_empty() { "" } else { " " };
        text += &format!("{sign}{rails}{branch}{mark}{space}{}\n", shown.line());
        if shown.depth > 0 {
            rails += rail;
            ends.push(rails.len());
        }
        let below = if shown.children.is_empty() {
            " "
        } else {
            "│"
        };
        for attached in shown.below() {
            let sign = front(None);
            text += &format!("{sign}{rails}{below}    {attached}\n");
        }
        let children = shown.children.iter().enumerate().rev();
        next.extend(children.map(|(at, child)| Next {
            node: *child,
            is_last: at + 1 == shown.children.len(),
        }));
    }
    text
}
