//! Nodes to suspect.
use super::Played;
use bt_core::{Registry, TreeAsset};
pub struct Suspect {
    pub tree: String,
    pub node: u32,
    pub shown: String,
    pub cause: String,
    pub choices: Vec<serde_json::Value>,
}
pub fn suspects(_: &Registry, _: &[TreeAsset], _: &[Played]) -> Vec<Suspect> {
    Vec::new()
}
