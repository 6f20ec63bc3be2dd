//! Something that is wrong with a tree, with all that a report of it shows.

use bt_core::tree::{Code, Level};
use bt_core::{Problem, tree::asset::Fix};
use serde_json::{Map, Value, json};

/// A line so long is not shown.
const LONGEST: usize = 2_000;

/// Something that is wrong, or probably not meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which mistake it is.
    pub code: Code,
    /// How much it matters here: what the code says, or what was asked for.
    pub level: Level,
    /// The path of the file, with `/` between its parts.
    pub file: String,
    /// The `idx` of the node, if it is about one.
    pub node: Option<u32>,
    /// The JSON pointer of the value; empty for the whole file.
    pub pointer: String,
    /// Where in the file, if it is about a part of it.
    pub place: Option<Place>,
    /// What was expected and what was found.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// What to write instead, if that is certain.
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
        match &self.fix {
            Some(Fix::Value(value)) => put("fix", json!({"value": value})),
            Some(Fix::Key(key)) => put("fix", json!({"key": key})),
            _ => None,
        };
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
pub struct Lines<'t>(Vec<&'t str>);

impl<'t> Lines<'t> {
    /// Of a text.
    pub fn of(text: &'t str) -> Lines<'t> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Lines(text.lines().collect())
    }

    /// The value that begins there.
    fn place(&self, line: usize, column: usize) -> Place {
        let text = self.0.get(line.saturating_sub(1)).copied().unwrap_or("");
        let from = text.char_indices().nth(column.saturating_sub(1));
        let rest = from.map_or("", |(from, _)| &text[from..]);
        Place {
            line,
            column,
            end_column: column + token(rest).chars().count().max(1),
            text: (text.len() <= LONGEST).then(|| text.to_owned()),
        }
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
    fn columns_are_characters() {
        let lines = Lines::of("\u{feff}日本\n  \"é\": [1]");
        let place = lines.place(2, 3);
        assert_eq!((place.column, place.end_column), (3, 6));
        assert_eq!(lines.place(9, 9).text.as_deref(), Some(""));
    }
}
