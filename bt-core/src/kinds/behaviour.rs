//! The behaviour of a kind's nodes, and the facts that others need of it.
//!
//! A kind's behaviour is a type that is a [`Behaviour`] and [`Runs`]. What it leaves out never happens
//! to it. `root`, `sequence`, `select`, `negative`, `always_true`, `always_false`, `action` and
//! `condition`, which most nodes are, are walked through by the runner itself as long as nothing is
//! attached to them.

use std::borrow::Cow;

use super::context::NodeContext;
use super::number::Amount;
use super::plan::Given;
use super::remember::{Long, Remember};
use super::step::{Step, Wait};
use crate::blackboard::KeyId;
use crate::call::Exit;

/// The facts about a node's behaviour that saving, restoring, explaining and the runner need.
pub(crate) trait Behaviour {
    /// The state of an active node; [`Nothing`](super::Nothing) for most.
    type State: Remember
    where
        Self: Sized;

    /// Its retained counter, which outlives its exits; [`Nothing`](super::Nothing) for most.
    type Retained: Remember
    where
        Self: Sized;

    /// The call that it makes.
    fn call(&self) -> Option<u32> {
        None
    }

    /// Returns whether an event of that number ends its wait: whether it leaves the event to others, too.
    fn awaits(&self, _event: u32) -> Option<bool> {
        None
    }

    /// The keys for the parameters of the event that it waits for.
    fn event_params(&self) -> &[(Box<str>, KeyId)] {
        &[]
    }

    /// The values of the called tree's keys, by the keys' names.
    fn tree_args(&self) -> &[(Box<str>, Given)] {
        &[]
    }

    /// The keys that take those of the called tree when it has ended so, by the names of these.
    fn tree_results(&self, _success: bool) -> &[(Box<str>, KeyId)] {
        &[]
    }

    /// Returns true if it evaluates its earlier children in every poll.
    fn is_reactive(&self) -> bool {
        false
    }

    /// Returns true if it may choose another child in its turn, in place of the one that runs.
    fn chooses_anew(&self) -> bool {
        false
    }

    /// Returns true if more than one of its children may be active.
    fn runs_many(&self) -> bool {
        false
    }

    /// Returns true if it may begin at another child than its first.
    fn begins_later(&self) -> bool {
        false
    }

    /// Returns true if the last child that ends in a pass counts for it: it decides after those, too, that
    /// are polled a last time, or that the budget left over.
    fn counts_last(&self) -> bool {
        false
    }

    /// Returns true if it still decides in a later poll, if the budget of this one is spent.
    fn decides_later(&self) -> bool {
        true
    }

    /// Returns true if it waits like that between polls.
    fn may_wait(&self, _: Wait) -> bool {
        false
    }

    /// Returns true if a child of it, which is not active, waits like that between polls.
    fn child_may_wait(&self, _: Wait) -> bool {
        false
    }

    /// Returns true if it is resumed when what it entered waits.
    fn may_resume(&self) -> bool {
        false
    }

    /// Returns true if it calls that tree, by its number, and comes back.
    fn may_call(&self, _tree: u32) -> bool {
        false
    }

    /// The times at which it has a timer of its own.
    fn timed(&self) -> Timed {
        Timed::Never
    }

    /// The time that it, or its child, has from its entry on, in nanoseconds.
    fn nanos(&self) -> Option<Amount<Long>> {
        None
    }

    /// Returns true if it has a state whenever it is active.
    fn remembers(&self) -> bool
    where
        Self: Sized,
    {
        size_of::<Self::State>() > 0
    }

    /// The part of the node that ends the nodes below it, at the latest.
    fn ends_below(&self, _: Option<&Self::State>) -> Option<Ends>
    where
        Self: Sized,
    {
        None
    }

    /// Reports the first fault of a saved state.
    fn check(&self, _: &Self::State, _: &Found<'_>) -> Result<(), &'static str>
    where
        Self: Sized,
    {
        Ok(())
    }

    /// Returns true if a state that was saved says that it has still to [decide](Runs::decide).
    fn is_deciding(&self, _: &Self::State) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// The reason why its retained counter refuses an entry now; `awake` is the time without pauses.
    fn refuses(&self, _: &Self::Retained, _awake: u64) -> Option<RefusedBy>
    where
        Self: Sized,
    {
        None
    }
}

/// The behaviour of a node. A node is its number; its children and its state are the context's.
pub(crate) trait Runs<C: NodeContext>: Behaviour {
    /// The node is entered.
    fn enter(&self, cx: &mut C, node: u32) -> Step;

    /// A child of it has ended, and was exited.
    fn child_done(&self, _: &mut C, _node: u32, _child: u32, success: bool) -> Step {
        Step::Done(success)
    }

    /// The child that it entered waits now; it had asked to be [resumed](NodeContext::resume_after).
    fn resume(&self, _: &mut C, _node: u32, _child: u32) -> Step {
        Step::Blocked
    }

    /// It has the turn that it asked for: it waits as [`Wait::Turn`] or [`Wait::Again`].
    fn turn(&self, _: &mut C, _node: u32) -> Step {
        Step::Blocked
    }

    /// Its time has come.
    fn timer(&self, _: &mut C, _node: u32) -> Step {
        Step::Blocked
    }

    /// Everything below it that was to run in this pass has run: it asked to
    /// [decide](NodeContext::decide_later) then.
    fn decide(&self, _: &mut C, _node: u32) -> Step {
        Step::Blocked
    }

    /// It was put around a child that runs: it is active from now on, and did not enter that child.
    fn adopt(&self, _: &mut C, _node: u32, _child: u32) {}

    /// Its children are others than before, and what runs below it stays active.
    fn rejoin(&self, _: &mut C, _node: u32) {}

    /// A reload took all that ran below it, and `standing` is in its place; true if the node finds out in its turn what
    /// runs next.
    fn lost(&self, _: &mut C, _node: u32, _standing: Option<u32>) -> bool {
        false
    }

    /// All that ran below it is gone, and `standing` is in its place; the child to go on with.
    fn replace(&self, _: &mut C, _node: u32, standing: Option<u32>) -> Option<u32> {
        standing
    }

    /// Checks once, in its turn, the parameters that changed trees gave it.
    fn check_again(&self, _: &mut C, _node: u32) -> Step {
        Step::Blocked
    }

    /// It was aborted, and so was its child, if one ran. Its state and its timers are cleared in any
    /// case.
    fn aborted(&self, _: &mut C, _node: u32, _child: Option<u32>) {}

    /// It has ended so, and nothing runs below it: of a node whose method has something to clean up.
    fn exited(&self, _: &mut C, _node: u32, _exit: Exit) {}
}

/// The cause that ends the nodes below one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// Its timer.
    Timer,
    /// The end of the poll of that number; later, if its tree is suspended.
    Poll(u32),
    /// Its earlier children, in any poll.
    Earlier,
    /// Its choice of another child, in any poll.
    Choice,
}

/// The times at which a node has a timer of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timed {
    Never,
    /// As long as it waits for it.
    Waiting,
    /// As long as it has a state.
    Remembering,
}

/// The reason why a node cannot be entered now, though its guards hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RefusedBy {
    /// It cools down: for so many nanoseconds more.
    Cooldown(u64),
    /// Its child has run as often as it may: how often.
    RunLimit(u64),
    /// It failed once, and so it does each time.
    Once,
    /// Anything else, in words: a sentence about the node, without its point.
    #[allow(dead_code, reason = "for kinds still to come")]
    Because(Cow<'static, str>),
}

/// The facts about an active node that is restored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'p> {
    /// Its children.
    pub(crate) children: &'p [u32],
    /// The number of its children that are active, or about to be entered.
    pub(crate) running: u32,
    /// The number of the last poll.
    pub(crate) poll: u32,
    /// A walk is there, and continues once that part of the tree is open; or the node is being left.
    pub(crate) continues: bool,
    /// A part of some tree is closed, or is to be entered in the next poll.
    pub(crate) is_held: bool,
}
