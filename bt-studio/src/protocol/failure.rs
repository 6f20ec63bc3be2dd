//! The reason why a request was refused, with data that helps to continue.

use std::fmt;

use bt_live::protocol::{Error, ErrorCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The reason why a request was refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// The sort of reason, as a number: one of JSON-RPC, of the port of a game, or 10 stale, 11 conflict, 12
    /// lost.
    pub code: i32,
    /// The reason, in words.
    pub message: String,
    /// Data that helps to continue: of a stale revision the document's `revision` and `text`; of a conflict
    /// the `text` and `hash` of what is on the disk, and whether the file `exists`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// The reasons that the studio has beside those of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureCode {
    /// The request is about another revision of the document.
    Stale = 10,
    /// The file is not as it was when it was opened.
    Conflict = 11,
    /// The game does not answer: it is gone, or does not poll its port.
    Lost = 12,
}

impl Failure {
    /// A refusal of the studio's own kind, with what helps.
    pub fn of(code: FailureCode, message: impl Into<String>, data: Value) -> Failure {
        Failure {
            code: code as i32,
            message: message.into(),
            data: Some(data),
        }
    }

    /// It cannot be done, and why.
    pub fn refused(why: impl fmt::Display) -> Failure {
        Error::refused(why).into()
    }

    /// There is nothing of that name.
    pub fn unknown(what: impl fmt::Display) -> Failure {
        Error::unknown(what).into()
    }

    /// The studio is read-only.
    pub fn read_only() -> Failure {
        let message =
            "the studio was started with `--read-only`: it writes no file; start it without";
        Error::new(ErrorCode::ReadOnly, message).into()
    }

    /// The game does not answer.
    pub fn lost(why: impl fmt::Display) -> Failure {
        Failure {
            code: FailureCode::Lost as i32,
            message: why.to_string(),
            data: None,
        }
    }

    /// A limit was reached.
    pub fn limit(what: impl fmt::Display) -> Failure {
        Error::new(ErrorCode::Limit, what.to_string()).into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure {
            code: error.code,
            message: error.message,
            data: None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
