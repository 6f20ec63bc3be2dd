//! The pool itself: agents and runners by id.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use super::AgentId;
use super::buffer::trim;
use super::changes::Changes;
use super::handle::{PoolHandle, Spawner};
use super::letterbox::{Letterbox, Own};
use super::member::Member;
use super::orders::{Order, Orders};
use super::queue::WakeQueue;
use super::reload::Reloads;
use super::round::{Chunk, chunks};
use super::turn::{After, Turn};
use crate::deferred::Effect;
use crate::{Agent, Runner, Worldless};

/// Many agents with their runners, of which a round polls those that are due.
///
/// The cost of a round depends on how many agents are due: an agent that waits for a time, an event or a
/// completion costs nothing until then. Trees run as with a [`Runner`] alone.
///
/// ```
/// use bt_core::pool::Pool;
/// use bt_core::prelude::*;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_core::{Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// #[derive(Agent, Default)]
/// struct Quail { eggs: u32 }
///
/// #[agent]
/// impl Quail {
///     #[action]
///     fn lay(&mut self) { self.eggs += 1; }
/// }
///
/// let mut trees = TreeSet::<Quail>::new();
/// let day = sequence([action("wait_for_seconds").arg(10), action("lay")]);
/// trees.add(TreeAsset::build("day.json", "quail", day));
/// let trees = trees.build()?;
/// let mut coop = Pool::new();
/// for _ in 0..1_000 {
///     let mut runner = Runner::new(&trees, "day.json")?;
///     runner.start();
///     coop.spawn(Quail::default(), runner);
/// }
/// assert_eq!(coop.poll(Duration::ZERO), 1_000);
/// assert_eq!(coop.poll(Duration::from_secs(5)), 0, "all of them wait");
/// assert_eq!(coop.next_wake(), Some(Duration::from_secs(10)));
/// coop.poll(Duration::from_secs(10));
/// assert!(coop.iter().all(|(_, quail, _)| quail.eggs == 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pool<A: Agent> {
    pub(super) queue: WakeQueue,
    /// By the numbers of their places.
    pub(super) members: Vec<Option<Member<A>>>,
    /// Those who are due in the round that there is.
    ids: Vec<AgentId>,
    turns: Vec<Turn>,
    /// The effects of each chunk's agents on others.
    effects: Vec<Vec<Effect>>,
    pub(super) orders: Own<Orders>,
    pub(super) born: Own<Letterbox<(A, Runner<A>)>>,
    /// Empty lists, which those two are lent.
    pub(super) spare_orders: Vec<Order>,
    pub(super) spare_born: Vec<(A, Runner<A>)>,
    pub(super) missed: u64,
    pub(super) refused: u64,
    pub(super) reloads: Reloads<A>,
    pub(super) changes: Changes,
    /// The host's time of the last round.
    host: Duration,
    /// For how long the pool was paused.
    behind: Duration,
    paused: bool,
    /// True if the time until the next round is one of a pause.
    stands: bool,
}

impl<A: Agent> Default for Pool<A> {
    fn default() -> Pool<A> {
        Pool {
            queue: WakeQueue::new(),
            members: Vec::new(),
            ids: Vec::new(),
            turns: Vec::new(),
            effects: Vec::new(),
            orders: Own::default(),
            born: Own::default(),
            spare_orders: Vec::new(),
            spare_born: Vec::new(),
            missed: 0,
            refused: 0,
            reloads: Reloads::default(),
            changes: Changes::default(),
            host: Duration::ZERO,
            behind: Duration::ZERO,
            paused: false,
            stands: false,
        }
    }
}

impl<A: Agent> Pool<A> {
    /// A pool without agents.
    pub fn new() -> Pool<A> {
        Pool::default()
    }

    pub(super) fn with_queue(queue: WakeQueue, missed: u64, refused: u64) -> Pool<A> {
        Pool {
            queue,
            missed,
            refused,
            ..Pool::default()
        }
    }

    /// Makes room for so many more agents, so that spawning them moves none of those that are there.
    pub fn reserve(&mut self, more: usize) {
        self.members.reserve(more);
        self.queue.reserve(more);
    }

    /// With a seed for its agents: see [`set_seed`](Pool::set_seed).
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Pool<A> {
        self.set_seed(seed);
        self
    }

    /// Sets the seed from which each agent that is spawned from now on gets a seed of its own; 0 by default. That
    /// follows from this one and from the agent's id alone, so rounds in any number of chunks draw the same. A
    /// runner keeps a seed that it was [given](Runner::set_seed). The seed is saved with the pool.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::Pool, tree::asset::spec::action, Runner, TreeAsset, TreeSet};
    /// # use std::time::Duration;
    /// # #[derive(Agent)]
    /// # struct Ptarmigan;
    /// # let mut trees = TreeSet::<Ptarmigan>::new();
    /// # let draw = action("random_int").arg(1).arg(1_000_000).arg("drawn");
    /// # trees.add(TreeAsset::build("draw.json", "ptarmigan", draw));
    /// # let trees = trees.build()?;
    /// let drawn = |seed| -> Result<Vec<_>, Box<dyn std::error::Error>> {
    ///     let mut covey = Pool::new().seed(seed);
    ///     for _ in 0..3 {
    ///         let mut runner = Runner::new(&trees, "draw.json")?;
    ///         runner.start();
    ///         covey.spawn(Ptarmigan, runner);
    ///     }
    ///     covey.poll(Duration::ZERO);
    ///     Ok(covey.iter().map(|(_, _, runner)| runner.blackboard().get("drawn")).collect())
    /// };
    /// let first = drawn(7)?;
    /// assert!(first[0] != first[1] && first[1] != first[2]);
    /// assert_eq!(drawn(7)?, first);
    /// assert_ne!(drawn(8)?, first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_seed(&mut self, seed: u64) {
        self.queue.set_seed(seed);
    }

    /// Adds an agent with its runner. One whose runner was not [started](Runner::start) sleeps until it
    /// is. One without a seed gets [one of its own](Pool::set_seed).
    pub fn spawn(&mut self, agent: A, runner: Runner<A>) -> AgentId {
        let mut member = Member { agent, runner };
        let id = self.queue.join(&mut member.runner);
        self.put(id, member);
        id
    }

    pub(super) fn put(&mut self, id: AgentId, member: Member<A>) {
        let place = id.index() as usize;
        if self.members.len() <= place {
            self.members.resize_with(place + 1, || None);
            self.orders.reach(id.index() + 1);
        }
        self.members[place] = Some(member);
        self.changes.mark(id);
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Returns true if that agent is there.
    pub fn contains(&self, id: AgentId) -> bool {
        self.queue.contains(id)
    }

    fn member(&self, id: AgentId) -> Option<&Member<A>> {
        let member = self.members.get(id.index() as usize)?.as_ref();
        member.filter(|_| self.queue.contains(id))
    }

    /// One that is to be changed.
    pub(super) fn member_mut(&mut self, id: AgentId) -> Option<&mut Member<A>> {
        let member = self.members.get_mut(id.index() as usize)?.as_mut();
        let member = member.filter(|_| self.queue.contains(id))?;
        self.changes.mark(id);
        Some(member)
    }

    /// An agent and its runner, to look at. What is written to the runner's blackboard wakes nobody:
    /// take [`get_mut`](Pool::get_mut) for that.
    pub fn get(&self, id: AgentId) -> Option<(&A, &Runner<A>)> {
        self.member(id)
            .map(|member| (&member.agent, &member.runner))
    }

    /// An agent and its runner, to be changed: it is due in the next round. The runner's time is the
    /// [pool's](Pool::now).
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::Pool, tree::asset::spec::action, Runner, TreeAsset, TreeSet};
    /// # use std::time::Duration;
    /// # #[derive(Agent)]
    /// # struct Crab;
    /// # let mut trees = TreeSet::<Crab>::new();
    /// # trees.add(TreeAsset::build("dig.json", "crab", action("wait_for_seconds").arg(9)));
    /// let mut beach = Pool::new();
    /// let crab = beach.spawn(Crab, Runner::new(&trees.build()?, "dig.json")?);
    /// assert_eq!(beach.poll(Duration::ZERO), 0, "it was not started");
    /// beach.get_mut(crab).unwrap().1.start();
    /// assert_eq!(beach.poll(Duration::ZERO), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get_mut(&mut self, id: AgentId) -> Option<(&mut A, &mut Runner<A>)> {
        let now = self.now();
        self.queue.wake(id);
        let member = self.member_mut(id)?;
        member.runner.set_now(now);
        Some((&mut member.agent, &mut member.runner))
    }

    /// Sets the [breakpoints](Runner::set_breakpoints) of all agents that there are. Each counts by itself how often
    /// it has met them.
    #[cfg(feature = "debug")]
    pub fn set_breakpoints(&mut self, all: Option<&std::sync::Arc<crate::debug::Breakpoints>>) {
        let members = self.members.iter_mut().flatten();
        members.for_each(|member| member.runner.set_breakpoints(all.cloned()));
    }

    /// The agents that a debugger has [stopped](Runner::stopped), in the order of the ids. They are not due; one
    /// that is to continue is named to [`get_mut`](Pool::get_mut).
    #[cfg(feature = "debug")]
    pub fn stopped(&self) -> impl Iterator<Item = AgentId> {
        let all = self.iter();
        all.filter_map(|(id, _, runner)| runner.stopped().map(|_| id))
    }

    /// The ids, agents and runners, in the order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = (AgentId, &A, &Runner<A>)> {
        let members = self.members.iter().zip(0..);
        members.filter_map(|(member, place)| {
            let member = member.as_ref()?;
            let id = self.queue.id_at(place)?;
            Some((id, &member.agent, &member.runner))
        })
    }

    /// The ids in their order, from the first one after `after` on. How many come before costs nothing.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::Pool, tree::asset::spec::action, Runner, TreeAsset, TreeSet};
    /// # #[derive(Agent)]
    /// # struct Wasp;
    /// # let mut trees = TreeSet::<Wasp>::new();
    /// # trees.add(TreeAsset::build("rest.json", "wasp", action("nop")));
    /// # let trees = trees.build()?;
    /// let mut nest = Pool::new();
    /// let first = nest.spawn(Wasp, Runner::new(&trees, "rest.json")?);
    /// let second = nest.spawn(Wasp, Runner::new(&trees, "rest.json")?);
    /// assert!(nest.ids_after(None).eq([first, second]));
    /// assert!(nest.ids_after(Some(first)).eq([second]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ids_after(&self, after: Option<AgentId>) -> impl Iterator<Item = AgentId> {
        self.queue.ids_after(after)
    }

    /// A handle by which other threads and actions reach the pool's agents.
    pub fn handle(&self) -> PoolHandle {
        PoolHandle {
            orders: self.orders.share(),
            inbox: self.queue.inbox().clone(),
        }
    }

    /// A handle by which other threads and actions add agents.
    pub fn spawner(&self) -> Spawner<A> {
        Spawner {
            born: self.born.share(),
            inbox: self.queue.inbox().clone(),
        }
    }

    /// Sets what is called when something arrives: see [`WakeQueue::on_wake`].
    pub fn on_wake(&mut self, call: impl Fn() + Send + Sync + 'static) {
        self.queue.on_wake(call);
    }

    /// Pauses an agent: what waits for a time waits as much longer as the pause lasts. Whether it is
    /// there. One that was despawned and is still cancelling continues.
    pub fn pause(&mut self, id: AgentId) -> bool {
        let (now, ends) = (self.now(), self.queue.ends(id));
        let member = self.member_mut(id);
        let to_pause = member.map(|member| (!ends).then(|| member.runner.pause_at(now)));
        to_pause.is_some()
    }

    /// Resumes an agent in the next round; whether it is there.
    pub fn resume(&mut self, id: AgentId) -> bool {
        let member = self.member_mut(id);
        member.map(|member| member.runner.resume()).is_some() && self.queue.wake(id)
    }

    /// Pauses the pool: its clock stands from the last round on, and rounds do nothing, until it is
    /// [resumed](Pool::resume_all). What arrives is kept.
    pub fn pause_all(&mut self) {
        (self.paused, self.stands) = (true, true);
    }

    /// Resumes the pool, in the next round, which is due at once: until then its clock stands.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::Pool, tree::asset::spec::action, Runner, TreeAsset, TreeSet};
    /// # use std::time::Duration;
    /// # #[derive(Agent)]
    /// # struct Toad;
    /// # let mut trees = TreeSet::<Toad>::new();
    /// # trees.add(TreeAsset::build("sit.json", "toad", action("wait_for_seconds").arg(9)));
    /// # let mut runner = Runner::new(&trees.build()?, "sit.json")?;
    /// # runner.start();
    /// let mut pond = Pool::new();
    /// pond.spawn(Toad, runner);
    /// pond.poll(Duration::from_secs(1));
    /// pond.pause_all();
    /// pond.resume_all();
    /// pond.poll(Duration::from_secs(4));
    /// assert_eq!(pond.now(), Duration::from_secs(1));
    /// assert_eq!(pond.next_wake(), Some(Duration::from_secs(13)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume_all(&mut self) {
        self.paused = false;
    }

    /// Returns true if the pool is paused.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The pool's clock: the host's time of the last round, without the time for which the pool was
    /// paused.
    pub fn now(&self) -> Duration {
        self.host.saturating_sub(self.behind)
    }

    /// The time of the next round, on the host's clock: see [`WakeQueue::next_wake`]. None while the pool is
    /// paused.
    pub fn next_wake(&self) -> Option<Duration> {
        match (self.paused, self.stands || self.has_reload()) {
            (true, _) => None,
            (false, true) => Some(self.host),
            (false, false) => Some(self.queue.next_wake()?.saturating_add(self.behind)),
        }
    }

    /// Polls the agents that are due, in a world; how many they were.
    ///
    /// `now` is the time since the start, not since the last frame, as of [`Runner::poll_in`]; if it stands from the
    /// first frames on, the log and a diagnostic of the agent that would wake first say so once.
    pub fn poll_in<'w, 's>(&mut self, world: &mut A::World<'w, 's>, now: Duration) -> usize {
        self.in_round(now, |pool| {
            pool.chunks(1).for_each(|chunk| chunk.poll_in(world));
            pool.turns.len()
        })
    }

    /// Divides the agents that are due into at most `most` chunks, which the host polls on its own
    /// threads, each with a world of its own. The result is the same for any number of chunks, unless
    /// their worlds are shared.
    ///
    /// ```
    /// use bt_core::pool::{Chunk, Pool};
    /// # use bt_core::prelude::*;
    /// # use bt_core::{tree::asset::spec::action, Runner, TreeAsset, TreeSet};
    /// # use std::time::Duration;
    /// # #[derive(Agent)]
    /// # struct Hornet;
    /// # let mut trees = TreeSet::<Hornet>::new();
    /// # trees.add(TreeAsset::build("hum.json", "hornet", action("nop")));
    /// # let trees = trees.build()?;
    /// let mut hive = Pool::new();
    /// for _ in 0..100 {
    ///     let mut runner = Runner::new(&trees, "hum.json")?;
    ///     runner.start();
    ///     hive.spawn(Hornet, runner);
    /// }
    /// let polled: usize = hive.round(Duration::ZERO, 4, |chunks| {
    ///     let polled = chunks.iter().map(Chunk::len).sum();
    ///     std::thread::scope(|scope| {
    ///         for chunk in chunks {
    ///             scope.spawn(|| chunk.poll());
    ///         }
    ///     });
    ///     polled
    /// });
    /// assert_eq!(polled, 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn round<R>(
        &mut self,
        now: Duration,
        most: usize,
        run: impl FnOnce(Vec<Chunk<'_, A>>) -> R,
    ) -> R {
        self.in_round(now, |pool| run(pool.chunks(most).collect()))
    }

    /// Does something in a round, which ends even if that panics.
    fn in_round<R>(&mut self, now: Duration, run: impl FnOnce(&mut Pool<A>) -> R) -> R {
        self.begin_round(now);
        // Every agent is whole: one whose turn panicked has it again in the next round.
        let result = catch_unwind(AssertUnwindSafe(|| run(self)));
        self.end_round();
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }

    fn begin_round(&mut self, now: Duration) {
        if !self.stands
            && let Some(text) = self.queue.look_at_clock(now.saturating_sub(self.behind))
            && let Some(id) = self.queue.first_asleep()
            && let Some(member) = self.member_mut(id)
        {
            member.runner.report_standing(text);
        }
        let host = self.host.max(now);
        if self.stands {
            self.behind += host - self.host;
        }
        (self.host, self.stands) = (host, self.paused);
        // First the inbox: who gives an order says so afterwards. One that comes in between is carried
        // out now, and makes one round too many; the other way round it might wait for the next arrival.
        self.queue.take_arrivals();
        self.apply_orders();
        if !self.paused {
            self.wake_for_reload();
            let now = self.now();
            self.queue.take_ready(now, &mut self.ids);
        }
        let turn = |id| Turn {
            id,
            ends: self.queue.ends(id),
            after: After::Skipped,
        };
        self.turns.extend(self.ids.drain(..).map(turn));
    }

    fn chunks(&mut self, most: usize) -> impl Iterator<Item = Chunk<'_, A>> {
        let now = self.now();
        let count = most.max(1).min(self.turns.len());
        if self.effects.len() < count {
            self.effects.resize_with(count, Vec::new);
        }
        let (members, turns) = (&mut self.members, &mut self.turns);
        let effects = &mut self.effects[..count];
        let all = (self.queue.inbox(), &self.reloads);
        chunks(members, turns, effects, all, now)
    }

    fn end_round(&mut self) {
        let mut turns = std::mem::take(&mut self.turns);
        let count = turns.len();
        for turn in turns.drain(..) {
            if turn.ends {
                self.queue.end(turn.id);
            }
            self.changes.mark(turn.id);
            match turn.after {
                After::Skipped => {
                    self.queue.wake(turn.id);
                }
                After::Lives(due) => self.queue.set(turn.id, due),
                After::Gone => {
                    self.remove(turn.id);
                }
            }
        }
        trim(&mut turns, count);
        self.turns = turns;
        for effects in &mut self.effects {
            let count = effects.len();
            effects.drain(..).for_each(|effect| effect());
            trim(effects, count);
        }
        self.apply_orders();
    }

    /// Removes an agent; whether it was there.
    fn remove(&mut self, id: AgentId) -> bool {
        let is_there = self.queue.leave(id);
        if is_there && let Some(mut member) = self.members[id.index() as usize].take() {
            // It may hold completions of its own, which it drops now.
            member.runner.wake_nobody();
            self.changes.mark_gone(id);
        }
        is_there
    }

    /// Ends an agent: its tree is stopped at once, and exit methods are called. If some of them are
    /// still cancelling, it has its turns until they are done. Whether it was there.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::Pool, tree::asset::spec::action, Runner, TreeAsset, TreeSet};
    /// # #[derive(Agent)]
    /// # struct Fly;
    /// # let mut trees = TreeSet::<Fly>::new();
    /// # trees.add(TreeAsset::build("buzz.json", "fly", action("nop")));
    /// let mut room = Pool::new();
    /// let fly = room.spawn(Fly, Runner::new(&trees.build()?, "buzz.json")?);
    /// assert!(room.despawn_in(fly, &mut ()));
    /// assert!(!room.despawn_in(fly, &mut ()));
    /// assert_eq!((room.len(), room.missed()), (0, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn despawn_in<'w, 's>(&mut self, id: AgentId, world: &mut A::World<'w, 's>) -> bool {
        let now = self.now();
        let Some(member) = self.member_mut(id) else {
            return self.miss(1);
        };
        member.end(world, now);
        match member.runner.is_running() {
            true => self.queue.end(id) && self.queue.wake(id),
            false => self.remove(id),
        }
    }

    /// Ends every agent.
    pub fn despawn_all_in<'w, 's>(&mut self, world: &mut A::World<'w, 's>) {
        for place in 0..self.members.len() as u32 {
            if let Some(id) = self.queue.id_at(place) {
                self.despawn_in(id, world);
            }
        }
    }
}

impl<A: Agent> Pool<A> {
    /// [`poll_in`](Pool::poll_in) for agents that act on no world.
    pub fn poll(&mut self, now: Duration) -> usize
    where
        A: Worldless,
    {
        self.poll_in(&mut (), now)
    }

    /// [`despawn_in`](Pool::despawn_in) for agents that act on no world.
    pub fn despawn(&mut self, id: AgentId) -> bool
    where
        A: Worldless,
    {
        self.despawn_in(id, &mut ())
    }
}

impl<A: Agent> fmt::Debug for Pool<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("agents", &self.len())
            .field("now", &self.now())
            .finish_non_exhaustive()
    }
}
