//! Records in binary messages.
//!
//! A message is one MessagePack array. Its first item is an object: `agent`, the id of the agent that the
//! records are about, and `first`, the number of the first record in the agent's stream, from 0. The other items
//! are the records, each an object with the same keys as a line of a trace in JSON lines. Where `first` is not
//! what follows from the message before, records are missing, and the next snapshot makes the stream whole.

use std::fmt;

use bt_core::trace::{Args, Leave, Place, Record, Role, What};
use rmp::encode::{write_array_len, write_bool, write_map_len, write_str, write_uint};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// What a message of records says before them.
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
    /// Whose they are.
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

    /// Writes a message of `count` records that are encoded already.
    pub(crate) fn write(header: &Header, count: u32, records: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(records.len() + header.agent.len() + 32);
        let written =
            write_array_len(&mut bytes, count + 1).and_then(|_| write_map_len(&mut bytes, 2));
        debug_assert!(written.is_ok(), "memory takes everything");
        text(&mut bytes, "agent");
        text(&mut bytes, &header.agent);
        text(&mut bytes, "first");
        uint(&mut bytes, header.first);
        bytes.extend_from_slice(records);
        bytes
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

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no message of records: {}", self.0)
    }
}

impl std::error::Error for FrameError {}

fn text(into: &mut Vec<u8>, text: &str) {
    let written = write_str(into, text);
    debug_assert!(written.is_ok(), "memory takes everything");
}

fn uint(into: &mut Vec<u8>, number: u64) {
    let written = write_uint(into, number);
    debug_assert!(written.is_ok(), "memory takes everything");
}

/// Adds a record to bytes that end with a whole one; they stay as they are if it cannot be written.
///
/// The most frequent records are written by hand, in a tenth of the time: byte by byte what serde writes.
pub(crate) fn write_record(into: &mut Vec<u8>, record: &Record<'_>) -> bool {
    let before = into.len();
    let written = match &record.what {
        What::PollBegin => begin(into, record, 1, "poll_begin"),
        What::NodeEnter => begin(into, record, 1, "node_enter"),
        What::NodeLeave { result, by: None } => {
            let begun = begin(into, record, 2, "node_leave");
            text(into, "result");
            text(into, leave(*result));
            begun
        }
        What::NodeAction { call, args, role } if let Some(role) = role_name(*role) => {
            let begun = begin(into, record, 4, "node_action");
            text(into, "call");
            text(into, call);
            text(into, "args");
            let written = arguments(into, args);
            text(into, "role");
            text(into, role);
            begun && written
        }
        What::Guard {
            call,
            args,
            not,
            number,
            own,
            holds,
        } => {
            let more = u32::from(*not) + u32::from(*number != 0) + u32::from(*own);
            let begun = begin(into, record, 4 + more, "guard");
            text(into, "call");
            text(into, call);
            text(into, "args");
            let written = arguments(into, args);
            if *not {
                flag(into, "not", true);
            }
            if *number != 0 {
                text(into, "number");
                uint(into, u64::from(*number));
            }
            if *own {
                flag(into, "own", true);
            }
            flag(into, "holds", *holds);
            begun && written
        }
        _ => rmp_serde::encode::write_named(into, record).is_ok(),
    };
    if !written {
        into.truncate(before);
    }
    written
}

/// What all records have, of an object with so many more keys than these.
fn begin(into: &mut Vec<u8>, record: &Record<'_>, more: u32, command: &str) -> bool {
    let place = match &record.at {
        Some(place) => 3 + u32::from(!place.name().is_empty()),
        None => 0,
    };
    let begun = write_map_len(into, 2 + place + more).is_ok();
    text(into, "ns");
    uint(into, record.ns);
    text(into, "poll");
    uint(into, u64::from(record.poll));
    if let Some(place) = &record.at {
        at(into, place);
    }
    text(into, "cmd");
    text(into, command);
    begun
}

fn at(into: &mut Vec<u8>, place: &Place<'_>) {
    text(into, "at");
    let begun = write_array_len(into, 2);
    debug_assert!(begun.is_ok(), "memory takes everything");
    let (run, idx) = place.key();
    uint(into, u64::from(run));
    uint(into, u64::from(idx));
    text(into, "tree");
    text(into, place.tree());
    text(into, "type");
    text(into, place.kind());
    if !place.name().is_empty() {
        text(into, "name");
        text(into, place.name());
    }
}

fn arguments(into: &mut Vec<u8>, args: &Args<'_>) -> bool {
    rmp_serde::encode::write_named(into, args).is_ok()
}

fn flag(into: &mut Vec<u8>, name: &str, value: bool) {
    text(into, name);
    let written = write_bool(into, value);
    debug_assert!(written.is_ok(), "memory takes everything");
}

fn leave(leave: Leave) -> &'static str {
    match leave {
        Leave::Success => "success",
        Leave::Failure => "failure",
        Leave::Aborted => "aborted",
    }
}

/// None of a role that is newer than this.
fn role_name(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Action => "action",
        Role::Condition => "condition",
        Role::Decorator => "decorator",
        Role::Effect => "effect",
        Role::Service => "service",
        Role::Resume => "resume",
        _ => return None,
    })
}
