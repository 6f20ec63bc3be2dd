//! When something happens.

/// When something happens: what a record says of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// The time of the poll, in nanoseconds.
    pub(crate) ns: u64,
    /// The number of the poll.
    pub(crate) poll: u32,
}
