//! The time of a record.

/// The time of a record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// The time of the poll, in nanoseconds.
    pub(crate) ns: u64,
    /// The number of the poll.
    pub(crate) poll: u32,
}
