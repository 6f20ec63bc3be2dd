//! The one walker: goes down to what is entered, and up from what has ended; and the agent as it sees
//! it, which it calls by number.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use serde_json::Value;

use super::core::Core;
use super::node_ref::At;
use crate::Agent;
use crate::blackboard::Scope;
use crate::call::expression::Fetch;
use crate::call::{Context, Exit, Left, Outcome, PropertySet, resolve, run_resolved};
use crate::contained::panic_text;
use crate::error::CallError;
use crate::kinds::Planned;
use crate::kinds::action::ActionNode;
use crate::kinds::condition::ConditionNode;
pub(crate) use crate::kinds::step::{Act, Step};
use crate::tree::plan::{NONE, Plan};
use crate::tree::set::{Leaf, Set};

/// The start of a walk.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start {
    At(At, Act),
    /// It continues at an action that has just panicked.
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
                Step::Enter(child) if self.core.interrupted.any() => {
                    self.any().park(child, Act::Enter)
                }
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
                        act if self.core.interrupted.any() => self.any().park(node, act),
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

    /// Enters a node and continues as long as what it meets ends at once and has nothing to decide; what
    /// happens next to the node that it ends at, which is `about`.
    #[inline(always)]
    fn down(&mut self, mut node: u32, about: &mut u32) -> Step {
        let plan = self.plan;
        let nodes = &*plan.nodes;
        if self.core.is_traced {
            // The result of each node is recorded: one at a time.
            *about = node;
            return match self.core.budget {
                0 => self.any().exhausted(node),
                _ => {
                    self.core.budget -= 1;
                    self.any().enter_one(node)
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
            // Most nodes are leaves: they are looked for first.
            let success = if let Planned::Action(ActionNode(call))
            | Planned::Condition(ConditionNode(call)) = &found.kind
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
                    Planned::Root | Planned::Negative | Planned::Always(_) => {
                        node += 1;
                        continue;
                    }
                    Planned::Sequence | Planned::Select if node + 1 < found.end => {
                        node += 1;
                        continue;
                    }
                    Planned::Sequence => true,
                    Planned::Select => false,
                    kind => return self.any().enter_kind(kind, node),
                }
            };
            match found.next[usize::from(success)].take() {
                Ok(next) => node = next,
                Err((ended, success)) => {
                    self.core.decided(node, false);
                    *about = ended;
                    return self.up(about, success);
                }
            }
        }
    }

    /// Tells the parent of a node that was exited.
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
            Planned::Sequence | Planned::Select => {
                let continues = matches!(found.kind, Planned::Sequence) == success;
                let next = self.plan.node(child).end;
                if !continues || next >= found.end {
                    return Step::Done(success);
                }
                match self.core.past_disabled(self.plan, parent, next) {
                    Some(next) => Step::Enter(next),
                    None => Step::Done(success),
                }
            }
            Planned::Root => Step::Done(success),
            Planned::Negative => Step::Done(!success),
            Planned::Always(result) => Step::Done(*result),
            kind => self.any().child_done(kind, parent, child, success),
        }
    }

    /// Calls the agent for a node, with the keys of a scope, so many nanoseconds after the call before.
    pub(crate) fn call_in(
        &mut self,
        scope: Scope,
        node: u32,
        call: u32,
        delta: u64,
    ) -> Option<Outcome> {
        if self.plan.scoped {
            self.core.enter(scope);
        }
        let mut cx = self.core.session.context_after(node, delta);
        let called = self.host.call(call, &mut cx);
        self.core.session.end_call();
        called
    }
}

impl Walker<'_> {
    /// Leaves a node that has ended; where the walk continues, if that is not at its parent.
    pub(super) fn done(&mut self, node: u32, success: bool) -> Option<Step> {
        if self.plan.node(node).end == node + 1 {
            self.core.decided(node, false);
        }
        if self.plan.node(node).attached || self.core.is_traced {
            if self.core.stops_at_writes(self.plan) {
                return Some(self.park(node, Act::Done(success)));
            }
            self.ended(node, success);
        }
        let parks = self.core.interrupted.any();
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

    /// Enters a node while somebody looks at each.
    fn enter_one(&mut self, node: u32) -> Step {
        match self.forced(node) {
            Some(step) => step,
            None => self.enter_attached(node),
        }
    }

    /// Enters a node whose guards hold and whose effects were called.
    pub(crate) fn begin(&mut self, node: u32) -> Step {
        self.enter_kind(&self.plan.node(node).kind, node)
    }

    // Not generic over the host: what kinds do is compiled here, once, and not for each agent.

    #[inline(never)]
    fn enter_kind(&mut self, kind: &Planned, node: u32) -> Step {
        kind.runs().enter(self, node)
    }

    #[inline(never)]
    fn child_done(&mut self, kind: &Planned, node: u32, child: u32, success: bool) -> Step {
        kind.runs().child_done(self, node, child, success)
    }
}

/// The agent and its world, for the time of a poll.
pub(crate) trait Host {
    /// Makes a call.
    ///
    /// None if it could not be made, or wrote what it may not, and the blackboard keeps the error; or
    /// if it panicked, and the host keeps the text.
    fn call(&mut self, call: u32, cx: &mut Context<'_>) -> Option<Outcome>;

    /// The same, but a panic goes through.
    fn call_uncaught(&mut self, call: u32, cx: &mut Context<'_>) -> Option<Outcome>;

    /// Resolves the arguments of a call; none as of [`call`](Host::call).
    fn resolve(&mut self, call: u32, cx: &mut Context<'_>) -> Option<()>;

    /// Makes a call whose arguments were resolved just now.
    fn call_resolved(&mut self, call: u32, cx: &mut Context<'_>) -> Option<Outcome>;

    /// Calls the exit method of an action, with the arguments of the call that it ends; none if it
    /// panicked.
    fn exit(&mut self, call: u32, cx: &mut Context<'_>, exit: Exit, args: &Value) -> Option<Left>;

    /// Calls the resume method of an action with what it kept; none if it panicked.
    fn resume(
        &mut self,
        call: u32,
        cx: &mut Context<'_>,
        kept: &Value,
    ) -> Option<Result<Outcome, CallError>>;

    /// The value of a property or of an expression.
    fn property(&mut self, property: u32, cx: &mut Context<'_>) -> Result<Value, CallError>;

    /// The text of what [`property`](Host::property) evaluates, if that is an expression.
    fn expression(&self, fetched: u32) -> Option<&str>;

    /// Shows every property of the agent itself, `null` where it has no value to be shown.
    fn each_property(&mut self, cx: &mut Context<'_>, show: &mut dyn FnMut(&'static str, Value));

    /// Returns true if the method of a call may change what the agent's properties show.
    fn may_change(&self, call: u32) -> bool;

    /// The source place of a call's action: " (crate/src/file.rs:7)".
    fn defined(&self, call: u32) -> String;

    /// The text of the last panic, if nobody has asked for it yet.
    fn take_panic(&mut self) -> Option<String>;

    /// Walks on from a place until everything waits: compiled for the agent's type.
    fn walk(&mut self, plan: &Plan, core: &mut Core, at: At, act: Act);

    /// The same, whatever the agent is.
    fn any(&mut self) -> &mut (dyn Host + '_);
}

/// An agent of a known type.
pub(crate) struct Hosted<'a, 'w, 's, A: Agent> {
    pub(crate) agent: &'a mut A,
    pub(crate) world: &'a mut A::World<'w, 's>,
    pub(crate) leaves: &'a [Leaf<A>],
    pub(crate) properties: &'a [Fetch<A>],
    /// All that the agent has.
    pub(crate) all: &'a PropertySet<A>,
    pub(crate) panic: Option<String>,
    /// True if a call was made that may change the agent.
    pub(crate) touched: bool,
}

impl<'a, 'w, 's, A: Agent> Hosted<'a, 'w, 's, A> {
    pub(super) fn new(
        set: &'a Set<A>,
        agent: &'a mut A,
        world: &'a mut A::World<'w, 's>,
    ) -> Hosted<'a, 'w, 's, A> {
        Hosted {
            agent,
            world,
            leaves: &set.leaves,
            properties: &set.properties,
            all: set.all,
            panic: None,
            touched: false,
        }
    }

    #[cold]
    fn panicked(&mut self, panic: Box<dyn Any + Send>) {
        self.panic = Some(panic_text(panic));
    }
}

impl<'w, 's, A: Agent> Host for Hosted<'_, 'w, 's, A> {
    #[inline(always)]
    fn call_uncaught(&mut self, call: u32, cx: &mut Context<'_>) -> Option<Outcome> {
        let leaf = &self.leaves[call as usize];
        self.touched |= leaf.may_change;
        leaf.call.run(self.agent, self.world, cx)
    }

    fn call(&mut self, call: u32, cx: &mut Context<'_>) -> Option<Outcome> {
        let leaf = &self.leaves[call as usize];
        self.touched |= leaf.may_change;
        let (agent, world) = (&mut *self.agent, &mut *self.world);
        match catch_unwind(AssertUnwindSafe(|| leaf.call.run(agent, world, cx))) {
            Ok(outcome) => outcome,
            Err(panic) => {
                self.panicked(panic);
                None
            }
        }
    }

    fn resolve(&mut self, call: u32, cx: &mut Context<'_>) -> Option<()> {
        let leaf = &self.leaves[call as usize];
        let (agent, world) = (&mut *self.agent, &mut *self.world);
        match catch_unwind(AssertUnwindSafe(|| resolve(&*leaf.call, agent, world, cx))) {
            Ok(resolved) => resolved,
            Err(panic) => {
                self.panicked(panic);
                None
            }
        }
    }

    fn call_resolved(&mut self, call: u32, cx: &mut Context<'_>) -> Option<Outcome> {
        let leaf = &self.leaves[call as usize];
        self.touched |= leaf.may_change;
        let (agent, world) = (&mut *self.agent, &mut *self.world);
        let run = || run_resolved(&*leaf.call, agent, world, cx);
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(outcome) => outcome,
            Err(panic) => {
                self.panicked(panic);
                None
            }
        }
    }

    fn exit(&mut self, call: u32, cx: &mut Context<'_>, exit: Exit, args: &Value) -> Option<Left> {
        let action = self.leaves[call as usize].action;
        let Some(action) = action.filter(|action| action.has_exit()) else {
            return Some(Left::Now);
        };
        #[cfg(feature = "dynamic")]
        if crate::call::stand_in::was_answered(cx) {
            return Some(Left::Now);
        }
        self.touched = true;
        let (agent, world) = (&mut *self.agent, &mut *self.world);
        let leave = || action.exit_with(agent, world, cx, exit, args);
        match catch_unwind(AssertUnwindSafe(leave)) {
            Ok(left) => Some(left),
            Err(panic) => {
                self.panicked(panic);
                None
            }
        }
    }

    fn resume(
        &mut self,
        call: u32,
        cx: &mut Context<'_>,
        kept: &Value,
    ) -> Option<Result<Outcome, CallError>> {
        let Some(action) = self.leaves[call as usize].action else {
            let why = "the agent's fallback has no resume method".to_owned();
            return Some(Err(CallError::refused(why)));
        };
        self.touched = true;
        let (agent, world) = (&mut *self.agent, &mut *self.world);
        match catch_unwind(AssertUnwindSafe(|| action.resume(agent, world, cx, kept))) {
            Ok(resumed) => Some(resumed),
            Err(panic) => {
                self.panicked(panic);
                None
            }
        }
    }

    fn property(&mut self, property: u32, cx: &mut Context<'_>) -> Result<Value, CallError> {
        let found = &self.properties[property as usize];
        let (agent, world) = (&mut *self.agent, &mut *self.world);
        let get = || found.get(agent, world, cx);
        catch_unwind(AssertUnwindSafe(get)).unwrap_or_else(|panic| {
            let why = panic_text(panic);
            Err(CallError::refused(format!("it panicked: {why}")))
        })
    }

    fn expression(&self, fetched: u32) -> Option<&str> {
        self.properties[fetched as usize].text()
    }

    fn each_property(&mut self, cx: &mut Context<'_>, show: &mut dyn FnMut(&'static str, Value)) {
        for property in self.all.iter().filter(|property| !property.is_static()) {
            let (agent, world) = (&mut *self.agent, &mut *self.world);
            let value = property.get_caught(agent, world, cx);
            show(property.name(), value.unwrap_or_default());
        }
    }

    fn may_change(&self, call: u32) -> bool {
        self.leaves[call as usize].may_change
    }

    fn defined(&self, call: u32) -> String {
        match self.leaves[call as usize].action {
            Some(action) => format!(" (defined in {})", action.place()),
            None => String::new(),
        }
    }

    fn take_panic(&mut self) -> Option<String> {
        self.panic.take()
    }

    fn walk(&mut self, plan: &Plan, core: &mut Core, at: At, act: Act) {
        let mut start = Start::At(at, act);
        // Caught here, and not at each call: a walk makes many. The agent may be left half changed by
        // a panic; that is for the agent to bear, as it is wherever else its methods are called.
        while let Err(panic) = catch_unwind(AssertUnwindSafe(|| {
            Walk {
                plan,
                core: &mut *core,
                host: &mut *self,
            }
            .run(start);
        })) {
            let Some(node) = core.session.take_calling() else {
                resume_unwind(panic);
            };
            self.panicked(panic);
            start = Start::Panicked(node);
        }
    }

    fn any(&mut self) -> &mut (dyn Host + '_) {
        self
    }
}
