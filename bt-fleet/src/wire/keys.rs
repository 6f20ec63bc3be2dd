//! The keys of a fleet: who is there, who owns what, and what somebody requested.

use serde::{Deserialize, Serialize};

/// The subject of a member, of a shard, of a request to a member, and of one to move a shard.
pub(crate) fn member(name: &str) -> String {
    format!("member.{name}")
}

pub(crate) fn shard(shard: u32) -> String {
    format!("shard.{shard}")
}

pub(crate) fn drain(name: &str) -> String {
    format!("drain.{name}")
}

pub(crate) fn pin(shard: u32) -> String {
    format!("pin.{shard}")
}

/// The subject of the version of published trees.
pub(crate) const TREES: &str = "trees.current";

/// A key, and what it stands for.
#[derive(Debug)]
pub(crate) enum Subject<'s> {
    Member(&'s str),
    Shard(u32),
    Drain(&'s str),
    Pin(u32),
    /// The version of the trees that were published last.
    Trees,
    /// Of a newer version.
    Unknown,
}

impl<'s> Subject<'s> {
    pub(crate) fn of(subject: &'s str) -> Subject<'s> {
        let number = |text: &str| text.parse().ok();
        match subject.split_once('.') {
            Some(("member", name)) => Subject::Member(name),
            Some(("drain", name)) => Subject::Drain(name),
            Some(("shard", text)) => number(text).map_or(Subject::Unknown, Subject::Shard),
            Some(("pin", text)) => number(text).map_or(Subject::Unknown, Subject::Pin),
            Some(("trees", "current")) => Subject::Trees,
            Some(_) | None => Subject::Unknown,
        }
    }
}

/// A member, as it says of itself with each renewal of its lease.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct MemberKey {
    /// Another one each time a process starts.
    pub(crate) incarnation: u64,
    /// The version of its trees.
    pub(crate) version: u64,
    pub(crate) phase: Phase,
    pub(crate) agents: u64,
    /// The address of its debug port, never the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) port: Option<String>,
    pub(crate) metrics: crate::Metrics,
}

/// The part that a member takes in its fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// It owns shards.
    Active,
    /// It hands its shards over.
    Draining,
    /// It has none, and wants none.
    Left,
}

/// The owner of a shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ShardKey {
    /// None if it was handed over.
    pub(crate) owner: Option<(String, u64)>,
    /// The version of the trees of its last owner.
    pub(crate) version: u64,
}
