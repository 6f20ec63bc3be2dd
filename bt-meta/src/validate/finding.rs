//! Something that is wrong with a tree, with all that a report of it shows.

use std::cell::Cell;

use bt_core::tree::{Code, Level};
use bt_core::{Problem, tree::asset::Fix};
use serde_json::{Map, Value, json};

/// A line so long is not shown.
const LONGEST: usize = 2_000;

/// Something that is wrong, or probably not meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The code of the mistake.
    pub code: Code,
    /// The level here: that of the code, or the one that was set.
    pub level: Level,
    /// The path of the file, with `/` between its parts.
    pub file: String,
    /// The `idx` of the node, if it is about one.
    pub node: Option<u32>,
    /// The JSON pointer of the value; empty for the whole file.
    pub pointer: String,
    /// The place in the file, if it is about a part of it.
    pub place: Option<Place>,
    /// The text of what was expected and what was found.
    pub message: String,
    /// The advice.
    pub help: Option<String>,
    /// The certain remedy, if there is one.
    pub fix: Option<Fix>,
}

/// A stretch of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// Its first character, from 1.
    pub column: usize,
    /// The character after its last one.
    pub end_column: usize,
    /// The line's text; none of a very long one.
    pub text: Option<String>,
}

impl Finding {
    /// Of a problem whose position is known if it has one; `lines` are those of its file.
    pub fn of(problem: &Problem, level: Level, file: &str, lines: &Lines<'_>) -> Finding {
        Finding {
            code: problem.code(),
            level,
            file: file.to_owned(),
            node: problem.node(),
            pointer: problem.pointer().to_owned(),
            place: problem.position().map(|at| lines.place(at.line, at.column)),
            message: problem.message().to_owned(),
            help: problem.help().map(str::to_owned),
            fix: problem.fix().cloned(),
        }
    }

    /// As JSON: `{code, name, level, file, line, column, end_column, node, pointer, message, help, fix}`;
    /// what there is none of is left out.
    pub fn to_json(&self) -> Value {
        let mut json = Map::new();
        let mut put = |key: &str, value: Value| json.insert(key.to_owned(), value);
        put("code", self.code.to_string().into());
        put("name", self.code.name().into());
        put("level", word(self.level).into());
        put("file", self.file.as_str().into());
        put("message", self.message.as_str().into());
        put("pointer", self.pointer.as_str().into());
        if let Some(place) = &self.place {
            put("line", place.line.into());
            put("column", place.column.into());
            put("end_column", place.end_column.into());
        }
        if let Some(node) = self.node {
            put("node", node.into());
        }
        if let Some(help) = &self.help {
            put("help", help.as_str().into());
        }
        if let Some(Fix::Value(value)) = &self.fix {
            put("fix", json!({"value": value}));
        } else if let Some(Fix::Key(key)) = &self.fix {
            put("fix", json!({"key": key}));
        }
        json.into()
    }
}

/// The word for a level: `error` or `warning`.
pub fn word(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
    }
}

/// A text, line by line.
#[derive(Debug)]
pub struct Lines<'t> {
    lines: Vec<&'t str>,
    /// The last place that was asked for, and its byte in the line: findings come in their order, and a
    /// file of one line may be long.
    last: Cell<(usize, usize, usize)>,
}

impl<'t> Lines<'t> {
    /// Of a text.
    pub fn of(text: &'t str) -> Lines<'t> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Lines {
            lines: text.lines().collect(),
            last: Cell::new((0, 1, 0)),
        }
    }

    /// The value that begins there.
    fn place(&self, line: usize, column: usize) -> Place {
        let text = self.lines.get(line.saturating_sub(1)).copied();
        let text = text.unwrap_or_default();
        let from = self.byte(text, line, column);
        Place {
            line,
            column,
            end_column: column + token(&text[from..]).chars().count().max(1),
            text: (text.len() <= LONGEST).then(|| text.to_owned()),
        }
    }

    /// The byte at which a column of a line begins.
    fn byte(&self, text: &str, line: usize, column: usize) -> usize {
        let (_, last, from) = match self.last.get() {
            last if last.0 == line && last.1 <= column => last,
            _ => (line, 1, 0),
        };
        let mut letters = text[from..].char_indices();
        let found = letters.nth(column.saturating_sub(last));
        let byte = found.map_or(text.len(), |(at, _)| from + at);
        if found.is_some() {
            self.last.set((line, column, byte));
        }
        byte
    }
}

/// The JSON token that a text begins with: of what is inside of brackets, the bracket.
fn token(text: &str) -> &str {
    let mut letters = text.char_indices();
    let end = match letters.next() {
        Some((_, '"')) => {
            let mut escaped = false;
            let end = letters.find(|(_, letter)| {
                let ends = *letter == '"' && !escaped;
                escaped = *letter == '\\' && !escaped;
                ends
            });
            end.map_or(text.len(), |(at, _)| at + 1)
        }
        Some((_, '{' | '[' | '}' | ']' | ',' | ':')) => 1,
        _ => text
            .find([',', ':', '}', ']', '{', '[', ' ', '\t'])
            .unwrap_or(text.len()),
    };
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_ends_where_json_ends_it() {
        for (text, token_) in [
            (r#""a\"b", 1"#, r#""a\"b""#),
            (r#""open"#, r#""open"#),
            ("-1.5e3]", "-1.5e3"),
            ("{\"a\": 1}", "{"),
            ("true, 2", "true"),
            ("", ""),
        ] {
            assert_eq!(token(text), token_);
        }
    }

    #[test]
    fn places_in_one_long_line_are_found_in_passing() {
        let text = "[1,".repeat(2_000_000);
        let lines = Lines::of(&text);
        let begun = std::time::Instant::now();
        for at in (1..text.len()).step_by(300) {
            assert_eq!(lines.place(1, at).end_column, at + 1);
        }
        // Each from the beginning would be 60,000,000,000 characters.
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    #[test]
    fn columns_are_characters() {
        let lines = Lines::of("\u{feff}日本\n  \"é\": [1]");
        let place = lines.place(2, 3);
        assert_eq!((place.column, place.end_column), (3, 6));
        assert_eq!(lines.place(9, 9).text.as_deref(), Some(""));
        // Back, and on.
        for column in [1, 3, 3, 1, 2, 9] {
            let at = lines.place(2, column);
            assert_eq!(
                at.end_column,
                Lines::of("\u{feff}日本\n  \"é\": [1]")
                    .place(2, column)
                    .end_column
            );
        }
    }
}
