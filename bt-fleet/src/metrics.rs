//! The deeds of a member in numbers.

use serde::{Deserialize, Serialize};

/// Counts of what a member has done since it started; times in microseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metrics {
    /// Inputs that were applied. One is applied again if what it did was not saved.
    pub inputs: u64,
    /// Inputs that were refused, because nobody has the key, or for another fault of theirs.
    pub refused_inputs: u64,
    /// Effects of other shards that had come before.
    pub repeated_effects: u64,
    /// Saves that were accepted.
    pub saves: u64,
    /// Their bytes.
    pub saved_bytes: u64,
    /// The agents in them.
    pub saved_agents: u64,
    /// Saves and epochs that were refused because somebody else has the shard.
    pub refused_saves: u64,
    /// Writes that were not answered, and had been stored: found by reading them back.
    pub read_back: u64,
    /// Requests of any kind that were not answered.
    pub unanswered: u64,
    /// Shards that were taken over or moved here.
    pub taken: u64,
    /// Shards that were handed over.
    pub handed: u64,
    /// Shards that were lost to somebody else.
    pub lost: u64,
    /// Rounds in which shards stood still because the lease was not renewed in time.
    pub stood: u64,
    /// Agents that cannot be restored here; they are kept as they were saved.
    pub stranded: u64,
    /// Effects that were sent to other shards, and lines to logs.
    pub effects: u64,
    /// Time spent on applying inputs, on polls, and on making saves.
    pub apply_us: u64,
    /// See `apply_us`.
    pub poll_us: u64,
    /// See `apply_us`.
    pub save_us: u64,
}
