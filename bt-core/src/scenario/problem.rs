//! The problems of a scenario's file, each with its place.

use std::fmt;
use std::ops::Range;

use crate::text::{OneLine, suggest};

/// A problem of a scenario's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioProblem {
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1, in characters.
    pub column: usize,
    /// The mistake, and what to write instead.
    pub message: String,
}

/// Everything that is wrong with a scenario's file.
///
/// ```
/// use bt_core::scenario::Scenario;
///
/// let error = Scenario::from_toml("nap.scenario.toml", "tree = \"nap.json\"\nuntill = \"2s\"").unwrap_err();
/// assert_eq!(error.problems()[0].line, 2);
/// assert!(error.to_string().starts_with("nap.scenario.toml:2:1: unknown field `untill`"), "{error}");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ScenarioError {
    file: String,
    problems: Vec<ScenarioProblem>,
}

/// The number of problems that are listed: nobody reads more.
const MOST: usize = 50;

/// The problems that were found so far.
pub(super) struct Problems<'t> {
    text: &'t str,
    all: Vec<ScenarioProblem>,
}

impl<'t> Problems<'t> {
    pub(super) fn new(text: &'t str) -> Problems<'t> {
        Problems {
            text,
            all: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, at: Range<usize>, message: impl fmt::Display) {
        if self.all.len() < MOST {
            let (line, column) = place(self.text, at.start);
            self.all.push(ScenarioProblem {
                line,
                column,
                message: OneLine(message).to_string(),
            });
        }
    }

    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        place(self.text, at)
    }

    /// Nothing, or all of them in the order of the file.
    pub(super) fn into_result(mut self, file: &str) -> Result<(), ScenarioError> {
        self.all.sort_by_key(|one| (one.line, one.column));
        match self.all.is_empty() {
            true => Ok(()),
            false => Err(ScenarioError {
                file: file.to_owned(),
                problems: self.all,
            }),
        }
    }
}

/// The line and the column of a byte, both from 1.
pub(super) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[start..].chars().count() + 1)
}

impl ScenarioError {
    pub(super) fn of_toml(file: &str, text: &str, error: &toml::de::Error) -> ScenarioError {
        let at = error.span().map_or(0, |span| span.start);
        let mut problems = Problems::new(text);
        let message = error.message();
        problems.add(at..at, format_args!("{message}{}", nearest_field(message)));
        ScenarioError {
            file: file.to_owned(),
            problems: problems.all,
        }
    }

    /// A problem of the whole file.
    pub(super) fn of_file(file: &str, message: impl fmt::Display) -> ScenarioError {
        let mut problems = Problems::new("");
        problems.add(0..0, message);
        ScenarioError {
            file: file.to_owned(),
            problems: problems.all,
        }
    }

    /// The file's name.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The problems, in the order of the file.
    pub fn problems(&self) -> &[ScenarioProblem] {
        &self.problems
    }
}

/// The known key that comes near the one of serde's message "unknown field `a`, expected one of `b`, `c`".
fn nearest_field(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    match quoted.next() {
        Some(name) if message.starts_with("unknown ") => suggest(name, quoted),
        Some(_) | None => String::new(),
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, problem) in self.problems.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            let ScenarioProblem {
                line,
                column,
                message,
            } = problem;
            write!(f, "{}:{line}:{column}: {message}", self.file)?;
        }
        Ok(())
    }
}

/// As it is displayed, because this is what `main` and `unwrap` show of an error.
impl fmt::Debug for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ScenarioError {}
