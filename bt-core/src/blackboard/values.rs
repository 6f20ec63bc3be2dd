//! Reading and writing by name.

use std::cell::Ref;
use std::collections::BTreeMap;
use std::convert::Infallible;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Blackboard, Flags, KeyError, KeyId, SharedBoard};
use crate::decode::{decode, encode};

/// The number of values that may be inside one another in what is set from JSON: what is deeper no reader of
/// JSON takes, and values are copied by recursion.
const DEEPEST: usize = 128;

/// Returns true if a value is no deeper than that.
fn fits(value: &Value) -> bool {
    let mut next = vec![(1, value)];
    while let Some((depth, value)) = next.pop() {
        if depth > DEEPEST {
            return false;
        }
        match value {
            Value::Array(items) => next.extend(items.iter().map(|item| (depth + 1, item))),
            Value::Object(map) => next.extend(map.values().map(|item| (depth + 1, item))),
            _ => {}
        }
    }
    true
}

impl Blackboard {
    /// The value of `key`, on loan; none if it is unset.
    ///
    /// Until the loan is dropped, writes to that key wait.
    pub fn lend(&self, key: &str) -> Option<Ref<'_, Value>> {
        self.recorded(key);
        self.read(self.find(key)?)
    }

    /// The value of `key` on loan, for who only looks: where reads are noted it is none.
    pub(crate) fn peek(&self, key: &str) -> Option<Ref<'_, Value>> {
        self.read(self.find(key)?)
    }

    /// Notes a read where reads are noted.
    #[inline]
    fn recorded(&self, key: &str) {
        if self.flags.any(Flags::RECORDING) {
            self.note_read(key);
        }
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
        let value = self.lend(key).ok_or_else(|| self.unset(key))?;
        decode(&value).map_err(|why| KeyError::holds(key, &value, &why))
    }

    /// Names the nearest of the keys that are set or declared.
    #[cold]
    fn unset(&self, key: &str) -> KeyError {
        let own = self.rest.get().map(|rest| rest.own.borrow());
        let own = own.iter().flat_map(|own| &own.names);
        let agent = self.table.agent_keys().iter().chain(own);
        let there = agent.filter(|(_, id)| self.read(**id).is_some() || self.is_declared(**id));
        let locals = self.table.locals_seen(self.scope.get());
        let names = there.map(|(name, _)| &**name).chain(locals);
        KeyError::unset(key, names.filter(|name| *name != key))
    }

    /// Returns true if `key` is set; `null` is a value.
    pub fn has(&self, key: &str) -> bool {
        self.lend(key).is_some()
    }

    /// Returns true if there is a key of that name: declared, named by a tree, or set before.
    /// [`set`](Blackboard::set) makes one of any other name, which a debugger may not want.
    pub fn knows(&self, key: &str) -> bool {
        self.find(key).is_some()
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
        self.check(id, &value)?;
        self.put_checked(id, Some(value));
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
    /// once, unless it is what was there, with what it answers given back. For a key that is shared
    /// this is one step that no other agent comes between.
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
        let answer = self.try_update(key, |value| Ok::<_, Infallible>(change(value)));
        match answer {
            Ok(answer) => answer,
            Err(never) => match never {},
        }
    }

    /// The same where `change` may refuse: then nothing is written.
    ///
    /// # Errors
    /// Those of `change`.
    pub fn try_update<R, E>(
        &self,
        key: &str,
        change: impl FnOnce(&mut Option<Value>) -> Result<R, E>,
    ) -> Result<R, E> {
        self.recorded(key);
        let id = self.intern(key);
        if let Some(shared) = self.shared(id) {
            return self.update_shared(&shared, id, key, change);
        }
        let waiting = || self.rest.get().and_then(|rest| rest.writes.waiting(id));
        let mut value = match waiting() {
            Some(value) => value,
            None => self.read(id).map(|value| value.clone()),
        };
        let answer = change(&mut value)?;
        let is_same = match waiting() {
            Some(waiting) => waiting == value,
            None => self.read(id).as_deref() == value.as_ref(),
        };
        if !is_same {
            self.put(id, value);
        }
        Ok(answer)
    }

    fn update_shared<R, E>(
        &self,
        shared: &SharedBoard,
        id: KeyId,
        key: &str,
        change: impl FnOnce(&mut Option<Value>) -> Result<R, E>,
    ) -> Result<R, E> {
        let mut refused = None;
        let mut written = None;
        // In a round of a pool what others write is not seen before the round is over.
        let seen = || self.read(id).map(|value| value.clone());
        let answer = shared.update_seen(key, seen, |value| {
            let old = value.clone();
            let answer = change(value);
            let checked = value.as_ref().map_or(Ok(()), |value| self.check(id, value));
            refused = checked.err().filter(|_| answer.is_ok());
            // What is refused is not shared either.
            if answer.is_err() || refused.is_some() {
                *value = old;
            } else if *value != old {
                written = Some(value.clone());
            }
            answer
        });
        // Here only: between the two another agent may have written.
        if let Some(value) = written {
            self.store(id, value);
        }
        if let Some(why) = refused {
            self.refuse(why);
        }
        answer
    }

    /// Returns true if `key` can hold a value, by its declared type.
    pub(crate) fn can_hold(&self, key: &str, value: &Value) -> bool {
        self.check(self.intern(key), value).is_ok()
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
            if self.shared(id).is_none() && self.read(id).is_some() {
                self.put(id, None);
            }
        }
    }

    /// Shows each of the agent's keys that is set and its value, sorted by key.
    pub fn for_each(&self, mut show: impl FnMut(&str, &Value)) {
        let own = self.rest.get().map(|rest| rest.own.borrow());
        let own = own.iter().flat_map(|own| &own.names);
        let names: BTreeMap<_, _> = self.table.agent_keys().iter().chain(own).collect();
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
    /// [`KeyError`]s of all values that are not of their keys' declared types, or deeper than a
    /// reader of JSON takes; the others are set. For anything but an object there is one, about no
    /// key.
    pub fn set_all(&self, json: &Value) -> Result<(), Vec<KeyError>> {
        let too_deep = || format!("has more than {DEEPEST} values inside one another");
        let mut refused = Vec::new();
        let map: BTreeMap<String, Value> = match json {
            Value::Object(map) => {
                let (fine, deep): (Vec<_>, _) = map.iter().partition(|(_, value)| fits(value));
                let deep = deep
                    .iter()
                    .map(|(key, _)| KeyError::cannot_hold(key, &too_deep()));
                refused.extend(deep);
                let fine = fine.into_iter();
                fine.map(|(key, value)| (key.clone(), value.clone()))
                    .collect()
            }
            _ if !fits(json) => return Err(vec![KeyError::no_keys(&too_deep())]),
            _ => decode(json).map_err(|why| vec![KeyError::no_keys(&why)])?,
        };
        for (key, value) in map {
            refused.extend(self.try_set(&key, value).err());
        }
        if refused.is_empty() {
            Ok(())
        } else {
            Err(refused)
        }
    }
}
