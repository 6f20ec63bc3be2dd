//! The parameter of a line: a Python literal, read and never run.
//!
//! `True`, `False`, `None`, whole and other numbers, text in either quotes, lists, tuples, and dicts
//! whose keys are text. A tuple inside another value is a list.

use serde_json::{Map, Value};

use super::Param;
use super::number::{is_radix, number};
use crate::registry::lookup::suggest;

/// How many brackets may stand inside one another: the tree's JSON must still be readable.
const MAX_NESTING: usize = 64;

/// What is wrong with a literal, and where in the line.
pub(super) struct Wrong {
    pub(super) at: usize,
    pub(super) message: String,
    pub(super) help: String,
}

pub(super) type Read<T> = Result<T, Wrong>;

/// The parameter that is written in the rest of a line; none where nothing but a comment is.
pub(super) fn param(rest: &str) -> Read<Option<Param>> {
    let mut reader = Reader { text: rest, at: 0 };
    if reader.ended() {
        return Ok(None);
    }
    let first = reader.value(0)?;
    if reader.ended() {
        return Ok(Some(first));
    }
    // A tuple needs no brackets at the end of a line.
    let mut values = vec![value(first)];
    while reader.took(',') {
        if reader.ended() {
            break;
        }
        values.push(value(reader.value(0)?));
    }
    if !reader.ended() {
        let found = reader.found();
        return Err(reader.wrong(format!("expected the end of the line, found {found}")));
    }
    Ok(Some(Param::Several(values)))
}

fn value(param: Param) -> Value {
    match param {
        Param::One(value) => value,
        Param::Several(values) => values.into(),
    }
}

/// Reads from the rest of a line.
pub(super) struct Reader<'t> {
    text: &'t str,
    pub(super) at: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Whether nothing is left but blanks and a comment.
    fn ended(&mut self) -> bool {
        self.blanks();
        matches!(self.peek(), None | Some('#'))
    }

    fn took(&mut self, char: char) -> bool {
        self.blanks();
        let took = self.peek() == Some(char);
        if took {
            self.at += char.len_utf8();
        }
        took
    }

    fn found(&self) -> String {
        match self.peek() {
            None | Some('#') => "the end of the line".to_owned(),
            Some(char) => format!("`{char}`"),
        }
    }

    fn wrong(&self, message: impl Into<String>) -> Wrong {
        self.wrong_at(self.at, message)
    }

    pub(super) fn wrong_at(&self, at: usize, message: impl Into<String>) -> Wrong {
        Wrong {
            at,
            message: message.into(),
            help: String::new(),
        }
    }

    fn value(&mut self, depth: usize) -> Read<Param> {
        self.blanks();
        if depth == MAX_NESTING {
            let message = format!("more than {MAX_NESTING} brackets inside one another");
            return Err(self.wrong(message));
        }
        let one = match self.peek() {
            Some('(') => return self.parentheses(depth),
            Some('[') => {
                let (items, _) = self.items(']', depth)?;
                items.into_iter().map(value).collect()
            }
            Some('{') => self.dict(depth)?.into(),
            Some('"' | '\'') => self.text()?.into(),
            Some('0'..='9' | '.' | '+' | '-') => self.number()?,
            Some(char) if char.is_alphabetic() || char == '_' => self.word()?,
            _ => {
                let found = self.found();
                return Err(self.wrong(format!("expected a value, found {found}")));
            }
        };
        Ok(Param::One(one))
    }

    /// `()` and `(1,)` are tuples, `(1)` is a value in brackets.
    fn parentheses(&mut self, depth: usize) -> Read<Param> {
        let (mut items, comma) = self.items(')', depth)?;
        if items.len() == 1 && !comma {
            return Ok(items.remove(0));
        }
        Ok(Param::Several(items.into_iter().map(value).collect()))
    }

    /// What is between two brackets, and whether a comma is.
    fn items(&mut self, close: char, depth: usize) -> Read<(Vec<Param>, bool)> {
        let open = self.at;
        self.next();
        let mut items = Vec::new();
        let mut comma = false;
        while !self.took(close) {
            if !items.is_empty() {
                self.separator(open, close)?;
                comma = true;
                if self.took(close) {
                    break;
                }
            }
            self.closes(open)?;
            items.push(self.value(depth + 1)?);
        }
        Ok((items, comma))
    }

    fn dict(&mut self, depth: usize) -> Read<Map<String, Value>> {
        let open = self.at;
        self.next();
        let mut map = Map::new();
        while !self.took('}') {
            if !map.is_empty() {
                self.separator(open, '}')?;
                if self.took('}') {
                    break;
                }
            }
            self.closes(open)?;
            let start = self.at;
            let Value::String(key) = value(self.value(depth + 1)?) else {
                return Err(self.wrong_at(start, "expected a key of the dict, which is text"));
            };
            if !self.took(':') {
                let found = self.found();
                return Err(self.wrong(format!(
                    "expected `:` after a key of the dict, found {found}"
                )));
            }
            if map.contains_key(&key) {
                let message = format!("the key `{key}` is given twice");
                return Err(self.wrong_at(start, message));
            }
            let item = value(self.value(depth + 1)?);
            map.insert(key, item);
        }
        Ok(map)
    }

    fn separator(&mut self, open: usize, close: char) -> Read<()> {
        if self.took(',') {
            return Ok(());
        }
        self.closes(open)?;
        let found = self.found();
        Err(self.wrong(format!("expected `,` or `{close}`, found {found}")))
    }

    /// The line does not end before a bracket is closed.
    fn closes(&mut self, open: usize) -> Read<()> {
        if !self.ended() {
            return Ok(());
        }
        let bracket = &self.text[open..=open];
        Err(Wrong {
            help: "a node is one line".to_owned(),
            ..self.wrong_at(open, format!("`{bracket}` is not closed"))
        })
    }

    fn word(&mut self) -> Read<Value> {
        let start = self.at;
        let rest = self.rest();
        let end = rest.find(|char: char| !char.is_alphanumeric() && char != '_');
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        match word {
            "True" => Ok(true.into()),
            "False" => Ok(false.into()),
            "None" => Ok(Value::Null),
            // What Python 2 writes before text that is not ASCII.
            "u" if matches!(self.peek(), Some('"' | '\'')) => Ok(self.text()?.into()),
            _ => {
                let near = match word {
                    "null" | "nil" => "; did you mean `None`?".to_owned(),
                    _ if word.len() < 64 => suggest(word, ["True", "False", "None"].into_iter()),
                    _ => String::new(),
                };
                let help = match near.strip_prefix("; ") {
                    Some(near) => near.to_owned(),
                    None => "text is written in quotes".to_owned(),
                };
                let word: String = word.chars().take(64).collect();
                let message = format!("expected a value, found `{word}`");
                Err(Wrong {
                    help,
                    ..self.wrong_at(start, message)
                })
            }
        }
    }

    fn number(&mut self) -> Read<Value> {
        let start = self.at;
        let rest = self.rest();
        let signed = rest.starts_with(['+', '-']);
        let mut before = ' ';
        let end = rest.char_indices().position(|(i, char)| {
            let sign = matches!(char, '+' | '-');
            let goes_on = char.is_ascii_alphanumeric()
                || matches!(char, '.' | '_')
                || sign
                    && (i == 0 || matches!(before, 'e' | 'E') && !is_radix(&rest[signed.into()..]));
            before = char;
            !goes_on
        });
        // All of them ASCII.
        let written = &rest[..end.unwrap_or(rest.len())];
        self.at += written.len();
        number(written).map_err(|problem| {
            let written: String = written.chars().take(64).collect();
            self.wrong_at(start, format!("{problem}, found `{written}`"))
        })
    }
}
