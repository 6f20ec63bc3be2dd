//! Declarations of keys: their types, their initial values, and the keys that all agents share.

use std::task::Waker;

use serde_json::Value;

use super::keys::Declared;
use super::{Blackboard, Declaration, Flags, KeyError, KeyId, SharedBoard};

impl Blackboard {
    /// Sets the declared keys that are unset to their initial values.
    pub fn set_initial(&self) {
        for (id, declared) in self.table.all_declared() {
            self.set_unset(id, declared.initial.as_ref());
        }
        let Some(rest) = self.rest.get() else { return };
        let own = rest.own.borrow();
        for (id, declared) in &own.declared {
            self.set_unset(*id, declared.initial.as_ref());
        }
    }

    fn set_unset(&self, id: KeyId, initial: Option<&Value>) {
        if let Some(initial) = initial
            && self.read(id).is_none()
        {
            self.put_checked(id, Some(initial.clone()));
        }
    }

    /// Declares one of the agent's keys: a type, and what it holds if it is unset.
    ///
    /// # Errors
    /// [`KeyError`] if the key has no name, if what it holds, or the initial value, is not of the
    /// type, or if it is declared otherwise already.
    pub fn declare(&self, key: Declaration) -> Result<(), KeyError> {
        let Declaration {
            key,
            ty,
            initial,
            global,
        } = key;
        if key.is_empty() {
            return Err(KeyError::nameless());
        }
        let declared = Declared {
            ty,
            initial,
            global,
        };
        let id = self.agent_key(&key);
        let held = self.read(id);
        for value in held.as_deref().into_iter().chain(&declared.initial) {
            declared.check(&key, value)?;
        }
        drop(held);
        self.check_twice(id, &key, &declared)?;
        let is_new = !self.is_declared(id);
        self.flags.set(Flags::DECLARED);
        let initial = declared.initial.clone();
        if self.table.agent_declared(id).is_none() {
            let own = &self.rest().own;
            own.borrow_mut().declared.insert(id, declared);
        }
        match self.shared(id).filter(|_| is_new) {
            Some(shared) => self.join(&shared, id, initial),
            None => self.set_unset(id, initial.as_ref()),
        }
        Ok(())
    }

    /// Shares one key from now on: it holds what the shared board does, which gets what it lacks.
    fn join(&self, shared: &SharedBoard, id: KeyId, initial: Option<Value>) {
        let Some(name) = self.name(id) else { return };
        if let Some(following) = &mut *self.rest().sharing.following.borrow_mut() {
            following.add(name.clone());
        }
        let own = self.read(id).as_deref().cloned().or(initial);
        // Another agent may have set it: that one counts.
        let value = shared.update(&name, |there| {
            *there = there.take().or(own);
            there.clone()
        });
        self.store(id, value);
    }

    /// Refuses what is declared otherwise already.
    fn check_twice(&self, id: KeyId, key: &str, declared: &Declared) -> Result<(), KeyError> {
        let twice = self.with_declared(id, |before| {
            (before != declared).then(|| KeyError::twice(key, &before.ty, &declared.ty))
        });
        twice.flatten().map_or(Ok(()), Err)
    }

    /// Looks at what is declared of a key: in the table, in the tree whose frame it is in, or here.
    fn with_declared<R>(&self, id: KeyId, look: impl FnOnce(&Declared) -> R) -> Option<R> {
        if let Some(declared) = self.table.agent_declared(id) {
            return Some(look(declared));
        }
        let rest = self.rest.get()?;
        if let Some(local) = self.local(rest, id) {
            return Some(look(&local.declared));
        }
        rest.own.borrow().declared.get(&id).map(look)
    }

    pub(super) fn is_declared(&self, id: KeyId) -> bool {
        self.with_declared(id, |_| ()).is_some()
    }

    /// Returns whether a key, as its slot is numbered in a tree, can hold a value.
    pub(crate) fn can_put(&self, id: KeyId, value: &Value) -> Result<(), KeyError> {
        self.check(self.absolute_id(id), value)
    }

    /// Returns whether a key can hold a value.
    pub(super) fn check(&self, id: KeyId, value: &Value) -> Result<(), KeyError> {
        let checked = self.with_declared(id, |declared| {
            let checked = declared.ty.check(value);
            checked.map_err(|why| {
                let key = self.name(id).unwrap_or_default();
                KeyError::declared(&key, &declared.ty, value, &why)
            })
        });
        checked.unwrap_or(Ok(()))
    }

    /// Shares the keys that are declared global. What the shared board holds is seen at once;
    /// what it lacks it gets from here.
    pub fn share(&self, shared: &SharedBoard) {
        self.flags.set(Flags::DECLARED | Flags::SHARING);
        let sharing = &self.rest().sharing;
        sharing.seen.set(0);
        sharing.board.replace(Some(shared.clone()));
        sharing.following.take();
        for id in self.global() {
            let Some(name) = self.name(id) else { continue };
            if !shared.has(&name)
                && let Some(value) = self.read(id)
            {
                let value = value.clone();
                // Another agent may have set it since: that one counts.
                shared.update(&name, |there| {
                    there.get_or_insert(value);
                });
            }
        }
        self.refresh();
    }

    /// The agent's keys that are declared global.
    pub(super) fn global(&self) -> Vec<KeyId> {
        let own = self.rest.get().map(|rest| rest.own.borrow());
        let own = own.iter().flat_map(|own| &own.declared);
        let own = own.map(|(id, declared)| (*id, declared));
        let declared = self.table.all_declared().chain(own);
        let global = declared.filter(|(_, declared)| declared.global);
        global.map(|(id, _)| id).collect()
    }

    /// The shared board, if the key is global.
    pub(super) fn shared(&self, id: KeyId) -> Option<SharedBoard> {
        let shared = self.rest.get()?.sharing.board.borrow();
        let shared = shared.as_ref()?;
        let global = self.with_declared(id, |declared| declared.global);
        (global == Some(true)).then(|| shared.clone())
    }

    /// Has each change of a shared key wake somebody, unless they wake somebody already.
    pub(crate) fn wake_by(&self, waker: &dyn Fn() -> Waker) {
        if self.flags.any(Flags::SHARING)
            && let Some(rest) = self.rest.get()
            && let Some(board) = &*rest.sharing.board.borrow()
        {
            let mut following = rest.sharing.following.borrow_mut();
            following.get_or_insert_with(|| {
                let keys = self.global().into_iter();
                board.follow(keys.filter_map(|id| self.name(id)), waker())
            });
        }
    }

    /// Has changes of shared keys wake nobody.
    pub(crate) fn wake_nobody(&self) {
        if let Some(rest) = self.rest.get() {
            rest.sharing.following.take();
        }
    }

    /// Takes in what other agents wrote to the keys that are declared global. A runner does so at
    /// the start of each poll.
    #[inline]
    pub fn refresh(&self) {
        if self.flags.any(Flags::SHARING) {
            self.take_in();
        }
    }

    #[cold]
    fn take_in(&self) {
        for (id, value) in self.news() {
            self.store(id, value);
        }
    }

    /// Returns true if others wrote to the shared board, or a key that is observed has changed.
    #[inline]
    pub(crate) fn has_news(&self) -> bool {
        self.flags.any(Flags::SHARING | Flags::STIRRED)
            && (self.has_pending_changes() || self.is_behind())
    }

    #[cold]
    fn is_behind(&self) -> bool {
        self.rest.get().is_some_and(|rest| {
            let shared = rest.sharing.board.borrow();
            let shared = shared.as_ref();
            shared.is_some_and(|shared| shared.version() != rest.sharing.seen.get())
        })
    }

    /// The writes of others to the global keys since the last call.
    fn news(&self) -> Vec<(KeyId, Option<Value>)> {
        let Some(rest) = self.rest.get() else {
            return Vec::new();
        };
        let shared = rest.sharing.board.borrow();
        let seen = &rest.sharing.seen;
        let Some(shared) = shared.as_ref().filter(|it| it.version() != seen.get()) else {
            return Vec::new();
        };
        let global = self.global().into_iter();
        let named = global.filter_map(|id| Some((id, self.name(id)?)));
        let (version, news) = shared.since(seen.get(), named);
        seen.set(version);
        news
    }
}
