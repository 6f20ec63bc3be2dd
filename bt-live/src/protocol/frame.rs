//! Records in binary messages.
//!
//! A message is one MessagePack array. Its first item is an object: `agent`, the id of the agent that the
//! records are about, and `first`, the number of the first record in the agent's stream, from 0. The other items
//! are the records, each an object with the same keys as a line of a trace in JSON lines. Where `first` is not
//! what follows from the message before, records are missing, and the next snapshot makes the stream whole.

use std::fmt;

use bt_core::trace::Record;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The header before a message of records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The id of the agent.
    pub agent: String,
    /// The number of the first record in the agent's stream, from 0.
    pub first: u64,
}

/// A message of records, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The agent that they are of.
    pub header: Header,
    /// The records.
    pub records: Vec<Record<'static>>,
}

impl Frame {
    /// Reads a message.
    ///
    /// # Errors
    /// If it is no message of records.
    pub fn read(bytes: &[u8]) -> Result<Frame, FrameError> {
        rmp_serde::from_slice(bytes).map_err(|error| FrameError(error.to_string()))
    }
}

impl<'de> Deserialize<'de> for Frame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Frame, D::Error> {
        struct Items;

        impl<'de> Visitor<'de> for Items {
            type Value = Frame;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of a header and records")
            }

            fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<Frame, S::Error> {
                let header = items.next_element()?;
                let header = header.ok_or_else(|| serde::de::Error::invalid_length(0, &self))?;
                let mut records = Vec::new();
                while let Some(record) = items.next_element()? {
                    records.push(record);
                }
                Ok(Frame { header, records })
            }
        }

        deserializer.deserialize_seq(Items)
    }
}

/// Bytes that are no message of records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameError(String);

#[cfg(feature = "client")]
impl FrameError {
    pub(crate) fn new(why: &str) -> FrameError {
        FrameError(why.to_owned())
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no message of records: {}", self.0)
    }
}

impl std::error::Error for FrameError {}
