//! A guard who makes rounds, rests, and looks where a noise comes from.
//!
//! What a guard can do is in [`guard`]; what it does, and when, is in `trees/rounds.json`.

pub mod guard;

use bt_core::{AssetError, TreeAsset, TreeSet, Trees};

pub use guard::{Guard, Place};

/// The name by which the tree is run.
pub const ROUNDS: &str = "rounds.json";

/// The guard's tree, as the file has it.
pub fn rounds() -> Result<TreeAsset, AssetError> {
    TreeAsset::from_json(ROUNDS, include_str!("../trees/rounds.json"))
}

/// The trees of all guards: built once, shared by as many as there are.
pub fn trees() -> Result<Trees<Guard>, AssetError> {
    let mut set = TreeSet::new();
    set.add(rounds()?);
    set.build()
}
