//! The one walker: goes down to what is entered, and up from what has ended.

use super::at::At;
use super::core::Core;
use super::host::{Called, Host};
use super::kinds::Kind;
use crate::tree::plan::{NONE, Plan};

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A node, below the one that says so, is entered.
    Enter(u32),
    /// The node has ended.
    Done(bool),
    /// The node, or all that was entered below it, waits.
    Blocked,
    /// The walk goes on elsewhere.
    Jump(At, Act),
}

/// How a walk goes on at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Enter,
    /// The same, with its guards asked already.
    EnterChecked,
    Done(bool),
    /// It has ended, and was left: its parent is to be told.
    Left(bool),
}

/// A walk through the active part of the trees.
pub(crate) struct Walk<'a, H: Host + ?Sized> {
    pub(crate) plan: &'a Plan,
    pub(crate) core: &'a mut Core,
    pub(crate) host: &'a mut H,
}

/// A walk whatever the agent is: everything but the shortest way through a tree is compiled for
/// this one only, once.
pub(crate) type Walker<'a> = Walk<'a, dyn Host + 'a>;

impl<H: Host + ?Sized> Walk<'_, H> {
    /// The same walk whatever the agent is.
    #[inline]
    pub(crate) fn any(&mut self) -> Walker<'_> {
        Walk {
            plan: self.plan,
            core: self.core,
            host: self.host.any(),
        }
    }

    /// Goes on from a place until everything waits.
    pub(crate) fn pass(&mut self, at: At, act: Act) {
        self.core.frame = at.frame;
        let mut node = at.node;
        let mut step = Step::Jump(at, act);
        loop {
            step = match step {
                Step::Enter(child) => {
                    node = child;
                    self.enter(node)
                }
                Step::Done(success) => {
                    let ended = self.plan.node(node);
                    if ended.attached || self.core.keeps_results {
                        self.any().ended(node, success);
                    }
                    if self.core.interrupted {
                        self.any().interrupted(node, success)
                    } else {
                        self.up(&mut node, success)
                    }
                }
                Step::Jump(at, act) => {
                    self.core.frame = at.frame;
                    node = at.node;
                    match act {
                        Act::Enter => self.enter(node),
                        Act::EnterChecked => self.any().enter_checked(node),
                        Act::Done(success) => Step::Done(success),
                        Act::Left(success) => self.up(&mut node, success),
                    }
                }
                Step::Blocked => match self.any().blocked() {
                    Some(step) => step,
                    None => return,
                },
            };
        }
    }

    #[inline]
    pub(crate) fn enter(&mut self, node: u32) -> Step {
        if self.core.budget == 0 {
            return self.any().exhausted(node);
        }
        self.core.budget -= 1;
        let found = self.plan.node(node);
        if found.attached {
            return self.any().enter_attached(node);
        }
        self.begin(node)
    }

    /// Enters a node whose guards hold and whose effects were called.
    #[inline]
    pub(crate) fn begin(&mut self, node: u32) -> Step {
        let found = self.plan.node(node);
        match &found.kind {
            Kind::Root | Kind::Negative | Kind::Always(_) => Step::Enter(node + 1),
            Kind::Sequence | Kind::Select if node + 1 < found.end => Step::Enter(node + 1),
            Kind::Sequence => Step::Done(true),
            Kind::Select => Step::Done(false),
            Kind::Action(call) | Kind::Condition(call) => {
                let called = self.call(node, *call);
                match called {
                    Called::Done(success) if !found.exits && !self.core.stirred() => {
                        Step::Done(success)
                    }
                    called => self.any().called(node, *call, called),
                }
            }
            kind => kind.enter(&mut self.any(), node),
        }
    }

    /// Calls the agent.
    #[inline]
    pub(crate) fn call(&mut self, node: u32, call: u32) -> Called {
        if self.plan.scoped {
            self.core.enter_scope(self.plan, node);
        }
        let mut cx = self.core.session.context();
        self.host.call(call, &mut cx)
    }

    /// Tells the parent of a node that was left.
    #[inline]
    fn up(&mut self, node: &mut u32, success: bool) -> Step {
        let child = *node;
        let parent = self.plan.node(child).parent;
        if parent == NONE {
            return self.any().tree_ended(child, success);
        }
        *node = parent;
        let found = self.plan.node(parent);
        match &found.kind {
            Kind::Sequence | Kind::Select => {
                let goes_on = matches!(found.kind, Kind::Sequence) == success;
                let next = self.plan.node(child).end;
                if goes_on && next < found.end {
                    Step::Enter(next)
                } else {
                    Step::Done(success)
                }
            }
            Kind::Root => Step::Done(success),
            Kind::Negative => Step::Done(!success),
            Kind::Always(result) => Step::Done(*result),
            kind => kind.child_done(&mut self.any(), parent, child, success),
        }
    }
}
