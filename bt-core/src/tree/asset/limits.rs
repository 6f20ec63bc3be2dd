//! The limits on the size of a tree.

/// The greatest number of nodes in a tree.
pub const MAX_NODES: usize = 1_000_000;

/// The number of nodes at most from the root down to a leaf, both counted.
pub const MAX_DEPTH: usize = 256;

/// The greatest number of bytes of JSON or script that are read.
pub const MAX_BYTES: usize = 512 << 20;
