//! A process that polls shards.
//!
//! All of it happens in [`Member::round`], on the host's thread: answers that came are read, the lease is renewed,
//! shards are claimed, loaded, polled, saved and handed over. Nothing waits: what is requested is answered in a later round.

mod backoff;
mod builder;
mod calls;
mod lease;
mod trees;
mod view;

use std::fmt;
use std::time::Duration;

use bt_core::{Agent, Registry, Runner, Trees};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::config::Config;
use crate::key::Key;
use crate::metrics::Metrics;
use crate::shard::{self, Env, Hooks, Live, Next, Settings, Slot, State};
use crate::store::{Append, Read, Stream};
use crate::wire::keys::{self, MemberKey, Phase};
use crate::wire::write;
pub(crate) use backoff::Backoff;
pub use builder::MemberBuilder;
pub(crate) use calls::{Answer, Calls, Step, Tag};
use lease::Lease;
pub(crate) use trees::Files;
use trees::Published;
use view::View;

/// The most shards that are loaded, and that are handed over, at the same time.
const AT_ONCE: usize = 64;

/// The time between two looks at who should own what.
const LOOK: Duration = Duration::from_millis(50);

/// The last renewal of a member, which says that it has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Farewell {
    Unsaid,
    Sent,
    Said,
}

/// A process that polls shards of a fleet: made by [`Fleet::member`](crate::Fleet::member).
///
/// The host calls [`round`](Member::round) often, as it would poll a [`Pool`](bt_core::pool::Pool): at least several
/// times in a lease, since a member that has no rounds is taken for dead. Dropping a member is as if its process had
/// been killed; [drain](Member::drain) it first.
pub struct Member<A: Agent> {
    config: Config,
    settings: Settings,
    calls: Calls,
    trees: Trees<A>,
    registry: &'static Registry,
    hooks: Hooks<A>,
    port: Option<String>,
    metrics: Metrics,
    published: Published,
    lease: Lease,
    view: View,
    is_watching: bool,
    watch_retry: Backoff,
    looked: Option<Duration>,
    drains: bool,
    farewell: Farewell,
    slots: Vec<Slot<A>>,
    /// The host's time, and the fleet's, of the last round.
    host: Duration,
    now: Duration,
}

impl<A: Agent + Serialize + DeserializeOwned> Member<A> {
    /// A round: does what is due. `now` is the host's time since its start, as of
    /// [`Pool::poll_in`](bt_core::pool::Pool::poll_in); each shard continues at the time at which it was saved.
    ///
    /// It never waits for the network. While the lease is not renewed, nobody is polled, and
    /// [`Metrics::stood`] counts.
    pub fn round<'w, 's>(&mut self, now: Duration, world: &mut A::World<'w, 's>) {
        self.host = self.host.max(now);
        self.now = (self.config.clock)();
        for (tag, answer) in self.calls.take() {
            self.answered(tag, answer);
        }
        self.watch();
        self.request_trees();
        self.renew();
        let holds = self.holds_lease();
        if holds {
            self.look();
        } else {
            self.stand();
        }
        let mut slots = std::mem::take(&mut self.slots);
        for (slot, number) in slots.iter_mut().zip(0..) {
            let mut env = self.env(number, slot.life);
            let next = match &mut slot.state {
                State::Away | State::Claiming | State::Freeing => Next::Stay,
                State::Loading(loading) if holds => {
                    loading.go_on(&mut env);
                    Next::Stay
                }
                State::Live(live) if holds => live.round(&mut env, now, world),
                State::Loading(_) | State::Live(_) => Next::Stay,
            };
            self.follow(number, slot, next);
        }
        self.slots = slots;
    }

    fn env(&mut self, shard: u32, life: u64) -> Env<'_, A> {
        Env {
            calls: &self.calls,
            config: &self.config,
            settings: &self.settings,
            trees: &self.trees,
            registry: self.registry,
            hooks: &mut self.hooks,
            metrics: &mut self.metrics,
            now: self.now,
            shard,
            life,
        }
    }

    fn follow(&mut self, number: u32, slot: &mut Slot<A>, next: Next) {
        match next {
            Next::Stay => {}
            Next::Leave => {
                self.metrics.lost += u64::from(slot.live().is_some());
                slot.become_state(State::Away);
                slot.retry.fail(self.now);
            }
            Next::Free => {
                let revision = slot.live().map_or(0, Live::revision);
                slot.become_state(State::Freeing);
                self.env(number, slot.life).own(Step::Free, revision, false);
            }
        }
        if let State::Loading(loading) = &mut slot.state
            && loading.is_done()
        {
            let (revision, image) = loading.take();
            slot.retry.reset();
            slot.become_state(State::Live(Box::new(Live::new(revision, image))));
        }
    }

    fn answered(&mut self, tag: Tag, answer: Answer) {
        match tag {
            Tag::None => {}
            Tag::Renew => {
                let answer = shard::stored(answer);
                self.metrics.unanswered += u64::from(answer.is_err());
                self.farewell = match (self.farewell, &answer) {
                    (Farewell::Sent, Ok(_)) => Farewell::Said,
                    (Farewell::Sent, Err(_)) => Farewell::Unsaid,
                    (said, _) => said,
                };
                self.lease.answered(self.now, answer);
            }
            Tag::Keys => self.watched(answer),
            Tag::Trees(version) => self.trees_came(version, answer),
            Tag::Shard { shard, life, step } => {
                let mut slots = std::mem::take(&mut self.slots);
                if let Some(slot) = slots.get_mut(shard as usize)
                    && slot.life == life
                {
                    self.answered_for(shard, slot, step, answer);
                }
                self.slots = slots;
            }
        }
    }

    fn answered_for(&mut self, number: u32, slot: &mut Slot<A>, step: Step, answer: Answer) {
        let mut env = self.env(number, slot.life);
        let next = match &mut slot.state {
            State::Away => Next::Stay,
            State::Claiming | State::Freeing => {
                let claims = step == Step::Claim;
                match shard::stored(answer) {
                    Ok(revision) if claims => slot.load(revision),
                    Ok(_) => {
                        env.metrics.handed += 1;
                        slot.become_state(State::Away);
                    }
                    Err(error) => {
                        let what = if claims {
                            "it is not claimed"
                        } else {
                            "it is not handed over"
                        };
                        env.note(what, &error, &mut slot.retry);
                        slot.become_state(State::Away);
                    }
                }
                Next::Stay
            }
            State::Loading(loading) => loading.answered(&mut env, step, answer),
            State::Live(live) => live.answered(&mut env, step, answer),
        };
        self.follow(number, slot, next);
    }

    /// The lease is over: what is being loaded is given up, and what is live is doubted.
    fn stand(&mut self) {
        let mut stands = false;
        for slot in &mut self.slots {
            match &mut slot.state {
                State::Live(live) => {
                    live.doubt();
                    stands = true;
                }
                State::Loading(_) => slot.become_state(State::Away),
                State::Away | State::Claiming | State::Freeing => {}
            }
            if self.lease.superseded {
                slot.become_state(State::Away);
            }
        }
        self.metrics.stood += u64::from(stands);
    }

    /// Claims what should be this member's, and hands over what should not.
    fn look(&mut self) {
        let recently = self.looked.is_some_and(|looked| self.now < looked + LOOK);
        if recently || !self.view.complete {
            return;
        }
        self.looked = Some(self.now);
        let lease = self.config.lease;
        let mut slots = std::mem::take(&mut self.slots);
        let busy = |slots: &[Slot<A>]| {
            let busy = |slot: &&Slot<A>| match &slot.state {
                State::Claiming | State::Loading(_) | State::Freeing => true,
                State::Live(live) => live.leaves(),
                State::Away => false,
            };
            slots.iter().filter(busy).count()
        };
        let mut free = AT_ONCE.saturating_sub(busy(&slots));
        for (slot, number) in slots.iter_mut().zip(0..) {
            let (revision, key) = self.view.shard(number);
            let owner = key.and_then(|key| key.owner.as_ref());
            let is_mine = owner.is_some_and(|owner| self.is_me(owner));
            let wanted = self.view.wanted(number, lease);
            let wants = !self.drains && wanted == Some(&*self.settings.name);
            match &mut slot.state {
                State::Away if free > 0 && slot.retry.is_over(self.now) => {
                    let (state, step) = match (wants, is_mine) {
                        (true, _) if is_mine || self.view.is_free(number, lease) => {
                            (State::Claiming, Step::Claim)
                        }
                        (false, true) => (State::Freeing, Step::Free),
                        _ => continue,
                    };
                    free -= 1;
                    slot.become_state(state);
                    self.env(number, slot.life)
                        .own(step, revision, step == Step::Claim);
                }
                State::Live(live) if !is_mine && revision > live.revision() => {
                    self.follow(number, slot, Next::Leave);
                }
                State::Live(live) => {
                    if is_mine {
                        live.confirm(revision);
                    }
                    let leaves = !wants && (self.drains || wanted.is_some());
                    if leaves && !live.leaves() && free > 0 {
                        free -= 1;
                        live.leave(true);
                    } else if wants {
                        live.leave(false);
                    }
                }
                State::Away | State::Claiming | State::Loading(_) | State::Freeing => {}
            }
        }
        self.slots = slots;
    }

    fn is_me(&self, (name, incarnation): &(String, u64)) -> bool {
        *name == self.settings.name && *incarnation == self.settings.incarnation
    }

    /// Requests the keys that changed since they were read last.
    fn watch(&mut self) {
        if self.is_watching || !self.watch_retry.is_over(self.now) {
            return;
        }
        self.is_watching = true;
        let wait = match self.view.complete {
            true => Duration::from_secs(3),
            false => Duration::ZERO,
        };
        let read = Read {
            stream: Stream::Keys,
            subject: ">".to_owned(),
            after: self.view.after,
            most: 256,
            wait,
        };
        self.calls.read(Tag::Keys, read);
    }

    fn watched(&mut self, answer: Answer) {
        self.is_watching = false;
        let messages = match shard::messages(answer) {
            Ok(messages) => messages,
            Err(_) => {
                self.metrics.unanswered += 1;
                self.watch_retry.fail(self.now);
                return;
            }
        };
        self.watch_retry.reset();
        if messages.len() < 256 {
            self.view.complete = true;
        }
        let own = keys::member(&self.settings.name);
        for message in &messages {
            self.view.add(message);
            let is_own = message.subject == own;
            let key = self.view.member(&self.settings.name).filter(|_| is_own);
            if key.is_some_and(|(_, key)| key.incarnation == self.settings.incarnation) {
                let passed = self.lease.hear(self.now, self.config.lease);
                self.view.hear(passed);
            }
        }
        if let Some(seq) = self.view.drain(&self.settings.name)
            && seq > self.lease.first
            && self.lease.first > 0
        {
            self.drains = true;
        }
    }

    /// Renews the lease: the member's key is written anew.
    fn renew(&mut self) {
        if !self.view.complete {
            return;
        }
        let known = self.view.member(&self.settings.name);
        if let Some((seq, key)) = known
            && seq > self.lease.revision
        {
            match key.incarnation == self.settings.incarnation {
                true => self.lease.revision = seq,
                false if self.lease.first == 0 => self.lease.revision = seq,
                false if !self.lease.superseded => {
                    self.lease.superseded = true;
                    let name = &self.settings.name;
                    tracing::error!(target: "bt_fleet", "another process is member `{name}` now: this one polls nobody any more");
                }
                false => {}
            }
        }
        let leaves = self.phase() == Phase::Left && self.farewell == Farewell::Unsaid;
        if !self.lease.renew(self.now, self.config.lease, leaves) {
            return;
        }
        if leaves {
            self.farewell = Farewell::Sent;
        }
        let key = MemberKey {
            incarnation: self.settings.incarnation,
            version: self.settings.version,
            phase: self.phase(),
            agents: self.len() as u64,
            port: self.port.clone(),
            metrics: self.metrics.clone(),
        };
        let message = Append {
            stream: Stream::Keys,
            subject: keys::member(&self.settings.name),
            id: None,
            expect: Some(self.lease.revision),
            body: write(&key),
        };
        self.calls.append(Tag::Renew, message);
    }
}

impl<A: Agent> Member<A> {
    fn phase(&self) -> Phase {
        match (self.drains, self.has_nothing()) {
            (false, _) => Phase::Active,
            (true, false) => Phase::Draining,
            (true, true) => Phase::Left,
        }
    }

    /// Returns true while the last renewal that was answered is younger than the lease: only then anybody is polled.
    pub fn holds_lease(&self) -> bool {
        self.settings.ignores_lease || self.lease.holds(self.now, self.config.lease)
    }

    /// Returns true if another process has taken this member's name: it does nothing any more.
    pub fn is_superseded(&self) -> bool {
        self.lease.superseded
    }

    /// Hands all shards over: each is saved, and free for others at once. Rounds continue until it is
    /// [done](Member::is_drained).
    pub fn drain(&mut self) {
        self.drains = true;
        self.looked = None;
    }

    /// Returns true if it was [drained](Member::drain), here or from outside.
    pub fn is_draining(&self) -> bool {
        self.drains
    }

    /// Returns true if it was drained, has nothing any more, and has said so: the process can end.
    pub fn is_drained(&self) -> bool {
        self.farewell == Farewell::Said
    }

    fn has_nothing(&self) -> bool {
        let away = |slot: &Slot<A>| matches!(slot.state, State::Away);
        let mine = |shard| self.view.shard(shard).1.is_some_and(|key| self.owns(key));
        self.drains && self.slots.iter().all(away) && !(0..self.config.shards).any(mine)
    }

    fn owns(&self, key: &keys::ShardKey) -> bool {
        let owner = key.owner.as_ref();
        owner.is_some_and(|(name, incarnation)| {
            *name == self.settings.name && *incarnation == self.settings.incarnation
        })
    }

    /// The shards that run here: all of their agents are restored, and none is being handed over.
    pub fn shards(&self) -> impl Iterator<Item = u32> {
        let all = self.slots.iter().zip(0..);
        let runs = |slot: &Slot<A>| slot.live().is_some_and(Live::runs);
        all.filter_map(move |(slot, number)| runs(slot).then_some(number))
    }

    /// The number of agents that run here.
    pub fn len(&self) -> usize {
        self.slots
            .iter()
            .filter_map(Slot::live)
            .map(Live::len)
            .sum()
    }

    /// Returns true if no agent runs here.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An agent that runs here, by its key.
    pub fn agent(&self, key: &Key) -> Option<(&A, &Runner<A>)> {
        let shard = self.config.shard(key);
        self.slots.get(shard as usize)?.live()?.agent(key)
    }

    /// The agents that run here, by shard.
    pub fn agents(&self) -> impl Iterator<Item = (&Key, &A, &Runner<A>)> {
        self.slots
            .iter()
            .filter_map(Slot::live)
            .flat_map(Live::agents)
    }

    /// Counts of what it has done.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.settings.name
    }

    /// The host's time of the next round: earlier if an agent is due, and at least eight in a lease, so that this
    /// member lives.
    pub fn next_wake(&self) -> Duration {
        if self.calls.has_arrived() {
            return self.host;
        }
        let soon = self.host + (self.config.lease / 8).min(self.settings.save_every);
        let wakes = self.slots.iter().filter_map(Slot::live);
        let wakes = wakes.filter_map(|live| live.next_wake(self.host));
        wakes.fold(soon, Duration::min).max(self.host)
    }

    /// Sets what is called when an answer arrives, on any thread: it makes the host call [`round`](Member::round) soon.
    pub fn on_wake(&self, call: impl Fn() + Send + Sync + 'static) {
        self.calls.on_wake(Box::new(call));
    }
}

impl<A: Agent> fmt::Debug for Member<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member")
            .field("name", &self.settings.name)
            .field("agents", &self.len())
            .finish_non_exhaustive()
    }
}
