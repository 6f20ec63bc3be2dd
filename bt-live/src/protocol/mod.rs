//! What a port and its clients say to each other.
//!
//! Requests, their results and events are JSON-RPC 2.0 in text messages of a WebSocket; records are
//! MessagePack in binary messages ([`frame`]). One table has all methods, another all events: requests are
//! read by them, and the OpenRPC document, the TypeScript types and the page of the book are made from them.

mod error;
pub mod frame;
mod table;
pub mod types;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use error::{Error, ErrorCode};
pub use table::{Call, EVENTS, Event, EventEntry, METHODS, MethodEntry, Request};

/// The version of the protocol. A method or a field that is added does not change it.
pub const VERSION: u32 = 1;

/// The hash that a text is known by, of a tree or a catalogue: FNV-1a in 16 hexadecimal digits.
pub fn hash(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

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
