//! The keys that all agents of a world share.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::task::Waker;

use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::deferred;
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering, lock};

/// A blackboard that agents on all threads share: for the keys that are declared
/// [global](super::Declaration::global).
///
/// Each agent's own blackboard has a copy of those keys, so reading one takes no lock; writing one
/// does, and what others write is seen from the next poll on.
///
/// ```
/// use bt_core::SharedBoard;
///
/// let shared = SharedBoard::new();
/// shared.set("alarm", true);
/// let other = shared.clone();
/// std::thread::spawn(move || other.set("alarm", false)).join().unwrap();
/// assert_eq!(shared.get("alarm"), false);
/// ```
#[derive(Clone, Default)]
pub struct SharedBoard(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// Of the last write.
    version: AtomicU64,
    keys: Mutex<BTreeMap<String, Entry>>,
    followers: Mutex<Followers>,
}

/// Agents that wake when a key changes.
#[derive(Default)]
struct Followers {
    of_keys: FxHashMap<Arc<str>, FxHashMap<u64, Waker>>,
    last: u64,
}

/// Wakes somebody when one of some keys changes, until it is dropped.
pub(super) struct Following {
    board: SharedBoard,
    number: u64,
    keys: Vec<Arc<str>>,
    waker: Waker,
}

/// The value of a key, and the number of its write; none since it was removed.
struct Entry {
    since: u64,
    value: Option<Value>,
}

impl SharedBoard {
    /// An empty one.
    pub fn new() -> SharedBoard {
        SharedBoard::default()
    }

    fn keys(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        lock(&self.0.keys)
    }

    /// A copy of the value of `key`; `null` if it is unset.
    pub fn get(&self, key: &str) -> Value {
        self.value(key).unwrap_or(Value::Null)
    }

    /// Returns true if `key` is set; `null` is a value.
    pub fn has(&self, key: &str) -> bool {
        self.keys()
            .get(key)
            .is_some_and(|entry| entry.value.is_some())
    }

    /// Sets `key`.
    pub fn set(&self, key: &str, value: impl Into<Value>) {
        self.put(key, Some(value.into()));
    }

    /// Sets or unsets `key`.
    pub(super) fn put(&self, key: &str, value: Option<Value>) {
        let (board, name) = (self.clone(), key.to_owned());
        deferred::after_round(move || board.update_now(&name, |there| *there = value));
    }

    /// Unsets `key`; whether it was set.
    pub fn remove(&self, key: &str) -> bool {
        self.update(key, |value| value.take().is_some())
    }

    /// Changes the value of `key` in place, as one step that no other agent comes between; none is
    /// an unset key. Do not call this board inside `change`: it is locked.
    ///
    /// In a round of a [pool](crate::pool::Pool) an agent changes the value that it sees, and what it
    /// changed is written after the round, in the order of the agents' ids. Where several changed a
    /// number, the differences add up; of other values the last counts.
    pub fn update<R>(&self, key: &str, change: impl FnOnce(&mut Option<Value>) -> R) -> R {
        self.update_seen(key, || self.value(key), change)
    }

    /// The same, by somebody who sees another value in a round.
    pub(super) fn update_seen<R>(
        &self,
        key: &str,
        seen: impl FnOnce() -> Option<Value>,
        change: impl FnOnce(&mut Option<Value>) -> R,
    ) -> R {
        if deferred::in_round() {
            return self.update_later(key, seen(), change);
        }
        self.update_now(key, change)
    }

    fn update_now<R>(&self, key: &str, change: impl FnOnce(&mut Option<Value>) -> R) -> R {
        let (answer, is_changed) = self.write(key, change);
        if is_changed {
            self.wake_followers(key);
        }
        answer
    }

    fn update_later<R>(
        &self,
        key: &str,
        seen: Option<Value>,
        change: impl FnOnce(&mut Option<Value>) -> R,
    ) -> R {
        let mut value = seen.clone();
        let answer = change(&mut value);
        if value != seen {
            let (board, key) = (self.clone(), key.to_owned());
            deferred::after_round(move || {
                board.update_now(&key, |there| {
                    *there = merged(there.as_ref(), seen.as_ref(), value);
                });
            });
        }
        answer
    }

    fn value(&self, key: &str) -> Option<Value> {
        self.keys().get(key).and_then(|entry| entry.value.clone())
    }

    /// Changes a value; whether it is another than before.
    fn write<R>(&self, key: &str, change: impl FnOnce(&mut Option<Value>) -> R) -> (R, bool) {
        let mut keys = self.keys();
        let old = keys.get(key).and_then(|entry| entry.value.as_ref());
        let mut value = old.cloned();
        let answer = change(&mut value);
        let is_changed = value.as_ref() != keys.get(key).and_then(|entry| entry.value.as_ref());
        if is_changed {
            let since = self.version() + 1;
            keys.insert(key.to_owned(), Entry { since, value });
            // While the lock is held, so that versions are in the order of the writes.
            self.0.version.store(since, Ordering::Release);
        }
        (answer, is_changed)
    }

    fn followers(&self) -> MutexGuard<'_, Followers> {
        lock(&self.0.followers)
    }

    /// Wakes who follows a key, without a lock.
    fn wake_followers(&self, key: &str) {
        let of_key = self.followers().of_keys.get(key).cloned();
        for waker in of_key.into_iter().flat_map(FxHashMap::into_values) {
            waker.wake();
        }
    }

    /// Has each change of these keys wake somebody.
    pub(super) fn follow(&self, keys: impl Iterator<Item = Arc<str>>, waker: Waker) -> Following {
        let number = {
            let mut followers = self.followers();
            followers.last += 1;
            followers.last
        };
        let mut following = Following {
            board: self.clone(),
            number,
            keys: Vec::new(),
            waker,
        };
        keys.for_each(|key| following.add(key));
        following
    }

    /// The keys that are set and their values, sorted by key.
    pub fn to_map(&self) -> BTreeMap<String, Value> {
        let keys = self.keys();
        let set = keys.iter();
        set.filter_map(|(key, entry)| Some((key.clone(), entry.value.clone()?)))
            .collect()
    }

    /// The number of changes so far.
    #[inline]
    pub(super) fn version(&self) -> u64 {
        self.0.version.load(Ordering::Acquire)
    }

    /// The writes to `keys` since the change of that number, and the number of the last one.
    pub(super) fn since<K>(
        &self,
        seen: u64,
        keys: impl Iterator<Item = (K, Arc<str>)>,
    ) -> (u64, Vec<(K, Option<Value>)>) {
        let map = self.keys();
        let news = keys.filter_map(|(id, key)| {
            let entry = map.get(&*key).filter(|entry| entry.since > seen)?;
            Some((id, entry.value.clone()))
        });
        (self.version(), news.collect())
    }
}

/// The value of a key that holds `there` by now, after somebody changed it from `seen` to `value`.
fn merged(there: Option<&Value>, seen: Option<&Value>, value: Option<Value>) -> Option<Value> {
    if there == seen {
        return value;
    }
    let (Some(there), Some(seen), Some(new)) = (there, seen, &value) else {
        return value;
    };
    let whole = |value: &Value| {
        let signed = value.as_i64().map(i128::from);
        signed.or_else(|| value.as_u64().map(i128::from))
    };
    if let (Some(there), Some(seen), Some(new)) = (whole(there), whole(seen), whole(new)) {
        let sum = there + new - seen;
        let signed = i64::try_from(sum).map(Value::from);
        return signed
            .or_else(|_| u64::try_from(sum).map(Value::from))
            .ok()
            .or(value);
    }
    match (there.as_f64(), seen.as_f64(), new.as_f64()) {
        (Some(there), Some(seen), Some(new)) => Some(Value::from(there + new - seen)),
        _ => value,
    }
}

impl Following {
    /// Has changes of one more key wake it.
    pub(super) fn add(&mut self, key: Arc<str>) {
        let mut followers = self.board.followers();
        let of_key = followers.of_keys.entry(key.clone()).or_default();
        of_key.insert(self.number, self.waker.clone());
        self.keys.push(key);
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        let mut followers = self.board.followers();
        for key in &self.keys {
            if let Some(of_key) = followers.of_keys.get_mut(key) {
                of_key.remove(&self.number);
            }
        }
    }
}

impl fmt::Debug for SharedBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.to_map()).finish()
    }
}
