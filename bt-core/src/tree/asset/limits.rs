//! How large a tree can be.

/// How many nodes a tree has at most.
pub const MAX_NODES: usize = 1_000_000;

/// How many nodes there are at most from the root down to a leaf, both counted.
pub const MAX_DEPTH: usize = 256;

/// How many bytes of JSON or script are read at most.
pub const MAX_BYTES: usize = 512 << 20;
