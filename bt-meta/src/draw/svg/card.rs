//! One node as a box with lines of text.

use super::escaped::Escaped as _;
use super::measure::{fit, width, wrap};
use crate::draw::figure::Node;

/// The greatest width of a line, in pixels.
const WIDEST: i64 = 300;
/// The greatest width of a comment where no other line is wider.
const COMMENT: i64 = 190;
/// The coloured strip with the symbol.
const STRIP: i64 = 28;
/// Between the lines and the border.
const PADDING: i64 = 8;
const NARROWEST: i64 = 96;

/// A line of text: its looks, by the name that the style sheet has for it, and its words.
#[derive(Debug)]
struct Line {
    style: Style,
    /// Words that stand out before the others.
    lead: String,
    words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Title,
    Detail,
    Attached,
    Comment,
}

impl Style {
    fn class(self) -> &'static str {
        match self {
            Style::Title => "title",
            Style::Detail => "detail",
            Style::Attached => "attached",
            Style::Comment => "comment",
        }
    }

    /// Of the font, in pixels.
    fn size(self) -> i64 {
        if self == Style::Title { 13 } else { 11 }
    }

    /// From one line to the next.
    fn height(self) -> i64 {
        if self == Style::Title { 20 } else { 16 }
    }
}

/// A node that has been measured.
#[derive(Debug)]
pub(super) struct Card<'n> {
    node: &'n Node,
    number: String,
    lines: Vec<Line>,
    /// In pixels, an even number, as the height is.
    pub(super) width: i64,
    pub(super) height: i64,
}

impl<'n> Card<'n> {
    pub(super) fn of(node: &'n Node) -> Card<'n> {
        let mut lines = vec![Line::new(Style::Title, "", &node.title)];
        let details = [&node.arguments, &node.parameters];
        for words in details.into_iter().filter(|words| !words.is_empty()) {
            lines.push(Line::new(Style::Detail, "", words));
        }
        for attached in &node.attached {
            lines.push(Line::new(Style::Attached, &attached.when, &attached.what));
        }
        let widest = lines.iter().map(Line::width).max().unwrap_or(0);
        let comment = widest.max(COMMENT);
        let comment = wrap(&node.comment, Style::Comment.size(), comment);
        lines.extend(
            comment
                .iter()
                .map(|words| Line::new(Style::Comment, "", words)),
        );
        let number = format!("#{}", node.idx);
        let beside_title = width(&number, 10) + 12;
        let widths = lines.iter().map(|line| match line.style {
            Style::Title => line.width() + beside_title,
            Style::Detail | Style::Attached | Style::Comment => line.width(),
        });
        let text = widths
            .max()
            .unwrap_or(0)
            .max(NARROWEST - STRIP - 2 * PADDING);
        let height: i64 = lines.iter().map(|line| line.style.height()).sum();
        Card {
            node,
            number,
            // The next even number, so that the middle is a whole one.
            width: (STRIP + 2 * PADDING + text + 1) / 2 * 2,
            height: height + 2 * PADDING,
            lines,
        }
    }

    /// The box, with its upper left corner there. It is a picture of its own, so that not even a font
    /// with letters that nobody has measured gets out of it.
    pub(super) fn draw(&self, x: i64, y: i64, into: &mut String) {
        let (width, height) = (self.width, self.height);
        let group = self.node.group.name();
        let off = if self.node.is_disabled { " off" } else { "" };
        *into += &format!(
            "<svg class=\"{group}{off}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">"
        );
        *into += &format!("<title>{}</title>", self.tooltip().escaped());
        let (w, h) = (width - 2, height - 2);
        *into += &format!(
            "<rect class=\"strip\" x=\"1\" y=\"1\" width=\"{w}\" height=\"{h}\" rx=\"7\"/>"
        );
        let (right, bottom) = (width - 2 - 6, height - 4);
        *into += &format!(
            "<path class=\"face\" d=\"M{STRIP},2H{right}a6,6 0 0 1 6,6V{}a6,6 0 0 1 -6,6H{STRIP}z\"/>",
            bottom - 4,
        );
        let mut baseline = PADDING + 14;
        let (middle, symbol) = (STRIP / 2, self.node.symbol.escaped());
        let pair = if symbol.chars().count() > 1 {
            " pair"
        } else {
            ""
        };
        *into += &format!(
            "<text class=\"symbol{pair}\" x=\"{middle}\" y=\"{baseline}\">{symbol}</text>"
        );
        let right = width - PADDING;
        *into += &format!(
            "<text class=\"number\" x=\"{right}\" y=\"{baseline}\">{}</text>",
            self.number
        );
        for line in &self.lines {
            line.draw(baseline, into);
            baseline += line.style.height();
        }
        *into += "</svg>\n";
    }

    /// All of it, uncut.
    fn tooltip(&self) -> String {
        let node = self.node;
        let mut lines = vec![format!("{} {}", self.number, node.heading())];
        lines.extend(node.is_disabled.then(|| "disabled".to_owned()));
        lines.extend(node.attached.iter().map(|attached| attached.line()));
        lines.extend((!node.comment.is_empty()).then(|| node.comment.clone()));
        lines.join("\n")
    }
}

impl Line {
    fn new(style: Style, lead: &str, words: &str) -> Line {
        let size = style.size();
        let lead = match lead {
            "" => String::new(),
            lead => fit(lead, size, WIDEST / 2) + " ",
        };
        let words = fit(words, size, WIDEST - width(&lead, size));
        Line { style, lead, words }
    }

    fn width(&self) -> i64 {
        let size = self.style.size();
        width(&self.lead, size) + width(&self.words, size)
    }

    fn draw(&self, baseline: i64, into: &mut String) {
        let (x, class) = (STRIP + PADDING, self.style.class());
        *into += &format!("<text class=\"{class}\" x=\"{x}\" y=\"{baseline}\">");
        if !self.lead.is_empty() {
            *into += &format!("<tspan class=\"lead\">{}</tspan>", self.lead.escaped());
        }
        *into += &self.words.escaped();
        *into += "</text>";
    }
}

#[cfg(test)]
mod tests {
    use bt_core::TreeAsset;
    use bt_core::tree::asset::spec::{action, guard};

    use super::*;
    use crate::draw::figure::Figure;

    /// The box of an action of this name, with the name everywhere else, too.
    fn lines(name: &str) -> (i64, Vec<i64>) {
        let node = action(name).arg(name).guard(guard(name).key(name));
        let tree = TreeAsset::build("t", "a", node.comment(name));
        let figure = Figure::of(&tree, &[]);
        let card = Card::of(&figure.nodes[1]);
        let lines = card.lines.iter().map(Line::width).collect();
        (card.width, lines)
    }

    #[test]
    fn a_title_has_room_for_the_number_beside_it() {
        let tree = TreeAsset::build("t", "a", action("walk_to_the_market_place"));
        let figure = Figure::of(&tree, &[]);
        let card = Card::of(&figure.nodes[1]);
        let room = card.width - STRIP - 2 * PADDING;
        assert!(card.lines[0].width() + width(&card.number, 10) < room);
    }

    #[test]
    fn every_line_is_within_its_box_and_no_box_is_wider_than_it_may_be() {
        for name in ["i", "walk_to", &"W".repeat(300), &"樹 🐺".repeat(60)] {
            let (width, lines) = lines(name);
            let room = width - STRIP - 2 * PADDING;
            assert!(lines.iter().all(|line| *line <= room), "{name}: {lines:?}");
            assert!(
                lines.len() >= 4 && lines[0] < room,
                "no room for the number"
            );
            assert!(room <= WIDEST + 40, "{room}");
        }
    }
}
