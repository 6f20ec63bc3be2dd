//! A shard that runs here: its agents, and the rounds.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use bt_core::Agent;
use bt_core::pool::{Keys, Pool};
use bt_core::reload::Changes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::log::Log;
use super::outgoing::Outgoing;
use super::restore::Restoring;
use super::save::Saving;
use super::{Env, Next};
use crate::key::Key;
use crate::member::{Answer, Backoff, Step};
use crate::outbox;
use crate::store::{Message, Read, Stream};
use crate::wire::Blob;
use crate::wire::chain::Image;

/// The number of inputs that are requested at once.
const READ: usize = 500;

/// The time that the store keeps a request for inputs open.
const WAIT: Duration = Duration::from_secs(3);

/// A shard that runs here.
pub(crate) struct Live<A: Agent> {
    /// The number of the shard's key, as this member wrote it.
    pub(super) revision: u64,
    pub(super) epoch: u64,
    pub(super) pool: Pool<A>,
    pub(super) keys: Keys<Key>,
    /// Agents that cannot be restored here, as they were saved.
    pub(super) stranded: BTreeMap<Key, Blob>,
    pub(super) restoring: Restoring,
    pub(super) log: Log,
    pub(super) saving: Saving,
    pub(super) outgoing: Outgoing,
    /// The last effect from each shard.
    pub(super) senders: BTreeMap<u32, u64>,
    /// The last input that was applied.
    pub(super) last: u64,
    /// Inputs that were read.
    inputs: VecDeque<Message>,
    is_reading: bool,
    read_retry: Backoff,
    /// The shard's time at the start, and the host's then.
    began: Duration,
    host: Option<Duration>,
    /// True while it is to be handed over.
    pub(super) leaves: bool,
    confirmed: Confirmed,
}

/// The certainty that the shard's key is still this member's, after a time in which its lease was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Confirmed {
    Yes,
    No,
    Sent,
}

impl<A: Agent> Live<A> {
    /// The shard of an image; its agents come one after the other.
    pub(crate) fn new(revision: u64, image: Image) -> Live<A> {
        let Image {
            epoch,
            head,
            agents,
            saves,
            ..
        } = image;
        let mut log = Log::default();
        for (number, first) in saves {
            log.begin(number);
            log.stored(number, first);
        }
        // Without agents there is nobody whose time it is.
        let clock = if agents.is_empty() { 0 } else { head.clock };
        let began = Duration::from_nanos(clock);
        let mut pool = Pool::new();
        pool.follow_changes();
        // Its clock is the shard's before anybody is in it.
        pool.round(began, 1, |chunks| drop(chunks));
        Live {
            revision,
            epoch,
            pool,
            keys: Keys::new(),
            stranded: BTreeMap::new(),
            restoring: Restoring::new(agents),
            log,
            saving: Saving::new(epoch, head.save, head.last),
            outgoing: Outgoing::new(head.numbers, head.outbox),
            senders: head.senders,
            last: head.last,
            inputs: VecDeque::new(),
            is_reading: false,
            read_retry: Backoff::default(),
            began,
            host: None,
            leaves: false,
            confirmed: Confirmed::Yes,
        }
    }

    /// The shard's time at a time of the host's.
    fn clock(&mut self, host: Duration) -> Duration {
        // An empty shard begins at the host's time.
        if self.host.is_none() && self.began.is_zero() {
            self.began = host;
        }
        let from = *self.host.get_or_insert(host);
        self.began + host.saturating_sub(from)
    }

    /// The host's time of the next round that somebody needs; the host's time now, if it is due.
    pub(crate) fn next_wake(&self, host: Duration) -> Option<Duration> {
        if !self.inputs.is_empty() || !self.restoring.is_done() || self.host.is_none() {
            return Some(host);
        }
        let wake = self.pool.next_wake()?;
        Some(self.host? + wake.saturating_sub(self.began))
    }

    /// The lease was over: the key has to be written again before anybody is polled.
    pub(crate) fn doubt(&mut self) {
        if self.confirmed == Confirmed::Yes {
            self.confirmed = Confirmed::No;
        }
    }

    /// Moves its agents to changed trees. The shard's key is to say so, before members with older trees might take it.
    pub(crate) fn reload(&mut self, changes: &Changes<A>, budget: usize) {
        self.pool.reload(changes, budget);
        self.doubt();
    }

    /// The number of the last message about the shard, of which the caller knows that it names this member.
    pub(crate) fn confirm(&mut self, revision: u64) {
        if revision > self.revision {
            self.revision = revision;
            self.confirmed = Confirmed::Yes;
        }
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Hands the shard over, or keeps it after all.
    pub(crate) fn leave(&mut self, leaves: bool) {
        self.leaves = leaves;
    }

    pub(crate) fn leaves(&self) -> bool {
        self.leaves
    }

    pub(crate) fn runs(&self) -> bool {
        self.restoring.is_done() && !self.leaves
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len() + self.stranded.len() + self.restoring.len()
    }

    /// An agent by its key, with its runner.
    pub(crate) fn agent(&self, key: &Key) -> Option<(&A, &bt_core::Runner<A>)> {
        self.pool.get(self.keys.id(key)?)
    }

    pub(crate) fn agents(&self) -> impl Iterator<Item = (&Key, &A, &bt_core::Runner<A>)> {
        let all = self.keys.iter();
        all.filter_map(|(id, key)| {
            self.pool
                .get(id)
                .map(|(agent, runner)| (key, agent, runner))
        })
    }
}

impl<A: Agent + Serialize + DeserializeOwned> Live<A> {
    /// A round, while the lease holds.
    pub(crate) fn round<'w, 's>(
        &mut self,
        env: &mut Env<'_, A>,
        host: Duration,
        world: &mut A::World<'w, 's>,
    ) -> Next {
        match self.confirmed {
            Confirmed::Yes => {}
            Confirmed::No => {
                if self.read_retry.is_over(env.now) {
                    self.confirmed = Confirmed::Sent;
                    env.own(Step::Confirm, self.revision, true);
                }
                return Next::Stay;
            }
            Confirmed::Sent => return Next::Stay,
        }
        if !self.restoring.is_done() {
            self.restore(env);
            return Next::Stay;
        }
        self.request_inputs(env);
        let now = self.clock(host);
        let start = Instant::now();
        if !self.leaves {
            self.apply_inputs(env, world);
        }
        let applied = Instant::now();
        let sent = outbox::collect(|| {
            self.pool.poll_in(world, now);
        });
        let polled = Instant::now();
        self.outgoing.add(env.config, sent);
        self.outgoing.send(env);
        let next = self.save(env);
        let metrics = &mut *env.metrics;
        metrics.apply_us += (applied - start).as_micros() as u64;
        metrics.poll_us += (polled - applied).as_micros() as u64;
        metrics.save_us += polled.elapsed().as_micros() as u64;
        next
    }

    fn request_inputs(&mut self, env: &mut Env<'_, A>) {
        let enough = self.inputs.len() >= READ || self.leaves;
        if self.is_reading || enough || !self.read_retry.is_over(env.now) {
            return;
        }
        self.is_reading = true;
        let after = self.inputs.back().map_or(self.last, |message| message.seq);
        let read = Read {
            stream: Stream::Inputs,
            subject: format!("in.{}", env.shard),
            after,
            most: READ,
            wait: WAIT,
        };
        env.calls.read(env.tag(Step::Inputs), read);
    }

    fn apply_inputs<'w, 's>(&mut self, env: &mut Env<'_, A>, world: &mut A::World<'w, 's>) {
        for _ in 0..env.settings.most_inputs {
            let Some(message) = self.inputs.pop_front() else {
                return;
            };
            if message.seq > self.last {
                self.apply(env, &message, world);
                self.last = message.seq;
            }
        }
    }

    pub(crate) fn answered(&mut self, env: &mut Env<'_, A>, step: Step, answer: Answer) -> Next {
        match step {
            Step::Inputs => {
                self.is_reading = false;
                match super::messages(answer) {
                    Ok(messages) => {
                        self.read_retry.reset();
                        self.inputs.extend(messages);
                    }
                    Err(error) => env.note("inputs cannot be read", &error, &mut self.read_retry),
                }
                Next::Stay
            }
            Step::Confirm => {
                self.confirmed = Confirmed::No;
                match super::stored(answer) {
                    Ok(revision) => self.confirm(revision),
                    // It says soon who has the shard; until then nobody is polled.
                    Err(error) => env.note("the lease is over", &error, &mut self.read_retry),
                }
                Next::Stay
            }
            Step::Save => self.saved(env, super::stored(answer)),
            Step::Saved => self.read_back(env, super::last(answer)),
            Step::Effects(number) => {
                self.outgoing.sent(env, number, super::stored(answer));
                Next::Stay
            }
            Step::Claim | Step::End | Step::Chain | Step::Fence | Step::Free => Next::Stay,
        }
    }
}
