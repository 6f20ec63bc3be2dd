//! An outline: a line for each node, those below it indented, and what is attached beneath.

use super::figure::Figure;

pub(super) fn draw(figures: &[Figure]) -> String {
    let outlines: Vec<String> = figures.iter().map(outline).collect();
    outlines.join("\n")
}

/// A node that remains to be written; true if its parent has more below it.
struct Next {
    node: usize,
    is_last: bool,
}

fn outline(figure: &Figure) -> String {
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
        text += &format!("{rails}{branch}{}\n", shown.line());
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
