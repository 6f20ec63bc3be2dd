//! Graphviz's language.

use super::figure::{Figure, GREY, Node};
use super::options::Direction;
use super::symbols::Group;
use super::words::cut;

/// The number of characters of one line that are shown.
const MOST: usize = 60;

pub(super) fn draw(figures: &[Figure], direction: Direction) -> String {
    let mut text = String::from(
        "digraph trees {
  compound=true
  ordering=out
  node [shape=box, style=\"rounded,filled\", margin=\"0.18,0.09\", fontname=\"Helvetica\", fontsize=11, fontcolor=\"#ffffff\", penwidth=0]
  edge [color=\"#8a94a3\", arrowsize=0.6]
",
    );
    if direction == Direction::Right {
        text += "  rankdir=LR\n";
    }
    for (at, figure) in figures.iter().enumerate() {
        text += &cluster(at, figure);
    }
    for (at, figure) in figures.iter().enumerate() {
        for (place, node) in figure.nodes.iter().enumerate() {
            for called in node.calls.iter().chain(&node.starts) {
                text += &format!(
                    "  t{at}n{place} -> t{called}n0 [style=dashed, constraint=false, lhead=cluster_{called}]\n"
                );
            }
        }
    }
    text + "}\n"
}

fn cluster(at: usize, figure: &Figure) -> String {
    let mut text = format!("  subgraph cluster_{at} {{\n");
    text += &format!("    label={}\n", quoted(&figure.name));
    text += "    fontname=\"Helvetica\"\n    fontcolor=\"#8a94a3\"\n    color=\"#8a94a3\"\n";
    for (place, node) in figure.nodes.iter().enumerate() {
        text += &format!(
            "    t{at}n{place} [label={}, tooltip={}, color=\"#{}\"{}]\n",
            label(node),
            quoted(&tooltip(node)),
            color(node),
            shape(node.group),
        );
    }
    for (place, node) in figure.nodes.iter().enumerate() {
        for child in &node.children {
            text += &format!("    t{at}n{place} -> t{at}n{child}\n");
        }
    }
    text + "  }\n"
}

fn color(node: &Node) -> &'static str {
    match node.is_disabled {
        true => GREY,
        false => node.group.color(),
    }
}

/// The shape, where it is not a box with round corners.
fn shape(group: Group) -> &'static str {
    match group {
        Group::Condition => ", shape=ellipse, style=filled",
        Group::Decorator => ", shape=hexagon, style=filled",
        Group::Tree => ", shape=component, style=filled",
        Group::Root
        | Group::Composite
        | Group::Action
        | Group::Event
        | Group::Control
        | Group::Unknown => "",
    }
}

/// Lines one below the other, those after the first to the left.
fn label(node: &Node) -> String {
    let below = node.below();
    if below.is_empty() {
        return quoted(&cut(&node.line(), MOST));
    }
    let lines = std::iter::once(node.line()).chain(below);
    let lines = lines.map(|line| escaped(&cut(&line, MOST)) + "\\l");
    format!("\"{}\"", lines.collect::<String>())
}

fn tooltip(node: &Node) -> String {
    let number = format!("node {}", node.idx);
    match node.comment.as_str() {
        "" => number,
        comment => format!("{number}: {comment}"),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A backslash begins an escape in a label, and an ampersand a character's name.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('&', "&amp;")
}
