//! The pages about what can be wrong with trees: one for each code, and the table of all.

use bt_core::tree::Code;
use include_dir::{Dir, include_dir};

use crate::validate::finding::word;

/// `docs/codes`, as it was when this was built.
static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/docs/codes");

/// The marks at which the table in `docs/codes/README.md` begins and ends.
pub const MARKS: [&str; 2] = ["<!-- codes -->\n", "<!-- /codes -->\n"];

/// The page of a code, in Markdown.
///
/// ```
/// use bt_core::tree::Code;
///
/// let page = bt_meta::pages::page(Code::UnknownAction).unwrap();
/// assert!(page.starts_with("# BT0034 unknown-action\n"));
/// ```
pub fn page(code: Code) -> Option<&'static str> {
    PAGES.get_file(format!("{code}.md"))?.contents_utf8()
}

/// The table of all codes, in Markdown, as the pages' README has it.
pub fn table() -> String {
    let mut table = String::from("| Code | Name | Level | What it is about |\n|---|---|---|---|\n");
    for code in Code::ALL {
        let (name, level, brief) = (code.name(), word(code.level()), code.brief());
        table += &format!("| [{code}]({code}.md) | `{name}` | {level} | {brief} |\n");
    }
    table
}

/// All codes, for the terminal.
pub fn list() -> String {
    let names = Code::ALL.iter().map(|code| code.name().len());
    let width = names.max().unwrap_or_default();
    let mut list = String::new();
    for code in Code::ALL {
        let (name, level, brief) = (code.name(), word(code.level()), code.brief());
        list += &format!("{code}  {name:width$}  {level:7}  {brief}\n");
    }
    list
}
