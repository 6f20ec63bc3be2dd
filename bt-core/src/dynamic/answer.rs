//! The answer of a method that is described.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::call::described::{Method, Response};
use crate::call::{Context, Next, NextChild, Outcome, Returned, Status};
use crate::decode::shown;
use crate::describe::catalogue::{MethodKind, ReturnKind, ValueEntry};
use crate::error::CallError;
use crate::text;

/// The answer of a method: what an action, a condition, a query, a decorator or a composite may return, and what it
/// writes back.
///
/// An answer that the method's description does not have, such as `running` of a condition, is an error: the node
/// fails, with a diagnostic.
///
/// ```
/// use bt_core::dynamic::Answer;
/// use bt_core::Status;
/// use std::time::Duration;
///
/// assert_eq!(Answer::from(true), Answer::success());
/// assert_eq!(Answer::from(Status::Running), Answer::running());
/// assert_eq!(Answer::from(Err::<bool, _>("no path")), Answer::failed("no path"));
/// let found = Answer::success().write("place", "gate");
/// let later = Answer::after(Duration::from_secs(2), true);
/// # let _ = (found, later);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    what: What,
    writes: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Done(bool),
    Failed(String),
    Running,
    After(Duration, bool),
    Run,
    RunChild(usize),
    Value(Value),
    Refused(CallError),
}

/// The time for which a polled action has run, as far as it was asked.
struct Elapsed(Duration);

impl Answer {
    fn of(what: What) -> Answer {
        Answer {
            what,
            writes: Map::new(),
        }
    }

    /// It has ended with success; of a decorator or a composite: exit with success.
    pub fn success() -> Answer {
        Answer::of(What::Done(true))
    }

    /// It has ended with failure; of a decorator or a composite: exit with failure.
    pub fn failure() -> Answer {
        Answer::of(What::Done(false))
    }

    /// It has ended with failure, for a reason; what it writes is not written.
    pub fn failed(why: impl Into<String>) -> Answer {
        Answer::of(What::Failed(why.into()))
    }

    /// It has not ended. An action that returns `Status` is called again in the next poll; one that returns
    /// `Option<bool>` ends by what it asked the [`Context`] for.
    pub fn running() -> Answer {
        Answer::of(What::Running)
    }

    /// It ends so much later: counted from the first such answer in this run of its node, for an action that is
    /// called again in every poll.
    pub fn after(wait: Duration, success: bool) -> Answer {
        Answer::of(What::After(wait, success))
    }

    /// Of a decorator: run the child.
    pub fn run() -> Answer {
        Answer::of(What::Run)
    }

    /// Of a composite: run the child of that number, from 0.
    pub fn run_child(child: usize) -> Answer {
        Answer::of(What::RunChild(child))
    }

    /// Of a query: the value.
    pub fn value(value: impl Into<Value>) -> Answer {
        Answer::of(What::Value(value.into()))
    }

    /// The call cannot be answered: the node fails, with a diagnostic that says why. A failure that is part of the
    /// game is [`failed`](Answer::failed).
    pub fn refused(why: impl Into<String>) -> Answer {
        Answer::of(What::Refused(CallError::refused(why.into())))
    }

    /// With a value for an argument that is written back.
    pub fn write(mut self, argument: impl Into<String>, value: impl Into<Value>) -> Answer {
        self.writes.insert(argument.into(), value.into());
        self
    }

    /// The same as a method of that description gives it.
    ///
    /// # Errors
    /// [`CallError`] if such a method cannot.
    pub(super) fn response(
        self,
        method: &Method,
        cx: &mut Context<'_>,
    ) -> Result<Response, CallError> {
        let entry = &method.entry;
        let mut writes = Vec::with_capacity(self.writes.len());
        for (name, value) in self.writes {
            let is_it = |arg: &ValueEntry| arg.name == name && arg.ty.in_out.is_some();
            let Some(at) = entry.args.iter().position(is_it) else {
                let name = text::name(&name).into_owned();
                return Err(CallError::refused(format!(
                    "the answer writes `{name}`, which is no argument that is written back{}",
                    written_back(method)
                )));
            };
            method
                .check(at, &value)
                .map_err(|why| CallError::refused(format!("the answer writes {why}")))?;
            writes.push((at, value));
        }
        let returned = returned(self.what, method, cx)?;
        Ok(Response { returned, writes })
    }

    /// The outcome of what answers for unknown names: it ends, or waits.
    pub(super) fn outcome(self, cx: &mut Context<'_>) -> Outcome {
        match self.what {
            What::Running => Outcome::Pending,
            What::After(wait, success) => {
                cx.finish_after(wait, success);
                Outcome::Pending
            }
            What::Done(success) => Outcome::Done(success),
            What::Failed(why) => fails(why, cx),
            What::Refused(why) => fails(why.to_string(), cx),
            What::Run | What::RunChild(_) | What::Value(_) => {
                let why = "a fallback answers success, failure or running";
                fails(why.to_owned(), cx)
            }
        }
    }
}

fn fails(why: String, cx: &mut Context<'_>) -> Outcome {
    cx.board().set_failure(Some(why));
    Outcome::Done(false)
}

fn written_back(method: &Method) -> String {
    let args = method.entry.args.iter();
    let names: Vec<_> = args
        .filter(|arg| arg.ty.in_out.is_some())
        .map(|arg| format!("`{}`", arg.name))
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(": {} can be", names.join(", ")),
    }
}

fn returned(what: What, method: &Method, cx: &mut Context<'_>) -> Result<Returned, CallError> {
    let entry = &method.entry;
    let done = |success| Ok(Outcome::Done(success).into());
    let cannot = |answer: &str| {
        Err(CallError::refused(format!(
            "the answer is {answer}, expected {}",
            expected(entry.result, entry.fallible)
        )))
    };
    match (what, entry.result) {
        (What::Refused(why), _) => Err(why),
        (What::Failed(why), _) if entry.fallible => Ok(Returned::Failed(why)),
        (What::Failed(why), _) => cannot(&format!("a failure with a reason ({why})")),
        (What::Done(false), ReturnKind::Unit) => cannot("failure"),
        (
            What::Done(success),
            ReturnKind::Unit
            | ReturnKind::Bool
            | ReturnKind::Async
            | ReturnKind::Status
            | ReturnKind::Next
            | ReturnKind::NextChild,
        ) => done(success),
        (What::Done(holds), ReturnKind::Value) => answered(holds.into(), method),
        (What::Value(Value::Bool(holds)), ReturnKind::Bool) => done(holds),
        (What::Value(value), ReturnKind::Value) => answered(value, method),
        (What::Running, ReturnKind::Async) => Ok(Outcome::Pending.into()),
        (What::Running, ReturnKind::Status) => Ok(Outcome::Running.into()),
        (What::After(wait, success), ReturnKind::Async) => {
            cx.finish_after(wait, success);
            Ok(Outcome::Pending.into())
        }
        (What::After(wait, success), ReturnKind::Status) => {
            let since = cx.delta();
            let elapsed = cx.memory_or(|| Elapsed(Duration::ZERO));
            elapsed.0 = elapsed.0.saturating_add(since);
            Ok(match elapsed.0 >= wait {
                true => Outcome::Done(success).into(),
                false => Outcome::Running.into(),
            })
        }
        (What::Run, ReturnKind::Next) => Ok(Outcome::Run.into()),
        (What::RunChild(child), ReturnKind::NextChild) => Ok(Returned::Chosen(child)),
        (What::Running | What::After(..), _) => cannot("running"),
        (What::Run, _) => cannot("to run the child"),
        (What::RunChild(_), _) => cannot("to run a child"),
        (What::Value(value), _) => cannot(&format!("the value {}", shown(&value))),
    }
}

/// The value of a query, which its type has.
fn answered(value: Value, method: &Method) -> Result<Returned, CallError> {
    method.check_answer(&value).map_err(|why| {
        let (value, why) = (shown(&value), why.unnamed());
        CallError::refused(format!("the answer is {value}: {why}"))
    })?;
    Ok(match value {
        Value::Bool(holds) => Outcome::Done(holds).into(),
        value => Returned::Answered(value),
    })
}

fn expected(result: ReturnKind, fallible: bool) -> String {
    let kinds = match result {
        ReturnKind::Bool => "success or failure",
        ReturnKind::Unit => "success",
        ReturnKind::Async | ReturnKind::Status => "success, failure or running",
        ReturnKind::Next => "to run the child, success or failure",
        ReturnKind::NextChild => "to run a child, success or failure",
        ReturnKind::Value => "a value",
    };
    match fallible {
        true => format!("{kinds}, or a failure with a reason"),
        false => kinds.to_owned(),
    }
}

/// Returns true if a method of that kind can have such a result.
pub(super) fn fits(kind: MethodKind, result: ReturnKind) -> bool {
    match kind {
        MethodKind::Action => matches!(
            result,
            ReturnKind::Bool | ReturnKind::Unit | ReturnKind::Async | ReturnKind::Status
        ),
        MethodKind::Condition => result == ReturnKind::Bool,
        MethodKind::Query => matches!(result, ReturnKind::Bool | ReturnKind::Value),
        MethodKind::Decorator => result == ReturnKind::Next,
        MethodKind::Composite => result == ReturnKind::NextChild,
    }
}

impl From<bool> for Answer {
    fn from(success: bool) -> Answer {
        Answer::of(What::Done(success))
    }
}

impl From<()> for Answer {
    fn from((): ()) -> Answer {
        Answer::success()
    }
}

impl From<Option<bool>> for Answer {
    fn from(result: Option<bool>) -> Answer {
        result.map_or_else(Answer::running, Answer::from)
    }
}

impl From<Status> for Answer {
    fn from(status: Status) -> Answer {
        match status {
            Status::Success => Answer::success(),
            Status::Failure => Answer::failure(),
            Status::Running => Answer::running(),
        }
    }
}

impl From<Next> for Answer {
    fn from(next: Next) -> Answer {
        match next {
            Next::Run => Answer::run(),
            Next::Succeed => Answer::success(),
            Next::Fail => Answer::failure(),
        }
    }
}

impl From<NextChild> for Answer {
    fn from(next: NextChild) -> Answer {
        match next {
            NextChild::Run(child) => Answer::run_child(child),
            NextChild::Succeed => Answer::success(),
            NextChild::Fail => Answer::failure(),
        }
    }
}

impl From<Value> for Answer {
    fn from(value: Value) -> Answer {
        Answer::value(value)
    }
}

impl<T: Into<Answer>, E: std::fmt::Display> From<Result<T, E>> for Answer {
    fn from(result: Result<T, E>) -> Answer {
        match result {
            Ok(answer) => answer.into(),
            Err(why) => Answer::failed(why.to_string()),
        }
    }
}
