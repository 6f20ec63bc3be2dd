//! The place where a stopped walk continues.

/// The way in which a stopped walk continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// At the node that was parked last, as if it had not been.
    Parked,
    /// The same, at a node that is to be entered, where a walk that is interrupted does not park: what is to
    /// react does so later.
    Straight,
    /// With what is still to be done.
    Blocked,
    /// Nowhere: there was no walk.
    Still,
    /// Nowhere: the poll is over.
    Over,
}
