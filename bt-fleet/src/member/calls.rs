//! Requests of a member to the store, and the answers that come between its rounds.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::store::{Append, Message, Read, Store, StoreError, Stream};

/// The purpose of a request, with the life of the shard that it is for: later lives ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    Renew,
    Keys,
    /// The trees of a version.
    Trees(u64),
    Shard {
        shard: u32,
        life: u64,
        step: Step,
    },
    /// Nobody waits for it.
    None,
}

/// A request for one shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Claim,
    /// The last link of the chain.
    End,
    Chain,
    Fence,
    Inputs,
    Save,
    /// The last link, after a save without a certain answer.
    Saved,
    Confirm,
    Free,
    /// Effects for a shard, or lines for a log, by their place among those that are sent.
    Effects(u32),
}

#[derive(Debug)]
pub(crate) enum Answer {
    Stored(Result<u64, StoreError>),
    Messages(Result<Vec<Message>, StoreError>),
    Last(Result<Option<Message>, StoreError>),
}

type Wake = Box<dyn Fn() + Send + Sync>;

#[derive(Default)]
struct Mailbox {
    answers: Mutex<Vec<(Tag, Answer)>>,
    wake: Mutex<Option<Wake>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mailbox {
    fn put(&self, tag: Tag, answer: Answer) {
        lock(&self.answers).push((tag, answer));
        if let Some(wake) = &*lock(&self.wake) {
            wake();
        }
    }
}

/// The store as a member uses it: answers wait for the next round.
pub(crate) struct Calls {
    store: Arc<dyn Store>,
    mailbox: Arc<Mailbox>,
}

impl Calls {
    pub(crate) fn new(store: Arc<dyn Store>) -> Calls {
        Calls {
            store,
            mailbox: Arc::default(),
        }
    }

    pub(crate) fn on_wake(&self, wake: Wake) {
        *lock(&self.mailbox.wake) = Some(wake);
    }

    pub(crate) fn take(&self) -> Vec<(Tag, Answer)> {
        std::mem::take(&mut *lock(&self.mailbox.answers))
    }

    pub(crate) fn has_arrived(&self) -> bool {
        !lock(&self.mailbox.answers).is_empty()
    }

    pub(crate) fn append(&self, tag: Tag, message: Append) {
        let mailbox = self.mailbox.clone();
        let done = move |answer| mailbox.put(tag, Answer::Stored(answer));
        self.store.append(message, Box::new(done));
    }

    pub(crate) fn read(&self, tag: Tag, read: Read) {
        let mailbox = self.mailbox.clone();
        let done = move |answer| mailbox.put(tag, Answer::Messages(answer));
        self.store.read(read, Box::new(done));
    }

    pub(crate) fn last(&self, tag: Tag, stream: Stream, subject: String) {
        let mailbox = self.mailbox.clone();
        let done = move |answer| mailbox.put(tag, Answer::Last(answer));
        self.store.last(stream, subject, Box::new(done));
    }

    /// Removes what nobody needs any more; if that fails, the next time removes more.
    pub(crate) fn purge(&self, stream: Stream, subject: String, before: u64) {
        self.store.purge(stream, subject, before, Box::new(|_| {}));
    }
}
