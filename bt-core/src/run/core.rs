//! The state of one running agent: small, because there are many.

use std::num::NonZeroU32;

use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::node_ref::{At, Frame, NOWHERE};
#[cfg(feature = "save")]
use super::plain::Restored;
use super::plain::{Delivery, Entry, Leaving, Level, Order, Phase, Quiet, Watch};
use super::state::continuations::Continuations;
use super::state::inbox::Inbox;
use super::state::interrupted::Interrupted;
use super::state::memory::{RetainedCounters, States};
use super::state::numbers::Numbers;
use super::state::observers::Observers;
use super::state::pace::Pace;
use super::state::pauses::Pauses;
#[cfg(feature = "trace")]
use super::state::refusals::Refusals;
use super::state::reports::Reports;
pub(crate) use super::state::requests::Request;
use super::state::requests::Requests;
use super::state::results::Results;
use super::state::suspended::Suspended;
use super::state::timers::{Purpose, Timer, Timers};
#[cfg(feature = "trace")]
use super::state::trace::Trace;
use crate::blackboard::Blackboard;
use crate::call::Session;
use crate::clock::Standing;
use crate::kinds::Slot;
use crate::tree::plan::{NONE, Plan};

/// One agent's state on its trees, whatever the agent is.
#[derive(Debug)]
pub(crate) struct Core {
    pub(super) session: Session,
    /// The nodes that wait for something, in the order in which nodes run.
    pub(super) entries: SmallVec<[Entry; 1]>,
    pub(super) timers: Timers,
    pub(super) frames: ThinVec<Frame>,
    pub(super) cold: Option<Box<Cold>>,
    /// The root of the tree that runs.
    pub(super) root: u32,
    /// The frame that the walker is in.
    pub(super) frame: u32,
    /// The number of the poll, from 1.
    pub(super) poll: u32,
    /// The number of the poll in which the root was entered.
    pub(super) began: u32,
    /// The number of entries so far, without the [rounds](Cold::rounds) of the counter.
    order: u32,
    /// The number of entries that have a turn every poll.
    pub(super) turns: u32,
    /// In the turn: how many entries have had theirs; [`NONE`] outside.
    pub(super) cursor: u32,
    /// The node that ended, or was not entered, last before its tree decided: why that failed, if it did.
    pub(super) decided: u32,
    /// The number of nodes that may still be entered in this poll.
    pub(super) budget: u32,
    pub(super) max_budget: u32,
    pub(super) phase: Phase,
    /// True if the tree begins again when it has ended; none for the rule of its file.
    pub(super) again: Option<bool>,
    pub(super) paused: bool,
    /// Something is to be done before the walk continues.
    pub(super) interrupted: Interrupted,
    /// [`STARTED`], [`SPENT`], [`TOUCHED`], [`TURNED`], [`RESTS`], [`REFUSED`], [`MOVES`] and [`STOPPED`].
    marks: u8,
    /// Yes if nothing but a timer can be due: no event, no request, no turn.
    pub(super) quiet: Quiet,
    /// The result of the last run that ended in this poll.
    pub(super) last: Option<bool>,
    /// True if nodes are entered one at a time, because the result of each is kept or traced.
    pub(super) is_traced: bool,
}

/// State that many agents never have.
#[derive(Debug, Default)]
pub(crate) struct Cold {
    /// The number of times that the counter of entries has gone round.
    rounds: u8,
    /// The remaining budget of a poll in which nothing is entered until the agent has moved to changed trees.
    held_budget: u32,
    /// A suspended tree is in the place of the current one: what is written meanwhile reacts afterwards.
    pub(super) is_swapped: bool,
    /// It was polled and never started, and that was reported.
    is_reported: bool,
    pub(super) inbox: Inbox,
    pub(super) continuations: Continuations,
    pub(super) states: States,
    pub(super) counters: RetainedCounters,
    pub(super) numbers: Numbers,
    pub(super) observers: Observers,
    pub(super) leaving: ThinVec<Leaving>,
    /// Events that an active node took, which it takes once.
    pub(super) taken: ThinVec<(At, u32)>,
    pub(super) closed_frames: ThinVec<u32>,
    /// Nodes of which changed trees say something else: it is checked in the next turn.
    pub(super) rechecks: ThinVec<At>,
    pub(super) suspended: Suspended,
    pub(super) requests: Requests,
    pub(super) reports: Reports,
    #[cfg(feature = "trace")]
    pub(super) refusals: Refusals,
    pub(super) results: Results,
    #[cfg(feature = "trace")]
    pub(super) trace: Option<Box<Trace>>,
    /// It was restored, and has not been polled since.
    #[cfg(feature = "save")]
    pub(super) restored: Option<Box<Restored>>,
    pub(super) pauses: Pauses,
    pub(super) pace: Option<Box<Pace>>,
    /// The number of the last poll that was given a time which went back, and that time.
    pub(super) went_back: Option<NonZeroU32>,
    pub(super) went_back_to: u64,
    /// The watch on the clock: whether it ran in the first polls.
    pub(super) standing: Standing,
}

/// In [`Core::marks`].
const STARTED: u8 = 1;
const SPENT: u8 = 1 << 1;
/// That something was called in this poll that may have changed the agent.
const TOUCHED: u8 = 1 << 2;
/// That the turn of this poll is over.
const TURNED: u8 = 1 << 3;
/// That a reset from within the tree starts it in the next poll.
const RESTS: u8 = 1 << 4;
/// That a guard kept [`Core::decided`] from being entered.
const REFUSED: u8 = 1 << 5;

/// That what changed trees do not have was aborted, and the agent moves to them when it is gone.
const MOVES: u8 = 1 << 6;

/// That a debugger has stopped it in the middle of a poll.
const STOPPED: u8 = 1 << 7;

/// The number of nodes that are entered in one poll unless the runner says otherwise.
pub(crate) const BUDGET: u32 = 10_000;

impl Core {
    pub(crate) fn new(session: Session, root: u32) -> Core {
        Core {
            session,
            entries: SmallVec::new(),
            timers: Timers::default(),
            frames: ThinVec::new(),
            cold: None,
            root,
            frame: 0,
            poll: 0,
            began: NONE,
            decided: NONE,
            order: 0,
            turns: 0,
            cursor: NONE,
            budget: BUDGET,
            max_budget: BUDGET,
            phase: Phase::Idle,
            again: None,
            paused: false,
            interrupted: Interrupted::default(),
            marks: 0,
            quiet: Quiet::No,
            last: None,
            is_traced: false,
        }
    }

    pub(crate) fn cold(&mut self) -> &mut Cold {
        self.cold.get_or_insert_default()
    }

    /// The pace of an agent that does not look at everything in every poll.
    pub(crate) fn pace(&mut self) -> &mut Pace {
        self.cold().pace.get_or_insert_default()
    }

    pub(crate) fn pace_if_any(&mut self) -> Option<&mut Pace> {
        self.cold.as_mut()?.pace.as_deref_mut()
    }

    pub(crate) fn its_pace(&self) -> Option<&Pace> {
        self.cold.as_ref()?.pace.as_deref()
    }

    /// The time of the next turn, if there is not one in every poll and nothing else is waited for; `u64::MAX` for
    /// none.
    #[inline]
    pub(crate) fn next_turn(&self) -> u64 {
        let paced = (self.quiet == Quiet::Paced).then(|| self.its_pace()?.next());
        paced.flatten().unwrap_or(u64::MAX)
    }

    /// The agent's blackboard.
    #[inline]
    pub(crate) fn board(&self) -> &Blackboard {
        self.session.board()
    }

    /// The places that wait, those of suspended trees first.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = At> {
        let suspended = self.suspended().iter().flat_map(|level| &level.entries);
        suspended.chain(&self.entries).map(|entry| entry.at)
    }

    /// The time of the poll in nanoseconds.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        self.session.now_nanos()
    }

    pub(crate) fn here(&self, node: u32) -> At {
        At {
            frame: self.frame,
            node,
        }
    }

    pub(crate) fn next_order(&mut self) -> Order {
        self.order = self.order.wrapping_add(1);
        if self.order == 0 {
            let rounds = &mut self.cold().rounds;
            *rounds = rounds.wrapping_add(1);
        }
        self.last_order()
    }

    /// The number of the last entry.
    pub(crate) fn last_order(&self) -> Order {
        let rounds = self.cold.as_ref().map_or(0, |cold| cold.rounds);
        Order::new(rounds, self.order)
    }

    /// Goes on after the entry of that number.
    pub(crate) fn set_last_order(&mut self, last: u64) {
        self.order = last as u32;
        let rounds = (last >> 32) as u8;
        if rounds != 0 {
            self.cold().rounds = rounds;
        }
    }

    pub(crate) fn deliver(&mut self, delivery: Delivery) {
        self.quiet = Quiet::No;
        self.cold().inbox.push(delivery);
    }

    /// Notes what a node requested; the host, if that is nowhere.
    pub(crate) fn request(&mut self, by: At, request: Request) {
        self.quiet = Quiet::No;
        self.interrupted.react();
        self.cold().requests.note(by, request);
    }

    /// The state of a node of a kind.
    pub(crate) fn state<K: Slot>(&self, at: At) -> Option<&K::State> {
        self.cold.as_ref()?.states.get::<K>(at)
    }

    pub(crate) fn state_mut<K: Slot>(&mut self, at: At) -> Option<&mut K::State> {
        self.cold.as_mut()?.states.get_mut::<K>(at)
    }

    pub(crate) fn set_state<K: Slot>(&mut self, at: At, state: K::State) {
        self.cold().states.set::<K>(at, state);
    }

    pub(crate) fn clear_state(&mut self, at: At) {
        if let Some(cold) = &mut self.cold {
            cold.states.clear(at);
        }
    }

    /// Forgets the numbers that a node read on entry.
    pub(crate) fn clear_numbers(&mut self, at: At) {
        if let Some(cold) = &mut self.cold {
            cold.numbers.clear(at);
        }
    }

    /// The retained counter of a node of a kind.
    pub(crate) fn retained<K: Slot<Retained: Copy>>(&self, node: u32) -> Option<K::Retained> {
        self.cold.as_ref()?.counters.get::<K>(node)
    }

    pub(crate) fn retain<K: Slot>(&mut self, node: u32, retained: K::Retained) {
        self.cold().counters.set::<K>(node, retained);
    }

    /// Forgets the retained counter of a node.
    pub(crate) fn forget(&mut self, node: u32) {
        if let Some(cold) = &mut self.cold {
            cold.counters.forget(node);
        }
    }

    /// Continues with a composite, or at a node, once what was entered before blocks.
    pub(crate) fn push_continuation(&mut self, at: At, child: u32) {
        self.cold().continuations.push(at, child);
    }

    /// The child that a composite has entered, and of which it has not heard yet.
    pub(crate) fn entering(&self, at: At) -> Option<u32> {
        let all = self.cold.as_ref()?.continuations.all();
        let own = all.iter().rfind(|next| next.at() == at)?;
        (own.child() != NONE).then_some(own.child())
    }

    /// Drops the continuations of a composite.
    pub(crate) fn drop_continuations(&mut self, at: At) {
        if let Some(cold) = &mut self.cold {
            cold.continuations.clear(at);
        }
    }

    /// Nothing followed from the guards that reacted.
    pub(crate) fn drop_reaction(&mut self) {
        if let Some(cold) = &mut self.cold {
            cold.continuations.drop_last(NOWHERE);
        }
    }

    /// Something follows from a guard: those to its right react afterwards.
    pub(crate) fn hold_reactions(&mut self) {
        let cold = self.cold();
        cold.observers.hold(cold.continuations.reactions());
    }

    /// All that follows from a guard has been done, and its continuation is taken.
    pub(crate) fn release_reactions(&mut self) {
        let cold = self.cold();
        cold.observers.release(cold.continuations.reactions() + 1);
    }

    /// Drops the continuations of a place and of all that is below it, and what was to decide there.
    pub(crate) fn drop_continuations_within(&mut self, plan: &Plan, top: At) {
        let Some(cold) = &mut self.cold else { return };
        if cold.continuations.is_empty() {
            return;
        }
        let mut continuations = std::mem::take(&mut cold.continuations);
        continuations.retain(|at| !self.is_within(plan, at, top));
        self.cold().continuations = continuations;
    }

    /// Sets a timer; one that is due at the same time as another comes after it.
    pub(crate) fn set_timer(&mut self, time: u64, at: At, purpose: Purpose) {
        self.timers.set(Timer::new(time, at, purpose));
    }

    /// Clears the timers of a node.
    pub(crate) fn clear_timers(&mut self, at: At) {
        self.timers.clear(at);
        if let Some(cold) = &mut self.cold {
            cold.inbox.clear_timers(at);
        }
    }

    /// The request that is not applied yet.
    pub(crate) fn requested(&self) -> Option<Request> {
        self.cold.as_ref()?.requests.pending()
    }

    /// Returns true if something is to be delivered, or to be applied, in the next poll.
    pub(crate) fn has_queued(&self) -> bool {
        let cold = self.cold.as_ref();
        cold.is_some_and(|cold| cold.inbox.has_queued() || cold.requests.pending().is_some())
    }

    /// The guards that are observed.
    pub(crate) fn observed(&self) -> &[Watch] {
        self.cold.as_ref().map_or(&[], |cold| cold.observers.all())
    }

    /// The time of the poll, without the time for which the agent was paused.
    pub(crate) fn now_awake(&self) -> u64 {
        self.awake_at(self.now())
    }

    /// The same of another time.
    pub(crate) fn awake_at(&self, now: u64) -> u64 {
        let cold = self.cold.as_ref();
        cold.map_or(now, |cold| cold.pauses.awake(now))
    }

    /// The time since a method was called, in nanoseconds without pauses. A restored agent may have called it before
    /// its clock began.
    pub(crate) fn delta(&self, ran: u64) -> u64 {
        self.now_awake().wrapping_sub(ran)
    }

    /// The frame of the current tree's root.
    pub(crate) fn base(&self) -> u32 {
        self.cold.as_ref().map_or(0, |cold| cold.suspended.base())
    }

    /// Returns true if it was started once.
    pub(crate) fn is_started(&self) -> bool {
        self.marks & STARTED != 0
    }

    pub(crate) fn set_started(&mut self) {
        self.marks |= STARTED;
    }

    /// Returns true if it was reported that it was never started.
    pub(crate) fn is_reported(&self) -> bool {
        let cold = self.cold.as_ref();
        cold.is_some_and(|cold| cold.is_reported)
    }

    pub(crate) fn set_reported(&mut self) {
        self.cold().is_reported = true;
    }

    /// Returns true if something was called in this poll that may have changed the agent.
    #[inline]
    pub(crate) fn is_touched(&self) -> bool {
        self.marks & TOUCHED != 0
    }

    #[inline]
    pub(crate) fn touch_if(&mut self, touched: bool) {
        if touched {
            self.marks |= TOUCHED;
        }
    }

    /// A poll begins.
    #[inline]
    pub(crate) fn clear_touched(&mut self) {
        self.marks &= !TOUCHED;
    }

    /// Returns true if the turn of this poll has begun, and is not over.
    pub(crate) fn is_turn(&self) -> bool {
        self.cursor != NONE
    }

    /// Returns true if the budget of this poll is spent.
    pub(crate) fn is_spent(&self) -> bool {
        self.marks & SPENT != 0
    }

    pub(crate) fn set_spent(&mut self, spent: bool) {
        self.marks &= !SPENT;
        self.marks |= if spent { SPENT } else { 0 };
    }

    /// Returns true if the turn of this poll is over.
    pub(crate) fn is_turned(&self) -> bool {
        self.marks & TURNED != 0
    }

    pub(crate) fn set_turned(&mut self, turned: bool) {
        self.marks &= !TURNED;
        self.marks |= if turned { TURNED } else { 0 };
    }

    /// Returns true if a reset from within the tree starts it in the next poll, and not in this one.
    pub(crate) fn rests(&self) -> bool {
        self.marks & RESTS != 0
    }

    pub(crate) fn set_rests(&mut self, rests: bool) {
        self.marks &= !RESTS;
        self.marks |= if rests { RESTS } else { 0 };
    }

    /// Returns true if the agent moves to changed trees when what is cancelling is gone.
    pub(crate) fn moves(&self) -> bool {
        self.marks & MOVES != 0
    }

    pub(crate) fn set_moves(&mut self, moves: bool) {
        self.marks &= !MOVES;
        self.marks |= if moves { MOVES } else { 0 };
    }

    /// Nothing is entered any more until the agent has moved to changed trees: what is to be entered waits.
    pub(crate) fn hold_budget(&mut self) {
        self.set_spent(true);
        let held = std::mem::take(&mut self.budget);
        self.cold().held_budget = held;
    }

    /// Returns true if all that follows from an abort waits for the agent to move to changed trees.
    pub(crate) fn holds_entries(&self) -> bool {
        let cold = self.cold.as_ref();
        self.moves() && self.is_spent() && cold.is_some_and(|cold| cold.leaving.is_empty())
    }

    /// The poll continues; whether anything can be entered in it.
    pub(crate) fn release_budget(&mut self) -> bool {
        let held = std::mem::take(&mut self.cold().held_budget);
        self.budget = self.budget.max(held);
        self.budget > 0
    }

    /// Returns true if a debugger has stopped it in the middle of a poll.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        cfg!(feature = "debug") && self.marks & STOPPED != 0
    }

    pub(super) fn set_stopped(&mut self, stopped: bool) {
        self.marks &= !STOPPED;
        self.marks |= if stopped { STOPPED } else { 0 };
    }

    /// Notes which node ended last, or with `refused` was not entered, before others decide by it.
    #[inline(always)]
    pub(crate) fn decided(&mut self, node: u32, refused: bool) {
        self.decided = node;
        self.marks &= !REFUSED;
        self.marks |= if refused { REFUSED } else { 0 };
    }

    /// Returns true if a guard kept from being entered what [decided](Core::decided) last.
    pub(crate) fn was_refused(&self) -> bool {
        self.marks & REFUSED != 0
    }

    /// For how many polls a node of a suspended tree has had no turn.
    pub(crate) fn rested(&self, at: At) -> u32 {
        let level = self.suspended().get(self.frame(at.frame).level as usize);
        let mut entries = level.into_iter().flat_map(|level| &level.entries);
        let entry = entries.find(|entry| entry.at == at);
        entry.map_or(0, |entry| self.poll.saturating_sub(entry.stamp))
    }

    /// The number of trees that are suspended.
    pub(crate) fn level(&self) -> u32 {
        self.suspended().len() as u32
    }

    /// The trees that events suspended, the last one last.
    pub(crate) fn suspended(&self) -> &[Level] {
        let cold = self.cold.as_ref();
        cold.map_or(&[], |cold| cold.suspended.levels())
    }

    /// The start of the current pause, or of the one that the next poll ends.
    pub(crate) fn paused_since(&self) -> Option<u64> {
        self.cold.as_ref()?.pauses.since()
    }

    /// Lets what waits for a time wait as much longer as the agent was paused.
    pub(crate) fn end_pause(&mut self) {
        let now = self.now();
        let cold = self.cold.as_mut();
        if let Some(paused) = cold.and_then(|cold| cold.pauses.end(now)) {
            self.timers.delay(paused);
            if let Some(pace) = self.pace_if_any() {
                pace.delay(paused);
            }
        }
    }

    /// Counts times that are set in a pause from now, and not from the start of the pause.
    pub(crate) fn rebase_pause(&mut self) {
        self.end_pause();
        if self.paused {
            let now = self.now();
            self.cold().pauses.begin(now);
        }
    }
}
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Cold>() <= 384, "a waiting agent has one");
