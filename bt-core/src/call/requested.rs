//! What a call asked for beside its result.

use std::any::Any;
use std::time::Duration;

use serde_json::Value;
use thin_vec::ThinVec;

use super::completion::Pending;
use crate::contained::Contained;

/// What a call asked for beside its result.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Asked {
    /// To be finished then, so.
    pub after: Option<(Duration, bool)>,
    /// To be finished after so many polls, the one it began in counted, so.
    pub polls: Option<(u32, bool)>,
    /// To be finished by an event of that name, so.
    pub on: Vec<(String, bool)>,
    /// Its completion.
    pub completion: Option<Pending>,
    /// What lives until the node is exited.
    pub guards: Vec<Box<dyn Any + Send>>,
    /// What the resume method will get.
    pub kept: Option<Value>,
}

/// What an action asked the runner to do when the leaf has returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Control {
    /// Stop the tree.
    Stop,
    /// Clear the blackboard and start the tree again.
    Reset,
    /// Run another tree.
    Load(String),
}

/// What calls asked for beside times.
#[derive(Debug, Default)]
pub(crate) struct AskedMore {
    /// To be finished by an event of that name, so.
    pub(crate) on: ThinVec<(String, bool)>,
    /// The completion.
    pub(crate) completion: Option<Pending>,
    /// What lives until the node is exited.
    pub(crate) guards: ThinVec<Contained>,
    /// What the resume method will get.
    pub(crate) kept: Option<Box<Value>>,
    /// The arguments of the call that began it, for its exit method; none where the tree has them.
    pub(crate) args: ThinVec<Value>,
}
