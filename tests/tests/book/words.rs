//! One term for one thing: home-made words do not appear in what users read.
//!
//! What users read is README, CHANGELOG, ARCHITECTURE and CONTRIBUTING, the book (with the help of the commands), the
//! pages about codes, and the texts of errors and explanations. The terms are those of the glossary.

use std::fs;
use std::path::Path;

use super::{pages, read, root};

/// A home-made word, and what to write instead.
const WORDS: &[(&str, &str)] = &[
    ("told", "reported, known"),
    ("tell", "report, show"),
    ("tells", "reports, shows"),
    ("comes to", "results in, ends as"),
    ("come to", "result in, end as"),
    ("came to", "resulted in, ended as"),
    ("goes on", "continues, resumes"),
    ("go on", "continue, resume"),
    ("going on", "continuing, running"),
    ("gone on", "continued"),
    ("has its turn", "runs in the turn"),
    ("is left", "exits, is exited, remains"),
    ("was left", "exited, was exited, remained"),
    ("left behind", "aborted"),
    ("taken down", "aborted"),
    ("wish", "request"),
    ("wishes", "requests"),
    ("strange", "unknown"),
    ("mend", "fix, correct"),
    ("mended", "fixed, corrected"),
    ("asks", "evaluates, calls, needs"),
    ("asked", "evaluated, called, requested"),
    ("looked at", "checked, read"),
    ("looks at", "reads, checks"),
    ("lent", "borrowed"),
    ("lends", "borrows"),
    ("for ever", "without limit, without end"),
    ("is no JSON", "is not JSON"),
    ("is no UTF-8", "is not UTF-8"),
    ("brings it about", "takes over"),
];

/// The exceptions: a part of the line, and the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("asked: Asked", "the parameter of a composite"),
    ("`asked`", "the same"),
    ("`Context::asked`", "the method that has it"),
    ("match asked {", "the same"),
    ("too tired to go on", "a guard in a story, who walks"),
    ("is left in it", "stamina in a story"),
    ("hits, and ", "the output of an example, a story"),
    ("is left\", battle", "the same in its source"),
    ("goes on `impl` blocks", "where an attribute is written"),
    ("goes on the", "where an attribute is written"),
    ("goes on a", "where an attribute is written"),
    (
        "a value was asked for before its key",
        "a misuse of serde's own traits",
    ),
];

/// The words in a text, by line.
fn home_made(place: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if EXCEPTIONS.iter().any(|(part, _)| line.contains(part)) {
            continue;
        }
        for (word, instead) in WORDS {
            if has_word(line, word) {
                let line = line.trim();
                found.push(format!(
                    "{place}:{}: `{word}`, write: {instead}\n    {line}",
                    at + 1
                ));
            }
        }
    }
    found
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// The texts in string literals of a source, each with its line: what users may meet, without comments,
/// code and unit tests.
fn literals(source: &str) -> Vec<(usize, String)> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let mut found = Vec::new();
    let mut chars = source.chars().peekable();
    let mut line = 1;
    while let Some(c) = chars.next() {
        match c {
            '\n' => line += 1,
            '/' if chars.peek() == Some(&'/') => while chars.next_if(|c| *c != '\n').is_some() {},
            // A character, which may be a quote, and no lifetime.
            '\'' if chars.peek() == Some(&'"') => drop(chars.next()),
            '"' => {
                let begin = line;
                let mut text = String::new();
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '\\' => match chars.next() {
                            Some('\n') => {
                                line += 1;
                                while chars.next_if(|c| *c == ' ').is_some() {}
                            }
                            Some(other) => text.extend(['\\', other]),
                            None => break,
                        },
                        '\n' => {
                            line += 1;
                            text.push(' ');
                        }
                        c => text.push(c),
                    }
                }
                found.push((begin, text));
            }
            _ => {}
        }
    }
    found
}

fn sources(folder: &Path, all: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort_unstable();
    for path in entries {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "tests" {
            sources(&path, all);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            let path = path.strip_prefix(root()).unwrap();
            all.push(path.to_str().unwrap().to_owned());
        }
    }
}

#[test]
fn pages_have_no_home_made_words() {
    let mut pages = pages();
    for entry in fs::read_dir(root().join("bt-meta/docs/codes")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        pages.push(format!("bt-meta/docs/codes/{name}"));
    }
    pages.push("CHANGELOG.md".to_owned());
    // Its sentences are doc comments, which exported files have too.
    pages.retain(|page| !page.ends_with("built-in-actions.md"));
    pages.sort_unstable();
    let found: Vec<_> = pages
        .iter()
        .flat_map(|page| home_made(page, &read(page)))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn messages_have_no_home_made_words() {
    let mut all = Vec::new();
    for folder in ["bt-core/src", "bt-macros/src", "bt-meta/src"] {
        sources(&root().join(folder), &mut all);
    }
    let mut found = Vec::new();
    for file in all {
        // A text has several words; the others are names.
        for (line, text) in literals(&read(&file)) {
            if !text.contains(' ') {
                continue;
            }
            found.extend(home_made(&format!("{file}:{line}"), &text));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn words_are_found_as_whole_words() {
    assert_eq!(
        home_made("p", "It goes on.\nA bare told-off.\nsold untold").len(),
        2
    );
    assert_eq!(home_made("p", "Is it too tired to go on?").len(), 0);
    let source =
        "// \"told\"\nlet text = \"it was \\\n    told\"; let quote = '\"'; let more = \"x\";";
    let texts = [(2, "it was told".to_owned()), (3, "x".to_owned())];
    assert_eq!(literals(source), texts);
}
