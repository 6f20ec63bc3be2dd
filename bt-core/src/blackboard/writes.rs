//! Writing by slot, and what waits for the end of a call: writes to keys on loan, and errors.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde_json::Value;

use super::{Blackboard, Flags, KeyError, KeyId, slots};
use crate::error::CallError;

/// The number of refused writes that are kept until somebody asks for them.
const MOST_REFUSED: usize = 64;

/// Writes that wait for the end of a call.
#[derive(Default)]
pub(super) struct Writes {
    /// Writes to slots that were on loan, in order.
    late: RefCell<Vec<(KeyId, Option<Value>)>>,
    /// Writes that were refused.
    refused: RefCell<Vec<KeyError>>,
    /// The values that arguments are written back as, if the call does not fail.
    back: RefCell<Vec<(KeyId, Result<Value, KeyError>)>>,
    /// Those that no call made.
    aside: RefCell<Vec<KeyError>>,
    /// The reason why the arguments of the present call are refused.
    error: Cell<Option<CallError>>,
    /// The reason that the last failed call gave.
    failure: Cell<Option<String>>,
    /// The answer of the last query, unless that was a bool.
    answer: Cell<Option<Value>>,
}

impl Writes {
    /// The value that a key gets when the loans end, if a write to it waits.
    pub(super) fn waiting(&self, id: KeyId) -> Option<Option<Value>> {
        let late = self.late.borrow();
        let last = late.iter().rev().find(|(late, _)| *late == id)?;
        Some(last.1.clone())
    }

    fn are_settled(&self) -> bool {
        self.late.borrow().is_empty() && self.refused.borrow().is_empty()
    }
}

impl Blackboard {
    /// Writes a key, as far as its declaration, its watchers and its loans allow.
    pub(crate) fn put(&self, id: KeyId, value: Option<Value>) {
        let id = self.absolute_id(id);
        if self
            .flags
            .any(Flags::DECLARED | Flags::NOTING | Flags::JOURNAL)
        {
            self.put_declared(id, value);
        } else {
            self.write(id, value);
        }
    }

    #[inline(never)]
    fn put_declared(&self, id: KeyId, value: Option<Value>) {
        match value.as_ref().map_or(Ok(()), |value| self.check(id, value)) {
            Ok(()) => self.put_checked(id, value),
            Err(why) => self.refuse(why),
        }
    }

    /// Writes what a key can hold, here and where it is shared.
    pub(super) fn put_checked(&self, id: KeyId, value: Option<Value>) {
        if let Some(shared) = self.shared(id)
            && let Some(name) = self.name(id)
        {
            shared.put(&name, value.clone());
        }
        self.store(id, value);
    }

    /// Writes a key here.
    pub(super) fn store(&self, id: KeyId, value: Option<Value>) {
        if !self.flags.any(Flags::NOTING | Flags::JOURNAL) {
            self.write(id, value);
            return;
        }
        let is_news = self.flags.any(Flags::NOTING) && self.is_news(id, value.as_ref());
        if !self.write(id, value) {
            return;
        }
        if is_news {
            self.notice(|notices| notices.note(id));
        }
        if self.flags.any(Flags::JOURNAL) {
            self.enter_in_journal(id);
        }
    }

    /// Returns true if a write notifies somebody.
    fn is_news(&self, id: KeyId, value: Option<&Value>) -> bool {
        let Some(rest) = self.rest.get() else {
            return false;
        };
        rest.notices.borrow().has(id) && self.read(id).as_deref() != value
    }

    /// Returns true if the value is there now, and not at the end of the call.
    #[inline]
    fn write(&self, id: KeyId, value: Option<Value>) -> bool {
        let Some(slot) = self.absolute_slot(id) else {
            return false;
        };
        match slots::write(slot, value) {
            Ok(()) => true,
            Err(value) => {
                self.write_later(id, value);
                false
            }
        }
    }

    #[cold]
    fn write_later(&self, id: KeyId, value: Option<Value>) {
        let writes = &self.rest().writes;
        writes.late.borrow_mut().push((id, value));
        self.flags.set(Flags::UNSETTLED);
    }

    /// Notes a write that cannot be.
    #[cold]
    pub(crate) fn refuse(&self, why: KeyError) {
        let mut refused = self.rest().writes.refused.borrow_mut();
        if refused.len() < MOST_REFUSED {
            refused.push(why);
        }
        self.flags.set(Flags::UNSETTLED);
    }

    /// A call begins that has arguments which are written back. They are held until it is known how it
    /// ended, if it may fail, or one of several may be refused for its type.
    pub(crate) fn begin_holding(&self, fallible: bool, several: bool) {
        let holds = fallible || several && self.flags.any(Flags::DECLARED);
        self.flags.put(Flags::HOLDING, holds);
        if holds {
            // A call that panicked may have left something.
            self.rest().writes.back.borrow_mut().clear();
        }
    }

    /// Writes an argument back. A value without a JSON form is refused: the key keeps its old one.
    pub(crate) fn write_back(&self, id: KeyId, value: Result<Value, impl fmt::Display>) {
        let value = value.map_err(|why| {
            let key = self.name(self.absolute_id(id)).unwrap_or_default();
            KeyError::cannot_hold(&key, &why)
        });
        if self.flags.any(Flags::HOLDING) {
            self.rest().writes.back.borrow_mut().push((id, value));
            return;
        }
        match value {
            Ok(value) => self.put(id, Some(value)),
            Err(why) => self.refuse(why),
        }
    }

    /// Ends that: all arguments are written, or, where the call failed or one of them is refused, none.
    pub(crate) fn end_holding(&self, failed: bool) {
        if !self.flags.any(Flags::HOLDING) {
            return;
        }
        self.flags.clear(Flags::HOLDING);
        let writes = &self.rest().writes;
        // It is used again.
        let mut back = writes.back.take();
        if !failed {
            let mut refused = false;
            for (id, value) in &mut back {
                if let Ok(fine) = value
                    && let Err(why) = self.check(self.absolute_id(*id), fine)
                {
                    *value = Err(why);
                }
                refused |= value.is_err();
            }
            for (id, value) in back.drain(..) {
                match value {
                    Ok(value) if !refused => self.put(id, Some(value)),
                    Ok(_) => {}
                    Err(why) => self.refuse(why),
                }
            }
        }
        back.clear();
        writes.back.replace(back);
    }

    /// Carries out the writes that waited for the end of a loan.
    #[inline]
    pub(crate) fn settle(&self) {
        if self.flags.any(Flags::UNSETTLED) {
            self.settle_late();
        }
    }

    #[cold]
    fn settle_late(&self) {
        let writes = &self.rest().writes;
        for (id, value) in writes.late.take() {
            self.store(id, value);
        }
        self.flags.put(Flags::UNSETTLED, !writes.are_settled());
    }

    /// Leaves writes that were refused before a call to whoever asks for them: they are none of
    /// its own.
    #[inline]
    pub(crate) fn set_aside(&self) {
        if self.flags.any(Flags::UNSETTLED) {
            self.set_refused_aside();
        }
    }

    #[cold]
    fn set_refused_aside(&self) {
        let writes = &self.rest().writes;
        let mut aside = writes.aside.borrow_mut();
        aside.append(&mut writes.refused.borrow_mut());
        // Nobody may ask for them; the newest are kept.
        let over = aside.len().saturating_sub(MOST_REFUSED);
        aside.drain(..over);
        self.flags.put(Flags::UNSETTLED, !writes.are_settled());
    }

    /// Ends what came before a call.
    #[inline]
    pub(crate) fn begin_call(&self) {
        if self.flags.any(Flags::UNSETTLED) {
            self.settle_late();
            self.set_refused_aside();
        }
    }

    /// Carries out the writes that waited for the end of a call; none, and an error kept, if it
    /// wrote what its keys cannot hold.
    #[inline]
    pub(crate) fn settle_writes(&self) -> Option<()> {
        if self.flags.any(Flags::UNSETTLED) {
            self.settle_late_writes()
        } else {
            Some(())
        }
    }

    #[cold]
    fn settle_late_writes(&self) -> Option<()> {
        let refused = self.rest().writes.refused.take();
        self.settle_late();
        if refused.is_empty() {
            Some(())
        } else {
            self.keep_error(CallError::writes(&refused))
        }
    }

    /// The writes that were refused, and are no call's, since this was asked last.
    pub(crate) fn take_refused(&self) -> Vec<KeyError> {
        self.set_aside();
        let rest = self.rest.get();
        rest.map_or_else(Vec::new, |rest| rest.writes.aside.take())
    }

    /// Keeps why an argument cannot be read, in place of its value.
    #[cold]
    pub(crate) fn keep_error<T>(&self, error: CallError) -> Option<T> {
        self.rest().writes.error.set(Some(error));
        None
    }

    #[cold]
    pub(crate) fn take_error(&self) -> Option<CallError> {
        self.rest.get()?.writes.error.take()
    }

    /// Keeps the reason that a failed call gave.
    pub(crate) fn set_failure(&self, why: Option<String>) {
        self.flags.put(Flags::FAILED, why.is_some());
        if why.is_some() || self.rest.get().is_some() {
            self.rest().writes.failure.set(why);
        }
    }

    /// Forgets the reason of an earlier call.
    #[inline]
    pub(crate) fn clear_failure(&self) {
        if self.flags.any(Flags::FAILED) {
            self.set_failure(None);
        }
    }

    /// Keeps the answer of a query until it is taken.
    pub(crate) fn keep_answer(&self, answer: Value) {
        self.rest().writes.answer.set(Some(answer));
    }

    pub(crate) fn take_answer(&self) -> Option<Value> {
        self.rest.get()?.writes.answer.take()
    }

    pub(crate) fn take_failure(&self) -> Option<String> {
        self.flags.clear(Flags::FAILED);
        self.rest.get()?.writes.failure.take()
    }
}
