//! The servers, as a fleet needs them: streams of messages, of which the last one of a subject can be expected.
//!
//! Everything else stands on that: a chain of saves that a second writer breaks, keys that change by compare-and-set (a
//! subject of which the last message counts), inputs in their order. [`Memory`] does it for one process; a server
//! does it for many (feature `nats`).

mod memory;
mod net;

use std::fmt;
use std::time::Duration;

pub use memory::Memory;
pub use net::{Faults, Link, Net};

/// One of the streams of a fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stream {
    /// Everything that reaches agents: the subject `in.N` for each shard.
    Inputs,
    /// The chain of each shard's saves: `save.N`.
    Saves,
    /// Members, and owners of shards: of each subject the last message alone is kept.
    Keys,
    /// Refusals, for whoever sent the input, and the logs of outboxes.
    Out,
}

impl Stream {
    /// All of them.
    pub const ALL: [Stream; 4] = [Stream::Inputs, Stream::Saves, Stream::Keys, Stream::Out];

    /// The name of the stream after that of the fleet.
    pub fn name(self) -> &'static str {
        match self {
            Stream::Inputs => "inputs",
            Stream::Saves => "saves",
            Stream::Keys => "keys",
            Stream::Out => "out",
        }
    }
}

/// A message to be stored.
#[derive(Debug, Clone)]
pub struct Append {
    /// The stream.
    pub stream: Stream,
    /// The subject, such as `save.7`.
    pub subject: String,
    /// A message of an id that was stored in the last two minutes is not stored again.
    pub id: Option<String>,
    /// The number of the subject's last message, 0 for none; with another one it is refused as stale.
    pub expect: Option<u64>,
    /// The message, at most [`MOST_BYTES`].
    pub body: Vec<u8>,
}

/// The most bytes of a message.
pub const MOST_BYTES: usize = 1 << 20;

/// A request for messages after a number; one that waits until there are some.
#[derive(Debug, Clone)]
pub struct Read {
    /// The stream.
    pub stream: Stream,
    /// The subject, or `>` for all.
    pub subject: String,
    /// Messages with higher numbers, in their order.
    pub after: u64,
    /// The most messages of the answer.
    pub most: usize,
    /// The longest time until an answer without messages.
    pub wait: Duration,
}

/// A message that is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its subject.
    pub subject: String,
    /// Its number in the stream, from 1, in the order in which messages were stored.
    pub seq: u64,
    /// Its id, if it has one.
    pub id: Option<String>,
    /// Its content.
    pub body: Vec<u8>,
}

/// The reason for which a request of a store has no other answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// The subject's last message is not the one that was expected: nothing was stored by this request.
    Stale,
    /// No answer came: it may have happened.
    Unanswered(String),
    /// It was refused: the stream is full, or the message too large.
    Refused(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Stale => f.write_str("somebody else wrote meanwhile"),
            StoreError::Unanswered(why) => write!(f, "the servers did not answer: {why}"),
            StoreError::Refused(why) => write!(f, "the servers refused it: {why}"),
        }
    }
}

/// Called once with the answer, on any thread.
pub type Done<T> = Box<dyn FnOnce(Result<T, StoreError>) + Send>;

/// Streams of messages on a server, or in memory. No call waits: each is answered later, within a bounded time.
pub trait Store: Send + Sync + 'static {
    /// Stores a message; the answer is its number, that of the first one if it was stored already.
    fn append(&self, message: Append, done: Done<u64>);

    /// Reads messages. An answer without any means that none came in time.
    fn read(&self, read: Read, done: Done<Vec<Message>>);

    /// The last message of a subject, as whoever accepts the next one knows it.
    fn last(&self, stream: Stream, subject: String, done: Done<Option<Message>>);

    /// Removes the messages of a subject whose numbers are lower.
    fn purge(&self, stream: Stream, subject: String, before: u64, done: Done<()>);
}
