//! The marks of changed nodes, around their boxes.

use super::card::Card;
use crate::draw::options::Mark;

/// The distance between the frame and the box.
const AROUND: i64 = 3;
/// Of the circle with the sign.
const RADIUS: i64 = 9;

impl Mark {
    /// Its name in the style sheet, and a sign, so that colour alone says nothing.
    pub(in crate::draw) fn looks(self) -> (&'static str, &'static str) {
        match self {
            Mark::Added => ("added", "+"),
            Mark::Removed => ("removed", "−"),
            Mark::Moved => ("moved", "↕"),
            Mark::Changed => ("changed", "~"),
            Mark::Covered => ("covered", "✓"),
            Mark::PartlyCovered => ("partly", "½"),
            Mark::NotCovered => ("uncovered", "✗"),
        }
    }
}

/// A frame and a sign around a box whose upper left corner is there.
pub(super) fn draw(mark: Mark, card: &Card<'_>, x: i64, y: i64, into: &mut String) {
    let (class, sign) = mark.looks();
    let (left, top) = (x - AROUND, y - AROUND);
    let (width, height) = (card.width + 2 * AROUND, card.height + 2 * AROUND);
    *into += &format!(
        "<g class=\"mark {class}\"><rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"10\"/>\
         <circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\"/><text x=\"{x}\" y=\"{}\">{sign}</text></g>\n",
        y + 5
    );
}

/// The rules for frames and signs, which pictures without them do not need.
pub(super) const SHEET: &str = "<style>
.bt .mark rect { fill: none; stroke-width: 3; }
.bt .mark text { font-size: 14px; font-weight: bold; fill: #ffffff; text-anchor: middle; }
.bt .added rect { stroke: #1f7a43; } .bt .added circle { fill: #1f7a43; }
.bt .covered rect { stroke: #1f7a43; } .bt .covered circle { fill: #1f7a43; }
.bt .partly rect { stroke: #b7791f; } .bt .partly circle { fill: #b7791f; }
.bt .uncovered rect { stroke: #c0261c; } .bt .uncovered circle { fill: #c0261c; }
.bt .removed rect { stroke: #c0261c; } .bt .removed circle { fill: #c0261c; }
.bt .moved rect { stroke: #1659c7; } .bt .moved circle { fill: #1659c7; }
.bt .changed rect { stroke: #8f5a00; } .bt .changed circle { fill: #8f5a00; }
</style>
";
