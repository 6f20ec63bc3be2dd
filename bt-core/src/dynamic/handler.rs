//! Answers for the methods of an agent: a handler for all, or a closure for each.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::{Answer, DynAgent};
use crate::call::{Context, Exit, Left};

/// Answers for all methods of an agent. A closure is one, for calls.
///
/// The state that answers need is the agent's: see [`DynAgent::state`].
pub trait Handler: Send + Sync {
    /// Answers a call of the method of that name, with a value for each of its arguments: `null` for one that is left
    /// out, or that is only written.
    fn call(
        &self,
        agent: &mut DynAgent,
        name: &str,
        args: &[Value],
        cx: &mut Context<'_>,
    ) -> Answer;

    /// Cleans up after a call of the method, which has an exit method; `args` are those that this takes.
    fn exit(
        &self,
        _agent: &mut DynAgent,
        _name: &str,
        _exit: Exit,
        _args: &[Value],
        _cx: &mut Context<'_>,
    ) -> Left {
        Left::Now
    }

    /// Resumes a call of the method, which has a resume method, in an agent that was restored; `kept` is what the call
    /// [kept](Context::keep).
    fn resume(
        &self,
        _agent: &mut DynAgent,
        name: &str,
        _kept: &Value,
        _cx: &mut Context<'_>,
    ) -> Answer {
        Answer::refused(format!("nothing resumes `{name}`"))
    }

    /// The value of a property that has none yet; none to refuse.
    fn property(&self, _agent: &mut DynAgent, _name: &str, _cx: &mut Context<'_>) -> Option<Value> {
        None
    }
}

impl<F> Handler for F
where
    F: Fn(&mut DynAgent, &str, &[Value], &mut Context<'_>) -> Answer + Send + Sync,
{
    fn call(
        &self,
        agent: &mut DynAgent,
        name: &str,
        args: &[Value],
        cx: &mut Context<'_>,
    ) -> Answer {
        self(agent, name, args, cx)
    }
}

/// Answers for one method.
pub(super) type OnCall =
    Arc<dyn Fn(&mut DynAgent, &[Value], &mut Context<'_>) -> Answer + Send + Sync>;

/// Cleans up after one method.
pub(super) type OnExit =
    Arc<dyn Fn(&mut DynAgent, Exit, &[Value], &mut Context<'_>) -> Left + Send + Sync>;

/// The closures that answer for methods, by their numbers, and the handler for all others.
#[derive(Clone, Default)]
pub(super) struct Handlers {
    pub(super) calls: Vec<Option<OnCall>>,
    pub(super) exits: Vec<Option<OnExit>>,
    pub(super) all: Option<Arc<dyn Handler>>,
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers").finish_non_exhaustive()
    }
}
