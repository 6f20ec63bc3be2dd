//! The requests of a call beside its result.

use std::any::Any;
use std::time::Duration;

use serde_json::Value;
use thin_vec::ThinVec;

use super::completion::Pending;
use crate::contained::Contained;

/// The requests of a call beside its result.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct CallRequests {
    /// To be finished then, so.
    pub after: Option<(Duration, bool)>,
    /// To be finished after so many polls, the one it began in counted, so.
    pub polls: Option<(u32, bool)>,
    /// To be finished by an event of that name, so.
    pub on: Vec<(String, bool)>,
    /// Its completion.
    pub completion: Option<Pending>,
    /// The values that live until the node exits.
    pub guards: Vec<Box<dyn Any + Send>>,
    /// The value for the resume method.
    pub kept: Option<Value>,
}

/// A request of an action that the runner applies when the leaf has returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Control {
    /// Stop the tree.
    Stop,
    /// Clear the blackboard and start the tree again.
    Reset,
    /// Run another tree.
    Load(String),
}

/// The requests of calls beside times.
#[derive(Debug, Default)]
pub(crate) struct MoreRequests {
    /// To be finished by an event of that name, so.
    pub(crate) on: ThinVec<(String, bool)>,
    /// The completion.
    pub(crate) completion: Option<Pending>,
    /// The values that live until the node exits.
    pub(crate) guards: ThinVec<Contained>,
    /// The value for the resume method.
    pub(crate) kept: Option<Box<Value>>,
    /// The arguments of the call that began it, for its exit method; none where the tree has them.
    pub(crate) args: ThinVec<Value>,
}
