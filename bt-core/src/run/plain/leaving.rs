//! A part of the tree that was aborted and is still cancelling, and what happens afterwards.

use serde::{Deserialize, Serialize};

use super::renumber::Renumber;
use crate::decode::is_default;
use crate::kinds::step::Act;
use crate::run::node_ref::At;

/// A part of the tree that was aborted, whose actions are still cancelling.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(serialize = "B: Serialize + Default + PartialEq, T: Serialize")
)]
pub(crate) struct Leaving<B = At, T = u32> {
    pub(crate) top: At,
    /// True if `top` is exited, too.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) inclusive: bool,
    /// The node that aborted it; [`NOWHERE`](crate::run::node_ref::NOWHERE) for the host.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) by: B,
    pub(crate) then: Then<T>,
    /// The number of the poll in which it was aborted.
    #[serde(skip)]
    pub(crate) poll: u32,
}

/// One of a saved agent. Trees are their names.
pub(crate) type SavedLeaving = Leaving<Option<By>, String>;

/// The node that aborts others, in a saved agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum By {
    Node(At),
    /// Its run is over: the name of its tree, and its `idx`.
    Over(String, u32),
}

/// The continuation after the last of it is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Then<T = u32> {
    /// The walk continues.
    Go(At, Act),
    /// A child is entered, and its parent learns when it waits.
    Enter(At),
    /// A tree starts in place of the one that was exited.
    Start(T),
    /// A tree starts in place of all that there are, those that are suspended too.
    Load(T),
    /// The same after a reset of all that the agent remembers.
    Afresh(T),
    /// The tree of a `sub_tree` node starts in place of the one that was exited, with the values that
    /// the node handed over: the tree of the node, the node, and the tree that starts.
    Transfer(T, u32, T),
    /// The current tree starts in the next poll; with `true` the blackboard is cleared.
    Restart(bool),
    Stop,
    /// Changed trees decide what becomes of the place: it waits to be entered. It is never saved.
    #[serde(skip)]
    Hold(At),
    Nothing,
}

impl<B, T> Leaving<B, T> {
    /// The same, elsewhere.
    pub(crate) fn map<X: Renumber<Tree = T>, C>(
        &self,
        to: &X,
        by: C,
    ) -> Result<Leaving<C, X::Other>, X::Error> {
        Ok(Leaving {
            top: to.place(self.top)?,
            inclusive: self.inclusive,
            by,
            then: self.then.map(to)?,
            poll: to.poll(self.poll),
        })
    }
}

impl<T> Then<T> {
    /// The node that transfers to another tree.
    pub(crate) fn transfers_from(&self) -> Option<u32> {
        if let Then::Transfer(_, node, _) = self {
            return Some(*node);
        }
        None
    }

    /// The same, elsewhere.
    fn map<X: Renumber<Tree = T>>(&self, to: &X) -> Result<Then<X::Other>, X::Error> {
        Ok(match self {
            Then::Go(at, act) => Then::Go(to.near(*at)?, *act),
            Then::Enter(at) => Then::Enter(to.near(*at)?),
            Then::Start(tree) => Then::Start(to.tree(tree)?),
            Then::Load(tree) => Then::Load(to.tree(tree)?),
            Then::Afresh(tree) => Then::Afresh(to.tree(tree)?),
            Then::Transfer(of, node, tree) => {
                let (of, node) = to.node(of, *node)?;
                Then::Transfer(of, node, to.tree(tree)?)
            }
            Then::Restart(clear) => Then::Restart(*clear),
            Then::Stop => Then::Stop,
            Then::Hold(at) => Then::Hold(to.place(*at)?),
            Then::Nothing => Then::Nothing,
        })
    }
}
