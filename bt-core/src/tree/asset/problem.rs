//! Problems of a tree: one problem, and the error that lists all of them.

use std::fmt;

use serde_json::Value;

use crate::tree::Code;

/// The number of problems of a file that are listed; a file of a million mistakes does not become an error of
/// a gigabyte.
pub(super) const MAX_PROBLEMS: usize = 1_000;

/// A place in a text, both counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character of the line.
    pub column: usize,
}

/// One thing that is wrong with a tree, and where.
///
/// ```
/// # use bt_core::TreeAsset;
/// let text = r#"{"nodes": [{"idx": 0, "type": "root", "children": [7], "extra": {}}]}"#;
/// let error = TreeAsset::from_json("hunt.json", text).unwrap_err();
/// let problem = &error.problems()[0];
/// assert_eq!(problem.file(), "hunt.json");
/// assert_eq!(problem.node(), Some(0));
/// assert_eq!(problem.pointer(), "/nodes/0/children/0");
/// assert_eq!(problem.position().unwrap().column, 52);
/// assert_eq!(
///     problem.to_string(),
///     "hunt.json:1:52: node 0: its child 7 is not in the file"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    code: Code,
    file: String,
    node: Option<u32>,
    pointer: String,
    position: Option<Position>,
    message: String,
    help: Option<String>,
    fix: Option<Fix>,
}

/// The certain remedy of a [`Problem`].
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::tree::asset::Fix;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{TreeAsset, TreeSet};
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// trees.add(TreeAsset::build("t", "action_agent", action("wait_for_second").arg(1)));
/// for problem in trees.check().problems {
///     if let Some(Fix::Value(value)) = problem.fix() {
///         println!("write {value} at {}", problem.pointer());
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fix {
    /// The value that the pointer names becomes this one.
    Value(Value),
    /// The key that the pointer ends with becomes this one; its value stays.
    Key(String),
    /// The object that the pointer names gets one more key, after one that it has.
    Insert {
        /// The key that it comes after.
        after: String,
        /// The new key.
        key: String,
        /// Its value.
        value: Value,
    },
    /// The array that the pointer names has these items.
    Items(Vec<Item>),
}

/// An item of an array that is [fixed](Fix::Items).
#[derive(Debug, Clone, PartialEq, Eq)]
#[doc(hidden)]
pub enum Item {
    /// The item that was at this place, from 0, as it is written.
    Kept(usize),
    /// Another one.
    New(Value),
}

impl Problem {
    /// A problem of a tree: about no node and no place in it, as long as nothing else is said.
    pub fn new(code: Code, file: &str, message: impl Into<String>) -> Problem {
        Problem {
            code,
            file: file.to_owned(),
            node: None,
            pointer: String::new(),
            position: None,
            message: message.into(),
            help: None,
            fix: None,
        }
    }

    /// The same about a node.
    pub fn of_node(mut self, idx: impl Into<Option<u32>>) -> Problem {
        self.node = idx.into();
        self
    }

    /// The same at the value that a JSON pointer names.
    pub fn at(mut self, pointer: impl Into<String>) -> Problem {
        self.pointer = pointer.into();
        self
    }

    pub(crate) fn in_text(mut self, position: Position) -> Problem {
        self.position = Some(position);
        self
    }

    pub(super) fn set_position(&mut self, position: Position) {
        self.position = Some(position);
    }

    /// The same with what to do about it; an empty help is none.
    pub fn with_help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into()).filter(|help| !help.is_empty());
        self
    }

    /// The code of the mistake.
    pub fn code(&self) -> Code {
        self.code
    }

    pub(crate) fn set_fix(&mut self, fix: Fix) {
        self.fix = Some(fix);
    }

    /// The certain remedy, if there is one.
    pub fn fix(&self) -> Option<&Fix> {
        self.fix.as_ref()
    }

    /// The tree's name, as it was given to the reader.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The `idx` of the node in question, where there is one.
    pub fn node(&self) -> Option<u32> {
        self.node
    }

    /// The JSON pointer (RFC 6901) of the value in question; empty for the whole file, and for what
    /// is no JSON.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The position in the text, if it is known; see [`locate`](super::locate).
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// The text of what was expected and what was found.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The advice, or what was probably meant.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(Position { line, column }) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        if !self.file.is_empty() || self.position.is_some() {
            f.write_str(": ")?;
        }
        match self.node {
            Some(idx) => write!(f, "node {idx}: ")?,
            None if self.position.is_none() && !self.pointer.is_empty() => {
                write!(f, "at `{}`: ", self.pointer)?;
            }
            None => {}
        }
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

/// A tree that cannot be read or changed as asked: everything that is wrong with it.
///
/// Displayed, it is one line for each problem.
///
/// ```
/// use bt_core::TreeAsset;
///
/// let error = TreeAsset::from_json("t.json", r#"{"nodes": 7}"#).unwrap_err();
/// for problem in error.problems() {
///     let place = problem.position().expect("it is from a file");
///     println!("{}:{}: {}", place.line, place.column, problem.message());
/// }
/// // What `main` shows of an error that it returns.
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AssetError {
    problems: Vec<Problem>,
    unlisted: usize,
}

impl AssetError {
    /// An error of problems, if there are any.
    pub(crate) fn of(problems: Vec<Problem>, unlisted: usize) -> Option<AssetError> {
        let any = !problems.is_empty();
        any.then_some(AssetError { problems, unlisted })
    }

    /// The problems in the order of the file, the first 1,000 of them. Never empty.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The number of more.
    pub fn unlisted(&self) -> usize {
        self.unlisted
    }
}

impl AssetError {
    /// Of something that is wrong with no file.
    pub(crate) fn because(why: &str) -> AssetError {
        AssetError::from(Problem::new(Code::Contradiction, "", why))
    }
}

impl From<Problem> for AssetError {
    fn from(problem: Problem) -> AssetError {
        AssetError {
            problems: vec![problem],
            unlisted: 0,
        }
    }
}

impl fmt::Display for AssetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            write!(f, "{end}{problem}")?;
        }
        match self.unlisted {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

/// As it is displayed, because this is what `main` and `unwrap` show of an error.
impl fmt::Debug for AssetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for AssetError {}

/// The problems of one file while it is looked through.
#[derive(Debug)]
pub(super) struct Problems<'f> {
    pub(super) file: &'f str,
    list: Vec<Problem>,
    unlisted: usize,
}

impl<'f> Problems<'f> {
    pub(super) fn of(file: &'f str) -> Problems<'f> {
        Problems {
            file,
            list: Vec::new(),
            unlisted: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Takes one more problem: `say` adds to it where it is and what helps.
    pub(super) fn say(
        &mut self,
        code: Code,
        message: impl FnOnce() -> String,
        say: impl FnOnce(Problem) -> Problem,
    ) {
        if self.list.len() < MAX_PROBLEMS {
            self.list
                .push(say(Problem::new(code, self.file, message())));
        } else {
            self.unlisted += 1;
        }
    }

    pub(super) fn with(mut self, problem: Problem) -> Problems<'f> {
        self.list.push(problem);
        self
    }

    /// The problems, of which there is at least one, with their places in the JSON that was read.
    pub(super) fn in_json(mut self, text: &str) -> AssetError {
        super::locate(&mut self.list, text);
        self.error()
    }

    /// The problems, of which there is at least one, in the order of the file.
    pub(super) fn error(mut self) -> AssetError {
        self.list.sort_by_key(Problem::position);
        AssetError {
            problems: self.list,
            unlisted: self.unlisted,
        }
    }
}
