//! How much one client, and all of them together, can ask for.

use std::time::Duration;

/// How many clients there can be at a time.
pub(super) const CLIENTS: usize = 16;

/// How many connections there can be that have not shown the token yet. When there is another, the oldest is closed.
pub(super) const STRANGERS: usize = 16;

/// How long a connection has to show the token.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// The longest message of somebody who has not shown the token yet, in bytes.
pub(super) const STRANGER_MESSAGE: usize = 4 << 10;

/// The longest message, in bytes.
pub(super) const MESSAGE: usize = 4 << 20;

/// How many requests of a client are read before their answers are written.
pub(super) const REQUESTS: usize = 64;

/// After how many bytes of them no more is read.
pub(super) const REQUEST_BYTES: usize = 4 << 20;

/// After which time a poll of the port answers no more requests: they wait for the next.
pub(super) const ANSWER_TIME: Duration = Duration::from_millis(2);

/// How many bytes of records and events wait for one client, before they are dropped.
pub(super) const WAITING_BYTES: usize = 8 << 20;

/// How many bytes wait for a recording's disk, before they are dropped.
pub(super) const RECORDER_BYTES: usize = 64 << 20;

/// After how many records a recording has a snapshot again.
pub(super) const KEYFRAME: u32 = 2_000;

/// How many bytes of a recording one request reads.
pub(super) const FETCHED: usize = 256 << 10;

/// How many agents one client can follow, and one recording have.
pub(super) const FOLLOWED: usize = 1_000;

/// How many agents one request looks at.
pub(super) const LOOKED_AT: usize = 10_000;

/// How many agents are on a page, at most and if nothing else is said.
pub(super) const PAGE: (u32, u32) = (1_000, 100);
