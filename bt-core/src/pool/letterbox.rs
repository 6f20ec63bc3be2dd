//! A list that any thread adds to, for as long as there is a pool.

use std::ops::Deref;
use std::sync::Arc;

use crate::sync::{Mutex, lock};

/// The contents of a letterbox, which other threads put there for a pool.
pub(super) trait Close {
    /// The pool is gone: what still comes is dropped.
    fn close(&self);
}

/// The pool's own hold of it: it closes with the pool.
pub(super) struct Own<T: Close>(Arc<T>);

impl<T: Close> Own<T> {
    pub(super) fn share(&self) -> Arc<T> {
        self.0.clone()
    }
}

impl<T: Close + Default> Default for Own<T> {
    fn default() -> Own<T> {
        Own(Arc::default())
    }
}

impl<T: Close> Deref for Own<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Close> Drop for Own<T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// A list that any thread adds to; none once it is closed.
///
/// It has no limit: what is in it, the agents that are born, is in the pool after the next round, and how many
/// agents a pool has is the host's to say.
pub(super) struct Letterbox<T>(Mutex<Option<Vec<T>>>);

impl<T> Default for Letterbox<T> {
    fn default() -> Letterbox<T> {
        Letterbox(Mutex::new(Some(Vec::new())))
    }
}

impl<T> Letterbox<T> {
    pub(super) fn push(&self, item: T) {
        // What is not kept is dropped without the lock.
        let mut item = Some(item);
        if let Some(list) = &mut *lock(&self.0) {
            list.extend(item.take());
        }
    }

    /// Takes all that is in it, and lends it an empty list for what comes.
    pub(super) fn swap(&self, items: &mut Vec<T>) {
        if let Some(list) = &mut *lock(&self.0) {
            std::mem::swap(list, items);
        }
    }
}

impl<T> Close for Letterbox<T> {
    fn close(&self) {
        let list = lock(&self.0).take();
        drop(list);
    }
}
