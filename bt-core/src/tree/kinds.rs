//! The node kinds.
use crate::registry::catalogue::NodeKindEntry;
/// Every node kind.
pub fn node_kinds() -> Vec<NodeKindEntry> {
    Vec::new()
}
