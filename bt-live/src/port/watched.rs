//! The agents whose records somebody wants or counts, and how these get them.
//!
//! What is wanted is noted at once. A sweep over the agents, some in each poll, hands out their records, and puts
//! tracers in place and takes them away.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::debug::Profile;
use tungstenite::Bytes;

use super::answers::unknown_agent;
use super::encode::message;
use super::game::{Game, Subject};
use super::limits::{FOLLOWED, KEYFRAME};
use super::outlets::Outlets;
use super::task::Clock;
use super::tracer::{Buffered, PortTracer, SharedBuffer, SharedProfile, Taken};
use crate::protocol::frame::Header;
use crate::protocol::types::{Despawned, Dropped, Statistics};
use crate::protocol::{Error, ErrorCode, Event};
use crate::recording::Span;

/// The agents that are followed or profiled, by their ids.
#[derive(Default)]
pub(super) struct Watched {
    agents: BTreeMap<u64, Stream>,
    pub(super) profiling: Option<Profiling>,
    /// The number of agents that each follower follows.
    following: BTreeMap<u64, usize>,
    buffered: Buffered,
    /// The id of the next agent.
    next: u64,
}

/// The records of one agent.
struct Stream {
    buffer: SharedBuffer,
    /// The number of the next record.
    next: u64,
    /// The number of records since the last snapshot.
    since_key: u32,
    followers: BTreeSet<u64>,
    /// Those of them that keep the records: a snapshot comes now and then, and the records explain.
    keepers: BTreeSet<u64>,
    /// The followers that wait for a snapshot, and the number of records that each missed.
    missed: BTreeMap<u64, u64>,
    profile: Option<SharedProfile>,
    /// True if its tracer is to be another: somebody wants more or less of it.
    is_stale: bool,
}

/// The state of an agent's stream.
enum Found {
    Goes,
    /// Nobody wants it any more.
    Unwanted,
    /// The agent is no more.
    Gone,
}

impl Stream {
    fn new(buffered: &Buffered) -> Stream {
        Stream {
            buffer: SharedBuffer::new(buffered),
            next: 0,
            since_key: 0,
            followers: BTreeSet::new(),
            keepers: BTreeSet::new(),
            missed: BTreeMap::new(),
            profile: None,
            is_stale: false,
        }
    }

    fn is_wanted(&self) -> bool {
        !self.followers.is_empty() || self.profile.is_some()
    }

    /// Puts a tracer with an empty buffer in place of the one that there is: its first record is a snapshot. What
    /// the old buffer has is given back.
    fn retrace(&mut self, agent: &mut dyn Subject, buffered: &Buffered) -> SharedBuffer {
        let host = agent.set_tracer(None).and_then(PortTracer::host_of);
        let old = std::mem::replace(&mut self.buffer, SharedBuffer::new(buffered));
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

    /// Returns true if somebody needs a snapshot, and has room for it.
    fn wants_key(&self, outlets: &Outlets) -> bool {
        let mut missed = self.missed.keys();
        missed.any(|follower| outlets.has_room(*follower))
            || (self.since_key >= KEYFRAME && !self.keepers.is_empty())
    }

    /// Hands out what there is, and puts the tracer in place that is wanted.
    fn look(
        &mut self,
        id: u64,
        buffered: &Buffered,
        game: &mut dyn Game,
        outlets: &mut Outlets,
        statistics: &mut Statistics,
    ) -> Found {
        if !self.is_wanted() {
            game.change(id, &mut |agent| {
                let host = agent.set_tracer(None).and_then(PortTracer::host_of);
                agent.set_tracer(host);
            });
            return Found::Unwanted;
        }
        // This one, and the tracer's.
        let is_lost = self.buffer.is_held_by(1);
        self.hand_out(id, outlets, statistics);
        if !is_lost && !self.is_stale && !self.wants_key(outlets) {
            return Found::Goes;
        }
        let mut old = None;
        let is_there = game.change(id, &mut |agent| old = Some(self.retrace(agent, buffered)));
        match old {
            Some(old) if is_there => {
                self.send_taken(id, old.take(), false, outlets, statistics);
                let begun = self.buffer.take();
                self.send_taken(id, begun, true, outlets, statistics);
                Found::Goes
            }
            _ => Found::Gone,
        }
    }

    /// Hands out what its buffer has.
    fn hand_out(&mut self, id: u64, outlets: &mut Outlets, statistics: &mut Statistics) {
        let taken = self.buffer.take();
        self.send_taken(id, taken, false, outlets, statistics);
    }

    fn send_taken(
        &mut self,
        id: u64,
        taken: Taken,
        is_key: bool,
        outlets: &mut Outlets,
        statistics: &mut Statistics,
    ) {
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

    /// Somebody follows it no more; whether somebody did.
    fn unfollow(&mut self, follower: u64) -> bool {
        let followed = self.followers.remove(&follower);
        self.missed.remove(&follower);
        let kept = self.keepers.remove(&follower) && self.keepers.is_empty();
        self.is_stale |= kept || self.followers.is_empty();
        followed
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
        let following = self.following.entry(follower).or_default();
        if *following >= FOLLOWED {
            let why = format!("nobody follows more than {FOLLOWED} agents at a time");
            return Err(Error::new(ErrorCode::Limit, why));
        }
        if !game.look(id, &mut |_| {}) {
            return Err(unknown_agent(&id.to_string()));
        }
        let new = || Stream::new(&self.buffered);
        let stream = self.agents.entry(id).or_insert_with(new);
        stream.is_stale |= stream.followers.is_empty();
        if stream.followers.insert(follower) {
            *following += 1;
            // It gets everything from the next snapshot on.
            stream.missed.insert(follower, 0);
        }
        if keeps && stream.keepers.insert(follower) {
            stream.is_stale = true;
        }
        Ok(())
    }

    /// Somebody follows an agent no more.
    pub(super) fn unfollow(&mut self, follower: u64, id: u64) {
        if let Some(stream) = self.agents.get_mut(&id)
            && stream.unfollow(follower)
            && let Some(following) = self.following.get_mut(&follower)
        {
            *following -= 1;
        }
    }

    /// Somebody follows nobody any more, and has no profile.
    pub(super) fn leave(&mut self, follower: u64) {
        let profiling = self.profiling.as_ref();
        if profiling.is_some_and(|profiling| profiling.client == follower) {
            self.stop_profile();
        }
        if self.following.remove(&follower).is_some() {
            for stream in self.agents.values_mut() {
                stream.unfollow(follower);
            }
        }
    }

    /// Hands out the records that there are since this was done last: of all agents, or of as many as there is time
    /// for.
    pub(super) fn hand_out(
        &mut self,
        game: &mut dyn Game,
        outlets: &mut Outlets,
        statistics: &mut Statistics,
        clock: Clock,
    ) {
        let mut over = Vec::new();
        let later = self.agents.range(self.next..).map(|(id, _)| *id);
        let earlier = self.agents.range(..self.next).map(|(id, _)| *id);
        let (mut all, buffered) = (
            later.chain(earlier).collect::<Vec<_>>().into_iter(),
            &self.buffered,
        );
        for id in all.by_ref() {
            let Some(stream) = self.agents.get_mut(&id) else {
                continue;
            };
            match stream.look(id, buffered, game, outlets, statistics) {
                Found::Goes => {}
                Found::Unwanted => over.push((id, false)),
                Found::Gone => over.push((id, true)),
            }
            if clock.is_over() {
                break;
            }
        }
        self.next = all.next().unwrap_or(0);
        for (id, is_gone) in over {
            let stream = self.agents.remove(&id);
            if let Some(stream) = stream.filter(|_| is_gone) {
                self.end(id, stream, outlets);
            }
        }
    }

    /// The agent of a stream is no more.
    fn end(&mut self, id: u64, stream: Stream, outlets: &mut Outlets) {
        if let (Some(profiling), Some(counted)) = (&mut self.profiling, &stream.profile) {
            profiling.gone.merge(&counted.lock());
        }
        for follower in stream.followers {
            if let Some(following) = self.following.get_mut(&follower) {
                *following -= 1;
            }
            let agent = id.to_string();
            outlets.tell(follower, &Event::Despawned(Despawned { agent }));
        }
    }

    /// Hands out what there is for one of those who follow agents, to the last record.
    pub(super) fn hand_out_to(
        &mut self,
        follower: u64,
        outlets: &mut Outlets,
        statistics: &mut Statistics,
    ) {
        let all = self.agents.iter_mut();
        for (id, stream) in all.filter(|(_, stream)| stream.followers.contains(&follower)) {
            stream.hand_out(*id, outlets, statistics);
        }
    }
}

impl Watched {
    /// Counts from zero what agents do that are [named](Watched::count) from now on.
    pub(super) fn begin_profile(&mut self, client: u64) {
        self.stop_profile();
        self.profiling = Some(Profiling {
            client,
            gone: Profile::default(),
        });
    }

    /// Counts what an agent does, if something is counted at all.
    pub(super) fn count(&mut self, id: u64) {
        if self.profiling.is_some() {
            let new = || Stream::new(&self.buffered);
            let stream = self.agents.entry(id).or_insert_with(new);
            stream.profile = Some(SharedProfile::new());
            stream.is_stale = true;
        }
    }

    /// The counts of the next agent, from an id on.
    pub(super) fn next_counted(&self, from: u64) -> Option<(u64, SharedProfile)> {
        let mut later = self.agents.range(from..);
        later.find_map(|(id, stream)| Some((*id, stream.profile.clone()?)))
    }

    /// The number of times that nodes of an agent failed since the profile was started, if there is one.
    pub(super) fn failures(&self, id: u64) -> Option<u64> {
        let profile = self.agents.get(&id)?.profile.as_ref()?.lock();
        Some(profile.nodes().map(|(_, _, node)| node.failed).sum())
    }

    /// Counts no more.
    pub(super) fn stop_profile(&mut self) {
        if self.profiling.take().is_some() {
            for stream in self.agents.values_mut() {
                stream.is_stale |= stream.profile.take().is_some();
            }
        }
    }
}

/// The profile that there is: one for all clients.
pub(super) struct Profiling {
    /// The client that started it.
    client: u64,
    /// The counts of agents that are gone.
    pub(super) gone: Profile,
}
