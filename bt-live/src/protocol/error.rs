//! The reason why a request was refused.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest message, in bytes.
const LONGEST: usize = 2_000;

/// The reason why a request was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Error {
    /// The kind of reason, as a number: see [`ErrorCode`].
    pub code: i32,
    /// The reason, in words.
    pub message: String,
}

/// The kinds of reasons, as numbers. The negative ones are those of JSON-RPC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The message is not JSON, too long, or nested too deep.
    Parse = -32700,
    /// The message is no request.
    Request = -32600,
    /// There is no such method.
    Method = -32601,
    /// The parameters are not those of the method.
    Params = -32602,
    /// Something failed in the port itself.
    Internal = -32603,
    /// The token is missing or wrong.
    Token = 1,
    /// The port is read-only, or it is a recording.
    ReadOnly = 2,
    /// There is no agent, tree, leaf or recording of that name.
    Unknown = 3,
    /// The game refused it: a value of another type, trees with problems, a call that failed.
    Refused = 4,
    /// A limit of the port was reached.
    Limit = 5,
}

impl Error {
    /// A refusal. A message that is too long, since it repeats what was said, is cut.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Error {
        let mut message = message.into();
        if message.len() > LONGEST {
            message.truncate(message.floor_char_boundary(LONGEST));
            message.push('…');
        }
        Error {
            code: code as i32,
            message,
        }
    }

    /// The game refused it.
    pub fn refused(why: impl fmt::Display) -> Error {
        Error::new(ErrorCode::Refused, why.to_string())
    }

    /// Nobody has that name.
    pub fn unknown(what: impl fmt::Display) -> Error {
        Error::new(ErrorCode::Unknown, what.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
