//! Recordings: the records of some agents in a file.
//!
//! A file is eight bytes of magic and then chunks, each a letter, the length of the rest as four bytes (little
//! endian), and the rest. A chunk of records says from when to when it is and whether it begins with a
//! snapshot, so that a reader finds its way without the records themselves; a file that a crash cut off in the
//! middle of a chunk is read up to there.
//!
//! - `M`: what the game was, in JSON: [`About`].
//! - `A`: an agent, in JSON: [`AgentEntry`](crate::protocol::types::AgentEntry).
//! - `R`: [`Span`], then a binary message as a port sends it.

#[cfg(feature = "client")]
mod read;
#[cfg(feature = "port")]
mod recorder;
#[cfg(feature = "client")]
mod scan;
mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cfg(feature = "client")]
pub use read::{Part, Recording};
#[cfg(feature = "port")]
pub(crate) use recorder::Recorder;
#[cfg(feature = "client")]
pub use scan::{Head, Scan, fields, message, record, value, with_agent};
pub use write::Writer;

use crate::protocol::types::Welcome;

const MAGIC: &[u8; 8] = b"BTREC\x01\r\n";

/// The game that was recorded.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct About {
    /// The game's greeting.
    pub welcome: Welcome,
    /// The texts of the trees, by name.
    pub texts: BTreeMap<String, String>,
    /// Its catalogue.
    pub catalogue: Value,
}

/// The subject of a part: one message of records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// The id of the agent.
    pub agent: u64,
    /// The time of its first record, in nanoseconds of the game's clock.
    pub from: u64,
    /// The time of its last record.
    pub to: u64,
    /// The number of records.
    pub records: u32,
    /// True if the first is a snapshot.
    pub is_key: bool,
}

impl Span {
    const BYTES: usize = 29;

    fn write(self) -> [u8; Span::BYTES] {
        let mut bytes = [0; Span::BYTES];
        bytes[..8].copy_from_slice(&self.agent.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.from.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.to.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.records.to_le_bytes());
        bytes[28] = u8::from(self.is_key);
        bytes
    }

    #[cfg(feature = "client")]
    fn read(bytes: &[u8; Span::BYTES]) -> Span {
        let number = |from: usize| {
            let part = bytes[from..from + 8].try_into();
            u64::from_le_bytes(part.unwrap_or_default())
        };
        let records = [bytes[24], bytes[25], bytes[26], bytes[27]];
        Span {
            agent: number(0),
            from: number(8),
            to: number(16),
            records: u32::from_le_bytes(records),
            is_key: bytes[28] != 0,
        }
    }
}
