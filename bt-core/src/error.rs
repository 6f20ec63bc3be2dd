//! The error of a call that was refused.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::decode::{DecodeError, shown};

/// A call that did not happen, with everything that is wrong with it at once.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::{Registry, Session};
/// use serde_json::json;
///
/// let mut session = Session::new(7);
/// let cx = &mut session.context();
/// let error = Registry::global()?
///     .invoke(&mut ActionAgent, &mut (), cx, "wait_for_seconds", &json!(["soon"]))
///     .unwrap_err();
/// assert!(error.is_arguments() && error.is_decode());
/// let problem = &error.problems()[0];
/// assert_eq!(problem.found(), Some("\"soon\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct CallError(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    /// The callee, where it is known.
    about: Option<String>,
    kind: Kind,
    message: String,
    arguments: Vec<ArgumentError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unknown,
    UnknownAgent,
    Arguments,
    Key,
    Refused,
}

impl CallError {
    fn new(kind: Kind, message: String) -> CallError {
        CallError(Box::new(Inner {
            about: None,
            kind,
            message,
            arguments: Vec::new(),
        }))
    }

    #[cold]
    pub(crate) fn unknown(message: String) -> CallError {
        CallError::new(Kind::Unknown, message)
    }

    #[cold]
    pub(crate) fn unknown_agent(message: String) -> CallError {
        CallError::new(Kind::UnknownAgent, message)
    }

    #[cold]
    pub(crate) fn arguments(message: String) -> CallError {
        CallError::new(Kind::Arguments, message)
    }

    #[cold]
    pub(crate) fn refused(message: String) -> CallError {
        CallError::new(Kind::Refused, message)
    }

    /// With what is wrong with its arguments.
    #[cold]
    pub(crate) fn bad(arguments: Vec<ArgumentError>) -> CallError {
        let of_key = arguments.iter().all(ArgumentError::is_key);
        let kind = if of_key { Kind::Key } else { Kind::Arguments };
        let mut error = CallError::new(kind, String::new());
        error.0.arguments = arguments;
        error
    }

    /// The same in words of its own.
    #[cold]
    pub(crate) fn worded(message: String, arguments: Vec<ArgumentError>) -> CallError {
        let mut error = CallError::bad(arguments);
        error.0.message = message;
        error
    }

    /// A call that wrote what its blackboard keys cannot hold.
    #[cold]
    pub(crate) fn writes(refused: &[impl fmt::Display]) -> CallError {
        let all: Vec<_> = refused.iter().map(ToString::to_string).collect();
        CallError::new(Kind::Key, all.join("; "))
    }

    #[cold]
    pub(crate) fn about(mut self, what: &str) -> CallError {
        self.0.about.get_or_insert_with(|| what.to_owned());
        self
    }

    /// With one more thing that is wrong, and unknown.
    #[cold]
    pub(crate) fn and(self, unknown: &str) -> CallError {
        let message = format!("{self}; {unknown}");
        let mut both = CallError::new(Kind::Unknown, message);
        both.0.arguments = self.0.arguments;
        both
    }

    /// Each bad argument; none where something else is wrong.
    pub fn problems(&self) -> &[ArgumentError] {
        &self.0.arguments
    }

    fn any(&self, test: fn(&ArgumentError) -> bool) -> bool {
        self.0.arguments.iter().any(test)
    }

    /// The call was made, and wrote what its blackboard keys cannot hold.
    pub(crate) fn is_write(&self) -> bool {
        self.0.kind == Kind::Key && self.0.arguments.is_empty()
    }

    /// Nothing of that name is registered: no agent, or nothing of the agent's that would do.
    pub fn is_unknown(&self) -> bool {
        matches!(self.0.kind, Kind::Unknown | Kind::UnknownAgent)
    }

    /// No agent of that name is registered.
    pub fn is_unknown_agent(&self) -> bool {
        self.0.kind == Kind::UnknownAgent
    }

    /// The arguments are too few, too many, or not what the method takes.
    pub fn is_arguments(&self) -> bool {
        self.0.kind == Kind::Arguments
    }

    /// Arguments are missing, or there are more than the method takes.
    pub fn is_count(&self) -> bool {
        self.any(ArgumentError::is_count)
    }

    /// An argument is not of its type.
    pub fn is_decode(&self) -> bool {
        self.any(ArgumentError::is_decode)
    }

    /// An argument is below its least, above its most, or none of its choices.
    pub fn is_bounds(&self) -> bool {
        self.any(ArgumentError::is_bounds)
    }

    /// A blackboard key is unset, or holds or was given a value of another type.
    pub fn is_key(&self) -> bool {
        self.0.kind == Kind::Key || self.any(ArgumentError::is_key)
    }

    /// A blackboard key that an argument is taken from is unset.
    pub fn is_key_unset(&self) -> bool {
        self.any(ArgumentError::is_key_unset)
    }

    /// A blackboard key that an argument is taken from holds what the argument cannot be.
    pub fn is_key_type(&self) -> bool {
        self.any(|argument| argument.is_key() && !argument.is_key_unset())
    }

    /// Returns true if the request is impossible: a property can only be read, its setter answered `false` or
    /// an `Err`, a value has no JSON form, a method needs an agent.
    pub fn is_refused(&self) -> bool {
        self.0.kind == Kind::Refused
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(about) = &self.0.about {
            write!(f, "{about}: ")?;
        }
        if !self.0.message.is_empty() {
            return f.write_str(&self.0.message);
        }
        for (at, argument) in self.0.arguments.iter().enumerate() {
            let gap = if at > 0 { "; " } else { "" };
            write!(f, "{gap}{argument}")?;
        }
        Ok(())
    }
}

/// As it is displayed, because this is what `main` and `unwrap` show of an error.
impl fmt::Debug for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for CallError {}

/// One argument of a call, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentError {
    name: String,
    /// The source of its value, if that is not the call itself.
    from: Option<String>,
    found: Option<String>,
    flaw: Flaw,
}

/// The fault of an argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Flaw {
    Missing,
    /// There is none of that name, or so many; what to write instead.
    Surplus(String),
    Decode(DecodeError),
    /// The limit that it is beyond.
    Bounds(String),
    /// It is written back, and so needs a key.
    NeedsKey,
    /// It is written back to the key of another one.
    SharesKey,
    Unset,
}

impl ArgumentError {
    #[cold]
    pub(crate) fn new(name: impl Into<String>, flaw: Flaw) -> ArgumentError {
        ArgumentError {
            name: name.into(),
            from: None,
            found: None,
            flaw,
        }
    }

    pub(crate) fn with_found(mut self, value: &Value) -> ArgumentError {
        self.found = Some(shown(value));
        self
    }

    /// Taken from there: "blackboard key `hp`".
    pub(crate) fn from(mut self, source: String) -> ArgumentError {
        self.from = Some(source);
        self
    }

    /// The argument's name; of a surplus one its position, counted from 0, or the name that was
    /// given; of a fallback's its position, counted from 1.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The place inside the argument, such as `.way[2].x`; empty for the argument itself.
    pub fn path(&self) -> String {
        if let Flaw::Decode(error) = &self.flaw {
            return error.path();
        }
        String::new()
    }

    /// The expectation in words, where something else was found.
    pub fn expected(&self) -> Option<&str> {
        match &self.flaw {
            Flaw::Decode(error) => error.expected_words(),
            Flaw::Bounds(limit) => Some(limit),
            Flaw::NeedsKey => Some("the name of a blackboard key"),
            Flaw::SharesKey => Some("a blackboard key of its own"),
            Flaw::Missing | Flaw::Surplus(_) | Flaw::Unset => None,
        }
    }

    /// The value that was found as JSON, cut to a line.
    pub fn found(&self) -> Option<&str> {
        if let Flaw::Decode(error) = &self.flaw {
            return error.found();
        }
        self.found.as_deref()
    }

    /// The fault, without the name and, where the whole argument is at fault, without the value.
    pub(crate) fn unnamed(&self) -> String {
        match (&self.flaw, self.expected()) {
            (Flaw::Bounds(_), Some(limit)) => format!("expected {limit}"),
            (Flaw::Decode(_), Some(words)) if self.path().is_empty() => format!("expected {words}"),
            (Flaw::Decode(error), _) => error.to_string(),
            (
                Flaw::Missing
                | Flaw::Surplus(_)
                | Flaw::Bounds(_)
                | Flaw::NeedsKey
                | Flaw::SharesKey
                | Flaw::Unset,
                _,
            ) => self.to_string(),
        }
    }

    /// It is missing, or it is one too many.
    pub fn is_count(&self) -> bool {
        self.is_missing() || self.is_surplus()
    }

    /// It is missing and has no default.
    pub fn is_missing(&self) -> bool {
        matches!(self.flaw, Flaw::Missing)
    }

    /// The method takes no such argument.
    pub fn is_surplus(&self) -> bool {
        matches!(self.flaw, Flaw::Surplus(_))
    }

    /// It is not of its type.
    pub fn is_decode(&self) -> bool {
        matches!(
            self.flaw,
            Flaw::Decode(_) | Flaw::NeedsKey | Flaw::SharesKey
        )
    }

    /// It is below its least, above its most, or none of its choices.
    pub fn is_bounds(&self) -> bool {
        matches!(self.flaw, Flaw::Bounds(_))
    }

    /// It is taken from a blackboard key (or a property), which is unset or holds something else.
    pub fn is_key(&self) -> bool {
        self.from.is_some()
    }

    /// It is taken from a blackboard key which is unset.
    pub fn is_key_unset(&self) -> bool {
        matches!(self.flaw, Flaw::Unset)
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Flaw::Surplus(help) = &self.flaw {
            return f.write_str(help);
        }
        write!(f, "argument `{}`", self.name)?;
        if let Some(from) = &self.from {
            write!(f, " takes {from}")?;
        }
        match (&self.flaw, &self.from) {
            (Flaw::Missing, _) => f.write_str(" is missing"),
            (Flaw::Surplus(_), _) => Ok(()),
            (Flaw::Unset, _) => f.write_str(", which is not set"),
            (Flaw::SharesKey, _) => {
                f.write_str(" is written back to the key of another argument: one would be lost")
            }
            (Flaw::NeedsKey, _) => {
                f.write_str(" is written back, so it takes the name of a blackboard key")?;
                match &self.found {
                    Some(found) => write!(f, ", found {found}"),
                    None => Ok(()),
                }
            }
            (Flaw::Decode(error), _) => write!(f, ": {error}"),
            (Flaw::Bounds(limit), None) => {
                write!(f, " is {}, expected {limit}", self.found().unwrap_or("?"))
            }
            (Flaw::Bounds(limit), Some(_)) => {
                let found = self.found().unwrap_or("?");
                write!(f, ", which holds {found}: expected {limit}")
            }
        }
    }
}
