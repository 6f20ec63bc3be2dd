//! A key that cannot be read or written as asked.

use std::fmt;

use serde_json::Value;

use super::ValueType;
use crate::decode::shown;
use crate::text::name;
use crate::text::suggest;

/// A key that is unset, or holds or was given a value of another type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyError {
    key: String,
    kind: Kind,
    problem: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unset,
    Type,
    /// About no key.
    Whole,
}

impl KeyError {
    /// With the nearest of the names that there are.
    pub(super) fn unset<'a>(key: &str, names: impl Iterator<Item = &'a str>) -> KeyError {
        KeyError {
            key: key.to_owned(),
            kind: Kind::Unset,
            problem: format!("is not set{}", suggest(key, names)),
        }
    }

    /// A declaration without a name.
    pub(super) fn nameless() -> KeyError {
        KeyError {
            key: String::new(),
            kind: Kind::Whole,
            problem: "a blackboard key that is declared needs a name; this one is empty".to_owned(),
        }
    }

    fn of_type(key: &str, problem: String) -> KeyError {
        KeyError {
            key: key.to_owned(),
            kind: Kind::Type,
            problem,
        }
    }

    pub(super) fn holds(key: &str, value: &Value, why: &dyn fmt::Display) -> KeyError {
        KeyError::of_type(key, format!("holds {}: {why}", shown(value)))
    }

    /// The error of a value that should be an object of keys and their values, and is not.
    pub(super) fn no_keys(why: &dyn fmt::Display) -> KeyError {
        KeyError {
            key: String::new(),
            kind: Kind::Whole,
            problem: format!("keys and their values: {why}"),
        }
    }

    pub(super) fn declared(
        key: &str,
        ty: &ValueType,
        value: &Value,
        why: &dyn fmt::Display,
    ) -> KeyError {
        let value = shown(value);
        KeyError::of_type(
            key,
            format!("is declared as `{ty}` and cannot hold {value}: {why}"),
        )
    }

    pub(super) fn twice(key: &str, one: &ValueType, other: &ValueType) -> KeyError {
        let problem = if one == other {
            format!("is declared twice as `{one}`, with different initial values or scopes")
        } else {
            format!("is declared as `{one}` and as `{other}`")
        };
        KeyError::of_type(key, problem)
    }

    /// It is the agent's now, and was a key of trees of which several run.
    pub(super) fn several(key: &str) -> KeyError {
        KeyError::of_type(
            key,
            "is the agent's now: none of the values is kept that it had in several runs of trees"
                .to_owned(),
        )
    }

    pub(crate) fn cannot_hold(key: &str, why: &dyn fmt::Display) -> KeyError {
        KeyError::of_type(key, format!("cannot hold this value: it {why}"))
    }

    /// The key in question; empty for what was to be all keys, and names none.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The key holds nothing.
    pub fn is_unset(&self) -> bool {
        self.kind == Kind::Unset
    }

    /// The key holds, was given, or is declared with something of another type.
    pub fn is_type(&self) -> bool {
        self.kind != Kind::Unset
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Whole => f.write_str(&self.problem),
            Kind::Unset | Kind::Type => {
                write!(f, "blackboard key `{}` {}", name(&self.key), self.problem)
            }
        }
    }
}

impl std::error::Error for KeyError {}
