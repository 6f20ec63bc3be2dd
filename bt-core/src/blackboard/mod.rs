//! The blackboard: named JSON values that the leaves of a tree share.

mod error;
mod keys;
mod marks;
mod shared;
mod slots;
#[cfg(test)]
mod tests;
mod types;

use std::cell::{Cell, Ref, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call::{CallError, decode, encode};
pub use error::KeyError;
use keys::LOCAL;
pub use keys::{Declaration, KeyId, KeyTable, Keys, Scope};
pub use marks::KeyChange;
use marks::Marks;
pub use shared::SharedBoard;
use slots::Slots;
pub(crate) use slots::{Held, Slot, decoded};
pub use types::{TypeError, ValueType};

/// An agent's memory: string keys, JSON values.
///
/// A key is interned to a slot once. A slot never moves, so an action can hold a value on loan and
/// the [`Context`](crate::Context) at once; a write to a slot that is on loan takes effect when
/// the call that holds the loan returns.
///
/// ```
/// use bt_core::Blackboard;
///
/// let board = Blackboard::new();
/// board.set("hp", 7);
/// assert_eq!(board.get("hp"), 7);
/// assert_eq!(board.get_as::<u8>("hp").unwrap(), 7);
/// assert_eq!(board.get("mana"), serde_json::Value::Null);
/// assert!(board.get_as::<u8>("mana").is_err());
/// ```
///
/// Keys may be [declared](Blackboard::declare) with a type. A write of another type is refused:
/// [`try_set`](Blackboard::try_set) says so at once; after [`set`](Blackboard::set) the call that
/// made it ends as an error.
#[derive(Default)]
pub struct Blackboard {
    slots: Slots,
    /// The keys of the trees, which all agents' blackboards share.
    table: Arc<KeyTable>,
    /// The keys that came later.
    own: RefCell<Own>,
    /// Where names are looked up from, and the frame of that tree.
    scope: Cell<Scope>,
    frame: Cell<u32>,
    /// Frames that were closed, to be used again: their lengths and first slots.
    closed: RefCell<Vec<(u32, u32)>>,
    /// What is to be done at the end of a call.
    unsettled: Cell<bool>,
    /// Writes to slots that were on loan, in order.
    late: RefCell<Vec<(KeyId, Option<Value>)>>,
    /// Writes that were refused.
    refused: RefCell<Vec<KeyError>>,
    /// Those that no call made.
    aside: RefCell<Vec<KeyError>>,
    /// Why the arguments of the call that is being made cannot be.
    error: Cell<Option<CallError>>,
    /// The reason that the last failed call gave.
    failure: Cell<Option<String>>,
    marks: Marks,
}

#[derive(Default)]
struct Own {
    names: BTreeMap<Arc<str>, KeyId>,
    by_slot: BTreeMap<KeyId, Arc<str>>,
}

impl Default for Scope {
    fn default() -> Scope {
        Scope::AGENT
    }
}

/// The slots of one running tree's own keys, from [`Blackboard::open`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeFrame {
    first: u32,
    len: u32,
}

impl Blackboard {
    /// An empty blackboard.
    pub fn new() -> Blackboard {
        Blackboard::default()
    }

    /// A blackboard with the keys of a table; those that are declared with an initial value hold
    /// it.
    pub fn with_keys(table: Arc<KeyTable>) -> Blackboard {
        let board = Blackboard {
            slots: Slots::with(table.names().len() as u32),
            table,
            ..Blackboard::default()
        };
        for (id, declared) in board.table.agent_declared() {
            board.marks.declare(*id, declared.clone());
        }
        board.set_initial();
        board
    }

    /// Sets the declared keys that are unset to their initial values.
    pub fn set_initial(&self) {
        for (id, initial) in self.marks.initial() {
            if self.read(id).is_none() {
                self.put(id, Some(initial));
            }
        }
    }

    /// Declares one of the agent's keys: a type, and what it holds if it is unset.
    ///
    /// # Errors
    /// [`KeyError`] if what the key holds, or the initial value, is not of the type, or if the key
    /// is declared otherwise already.
    pub fn declare(&self, key: Declaration) -> Result<(), KeyError> {
        let declared = keys::Declared {
            ty: key.ty,
            initial: key.initial,
            global: key.global,
        };
        let id = self.agent_key(&key.key);
        let held = self.read(id);
        let held = held.as_deref();
        for value in held.into_iter().chain(&declared.initial) {
            declared.check(&key.key, value)?;
        }
        let is_unset = held.is_none();
        let initial = declared.initial.clone();
        self.marks.redeclare(id, &key.key, declared)?;
        if let Some(initial) = initial.filter(|_| is_unset) {
            self.put(id, Some(initial));
        }
        Ok(())
    }

    /// Shares the keys that are declared global. What the shared board holds is seen at once;
    /// what it lacks it gets from here.
    pub fn share(&self, shared: &SharedBoard) {
        self.marks.share(shared);
        for id in self.marks.global() {
            let Some(name) = self.name(id) else { continue };
            if !shared.has(&name)
                && let Some(value) = self.read(id)
            {
                shared.set(&name, value.clone());
            }
        }
        self.refresh();
    }

    /// Takes in what other agents wrote to the keys that are declared global. A runner does so at
    /// the start of each poll.
    pub fn refresh(&self) {
        let news = self.marks.news(|id| self.name(id));
        for (id, value) in news {
            self.store(id, value);
        }
    }

    /// The slot of `key`, made if there is none yet; the key stays unset until it is written.
    ///
    /// # Panics
    /// With more than 2^27 keys on one blackboard.
    pub fn intern(&self, key: &str) -> KeyId {
        match self.find(key) {
            Some(id) => id,
            None => self.agent_key(key),
        }
    }

    fn agent_key(&self, key: &str) -> KeyId {
        if let Some(id) = self.table.agent_keys().get(key) {
            return *id;
        }
        let mut own = self.own.borrow_mut();
        if let Some(id) = own.names.get(key) {
            return *id;
        }
        let id = KeyId(self.slots.add(1));
        let name: Arc<str> = key.into();
        own.names.insert(name.clone(), id);
        own.by_slot.insert(id, name);
        id
    }

    fn find(&self, key: &str) -> Option<KeyId> {
        if let Some(id) = self.table.find(self.scope.get(), key) {
            return Some(self.absolute(id));
        }
        self.own.borrow().names.get(key).copied()
    }

    fn name(&self, id: KeyId) -> Option<Arc<str>> {
        let name = self.table.names().get(id.0 as usize);
        name.cloned()
            .or_else(|| self.own.borrow().by_slot.get(&id).cloned())
            .or_else(|| self.marks.local_name(id))
    }

    /// The slot of a key that may be a place in the frame.
    #[inline]
    fn absolute(&self, id: KeyId) -> KeyId {
        if id.0 & LOCAL == 0 {
            id
        } else {
            KeyId((id.0 & !LOCAL) + self.frame.get())
        }
    }

    pub(crate) fn slot(&self, id: KeyId) -> Option<&Slot> {
        self.slots.get(self.absolute(id).0)
    }

    /// The slot of a key that is one of the first, as nearly all are; one in a frame is none.
    #[inline]
    pub(crate) fn near_slot(&self, id: KeyId) -> Option<&Slot> {
        self.slots.near(id.0)
    }

    #[inline]
    fn read(&self, id: KeyId) -> Option<Ref<'_, Value>> {
        Ref::filter_map(self.slot(id)?.borrow(), Held::value).ok()
    }

    /// The value of `key`, on loan; none if it is unset.
    ///
    /// Until the loan is dropped, writes to that key wait.
    pub fn lend(&self, key: &str) -> Option<Ref<'_, Value>> {
        self.read(self.find(key)?)
    }

    /// A copy of the value of `key`; `null` if it is unset.
    pub fn get(&self, key: &str) -> Value {
        self.lend(key)
            .map_or(Value::Null, |value| Value::clone(&value))
    }

    /// A copy of the value of `key`; `default` if it is unset.
    pub fn get_or(&self, key: &str, default: impl Into<Value>) -> Value {
        match self.lend(key) {
            Some(value) => Value::clone(&value),
            None => default.into(),
        }
    }

    /// The value of `key` as a `T`.
    ///
    /// # Errors
    /// [`KeyError`] if the key is unset or its value is not a `T`.
    pub fn get_as<T: DeserializeOwned + 'static>(&self, key: &str) -> Result<T, KeyError> {
        let value = self.lend(key).ok_or_else(|| KeyError::unset(key))?;
        decode(&value).map_err(|why| KeyError::holds(key, &value, &why))
    }

    /// Whether `key` is set; `null` is a value.
    pub fn has(&self, key: &str) -> bool {
        self.lend(key).is_some()
    }

    /// Sets `key`, made if there is none yet.
    ///
    /// A value that is not of the key's declared type is not written, and the call that does so is
    /// an error; outside of calls, use [`try_set`](Blackboard::try_set). A float that is not finite
    /// is `null` before it gets here; [`set_as`](Blackboard::set_as) refuses one.
    pub fn set(&self, key: &str, value: impl Into<Value>) {
        self.put(self.intern(key), Some(value.into()));
    }

    /// Sets `key`, made if there is none yet.
    ///
    /// # Errors
    /// [`KeyError`] if `value` is not of the key's declared type.
    pub fn try_set(&self, key: &str, value: impl Into<Value>) -> Result<(), KeyError> {
        let (id, value) = (self.intern(key), value.into());
        self.marks.check(id, key, &value)?;
        self.put(id, Some(value));
        Ok(())
    }

    /// Sets `key` to any value that serialises.
    ///
    /// # Errors
    /// [`KeyError`] if `value` has no JSON form, such as a map with keys that are no strings or a
    /// number that is not finite, or is not of the key's declared type.
    pub fn set_as<T: Serialize>(&self, key: &str, value: &T) -> Result<(), KeyError> {
        let value = encode(value).map_err(|why| KeyError::cannot_hold(key, &why))?;
        self.try_set(key, value)
    }

    /// Changes the value of `key` in place; none is an unset key. What `change` leaves is written
    /// once, with what it answers given back. For a key that is shared this is one step that no
    /// other agent comes between.
    ///
    /// ```
    /// use bt_core::Blackboard;
    ///
    /// let board = Blackboard::new();
    /// let was = board.update("shots", |shots| {
    ///     let was = shots.as_ref().and_then(|shots| shots.as_u64()).unwrap_or(0);
    ///     *shots = Some((was + 1).into());
    ///     was
    /// });
    /// assert_eq!((was, board.get("shots")), (0, 1.into()));
    /// ```
    pub fn update<R>(&self, key: &str, change: impl FnOnce(&mut Option<Value>) -> R) -> R {
        let id = self.intern(key);
        if let Some(shared) = self.marks.shared(id) {
            return self.update_shared(&shared, id, key, change);
        }
        let late = self.late.borrow();
        let waiting = late.iter().rev().find(|(late, _)| *late == id);
        let mut value = match waiting {
            Some((_, value)) => value.clone(),
            None => self.read(id).map(|value| value.clone()),
        };
        drop(late);
        let answer = change(&mut value);
        self.put(id, value);
        answer
    }

    fn update_shared<R>(
        &self,
        shared: &SharedBoard,
        id: KeyId,
        key: &str,
        change: impl FnOnce(&mut Option<Value>) -> R,
    ) -> R {
        let mut refused = None;
        let mut kept = None;
        let answer = shared.update(key, |value| {
            let old = value.clone();
            let answer = change(value);
            refused = value.as_ref().and_then(|value| {
                let checked = self.marks.check(id, key, value);
                checked.err()
            });
            // What is refused is not shared either.
            if refused.is_some() {
                *value = old;
            }
            kept = value.clone();
            answer
        });
        // Here only: between the two another agent may have written.
        self.store(id, kept);
        if let Some(why) = refused {
            self.refuse(why);
        }
        answer
    }

    /// Unsets `key`; whether it was set.
    pub fn remove(&self, key: &str) -> bool {
        match self.find(key) {
            Some(id) if self.read(id).is_some() => {
                self.put(id, None);
                true
            }
            _ => false,
        }
    }

    /// Unsets every key of the agent's own; those that are shared, and those of running trees,
    /// stay.
    pub fn clear(&self) {
        for id in self.agent_ids() {
            if self.marks.shared(id).is_none() && self.read(id).is_some() {
                self.put(id, None);
            }
        }
    }

    fn agent_ids(&self) -> Vec<KeyId> {
        let own = self.own.borrow();
        let table = self.table.agent_keys().values();
        table.chain(own.names.values()).copied().collect()
    }

    /// Shows each of the agent's keys that is set and its value, sorted by key.
    pub fn for_each(&self, mut show: impl FnMut(&str, &Value)) {
        let own = self.own.borrow();
        let names: BTreeMap<_, _> = self.table.agent_keys().iter().chain(&own.names).collect();
        for (name, id) in names {
            if let Some(value) = self.read(*id) {
                show(name, &value);
            }
        }
    }

    /// The agent's keys that are set and their values, sorted by key.
    pub fn to_map(&self) -> BTreeMap<String, Value> {
        let mut map = BTreeMap::new();
        self.for_each(|key, value| {
            map.insert(key.to_owned(), value.clone());
        });
        map
    }

    /// The agent's keys that are set, as one JSON object.
    pub fn to_json(&self) -> Value {
        self.to_map()
            .into_iter()
            .collect::<serde_json::Map<_, _>>()
            .into()
    }

    /// Sets all keys of a JSON object (or of an array of `[key, value]` pairs).
    ///
    /// # Errors
    /// [`KeyError`]s of all values that are not of their keys' declared types; the others are
    /// set. For anything but an object there is one, about no key.
    pub fn set_all(&self, json: &Value) -> Result<(), Vec<KeyError>> {
        let map: BTreeMap<String, Value> =
            decode(json).map_err(|why| vec![KeyError::no_keys(&why)])?;
        let mut refused = Vec::new();
        for (key, value) in map {
            refused.extend(self.try_set(&key, value).err());
        }
        if refused.is_empty() {
            Ok(())
        } else {
            Err(refused)
        }
    }

    /// Notes when the value of `key` changes, for [`take_changes`](Blackboard::take_changes).
    pub fn watch(&self, key: &str) {
        self.marks.watch(self.intern(key));
    }

    /// Notes no longer when the value of `key` changes.
    pub fn unwatch(&self, key: &str) {
        if let Some(id) = self.find(key) {
            self.marks.unwatch(id);
        }
    }

    /// The watched keys whose values have changed since this was asked last, each once, in the
    /// order of their first changes.
    pub fn take_changes(&self) -> Vec<KeyChange> {
        let changed = self.marks.take_changed();
        let change = |id| {
            let key = self.name(id)?;
            let value = self.read(id).map(|value| value.clone());
            Some(KeyChange { key, value })
        };
        changed.into_iter().filter_map(change).collect()
    }

    /// Gives a tree that begins its own keys, with their initial values. They are seen once the
    /// frame is [entered](Blackboard::enter).
    pub fn open(&self, tree: Scope) -> TreeFrame {
        let locals = self.table.locals(tree);
        let len = locals.len() as u32;
        let mut closed = self.closed.borrow_mut();
        let first = match closed.iter().position(|frame| frame.0 == len) {
            Some(at) => closed.swap_remove(at).1,
            None => self.slots.add(len),
        };
        drop(closed);
        for (at, local) in locals.iter().enumerate() {
            let id = KeyId(first + at as u32);
            self.marks.local(id, local);
            self.put(id, local.declared.initial.clone());
        }
        TreeFrame { first, len }
    }

    /// Takes names from a scope on, and its keys from a frame that was opened for its tree. Gives
    /// what was so before, to be entered again.
    pub fn enter(&self, frame: TreeFrame, scope: Scope) -> (TreeFrame, Scope) {
        let before = TreeFrame {
            first: self.frame.replace(frame.first),
            len: self.table.locals(self.scope.get()).len() as u32,
        };
        (before, self.scope.replace(scope))
    }

    /// Ends a tree: its own keys are gone.
    pub fn close(&self, frame: TreeFrame) {
        for at in 0..frame.len {
            self.put(KeyId(frame.first + at), None);
        }
        self.closed.borrow_mut().push((frame.len, frame.first));
    }

    /// Writes a key, as far as its declaration, its watchers and its loans allow.
    pub(crate) fn put(&self, id: KeyId, value: Option<Value>) {
        let id = self.absolute(id);
        if self.marks.any() {
            self.put_marked(id, value);
        } else {
            self.store(id, value);
        }
    }

    #[inline(never)]
    fn put_marked(&self, id: KeyId, value: Option<Value>) {
        if let Some(value) = &value
            && self.marks.is_declared(id)
            && let Some(name) = self.name(id)
            && let Err(why) = self.marks.check(id, &name, value)
        {
            self.refuse(why);
            return;
        }
        if let Some(shared) = self.marks.shared(id)
            && let Some(name) = self.name(id)
        {
            shared.update(&name, |shared| *shared = value.clone());
        }
        self.store(id, value);
    }

    /// Writes a key here.
    fn store(&self, id: KeyId, value: Option<Value>) {
        if self.marks.is_watched(id) && self.read(id).as_deref() != value.as_ref() {
            self.marks.changed(id);
        }
        if let Err(value) = self.slots.put(id, value) {
            self.late.borrow_mut().push((id, value));
            self.unsettled.set(true);
        }
    }

    /// Notes a write that cannot be.
    pub(crate) fn refuse(&self, why: KeyError) {
        self.refused.borrow_mut().push(why);
        self.unsettled.set(true);
    }

    /// Notes that a key's new value has no JSON form; it keeps its old one.
    #[cold]
    pub(crate) fn cannot_hold(&self, id: KeyId, why: &dyn fmt::Display) {
        let key = self.name(self.absolute(id)).unwrap_or_default();
        self.refuse(KeyError::cannot_hold(&key, why));
    }

    /// Carries out the writes that waited for the end of a loan.
    #[inline]
    pub(crate) fn settle(&self) {
        if self.unsettled.get() && !self.late.borrow().is_empty() {
            self.settle_late();
        }
    }

    #[cold]
    fn settle_late(&self) {
        for (id, value) in self.late.take() {
            self.store(id, value);
        }
        let waiting = !self.late.borrow().is_empty() || !self.refused.borrow().is_empty();
        self.unsettled.set(waiting);
    }

    /// The writes that were refused, and are no call's, since this was asked last.
    pub(crate) fn take_refused(&self) -> Vec<KeyError> {
        self.set_aside();
        self.aside.take()
    }

    /// Keeps why an argument cannot be read, in place of its value.
    #[cold]
    pub(crate) fn keep_error<T>(&self, error: CallError) -> Option<T> {
        self.error.set(Some(error));
        None
    }

    #[cold]
    pub(crate) fn take_error(&self) -> Option<CallError> {
        self.error.take()
    }

    /// Keeps the reason that a failed call gave.
    pub(crate) fn set_failure(&self, why: Option<String>) {
        self.failure.set(why);
    }

    pub(crate) fn take_failure(&self) -> Option<String> {
        self.failure.take()
    }

    /// Leaves writes that were refused before a call to whoever asks for them: they are none of
    /// its own.
    #[inline]
    pub(crate) fn set_aside(&self) {
        if self.unsettled.get() {
            self.aside.borrow_mut().extend(self.refused.take());
        }
    }

    /// Carries out the writes that waited for the end of a call; none, and an error kept, if it
    /// wrote what its keys cannot hold.
    #[inline]
    pub(crate) fn settle_writes(&self) -> Option<()> {
        if self.unsettled.get() {
            self.settle_late_writes()
        } else {
            Some(())
        }
    }

    #[cold]
    fn settle_late_writes(&self) -> Option<()> {
        let refused = self.refused.take();
        self.settle_late();
        if refused.is_empty() {
            Some(())
        } else {
            self.keep_error(CallError::writes(&refused))
        }
    }
}

impl Keys for &Blackboard {
    fn intern(&mut self, key: &str) -> KeyId {
        Blackboard::intern(self, key)
    }

    fn anonymous(&mut self) -> KeyId {
        KeyId(self.slots.add(1))
    }
}

impl Serialize for Blackboard {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_map().serialize(serializer)
    }
}

impl fmt::Debug for Blackboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.to_map()).finish()
    }
}
