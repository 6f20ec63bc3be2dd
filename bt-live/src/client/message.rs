//! Messages from a game, or from a recording.

use std::io;

use serde_json::Value;

use super::error::ClientError;
use crate::protocol::frame::Frame;
use crate::protocol::{Error, Event};

/// A message that comes unasked.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// An event.
    Event(Event),
    /// Records of an agent that is followed.
    Records(Frame),
}

/// A message, as it came: see [`Client::hear`](super::Client::hear).
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// An event.
    Event(Event),
    /// A message of records of an agent that is followed: [`Scan`](crate::recording::Scan) finds the records in it.
    Records(Vec<u8>),
    /// The answer to what was [asked](super::Client::ask).
    Answer(u64, Result<Value, Error>),
}

impl Message {
    pub(super) fn read(self) -> Result<Option<Incoming>, ClientError> {
        Ok(match self {
            Message::Event(event) => Some(Incoming::Event(event)),
            Message::Records(bytes) => {
                let frame = Frame::read(&bytes).map_err(io::Error::other);
                Some(Incoming::Records(frame.map_err(ClientError::Recording)?))
            }
            Message::Answer(..) => None,
        })
    }
}
