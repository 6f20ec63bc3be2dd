//! A place in the running trees: a node, and the run of its tree.

pub(crate) use crate::kinds::step::At;
use serde::{Deserialize, Serialize};

use crate::blackboard::TreeFrame;
use crate::decode::is_default;
use crate::tree::plan::NONE;

/// No place at all.
pub(crate) const NOWHERE: At = At {
    frame: NONE,
    node: NONE,
};

/// One run of a tree that another one called.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(
        serialize = "T: Serialize, C: Serialize + Default + PartialEq, K: Serialize + Default + PartialEq"
    )
)]
pub(crate) struct Frame<T = (), C = At, K = Option<TreeFrame>> {
    /// In a saved agent the number of its tree.
    pub(crate) tree: T,
    /// The `sub_tree` node that called it; [`NOWHERE`] for a tree that nothing called.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) caller: C,
    /// The depth of calls.
    #[serde(skip)]
    pub(crate) depth: u32,
    /// The number of trees that are suspended below it.
    #[serde(skip)]
    pub(crate) level: u32,
    /// Its keys of its own; in a saved agent if it has begun.
    #[serde(rename = "keys", default, skip_serializing_if = "is_default")]
    pub(crate) board: K,
}

/// One of a saved agent.
#[cfg(feature = "save")]
pub(crate) type SavedFrame = Frame<u32, Option<At>, Option<crate::blackboard::SavedFrame>>;
