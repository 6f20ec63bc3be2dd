//! What is said of single keys: their types, who shares and who watches them.
//!
//! Most keys have nothing said of them, so this is beside the slots, behind one flag.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::keys::{Declared, Local};
use super::{KeyError, KeyId, SharedBoard};

/// A watched key whose value is another than before.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyChange {
    /// The key.
    pub key: Arc<str>,
    /// What it holds now; none if it is unset.
    pub value: Option<Value>,
}

#[derive(Default)]
pub(super) struct Marks {
    any: Cell<bool>,
    declared: RefCell<BTreeMap<KeyId, Declared>>,
    /// The names of the keys in frames.
    locals: RefCell<BTreeMap<KeyId, Arc<str>>>,
    shared: RefCell<Option<SharedBoard>>,
    /// The number of the last change of the shared board that is known here.
    seen: Cell<u64>,
    /// Whether a change is noted already.
    watched: RefCell<BTreeMap<KeyId, bool>>,
    changed: RefCell<Vec<KeyId>>,
}

impl Marks {
    /// Whether anything is said of any key.
    #[inline]
    pub(super) fn any(&self) -> bool {
        self.any.get()
    }

    pub(super) fn declare(&self, id: KeyId, declared: Declared) {
        self.any.set(true);
        self.declared.borrow_mut().insert(id, declared);
    }

    pub(super) fn redeclare(
        &self,
        id: KeyId,
        key: &str,
        declared: Declared,
    ) -> Result<(), KeyError> {
        if let Some(before) = self.declared.borrow().get(&id)
            && *before != declared
        {
            return Err(KeyError::twice(key, &before.ty, &declared.ty));
        }
        self.declare(id, declared);
        Ok(())
    }

    pub(super) fn local(&self, id: KeyId, local: &Local) {
        self.declare(id, local.declared.clone());
        self.locals.borrow_mut().insert(id, local.name.clone());
    }

    pub(super) fn local_name(&self, id: KeyId) -> Option<Arc<str>> {
        self.locals.borrow().get(&id).cloned()
    }

    /// The keys of the agent that have initial values.
    pub(super) fn initial(&self) -> Vec<(KeyId, Value)> {
        let locals = self.locals.borrow();
        let declared = self.declared.borrow();
        let agents = declared.iter().filter(|(id, _)| !locals.contains_key(id));
        agents
            .filter_map(|(id, declared)| Some((*id, declared.initial.clone()?)))
            .collect()
    }

    pub(super) fn is_declared(&self, id: KeyId) -> bool {
        self.declared.borrow().contains_key(&id)
    }

    pub(super) fn check(&self, id: KeyId, key: &str, value: &Value) -> Result<(), KeyError> {
        match self.declared.borrow().get(&id) {
            Some(declared) => declared.check(key, value),
            None => Ok(()),
        }
    }

    pub(super) fn share(&self, shared: &SharedBoard) {
        self.any.set(true);
        self.seen.set(0);
        *self.shared.borrow_mut() = Some(shared.clone());
    }

    pub(super) fn global(&self) -> Vec<KeyId> {
        let declared = self.declared.borrow();
        let global = declared.iter().filter(|(_, declared)| declared.global);
        global.map(|(id, _)| *id).collect()
    }

    /// The shared board, if the key is global.
    pub(super) fn shared(&self, id: KeyId) -> Option<SharedBoard> {
        if !self.any.get() {
            return None;
        }
        let shared = self.shared.borrow();
        let shared = shared.as_ref()?;
        let is_global = |declared: &Declared| declared.global;
        let global = self.declared.borrow().get(&id).is_some_and(is_global);
        global.then(|| shared.clone())
    }

    /// What others wrote to the global keys since this was asked last.
    pub(super) fn news(
        &self,
        name: impl Fn(KeyId) -> Option<Arc<str>>,
    ) -> Vec<(KeyId, Option<Value>)> {
        let shared = self.shared.borrow();
        let Some(shared) = shared.as_ref() else {
            return Vec::new();
        };
        if shared.version() == self.seen.get() {
            return Vec::new();
        }
        let global = self.global().into_iter();
        let named = global.filter_map(|id| Some((id, name(id)?)));
        let (version, news) = shared.since(self.seen.get(), named);
        self.seen.set(version);
        news
    }

    pub(super) fn watch(&self, id: KeyId) {
        self.any.set(true);
        self.watched.borrow_mut().entry(id).or_insert(false);
    }

    pub(super) fn unwatch(&self, id: KeyId) {
        self.watched.borrow_mut().remove(&id);
        self.changed.borrow_mut().retain(|changed| *changed != id);
    }

    #[inline]
    pub(super) fn is_watched(&self, id: KeyId) -> bool {
        self.any.get() && self.watched.borrow().contains_key(&id)
    }

    pub(super) fn changed(&self, id: KeyId) {
        if let Some(noted) = self.watched.borrow_mut().get_mut(&id)
            && !std::mem::replace(noted, true)
        {
            self.changed.borrow_mut().push(id);
        }
    }

    pub(super) fn take_changed(&self) -> Vec<KeyId> {
        let changed = self.changed.take();
        let mut watched = self.watched.borrow_mut();
        for id in &changed {
            watched.insert(*id, false);
        }
        changed
    }
}
