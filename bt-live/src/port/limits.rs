//! The limits of one client, and of all of them together.

use std::time::Duration;

/// The number of clients at a time.
pub(super) const CLIENTS: usize = 16;

/// The number of connections that have not shown the token yet. When there is another, the oldest is closed.
pub(super) const STRANGERS: usize = 16;

/// The time that a connection has to show the token.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);

/// The time that a closed connection has to take the reason.
pub(super) const FAREWELL: Duration = Duration::from_secs(1);

/// The longest message of somebody who has not shown the token yet, in bytes.
pub(super) const STRANGER_MESSAGE: usize = 4 << 10;

/// The longest message, in bytes.
pub(super) const MESSAGE: usize = 4 << 20;

/// The number of JSON values that a message has at most: each takes much more memory than its bytes.
pub(super) const VALUES: usize = 1 << 16;

/// The number of requests of a client that are read before their answers are written.
pub(super) const REQUESTS: usize = 64;

/// After how many bytes of them no more is read.
pub(super) const REQUEST_BYTES: usize = 4 << 20;

/// After how many bytes of answers that wait for one client it gets no more.
pub(super) const ANSWER_BYTES: usize = 1 << 20;

/// After which time a poll of the port answers no more requests: they wait for the next.
pub(super) const ANSWER_TIME: Duration = Duration::from_millis(2);

/// After which time a poll hands out no more records.
pub(super) const STREAM_TIME: Duration = Duration::from_millis(1);

/// After which time a poll looks at no more agents that a debugger wants something of.
pub(super) const DEBUG_TIME: Duration = Duration::from_millis(1);

/// The number of bytes of values that an answer shows, and of each of them.
pub(super) const SHOWN: (usize, usize) = (256 << 10, 16 << 10);

/// The number of bytes of a value that one page has.
pub(super) const VALUE_PAGE: usize = 64 << 10;

/// The number of entries that a list in an answer has, where each is one of an agent's.
pub(super) const LISTED: usize = 1_000;

/// The number of bytes of a tree's text, and the number of its nodes, that one page has.
pub(super) const TEXT_PAGE: (usize, usize) = (256 << 10, 4_000);

/// The number of bytes of values that a record shows, a snapshot, and each of their values.
pub(super) const RECORD_SHOWN: (usize, usize, usize) = (64 << 10, 192 << 10, 16 << 10);

/// The number of bytes that a record has at most; one that is longer is dropped.
pub(super) const RECORD: usize = 512 << 10;

/// The number of bytes of records and events that wait for one client, before they are dropped.
pub(super) const WAITING_BYTES: usize = 8 << 20;

/// The number of bytes of records of one agent, and of all, that there may be between two polls of the port.
pub(super) const BUFFERED: (usize, usize) = (256 << 10, 64 << 20);

/// The number of bytes that wait for the disk, of all recordings, before they are dropped.
pub(super) const RECORDER_BYTES: usize = 64 << 20;

/// The number of recordings that can run at a time.
pub(super) const RECORDINGS: usize = 16;

/// The number of recordings that the folder can have for another one to begin.
pub(super) const RECORDING_FILES: usize = 1_000;

/// After how many bytes a recording gets no more records.
pub(super) const RECORDING_BYTES: u64 = 4 << 30;

/// After how many records a recording has a snapshot again.
pub(super) const KEYFRAME: u32 = 2_000;

/// The number of bytes of a recording that one request reads.
pub(super) const FETCHED: usize = 256 << 10;

/// The number of agents that one client can follow, and that one recording can have.
pub(super) const FOLLOWED: usize = 1_000;

/// The number of agents that one request reads.
pub(super) const LOOKED_AT: usize = 10_000;

/// The number of agents that are on a page, at most and if nothing else is said.
pub(super) const PAGE: (u32, u32) = (1_000, 100);

/// The number of breakpoints that all clients can have together.
pub(super) const BREAKPOINTS: usize = 1_000;

/// The number of them that can be about the same node or name, and the number that can count their hits and
/// be for all agents.
pub(super) const BREAKPOINTS_AT_ONE: usize = 16;
pub(super) const COUNTING_BREAKPOINTS: usize = 100;

/// The number of agents that all of them can name, one by one.
pub(super) const BREAKPOINT_AGENTS: usize = 10_000;

/// The number of bytes that the texts of all of them can have.
pub(super) const BREAKPOINT_BYTES: usize = 256 << 10;

/// The longest name of a key, an event or a tree that a client can make up, in bytes.
pub(super) const NAME: usize = 1_000;

/// The number of bytes of values that clients can put into all agents.
pub(super) const WRITTEN_BYTES: usize = 64 << 20;

/// The number of keys, properties and nodes of one agent that clients can change.
pub(super) const WRITTEN: usize = 1_000;

/// The number of bytes of the texts of all trees, and the number of trees, that there can be after a reload.
pub(super) const TEXT_BYTES: usize = 64 << 20;
pub(super) const TREES: usize = 10_000;
