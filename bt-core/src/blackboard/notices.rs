//! Observers of changes: watchers of keys by name, and the runner, which observes them by slot.

use std::sync::Arc;

use serde_json::Value;

use super::{Blackboard, Flags, KeyId, TreeFrame};

/// A watched key whose value is another than before.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyChange {
    /// The key.
    pub key: Arc<str>,
    /// The present value; none if the key is unset.
    pub value: Option<Value>,
}

/// The keys whose changes are noted.
#[derive(Default)]
pub(super) struct Notices {
    /// Sorted by key.
    keys: Vec<Noted>,
    /// Watched keys that changed, in the order of their first changes.
    changed: Vec<KeyId>,
    /// Observed ones.
    stirred: Vec<KeyId>,
}

struct Noted {
    id: KeyId,
    observed: bool,
    watched: bool,
    /// True if it is in `changed`, and in `stirred`, already.
    changed: bool,
    stirred: bool,
}

impl Notices {
    fn find(&self, id: KeyId) -> Result<usize, usize> {
        self.keys.binary_search_by_key(&id, |noted| noted.id)
    }

    pub(super) fn has(&self, id: KeyId) -> bool {
        self.find(id).is_ok()
    }

    pub(super) fn observes(&self, id: KeyId) -> bool {
        self.find(id).is_ok_and(|at| self.keys[at].observed)
    }

    /// The keys whose changes are noted.
    pub(super) fn noted(&self) -> impl Iterator<Item = KeyId> {
        self.keys.iter().map(|noted| noted.id)
    }

    /// Notes in another blackboard what is noted here: `now` is what a key has become.
    pub(super) fn move_to(&self, to: &mut Notices, now: &dyn Fn(KeyId) -> Option<KeyId>) {
        for noted in &self.keys {
            if let Some(id) = now(noted.id) {
                let moved = to.add(id);
                (moved.observed, moved.watched) = (noted.observed, noted.watched);
                (moved.changed, moved.stirred) = (noted.changed, noted.stirred);
            }
        }
        to.changed = self.changed.iter().filter_map(|id| now(*id)).collect();
        to.stirred = self.stirred.iter().filter_map(|id| now(*id)).collect();
    }

    fn get(&mut self, id: KeyId) -> Option<&mut Noted> {
        let at = self.find(id).ok()?;
        self.keys.get_mut(at)
    }

    fn add(&mut self, id: KeyId) -> &mut Noted {
        let at = self.find(id).unwrap_or_else(|at| {
            let noted = Noted {
                id,
                observed: false,
                watched: false,
                changed: false,
                stirred: false,
            };
            self.keys.insert(at, noted);
            at
        });
        &mut self.keys[at]
    }

    fn unwatch(&mut self, id: KeyId) {
        if let Some(noted) = self.get(id) {
            (noted.watched, noted.changed) = (false, false);
            self.changed.retain(|changed| *changed != id);
            self.forget(id);
        }
    }

    /// Takes a key out that nobody watches or observes.
    fn forget(&mut self, id: KeyId) {
        if let Ok(at) = self.find(id)
            && !self.keys[at].watched
            && !self.keys[at].observed
        {
            self.keys.remove(at);
        }
    }

    /// Notes a change.
    pub(super) fn note(&mut self, id: KeyId) {
        let Ok(at) = self.find(id) else { return };
        let noted = &mut self.keys[at];
        if noted.watched && !noted.changed {
            noted.changed = true;
            self.changed.push(id);
        }
        if noted.observed && !noted.stirred {
            noted.stirred = true;
            self.stirred.push(id);
        }
    }

    pub(super) fn has_pending_changes(&self) -> bool {
        !self.stirred.is_empty()
    }

    fn take_changed(&mut self) -> Vec<KeyId> {
        let changed = std::mem::take(&mut self.changed);
        for id in &changed {
            if let Some(noted) = self.get(*id) {
                noted.changed = false;
            }
        }
        changed
    }

    fn take_stirred(&mut self, into: &mut impl Extend<KeyId>) {
        let mut stirred = std::mem::take(&mut self.stirred);
        for id in &stirred {
            if let Some(noted) = self.get(*id) {
                noted.stirred = false;
            }
        }
        into.extend(stirred.drain(..));
        self.stirred = stirred;
    }
}

impl Blackboard {
    /// Notes when the value of `key` changes, for [`take_changes`](Blackboard::take_changes).
    pub fn watch(&self, key: &str) {
        let id = self.intern(key);
        self.notice(|notices| notices.add(id).watched = true);
    }

    /// Notes no longer when the value of `key` changes.
    pub fn unwatch(&self, key: &str) {
        if self.flags.any(Flags::NOTING)
            && let Some(id) = self.find(key)
        {
            self.notice(|notices| notices.unwatch(id));
        }
    }

    /// The watched keys whose values have changed since the last call of this, each once, in the
    /// order of their first changes.
    pub fn take_changes(&self) -> Vec<KeyChange> {
        if !self.flags.any(Flags::NOTING) {
            return Vec::new();
        }
        let mut changed = Vec::new();
        self.notice(|notices| changed = notices.take_changed());
        let change = |id| {
            let key = self.name(id)?;
            let value = self.read(id).map(|value| value.clone());
            Some(KeyChange { key, value })
        };
        changed.into_iter().filter_map(change).collect()
    }

    /// Changes what is noted of keys.
    pub(super) fn notice(&self, change: impl FnOnce(&mut Notices)) {
        let mut notices = self.rest().notices.borrow_mut();
        change(&mut notices);
        self.flags.put(Flags::NOTING, !notices.keys.is_empty());
        self.flags
            .put(Flags::STIRRED, notices.has_pending_changes());
    }
}

impl Blackboard {
    /// Notes from now on when a key changes, for [`take_stirred`](Blackboard::take_stirred). A place in a frame is one of the frame that is entered now.
    /// The key's number outside of frames.
    pub(crate) fn observe(&self, id: KeyId) -> KeyId {
        let id = self.absolute_id(id);
        self.notice(|notices| notices.add(id).observed = true);
        id
    }

    /// The names of observed keys of the agent, and of a frame, that pass the test.
    pub(crate) fn observed_names(
        &self,
        frame: Option<TreeFrame>,
        test: impl Fn(KeyId) -> bool,
    ) -> Vec<Arc<str>> {
        let Some(rest) = self.rest.get() else {
            return Vec::new();
        };
        let (notices, frames) = (rest.notices.borrow(), rest.frames.borrow());
        let is_seen =
            |id: KeyId| frame.is_some_and(|frame| frame.contains(id)) || frames.place(id).is_none();
        let observed = notices.keys.iter().filter(|noted| noted.observed);
        let keys = observed.map(|noted| noted.id);
        let seen = keys.filter(|id| test(*id) && is_seen(*id));
        let names = seen.filter_map(|id| self.name(id));
        names.filter(|name| !name.is_empty()).collect()
    }

    /// Returns true if no write waits or was refused, no observed key has changed, and no call gave a reason
    /// for its failure.
    #[inline(always)]
    pub(crate) fn is_calm(&self) -> bool {
        !self
            .flags
            .any(Flags::STIRRED | Flags::UNSETTLED | Flags::FAILED)
    }

    /// Returns true if an observed key has changed since they were taken last.
    #[inline]
    pub(crate) fn has_pending_changes(&self) -> bool {
        self.flags.any(Flags::STIRRED)
    }

    /// The observed keys that have changed since they were [taken](Blackboard::take_stirred).
    pub(crate) fn each_stirred(&self, see: impl FnMut(KeyId)) {
        if self.has_pending_changes() {
            self.notice(|notices| notices.stirred.iter().copied().for_each(see));
        }
    }

    /// The observed keys that have changed since the last call of this, each once, in the order of
    /// their first changes; none of them is a place in a frame.
    pub(crate) fn take_stirred(&self, into: &mut impl Extend<KeyId>) {
        if self.has_pending_changes() {
            self.notice(|notices| notices.take_stirred(into));
        }
    }
}
