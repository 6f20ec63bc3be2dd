//! The requests of a call beside its result.

use std::any::Any;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thin_vec::ThinVec;

use super::completion::Pending;
use crate::contained::Contained;
use crate::decode::is_default;

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

/// The requests of calls beside times. A saved agent has of completions and guards whether there were any.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "C: Serialize + Default + PartialEq, G: Serialize + Default + PartialEq"
))]
pub(crate) struct MoreRequests<C = Option<Pending>, G = ThinVec<Contained>> {
    /// To be finished by an event of that name, so.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) on: ThinVec<(String, bool)>,
    /// The completion.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) completion: C,
    /// The values that live until the node exits.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) guards: G,
    /// The value for the resume method.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) kept: Option<Box<Value>>,
    /// The arguments of the call that began it, for its exit method; none where the tree has them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) args: ThinVec<Value>,
}

impl<C, G> MoreRequests<C, G> {
    /// The same with another completion, and other guards.
    pub(crate) fn with<D, H>(&self, completion: D, guards: H) -> MoreRequests<D, H> {
        MoreRequests {
            on: self.on.clone(),
            completion,
            guards,
            kept: self.kept.clone(),
            args: self.args.clone(),
        }
    }
}
