//! Mermaid's flowchart, which stands in Markdown.

use super::Direction;
use super::figure::{Figure, Node};
use super::symbols::Group;
use super::words::cut;

/// How many characters of one line are shown.
const MOST: usize = 60;

pub(super) fn draw(figures: &[Figure], direction: Direction) -> String {
    let mut text = String::from(match direction {
        Direction::Down => "flowchart TD\n",
        Direction::Right => "flowchart LR\n",
    });
    for (at, figure) in figures.iter().enumerate() {
        text += &format!("  subgraph t{at} [\"{}\"]\n", escaped(&figure.name));
        for (place, node) in figure.nodes.iter().enumerate() {
            let (open, close) = shape(node.group);
            let group = node.group.name();
            text += &format!(
                "    t{at}n{place}{open}\"{}\"{close}:::{group}_node\n",
                label(node)
            );
        }
        for (place, node) in figure.nodes.iter().enumerate() {
            for child in &node.children {
                text += &format!("    t{at}n{place} --> t{at}n{child}\n");
            }
        }
        text += "  end\n";
    }
    for (at, figure) in figures.iter().enumerate() {
        for (place, node) in figure.nodes.iter().enumerate() {
            for called in node.calls.iter().chain(&node.starts) {
                text += &format!("  t{at}n{place} -.-> t{called}n0\n");
            }
        }
    }
    for group in Group::ALL {
        let (name, color) = (group.name(), group.color());
        text += &format!("  classDef {name}_node fill:#{color},stroke:#{color},color:#ffffff\n");
    }
    text
}

fn shape(group: Group) -> (&'static str, &'static str) {
    match group {
        Group::Condition => ("([", "])"),
        Group::Decorator => ("{{", "}}"),
        Group::Tree => ("[[", "]]"),
        Group::Root => ("(", ")"),
        _ => ("[", "]"),
    }
}

fn label(node: &Node) -> String {
    let first = format!("{} {}", node.symbol, node.heading());
    let attached = node.attached.iter().map(|attached| attached.line());
    let lines = std::iter::once(first).chain(attached);
    let lines = lines.map(|line| escaped(&cut(&line, MOST)));
    lines.collect::<Vec<_>>().join("<br/>")
}

/// Mermaid takes characters by their names or numbers between `#` and `;`. Those that it, Markdown or
/// HTML may read something into are written so.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '"' => escaped += "#quot;",
            '&' => escaped += "#amp;",
            '<' => escaped += "#lt;",
            '>' => escaped += "#gt;",
            '#' | ';' | '`' | '\\' | '*' | '_' | '~' | '{' | '}' | '[' | ']' | '|' => {
                escaped += &format!("#{};", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}
