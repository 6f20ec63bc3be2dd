//! A stand-in: somebody who may answer calls in place of an agent's methods.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::method::{BoundCall, Stepwise, resolve, run_resolved};
use super::{Action, Completion, Context, Origin, Outcome, Returned};
use crate::Agent;
use crate::blackboard::KeyId;
use crate::describe::catalogue::{MethodKind, ReturnKind};
use crate::error::CallError;

/// Answers calls in place of an agent's methods. Trees that are built with one ask it before each call, those in
/// expressions included.
pub(crate) trait StandIn: Send + Sync {
    /// The answer; none lets the method itself be called. The arguments have the order of the method.
    fn answer(&self, method: &Method, args: &[Value], cx: &Context<'_>) -> Option<Reply>;
}

/// A method, as a stand-in sees it.
#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) name: Box<str>,
    /// Its parameters; none where the agent's fallback answers.
    pub(crate) params: Vec<&'static str>,
    kind: MethodKind,
    result: ReturnKind,
}

/// A stand-in's answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) result: ReplyResult,
    /// The time after which it ends.
    pub(crate) after: Option<Duration>,
    /// Values for the arguments that the method writes, by their names.
    pub(crate) writes: Vec<(String, Value)>,
}

/// The result in a [`Reply`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ReplyResult {
    /// It ends.
    Done(bool),
    /// It runs until something aborts it.
    Running,
    /// The child of that number runs: what a composite or a decorator answers.
    Run(usize),
    /// The value of a query.
    Value(Value),
}

/// The source of an argument, for who only looks at it.
enum Given {
    Literal(Value),
    Slot(KeyId),
    /// A key, which the method may write.
    Key(KeyId),
}

/// A call that a stand-in may answer.
pub(super) struct StoodIn<A: Agent> {
    method: Method,
    args: Vec<Given>,
    call: Box<dyn BoundCall<A>>,
    by: Arc<dyn StandIn>,
}

/// A value that is kept for a run of a node whose call was answered: its exit method has nothing to clean up.
struct Mark {
    /// It ends nothing before it is dropped.
    _open: Option<Completion>,
}

impl<A: Agent> StoodIn<A> {
    pub(super) fn new(
        name: &str,
        action: Option<&Action<A>>,
        origins: &[Origin<'_>],
        call: Box<dyn BoundCall<A>>,
        by: Arc<dyn StandIn>,
    ) -> StoodIn<A> {
        let mut args: Vec<_> = origins.iter().map(Given::of).collect();
        let params = action.iter().flat_map(|action| &action.params().all);
        let params: Vec<_> = params.filter(|param| param.is_argument).collect();
        let left_out = params.iter().skip(args.len());
        args.extend(
            left_out.map(|param| Given::Literal(param.default.clone().unwrap_or_default())),
        );
        let method = Method {
            name: action.map_or(name, |action| action.name()).into(),
            params: params.iter().map(|param| param.desc.name).collect(),
            kind: action.map_or(MethodKind::Action, Action::kind),
            result: action.map_or(ReturnKind::Async, Action::result),
        };
        StoodIn {
            method,
            args,
            call,
            by,
        }
    }

    fn reply(&self, cx: &mut Context<'_>) -> Option<Reply> {
        let board = cx.board();
        let args = self.args.iter().map(|arg| match arg {
            Given::Literal(value) => value.clone(),
            Given::Slot(id) | Given::Key(id) => board.value(*id).unwrap_or_default(),
        });
        let args: Vec<_> = args.collect();
        self.by.answer(&self.method, &args, cx)
    }

    /// Does what a reply says.
    fn apply(&self, reply: Reply, cx: &mut Context<'_>) -> Option<Outcome> {
        for (name, value) in reply.writes {
            let place = self.method.params.iter().position(|param| *param == name);
            match place.and_then(|place| self.args.get(place)) {
                Some(Given::Key(id)) => cx.board().put(*id, Some(value)),
                Some(Given::Literal(_) | Given::Slot(_)) | None => {
                    let of = &self.method.name;
                    let why =
                        format!("`{of}` has no key in argument `{name}` that could be written");
                    return cx.board().keep_error(CallError::refused(why));
                }
            }
        }
        // The call of a node, and not one inside of an expression.
        let is_node = match self.method.kind {
            MethodKind::Action | MethodKind::Decorator | MethodKind::Composite => true,
            MethodKind::Condition | MethodKind::Query => false,
        };
        let is_polled = self.method.result == ReturnKind::Status;
        let waits = reply.result == ReplyResult::Running && !is_polled;
        if is_node && cx.is_first_call() {
            let _open = waits.then(|| cx.completion());
            cx.on_exit(Mark { _open });
        }
        if let (Some(after), ReplyResult::Done(success)) = (reply.after, &reply.result) {
            cx.finish_after(after, *success);
            return cx.board().settled(Outcome::Pending.into());
        }
        let returned = match reply.result {
            ReplyResult::Done(success) => Outcome::Done(success).into(),
            // It is called again in the next poll, as the method itself would be.
            ReplyResult::Running if is_polled => Outcome::Running.into(),
            ReplyResult::Running => Outcome::Pending.into(),
            ReplyResult::Run(_) if self.method.result == ReturnKind::Next => Outcome::Run.into(),
            ReplyResult::Run(child) => Returned::Chosen(child),
            ReplyResult::Value(value) => Returned::Answered(value),
        };
        cx.board().settled(returned)
    }
}

/// Returns true if the call of the node that exits was answered by a stand-in.
pub(crate) fn was_answered(cx: &mut Context<'_>) -> bool {
    cx.memory::<Mark>().is_some()
}

impl Given {
    fn of(origin: &Origin<'_>) -> Given {
        match origin {
            Origin::Literal(value) => Given::Literal(Value::clone(value)),
            Origin::Key(id, _) => Given::Key(*id),
            Origin::Property(id, _) | Origin::Expression(id, _) => Given::Slot(*id),
            Origin::Field(_) => Given::Literal(Value::Null),
        }
    }
}

impl<A: Agent> BoundCall<A> for StoodIn<A> {
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        resolve(&*self.call, agent, &mut *world, cx)?;
        self.run_resolved(agent, world, cx)
    }

    fn stepwise(&self) -> Option<&dyn Stepwise<A>> {
        Some(self)
    }
}

impl<A: Agent> Stepwise<A> for StoodIn<A> {
    fn resolve<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<()> {
        resolve(&*self.call, agent, world, cx)
    }

    fn run_resolved<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        match self.reply(cx) {
            Some(reply) => self.apply(reply, cx),
            None => run_resolved(&*self.call, agent, world, cx),
        }
    }
}
