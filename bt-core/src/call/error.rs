//! Why a call was refused.

use std::fmt;

/// A call that did not happen, with everything that is wrong with it at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    kind: Kind,
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unknown,
    Arguments,
    Key,
    Refused,
}

impl CallError {
    fn new(kind: Kind, message: String) -> CallError {
        CallError(Box::new(Inner { kind, message }))
    }

    pub(crate) fn unknown(message: String) -> CallError {
        CallError::new(Kind::Unknown, message)
    }

    pub(crate) fn arguments(message: String) -> CallError {
        CallError::new(Kind::Arguments, message)
    }

    pub(crate) fn key(message: String) -> CallError {
        CallError::new(Kind::Key, message)
    }

    pub(crate) fn refused(message: String) -> CallError {
        CallError::new(Kind::Refused, message)
    }

    pub(crate) fn about(mut self, what: &str) -> CallError {
        self.0.message = format!("{what}: {}", self.0.message);
        self
    }

    /// Nothing of that name is registered.
    pub fn is_unknown(&self) -> bool {
        self.0.kind == Kind::Unknown
    }

    /// The arguments are too few, too many, or do not decode.
    pub fn is_arguments(&self) -> bool {
        self.0.kind == Kind::Arguments
    }

    /// A blackboard key is unset, or holds a value of another type.
    pub fn is_key(&self) -> bool {
        self.0.kind == Kind::Key
    }

    /// The agent itself refused: a setter's `Err`, a read-only property.
    pub fn is_refused(&self) -> bool {
        self.0.kind == Kind::Refused
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for CallError {}
