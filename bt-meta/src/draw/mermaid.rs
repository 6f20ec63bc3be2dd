//! Mermaid's flowchart, which stands in Markdown.
//!
//! No line leads from tree to tree: siblings would change their places for it, and a subgraph its
//! direction. A call says which tree it calls, and each tree has its name above it. The layout is named because
//! the one that is Mermaid's default since version 12 puts siblings in any order.

use super::figure::{Figure, GREY, Node};
use super::options::Direction;
use super::symbols::Group;
use super::words::cut;

/// Siblings stand in the order of the file.
const LAYOUT: &str = r#"%%{init: {"layout": "dagre"}}%%"#;

/// The number of characters of one line that are shown.
const MOST: usize = 60;

/// The name of the class of nodes that are not built.
const OFF: &str = "disabled";

pub(super) fn draw(figures: &[Figure], direction: Direction) -> String {
    let way = match direction {
        Direction::Down => "TB",
        Direction::Right => "LR",
    };
    let mut text = format!("{LAYOUT}\nflowchart {way}\n");
    for (at, figure) in figures.iter().enumerate() {
        text += &format!("  subgraph t{at} [\"{}\"]\n", escaped(&figure.name));
        text += &format!("    direction {way}\n");
        for (place, node) in figure.nodes.iter().enumerate() {
            let (open, close) = shape(node.group);
            let group = match node.is_disabled {
                true => OFF,
                false => node.group.name(),
            };
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
    let nodes = figures.iter().flat_map(|figure| &figure.nodes);
    let (off, nodes): (Vec<_>, Vec<_>) = nodes.partition(|node| node.is_disabled);
    let groups: Vec<Group> = nodes.iter().map(|node| node.group).collect();
    for group in Group::ALL.iter().filter(|group| groups.contains(group)) {
        let (name, color) = (group.name(), group.color());
        text += &format!("  classDef {name}_node fill:#{color},stroke:#{color},color:#ffffff\n");
    }
    if !off.is_empty() {
        text += &format!("  classDef {OFF}_node fill:#{GREY},stroke:#{GREY},color:#ffffff\n");
    }
    text
}

fn shape(group: Group) -> (&'static str, &'static str) {
    match group {
        Group::Condition => ("([", "])"),
        Group::Decorator => ("{{", "}}"),
        Group::Tree => ("[[", "]]"),
        Group::Root => ("(", ")"),
        Group::Composite | Group::Action | Group::Event | Group::Control | Group::Unknown => {
            ("[", "]")
        }
    }
}

fn label(node: &Node) -> String {
    let lines = std::iter::once(node.line()).chain(node.below());
    let lines = lines.map(|line| escaped(&cut(&line, MOST)));
    lines.collect::<Vec<_>>().join("<br/>")
}

/// Mermaid takes characters by their names or numbers between `#` and `;`. Those that it, Markdown or
/// HTML may read something into are written so; within a word an underscore is none of them.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut chars = text.chars().peekable();
    let mut before = None;
    while let Some(c) = chars.next() {
        match c {
            '"' => escaped += "#quot;",
            '&' => escaped += "#amp;",
            '<' => escaped += "#lt;",
            '>' => escaped += "#gt;",
            '_' if is_word(before) && is_word(chars.peek().copied()) => escaped.push(c),
            '#' | ';' | '`' | '\\' | '*' | '_' | '~' | '{' | '}' | '[' | ']' | '|' => {
                escaped += &format!("#{};", u32::from(c));
            }
            c => escaped.push(c),
        }
        before = Some(c);
    }
    escaped
}
