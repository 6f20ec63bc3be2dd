//! The parameter of a line: a Python literal, read and never run.
//!
//! `True`, `False`, `None`, whole and other numbers, text in either quotes, lists, tuples, and dicts
//! whose keys are text. A tuple inside another value is a list. `$key` is a key of the blackboard, and
//! `@property` a property of the agent, where a whole argument may stand.

use serde_json::Value;

use super::entry::{Fault, Named, Param, name_length};
use super::number::{is_radix, number};
use crate::expression::{Form, Span};
use crate::kinds::Kind;
use crate::kinds::call::ArgumentType;
use crate::text::{self, suggest};

/// The number of brackets that may stand inside one another: the tree's JSON must still be readable.
const MAX_NESTING: usize = 64;

/// The fault of a literal, and its place in the line.
pub(super) struct Wrong {
    pub(super) at: usize,
    pub(super) message: String,
    pub(super) help: String,
}

/// Boxed: brackets inside one another are read by recursion, on stacks that may be small.
pub(super) type Read<T> = Result<T, Box<Wrong>>;

/// Reads the text behind the name in a line: the parameter, if there is one, and the comment.
pub(super) fn param(rest: &str) -> Read<(Option<Param>, &str)> {
    let mut reader = Reader { text: rest, at: 0 };
    if reader.ended() {
        return Ok((None, reader.comment()));
    }
    let start = reader.at;
    let first = reader.value(0)?;
    if reader.ended() {
        return Ok((Some(first), reader.comment()));
    }
    // A tuple needs no brackets at the end of a line.
    let mut values = vec![(start, first)];
    while reader.took(',') {
        if reader.ended() {
            break;
        }
        values.push((reader.at, reader.value(0)?));
    }
    if !reader.ended() {
        let found = reader.found();
        let message =
            format!("expected `,` and one more argument, or the end of the line, found {found}");
        let is_sign = |c: char| "+-*/%<>=!&|?.[".contains(c);
        let help = match reader.peek().is_some_and(is_sign) {
            true => "an argument that is an expression stands in brackets: `($x + 1)`",
            false => "",
        };
        return Err(Box::new(Wrong {
            help: help.to_owned(),
            ..*reader.wrong(message)
        }));
    }
    Ok((Some(Param::Several(values)), reader.comment()))
}

/// A value that is no argument by itself.
pub(super) fn plain(param: Param) -> Result<Value, Fault> {
    let item = |(at, item): (usize, Param)| {
        plain(item).map_err(|fault| Fault {
            at: fault.at.or(Some(at)),
            ..fault
        })
    };
    match param {
        Param::One(value) => Ok(value),
        Param::Several(values) => values.into_iter().map(item).collect(),
        Param::Named(named) => {
            let items = named.into_iter();
            let object: Result<_, Fault> =
                items.map(|(key, value)| Ok((key, item(value)?))).collect();
            Ok(Value::Object(object?))
        }
        Param::Source(ty, name) => {
            let (mark, name) = (mark(ty), text::name(&name));
            let message =
                format!("`{mark}{name}` is a whole argument, and here it is inside of a value");
            let help =
                "write the value itself, or let a key hold the whole list or dict".to_owned();
            Err(Fault {
                help,
                ..message.into()
            })
        }
    }
}

/// The character before the name of a key or of a property.
pub(super) fn mark(ty: ArgumentType) -> &'static str {
    match ty {
        ArgumentType::Blackboard => "$",
        ArgumentType::Property => "@",
        ArgumentType::Plain | ArgumentType::Expression => "",
    }
}

/// The text of an expression at the end of a line, and the comment behind it.
pub fn expression(text: &str) -> (&str, &str) {
    let (written, comment) = text.split_at(outside_quotes(text, |c| c == '#'));
    (written.trim(), comment.trim_start_matches('#').trim())
}

/// Returns true if a line is a `CHECK` with an expression behind it, and not with a dict.
pub(super) fn is_check(name: &str, rest: &str) -> bool {
    let written = expression(rest).0;
    name == Kind::Check.name().to_uppercase() && !written.is_empty() && !written.starts_with('{')
}

/// Returns true if a line is a `SET` with what it writes behind it, and not with a dict.
pub(super) fn is_set(name: &str, rest: &str) -> bool {
    name == Kind::Set.name().to_uppercase() && !rest.trim_start().starts_with('{')
}

/// Reads what a `SET` writes, as the dict of its keys, and the comment behind it.
pub(super) fn writes(rest: &str) -> Read<(Option<Param>, &str)> {
    let (written, comment) = expression(rest);
    let begin = rest.len() - rest.trim_start().len();
    let wrong = |at: Span, message: String, help: String| {
        Box::new(Wrong {
            at: begin + at.from as usize,
            message,
            help,
        })
    };
    let mut all = Named::new();
    let places = crate::expression::writes(written);
    let places = places.map_err(|mistake| wrong(mistake.at, mistake.message, mistake.help))?;
    for (target, value) in places {
        let name = target.of(written);
        let one = Param::One(value.of(written).into());
        let at = begin + target.from as usize;
        if all.insert(name.to_owned(), (at, one)).is_some() {
            let message = format!("`{}` is written twice", text::name(name));
            return Err(wrong(target, message, String::new()));
        }
    }
    let all = (begin, Param::Named(all));
    let named = Named::from([(Kind::Set.name().to_owned(), all)]);
    Ok((Some(Param::Named(named)), comment))
}

/// Returns true if what stands behind a `GUARD` is an expression: it begins with no name, or with a call
/// that something follows which is no argument.
pub(super) fn is_expression(name: &str, rest: &str, all: &str) -> bool {
    match name.is_empty() {
        true => !expression(all).0.is_empty(),
        false => rest.starts_with('(') && param(rest).is_err(),
    }
}

/// The first character outside of quotes that passes a test; the end if none does.
fn outside_quotes(text: &str, mut test: impl FnMut(char) -> bool) -> usize {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match quote {
            Some(_) if std::mem::take(&mut escaped) => {}
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if test(c) => return at,
            None => {}
        }
    }
    text.len()
}

/// Reads the seconds between two calls of a service, and the line behind them.
pub(super) fn seconds(text: &str) -> Read<(f64, &str)> {
    let mut reader = Reader { text, at: 0 };
    let number = match reader.peek() {
        Some('0'..='9' | '.' | '+' | '-') => reader.number()?.as_f64(),
        Some(_) | None => None,
    };
    let Some(seconds) = number else {
        let found = reader.found();
        let message = format!("expected the seconds between two calls, found {found}");
        return Err(Box::new(Wrong {
            help: "a service is written `SERVICE 0.5 look_around`".to_owned(),
            ..*reader.wrong(message)
        }));
    };
    reader.blanks();
    Ok((seconds, reader.rest()))
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

    /// Returns true if nothing is left but blanks and a comment.
    fn ended(&mut self) -> bool {
        self.blanks();
        matches!(self.peek(), None | Some('#'))
    }

    /// The comment at the end of the line.
    fn comment(&self) -> &'t str {
        self.rest().trim_start_matches('#').trim()
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

    fn wrong(&self, message: impl Into<String>) -> Box<Wrong> {
        self.wrong_at(self.at, message)
    }

    pub(super) fn wrong_at(&self, at: usize, message: impl Into<String>) -> Box<Wrong> {
        Box::new(Wrong {
            at,
            message: message.into(),
            help: String::new(),
        })
    }

    fn value(&mut self, depth: usize) -> Read<Param> {
        self.blanks();
        match self.peek() {
            _ if depth == MAX_NESTING => self.too_deep(),
            Some('(') => self.parentheses(depth),
            Some('[') => self.list(depth),
            Some('{') => self.dict(depth).map(Param::Named),
            _ => self.simple(),
        }
    }

    fn too_deep(&self) -> Read<Param> {
        let message = format!("more than {MAX_NESTING} brackets inside one another");
        Err(self.wrong(message))
    }

    fn list(&mut self, depth: usize) -> Read<Param> {
        let open = self.at;
        let (items, _) = self.items(']', depth)?;
        let items = plain(Param::Several(items));
        items.map(Param::One).map_err(|fault| {
            Box::new(Wrong {
                at: fault.at.unwrap_or(open),
                message: fault.message,
                help: fault.help,
            })
        })
    }

    /// A value without brackets.
    fn simple(&mut self) -> Read<Param> {
        let one = match self.peek() {
            Some('$') => return self.source(ArgumentType::Blackboard),
            Some('@') => return self.source(ArgumentType::Property),
            Some('"' | '\'') => self.text()?.into(),
            Some('0'..='9' | '.' | '+' | '-') => self.number()?,
            Some(char) if char.is_alphabetic() || char == '_' => self.word()?,
            _ => return Err(self.no_value()),
        };
        Ok(Param::One(one))
    }

    /// The fault of what begins no value.
    fn no_value(&self) -> Box<Wrong> {
        let help = match self.peek() {
            Some('<' | '>' | '=' | '!') => {
                "a comparison is a call of its own, as in `compare $hp, \"<\", 30`, or `compare @hp, \"<\", 30` of a property"
            }
            Some('&' | '|') => "in an expression a condition is called: `name()`",
            _ => "",
        };
        let found = self.found();
        Box::new(Wrong {
            help: help.to_owned(),
            ..*self.wrong(format!("expected a value, found {found}"))
        })
    }

    /// `()` and `(1,)` are tuples, `(1)` is a value in brackets.
    fn parentheses(&mut self, depth: usize) -> Read<Param> {
        let open = self.at;
        let (mut items, comma) = match self.items(')', depth) {
            Ok(items) => items,
            Err(wrong) => return self.expression(open, wrong),
        };
        if items.len() == 1 && !comma {
            return Ok(items.remove(0).1);
        }
        Ok(Param::Several(items))
    }

    /// An expression in brackets, which are no tuple's.
    fn expression(&mut self, open: usize, wrong: Box<Wrong>) -> Read<Param> {
        let inside = &self.text[open + 1..];
        let mut depth = 0_usize;
        let end = outside_quotes(inside, |c| match c {
            '(' | '[' => {
                depth += 1;
                false
            }
            ')' | ']' if depth > 0 => {
                depth -= 1;
                false
            }
            ')' | '#' => true,
            _ => false,
        });
        let written = &inside[..end];
        let has_sign = |sign: &&str| written.contains(*sign);
        let is_meant = written.starts_with(['$', '@', '!'])
            || ["&&", "||", "==", "!=", "<", ">", "+", "*", "/", "??"]
                .iter()
                .any(has_sign);
        if !inside[end..].starts_with(')') {
            return Err(wrong);
        }
        match crate::expression::parse(written) {
            Ok(expr) if is_meant || !matches!(expr.form, Form::Literal(_)) => {
                self.at = open + 1 + end + 1;
                let written = written.trim().to_owned();
                Ok(Param::Source(ArgumentType::Expression, written))
            }
            Err(mistake) if is_meant => Err(Box::new(Wrong {
                at: open + 1 + mistake.at.from as usize,
                message: mistake.message,
                help: mistake.help,
            })),
            Ok(_) | Err(_) => Err(wrong),
        }
    }

    /// `$key` or `@property`; a name of other characters is quoted, `$"the key"`.
    fn source(&mut self, ty: ArgumentType) -> Read<Param> {
        let start = self.at;
        let mark = self.next();
        let name = match self.peek() {
            Some('"' | '\'') => self.text()?,
            _ => {
                let name = &self.rest()[..name_length(self.rest())];
                self.at += name.len();
                name.to_owned()
            }
        };
        match (name.is_empty(), mark) {
            (false, _) => Ok(Param::Source(ty, name)),
            (true, Some('$')) => Err(self.wrong_at(start, "expected the name of a key after `$`")),
            (true, _) => Err(self.wrong_at(start, "expected the name of a property after `@`")),
        }
    }

    /// Reads the items between two brackets; true if there is a comma.
    fn items(&mut self, close: char, depth: usize) -> Read<(Vec<(usize, Param)>, bool)> {
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
            items.push((self.at, self.value(depth + 1)?));
        }
        Ok((items, comma))
    }

    fn dict(&mut self, depth: usize) -> Read<Named> {
        let open = self.at;
        self.next();
        let mut map = Named::new();
        while !self.took('}') {
            if !map.is_empty() {
                self.separator(open, '}')?;
                if self.took('}') {
                    break;
                }
            }
            self.closes(open)?;
            let start = self.at;
            let key = self.value(depth + 1)?;
            let key = self.key(start, key, &map)?;
            let item = self.value(depth + 1)?;
            map.insert(key, (start, item));
        }
        Ok(map)
    }

    /// Reads the key before the colon in a dict.
    fn key(&mut self, start: usize, key: Param, before: &Named) -> Read<String> {
        let Param::One(Value::String(key)) = key else {
            return Err(self.wrong_at(start, "expected a key of the dict, which is text"));
        };
        if !self.took(':') {
            let found = self.found();
            return Err(self.wrong(format!(
                "expected `:` after a key of the dict, found {found}"
            )));
        }
        if before.contains_key(&key) {
            let message = format!("the key `{key}` is given twice");
            return Err(self.wrong_at(start, message));
        }
        Ok(key)
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
        let mut wrong = self.wrong_at(open, format!("`{bracket}` is not closed"));
        wrong.help = "a node is one line".to_owned();
        Err(wrong)
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
                    None if self.rest().trim_start().starts_with('=') && word.len() < 64 => {
                        format!("arguments are named in a dict: `{{\"{word}\": …}}`")
                    }
                    None => "text is written in quotes".to_owned(),
                };
                let word: String = word.chars().take(64).collect();
                let message = format!("expected a value, found `{word}`");
                Err(Box::new(Wrong {
                    help,
                    ..*self.wrong_at(start, message)
                }))
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
            let continues = char.is_ascii_alphanumeric()
                || matches!(char, '.' | '_')
                || sign
                    && (i == 0 || matches!(before, 'e' | 'E') && !is_radix(&rest[signed.into()..]));
            before = char;
            !continues
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
