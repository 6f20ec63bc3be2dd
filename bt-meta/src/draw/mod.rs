//! Pictures of trees: what a file says, with no catalogue and nothing checked.
//!
//! [`mod@files`] reads a tree, and those that it calls; `figure` says of each node what is shown of it, in
//! the words of `words` and the symbols of `symbols`; then there is a file for each format, and `cards` for those
//! who paint trees themselves.

mod cards;
mod dot;
mod figure;
pub mod files;
mod mermaid;
mod options;
mod outline;
mod svg;
mod symbols;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use bt_core::TreeAsset;
pub use cards::{Card, card, group_of, heading};
pub(crate) use figure::DISABLED;
use figure::Figure;
pub use options::{Direction, Format, Mark};

/// Trees as one picture, in this order. A call of one of them by another leads there.
///
/// Whatever stands in a tree, the text is well-formed: names are escaped, and characters that no text
/// should have, such as those that steer a terminal, are replaced.
///
/// ```
/// use bt_core::TreeAsset;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_meta::draw::{Direction, Format, draw};
///
/// let tree = sequence([action("walk_to").arg("gate"), action("rest")]);
/// let tree = TreeAsset::build("rounds.json", "guard", tree);
/// let outline = "\
/// rounds.json
/// ◉ guard #0
/// └─ → sequence #1
///    ├─ ▸ walk_to(\"gate\") #2
///    └─ ▸ rest #3
/// ";
/// assert_eq!(draw(&[tree], Format::Text, Direction::Down), outline);
/// ```
pub fn draw(trees: &[TreeAsset], format: Format, direction: Direction) -> String {
    let figures: Vec<Figure> = trees.iter().map(|tree| Figure::of(tree, trees)).collect();
    match format {
        Format::Text => outline::draw(&figures),
        Format::Svg => svg::draw(&figures, direction, None),
        Format::Dot => dot::draw(&figures, direction),
        Format::Mermaid => mermaid::draw(&figures, direction),
    }
}

/// Trees as an SVG that is shown no wider than so many pixels: one that is wider is scaled down.
///
/// ```
/// use bt_core::TreeAsset;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_meta::draw::{Direction, svg_within};
///
/// let steps = (0..20).map(|_| action("walk_to").arg("gate"));
/// let tree = TreeAsset::build("rounds.json", "guard", sequence(steps));
/// let picture = svg_within(&[tree], Direction::Down, 700);
/// assert!(picture.contains(" width=\"700\""));
/// ```
pub fn svg_within(trees: &[TreeAsset], direction: Direction, max_width: u32) -> String {
    let figures: Vec<Figure> = trees.iter().map(|tree| Figure::of(tree, trees)).collect();
    svg::draw(&figures, direction, Some(max_width))
}

/// A tree as an SVG in which nodes are marked. `number` distinguishes it from others on the same page.
///
/// ```
/// use std::collections::{BTreeMap, BTreeSet};
///
/// use bt_core::TreeAsset;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_meta::draw::{Direction, Mark, svg_marked};
///
/// let tree = TreeAsset::build("rounds.json", "guard", sequence([action("rest")]));
/// let marks = BTreeMap::from([(2, Mark::Added)]);
/// let picture = svg_marked(&tree, Direction::Right, &marks, 0);
/// assert!(picture.contains("class=\"mark added\""));
/// ```
pub fn svg_marked(
    tree: &TreeAsset,
    direction: Direction,
    marks: &BTreeMap<u32, Mark>,
    number: usize,
) -> String {
    svg::draw_marked(&Figure::of(tree, &[]), direction, marks, number)
}

/// A tree as an outline in which nodes are marked by the signs that [`svg_marked`] has.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use bt_core::TreeAsset;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_meta::draw::{Mark, text_marked};
///
/// let tree = TreeAsset::build("rounds.json", "guard", sequence([action("rest")]));
/// let marks = BTreeMap::from([(2, Mark::NotCovered)]);
/// assert!(text_marked(&tree, &marks).contains("└─ ✗ ▸ rest #2"));
/// ```
pub fn text_marked(tree: &TreeAsset, marks: &BTreeMap<u32, Mark>) -> String {
    outline::draw_marked(&Figure::of(tree, &[]), marks)
}

/// The outline of a tree, one of several, in which the nodes are marked that are active.
pub(crate) fn outline_marked(
    tree: &TreeAsset,
    trees: &[TreeAsset],
    active: &BTreeSet<u32>,
) -> String {
    outline::marked(&Figure::of(tree, trees), active)
}

/// The lines of each node for people: its call or kind with its parameters, then its attachments.
pub(crate) fn node_lines(tree: &TreeAsset) -> BTreeMap<u32, Vec<String>> {
    let figure = Figure::of(tree, &[]);
    let lines = figure.nodes.iter().map(|node| {
        let attached = node.attached.iter().map(|attached| attached.line());
        let heading = format!("{}{}", node.disabled(), node.heading());
        let lines = std::iter::once(heading).chain(attached);
        (node.idx, lines.collect())
    });
    lines.collect()
}
