//! The work for a request: done at once, a step in each poll, or on another thread.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::Port;
use super::game::Game;
use crate::protocol::types::Done;
use crate::protocol::{Error, ErrorCode};

/// The result of a request, as JSON.
pub(super) type Answered = Result<String, Error>;

/// A result as it travels.
pub(super) fn to_json<T: Serialize>(result: &T) -> Answered {
    serde_json::to_string(result)
        .map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}

pub(super) fn done() -> Answered {
    to_json(&Done {})
}

/// The progress of a request.
pub(super) enum Step {
    Done(Answered),
    Later(Task),
}

/// Does the next step; none while it is not over.
type Next = dyn FnMut(&mut Port, &mut dyn Game, Clock) -> Option<Answered> + Send;

/// The work for a request that takes more than one poll.
pub(super) struct Task(Box<Next>);

impl Task {
    /// Does as much as there is time for, but a little in any case; the result, when it is over.
    pub(super) fn step(
        &mut self,
        port: &mut Port,
        game: &mut dyn Game,
        clock: Clock,
    ) -> Option<Answered> {
        (self.0)(port, game, clock)
    }
}

/// Work that is done a step at a time.
pub(super) fn steps(
    next: impl FnMut(&mut Port, &mut dyn Game, Clock) -> Option<Answered> + Send + 'static,
) -> Step {
    Step::Later(Task(Box::new(next)))
}

/// Waits for what another thread gives.
pub(super) fn await_from<T: Send + 'static>(
    given: Receiver<T>,
    then: impl FnOnce(&mut Port, &mut dyn Game, T) -> Answered + Send + 'static,
) -> Step {
    let mut then = Some(then);
    steps(move |port, game, _| match given.try_recv() {
        Ok(given) => Some(then.take()?(port, game, given)),
        Err(TryRecvError::Empty) => None,
        Err(TryRecvError::Disconnected) => Some(Err(panicked())),
    })
}

/// Does something on one of the port's threads, when it has nothing else to do.
pub(super) fn on<T: Send + 'static>(
    worker: fn(&mut Port) -> &mut Worker,
    job: impl FnOnce() -> T + Send + 'static,
    mut then: impl FnMut(&mut Port, &mut dyn Game, T) -> Option<Answered> + Send + 'static,
) -> Step {
    let (mut job, mut given) = (Some(job), None);
    steps(move |port, game, _| {
        let Some(waits) = &given else {
            if worker(port).is_busy() {
                return None;
            }
            match worker(port).start(job.take()?) {
                Ok(receiver) => given = Some(receiver),
                Err(error) => return Some(Err(Error::refused(error))),
            }
            return None;
        };
        match waits.try_recv() {
            Ok(found) => then(port, game, found),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(panicked())),
        }
    })
}

pub(super) fn panicked() -> Error {
    let why = "code of the game panicked; the message is in its log";
    Error::new(ErrorCode::Internal, why)
}

/// The time that something may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock(Option<Instant>);

impl Clock {
    pub(super) fn of(time: Duration) -> Clock {
        Clock(Some(Instant::now() + time))
    }

    /// As long as it takes.
    pub(super) fn endless() -> Clock {
        Clock(None)
    }

    pub(super) fn is_over(self) -> bool {
        self.0.is_some_and(|until| Instant::now() >= until)
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// A thread that does one thing at a time; it begins with the first.
pub(super) struct Worker {
    name: &'static str,
    jobs: Option<Sender<Job>>,
    is_busy: Arc<AtomicBool>,
}

impl Worker {
    pub(super) fn new(name: &'static str) -> Worker {
        Worker {
            name,
            jobs: None,
            is_busy: Arc::default(),
        }
    }

    fn is_busy(&self) -> bool {
        self.is_busy.load(Ordering::Acquire)
    }

    /// Does something; what comes of it, unless it panics.
    fn start<T: Send + 'static>(
        &mut self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<Receiver<T>> {
        let jobs = match &self.jobs {
            Some(jobs) => jobs,
            None => {
                let (sender, jobs) = mpsc::channel::<Job>();
                let run = move || jobs.into_iter().for_each(|job| job());
                thread::Builder::new()
                    .name(self.name.to_owned())
                    .spawn(run)?;
                self.jobs.insert(sender)
            }
        };
        let (give, given) = mpsc::channel();
        let is_busy = self.is_busy.clone();
        is_busy.store(true, Ordering::Release);
        let job: Job = Box::new(move || {
            if let Ok(found) = catch_unwind(AssertUnwindSafe(job)) {
                // Whoever asked may be gone.
                _ = give.send(found);
            }
            is_busy.store(false, Ordering::Release);
        });
        // A thread that is gone gives nothing, and whoever waits sees that.
        _ = jobs.send(job);
        Ok(given)
    }
}
