//! The blackboard: named JSON values that the leaves of a tree share.

use std::cell::{Cell, OnceCell, Ref, RefCell};
use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Where a key's value is: the number of its slot on one [`Blackboard`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(u32);

type Slot = RefCell<Option<Value>>;

/// The first chunk's slots; each further chunk has twice as many as all before it.
const FIRST: usize = 8;

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
#[derive(Default)]
pub struct Blackboard {
    index: RefCell<BTreeMap<String, KeyId>>,
    chunks: [OnceCell<Box<[Slot]>>; 24],
    count: Cell<u32>,
    // Writes to slots that were on loan, in order.
    late: RefCell<Vec<(KeyId, Option<Value>)>>,
}

impl Blackboard {
    /// An empty blackboard.
    pub fn new() -> Blackboard {
        Blackboard::default()
    }

    /// The slot of `key`, made if there is none yet; the key stays unset until it is written.
    ///
    /// # Panics
    /// With 134,217,728 keys on one blackboard.
    pub fn intern(&self, key: &str) -> KeyId {
        if let Some(id) = self.index.borrow().get(key) {
            return *id;
        }
        let id = KeyId(self.count.get());
        let (chunk, _) = place(id);
        self.chunks[chunk].get_or_init(|| {
            let len = if chunk == 0 {
                FIRST
            } else {
                FIRST << (chunk - 1)
            };
            (0..len).map(|_| Slot::default()).collect()
        });
        self.count.set(id.0 + 1);
        self.index.borrow_mut().insert(key.to_owned(), id);
        id
    }

    pub(crate) fn slot(&self, id: KeyId) -> Option<&Slot> {
        let (chunk, at) = place(id);
        self.chunks.get(chunk)?.get()?.get(at)
    }

    fn known(&self, key: &str) -> Option<&Slot> {
        let id = *self.index.borrow().get(key)?;
        self.slot(id)
    }

    /// The value of `key`, on loan; none if it is unset.
    ///
    /// Until the loan is dropped, writes to that key wait.
    pub fn lend(&self, key: &str) -> Option<Ref<'_, Value>> {
        Ref::filter_map(self.known(key)?.borrow(), Option::as_ref).ok()
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
    pub fn get_as<T: DeserializeOwned>(&self, key: &str) -> Result<T, KeyError> {
        let value = self
            .lend(key)
            .ok_or_else(|| KeyError::new(key, "is not set".to_owned()))?;
        T::deserialize(&*value).map_err(|why| KeyError::new(key, format!("holds {value}: {why}")))
    }

    /// Whether `key` is set; `null` is a value.
    pub fn has(&self, key: &str) -> bool {
        self.lend(key).is_some()
    }

    /// Sets `key`, made if there is none yet.
    pub fn set(&self, key: &str, value: impl Into<Value>) {
        self.put(self.intern(key), Some(value.into()));
    }

    /// Sets `key` to any value that serialises.
    ///
    /// # Errors
    /// [`KeyError`] if `value` has no JSON form, such as a map with keys that are no strings.
    pub fn set_as<T: Serialize>(&self, key: &str, value: &T) -> Result<(), KeyError> {
        let value = serde_json::to_value(value)
            .map_err(|why| KeyError::new(key, format!("cannot hold this value: {why}")))?;
        self.set(key, value);
        Ok(())
    }

    /// Changes the value of `key` in place; none is an unset key. What `change` leaves is written
    /// once, with what it answers given back.
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
        let mut value = self.slot(id).and_then(|slot| slot.borrow().clone());
        let answer = change(&mut value);
        self.put(id, value);
        answer
    }

    /// Unsets `key`; whether it was set.
    pub fn remove(&self, key: &str) -> bool {
        let was = self.has(key);
        if was {
            self.put(self.intern(key), None);
        }
        was
    }

    /// Unsets every key.
    pub fn clear(&self) {
        for id in 0..self.count.get() {
            self.put(KeyId(id), None);
        }
    }

    /// The keys that are set and their values, sorted by key.
    pub fn to_map(&self) -> BTreeMap<String, Value> {
        let index = self.index.borrow();
        let set = |id: &KeyId| self.slot(*id).and_then(|slot| slot.borrow().clone());
        index
            .iter()
            .filter_map(|(key, id)| Some((key.clone(), set(id)?)))
            .collect()
    }

    pub(crate) fn put(&self, id: KeyId, value: Option<Value>) {
        let Some(slot) = self.slot(id) else { return };
        match slot.try_borrow_mut() {
            Ok(mut slot) => *slot = value,
            Err(_) => self.late.borrow_mut().push((id, value)),
        }
    }

    /// Carries out the writes that waited for the end of a loan.
    pub(crate) fn settle(&self) {
        if self.late.borrow().is_empty() {
            return;
        }
        for (id, value) in self.late.take() {
            self.put(id, value);
        }
    }
}

/// The chunk of a slot, and its place there.
fn place(id: KeyId) -> (usize, usize) {
    let n = id.0 as usize;
    if n < FIRST {
        return (0, n);
    }
    let chunk = (n / FIRST).ilog2() as usize + 1;
    (chunk, n - (FIRST << (chunk - 1)))
}

impl fmt::Debug for Blackboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.to_map()).finish()
    }
}

/// A key that is unset, or holds a value of another type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyError {
    key: String,
    problem: String,
}

impl KeyError {
    fn new(key: &str, problem: String) -> KeyError {
        KeyError {
            key: key.to_owned(),
            problem,
        }
    }

    /// The key in question.
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "blackboard key `{}` {}", self.key, self.problem)
    }
}

impl std::error::Error for KeyError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_keep_their_place_while_keys_are_added() {
        let board = Blackboard::new();
        for n in 0..1000u32 {
            board.set(&format!("k{n}"), n);
        }
        let loan = board.lend("k999").unwrap();
        for n in 1000..5000u32 {
            board.set(&format!("k{n}"), n);
        }
        assert_eq!(*loan, 999);
        drop(loan);
        for n in 0..5000u32 {
            assert_eq!(board.get(&format!("k{n}")), n);
        }
    }

    #[test]
    fn a_write_to_a_key_on_loan_waits_for_the_end_of_the_loan() {
        let board = Blackboard::new();
        board.set("hp", 1);
        let loan = board.lend("hp").unwrap();
        board.set("hp", 2);
        assert_eq!(*loan, 1);
        drop(loan);
        board.settle();
        assert_eq!(board.get("hp"), 2);
    }

    #[test]
    fn a_removed_key_is_unset_and_null_is_a_value() {
        let board = Blackboard::new();
        board.set("hp", Value::Null);
        assert!(board.has("hp"));
        assert!(board.remove("hp"));
        assert!(!board.remove("hp"));
        assert_eq!(board.to_map().len(), 0);
    }

    #[test]
    fn a_typed_read_says_what_the_key_holds() {
        let board = Blackboard::new();
        board.set("hp", "many");
        let error = board.get_as::<u8>("hp").unwrap_err().to_string();
        assert!(error.contains("`hp` holds \"many\""), "{error}");
    }
}
