//! A pending call's end, usable from any thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Ends a pending call once, from any thread; made by
/// [`Context::completion`](crate::Context::completion).
///
/// Ending it a second time, or after its node was left, does nothing. When the last clone is
/// dropped without an answer the call fails, and that is reported.
#[derive(Debug, Clone)]
#[must_use]
pub struct Completion(Arc<Answer>);

#[derive(Debug)]
struct Answer {
    ticket: u64,
    given: AtomicBool,
    inbox: Arc<Inbox>,
}

impl Completion {
    pub(crate) fn new(ticket: u64, inbox: Arc<Inbox>) -> Completion {
        Completion(Arc::new(Answer {
            ticket,
            given: AtomicBool::new(false),
            inbox,
        }))
    }

    pub(crate) fn pending(&self) -> Pending {
        Pending {
            ticket: self.0.ticket,
            answer: Arc::downgrade(&self.0),
        }
    }

    /// Ends the call; whether this was the first answer.
    pub fn finish(&self, success: bool) -> bool {
        let first = !self.0.given.swap(true, Ordering::AcqRel);
        if first {
            self.0.inbox.put(self.0.ticket, Some(success));
        }
        first
    }
}

/// A completion that somebody may hold: does not keep it from being dropped unused.
#[derive(Debug, Clone)]
pub struct Pending {
    ticket: u64,
    answer: Weak<Answer>,
}

impl Pending {
    /// What its answer arrives under.
    pub fn ticket(&self) -> u64 {
        self.ticket
    }

    pub(crate) fn completion(&self) -> Option<Completion> {
        self.answer.upgrade().map(Completion)
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if !*self.given.get_mut() {
            self.inbox.put(self.ticket, None);
        }
    }
}

/// Where answers arrive: `(ticket, answer)`, no answer where the last clone was dropped.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    any: AtomicBool,
    arrived: Mutex<Vec<(u64, Option<bool>)>>,
}

impl Inbox {
    fn put(&self, ticket: u64, answer: Option<bool>) {
        let mut arrived = self.arrived.lock().unwrap_or_else(PoisonError::into_inner);
        arrived.push((ticket, answer));
        self.any.store(true, Ordering::Release);
    }

    /// Whether something has arrived since it was taken last.
    #[inline]
    pub(super) fn has_arrived(&self) -> bool {
        self.any.load(Ordering::Acquire)
    }

    /// The same as [`take`](Inbox::take), and it stays.
    pub(super) fn peek(&self) -> Vec<(u64, Option<bool>)> {
        let arrived = self.arrived.lock();
        arrived.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What has arrived since the last call, in order; takes no lock when nothing has.
    pub(crate) fn take(&self) -> Vec<(u64, Option<bool>)> {
        if !self.any.swap(false, Ordering::AcqRel) {
            return Vec::new();
        }
        std::mem::take(&mut *self.arrived.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_counts_and_arrives_once() {
        let inbox = Arc::new(Inbox::default());
        let completion = Completion::new(7, inbox.clone());
        let other = completion.clone();
        std::thread::spawn(move || assert!(other.finish(true)))
            .join()
            .unwrap();
        assert!(!completion.finish(false));
        drop(completion);
        assert_eq!(inbox.take(), [(7, Some(true))]);
        assert_eq!(inbox.take(), []);
    }

    #[test]
    fn the_last_clone_dropped_unused_is_an_answer_too() {
        let inbox = Arc::new(Inbox::default());
        let completion = Completion::new(7, inbox.clone());
        let clone = completion.clone();
        drop(completion);
        assert_eq!(inbox.take(), []);
        drop(clone);
        assert_eq!(inbox.take(), [(7, None)]);
    }
}
