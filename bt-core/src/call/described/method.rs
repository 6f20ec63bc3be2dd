//! Methods and properties that are described, and the agent that answers for them.

use serde_json::Value;

use super::signature::{Judge, Signature, Takes};
use crate::Worldless;
use crate::call::{Context, Exit, Left, Outcome, Returned};
use crate::describe::catalogue::{MethodEntry, PropertyEntry};
use crate::error::{ArgumentError, CallError};

/// An agent that answers for methods and properties which are described.
pub(crate) trait Responds: Worldless {
    /// Calls a method, with a value for each of its arguments.
    fn respond(
        &mut self,
        method: &Method,
        args: &[Value],
        cx: &mut Context<'_>,
    ) -> Result<Response, CallError>;

    /// Calls what cleans up after it, with the arguments that this takes.
    fn leave(&mut self, method: &Method, exit: Exit, args: &[Value], cx: &mut Context<'_>) -> Left;

    /// Resumes it, with what it kept.
    fn resume(
        &mut self,
        method: &Method,
        kept: &Value,
        cx: &mut Context<'_>,
    ) -> Result<Response, CallError>;

    /// Answers for a name that nothing describes.
    fn fall_back(&mut self, name: &str, args: &[Value], cx: &mut Context<'_>) -> Outcome;

    /// The value of a property.
    fn read(&mut self, property: &Property, cx: &mut Context<'_>) -> Result<Value, CallError>;

    /// Sets a property to a value of its type.
    fn write(&mut self, property: &Property, value: &Value) -> Result<(), CallError>;
}

/// The answer to a call.
pub(crate) struct Response {
    pub(crate) returned: Returned,
    /// The values that are written back, by the number of the argument.
    pub(crate) writes: Vec<(usize, Value)>,
}

/// A method that is described.
pub(crate) struct Method {
    /// The number of the description that has it.
    pub(crate) of: u64,
    /// Its number there.
    pub(crate) at: usize,
    pub(crate) entry: MethodEntry,
    pub(super) signature: Signature,
    /// That of what cleans up after it, if this takes arguments.
    pub(super) exit: Option<Signature>,
    /// Of a query.
    answer: Option<Takes>,
}

/// A property that is described.
pub(crate) struct Property {
    pub(crate) of: u64,
    pub(crate) at: usize,
    pub(crate) entry: PropertyEntry,
    pub(super) takes: Takes,
}

impl Property {
    /// Returns an error for a value that is not of its type, or out of its bounds.
    pub(crate) fn check(&self, value: &Value) -> Result<(), ArgumentError> {
        let name = &self.entry.item.name;
        self.takes
            .check(value)
            .map_err(|flaw| ArgumentError::new(name, flaw).with_found(value))
    }
}

impl Method {
    pub(super) fn new(
        of: u64,
        at: usize,
        entry: &MethodEntry,
        judge: &dyn Fn(&Value) -> Judge,
    ) -> Method {
        let args = entry.args.iter();
        let exit: Vec<_> = args
            .clone()
            .filter(|arg| entry.exit_args.contains(&arg.name))
            .collect();
        let exit_name = entry.exit.as_deref().unwrap_or_default();
        Method {
            of,
            at,
            signature: Signature::new(&entry.item.name, args, judge),
            answer: entry.answer.as_ref().map(|ty| Takes::of(ty, judge)),
            exit: (!exit.is_empty()).then(|| Signature::new(exit_name, exit, judge)),
            entry: entry.clone(),
        }
    }

    /// Returns an error for a value that is not of the type of its answer.
    pub(crate) fn check_answer(&self, value: &Value) -> Result<(), ArgumentError> {
        let checked = self.answer.as_ref().map_or(Ok(()), |ty| ty.check(value));
        checked.map_err(|flaw| ArgumentError::new("answer", flaw).with_found(value))
    }

    /// Returns an error for a value that is not what an argument takes.
    pub(crate) fn check(&self, argument: usize, value: &Value) -> Result<(), ArgumentError> {
        let name = &self.entry.args[argument].name;
        self.signature
            .takes(argument)
            .check(value)
            .map_err(|flaw| ArgumentError::new(name, flaw).with_found(value))
    }
}
