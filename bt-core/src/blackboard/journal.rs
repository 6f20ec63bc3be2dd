//! The journal for a trace: every write, and the names of keys.

use std::cell::Ref;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::{Blackboard, Flags, KeyId, TreeFrame};

impl Blackboard {
    /// Returns whether every write is noted from now on, for [`take_journal`](Blackboard::take_journal).
    pub(crate) fn keep_journal(&self, keep: bool) {
        self.flags.put(Flags::JOURNAL, keep);
        if let Some(rest) = self.rest.get() {
            rest.journal.borrow_mut().clear();
        }
    }

    #[cold]
    pub(super) fn enter_in_journal(&self, id: KeyId) {
        let mut journal = self.rest().journal.borrow_mut();
        if journal.last() == Some(&id) {
            return;
        }
        // Nobody may take it for long: an agent that sleeps while its host writes. Then each key is in it once.
        if journal.len() == journal.capacity() && journal.len() >= 1024 {
            let mut seen = FxHashSet::default();
            journal.retain(|id| seen.insert(*id));
        }
        journal.push(id);
    }

    /// Returns true if there are [news](Blackboard::has_news), or a write is in the journal.
    #[inline]
    pub(crate) fn is_restless(&self) -> bool {
        let flags = Flags::SHARING | Flags::STIRRED | Flags::JOURNAL;
        self.flags.any(flags) && (self.has_news() || self.has_journal())
    }

    /// Returns true if nothing was written that somebody is to hear of, and nobody else can write.
    #[inline]
    pub(crate) fn is_undisturbed(&self) -> bool {
        let flags = Flags::SHARING | Flags::STIRRED | Flags::UNSETTLED | Flags::FAILED;
        !self.flags.any(flags | Flags::JOURNAL)
    }

    /// Returns true if a write is in the journal.
    #[inline]
    pub(crate) fn has_journal(&self) -> bool {
        self.flags.any(Flags::JOURNAL) && !self.is_journal_empty()
    }

    #[inline]
    fn is_journal_empty(&self) -> bool {
        let rest = self.rest.get();
        rest.is_none_or(|rest| rest.journal.borrow().is_empty())
    }

    /// Notes all keys that are set as if they had just been written.
    pub(crate) fn journal_all(&self) {
        let mut set = Vec::new();
        self.each_held(|id, _| set.push(id));
        self.rest().journal.borrow_mut().append(&mut set);
    }

    /// The keys that were written since this was asked last, in order.
    pub(crate) fn take_journal(&self, into: &mut Vec<KeyId>) {
        if let Some(rest) = self.rest.get() {
            into.append(&mut rest.journal.borrow_mut());
        }
    }

    /// The value of a key, on loan.
    pub(crate) fn lent(&self, id: KeyId) -> Option<Ref<'_, Value>> {
        self.read(self.absolute_id(id))
    }

    /// The name of a key; for a running tree's own key also its place there, if the name is not
    /// enough to tell it from the tree's others.
    pub(crate) fn called(&self, id: KeyId) -> Option<(Arc<str>, Option<Option<usize>>)> {
        if let Some(name) = self.table.name(id) {
            return Some((name.clone(), None));
        }
        let rest = self.rest.get()?;
        if let Some(name) = rest.own.borrow().by_slot.get(&id) {
            return Some((name.clone(), None));
        }
        let (tree, at) = rest.frames.borrow().place(id)?;
        let locals = self.table.locals(tree);
        let name = &locals.get(at)?.name;
        let same = locals.iter().filter(|other| other.name == *name).count();
        Some((name.clone(), Some((same > 1).then_some(at))))
    }

    /// Shows every key of the agent's own that is set: those that trees name, then the others, each by
    /// name.
    pub(crate) fn each_held(&self, mut show: impl FnMut(KeyId, &Value)) {
        let mut look = |id| {
            if let Some(value) = self.read(id) {
                show(id, &value);
            }
        };
        let table = self.table.agent_keys().values();
        table.copied().for_each(&mut look);
        if let Some(rest) = self.rest.get() {
            let own = rest.own.borrow();
            own.names.values().copied().for_each(&mut look);
        }
    }

    /// The same of the keys of a running tree.
    pub(crate) fn each_held_in(&self, frame: TreeFrame, mut show: impl FnMut(KeyId, &Value)) {
        for id in frame.keys() {
            if let Some(value) = self.read(id) {
                show(id, &value);
            }
        }
    }
}
