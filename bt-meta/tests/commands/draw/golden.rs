//! Tests of the example's trees as pictures, in each format.

use bt_core::TreeAsset;
use bt_meta::draw::{Direction, Format, draw};

use crate::draw::hostile::edges;
use crate::draw::{dot, mermaid};

pub(crate) const TREES: [&str; 5] = ["account", "auto_play", "flee", "hunt", "patrol"];

pub(crate) fn example(name: &str) -> TreeAsset {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/monster/trees");
    let file = format!("{name}.json");
    let text = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
    TreeAsset::from_json(&file, &text).unwrap()
}

fn compare(format: Format, ending: &str) {
    for name in TREES {
        let picture = draw(&[example(name)], format, Direction::Down);
        insta::assert_snapshot!(format!("{name}_{ending}"), picture);
    }
}

#[test]
fn the_example_as_outlines() {
    compare(Format::Text, "text");
}

#[test]
fn the_example_as_svg() {
    compare(Format::Svg, "svg");
}

#[test]
fn the_example_as_dot() {
    compare(Format::Dot, "dot");
}

#[test]
fn the_example_as_mermaid() {
    compare(Format::Mermaid, "mermaid");
}

#[test]
fn trees_that_call_each_other_are_in_one_picture() {
    let trees = ["flee", "patrol", "hunt"].map(example);
    for (format, ending) in [
        (Format::Dot, "dot"),
        (Format::Mermaid, "mermaid"),
        (Format::Svg, "svg"),
    ] {
        let picture = draw(&trees, format, Direction::Right);
        let calls = match format {
            Format::Dot => "-> t0n0 [style=dashed",
            Format::Mermaid => "[[\"⊞ flee.json",
            _ => "<a href=\"#tree-0\">",
        };
        assert!(picture.contains(calls), "{ending}");
        let way = match format {
            Format::Dot => "rankdir=LR",
            Format::Mermaid => "flowchart LR",
            _ => "<g id=\"tree-2\"",
        };
        assert!(picture.contains(way), "{ending}");
    }
}

/// Trees that call each other, as `--follow` draws them.
pub(crate) fn followed() -> Vec<TreeAsset> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/monster/trees");
    let read = bt_meta::draw::files::read(&std::path::Path::new(folder).join("hunt.json"), true);
    let trees = read.unwrap().trees;
    assert!(trees.len() > 1);
    trees
}

#[test]
fn every_tree_of_a_picture_has_its_own_lines_and_no_others() {
    let trees = followed();
    let of = |(at, tree)| edges(at, tree);
    let expected: Vec<_> = trees.iter().enumerate().flat_map(of).collect();
    for direction in [Direction::Down, Direction::Right] {
        let drawn = |format| draw(&trees, format, direction);
        assert_eq!(mermaid::read(&drawn(Format::Mermaid)).edges, expected);
        assert_eq!(dot::read(&drawn(Format::Dot)).edges, expected);
    }
}
