//! The tracer that gets the records; nothing that it does ends the walk.

use std::any::Any;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::contained::{drop_caught, panic_text};
use crate::run::plain::Moment;
use crate::trace::{Place, Record, Tracer, What};

/// The tracer of the records; none after it has panicked.
pub(crate) struct Sink(Option<Box<dyn Tracer>>);

// A record is large and short-lived: what makes and hands it on is compiled into one function for each
// frequent sort, so that it is written once, where it stays.
impl Sink {
    pub(crate) fn new(tracer: Option<Box<dyn Tracer>>) -> Sink {
        Sink(tracer)
    }

    pub(crate) fn tracer(&self) -> Option<&dyn Tracer> {
        self.0.as_deref()
    }

    pub(crate) fn take_tracer(&mut self) -> Option<Box<dyn Tracer>> {
        self.0.take()
    }

    #[inline(always)]
    pub(crate) fn send(&mut self, moment: Moment, at: Option<Place<'_>>, what: What<'_>) {
        let record = Record {
            ns: moment.ns,
            poll: moment.poll,
            at,
            what,
        };
        self.ask((), |tracer| tracer.record(&record));
    }

    /// The same for what is lent in all its parts: there is nothing to drop. It is made in the place
    /// where it is read: a copy of what was written just before has to wait for it.
    #[inline(always)]
    pub(crate) fn lend<'a>(
        &mut self,
        moment: Moment,
        at: Option<Place<'a>>,
        what: impl FnOnce() -> What<'a>,
    ) {
        let record = ManuallyDrop::new(Record {
            ns: moment.ns,
            poll: moment.poll,
            at,
            what: what(),
        });
        self.ask((), |tracer| tracer.record(&record));
    }

    pub(crate) fn wants_snapshot(&mut self) -> bool {
        self.ask(false, |tracer| tracer.wants_snapshot())
    }

    pub(crate) fn wants_explanations(&mut self) -> bool {
        self.ask(false, |tracer| tracer.wants_explanations())
    }

    /// Lets the tracer do something; the walk continues whatever becomes of it.
    #[inline(always)]
    fn ask<T>(&mut self, otherwise: T, ask: impl FnOnce(&mut dyn Tracer) -> T) -> T {
        let Some(tracer) = &mut self.0 else {
            return otherwise;
        };
        match catch_unwind(AssertUnwindSafe(|| ask(&mut **tracer))) {
            Ok(answer) => answer,
            Err(panic) => {
                self.lose(panic);
                otherwise
            }
        }
    }

    /// Drops a tracer that panicked.
    #[cold]
    fn lose(&mut self, panic: Box<dyn Any + Send>) {
        let text = panic_text(panic);
        tracing::error!(target: "bt", "a tracer panicked, and gets no more records: {text}");
        self.end();
    }

    fn end(&mut self) {
        if let Some(text) = self.0.take().and_then(drop_caught) {
            tracing::error!(target: "bt", "a tracer panicked when it was dropped: {text}");
        }
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.end();
    }
}
