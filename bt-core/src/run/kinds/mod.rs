//! The node kinds: a file for each, or for a pair of mirror images.
//!
//! A kind is a variant of [`Kind`] and says what happens when its node is entered, when a child of it
//! has ended, when it has its turn, and what it forgets when it is aborted. `root`, `sequence`,
//! `select`, `negative`, `always_true`, `always_false`, `action` and `condition`, which most nodes
//! are, are walked through by [`Walk`](super::walk::Walk) itself.

pub(crate) mod always_running;
pub(crate) mod always_seq;
pub(crate) mod conditions;
pub(crate) mod cooldown;
pub(crate) mod decorator;
pub(crate) mod delay;
pub(crate) mod end;
pub(crate) mod frames;
pub(crate) mod if_else;
pub(crate) mod keep_place;
pub(crate) mod loops;
pub(crate) mod memory;
pub(crate) mod once;
pub(crate) mod parallel;
pub(crate) mod probability;
pub(crate) mod random;
pub(crate) mod reactive;
pub(crate) mod repeat;
pub(crate) mod reset;
pub(crate) mod run_limit;
pub(crate) mod sub_tree;
pub(crate) mod success_until;
pub(crate) mod timeout;
pub(crate) mod until;
pub(crate) mod wait_event;
pub(crate) mod while_loop;

use super::at::At;
use super::walk::{Step, Walker};

/// What a kind does. What it leaves out, never happens to it.
pub(crate) trait Behaviour {
    /// The node is entered.
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step;

    /// A child of it has ended, and was left.
    fn child_done(&self, _: &mut Walker<'_>, _node: u32, _child: u32, success: bool) -> Step {
        Step::Done(success)
    }

    /// What it entered waits now; it had pushed work to be told.
    fn resume(&self, _: &mut Walker<'_>, _node: u32, _child: u32) -> Step {
        Step::Blocked
    }

    /// It has the turn that it asked for.
    fn turn(&self, _: &mut Walker<'_>, _node: u32) -> Step {
        Step::Blocked
    }

    /// Its time has come.
    fn timer(&self, _: &mut Walker<'_>, _node: u32) -> Step {
        Step::Blocked
    }

    /// It was aborted. Its state and its timers are cleared in any case.
    fn aborted(&self, _: &mut Walker<'_>, _at: At) {}
}

/// What a node is, with what its file says of it.
#[derive(Debug)]
pub(crate) enum Kind {
    Root,
    Sequence,
    Select,
    Negative,
    /// `always_true`, `always_false`.
    Always(bool),
    /// The number of its call.
    Action(u32),
    Condition(u32),
    Memory(memory::Memory),
    KeepPlace(keep_place::KeepPlace),
    Reactive(reactive::Reactive),
    AlwaysSeq(always_seq::AlwaysSeq),
    Random(random::RandomOrder),
    Probability(Box<probability::Probability>),
    Parallel(parallel::Parallel),
    IfElse(if_else::IfElse),
    WhileLoop(while_loop::WhileLoop),
    Conditions(conditions::Conditions),
    Repeat(repeat::Repeat),
    Until(until::Until),
    Loop(loops::Loop),
    Timeout(timeout::Timeout),
    Delay(delay::Delay),
    Cooldown(cooldown::Cooldown),
    RunLimit(Box<run_limit::RunLimit>),
    SuccessUntil(success_until::SuccessUntil),
    Frames(frames::Frames),
    Once(once::Once),
    Decorator(decorator::Decorator),
    WaitEvent(Box<wait_event::WaitEvent>),
    SubTree(Box<sub_tree::SubTree>),
    Reset(reset::Reset),
    End(end::End),
    AlwaysRunning(always_running::AlwaysRunning),
}

/// Nothing at all, for the kinds that the walk knows by itself.
struct Plain;

impl Behaviour for Plain {
    fn enter(&self, _: &mut Walker<'_>, node: u32) -> Step {
        Step::Enter(node + 1)
    }
}

macro_rules! kinds {
    ($($kind:ident)*) => {
        impl Kind {
            fn behaviour(&self) -> &dyn Behaviour {
                match self {
                    Kind::Root | Kind::Sequence | Kind::Select | Kind::Negative => &Plain,
                    Kind::Always(_) | Kind::Action(_) | Kind::Condition(_) => &Plain,
                    Kind::Probability(kind) => &**kind,
                    Kind::RunLimit(kind) => &**kind,
                    Kind::WaitEvent(kind) => &**kind,
                    Kind::SubTree(kind) => &**kind,
                    $(Kind::$kind(kind) => kind,)*
                }
            }
        }
    };
}

kinds! {
    Memory KeepPlace Reactive AlwaysSeq Random Parallel IfElse WhileLoop Conditions Repeat Until
    Loop Timeout Delay Cooldown SuccessUntil Frames Once Decorator Reset End AlwaysRunning
}

impl Kind {
    pub(crate) fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        self.behaviour().enter(walk, node)
    }

    pub(crate) fn child_done(
        &self,
        walk: &mut Walker<'_>,
        node: u32,
        child: u32,
        success: bool,
    ) -> Step {
        self.behaviour().child_done(walk, node, child, success)
    }

    pub(crate) fn resume(&self, walk: &mut Walker<'_>, node: u32, child: u32) -> Step {
        self.behaviour().resume(walk, node, child)
    }

    pub(crate) fn turn(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        self.behaviour().turn(walk, node)
    }

    pub(crate) fn timer(&self, walk: &mut Walker<'_>, node: u32) -> Step {
        self.behaviour().timer(walk, node)
    }

    pub(crate) fn aborted(&self, walk: &mut Walker<'_>, at: At) {
        self.behaviour().aborted(walk, at);
    }
}
