//! A place in the running trees: a node, and the run of its tree.

pub(crate) use crate::kinds::step::At;
use crate::tree::plan::NONE;

/// No place at all.
pub(crate) const NOWHERE: At = At {
    frame: NONE,
    node: NONE,
};

/// One run of a tree that another one called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// The `sub_tree` node that called it; [`NOWHERE`] for a tree that nothing called.
    pub(crate) caller: At,
    /// The depth of calls.
    pub(crate) depth: u32,
    /// The number of trees that are suspended below it.
    pub(crate) level: u32,
    /// Its keys of its own.
    pub(crate) board: Option<crate::blackboard::TreeFrame>,
}
