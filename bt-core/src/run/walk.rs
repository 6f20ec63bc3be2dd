//! The one walker: goes down to what is entered, and up from what has ended.

use serde::{Deserialize, Serialize};

use super::core::Core;
use super::host::Host;
use super::kinds::Kind;
use super::kinds::leaves::{Action, Condition};
use super::node_ref::At;
use crate::blackboard::Scope;
use crate::call::Outcome;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Act {
    Enter,
    /// The same, with its guards evaluated already.
    EnterChecked,
    /// The same, with its guards evaluated some time ago: it takes over from a sibling.
    TakeOver,
    /// Its guards hold, and so many of its effects and services were called.
    Begin(u8),
    Done(bool),
    /// It has ended, and was left: its parent is to be told.
    Left(bool),
}

/// How a walk begins.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start {
    At(At, Act),
    /// It goes on at an action that has just panicked.
    Panicked(u32),
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
    ///
    /// As long as it meets nodes of the kinds that most are, it stays in [`down`](Walk::down); anything
    /// else is a [`Step`] that is taken here.
    pub(crate) fn run(&mut self, start: Start) {
        let (mut node, mut step) = match start {
            Start::At(at, act) => (at.node, Step::Jump(at, act)),
            Start::Panicked(node) => (node, self.any().call_panicked(node)),
        };
        loop {
            step = match step {
                Step::Enter(child) if self.core.interrupted => self.any().park(child, Act::Enter),
                Step::Enter(child) => self.down(child, &mut node),
                Step::Done(success) => match self.any().done(node, success) {
                    Some(next) => next,
                    None => self.up(&mut node, success),
                },
                Step::Jump(at, act) => {
                    self.core.frame = at.frame;
                    node = at.node;
                    match act {
                        Act::Done(success) => Step::Done(success),
                        act if self.core.interrupted => self.any().park(node, act),
                        Act::Enter => self.down(at.node, &mut node),
                        Act::Left(success) => self.up(&mut node, success),
                        Act::EnterChecked => self.any().enter_taken_over(node),
                        Act::TakeOver => self.any().take_over(node),
                        Act::Begin(called) => self.any().enter_from(node, called),
                    }
                }
                Step::Blocked => match self.any().blocked() {
                    Some(next) => next,
                    None => return,
                },
            };
        }
    }

    /// Enters a node and goes on as long as what it meets ends at once and has nothing to decide; what
    /// happens next to the node that it came to, which is `about`.
    #[inline(always)]
    fn down(&mut self, mut node: u32, about: &mut u32) -> Step {
        let plan = self.plan;
        let nodes = &*plan.nodes;
        if self.core.looks {
            // What each node comes to is looked at: one at a time.
            *about = node;
            return match self.core.budget {
                0 => self.any().exhausted(node),
                _ => {
                    self.core.budget -= 1;
                    self.any().enter_attached(node)
                }
            };
        }
        loop {
            *about = node;
            let core = &mut *self.core;
            if core.budget == 0 {
                return self.any().exhausted(node);
            }
            core.budget -= 1;
            let found = &nodes[node as usize];
            if found.slow {
                return self.any().enter_attached(node);
            }
            // Most nodes are leaves: they are asked for first.
            let success = if let Kind::Action(Action(call)) | Kind::Condition(Condition(call)) =
                &found.kind
            {
                // A panic goes through, to `Host::walk`.
                let mut cx = core.session.next_context(node);
                let called = self.host.call_uncaught(*call, &mut cx);
                core.session.end_call();
                match called {
                    Some(Outcome::Done(success)) if core.session.left_nothing() => success,
                    called => return self.any().called(node, *call, called),
                }
            } else {
                match &found.kind {
                    Kind::Root | Kind::Negative | Kind::Always(_) => {
                        node += 1;
                        continue;
                    }
                    Kind::Sequence | Kind::Select if node + 1 < found.end => {
                        node += 1;
                        continue;
                    }
                    Kind::Sequence => true,
                    Kind::Select => false,
                    kind => return kind.behaviour().enter(&mut self.any(), node),
                }
            };
            match found.next[usize::from(success)].take() {
                Ok(next) => node = next,
                Err((ended, success)) => {
                    *about = ended;
                    return self.up(about, success);
                }
            }
        }
    }

    /// Tells the parent of a node that was left.
    #[inline(never)]
    fn up(&mut self, node: &mut u32, success: bool) -> Step {
        let child = *node;
        let parent = self.plan.parent(child);
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
            kind => {
                let kind = kind.behaviour();
                kind.child_done(&mut self.any(), parent, child, success)
            }
        }
    }

    /// Calls the agent.
    pub(crate) fn call(&mut self, node: u32, call: u32) -> Option<Outcome> {
        self.call_in(self.plan.info(node).scope, node, call)
    }

    /// Calls the agent for a node, with the keys of a scope.
    pub(crate) fn call_in(&mut self, scope: Scope, node: u32, call: u32) -> Option<Outcome> {
        if self.plan.scoped {
            self.core.enter(scope);
        }
        let mut cx = self.core.session.context_of(node);
        let called = self.host.call(call, &mut cx);
        self.core.session.end_call();
        called
    }
}

impl Walker<'_> {
    /// Goes on from a place until everything waits: compiled for the agent's type.
    pub(crate) fn pass(&mut self, at: At, act: Act) {
        self.host.walk(self.plan, self.core, at, act);
    }

    /// Leaves a node that has ended; where the walk goes on, if that is not at its parent.
    fn done(&mut self, node: u32, success: bool) -> Option<Step> {
        if self.plan.node(node).attached || self.core.looks {
            self.ended(node, success);
        }
        let parks = self.core.interrupted;
        parks.then(|| self.park(node, Act::Left(success)))
    }

    /// Goes on after an action has panicked.
    #[cold]
    fn call_panicked(&mut self, node: u32) -> Step {
        match self.plan.node(node).kind.behaviour().call() {
            Some(call) => self.called(node, call, None),
            None => Step::Done(false),
        }
    }

    /// Enters a node whose guards hold and whose effects were called.
    pub(crate) fn begin(&mut self, node: u32) -> Step {
        self.plan.node(node).kind.behaviour().enter(self, node)
    }
}
