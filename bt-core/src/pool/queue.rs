//! The agents that are due: by time, by arrivals, and those that run in every round.

use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use super::AgentId;
use super::buffer::{ROOM, trim};
use super::inbox::{AgentWaker, Inbox};
use super::times::{Alarm, Times};
use crate::clock::{Standing, nanos};
use crate::{Agent, Runner};

/// Knows which agents are due, for a host that keeps agents and runners itself.
///
/// An agent [joins](WakeQueue::join) with its runner and gets an id. After each poll of a runner, and
/// after whatever else was done to it (an event, a write, a resume), [`schedule`](WakeQueue::schedule)
/// reads from it when it is due. [`take_due`](WakeQueue::take_due) costs what is due: agents that sleep
/// are not looked at. A completion that is finished on another thread, and a global key that changed,
/// make their agents due.
///
/// ```
/// use bt_core::pool::WakeQueue;
/// use bt_core::prelude::*;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Owl;
///
/// let mut trees = TreeSet::<Owl>::new();
/// trees.add(TreeAsset::build("doze.json", "owl", action("wait_for_seconds").arg(60)));
/// let mut runner = Runner::new(&trees.build()?, "doze.json")?;
/// runner.start();
///
/// let mut queue = WakeQueue::new();
/// let owl = queue.join(&mut runner);
/// let mut due = Vec::new();
/// queue.take_due(Duration::ZERO, &mut due);
/// assert_eq!(due, [owl]);
/// runner.poll(&mut Owl, Duration::ZERO);
/// queue.schedule(owl, &mut runner);
/// assert_eq!(queue.next_wake(), Some(Duration::from_secs(60)));
/// queue.take_due(Duration::from_secs(59), &mut due);
/// assert!(due.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct WakeQueue {
    slots: Vec<Slot>,
    free: Vec<u32>,
    len: usize,
    times: Times,
    /// Those whose alarm counts.
    asleep: usize,
    ready: Vec<AgentId>,
    inbox: Arc<Inbox>,
    seed: u64,
    /// The number of rounds that there were.
    rounds: u32,
    standing: Standing,
}

/// One place, and who has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// The time at which it wakes; [`NEVER`] for none.
    wake: u64,
    generation: u32,
    life: Life,
    /// True if it is due in the next round.
    ready: bool,
}

/// The use of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    Nobody,
    Lives,
    /// It was despawned: it is gone when its tree is stopped, and nothing is cancelling any more.
    Ends,
}

const NEVER: u64 = u64::MAX;

impl WakeQueue {
    /// A queue that knows nobody.
    pub fn new() -> WakeQueue {
        WakeQueue::default()
    }

    /// With a seed for the agents that [join](WakeQueue::join).
    #[must_use]
    pub fn seed(mut self, seed: u64) -> WakeQueue {
        self.set_seed(seed);
        self
    }

    /// Sets the seed from which each agent that joins from now on gets a seed of its own; 0 by default. That follows
    /// from this one and from the agent's id alone. A runner keeps a seed that it was [given](Runner::set_seed).
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    pub(super) fn saved_seed(&self) -> u64 {
        self.seed
    }

    /// Makes room for so many more agents.
    pub fn reserve(&mut self, more: usize) {
        self.slots.reserve(more);
    }

    /// Lets an agent take part; when it is due is read from its runner. A runner takes part in one queue
    /// at a time: the one that it joined last. One without a seed gets [one of its own](WakeQueue::set_seed).
    pub fn join<A: Agent>(&mut self, runner: &mut Runner<A>) -> AgentId {
        let id = self.open();
        runner.wake_nobody();
        runner.seed_one_of(self.seed, id.to_bits());
        self.schedule(id, runner);
        id
    }

    /// Of each place the last generation, and the places that are free.
    pub(super) fn places(&self) -> (Vec<u32>, Vec<u32>) {
        let generations = self.slots.iter().map(|slot| slot.generation);
        (generations.collect(), self.free.clone())
    }

    /// A queue with those places, taken by agents of those ids; none if that cannot be.
    pub(super) fn with_places(
        generations: &[u32],
        free: &[u32],
        ids: impl Iterator<Item = AgentId>,
    ) -> Option<WakeQueue> {
        let slot = |generation: &u32| Slot {
            generation: *generation,
            ..Slot::default()
        };
        let mut queue = WakeQueue::new();
        queue.slots.extend(generations.iter().map(slot));
        for id in ids {
            let slot = queue.slots.get_mut(id.index() as usize)?;
            if slot.is_taken() || slot.generation != id.generation() {
                return None;
            }
            slot.life = Life::Lives;
            queue.len += 1;
        }
        let mut seen = vec![false; generations.len()];
        for place in free {
            let slot = queue.slots.get(*place as usize)?;
            let is_twice = std::mem::replace(&mut seen[*place as usize], true);
            if is_twice || slot.is_taken() || slot.generation == u32::MAX {
                return None;
            }
        }
        queue.free = free.to_vec();
        Some(queue)
    }

    /// A place for one more agent.
    pub(super) fn open(&mut self) -> AgentId {
        self.len += 1;
        let index = self.free.pop().unwrap_or_else(|| {
            let index = u32::try_from(self.slots.len()).expect("agents are fewer than 2^32");
            self.slots.push(Slot::default());
            index
        });
        let slot = &mut self.slots[index as usize];
        slot.generation = slot.generation.wrapping_add(1);
        slot.life = Life::Lives;
        AgentId::new(index, slot.generation)
    }

    /// Lets an agent take part no more; whether it did.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::WakeQueue, tree::asset::spec::action, Runner, TreeAsset, TreeSet};
    /// # #[derive(Agent)]
    /// # struct Moth;
    /// # let mut trees = TreeSet::<Moth>::new();
    /// # trees.add(TreeAsset::build("fly.json", "moth", action("nop")));
    /// # let trees = trees.build()?;
    /// let mut queue = WakeQueue::new();
    /// let gone = queue.join(&mut Runner::new(&trees, "fly.json")?);
    /// assert!(queue.leave(gone) && !queue.leave(gone));
    /// let next = queue.join(&mut Runner::new(&trees, "fly.json")?);
    /// assert_eq!(next.index(), gone.index(), "its place is used again");
    /// assert!(queue.contains(next) && !queue.contains(gone));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leave(&mut self, id: AgentId) -> bool {
        if !self.contains(id) {
            return false;
        }
        self.sleep(id);
        let slot = &mut self.slots[id.index() as usize];
        (slot.life, slot.ready) = (Life::Nobody, false);
        self.len -= 1;
        // A place whose numbers are used up is not used again.
        if slot.generation != u32::MAX {
            self.free.push(id.index());
        }
        true
    }

    /// Returns true if that agent takes part.
    pub fn contains(&self, id: AgentId) -> bool {
        self.slot(id).is_some()
    }

    /// The number of agents that take part.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if none takes part.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The ids of all agents, in their order.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::WakeQueue, tree::asset::spec::action, Runner, TreeAsset, TreeSet};
    /// # #[derive(Agent)]
    /// # struct Wren;
    /// # let mut trees = TreeSet::<Wren>::new();
    /// # trees.add(TreeAsset::build("sing.json", "wren", action("nop")));
    /// # let trees = trees.build()?;
    /// let mut queue = WakeQueue::new();
    /// queue.reserve(2);
    /// let one = queue.join(&mut Runner::new(&trees, "sing.json")?);
    /// let other = queue.join(&mut Runner::new(&trees, "sing.json")?);
    /// assert!(queue.ids().eq([one, other]));
    /// assert!(queue.ids_after(Some(one)).eq([other]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ids(&self) -> impl Iterator<Item = AgentId> {
        self.ids_after(None)
    }

    /// The ids in their order, from the first one after `after` on. How many come before costs nothing.
    pub fn ids_after(&self, after: Option<AgentId>) -> impl Iterator<Item = AgentId> {
        let places = after.map_or(0, AgentId::index)..self.place_count();
        let ids = places.filter_map(|place| self.id_at(place));
        ids.filter(move |id| after.is_none_or(|after| *id > after))
    }

    /// The number of places that were ever used.
    pub(super) fn place_count(&self) -> u32 {
        self.slots.len() as u32
    }

    /// The id of the agent in a place.
    pub(super) fn id_at(&self, index: u32) -> Option<AgentId> {
        let slot = self.slots.get(index as usize)?;
        let id = AgentId::new(index, slot.generation);
        slot.is_taken().then_some(id)
    }

    /// Returns true if an agent was despawned, and has not gone yet.
    pub(super) fn ends(&self, id: AgentId) -> bool {
        self.slot(id).is_some_and(|slot| slot.life == Life::Ends)
    }

    /// An agent was despawned; whether it is there.
    pub(super) fn end(&mut self, id: AgentId) -> bool {
        let slot = self.slot_mut(id);
        slot.map(|slot| slot.life = Life::Ends).is_some()
    }

    fn slot(&self, id: AgentId) -> Option<&Slot> {
        let slot = self.slots.get(id.index() as usize)?;
        slot.is_of(id).then_some(slot)
    }

    fn slot_mut(&mut self, id: AgentId) -> Option<&mut Slot> {
        let slot = self.slots.get_mut(id.index() as usize)?;
        slot.is_of(id).then_some(slot)
    }

    /// Reads from an agent's runner when it is due next: after a poll, and after anything else that
    /// was done to the runner. Nothing happens for an agent that does not take part.
    pub fn schedule<A: Agent>(&mut self, id: AgentId, runner: &mut Runner<A>) {
        if self.contains(id) {
            let due = Due::of(id, runner, &self.inbox);
            self.set(id, due);
        }
    }

    pub(super) fn set(&mut self, id: AgentId, due: Due) {
        match due {
            Due::At(time) if time > self.times.clock() => self.sleep_until(id, time),
            Due::At(_) => {
                self.wake(id);
            }
            Due::Never => self.sleep(id),
        }
    }

    /// Makes an agent due in the next round; whether it takes part.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::WakeQueue, tree::asset::spec::action, Runner, TreeAsset, TreeSet};
    /// # use std::time::Duration;
    /// # #[derive(Agent)]
    /// # struct Cat;
    /// # let mut trees = TreeSet::<Cat>::new();
    /// # trees.add(TreeAsset::build("nap.json", "cat", action("nop")));
    /// let mut queue = WakeQueue::new();
    /// let cat = queue.join(&mut Runner::new(&trees.build()?, "nap.json")?);
    /// assert_eq!(queue.next_wake(), None, "it was not started");
    /// assert!(queue.wake(cat));
    /// assert_eq!(queue.next_wake(), Some(Duration::ZERO));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wake(&mut self, id: AgentId) -> bool {
        let Some(slot) = self.slot_mut(id) else {
            return false;
        };
        if !slot.ready {
            slot.ready = true;
            self.ready.push(id);
            if self.ready.len() > 2 * self.len + ROOM {
                self.drop_left();
            }
        }
        true
    }

    /// Drops those of the ready who have left.
    #[cold]
    fn drop_left(&mut self) {
        let mut ready = std::mem::take(&mut self.ready);
        ready.retain(|id| self.contains(*id));
        self.ready = ready;
    }

    /// It has no alarm any more.
    fn sleep(&mut self, id: AgentId) {
        if let Some(slot) = self.slot_mut(id)
            && std::mem::replace(&mut slot.wake, NEVER) != NEVER
        {
            self.asleep -= 1;
            self.look_at_first();
        }
    }

    /// An alarm may count no more: brings one that does to the front.
    fn look_at_first(&mut self) {
        let slots = &self.slots;
        self.times.drop_first(|alarm| counts(slots, alarm));
    }

    fn sleep_until(&mut self, id: AgentId, time: u64) {
        let Some(slot) = self.slot_mut(id) else {
            return;
        };
        let before = std::mem::replace(&mut slot.wake, time);
        if before == time {
            return;
        }
        self.times.set(Alarm { time, id });
        match before {
            NEVER => self.asleep += 1,
            _ => self.look_at_first(),
        }
        // Alarms that do not count any more stay until their time; not too many of them.
        if self.times.len() > 2 * self.asleep + 1024 {
            let slots = &self.slots;
            self.times.keep(|alarm| counts(slots, alarm));
        }
    }

    /// A waker of that agent, for the host's own futures and threads; none if the agent does not take part.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::WakeQueue, tree::asset::spec::action, Runner, TreeAsset, TreeSet};
    /// # use std::time::Duration;
    /// # #[derive(Agent)]
    /// # struct Dog;
    /// # let mut trees = TreeSet::<Dog>::new();
    /// # trees.add(TreeAsset::build("nap.json", "dog", action("nop")));
    /// let mut queue = WakeQueue::new();
    /// let dog = queue.join(&mut Runner::new(&trees.build()?, "nap.json")?);
    /// let waker = queue.waker(dog).unwrap();
    /// std::thread::spawn(move || waker.wake()).join().unwrap();
    /// let mut due = Vec::new();
    /// queue.take_due(Duration::ZERO, &mut due);
    /// assert_eq!(due, [dog]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn waker(&self, id: AgentId) -> Option<Waker> {
        let waker = || AgentWaker::waker(&self.inbox, id);
        self.contains(id).then(waker)
    }

    /// Sets what is called when something arrives and nothing has arrived since the last round: on the
    /// thread that it arrives from, without a lock. It must not poll; it makes the host poll soon.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::WakeQueue, tree::asset::spec::action, Runner, TreeAsset, TreeSet};
    /// # #[derive(Agent)]
    /// # struct Rook;
    /// # let mut trees = TreeSet::<Rook>::new();
    /// # trees.add(TreeAsset::build("nap.json", "rook", action("nop")));
    /// let mut queue = WakeQueue::new();
    /// let rook = queue.join(&mut Runner::new(&trees.build()?, "nap.json")?);
    /// let (bell, rings) = std::sync::mpsc::channel();
    /// queue.on_wake(move || {
    ///     let _ = bell.send(());
    /// });
    /// let waker = queue.waker(rook).unwrap();
    /// std::thread::spawn(move || waker.wake()).join().unwrap();
    /// assert!(rings.try_recv().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_wake(&mut self, call: impl Fn() + Send + Sync + 'static) {
        self.inbox.set_on_wake(Arc::new(call));
    }

    pub(super) fn inbox(&self) -> &Arc<Inbox> {
        &self.inbox
    }

    /// Begins a round: puts into `due` who is due at that time, in the order of their ids, and nothing
    /// else. Each of them is polled and [scheduled](WakeQueue::schedule) again, or sleeps until
    /// something arrives.
    ///
    /// `now` is the time since the start, not since the last frame. A time that goes back counts as unchanged; if it
    /// stands from the first frames on, the log says so once (`tracing`, target `bt`).
    pub fn take_due(&mut self, now: Duration, due: &mut Vec<AgentId>) {
        self.look_at_clock(now);
        self.take_arrivals();
        self.take_ready(now, due);
    }

    /// A round begins at that time; what is to be said, once, of a clock that stands.
    pub(super) fn look_at_clock(&mut self, now: Duration) -> Option<String> {
        self.rounds = self.rounds.wrapping_add(1);
        let (now, last) = (nanos(now), self.times.clock());
        if now > last {
            return None;
        }
        let waits = self.asleep > 0;
        let says = self.standing.look(last, self.rounds, now < last, waits);
        says.then(|| {
            let text = Standing::says(last, self.rounds);
            tracing::warn!(target: "bt", "{text}");
            text
        })
    }

    /// The agent that wakes first by the time.
    pub(super) fn first_asleep(&self) -> Option<AgentId> {
        self.times.first().map(|alarm| alarm.id)
    }

    /// Makes those due who were woken from elsewhere.
    pub(super) fn take_arrivals(&mut self) {
        let inbox = self.inbox.clone();
        inbox.take(|id| {
            self.wake(id);
        });
    }

    /// Takes those who are due by now.
    pub(super) fn take_ready(&mut self, now: Duration, due: &mut Vec<AgentId>) {
        due.clear();
        let (slots, ready, asleep) = (&mut self.slots, &mut self.ready, &mut self.asleep);
        self.times.advance(nanos(now), |alarm| {
            if !counts(slots, &alarm) {
                return;
            }
            let slot = &mut slots[alarm.id.index() as usize];
            slot.wake = NEVER;
            *asleep -= 1;
            if !slot.ready {
                slot.ready = true;
                ready.push(alarm.id);
            }
        });
        self.look_at_first();
        std::mem::swap(&mut self.ready, due);
        trim(&mut self.ready, due.len());
        due.retain(|id| {
            let slot = self.slot_mut(*id).filter(|slot| slot.ready);
            // It may have left.
            slot.map(|slot| slot.ready = false).is_some()
        });
        due.sort_unstable();
    }

    /// The time of the next round: the time of the last one if it is due already; none if nobody is due
    /// before something arrives. It costs the same however many agents sleep.
    pub fn next_wake(&self) -> Option<Duration> {
        // Some of them may have left.
        let mut ready = self.ready.iter().filter_map(|id| self.slot(*id));
        if ready.any(|slot| slot.ready) || self.inbox.has_arrived() {
            return Some(Duration::from_nanos(self.times.clock()));
        }
        let first = self.times.first();
        first.map(|alarm| Duration::from_nanos(alarm.time))
    }
}

/// Returns true if somebody still waits for an alarm.
fn counts(slots: &[Slot], alarm: &Alarm) -> bool {
    let slot = &slots[alarm.id.index() as usize];
    slot.wake == alarm.time && slot.generation == alarm.id.generation()
}

/// Later arrivals call nobody: there is no round that they could be for.
impl Drop for WakeQueue {
    fn drop(&mut self) {
        self.inbox.close();
    }
}

impl Slot {
    fn is_taken(&self) -> bool {
        self.life != Life::Nobody
    }

    fn is_of(&self, id: AgentId) -> bool {
        self.is_taken() && self.generation == id.generation()
    }
}

impl Default for Slot {
    fn default() -> Slot {
        Slot {
            wake: NEVER,
            generation: 0,
            life: Life::Nobody,
            ready: false,
        }
    }
}

/// The time at which an agent is due.
#[derive(Debug, Clone, Copy)]
pub(super) enum Due {
    /// At that time, in nanoseconds; one that has passed means in the next round.
    At(u64),
    /// Only at an arrival.
    Never,
}

impl Due {
    /// Reads it from a runner, and has what arrives at that wake the agent.
    pub(super) fn of<A: Agent>(id: AgentId, runner: &mut Runner<A>, inbox: &Arc<Inbox>) -> Due {
        runner.wake_by(inbox.doer(id), &|| AgentWaker::waker(inbox, id));
        // What arrived before that is seen here.
        runner
            .next_wake()
            .map_or(Due::Never, |time| Due::At(nanos(time)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alarms_that_are_set_again_and_again_do_not_pile_up() {
        let mut queue = WakeQueue::new();
        let [one, other] = [queue.open(), queue.open()];
        for step in 0..50_000 {
            let time = 1_000_000 + step % 2;
            queue.set(one, Due::At(time));
            queue.set(other, Due::At(1_000_001 - step % 2));
            assert_eq!(queue.next_wake(), Some(Duration::from_nanos(1_000_000)));
        }
        assert!(queue.times.len() <= 1030, "{}", queue.times.len());
        let mut due = Vec::new();
        queue.take_due(Duration::from_millis(1), &mut due);
        assert_eq!(due, [other]);
        queue.take_due(Duration::from_millis(2), &mut due);
        assert_eq!((due, queue.next_wake(), queue.asleep), (vec![one], None, 0));
    }
}
