//! A tree whose boxes have their places.

use std::collections::BTreeMap;

use super::card::Card;
use super::escaped::Escaped as _;
use super::space::{HEADING, MARGIN};
use super::{marks, measure, tidy};
use crate::draw::figure::Figure;
use crate::draw::options::{Direction, Mark};

/// Between two boxes beside each other.
const GAP: i64 = 18;
/// Between two levels.
const FALL: i64 = 40;

/// A figure; its own upper left corner is at 0.
pub(super) struct Placed<'f> {
    figure: &'f Figure,
    direction: Direction,
    cards: Vec<Card<'f>>,
    /// The middle of each box, across the direction.
    middles: Vec<i64>,
    /// The start of each level, along it.
    levels: Vec<i64>,
    pub(super) width: i64,
    pub(super) height: i64,
}

impl<'f> Placed<'f> {
    pub(super) fn of(figure: &'f Figure, direction: Direction) -> Placed<'f> {
        let cards: Vec<Card<'_>> = figure.nodes.iter().map(Card::of).collect();
        let children: Vec<&[usize]> = figure.nodes.iter().map(|node| &*node.children).collect();
        let sizes: Vec<(i64, i64)> = cards.iter().map(|card| size(card, direction)).collect();
        let across: Vec<i64> = sizes.iter().map(|(across, _)| *across).collect();
        let middles = tidy::middles(&children, &across, GAP);
        let ends = middles.iter().zip(&across);
        let across = ends.map(|(middle, across)| middle + across / 2).max();
        let (levels, along) = levels(figure, &sizes);
        let (width, height) = turned(direction, across.unwrap_or(0), along);
        Placed {
            figure,
            direction,
            cards,
            middles,
            levels,
            width,
            height,
        }
    }

    pub(super) fn heading(&self) -> String {
        measure::fit(&self.figure.name, 17, 800)
    }

    pub(super) fn draw(&self, at: usize, y: i64, marked: &BTreeMap<u32, Mark>, into: &mut String) {
        let heading = self.heading();
        *into += &format!(
            "<g id=\"tree-{at}\" transform=\"translate({MARGIN} {y})\">\n\
             <text class=\"name\" x=\"0\" y=\"14\">{}</text>\n\
             <g transform=\"translate(0 {HEADING})\">\n",
            heading.escaped()
        );
        for node in 0..self.cards.len() {
            self.edges(node, into);
        }
        for (node, card) in self.cards.iter().enumerate() {
            let shown = &self.figure.nodes[node];
            let (across, _) = size(card, self.direction);
            let across = self.middles[node] - across / 2;
            let (x, y) = turned(self.direction, across, self.levels[shown.depth]);
            match shown.calls {
                None => card.draw(x, y, into),
                Some(called) => {
                    *into += &format!("<a href=\"#tree-{called}\">");
                    card.draw(x, y, into);
                    *into += "</a>\n";
                }
            }
            if let Some(mark) = marked.get(&shown.idx) {
                marks::draw(*mark, card, x, y, into);
            }
        }
        *into += "</g>\n</g>\n";
    }

    /// One path to all that is below a node.
    fn edges(&self, node: usize, into: &mut String) {
        let shown = &self.figure.nodes[node];
        let (Some(first), Some(last)) = (shown.children.first(), shown.children.last()) else {
            return;
        };
        let point = |across, along| {
            let (x, y) = turned(self.direction, across, along);
            format!("{x},{y}")
        };
        let middle = |node: usize| self.middles[node];
        let (_, along) = size(&self.cards[node], self.direction);
        let from = self.levels[shown.depth] + along - 1;
        let to = self.levels[shown.depth + 1] + 1;
        let bar = to - FALL / 2;
        let mut path = format!(
            "M{}L{}",
            point(middle(node), from),
            point(middle(node), bar)
        );
        if first != last {
            let (first, last) = (middle(*first), middle(*last));
            path += &format!("M{}L{}", point(first, bar), point(last, bar));
        }
        for child in &shown.children {
            let child = middle(*child);
            path += &format!("M{}L{}", point(child, bar), point(child, to));
        }
        *into += &format!("<path class=\"edge\" d=\"{path}\"/>\n");
    }
}

/// Turns a position across and along the direction into x and y, and back.
fn turned(direction: Direction, across: i64, along: i64) -> (i64, i64) {
    match direction {
        Direction::Down => (across, along),
        Direction::Right => (along, across),
    }
}

/// The room that a box takes across the direction, and along it.
fn size(card: &Card<'_>, direction: Direction) -> (i64, i64) {
    turned(direction, card.width, card.height)
}

/// The start of each level, and the end of the last one. A level is as long as its longest box.
fn levels(figure: &Figure, sizes: &[(i64, i64)]) -> (Vec<i64>, i64) {
    let mut longest: Vec<i64> = Vec::new();
    for (node, (_, along)) in figure.nodes.iter().zip(sizes) {
        if longest.len() <= node.depth {
            longest.resize(node.depth + 1, 0);
        }
        longest[node.depth] = longest[node.depth].max(*along);
    }
    let mut begins = Vec::new();
    let mut at = 0;
    for along in longest {
        begins.push(at);
        at += along + FALL;
    }
    (begins, (at - FALL).max(0))
}
