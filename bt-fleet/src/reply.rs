//! An answer that comes later: awaited by any executor, or waited for by a thread.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::FleetError;

/// An answer that comes later. It is a future for any executor; a thread without one [waits](Reply::wait).
///
/// Whoever drops it does not learn the outcome; what was requested happens all the same.
#[derive(Debug)]
#[must_use = "the outcome is not known before it is waited for"]
pub struct Reply<T>(Arc<Shared<T>>);

#[derive(Debug)]
struct Shared<T> {
    state: Mutex<State<T>>,
    given: Condvar,
}

#[derive(Debug)]
struct State<T> {
    answer: Option<Result<T, FleetError>>,
    waker: Option<Waker>,
}

/// The other end, which gives the answer.
pub(crate) struct Promise<T>(Arc<Shared<T>>);

pub(crate) fn reply<T>() -> (Promise<T>, Reply<T>) {
    let state = Mutex::new(State {
        answer: None,
        waker: None,
    });
    let shared = Arc::new(Shared {
        state,
        given: Condvar::new(),
    });
    (Promise(shared.clone()), Reply(shared))
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Promise<T> {
    pub(crate) fn give(self, answer: Result<T, FleetError>) {
        self.set(answer);
    }

    fn set(&self, answer: Result<T, FleetError>) {
        let mut state = self.0.lock();
        if state.answer.is_none() {
            state.answer = Some(answer);
        }
        let waker = state.waker.take();
        drop(state);
        self.0.given.notify_all();
        waker.into_iter().for_each(Waker::wake);
    }
}

/// A promise that nobody keeps any more is answered, too.
impl<T> Drop for Promise<T> {
    fn drop(&mut self) {
        if Arc::strong_count(&self.0) > 1 {
            self.set(Err(FleetError::unanswered("the connection was closed")));
        }
    }
}

impl<T> Reply<T> {
    /// An answer that is there.
    pub(crate) fn given(answer: Result<T, FleetError>) -> Reply<T> {
        let (promise, reply) = reply();
        promise.give(answer);
        reply
    }

    /// Waits on this thread, at most so long.
    ///
    /// # Errors
    /// That of the answer; [`FleetError::is_unanswered`] if there is none in time.
    pub fn wait(self, most: Duration) -> Result<T, FleetError> {
        let end = Instant::now() + most;
        let mut state = self.0.lock();
        loop {
            if let Some(answer) = state.answer.take() {
                return answer;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let text = format!("no answer in {most:?}");
                return Err(FleetError::unanswered(text));
            }
            let waited = self.0.given.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The answer, if it is there; it is given once.
    pub fn try_take(&mut self) -> Option<Result<T, FleetError>> {
        self.0.lock().answer.take()
    }
}

impl<T> Future for Reply<T> {
    type Output = Result<T, FleetError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.0.lock();
        match state.answer.take() {
            Some(answer) => Poll::Ready(answer),
            None => {
                state.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}
