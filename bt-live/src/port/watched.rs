//! The agents whose records somebody wants or counts, and how these get them.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::debug::Profile;
use tungstenite::Bytes;

use super::encode::message;
use super::game::{Game, Subject};
use super::limits::{FOLLOWED, KEYFRAME};
use super::outlets::Outlets;
use super::tracer::{PortTracer, SharedBuffer, SharedProfile};
use crate::protocol::frame::Header;
use crate::protocol::types::{Despawned, Dropped, Statistics};
use crate::protocol::{Error, ErrorCode, Event};
use crate::recording::Span;

/// The agents that are followed or profiled, by their ids.
#[derive(Default)]
pub(super) struct Watched {
    agents: BTreeMap<u64, Stream>,
    pub(super) profiling: Option<Profiling>,
}

/// The records of one agent.
#[derive(Default)]
struct Stream {
    buffer: SharedBuffer,
    /// The number of the next record.
    next: u64,
    /// How many records there were since the last snapshot.
    since_key: u32,
    followers: BTreeSet<u64>,
    /// Those of them that keep the records: a snapshot comes now and then, and the records explain.
    keepers: BTreeSet<u64>,
    /// Who waits for a snapshot, and how many records it missed.
    missed: BTreeMap<u64, u64>,
    profile: Option<SharedProfile>,
    /// Whether its tracer is to be another: somebody wants more or less of it.
    is_stale: bool,
}

impl Stream {
    /// Puts a tracer with an empty buffer in place of the one that there is: its first record is a snapshot. What
    /// the old buffer has is given back.
    fn retrace(&mut self, agent: &mut dyn Subject) -> SharedBuffer {
        let host = agent.set_tracer(None).and_then(PortTracer::host_of);
        let old = std::mem::take(&mut self.buffer);
        let tracer = PortTracer {
            buffer: self.buffer.clone(),
            host,
            encodes: !self.followers.is_empty(),
            explains: !self.keepers.is_empty(),
            profile: self.profile.clone(),
        };
        agent.set_tracer(Some(Box::new(tracer)));
        self.is_stale = false;
        old
    }

    /// Whether somebody needs a snapshot, and has room for it.
    fn wants_key(&self, outlets: &Outlets) -> bool {
        let mut missed = self.missed.keys();
        missed.any(|follower| outlets.has_room(*follower))
            || (self.since_key >= KEYFRAME && !self.keepers.is_empty())
    }

    /// Hands out what a buffer has.
    fn hand_out(
        &mut self,
        id: u64,
        buffer: &SharedBuffer,
        is_key: bool,
        outlets: &mut Outlets,
        statistics: &mut Statistics,
    ) {
        let taken = std::mem::take(&mut *buffer.lock());
        if taken.records > 0 {
            let span = Span {
                agent: id,
                from: taken.from,
                to: taken.to,
                records: taken.records,
                is_key,
            };
            let header = Header {
                agent: id.to_string(),
                first: self.next,
            };
            let message = Bytes::from(message(&header, taken.records, &taken.bytes));
            self.send(span, &message, outlets, statistics);
            self.next += u64::from(taken.records);
            self.since_key = match is_key {
                true => taken.records,
                false => self.since_key.saturating_add(taken.records),
            };
        }
        if taken.dropped > 0 {
            self.next += taken.dropped;
            statistics.dropped += taken.dropped;
            for follower in &self.followers {
                *self.missed.entry(*follower).or_default() += taken.dropped;
            }
        }
    }

    fn send(
        &mut self,
        span: Span,
        message: &Bytes,
        outlets: &mut Outlets,
        statistics: &mut Statistics,
    ) {
        let records = u64::from(span.records);
        for follower in &self.followers {
            let missed = self.missed.get(follower).copied();
            let waits = missed.is_some() && !span.is_key;
            if waits || !outlets.records(*follower, span, message) {
                *self.missed.entry(*follower).or_default() += records;
                statistics.dropped += records;
                continue;
            }
            statistics.records += records;
            statistics.bytes += message.len() as u64;
            self.missed.remove(follower);
            if let Some(records) = missed.filter(|missed| *missed > 0) {
                let agent = span.agent.to_string();
                outlets.tell(*follower, &Event::Dropped(Dropped { agent, records }));
            }
        }
    }
}

impl Watched {
    pub(super) fn len(&self) -> usize {
        let followed = self.agents.values();
        let followed = followed.filter(|stream| !stream.followers.is_empty());
        followed.count()
    }

    /// Lets somebody follow an agent, from a snapshot on; and keep its records, if that is wanted.
    pub(super) fn follow(
        &mut self,
        follower: u64,
        id: u64,
        keeps: bool,
        game: &mut dyn Game,
    ) -> Result<(), Error> {
        let followed = self.agents.values();
        let followed = followed.filter(|stream| stream.followers.contains(&follower));
        if followed.count() >= FOLLOWED {
            let why = format!("nobody follows more than {FOLLOWED} agents at a time");
            return Err(Error::new(ErrorCode::Limit, why));
        }
        if !game.look(id, &mut |_| {}) {
            return Err(unknown_agent(&id.to_string()));
        }
        let stream = self.agents.entry(id).or_default();
        stream.is_stale |= stream.followers.is_empty();
        if stream.followers.insert(follower) {
            // It gets everything from the next snapshot on.
            stream.missed.insert(follower, 0);
        }
        if keeps && stream.keepers.insert(follower) {
            stream.is_stale = true;
        }
        Ok(())
    }

    /// Somebody follows an agent no more.
    pub(super) fn unfollow(&mut self, follower: u64, id: u64, game: &mut dyn Game) {
        let Some(stream) = self.agents.get_mut(&id) else {
            return;
        };
        stream.followers.remove(&follower);
        stream.missed.remove(&follower);
        let kept = stream.keepers.remove(&follower) && stream.keepers.is_empty();
        stream.is_stale |= kept || stream.followers.is_empty();
        self.release(id, game);
    }

    /// Gives an agent its own tracer back, if nobody wants its records or counts.
    fn release(&mut self, id: u64, game: &mut dyn Game) {
        let stream = self.agents.get(&id);
        if stream.is_some_and(|it| it.followers.is_empty() && it.profile.is_none()) {
            self.agents.remove(&id);
            game.change(id, &mut |agent| {
                let host = agent.set_tracer(None).and_then(PortTracer::host_of);
                agent.set_tracer(host);
            });
        }
    }

    /// Somebody follows nobody any more, and has no profile.
    pub(super) fn leave(&mut self, follower: u64, game: &mut dyn Game) {
        let profiling = self.profiling.as_ref();
        if profiling.is_some_and(|profiling| profiling.client == follower) {
            self.stop_profile(game);
        }
        let ids: Vec<u64> = self.agents.keys().copied().collect();
        for id in ids {
            self.unfollow(follower, id, game);
        }
    }

    /// Hands out the records that there are since this was done last.
    pub(super) fn hand_out(
        &mut self,
        game: &mut dyn Game,
        outlets: &mut Outlets,
        statistics: &mut Statistics,
    ) {
        let mut gone = Vec::new();
        for (id, stream) in &mut self.agents {
            let buffer = stream.buffer.clone();
            // Two: this one and the stream's.
            let is_lost = buffer.is_held_by(2);
            stream.hand_out(*id, &buffer, false, outlets, statistics);
            if !is_lost && !stream.is_stale && !stream.wants_key(outlets) {
                continue;
            }
            let mut old = None;
            let is_there = game.change(*id, &mut |agent| old = Some(stream.retrace(agent)));
            match old {
                Some(old) if is_there => {
                    stream.hand_out(*id, &old, false, outlets, statistics);
                    let buffer = stream.buffer.clone();
                    stream.hand_out(*id, &buffer, true, outlets, statistics);
                }
                _ => gone.push(*id),
            }
        }
        for id in gone {
            let stream = self.agents.remove(&id).unwrap_or_default();
            if let (Some(profiling), Some(counted)) = (&mut self.profiling, &stream.profile) {
                profiling.gone.merge(&counted.lock());
            }
            for follower in stream.followers {
                let agent = id.to_string();
                outlets.tell(follower, &Event::Despawned(Despawned { agent }));
            }
        }
    }
}

impl Watched {
    /// Counts what agents do from now on, from zero.
    pub(super) fn profile(
        &mut self,
        client: u64,
        ids: impl IntoIterator<Item = u64>,
        game: &mut dyn Game,
    ) {
        self.stop_profile(game);
        for id in ids {
            let stream = self.agents.entry(id).or_default();
            stream.profile = Some(SharedProfile::new());
            stream.is_stale = true;
        }
        self.profiling = Some(Profiling {
            client,
            gone: Profile::default(),
        });
    }

    /// What was counted, and of how many agents that there still are; none if nothing is.
    pub(super) fn profiled(&self) -> Option<(usize, Profile)> {
        let mut sum = self.profiling.as_ref()?.gone.clone();
        let counted = self.agents.values();
        let counted = counted.filter_map(|stream| stream.profile.as_ref());
        let agents = counted.map(|profile| sum.merge(&profile.lock())).count();
        Some((agents, sum))
    }

    /// How often nodes of an agent failed since the profile was started, if there is one.
    pub(super) fn failures(&self, id: u64) -> Option<u64> {
        let profile = self.agents.get(&id)?.profile.as_ref()?.lock();
        Some(profile.nodes().map(|(_, _, node)| node.failed).sum())
    }

    /// Counts no more.
    pub(super) fn stop_profile(&mut self, game: &mut dyn Game) {
        self.profiling = None;
        let ids: Vec<u64> = self.agents.keys().copied().collect();
        for id in ids {
            if let Some(stream) = self.agents.get_mut(&id) {
                stream.is_stale |= stream.profile.take().is_some();
            }
            self.release(id, game);
        }
    }
}

/// The profile that there is: one for all clients.
pub(super) struct Profiling {
    /// Who started it.
    client: u64,
    /// What agents did that are no more.
    gone: Profile,
}

pub(super) fn unknown_agent(id: &str) -> Error {
    let id: String = id.chars().take(60).collect();
    Error::unknown(format!("there is no agent {id:?}"))
}
