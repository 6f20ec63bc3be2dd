//! The names that a crate can have.

use crate::error::{Error, quoted};

/// Rust's words, those that it keeps for later among them.
pub(crate) const KEYWORDS: [&str; 53] = [
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Crates that every program has, or that the starter depends on.
const CRATES: [&str; 9] = [
    "alloc",
    "bt_core",
    "core",
    "proc_macro",
    "schemars",
    "serde",
    "std",
    "test",
    "bt_macros",
];

/// Folders in which cargo keeps what it builds, beside the program that would be called so.
const FOLDERS: [&str; 4] = ["build", "deps", "examples", "incremental"];

/// Refuses a name that cargo or Rust does not take.
///
/// # Errors
/// A failure that says what is in its way: a character, a first character, or who has it.
pub(super) fn check(name: &str) -> Result<(), Error> {
    match problem(name) {
        None => Ok(()),
        Some(problem) => Err(Error::failure(format!(
            "`{}` is no name for a crate: {problem}",
            name.escape_debug()
        ))),
    }
}

fn problem(name: &str) -> Option<String> {
    const TAKEN: &str = "expected letters `a` to `z`, digits, `-` and `_`";
    let is_taken = |c: &char| c.is_ascii_alphanumeric() || "-_".contains(*c);
    let mut others: Vec<char> = name.chars().filter(|c| !is_taken(c)).collect();
    others.sort_unstable();
    others.dedup();
    let Some(first) = name.chars().next() else {
        return Some(format!("it is empty; {TAKEN}"));
    };
    if !others.is_empty() {
        let found = quoted(others.iter().map(|c| c.escape_debug()));
        return Some(match spelled(name) {
            Some(spelled) => format!("{TAKEN}, found {found}; write `{spelled}`"),
            None => format!("{TAKEN}, found {found}"),
        });
    }
    if !(first.is_ascii_alphabetic() || first == '_') {
        return Some(format!("expected a letter first, found `{first}`"));
    }
    let in_code = name.replace('-', "_");
    if KEYWORDS.contains(&in_code.as_str()) {
        return Some("it is a word of the language; write another, such as `my-game`".to_owned());
    }
    if CRATES.contains(&in_code.as_str()) {
        return Some("a crate that it depends on has this name; write another".to_owned());
    }
    if FOLDERS.contains(&name) {
        return Some(
            "cargo keeps what it builds in a folder of that name; write another".to_owned(),
        );
    }
    None
}

/// The name with what is no part of one left out, if something is left that is a name.
fn spelled(name: &str) -> Option<String> {
    let kept = |c: char| match c.is_ascii_alphanumeric() || c == '_' {
        true => c.to_ascii_lowercase(),
        false => '-',
    };
    let spelled: String = name.chars().map(kept).collect();
    let parts: Vec<&str> = spelled.split('-').filter(|part| !part.is_empty()).collect();
    let spelled = parts.join("-");
    problem(&spelled).is_none().then_some(spelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_cargo_takes_are_taken() {
        for name in [
            "my-game",
            "a",
            "_game",
            "game_2",
            "Game",
            "self-made",
            "gen2",
        ] {
            assert_eq!(problem(name), None, "{name}");
        }
    }

    #[test]
    fn other_names_are_refused_with_what_is_in_their_way() {
        let refused = |name: &str, why: &str| {
            let error = check(name).unwrap_err().to_string();
            assert!(error.contains(why), "{name}: {error}");
        };
        refused("", "it is empty");
        refused("my game!", "found ` ` and `!`; write `my-game`");
        refused("../My Game", "write `my-game`");
        refused("gänse", "found `ä`; write `g-nse`");
        refused("樹", "found `樹`");
        refused("a\u{1b}[31m", "found `\\u{1b}` and `[`");
        refused("7up", "a letter first, found `7`");
        refused("-x", "a letter first, found `-`");
        for name in ["match", "yield", "Self", "_", "-_"] {
            assert!(check(name).is_err(), "{name}");
        }
        refused("try", "a word of the language");
        refused("bt-core", "a crate that it depends on");
        refused("deps", "cargo keeps");
    }

    #[test]
    fn the_lists_have_nothing_twice() {
        let all = KEYWORDS.iter().chain(&CRATES).chain(&FOLDERS);
        let mut all: Vec<_> = all.collect();
        let before = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), before);
    }
}
