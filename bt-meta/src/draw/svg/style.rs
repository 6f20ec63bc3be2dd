//! The style sheet: every group's colour, on light pages and on dark ones.

use crate::draw::symbols::Group;

/// Fonts that are no wider than was measured.
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans', 'DejaVu Sans', sans-serif";

pub(super) fn sheet() -> String {
    let mut sheet = format!(
        "<style>
text {{ font-family: {FONTS}; white-space: pre; }}
.name {{ font-size: 17px; font-weight: bold; fill: #6f7b8b; }}
.edge {{ fill: none; stroke: #9aa5b4; stroke-width: 1.5; }}
.face {{ fill: #ffffff; }}
.symbol {{ font-size: 15px; font-weight: bold; fill: #ffffff; text-anchor: middle; }}
.pair {{ font-size: 12px; }}
.number {{ font-size: 10px; fill: #7b8794; text-anchor: end; }}
.title {{ font-size: 13px; font-weight: bold; fill: #1d2733; }}
.detail, .attached {{ font-size: 11px; fill: #414d5c; }}
.comment {{ font-size: 11px; font-style: italic; fill: #66717f; }}
"
    );
    for group in Group::ALL {
        let (name, color) = (group.name(), group.color());
        sheet += &format!(
            ".{name} .strip {{ fill: #{color}; }} .{name} .lead {{ fill: #{color}; font-weight: bold; }}\n"
        );
    }
    sheet += "@media (prefers-color-scheme: dark) {
.name { fill: #aab4c2; }
.edge { stroke: #6b7685; }
.face { fill: #1c222b; }
.number { fill: #8f9bab; }
.title { fill: #f0f3f7; }
.detail, .attached { fill: #c6cfda; }
.comment { fill: #9aa6b5; }
";
    for group in Group::ALL {
        sheet += &format!(".{} .lead {{ fill: #{}; }}\n", group.name(), group.light());
    }
    sheet + "}\n</style>\n"
}
