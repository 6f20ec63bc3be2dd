//! The last results of nodes, where they are kept.

use rustc_hash::FxHashMap;

/// The last results of nodes; none where they are not kept.
#[derive(Debug, Default)]
pub(crate) struct Results(Option<FxHashMap<u32, bool>>);

impl Results {
    pub(crate) fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Starts or stops keeping results; those that were kept are forgotten when it stops.
    pub(crate) fn keep(&mut self, keep: bool) {
        match keep {
            true => _ = self.0.get_or_insert_default(),
            false => self.0 = None,
        }
    }

    /// Notes a result, if they are kept.
    pub(crate) fn note(&mut self, node: u32, success: bool) {
        if let Some(results) = &mut self.0 {
            results.insert(node, success);
        }
    }

    pub(crate) fn of(&self, node: u32) -> Option<bool> {
        self.0.as_ref()?.get(&node).copied()
    }

    /// The nodes are those of changed trees now.
    pub(crate) fn carry(&mut self, node: impl Fn(u32) -> Option<u32>) {
        if let Some(results) = &mut self.0 {
            let known = results
                .drain()
                .filter_map(|(old, success)| Some((node(old)?, success)));
            *results = known.collect();
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, bool)> {
        let all = self.0.iter().flatten();
        all.map(|(node, success)| (*node, *success))
    }
}
