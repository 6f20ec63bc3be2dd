//! The problems of an import: what it could not carry, or not exactly.

use std::fmt;

/// The weight of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// It is carried; something about it is to be known.
    Note,
    /// It is not carried, or does something else.
    Loss,
}

/// A place in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, as it was given or found.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

/// A loss, or something to know: its place, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Problem {
    /// Its place in the source.
    pub place: Place,
    /// Its weight.
    pub level: Level,
    /// The loss or the difference.
    pub message: String,
    /// The advice on what to do.
    pub help: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n  help: {}", self.place, self.message, self.help)
    }
}
