//! A picture of its own: boxes from the root downwards, siblings from left to right.

mod card;
mod measure;
mod style;
mod tidy;

use super::figure::Figure;
use card::Card;

/// Around the picture.
const MARGIN: i64 = 24;
/// Between two boxes beside each other.
const GAP: i64 = 18;
/// Between two levels.
const FALL: i64 = 40;
/// What a figure's name takes.
const HEADING: i64 = 34;
/// Between two figures.
const APART: i64 = 48;

pub(super) fn draw(figures: &[Figure]) -> String {
    let mut body = String::new();
    let (mut widest, mut y) = (0, MARGIN);
    for (at, figure) in figures.iter().enumerate() {
        let placed = Placed::of(figure);
        if at > 0 {
            y += APART;
        }
        placed.draw(at, y, &mut body);
        y += HEADING + placed.height;
        let heading = measure::width(&placed.heading(), 17);
        widest = widest.max(placed.width).max(heading);
    }
    let (width, height) = (widest + 2 * MARGIN, y + MARGIN);
    let name = figures.first().map(|figure| figure.name.escaped());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n{}{body}</svg>\n",
        name.unwrap_or_default(),
        style::sheet(),
    )
}

/// A figure whose boxes have their places, its own upper left corner at 0.
struct Placed<'f> {
    figure: &'f Figure,
    cards: Vec<Card<'f>>,
    /// The middle of each box, from the left.
    middles: Vec<i64>,
    /// Where each level begins.
    levels: Vec<i64>,
    width: i64,
    height: i64,
}

impl<'f> Placed<'f> {
    fn of(figure: &'f Figure) -> Placed<'f> {
        let cards: Vec<Card<'_>> = figure.nodes.iter().map(Card::of).collect();
        let children: Vec<&[usize]> = figure.nodes.iter().map(|node| &*node.children).collect();
        let widths: Vec<i64> = cards.iter().map(|card| card.width).collect();
        let middles = tidy::middles(&children, &widths, GAP);
        let right = middles
            .iter()
            .zip(&widths)
            .map(|(middle, width)| middle + width / 2);
        let (levels, height) = levels(figure, &cards);
        Placed {
            figure,
            width: right.max().unwrap_or(0),
            cards,
            middles,
            levels,
            height,
        }
    }

    fn heading(&self) -> String {
        measure::fit(&self.figure.name, 17, 800)
    }

    fn draw(&self, at: usize, y: i64, into: &mut String) {
        *into += &format!("<g id=\"tree-{at}\" transform=\"translate({MARGIN} {y})\">\n");
        *into += &format!(
            "<text class=\"name\" x=\"0\" y=\"14\">{}</text>\n",
            self.heading().escaped()
        );
        for node in 0..self.cards.len() {
            self.edges(node, into);
        }
        for (node, card) in self.cards.iter().enumerate() {
            let x = self.middles[node] - card.width / 2;
            let y = HEADING + self.levels[self.figure.nodes[node].depth];
            match self.figure.nodes[node].calls {
                None => card.draw(x, y, into),
                Some(called) => {
                    *into += &format!("<a href=\"#tree-{called}\">");
                    card.draw(x, y, into);
                    *into += "</a>\n";
                }
            }
        }
        *into += "</g>\n";
    }

    /// One path to all that is below a node.
    fn edges(&self, node: usize, into: &mut String) {
        let shown = &self.figure.nodes[node];
        let (Some(first), Some(last)) = (shown.children.first(), shown.children.last()) else {
            return;
        };
        let x = self.middles[node];
        let from = HEADING + self.levels[shown.depth] + self.cards[node].height - 1;
        let to = HEADING + self.levels[shown.depth + 1] + 1;
        let bar = to - FALL / 2;
        let mut path = format!("M{x},{from}V{bar}");
        if first != last {
            path += &format!("M{},{bar}H{}", self.middles[*first], self.middles[*last]);
        }
        for child in &shown.children {
            path += &format!("M{},{bar}V{to}", self.middles[*child]);
        }
        *into += &format!("<path class=\"edge\" d=\"{path}\"/>\n");
    }
}

/// Where each level begins, and where the last one ends. A level is as high as its highest box.
fn levels(figure: &Figure, cards: &[Card<'_>]) -> (Vec<i64>, i64) {
    let mut heights: Vec<i64> = Vec::new();
    for (node, card) in figure.nodes.iter().zip(cards) {
        if heights.len() <= node.depth {
            heights.resize(node.depth + 1, 0);
        }
        heights[node.depth] = heights[node.depth].max(card.height);
    }
    let mut tops = Vec::new();
    let mut y = 0;
    for height in heights {
        tops.push(y);
        y += height + FALL;
    }
    (tops, (y - FALL).max(0))
}

/// Texts in XML.
trait Escaped {
    fn escaped(&self) -> String;
}

impl Escaped for str {
    fn escaped(&self) -> String {
        let mut escaped = String::with_capacity(self.len());
        for c in self.chars() {
            match c {
                '&' => escaped += "&amp;",
                '<' => escaped += "&lt;",
                '>' => escaped += "&gt;",
                '"' => escaped += "&quot;",
                '\'' => escaped += "&#39;",
                c => escaped.push(c),
            }
        }
        escaped
    }
}
