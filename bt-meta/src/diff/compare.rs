//! Two catalogues while they are compared.

use std::collections::BTreeMap;

use super::side::Side;

/// Two catalogues that are compared.
pub(super) struct Compare<'s, 'c> {
    pub(super) old: &'s Side<'c>,
    pub(super) new: &'s Side<'c>,
    /// Old full names of agents, and what they are now.
    pub(super) pairs: BTreeMap<&'c str, &'c str>,
    /// True if what schemas refer to is the same in both.
    pub(super) same_defs: bool,
}

impl<'c> Compare<'_, 'c> {
    /// The name that an agent has now.
    pub(super) fn renamed(&self, full: &str) -> Option<&'c str> {
        self.pairs.get(full).copied()
    }
}
