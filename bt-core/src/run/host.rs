//! The agent, as the walker sees it: calls by number.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::Agent;
use crate::call::{Action, BoundCall, CallError, Context, Exit, Left, Outcome, Property};

/// What came of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Called {
    Done(bool),
    Pending,
    Running,
    /// A decorator's: its child is to run.
    Run,
    /// It could not be made, or it wrote what it may not; the blackboard keeps the error.
    Refused,
    /// It panicked; the host keeps the text.
    Panicked,
}

/// The agent and its world, for the time of a poll.
pub(crate) trait Host {
    fn call(&mut self, call: u32, cx: &mut Context<'_>) -> Called;

    /// Calls the exit method of an action; none if it panicked.
    fn exit(&mut self, call: u32, cx: &mut Context<'_>, exit: Exit) -> Option<Left>;

    /// The value of a property.
    fn property(&mut self, property: u32, cx: &mut Context<'_>) -> Result<Value, CallError>;

    /// What a call calls.
    fn name(&self, call: u32) -> String;

    /// Where the action of a call is defined: " (crate/src/file.rs:7)".
    fn defined(&self, call: u32) -> String;

    /// The text of the last panic.
    fn take_panic(&mut self) -> String;

    /// The same, whatever the agent is.
    fn any(&mut self) -> &mut (dyn Host + '_);
}

/// A call that a tree's nodes make.
pub(crate) struct Leaf<A: Agent> {
    pub(crate) call: Box<dyn BoundCall<A>>,
    /// What is called around it; none for what the fallback answers.
    pub(crate) action: Option<&'static Action<A>>,
    pub(crate) name: Box<str>,
}

/// An agent of a known type.
pub(crate) struct Hosted<'a, 'w, 's, A: Agent> {
    pub(crate) agent: &'a mut A,
    pub(crate) world: &'a mut A::World<'w, 's>,
    pub(crate) leaves: &'a [Leaf<A>],
    pub(crate) properties: &'a [Property<A>],
    pub(crate) panic: String,
}

impl<A: Agent> Hosted<'_, '_, '_, A> {
    #[cold]
    fn panicked(&mut self, panic: &(dyn Any + Send)) {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        self.panic = text.unwrap_or("it gave no reason").to_owned();
    }
}

impl<'w, 's, A: Agent> Host for Hosted<'_, 'w, 's, A> {
    #[inline]
    fn call(&mut self, call: u32, cx: &mut Context<'_>) -> Called {
        let leaf = &self.leaves[call as usize];
        let (agent, world) = (&mut *self.agent, &mut *self.world);
        // The agent may be left half changed by a panic: that is for the agent to bear, as it is
        // wherever else its methods are called.
        match catch_unwind(AssertUnwindSafe(|| leaf.call.run(agent, world, cx))) {
            Ok(Some(Outcome::Done(success))) => Called::Done(success),
            Ok(Some(Outcome::Pending)) => Called::Pending,
            Ok(Some(Outcome::Running)) => Called::Running,
            Ok(Some(Outcome::Run)) => Called::Run,
            Ok(None) => Called::Refused,
            Err(panic) => {
                self.panicked(&*panic);
                Called::Panicked
            }
        }
    }

    fn exit(&mut self, call: u32, cx: &mut Context<'_>, exit: Exit) -> Option<Left> {
        let Some(action) = self.leaves[call as usize].action else {
            return Some(Left::Now);
        };
        let (agent, world) = (&mut *self.agent, &mut *self.world);
        match catch_unwind(AssertUnwindSafe(|| action.exit(agent, world, cx, exit))) {
            Ok(left) => Some(left),
            Err(panic) => {
                self.panicked(&*panic);
                None
            }
        }
    }

    fn property(&mut self, property: u32, cx: &mut Context<'_>) -> Result<Value, CallError> {
        let found = &self.properties[property as usize];
        let (agent, world) = (&mut *self.agent, &mut *self.world);
        match catch_unwind(AssertUnwindSafe(|| found.get(agent, world, cx))) {
            Ok(value) => value,
            Err(panic) => {
                self.panicked(&*panic);
                let text = format!("property `{}` panicked: {}", found.name(), self.panic);
                Err(CallError::refused(text))
            }
        }
    }

    fn name(&self, call: u32) -> String {
        self.leaves[call as usize].name.to_string()
    }

    fn defined(&self, call: u32) -> String {
        match self.leaves[call as usize].action {
            Some(action) => format!(" (defined in {})", action.place()),
            None => String::new(),
        }
    }

    fn take_panic(&mut self) -> String {
        std::mem::take(&mut self.panic)
    }

    fn any(&mut self) -> &mut (dyn Host + '_) {
        self
    }
}
