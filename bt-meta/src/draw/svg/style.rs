//! The style sheet: every group's colour, on light pages and on dark ones.
//!
//! All of it is about what is below the class `bt`: a page may have the picture among others.

use crate::draw::figure::Node;
use crate::draw::symbols::Group;

/// Fonts that are no wider than was measured.
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans', 'DejaVu Sans', sans-serif";

/// The look of a node that is not built.
const OFF: &str = "<style>
.bt .off { opacity: 0.5; } .bt .off .title { text-decoration: line-through; }
</style>
";

pub(super) fn sheet<'n>(nodes: impl IntoIterator<Item = &'n Node>) -> String {
    let mut nodes = nodes.into_iter();
    let off = nodes.any(|node| node.is_disabled).then_some(OFF);
    let mut sheet = format!(
        "<style>
.bt text {{ font-family: {FONTS}; white-space: pre; }}
.bt .name {{ font-size: 17px; font-weight: bold; fill: #6f7b8b; }}
.bt .edge {{ fill: none; stroke: #9aa5b4; stroke-width: 1.5; }}
.bt .face {{ fill: #ffffff; }}
.bt .symbol {{ font-size: 15px; font-weight: bold; fill: #ffffff; text-anchor: middle; }}
.bt .pair {{ font-size: 12px; }}
.bt .number {{ font-size: 10px; fill: #7b8794; text-anchor: end; }}
.bt .title {{ font-size: 13px; font-weight: bold; fill: #1d2733; }}
.bt .detail, .bt .attached {{ font-size: 11px; fill: #414d5c; }}
.bt .comment {{ font-size: 11px; font-style: italic; fill: #66717f; }}
"
    );
    for group in Group::ALL {
        let (name, color) = (group.name(), group.color());
        sheet += &format!(
            ".bt .{name} .strip {{ fill: #{color}; }} .bt .{name} .lead {{ fill: #{color}; font-weight: bold; }}\n"
        );
    }
    sheet += "@media (prefers-color-scheme: dark) {
.bt .name { fill: #aab4c2; }
.bt .edge { stroke: #6b7685; }
.bt .face { fill: #1c222b; }
.bt .number { fill: #8f9bab; }
.bt .title { fill: #f0f3f7; }
.bt .detail, .bt .attached { fill: #c6cfda; }
.bt .comment { fill: #9aa6b5; }
";
    for group in Group::ALL {
        sheet += &format!(
            ".bt .{} .lead {{ fill: #{}; }}\n",
            group.name(),
            group.light()
        );
    }
    sheet + "}\n</style>\n" + off.unwrap_or_default()
}
