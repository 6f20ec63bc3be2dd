//! Requests and answers as they travel.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Error;

/// A request as it travels.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Envelope {
    pub(crate) jsonrpc: Version,
    /// A number or a text of the client's, which the answer repeats.
    pub(crate) id: Id,
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) params: Value,
}

#[cfg(feature = "client")]
impl Envelope {
    pub(crate) fn new(id: Id, method: &str, params: Value) -> Envelope {
        Envelope {
            jsonrpc: Version::Two,
            id,
            method: method.to_owned(),
            params,
        }
    }
}

/// What a client calls its request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a whole number or a text")]
pub(crate) enum Id {
    Number(u64),
    Text(String),
}

/// "2.0".
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Version {
    #[serde(rename = "2.0")]
    Two,
}

/// An answer as it travels.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) jsonrpc: Version,
    /// None if the request could not be read.
    pub(crate) id: Option<Id>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Error>,
}

#[cfg(feature = "port")]
impl Answer {
    pub(crate) fn new(id: Option<Id>, result: Result<Value, Error>) -> Answer {
        let (result, error) = match result {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        Answer {
            jsonrpc: Version::Two,
            id,
            result,
            error,
        }
    }
}
