//! The error of a request of a fleet.

use std::fmt;

use crate::store::StoreError;

/// The reason for which a request of a fleet did not happen, or may not have happened.
#[derive(Clone, PartialEq, Eq)]
pub struct FleetError {
    kind: Kind,
    what: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Invalid,
    Unanswered,
    Refused,
}

impl FleetError {
    pub(crate) fn invalid(what: impl Into<String>) -> FleetError {
        FleetError {
            kind: Kind::Invalid,
            what: what.into(),
        }
    }

    pub(crate) fn unanswered(what: impl Into<String>) -> FleetError {
        FleetError {
            kind: Kind::Unanswered,
            what: what.into(),
        }
    }

    /// Returns true if nothing was sent, because it cannot be right: an unknown event, a parameter of another type, a
    /// key that is too long.
    pub fn is_invalid(&self) -> bool {
        self.kind == Kind::Invalid
    }

    /// Returns true if it may have happened or not: repeat it with the same id, and it happens once.
    pub fn is_unanswered(&self) -> bool {
        self.kind == Kind::Unanswered
    }

    /// Returns true if the servers refused it: their storage is full, or somebody else was faster.
    pub fn is_refused(&self) -> bool {
        self.kind == Kind::Refused
    }
}

impl From<StoreError> for FleetError {
    fn from(error: StoreError) -> FleetError {
        let kind = match error {
            StoreError::Unanswered(_) => Kind::Unanswered,
            StoreError::Stale | StoreError::Refused(_) => Kind::Refused,
        };
        FleetError {
            kind,
            what: error.to_string(),
        }
    }
}

impl fmt::Display for FleetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = match self.kind {
            Kind::Invalid | Kind::Refused => "",
            Kind::Unanswered => "; it may have happened: repeat it with the same id",
        };
        write!(f, "{}{after}", self.what)
    }
}

/// As it is displayed, because this is what `main` and `unwrap` show of an error.
impl fmt::Debug for FleetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for FleetError {}
