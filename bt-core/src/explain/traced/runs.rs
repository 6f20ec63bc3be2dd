//! Which run of a tree another one called; and which it is after a snapshot, which counts anew.

use std::collections::{BTreeMap, BTreeSet};

use super::Explainer;
use crate::trace::{Picture, Place};

/// The runs of which something is active, by the name of their tree; none where it runs twice.
fn known(picture: &Picture) -> BTreeMap<&str, Option<u32>> {
    let runs: BTreeSet<u32> = picture.active.keys().map(|(run, _)| *run).collect();
    let mut known = BTreeMap::new();
    for run in runs {
        if let Some(tree) = picture.trees.get(run as usize) {
            let found = known.entry(tree.as_str()).and_modify(|found| *found = None);
            found.or_insert(Some(run));
        }
    }
    known
}

impl Explainer {
    /// A node is entered: if it is a root, the `sub_tree` node before it called it.
    pub(super) fn called(&mut self, place: &Place<'_>) {
        let caller = self.calling.take();
        match (place.kind(), caller) {
            ("sub_tree", _) => self.calling = Some(place.owned()),
            ("root", Some(caller)) => {
                self.callers.insert(place.run(), caller);
            }
            ("root", None) => {
                self.callers.remove(&place.run());
            }
            _ => {}
        }
    }

    /// The `sub_tree` nodes above a run, from the outermost on.
    pub(super) fn path(&self, run: u32) -> Vec<Place<'static>> {
        let above = |place: &&Place<'static>| self.callers.get(&place.run());
        let callers = std::iter::successors(self.callers.get(&run), above);
        // A trace that was tampered with may go round in a circle.
        let mut path: Vec<_> = callers.take(1000).cloned().collect();
        path.reverse();
        path
    }

    /// Runs are counted anew: what is noted of them goes along, as far as it is known which is which.
    pub(super) fn count_anew(&mut self, before: &Picture) {
        let after = known(self.replay.picture());
        let known = known(before);
        let find = |run: u32| {
            let tree = before.trees.get(run as usize)?;
            let same = *known.get(tree.as_str())? == Some(run);
            after.get(tree.as_str()).copied().flatten().filter(|_| same)
        };
        let calls = std::mem::take(&mut self.calls).into_iter();
        let moved = calls.filter_map(|((run, idx), args)| Some(((find(run)?, idx), args)));
        let calls = moved.collect();
        let callers = std::mem::take(&mut self.callers).into_iter();
        let moved = callers.filter_map(|(run, by)| Some((find(run)?, by.in_run(find(by.run())?))));
        self.callers = moved.collect();
        self.calls = calls;
    }
}
