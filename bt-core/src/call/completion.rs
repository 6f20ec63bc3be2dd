//! A pending call's end, usable from any thread.

use std::sync::Arc;
use std::task::Waker;

use thin_vec::ThinVec;

use crate::deferred::{self, Doer};
use crate::sync::{AtomicBool, AtomicU8, Mutex, MutexGuard, Ordering, lock};

/// Ends a pending call once, from any thread; made by
/// [`Context::completion`](crate::Context::completion).
///
/// Ending it a second time, or after its node was exited, does nothing. When the last clone is
/// dropped without an answer the call fails, and that is reported.
///
/// ```
/// use bt_core::prelude::*;
///
/// #[derive(Agent)]
/// struct Scout;
///
/// #[agent]
/// impl Scout {
///     /// Finds a way, on a thread of its own.
///     #[action]
///     fn find_way(&mut self, cx: &mut Context) -> Option<bool> {
///         let completion = cx.completion();
///         std::thread::spawn(move || completion.finish(true));
///         None
///     }
/// }
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Completion(Arc<Answer>);

#[derive(Debug)]
struct Answer {
    ticket: u64,
    /// [`OPEN`], [`GIVEN`] or [`GIVEN_IN_TURN`].
    given: AtomicU8,
    inbox: Arc<Inbox>,
}

const OPEN: u8 = 0;
const GIVEN: u8 = 1;
/// By its own agent in its turn: others learn of it after the round.
const GIVEN_IN_TURN: u8 = 2;

impl Completion {
    pub(crate) fn new(ticket: u64, inbox: Arc<Inbox>) -> Completion {
        Completion(Arc::new(Answer {
            ticket,
            given: AtomicU8::new(OPEN),
            inbox,
        }))
    }

    pub(crate) fn pending(&self) -> Pending {
        Pending {
            ticket: self.0.ticket,
        }
    }

    /// Ends the call; whether this was the first answer.
    ///
    /// In a round of a [pool](crate::pool::Pool), an answer to another agent's call takes effect after the
    /// round. If several agents answer, each learns that it was the first, and the answer of the one
    /// with the lowest id counts.
    pub fn finish(&self, success: bool) -> bool {
        if !deferred::in_round() {
            return self.0.give(success, GIVEN);
        }
        let completion = self.clone();
        if self.0.inbox.is_of(deferred::doer()) {
            let first = self.0.give(success, GIVEN_IN_TURN);
            if first {
                let tell = move || completion.0.given.store(GIVEN, Ordering::Release);
                deferred::after_round(tell);
            }
            return first;
        }
        let is_open = self.0.given.load(Ordering::Acquire) != GIVEN;
        let first = is_open && deferred::finishes(Arc::as_ptr(&self.0) as usize);
        if first {
            deferred::after_round(move || {
                completion.0.give(success, GIVEN);
            });
        }
        first
    }
}

impl Answer {
    /// Gives an answer, unless there is one; whether there was none.
    fn give(&self, success: bool, given: u8) -> bool {
        let (order, otherwise) = (Ordering::AcqRel, Ordering::Acquire);
        let first = self.given.compare_exchange(OPEN, given, order, otherwise);
        if first.is_ok() {
            self.inbox.put(self.ticket, Some(success));
        }
        first.is_ok()
    }
}

/// A completion that somebody may hold: does not keep it from being dropped unused.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Pending {
    ticket: u64,
}

impl Pending {
    /// The ticket under which its answer arrives.
    pub fn ticket(&self) -> u64 {
        self.ticket
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if self.given.load(Ordering::Acquire) != OPEN {
            return;
        }
        if deferred::in_round() && !self.inbox.is_of(deferred::doer()) {
            let (inbox, ticket) = (self.inbox.clone(), self.ticket);
            return deferred::after_round(move || inbox.put(ticket, None));
        }
        self.inbox.put(self.ticket, None);
    }
}

/// The inbox for the answers to an agent's calls, and the waker for their arrival.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    any: AtomicBool,
    arrived: Mutex<Arrived>,
}

#[derive(Debug, Default)]
struct Arrived {
    /// `(ticket, answer)`, no answer where the last clone was dropped.
    answers: ThinVec<(u64, Option<bool>)>,
    waker: Option<Waker>,
    /// The agent, if it has turns.
    owner: Doer,
}

impl Inbox {
    /// An inbox of the agent whose turn it is, if it is somebody's.
    pub(super) fn new() -> Inbox {
        let inbox = Inbox::default();
        inbox.arrived().owner = deferred::doer();
        inbox
    }

    fn arrived(&self) -> MutexGuard<'_, Arrived> {
        lock(&self.arrived)
    }

    /// Returns true if it is that agent's.
    fn is_of(&self, doer: Doer) -> bool {
        self.arrived().owner == doer
    }

    fn put(&self, ticket: u64, answer: Option<bool>) {
        let mut arrived = self.arrived();
        arrived.answers.push((ticket, answer));
        self.any.store(true, Ordering::Release);
        let waker = arrived.waker.clone();
        // Whoever is woken may look here at once.
        drop(arrived);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Has each answer wake its agent, unless they wake somebody already.
    pub(super) fn wake_by(&self, owner: Doer, waker: &dyn Fn() -> Waker) {
        let mut arrived = self.arrived();
        if arrived.waker.is_none() {
            (arrived.waker, arrived.owner) = (Some(waker()), owner);
        }
    }

    /// Has answers wake nobody.
    pub(super) fn wake_nobody(&self) {
        self.arrived().waker = None;
    }

    /// Returns true if something has arrived since it was taken last.
    #[inline]
    pub(super) fn has_arrived(&self) -> bool {
        self.any.load(Ordering::Acquire)
    }

    /// The same as [`take`](Inbox::take), and it stays.
    pub(super) fn peek(&self) -> ThinVec<(u64, Option<bool>)> {
        self.arrived().answers.clone()
    }

    /// Takes the answers that arrived since the last call, in order; it takes no lock when there are none.
    pub(crate) fn take(&self) -> ThinVec<(u64, Option<bool>)> {
        if !self.has_arrived() {
            return ThinVec::new();
        }
        let mut arrived = self.arrived();
        self.any.store(false, Ordering::Release);
        std::mem::take(&mut arrived.answers)
    }
}
