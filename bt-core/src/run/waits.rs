//! The nodes that wait: leaves that blocked, and nodes above them that have a turn every poll.

use super::core::Core;
use super::node_ref::At;
use super::plain::{Entry, Wait};
use crate::tree::plan::Plan;

impl Core {
    /// The position of a place's entry, or of a new one.
    fn position(&self, at: At) -> usize {
        self.entries
            .partition_point(|entry| entry.at != at && self.is_before(entry.at, at))
    }

    /// The entry of a place.
    pub(crate) fn find(&self, at: At) -> Option<usize> {
        let position = self.position(at);
        (self.entries.get(position)?.at == at).then_some(position)
    }

    /// Makes a node wait.
    pub(crate) fn wait(&mut self, at: At, wait: Wait) -> &mut Entry {
        let position = match self.entries.last() {
            Some(last) if self.is_before(at, last.at) => self.position(at),
            _ => self.entries.len(),
        };
        // One that is parked is gone before the poll is over.
        let order = if wait.parked().is_some() {
            self.last_order()
        } else {
            self.next_order()
        };
        let mut entry = Entry::new(at, order, wait);
        entry.stamp = self.poll;
        entry.since = self.now();
        entry.ran = self.now_awake();
        self.turns += u32::from(entry.has_turn());
        if self.cursor as usize >= position && self.cursor != u32::MAX {
            self.cursor += 1;
        }
        self.entries.insert(position, entry);
        &mut self.entries[position]
    }

    /// Makes an entry end in a later poll.
    pub(crate) fn until(&mut self, position: usize, poll: u32, result: bool) {
        let entry = &mut self.entries[position];
        self.turns -= u32::from(entry.has_turn());
        entry.until = poll;
        entry.set_traced(false);
        entry.set_result(result);
        self.turns += u32::from(entry.has_turn());
    }

    /// The method of a waiting node is called again: how many nanoseconds after the last time.
    pub(crate) fn runs_again(&mut self, position: usize) -> u64 {
        let now = self.now_awake();
        let ran = std::mem::replace(&mut self.entries[position].ran, now);
        now.wrapping_sub(ran)
    }

    pub(crate) fn rewait(&mut self, position: usize, wait: Wait) {
        let entry = &mut self.entries[position];
        self.turns -= u32::from(entry.has_turn());
        entry.set_traced(entry.is_traced() && entry.wait == wait);
        entry.wait = wait;
        self.turns += u32::from(entry.has_turn());
    }

    pub(crate) fn take_entry(&mut self, position: usize) -> Entry {
        let entry = self.entries.remove(position);
        self.turns -= u32::from(entry.has_turn());
        if (self.cursor as usize) > position && self.cursor != u32::MAX {
            self.cursor -= 1;
        }
        entry
    }

    /// Takes away the entry of a place, if it has one.
    pub(crate) fn drop_entry(&mut self, at: At) {
        if let Some(position) = self.find(at) {
            self.take_entry(position);
        }
    }

    /// The entries of a place and below it: from and to.
    pub(crate) fn below(&self, plan: &Plan, top: At) -> (usize, usize) {
        let from = self.position(top);
        let inside = &self.entries[from..];
        let len = inside.partition_point(|entry| self.is_within(plan, entry.at, top));
        (from, from + len)
    }

    /// Returns true if anything below a place waits.
    pub(crate) fn any_below(&self, plan: &Plan, top: At) -> bool {
        let (mut from, to) = self.below(plan, top);
        if self.entries.get(from).is_some_and(|entry| entry.at == top) {
            from += 1;
        }
        from < to
    }

    /// Returns true if a node is active: it was entered, and not exited yet.
    pub(crate) fn is_active(&self, plan: &Plan, at: At) -> bool {
        let (from, to) = self.below(plan, at);
        self.entries[from..to]
            .iter()
            .any(|entry| entry.at != at || entry.wait.is_entered())
    }
}
