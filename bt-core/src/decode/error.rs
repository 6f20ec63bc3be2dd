//! The error of a value that does not decode: its place, the expectation, and the value found.

use std::fmt::{self, Write};

use serde::de::{Expected, Unexpected};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::text::suggest;
use crate::text::{LINE, name, quoted};

/// A value that is not of the type that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecodeError(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Inner {
    /// From the inside out.
    path: Vec<String>,
    problem: Problem,
    found: Option<String>,
    /// All names of fields or variants that the type knows there, as serde lists them.
    #[serde(skip)]
    names: &'static [&'static str],
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Problem {
    /// Something else was expected.
    Expected(String),
    /// Something that ends the sentence on its own.
    Said(String),
}

impl DecodeError {
    fn new(problem: Problem) -> DecodeError {
        DecodeError(Box::new(Inner {
            path: Vec::new(),
            problem,
            found: None,
            names: &[],
        }))
    }

    /// Something else was expected in place of `found`.
    #[cold]
    pub(crate) fn expected(expected: impl Into<String>, found: &Value) -> DecodeError {
        let mut error = DecodeError::new(Problem::Expected(expected.into()));
        error.0.found = Some(shown(found));
        error
    }

    /// The error of a type's own decoder, in its words.
    #[cold]
    pub(crate) fn said(problem: impl Into<String>) -> DecodeError {
        DecodeError::new(Problem::Said(problem.into()))
    }

    /// None of these has that name.
    #[cold]
    pub(crate) fn none_of(what: String, name: &str, expected: &[&str]) -> DecodeError {
        let near = suggest(name, expected.iter().copied());
        let end = if near.is_empty() { ";" } else { "" };
        let all = one_of(expected);
        DecodeError::said(format!("there is no {what}{near}{end} expected {all}"))
    }

    /// The value in question, unless one further inside is known.
    pub(crate) fn at(mut self, found: &Value) -> DecodeError {
        self.0.found.get_or_insert_with(|| shown(found));
        self
    }

    /// With all names that the type knows there.
    pub(super) fn with_names(mut self, names: &'static [&'static str]) -> DecodeError {
        if self.0.path.is_empty() {
            self.0.names = names;
        }
        self
    }

    /// All names of fields or variants that the type knows there: aliases among them, each field's or
    /// variant's together, in the order of the declaration.
    pub(crate) fn names(&self) -> &'static [&'static str] {
        self.0.names
    }

    /// With what was expected in better words than a visitor's.
    pub(super) fn wanted(mut self, expected: impl FnOnce() -> String) -> DecodeError {
        if self.0.path.is_empty() && matches!(self.0.problem, Problem::Expected(_)) {
            self.0.problem = Problem::Expected(expected());
        }
        self
    }

    pub(crate) fn inside(mut self, step: impl fmt::Display) -> DecodeError {
        self.0.path.push(step.to_string());
        self
    }

    /// The place inside the value, such as `.way[2].x`; empty for the value itself.
    pub fn path(&self) -> String {
        self.0.path.iter().rev().map(String::as_str).collect()
    }

    /// The expectation in words, where something else was found.
    pub fn expected_words(&self) -> Option<&str> {
        match &self.0.problem {
            Problem::Expected(words) => Some(words),
            Problem::Said(_) => None,
        }
    }

    /// The value that was found there as JSON, cut to a line.
    pub fn found(&self) -> Option<&str> {
        self.0.found.as_deref()
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        if !path.is_empty() {
            write!(f, "at `{path}`: ")?;
        }
        match &self.0.problem {
            Problem::Expected(words) => write!(f, "expected {words}")?,
            Problem::Said(words) => f.write_str(words)?,
        }
        match &self.0.found {
            Some(found) => write!(f, ", found {found}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for DecodeError {}

impl serde::de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> DecodeError {
        DecodeError::said(message.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> DecodeError {
        DecodeError::new(Problem::Expected(expected.to_string()))
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> DecodeError {
        DecodeError::new(Problem::Expected(expected.to_string()))
    }

    fn invalid_length(len: usize, expected: &dyn Expected) -> DecodeError {
        DecodeError::said(format!("expected {expected}, found {len} of them"))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> DecodeError {
        DecodeError::none_of(format!("`{}`", name(variant)), variant, expected).with_names(expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> DecodeError {
        DecodeError::none_of(format!("field `{}`", name(field)), field, expected)
            .with_names(expected)
    }

    fn missing_field(field: &'static str) -> DecodeError {
        DecodeError::said(format!("field `{field}` is missing"))
    }

    fn duplicate_field(field: &'static str) -> DecodeError {
        DecodeError::said(format!("field `{field}` is given twice"))
    }
}

/// "one of `a`, `b`"
pub(super) fn one_of(names: &[&str]) -> String {
    let quoted = quoted(names.iter().copied());
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        _ => format!("one of {}", quoted.join(", ")),
    }
}

/// A value as JSON, cut to a line.
pub(crate) fn shown(value: &Value) -> String {
    let mut cut = Cut(String::new());
    match write!(cut, "{value}") {
        Ok(()) => cut.0,
        Err(_) => cut.0 + "…",
    }
}

/// Takes a line's worth, then no more: a value of megabytes is not written out to be cut.
struct Cut(String);

impl Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = LINE - self.0.len();
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        self.0.push_str(&text[..text.floor_char_boundary(room)]);
        Err(fmt::Error)
    }
}
