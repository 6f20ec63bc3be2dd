//! The numbers of state in another place: a saved agent, the runner that is restored from it, changed trees.

use crate::run::node_ref::At;

/// Says what the numbers of a state are elsewhere. Each part of the state has one `map`, which asks for all
/// numbers that it has: saving, restoring and moving to changed trees differ in the answers alone.
pub(crate) trait Renumber {
    /// The reason why something has no number there.
    type Error;
    /// A tree here.
    type Tree;
    /// A tree there.
    type Other;

    /// A place that is active.
    fn place(&self, at: At) -> Result<At, Self::Error>;

    /// A place that is active, or a child of one that is.
    fn near(&self, at: At) -> Result<At, Self::Error> {
        self.place(at)
    }

    fn tree(&self, tree: &Self::Tree) -> Result<Self::Other, Self::Error>;

    /// A node of a tree, whether it is active or not.
    fn node(&self, tree: &Self::Tree, node: u32) -> Result<(Self::Other, u32), Self::Error>;

    /// A child that an active node entered.
    fn child(&self, at: At, child: u32) -> Result<u32, Self::Error>;

    /// An event that a node takes: by its number in the plan, in a saved agent by its place among those of the
    /// node.
    fn event(&self, by: At, event: u32) -> Result<u32, Self::Error>;

    /// A time that has gone by.
    fn since(&self, time: u64) -> u64 {
        time
    }

    /// The time, without pauses, at which a method was called last.
    fn ran(&self, time: u64) -> u64 {
        time
    }

    /// The number of a poll that has been.
    fn poll(&self, poll: u32) -> u32 {
        poll
    }
}
