//! The first line of a doc comment is a sentence about its item, as readers of a reference look for.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

/// Words that begin a question, or half of one.
const QUESTIONS: [&str; 7] = ["What", "Whether", "Who", "Whose", "How", "Which", "Why"];

#[test]
fn doc_comments_begin_with_sentences_about_their_items() {
    let mut found = Vec::new();
    for path in sources(root()) {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        found.extend(questions(&text).map(|(line, text)| format!("{name}:{line}: {text}")));
    }
    assert!(
        found.is_empty(),
        "{} doc comments begin with a question word: write a sentence about the item, \
         such as \"Returns true if …\" or \"The number of …\"\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn question_is_found_in_the_first_line_only() {
    let text = "//! How it is.\n\n/// A list.\n/// What it has.\nstruct A;\n\n    /// Whose it is.\n\n/// However.";
    let found: Vec<_> = questions(text).collect();
    assert_eq!(found, [(1, "//! How it is."), (7, "/// Whose it is.")]);
}

/// The first lines of doc comments that begin with a question word, with their numbers from 1.
fn questions(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut before = "";
    let lines = text.lines().map(str::trim).enumerate();
    lines.filter_map(move |(at, line)| {
        let comment = |line: &'_ str| ["//! ", "/// "].iter().any(|it| line.starts_with(it));
        let is_first = comment(line) && !before.starts_with(&line[..3]);
        before = line;
        let word = line
            .get(4..)?
            .split(|char: char| !char.is_alphabetic())
            .next()?;
        (is_first && QUESTIONS.contains(&word)).then_some((at + 1, line))
    })
}

/// The Rust files of a folder that cargo did not write.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if path.is_dir() {
            if !matches!(name, "target" | "node_modules" | "fixtures") && !name.starts_with('.') {
                all.extend(sources(&path));
            }
        } else if name.ends_with(".rs") {
            all.push(path);
        }
    }
    all.sort_unstable();
    all
}
