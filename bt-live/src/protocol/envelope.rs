//! Requests and answers as they travel.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Error;

/// A request as it travels.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// The version of JSON-RPC.
    pub jsonrpc: Version,
    /// A number or a text of the client's, which the answer repeats.
    pub id: Id,
    /// The method's name.
    pub method: String,
    /// Its parameters.
    #[serde(default)]
    pub params: Value,
}

impl Envelope {
    /// A request.
    pub fn new(id: Id, method: &str, params: Value) -> Envelope {
        Envelope {
            jsonrpc: Version::Two,
            id,
            method: method.to_owned(),
            params,
        }
    }
}

/// A client's id of its request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a whole number or a text")]
pub enum Id {
    /// A number.
    Number(u64),
    /// A text.
    Text(String),
}

/// "2.0".
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Version {
    #[serde(rename = "2.0")]
    /// 2.0, the only one.
    Two,
}

/// An answer as it travels.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The version of JSON-RPC.
    pub jsonrpc: Version,
    /// None if the request could not be read.
    pub id: Option<Id>,
    /// The result of the method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// The reason why the request was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Error>,
}

impl Answer {
    /// An answer.
    pub fn new(id: Option<Id>, result: Result<Value, Error>) -> Answer {
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
