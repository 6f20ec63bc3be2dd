//! `bt-meta explain`: what a code means.

use clap::Args;

use super::print::print;
use crate::error::Error;
use crate::pages;
use crate::validate::levels::code;

#[derive(Debug, Args)]
pub(super) struct Asked {
    /// Codes, each by number or name: `BT0034`, `unknown-action`
    #[arg(value_name = "CODE", required_unless_present = "list")]
    codes: Vec<String>,
    /// All codes: number, name, level, and what it is about
    #[arg(long, conflicts_with = "codes")]
    list: bool,
}

/// Prints the pages, or the list.
pub(super) fn run(asked: &Asked) -> Result<(), Error> {
    if asked.list {
        return print(&pages::list());
    }
    let mut text = String::new();
    for name in &asked.codes {
        let code = code(name)?;
        let page = pages::page(code);
        let page = page.ok_or_else(|| Error::failure(format!("{code} has no page")))?;
        if !text.is_empty() {
            text.push('\n');
        }
        text += page;
    }
    print(&text)
}
