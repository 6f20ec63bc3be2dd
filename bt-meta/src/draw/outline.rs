//! An outline: a line for each node, those below it indented, and what is attached beneath.

use std::collections::BTreeMap;

use super::figure::Figure;
use super::options::Mark;

pub(super) fn draw(figures: &[Figure]) -> String {
    let none = BTreeMap::new();
    let outlines = figures.iter().map(|figure| draw_marked(figure, &none));
    outlines.collect::<Vec<_>>().join("\n")
}

/// A node that remains to be written; true if its parent has more below it.
struct Next {
    node: usize,
    is_last: bool,
}

/// One figure with a sign before each node that is marked.
pub(super) fn draw_marked(figure: &Figure, marks: &BTreeMap<u32, Mark>) -> String {
    let mut text = format!("{}\n", figure.name);
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
        let mark = marks.get(&shown.idx).map(|mark| mark.looks().1);
        let (mark, space) = mark.map_or(("", ""), |mark| (mark, " "));
        text += &format!("{rails}{branch}{mark}{space}{}\n", shown.line());
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
            text += &format!("{rails}{below}    {attached}\n");
        }
        let children = shown.children.iter().enumerate().rev();
        next.extend(children.map(|(at, child)| Next {
            node: *child,
            is_last: at + 1 == shown.children.len(),
        }));
    }
    text
}
