//! The agent, as the walker sees it: calls by number.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use serde_json::Value;

use super::core::Core;
use super::node_ref::At;
use super::walk::{Act, Start, Walk};
use crate::Agent;
use crate::call::{
    Action, BoundCall, CallError, Context, Exit, Left, Outcome, Property, PropertySet, resolve,
    run_resolved,
};
use crate::contained::panic_text;
use crate::registry::catalogue::MethodKind;
use crate::tree::plan::Plan;

/// The agent and its world, for the time of a poll.
pub(crate) trait Host {
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

    /// The value of a property.
    fn property(&mut self, property: u32, cx: &mut Context<'_>) -> Result<Value, CallError>;

    /// Shows every property of the agent itself, `null` where it has no value to be shown.
    fn each_property(&mut self, cx: &mut Context<'_>, show: &mut dyn FnMut(&'static str, Value));

    /// Whether the method of a call may change the agent.
    fn may_change(&self, call: u32) -> bool;

    /// Where the action of a call is defined: " (crate/src/file.rs:7)".
    fn defined(&self, call: u32) -> String;

    /// The text of the last panic, if nobody has asked for it yet.
    fn take_panic(&mut self) -> Option<String>;

    /// Walks on from a place until everything waits.
    fn walk(&mut self, plan: &Plan, core: &mut Core, at: At, act: Act);

    /// The same, whatever the agent is.
    fn any(&mut self) -> &mut (dyn Host + '_);
}

/// A call that a tree's nodes make.
pub(crate) struct Leaf<A: Agent> {
    pub(crate) call: Box<dyn BoundCall<A>>,
    /// What is called around it; none for what the fallback answers.
    pub(crate) action: Option<&'static Action<A>>,
}

/// An agent of a known type.
pub(crate) struct Hosted<'a, 'w, 's, A: Agent> {
    pub(crate) agent: &'a mut A,
    pub(crate) world: &'a mut A::World<'w, 's>,
    pub(crate) leaves: &'a [Leaf<A>],
    pub(crate) properties: &'a [Property<A>],
    /// All that the agent has.
    pub(crate) all: &'a PropertySet<A>,
    pub(crate) panic: Option<String>,
}

impl<A: Agent> Hosted<'_, '_, '_, A> {
    #[cold]
    fn panicked(&mut self, panic: Box<dyn Any + Send>) {
        self.panic = Some(panic_text(panic));
    }
}

impl<'w, 's, A: Agent> Host for Hosted<'_, 'w, 's, A> {
    #[inline(always)]
    fn call_uncaught(&mut self, call: u32, cx: &mut Context<'_>) -> Option<Outcome> {
        let leaf = &self.leaves[call as usize];
        leaf.call.run(self.agent, self.world, cx)
    }

    fn call(&mut self, call: u32, cx: &mut Context<'_>) -> Option<Outcome> {
        let leaf = &self.leaves[call as usize];
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
        found.get_caught(agent, world, cx)
    }

    fn each_property(&mut self, cx: &mut Context<'_>, show: &mut dyn FnMut(&'static str, Value)) {
        for property in self.all.iter().filter(|property| !property.is_static()) {
            let (agent, world) = (&mut *self.agent, &mut *self.world);
            let value = property.get_caught(agent, world, cx);
            show(property.name(), value.unwrap_or_default());
        }
    }

    fn may_change(&self, call: u32) -> bool {
        let action = self.leaves[call as usize].action;
        action.is_none_or(|action| !action.is_static() && action.kind() != MethodKind::Condition)
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
