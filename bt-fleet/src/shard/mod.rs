//! One shard, as a member has it: claimed, loaded, live, handed over.

mod apply;
mod live;
mod load;
mod log;
mod outgoing;
mod restore;
mod save;

use std::time::Duration;

use bt_core::{Agent, Event, Registry, Runner, Trees};
use serde_json::Value;

use crate::config::Config;
use crate::key::Key;
use crate::member::{Answer, Backoff, Calls, Step, Tag};
use crate::metrics::Metrics;
use crate::store::{Append, Message, StoreError, Stream};
use crate::wire::keys::{self, ShardKey};
use crate::wire::write;
pub(crate) use live::Live;
use load::Loading;
pub(crate) use outgoing::Lines;
pub(crate) use restore::Record;

type SpawnFn<A> = Box<dyn FnMut(&Key, &Value) -> Result<A, String>>;
type HeardFn<A> = Box<dyn FnMut(&Key, &mut A, &Event)>;
type PrepareFn<A> = Box<dyn FnMut(&Key, &mut A, &mut Runner<A>)>;

/// The functions of the host.
pub(crate) struct Hooks<A: Agent> {
    pub(crate) spawn: SpawnFn<A>,
    pub(crate) heard: Option<HeardFn<A>>,
    pub(crate) prepare: Option<PrepareFn<A>>,
}

/// The settings of a member.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) name: String,
    pub(crate) incarnation: u64,
    pub(crate) version: u64,
    pub(crate) save_every: Duration,
    /// Inputs of a shard in a round, and agents that are restored in one.
    pub(crate) most_inputs: usize,
    pub(crate) most_restored: usize,
    /// True if saves say of active nodes what their files say.
    pub(crate) describes: bool,
    /// A member that does not look at its lease: for tests of the fence.
    pub(crate) ignores_lease: bool,
}

/// The parts of a member that a shard borrows.
pub(crate) struct Env<'m, A: Agent> {
    pub(crate) calls: &'m Calls,
    pub(crate) config: &'m Config,
    pub(crate) settings: &'m Settings,
    pub(crate) trees: &'m Trees<A>,
    pub(crate) registry: &'static Registry,
    pub(crate) hooks: &'m mut Hooks<A>,
    pub(crate) metrics: &'m mut Metrics,
    /// The fleet's clock.
    pub(crate) now: Duration,
    pub(crate) shard: u32,
    pub(crate) life: u64,
}

impl<A: Agent> Env<'_, A> {
    pub(crate) fn tag(&self, step: Step) -> Tag {
        Tag::Shard {
            shard: self.shard,
            life: self.life,
            step,
        }
    }

    /// The subject of its saves.
    fn chain(&self) -> String {
        format!("save.{}", self.shard)
    }

    fn append_link(&self, step: Step, id: String, expect: u64, body: Vec<u8>) {
        let message = Append {
            stream: Stream::Saves,
            subject: self.chain(),
            id: Some(id),
            expect: Some(expect),
            body,
        };
        self.calls.append(self.tag(step), message);
    }

    /// Writes the owner of the shard; `expect` is the number of the last message about it.
    pub(crate) fn own(&self, step: Step, expect: u64, owns: bool) {
        let settings = self.settings;
        let owner = owns.then(|| (settings.name.clone(), settings.incarnation));
        let key = ShardKey {
            owner,
            version: settings.version,
        };
        let message = Append {
            stream: Stream::Keys,
            subject: keys::shard(self.shard),
            id: None,
            expect: Some(expect),
            body: write(&key),
        };
        self.calls.append(self.tag(step), message);
    }

    /// Counts a request that was not answered or was refused, and says so in the log, more rarely the longer it lasts.
    pub(crate) fn note(&mut self, what: &str, error: &StoreError, retry: &mut Backoff) {
        self.metrics.unanswered += 1;
        retry.fail(self.now);
        if retry.fails().is_power_of_two() {
            let (shard, member, fails) = (self.shard, &self.settings.name, retry.fails());
            tracing::warn!(target: "bt_fleet", "{member}, shard {shard}: {what}: {error} ({fails} times)");
        }
    }
}

/// A shard and this member's part in it.
pub(crate) struct Slot<A: Agent> {
    pub(crate) life: u64,
    pub(crate) state: State<A>,
    pub(crate) retry: Backoff,
}

pub(crate) enum State<A: Agent> {
    /// This member has nothing to do with it.
    Away,
    /// Its key is being written.
    Claiming,
    /// Its chain is being read.
    Loading(Box<Loading>),
    Live(Box<Live<A>>),
    /// It is handed over: its key is being written.
    Freeing,
}

/// The outcome of an answer or a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Stay,
    /// The shard is somebody else's, or cannot be had now.
    Leave,
    /// Everything is saved: it can be handed over.
    Free,
}

impl<A: Agent> Default for Slot<A> {
    fn default() -> Slot<A> {
        Slot {
            life: 0,
            state: State::Away,
            retry: Backoff::default(),
        }
    }
}

impl<A: Agent> Slot<A> {
    /// Begins another life: answers to what was requested before count no more.
    pub(crate) fn become_state(&mut self, state: State<A>) {
        self.life += 1;
        self.state = state;
    }

    /// Starts to read the shard's chain: the key says that the shard is this member's.
    pub(crate) fn load(&mut self, revision: u64) {
        self.become_state(State::Loading(Box::new(Loading::new(revision))));
    }

    pub(crate) fn live_mut(&mut self) -> Option<&mut Live<A>> {
        match &mut self.state {
            State::Live(live) => Some(live),
            State::Away | State::Claiming | State::Loading(_) | State::Freeing => None,
        }
    }

    pub(crate) fn live(&self) -> Option<&Live<A>> {
        match &self.state {
            State::Live(live) => Some(live),
            State::Away | State::Claiming | State::Loading(_) | State::Freeing => None,
        }
    }
}

/// Messages that were read, in their order.
pub(crate) fn messages(answer: Answer) -> Result<Vec<Message>, StoreError> {
    match answer {
        Answer::Messages(messages) => messages,
        Answer::Stored(_) | Answer::Last(_) => Ok(Vec::new()),
    }
}

pub(crate) fn stored(answer: Answer) -> Result<u64, StoreError> {
    match answer {
        Answer::Stored(stored) => stored,
        Answer::Messages(_) | Answer::Last(_) => Err(StoreError::Stale),
    }
}

pub(crate) fn last(answer: Answer) -> Result<Option<Message>, StoreError> {
    match answer {
        Answer::Last(last) => last,
        Answer::Stored(_) | Answer::Messages(_) => Ok(None),
    }
}
