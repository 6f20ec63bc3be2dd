//! The others, as a member knows them: the keys of the fleet, and since when nobody has renewed them.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::key::weight;
use crate::store::Message;
use crate::wire::keys::{MemberKey, Phase, ShardKey, Subject};
use crate::wire::read;

/// The keys, as the store's messages say them.
#[derive(Debug, Default)]
pub(super) struct View {
    /// The last message that was read.
    pub(super) after: u64,
    /// True once all keys that there were at the start have been read.
    pub(super) complete: bool,
    members: BTreeMap<String, Seen<MemberKey>>,
    shards: BTreeMap<u32, (u64, ShardKey)>,
    drains: BTreeMap<String, u64>,
    pins: BTreeMap<u32, String>,
    trees: Option<u64>,
    /// The time in which this member's own renewals came back to it: what was silent for as long as that is gone,
    /// while a member that is cut off itself learns nothing about others.
    heard: Duration,
}

/// A key, with its last message and when that came.
#[derive(Debug)]
struct Seen<T> {
    seq: u64,
    at: Duration,
    value: T,
}

impl View {
    /// Reads a key.
    pub(super) fn add(&mut self, message: &Message) {
        self.after = self.after.max(message.seq);
        let (seq, at) = (message.seq, self.heard);
        match Subject::of(&message.subject) {
            Subject::Member(name) => {
                if let Ok(value) = read(&message.body) {
                    self.members
                        .insert(name.to_owned(), Seen { seq, at, value });
                }
            }
            Subject::Shard(shard) => {
                if let Ok(value) = read(&message.body) {
                    self.own(shard, seq, value);
                }
            }
            Subject::Drain(name) => {
                let wanted = read(&message.body) == Ok(true);
                self.drains.remove(name);
                self.drains.extend(wanted.then(|| (name.to_owned(), seq)));
            }
            Subject::Pin(shard) => {
                self.pins.remove(&shard);
                let member: Option<String> = read(&message.body).unwrap_or_default();
                self.pins.extend(member.map(|member| (shard, member)));
            }
            Subject::Trees => self.trees = read(&message.body).ok().or(self.trees),
            Subject::Unknown => {}
        }
    }

    /// The version of the trees that were published last.
    pub(super) fn trees(&self) -> Option<u64> {
        self.trees
    }

    /// Learns the owner of a shard, from the store or from an answer to a request of one's own.
    pub(super) fn own(&mut self, shard: u32, seq: u64, value: ShardKey) {
        let there = self.shards.get(&shard);
        if there.is_none_or(|(before, _)| *before < seq) {
            self.shards.insert(shard, (seq, value));
        }
    }

    /// This member's renewal came back, so long after the one before.
    pub(super) fn hear(&mut self, passed: Duration) {
        self.heard += passed;
    }

    /// The number of the last message of a member, and what it says.
    pub(super) fn member(&self, name: &str) -> Option<(u64, &MemberKey)> {
        self.members.get(name).map(|seen| (seen.seq, &seen.value))
    }

    /// The number of the last message about a shard, 0 for none.
    pub(super) fn shard(&self, shard: u32) -> (u64, Option<&ShardKey>) {
        let there = self.shards.get(&shard);
        there.map_or((0, None), |(seq, key)| (*seq, Some(key)))
    }

    /// The number of the last request to drain a member.
    pub(super) fn drain(&self, name: &str) -> Option<u64> {
        self.drains.get(name).copied()
    }

    fn lives(&self, seen: &Seen<MemberKey>, lease: Duration) -> bool {
        seen.value.phase != Phase::Left && self.heard.saturating_sub(seen.at) <= lease
    }

    /// Returns true if a shard is nobody's, or its owner has been silent for longer than the lease.
    pub(super) fn is_free(&self, shard: u32, lease: Duration) -> bool {
        let Some((_, ShardKey { owner, .. })) = self.shards.get(&shard) else {
            return true;
        };
        let Some((name, incarnation)) = owner else {
            return true;
        };
        let member = self.members.get(name);
        let member = member.filter(|seen| seen.value.incarnation == *incarnation);
        member.is_none_or(|seen| !self.lives(seen, lease))
    }

    /// The member that should own a shard: whoever it was moved to, or the one with the highest weight of those that
    /// are there, take part, and have trees that are not older than those of its last owner.
    pub(super) fn wanted(&self, shard: u32, lease: Duration) -> Option<&str> {
        let least = self.shards.get(&shard).map_or(0, |(_, key)| key.version);
        let fits = |seen: &Seen<MemberKey>| {
            let member = &seen.value;
            member.phase == Phase::Active && member.version >= least && self.lives(seen, lease)
        };
        let pinned = self.pins.get(&shard);
        let pinned = pinned.filter(|name| self.members.get(*name).is_some_and(fits));
        if let Some(name) = pinned {
            return Some(name);
        }
        let all = self.members.iter().filter(|(_, seen)| fits(seen));
        let best = all.max_by_key(|(name, _)| weight(name, shard));
        best.map(|(name, _)| name.as_str())
    }
}
