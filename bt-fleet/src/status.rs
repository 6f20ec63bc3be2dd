//! The members of a fleet, and the owner of each shard: for tools.

use std::collections::BTreeMap;
use std::time::Duration;

use bt_core::Agent;
use serde::{Deserialize, Serialize};

use crate::FleetError;
use crate::fleet::Fleet;
use crate::metrics::Metrics;
use crate::reply::{Reply, reply};
use crate::store::{Append, Read, StoreError, Stream};
use crate::wire::keys::{self, MemberKey, ShardKey, Subject};
use crate::wire::{read, write};

pub use crate::wire::keys::Phase;

/// The members and shards of a fleet, as they say of themselves.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The members by their names, those that have failed, too: their `renewal` stands still.
    pub members: BTreeMap<String, MemberStatus>,
    /// The owner of each shard that ever had one.
    pub shards: BTreeMap<u32, Option<String>>,
    /// The shards that somebody moved, with the member that has them then.
    pub moved: BTreeMap<u32, String>,
    /// The version of the trees that were published last.
    pub trees: Option<u64>,
}

/// A member, as it says of itself with each renewal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemberStatus {
    /// The number of its last renewal.
    pub renewal: u64,
    /// The part that it takes.
    pub phase: Phase,
    /// The version of its trees.
    pub version: u64,
    /// The number of its agents.
    pub agents: u64,
    /// The address of its debug port.
    pub port: Option<String>,
    /// Counts of what it has done.
    pub metrics: Metrics,
}

impl<A: Agent> Fleet<A> {
    /// The members, and the owners of shards; each answer of the servers takes at most so long.
    ///
    /// # Errors
    /// [`FleetError::is_unanswered`].
    pub fn status(&self, most: Duration) -> Result<Status, FleetError> {
        let mut status = Status::default();
        let mut after = 0;
        loop {
            let request = Read {
                stream: Stream::Keys,
                subject: ">".to_owned(),
                after,
                most: 256,
                wait: Duration::ZERO,
            };
            let messages = self.read(request, most)?;
            for message in &messages {
                after = message.seq;
                status.add(&message.subject, message.seq, &message.body);
            }
            if messages.len() < 256 {
                return Ok(status);
            }
        }
    }

    /// Moves a shard to a member and keeps it there while that member lives; None lets the fleet decide again.
    pub fn move_shard(&self, shard: u32, member: Option<&str>) -> Reply<u64> {
        if shard >= self.config().shards {
            let most = self.config().shards - 1;
            let text = format!("expected a shard from 0 to {most}, found {shard}");
            return Reply::given(Err(FleetError::invalid(text)));
        }
        self.request(keys::pin(shard), write(&member))
    }

    /// Requests that a member hands all its shards over, as [`Member::drain`](crate::Member::drain) does.
    pub fn drain(&self, member: &str) -> Reply<u64> {
        self.request(keys::drain(member), write(&true))
    }

    fn request(&self, subject: String, body: Vec<u8>) -> Reply<u64> {
        let message = Append {
            stream: Stream::Keys,
            subject,
            id: None,
            expect: None,
            body,
        };
        let (promise, reply) = reply();
        let done = move |answer: Result<u64, StoreError>| promise.give(answer.map_err(Into::into));
        self.store().append(message, Box::new(done));
        reply
    }
}

impl Status {
    fn add(&mut self, subject: &str, seq: u64, body: &[u8]) {
        match Subject::of(subject) {
            Subject::Member(name) => {
                if let Ok(key) = read::<MemberKey>(body) {
                    let member = MemberStatus {
                        renewal: seq,
                        phase: key.phase,
                        version: key.version,
                        agents: key.agents,
                        port: key.port,
                        metrics: key.metrics,
                    };
                    self.members.insert(name.to_owned(), member);
                }
            }
            Subject::Shard(shard) => {
                if let Ok(key) = read::<ShardKey>(body) {
                    self.shards.insert(shard, key.owner.map(|(name, _)| name));
                }
            }
            Subject::Pin(shard) => {
                if let Ok(Some(member)) = read::<Option<String>>(body) {
                    self.moved.insert(shard, member);
                }
            }
            Subject::Trees => self.trees = read(body).ok(),
            Subject::Drain(_) | Subject::Unknown => {}
        }
    }
}
