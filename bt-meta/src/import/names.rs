//! Names of other engines as files, keys of expressions and Rust have them.

use std::collections::{BTreeMap, BTreeSet};

/// Names that are given once.
#[derive(Debug, Default)]
pub(super) struct Taken {
    taken: BTreeSet<String>,
    /// The number that a name had last.
    last: BTreeMap<String, u64>,
}

impl Taken {
    /// The name, or the name with the first number that makes it another.
    pub(super) fn take(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        while !self.taken.insert(free.clone()) {
            let last = self.last.entry(name.to_owned()).or_insert(1);
            *last += 1;
            free = format!("{name}_{last}");
        }
        free
    }
}

/// A name of which a file can be made, wherever it comes from.
pub(super) fn file(name: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || "_-".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = name.chars().take(100).map(plain).collect();
    if name.is_empty() {
        "_".to_owned()
    } else {
        name
    }
}

/// A key of the blackboard as expressions write it: `$hp`, `$'hp max'`.
pub(super) fn key(name: &str) -> String {
    let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match starts && name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => format!("${name}"),
        false => format!("${}", text(name)),
    }
}

/// A text as expressions write it.
pub(super) fn text(text: &str) -> String {
    let mut quoted = String::from("'");
    for c in text.chars() {
        match c {
            '\'' => quoted.push_str("\\'"),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c => quoted.push(c),
        }
    }
    quoted + "'"
}

/// A name as Rust's functions have it: `MoveBase` is `move_base`.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut before = '_';
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let small_next = rest.peek().is_some_and(|next| next.is_lowercase());
        let begins = c.is_uppercase()
            && (before.is_lowercase()
                || before.is_ascii_digit()
                || before.is_uppercase() && small_next);
        if begins && !snake.ends_with('_') {
            snake.push('_');
        }
        match c.is_ascii_alphanumeric() {
            true => snake.push(c.to_ascii_lowercase()),
            false if !snake.is_empty() && !snake.ends_with('_') => snake.push('_'),
            false => {}
        }
        before = c;
    }
    let snake = snake.trim_end_matches('_');
    match snake.chars().next() {
        None => "unnamed".to_owned(),
        Some(c) if c.is_ascii_digit() => format!("n{snake}"),
        Some(_) if is_word(snake) => format!("{snake}_"),
        Some(_) => snake.to_owned(),
    }
}

/// Returns true for words that Rust keeps for itself, and for what every method here has.
fn is_word(name: &str) -> bool {
    const WORDS: &str = " abstract as async await become box break const continue crate do dyn else enum extern \
        false final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self \
        static struct super trait true try type typeof union unsafe unsized use virtual where while yield cx ";
    name == "asked" || WORDS.contains(&format!(" {name} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_once_and_made_fit_for_files_keys_and_rust() {
        let mut taken = Taken::default();
        assert_eq!(
            [taken.take("a"), taken.take("a"), taken.take("a")],
            ["a", "a_2", "a_3"]
        );
        assert_eq!(file("../../etc/passwd"), "______etc_passwd");
        assert_eq!(file(""), "_");
        assert_eq!(
            [key("hp"), key("Sub.hp"), key("it's")],
            ["$hp", "$'Sub.hp'", "$'it\\'s'"]
        );
        let snakes = ["MoveBase", "HTTPGet2Things", "move", "3D", "ü", "is-OK"].map(snake);
        assert_eq!(
            snakes,
            [
                "move_base",
                "http_get2_things",
                "move_",
                "n3_d",
                "unnamed",
                "is_ok"
            ]
        );
    }
}
