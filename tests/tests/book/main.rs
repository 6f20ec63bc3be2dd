//! README and book are true: what they show is compared with what runs. The sources keep what is said of them.

mod attributes;
mod auto_traits;
mod blocks;
mod built_in;
mod catch_alls;
mod circles;
mod comments;
mod links;
mod mistakes;
mod rooms;
mod schema_keywords;
mod trees;
mod words;

use std::fs;
use std::path::Path;

/// The repository's folder.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// A file of the repository.
fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// README and the pages of the book, by their paths.
fn pages() -> Vec<String> {
    let book = fs::read_dir(root().join("docs/src")).unwrap();
    let names = book.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages = names.filter(|name| name.ends_with(".md"));
    let mut pages: Vec<_> = pages.map(|name| format!("docs/src/{name}")).collect();
    pages.extend(
        [
            "README.md",
            "CONTRIBUTING.md",
            "ARCHITECTURE.md",
            "examples/README.md",
        ]
        .map(str::to_owned),
    );
    pages.sort_unstable();
    pages
}

/// Compares a file with what it should be; writes it if `BT_META=overwrite` is set.
fn compare(file: &str, expected: &str) {
    let path = root().join(file);
    if std::env::var_os("BT_META").is_some_and(|value| value == "overwrite") {
        fs::write(&path, expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "{file} is out of date: run the test with BT_META=overwrite"
    );
}
