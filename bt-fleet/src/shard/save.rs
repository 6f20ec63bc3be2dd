//! Saves: what changed, as the next links of the shard's chain.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use bt_core::Agent;
use bt_core::pool::AgentId;
use serde::Serialize;

use super::restore::RecordRef;
use super::{Env, Live, Next};
use crate::key::Key;
use crate::member::{Backoff, Step};
use crate::store::{Message, StoreError, Stream};
use crate::wire::chain::{Link, Save};
use crate::wire::{Blob, pack, write};

/// The bytes of agents in a message, before they are packed: it stays below what servers take, whatever it is.
const MOST: usize = 700 << 10;

/// A shard of which nothing changes is saved this many times more rarely, so that its clock is known.
const RARELY: u32 = 8;

/// The saves of a shard that runs here.
pub(super) struct Saving {
    epoch: u64,
    /// The last link of the chain.
    chain: u64,
    /// The number of the last save.
    number: u64,
    /// The last input in a save that was accepted.
    last: u64,
    flight: Option<Flight>,
    next: Duration,
    at: Duration,
    retry: Backoff,
    /// Agents that have gone since the last save.
    gone: Vec<Key>,
}

/// A save on its way: one message after the other.
struct Flight {
    messages: VecDeque<Vec<u8>>,
    /// The number of those that were accepted.
    part: u32,
    /// The first of them.
    first: u64,
    waits: Waits,
    last: u64,
    effects: u64,
    agents: u64,
    bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waits {
    Answer,
    Retry,
}

impl Saving {
    pub(super) fn new(epoch: u64, number: u64, last: u64) -> Saving {
        Saving {
            epoch,
            chain: epoch,
            number,
            last,
            flight: None,
            next: Duration::ZERO,
            at: Duration::ZERO,
            retry: Backoff::default(),
            gone: Vec::new(),
        }
    }

    fn id(&self, shard: u32, part: u32) -> String {
        format!("save-{shard}-{}-{}-{part}", self.epoch, self.number)
    }

    /// Sends the next message of the save, or the same one again.
    fn send<A: Agent>(&mut self, env: &Env<'_, A>) {
        let Some(flight) = &mut self.flight else {
            return;
        };
        let Some(body) = flight.messages.front().cloned() else {
            return;
        };
        flight.waits = Waits::Answer;
        let part = flight.part;
        env.append_link(Step::Save, self.id(env.shard, part), self.chain, body);
    }
}

impl<A: Agent + Serialize> Live<A> {
    /// Saves what changed, if it is time.
    pub(super) fn save(&mut self, env: &mut Env<'_, A>) -> Next {
        if let Some(flight) = &self.saving.flight {
            if flight.waits == Waits::Retry && self.saving.retry.is_over(env.now) {
                self.saving.send(env);
            }
            return Next::Stay;
        }
        if !self.leaves && env.now < self.saving.next {
            return Next::Stay;
        }
        let changed = self.pool.take_changed();
        for id in &changed.gone {
            self.forget(*id);
        }
        let is_old = env.now >= self.saving.at + RARELY * env.settings.save_every;
        let is_changed = !changed.agents.is_empty()
            || !self.saving.gone.is_empty()
            || self.last != self.saving.last
            || self.outgoing.is_changed();
        if !is_changed && (self.leaves || !is_old) {
            self.saving.next = env.now + env.settings.save_every;
            return match self.leaves {
                true => Next::Free,
                false => Next::Stay,
            };
        }
        self.begin_save(env, &changed.agents);
        Next::Stay
    }

    fn begin_save(&mut self, env: &mut Env<'_, A>, changed: &[AgentId]) {
        let saving = &mut self.saving;
        saving.number += 1;
        (saving.at, saving.next) = (env.now, env.now + env.settings.save_every);
        let number = saving.number;
        let oldest = self.log.oldest();
        self.log.begin(number);
        let mut parts = Parts::default();
        let mut written = HashSet::new();
        for id in changed {
            if let Some(key) = self.keys.key(*id).cloned() {
                self.write_agent(env, *id, key.clone(), &mut parts);
                written.insert(key);
            }
        }
        for key in oldest {
            match (self.keys.id(&key), self.stranded.get(&key)) {
                _ if written.contains(&key) => {}
                (Some(id), _) => self.write_agent(env, id, key, &mut parts),
                (None, Some(blob)) => {
                    let blob = blob.clone();
                    self.log.write(&key, number);
                    parts.add(key, blob);
                }
                (None, None) => {}
            }
        }
        let (numbers, outbox, effects) = self.outgoing.for_save();
        let save = Save {
            epoch: self.saving.epoch,
            save: number,
            parts: parts.full.len() as u32,
            last: self.last,
            clock: self.pool.now().as_nanos() as u64,
            version: env.settings.version,
            gone: std::mem::take(&mut self.saving.gone),
            agents: parts.last,
            senders: self.senders.clone(),
            numbers,
            outbox,
        };
        let part = |agents| {
            pack(&Link::Part {
                save: number,
                agents,
            })
        };
        let mut messages: VecDeque<_> = parts.full.into_iter().map(part).collect();
        messages.push_back(pack(&Link::Save(Box::new(save))));
        self.saving.flight = Some(Flight {
            bytes: messages.iter().map(|body| body.len() as u64).sum(),
            messages,
            part: 0,
            first: 0,
            waits: Waits::Answer,
            last: self.last,
            effects,
            agents: parts.agents,
        });
        self.saving.send(env);
    }

    fn write_agent(&mut self, env: &mut Env<'_, A>, id: AgentId, key: Key, parts: &mut Parts) {
        let saved = match env.settings.describes {
            true => self.pool.save_agent(id),
            false => self.pool.save_agent_compact(id),
        };
        let (Some(saved), Some((agent, _))) = (saved, self.pool.get(id)) else {
            return;
        };
        let record = RecordRef {
            agent,
            ends: saved.ends(),
            clock: self.pool.now().as_nanos() as u64,
            runner: saved.runner(),
        };
        let bytes = write(&record);
        if bytes.is_empty() || bytes.len() > MOST {
            let (shard, len) = (env.shard, bytes.len());
            tracing::error!(
                target: "bt_fleet",
                "shard {shard}: agent `{key}` is not saved: expected at most {MOST} bytes, found {len}; it is kept as it was \
                 saved before"
            );
            return;
        }
        self.log.write(&key, self.saving.number);
        parts.add(key, Blob(bytes.into()));
    }
}

impl<A: Agent> Live<A> {
    /// Forgets an agent that has gone; the next save says so.
    pub(super) fn forget(&mut self, id: AgentId) {
        if let Some(key) = self.keys.remove(id) {
            self.log.remove(&key);
            self.saving.gone.push(key);
        }
    }

    /// The answer to a message of a save.
    pub(super) fn saved(&mut self, env: &mut Env<'_, A>, answer: Result<u64, StoreError>) -> Next {
        match answer {
            Ok(seq) => self.accepted(env, seq),
            Err(StoreError::Stale) => {
                env.calls
                    .last(env.tag(Step::Saved), Stream::Saves, env.chain());
            }
            Err(error) => self.save_later(env, &error),
        }
        Next::Stay
    }

    /// The last link, after a save was refused as stale: it may be the save, of an attempt that nobody answered.
    pub(super) fn read_back(
        &mut self,
        env: &mut Env<'_, A>,
        answer: Result<Option<Message>, StoreError>,
    ) -> Next {
        let part = self.saving.flight.as_ref().map_or(0, |flight| flight.part);
        let id = self.saving.id(env.shard, part);
        match answer {
            Ok(Some(last)) if last.id.as_deref() == Some(&*id) => {
                env.metrics.read_back += 1;
                self.accepted(env, last.seq);
                Next::Stay
            }
            Ok(Some(last)) if last.seq == self.saving.chain => {
                self.save_later(env, &StoreError::Stale);
                Next::Stay
            }
            Ok(_) => {
                env.metrics.refused_saves += 1;
                let (shard, epoch) = (env.shard, self.epoch);
                let member = &env.settings.name;
                tracing::warn!(
                    target: "bt_fleet",
                    "{member}, shard {shard}: a save of epoch {epoch} was refused: another member has taken the shard"
                );
                Next::Leave
            }
            Err(error) => {
                self.save_later(env, &error);
                Next::Stay
            }
        }
    }

    fn save_later(&mut self, env: &mut Env<'_, A>, error: &StoreError) {
        if let Some(flight) = &mut self.saving.flight {
            flight.waits = Waits::Retry;
        }
        env.note("it is not saved", error, &mut self.saving.retry);
    }

    fn accepted(&mut self, env: &mut Env<'_, A>, seq: u64) {
        let saving = &mut self.saving;
        saving.chain = seq;
        saving.retry.reset();
        let Some(flight) = &mut saving.flight else {
            return;
        };
        flight.messages.pop_front();
        flight.part += 1;
        if flight.first == 0 {
            flight.first = seq;
        }
        if !flight.messages.is_empty() {
            saving.send(env);
            return;
        }
        let Some(flight) = saving.flight.take() else {
            return;
        };
        saving.last = flight.last;
        self.log.stored(saving.number, flight.first);
        self.outgoing.saved(flight.effects);
        let metrics = &mut *env.metrics;
        metrics.saves += 1;
        metrics.saved_bytes += flight.bytes;
        metrics.saved_agents += flight.agents;
        if let Some(first) = self.log.purge() {
            env.calls.purge(Stream::Saves, env.chain(), first);
            let inputs = format!("in.{}", env.shard);
            env.calls.purge(Stream::Inputs, inputs, flight.last + 1);
        }
    }
}

/// The agents of a save, in as many messages as they need.
#[derive(Default)]
struct Parts {
    full: Vec<Vec<(Key, Blob)>>,
    last: Vec<(Key, Blob)>,
    bytes: usize,
    agents: u64,
}

impl Parts {
    fn add(&mut self, key: Key, blob: Blob) {
        if self.bytes + blob.0.len() > MOST {
            self.full.push(std::mem::take(&mut self.last));
            self.bytes = 0;
        }
        self.bytes += blob.0.len() + 250;
        self.agents += 1;
        self.last.push((key, blob));
    }
}
