//! Buffers that are used again, and are no larger than need be.

/// The room that an empty buffer may keep, in items.
pub(super) const ROOM: usize = 1024;

/// Frees what an empty buffer has beyond the need of the next round, if that is like the last one.
pub(super) fn trim<T>(items: &mut Vec<T>, used: usize) {
    items.shrink_to(used.saturating_mul(4).max(ROOM));
}
