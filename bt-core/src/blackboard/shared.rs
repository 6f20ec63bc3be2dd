//! The keys that all agents of a world share.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

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
}

/// What a key holds since which write; none since it was removed.
struct Entry {
    since: u64,
    value: Option<Value>,
}

impl SharedBoard {
    /// An empty one.
    pub fn new() -> SharedBoard {
        SharedBoard::default()
    }

    // A panic while the lock is held leaves the map whole: each write is one insertion.
    fn keys(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.0.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy of the value of `key`; `null` if it is unset.
    pub fn get(&self, key: &str) -> Value {
        let keys = self.keys();
        let value = keys.get(key).and_then(|entry| entry.value.clone());
        value.unwrap_or(Value::Null)
    }

    /// Whether `key` is set; `null` is a value.
    pub fn has(&self, key: &str) -> bool {
        self.keys()
            .get(key)
            .is_some_and(|entry| entry.value.is_some())
    }

    /// Sets `key`.
    pub fn set(&self, key: &str, value: impl Into<Value>) {
        let value = value.into();
        self.update(key, |old| *old = Some(value));
    }

    /// Unsets `key`; whether it was set.
    pub fn remove(&self, key: &str) -> bool {
        self.update(key, |value| value.take().is_some())
    }

    /// Changes the value of `key` in place, as one step that no other agent comes between; none is
    /// an unset key. Do not call this board inside `change`: it is locked.
    pub fn update<R>(&self, key: &str, change: impl FnOnce(&mut Option<Value>) -> R) -> R {
        let mut keys = self.keys();
        let old = keys.get(key).and_then(|entry| entry.value.as_ref());
        let mut value = old.cloned();
        let answer = change(&mut value);
        if value.as_ref() != keys.get(key).and_then(|entry| entry.value.as_ref()) {
            let since = self.version() + 1;
            keys.insert(key.to_owned(), Entry { since, value });
            // While the lock is held, so that versions are in the order of the writes.
            self.0.version.store(since, Ordering::Release);
        }
        answer
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

    /// What was written to `keys` since the change of that number, and the number of the last.
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

impl fmt::Debug for SharedBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.to_map()).finish()
    }
}
