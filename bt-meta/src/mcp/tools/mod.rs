//! The tools, a file for each family of them.

pub(super) mod agents;
pub(super) mod check;
pub(super) mod diff;
pub(super) mod edit;
pub(super) mod find;
pub(super) mod live;
pub(super) mod play;
mod shown;
pub(super) mod test;
pub(super) mod trees;
