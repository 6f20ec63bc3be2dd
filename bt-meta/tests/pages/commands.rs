//! The pages of the book show the output of the commands.
//!
//! `TRYCMD=overwrite cargo test -p bt-meta --test pages` writes it anew.

use std::fs;
use std::path::Path;

/// Each page's console blocks, run one after the other in a copy of the folder beside it.
#[test]
fn pages_show_what_commands_print() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .case("../docs/src/*.md");
}

/// The page goes on with the crate that it begins with.
#[test]
fn the_page_is_about_the_tree_that_new_makes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    assert_eq!(
        read("../docs/src/command-line.in/trees/rounds.json"),
        read("template/trees/rounds.json")
    );
}
