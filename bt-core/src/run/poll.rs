//! One poll, as the host calls it: how it begins, what of it is left to a walk, and how it ends.

use std::num::NonZeroU32;
use std::time::Duration;

use super::core::Core;
use super::node_ref::NOWHERE;
use super::plain::{Next, Phase, Quiet};
use super::runner::Runner;
use super::walk::{Hosted, Walk, Walker};
use crate::blackboard::{Scope, TreeFrame};
use crate::call::Status;
use crate::clock::{Standing, nanos};
use crate::trace::Control;
use crate::{Agent, Worldless};

/// The result of a poll.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Mode, Runner, Status, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// trees.add(TreeAsset::build("nap", "action_agent", action("wait_for_seconds").arg(5)));
/// let mut runner = Runner::new(&trees.build()?, "nap")?.mode(Mode::Once);
/// runner.start();
///
/// // Nothing happens before the second 5, so the host need not poll before.
/// let poll = runner.poll(&mut ActionAgent, Duration::ZERO);
/// assert_eq!(poll.status, Status::Running);
/// assert_eq!(poll.next_wake, Some(Duration::from_secs(5)));
///
/// let poll = runner.poll(&mut ActionAgent, Duration::from_secs(5));
/// assert_eq!((poll.status, poll.next_wake), (Status::Success, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Poll {
    /// `Running`, or how the tree ended. `Failure` before the tree was started and after it was stopped. For a
    /// tree in mode `Loop`: how its last run ended, if that was in this poll and the next run has not begun.
    pub status: Status,
    /// The time of the next poll, if nothing happens before. The time of this poll means in the next frame;
    /// none means not before an event or a completion arrives.
    pub next_wake: Option<Duration>,
    /// True if something was called in this poll that may have changed the agent or its world: a method that takes the
    /// agent mutably or the world, its exit or resume method, the agent's fallback, or a write to a property. Conditions
    /// and queries, expressions and methods that take neither do not count. Hosts that keep track of changes, such as an
    /// ECS, need not look at an agent that was not touched.
    pub touched: bool,
}

/// The work of a poll.
pub(super) enum Begun {
    /// Nothing.
    Over(Poll),
    Awake,
    /// A debugger has stopped it in the middle of a poll, and now it continues.
    #[cfg(feature = "debug")]
    Stopped,
}

impl<A: Agent> Runner<A> {
    /// Polls the agent, which acts on a world, at a time of the host's clock: `now` is the time since the start of
    /// whatever the host counts from, not since the last frame.
    ///
    /// A time that goes back counts as unchanged, and [`explain`](Runner::explain) reports it. If the clock stands
    /// from the first polls on while something waits for a time, a [diagnostic](Runner::diagnostics) says so once.
    /// A game that is paused may give the same time again and again, or [pause](Runner::pause) its agents.
    #[inline]
    pub fn poll_in<'w, 's>(
        &mut self,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
        now: Duration,
    ) -> Poll {
        match self.begin_poll(now) {
            Begun::Over(poll) => poll,
            Begun::Awake => self.poll_awake(agent, world),
            #[cfg(feature = "debug")]
            Begun::Stopped => self.poll_stopped(agent, world),
        }
    }

    /// Looks at the clock; what the poll says, if it has nothing else to do.
    #[inline(always)]
    fn begin_poll(&mut self, now: Duration) -> Begun {
        if !self.core.session.passes(now) {
            self.note_still(now);
        }
        let core = &mut self.core;
        core.clear_touched();
        if core.paused {
            return self.poll_paused();
        }
        core.poll = core.poll.wrapping_add(1);
        match core.is_quiet() {
            true => {
                if core.quiet == Quiet::Paced {
                    core.wait_for_turn();
                    self.trace_explanation();
                }
                Begun::Over(Poll {
                    status: self.core.status(),
                    next_wake: self.core.next_alarm(),
                    touched: false,
                })
            }
            false => Begun::Awake,
        }
    }

    /// A poll is about to begin in which no time has passed since an earlier one.
    #[cold]
    fn note_still(&mut self, now: Duration) {
        let time = nanos(now);
        let core = &mut self.core;
        let poll = core.poll.wrapping_add(u32::from(!core.paused));
        let is_time_reversed = time < core.now();
        if is_time_reversed {
            let cold = core.cold();
            (cold.went_back, cold.went_back_to) = (NonZeroU32::new(poll), time);
        }
        if !core.paused && core.begins_to_stand(poll, is_time_reversed) {
            let text = Standing::says(core.now(), poll);
            // The poll that begins reports it.
            let before = std::mem::replace(&mut core.poll, poll);
            core.report(&self.trees.0.plan, NOWHERE, text);
            core.poll = before;
        } else if !is_time_reversed {
            return;
        }
        // The poll may have nothing to do.
        self.trace_explanation();
    }

    /// Reports what a pool says of its clock.
    pub(crate) fn report_standing(&mut self, text: String) {
        self.core.report(&self.trees.0.plan, NOWHERE, text);
    }

    /// A poll while it is paused: a trace shows what was written meanwhile.
    #[cold]
    fn poll_paused(&mut self) -> Begun {
        if self.core.is_stopped() {
            return self.poll_while_stopped();
        }
        // One that was restored knows the host's clock from now on.
        self.core.sync_clock();
        self.core.trace_writes(&self.trees.0.plan);
        // What ended in an earlier poll did not end in this one.
        self.core.last = None;
        self.trace_explanation();
        Begun::Over(self.summary())
    }

    /// Does what is to be done in a poll that has something to do.
    #[inline(never)]
    fn poll_awake<'w, 's>(&mut self, agent: &mut A, world: &mut A::World<'w, 's>) -> Poll {
        if self.may_move() {
            return self.poll_and_move(agent, world);
        }
        // Not by `walking`: the way to the agent's method stays short.
        let set = &*self.trees.0;
        let mut host = Hosted::new(set, agent, world);
        let mut walker = Walk {
            plan: &set.plan,
            core: &mut self.core,
            host: &mut host,
        };
        let mut walker = walker.any();
        match walker.begin_poll() {
            true => walker.call_polled(),
            false => walker.go(),
        }
        self.core.touch_if(host.touched);
        self.end_walk();
        self.summary()
    }

    /// A poll of an agent that moves to changed trees, or did.
    #[cold]
    fn poll_and_move<'w, 's>(&mut self, agent: &mut A, world: &mut A::World<'w, 's>) -> Poll {
        self.move_to_changed(agent, world);
        self.walking(agent, world, |walk| {
            walk.begin_poll();
            walk.go();
        });
        self.move_after_walk(agent, world);
        self.end_walk();
        self.summary()
    }

    /// Moves the agent in the middle of a poll if nothing cancels any more, or at its end.
    pub(super) fn move_after_walk<'w, 's>(&mut self, agent: &mut A, world: &mut A::World<'w, 's>) {
        while self.core.moves() && self.core.is_spent() && !self.core.is_stopped() {
            self.core.release_budget();
            let moved = self.move_to_changed(agent, world);
            let continues = self.core.release_budget();
            // A reset that was complete: its tree starts in the next poll.
            if self.core.phase == Phase::Due || !moved && !continues {
                break;
            }
            // The poll continues in the changed trees; in the old ones, if what has gone is cancelling now.
            self.core.set_spent(false);
            self.core.interrupted.react();
            self.walking(agent, world, |walk| walk.go());
        }
        if !self.core.is_stopped() && (!self.is_running() || self.core.phase == Phase::Due) {
            // A tree that was kept to its end is over.
            self.move_to_changed(agent, world);
        }
    }

    /// Stops the tree: everything is aborted, exit methods are called. What is still cancelling is
    /// waited for in the following polls. What outlives a tree's end, such as cooldowns, stays. A reset
    /// or a load that was asked for, and has not happened yet, does not happen.
    pub fn stop_in<'w, 's>(&mut self, agent: &mut A, world: &mut A::World<'w, 's>, now: Duration) {
        self.core.session.set_now(now);
        self.core.leave_stop();
        self.core.hold_stops(true);
        self.trace_control(Control::Stop);
        self.core.sync_clock();
        self.core.rebase_pause();
        if let Some(cold) = &mut self.core.cold {
            cold.requests.set_starts_again(false);
        }
        self.walking(agent, world, |walk| walk.stop());
        self.end_walk();
        self.core.hold_stops(false);
    }

    /// Lends the agent to a walk.
    pub(super) fn walking<'w, 's, R>(
        &mut self,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
        walk: impl FnOnce(&mut Walker<'_>) -> R,
    ) -> R {
        let set = &*self.trees.0;
        let mut host = Hosted::new(set, agent, world);
        let mut walker = Walk {
            plan: &set.plan,
            core: &mut self.core,
            host: &mut host,
        };
        let result = walk(&mut walker.any());
        self.core.touch_if(host.touched);
        result
    }

    /// The agent is not lent any more.
    pub(super) fn end_walk(&mut self) {
        let set = &*self.trees.0;
        if self.core.is_traced && !self.core.is_stopped() {
            self.core.trace_waits(&set.plan);
            self.core.trace_explanation(&set.plan);
            self.core.stops(Next::Over);
        }
        if set.plan.scoped {
            // The host sees the agent's own keys, wherever the walk was last.
            let board = self.core.session.board();
            board.enter(TreeFrame::default(), Scope::AGENT);
        }
    }

    pub(super) fn summary(&self) -> Poll {
        let core = &self.core;
        let next_wake = match core.quiet {
            _ if core.waits_for_host() => None,
            Quiet::No => Some(Duration::from_nanos(core.now())),
            Quiet::Moves | Quiet::Paced | Quiet::Yes => self.next_wake(),
        };
        Poll {
            status: core.status(),
            next_wake,
            touched: core.is_touched(),
        }
    }
}

impl Core {
    /// Returns true if it is to be said, in the poll of that number, that the clock stands.
    fn begins_to_stand(&mut self, poll: u32, is_time_reversed: bool) -> bool {
        let before = self.standing();
        let waits = self.phase == Phase::Active && self.timers.next_time() != u64::MAX;
        let mut known = before;
        let says = known.look(self.now(), poll, is_time_reversed, waits);
        if known != before {
            self.cold().standing = known;
        }
        says
    }

    fn standing(&self) -> Standing {
        let cold = self.cold.as_ref();
        cold.map_or(Standing::default(), |cold| cold.standing)
    }

    /// Returns true if the clock still stands where it did when that was said.
    pub(crate) fn stands_still(&self) -> bool {
        self.standing().was_said_at(self.now())
    }

    /// Returns true if polls do nothing until the host says so.
    #[inline]
    fn waits_for_host(&self) -> bool {
        self.paused && !self.will_step() || self.phase.is_at_rest() && !self.begins()
    }

    #[inline]
    fn status(&self) -> Status {
        match (self.phase, self.last) {
            (Phase::Succeeded, _) => Status::Success,
            (Phase::Failed, _) => Status::Failure,
            (Phase::Idle, _) => Status::Failure,
            (Phase::Due, Some(success)) => success.into(),
            (Phase::Due, None) | (Phase::Active | Phase::Stopping, _) => Status::Running,
        }
    }

    /// The time of the next poll, as of now.
    pub(crate) fn next_wake(&self) -> Option<Duration> {
        if self.waits_for_host() {
            return None;
        }
        if self.quiet == Quiet::No || self.session.has_arrived() || self.session.board().has_news()
        {
            return Some(Duration::from_nanos(self.now()));
        }
        self.next_alarm()
    }

    /// The time of the next timer, at the earliest now.
    #[inline]
    fn next_alarm(&self) -> Option<Duration> {
        let time = self.timers.next_time().min(self.next_turn());
        (time != u64::MAX).then(|| Duration::from_nanos(time.max(self.now())))
    }
}

impl<A: Agent> Runner<A> {
    /// [`poll_in`](Runner::poll_in) for an agent that acts on no world: `now` is the time since the start, not since
    /// the last frame.
    #[inline]
    pub fn poll(&mut self, agent: &mut A, now: Duration) -> Poll
    where
        A: Worldless,
    {
        match self.begin_poll(now) {
            Begun::Over(poll) => poll,
            Begun::Awake => self.poll_awake(agent, &mut ()),
            #[cfg(feature = "debug")]
            Begun::Stopped => self.poll_stopped(agent, &mut ()),
        }
    }

    /// [`stop_in`](Runner::stop_in) for an agent that acts on no world.
    pub fn stop(&mut self, agent: &mut A, now: Duration)
    where
        A: Worldless,
    {
        self.stop_in(agent, &mut (), now);
    }
}
