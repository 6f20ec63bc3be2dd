//! The guards that are observed, and what was known of those that are not any more.

use std::sync::Arc;

use thin_vec::ThinVec;

use crate::blackboard::KeyId;
use crate::run::plain::{Due, KeySet, Watch};

/// The guards that are observed.
#[derive(Debug, Default)]
pub(crate) struct Observers {
    /// In the order in which nodes run.
    watches: ThinVec<Watch>,
    /// In the turn: how many of them have had theirs.
    cursor: u32,
    /// Children whose guards did not hold when their parent was exited, which may begin at a later child:
    /// sorted.
    failed_guards: ThinVec<u32>,
    /// The names of the keys that guards of such children follow: sorted by node.
    followed: ThinVec<(u32, Vec<Arc<str>>)>,
    /// Keys, while they are looked at.
    scratch: ThinVec<KeyId>,
    /// Empty sets with memory for keys, of guards that are observed no more.
    spare: ThinVec<KeySet>,
}

impl Observers {
    pub(crate) fn all(&self) -> &[Watch] {
        &self.watches
    }

    /// Takes them all away: their tree is suspended.
    pub(crate) fn suspend(&mut self) -> ThinVec<Watch> {
        std::mem::take(&mut self.watches)
    }

    /// Observes those of a tree that was suspended. They are evaluated now.
    pub(crate) fn resume(&mut self, watches: ThinVec<Watch>) {
        self.watches = watches;
        for watch in &mut self.watches {
            watch.due = Due::Now;
        }
    }

    /// Those that were saved.
    pub(crate) fn restore(&mut self, watches: ThinVec<Watch>) {
        self.watches = watches;
    }

    /// Observes guards from now on, in place of the same ones; `before` are those that come before.
    pub(crate) fn observe(&mut self, watch: Watch, before: impl Fn(&Watch) -> bool) -> usize {
        let same = |other: &Watch| {
            other.at == watch.at
                && other.own == watch.own
                && (!watch.own || other.guard == watch.guard)
        };
        if let Some(known) = self.watches.iter().position(same) {
            let before = std::mem::replace(&mut self.watches[known], watch);
            self.give_keys(before.keys);
            return known;
        }
        let position = self.watches.partition_point(before);
        self.watches.insert(position, watch);
        self.cursor += u32::from(position < self.cursor as usize);
        position
    }

    pub(crate) fn get_mut(&mut self, position: usize) -> &mut Watch {
        &mut self.watches[position]
    }

    /// Observes only those that stay.
    pub(crate) fn retain(&mut self, stays: impl Fn(&Watch) -> bool) {
        let (mut number, mut passed) = (0, 0);
        let spare = &mut self.spare;
        self.watches.retain_mut(|watch| {
            let stays = stays(watch);
            if !stays && watch.keys.clear() {
                spare.push(std::mem::take(&mut watch.keys));
            }
            passed += u32::from(!stays && number < self.cursor);
            number += 1;
            stays
        });
        self.cursor -= passed;
    }

    /// Keys have changed; whether any of the guards follows one of them.
    pub(crate) fn stir(&mut self, keys: &[KeyId], when: Due) -> bool {
        let mut any = false;
        for watch in &mut self.watches {
            if watch.keys.has_any(keys) {
                watch.due = watch.due.max(when);
                any = true;
            }
        }
        any
    }

    /// An abort is complete: what its exits wrote is reacted to now.
    pub(crate) fn end_abort(&mut self) {
        self.delay(|due| due == Due::Abort, Due::Now);
    }

    /// Holds the reactions of the remaining guards until the effects of so many guards to their left are
    /// over.
    pub(crate) fn hold(&mut self, guards: u32) {
        self.delay(|due| due == Due::Now, Due::Held(guards));
    }

    /// Releases the reactions that waited for so many guards, or more.
    pub(crate) fn release(&mut self, guards: u32) {
        self.delay(|due| due >= Due::Held(guards), Due::Now);
    }

    fn delay(&mut self, of: impl Fn(Due) -> bool, to: Due) {
        let due = self.watches.iter_mut().filter(|watch| of(watch.due));
        due.for_each(|watch| watch.due = to);
    }

    /// The turn begins at the root.
    pub(crate) fn begin_turn(&mut self) {
        self.cursor = 0;
    }

    /// The number of those that have been evaluated.
    pub(crate) fn passed(&self) -> usize {
        self.cursor as usize
    }

    /// So many of them have had their turn.
    pub(crate) fn pass(&mut self, count: usize) {
        self.cursor = count as u32;
    }

    /// The nodes are those of changed trees now: what a node has become.
    pub(crate) fn carry(&mut self, node: impl Fn(u32) -> Option<u32>) {
        self.failed_guards = self
            .failed_guards
            .iter()
            .filter_map(|old| node(*old))
            .collect();
        self.failed_guards.sort_unstable();
        let followed = std::mem::take(&mut self.followed).into_iter();
        self.followed = followed
            .filter_map(|(old, names)| Some((node(old)?, names)))
            .collect();
        self.followed.sort_unstable_by_key(|(node, _)| *node);
        self.cursor = 0;
    }

    /// An empty list of keys, to be given back.
    pub(crate) fn take_scratch(&mut self) -> ThinVec<KeyId> {
        std::mem::take(&mut self.scratch)
    }

    pub(crate) fn give_scratch(&mut self, keys: ThinVec<KeyId>) {
        self.scratch = keys;
    }

    /// An empty set of keys, to be given back or observed.
    pub(crate) fn take_keys(&mut self) -> KeySet {
        self.spare.pop().unwrap_or_default()
    }

    pub(crate) fn give_keys(&mut self, mut keys: KeySet) {
        if keys.clear() {
            self.spare.push(keys);
        }
    }

    /// Notes whether a child's guards did not hold when its parent was exited.
    pub(crate) fn set_failed_guards(&mut self, node: u32, has_failed: bool) {
        match (self.failed_guards.binary_search(&node), has_failed) {
            (Err(position), true) => self.failed_guards.insert(position, node),
            (Ok(position), false) => drop(self.failed_guards.remove(position)),
            _ => {}
        }
    }

    /// Notes which keys a child's guards follow, for when their parent passes over it.
    pub(crate) fn set_followed(&mut self, node: u32, names: impl IntoIterator<Item = Arc<str>>) {
        let found = self.followed.binary_search_by_key(&node, |(node, _)| *node);
        let position = found.unwrap_or_else(|position| {
            self.followed.insert(position, (node, Vec::new()));
            position
        });
        let followed = &mut self.followed[position].1;
        followed.clear();
        followed.extend(names);
    }

    /// The names of the keys that a child's guards followed when they were evaluated last.
    pub(crate) fn followed(&self, node: u32) -> &[Arc<str>] {
        let found = self.followed.binary_search_by_key(&node, |(node, _)| *node);
        found.map_or(&[], |position| &self.followed[position].1)
    }

    /// The names of the keys that guards of such children follow.
    pub(crate) fn each_followed(&self) -> impl Iterator<Item = (u32, &[Arc<str>])> {
        self.followed
            .iter()
            .map(|(node, names)| (*node, &names[..]))
    }

    pub(crate) fn has_failed_guards(&self, node: u32) -> bool {
        self.failed_guards.binary_search(&node).is_ok()
    }

    pub(crate) fn failed_guards(&self) -> &[u32] {
        &self.failed_guards
    }

    pub(crate) fn clear_failed_guards(&mut self) {
        self.failed_guards.clear();
    }
}
