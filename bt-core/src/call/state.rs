//! State that outlives one call: the clock, the random stream, and the out-tray of the call.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use thin_vec::ThinVec;

use super::Asked;
use super::completion::{Completion, Inbox};
use super::requested::{CallRequests, Control, MoreRequests};
use crate::clock::nanos;
use crate::contained::Contained;
use crate::node::NONE;
use crate::random::UNSEEDED;
use crate::{Event, Random};

/// A deadline that is never reached: `u64::MAX` is left to whoever needs a mark for none.
const NEVER: u64 = u64::MAX - 1;

/// A deadline; one that is never reached is [`Duration::MAX`].
fn duration(nanos: u64) -> Duration {
    if nanos >= NEVER {
        Duration::MAX
    } else {
        Duration::from_nanos(nanos)
    }
}

/// State of every session; rarer requests of calls are in a box.
#[derive(Debug)]
pub(super) struct State {
    /// In nanoseconds.
    now: u64,
    pub(super) random: Random,
    /// The deadline of a call, in nanoseconds or in polls. Of both the polls are in `more`.
    until: u64,
    /// The node whose call is being made, where a panic of it goes through the walk; [`NONE`] if there
    /// is none.
    calling: u32,
    flags: u8,
    asked: Occasion,
    /// Kept when it is empty, to be used again.
    more: Option<Box<More>>,
}

/// Something is to be taken.
const TOUCHED: u8 = 1;
/// A time, and a number of polls, is set; and how it finishes the call.
const AFTER: u8 = 1 << 1;
const AFTER_SUCCESS: u8 = 1 << 2;
const POLLS: u8 = 1 << 3;
const POLLS_SUCCESS: u8 = 1 << 4;
/// Somebody wants to know what happens.
const TRACED: u8 = 1 << 5;

/// The action was called before, since its node was entered.
const AGAIN: u8 = 1 << 6;

/// The seed is one that somebody chose.
const SEEDED: u8 = 1 << 7;

/// The occasion of a call of a decorator or a composite, but for the number of a child.
#[derive(Debug, Clone, Copy)]
enum Occasion {
    Entry,
    Ended(bool),
    Running,
}

/// Requests that few calls make.
#[derive(Debug, Default)]
pub(super) struct More {
    pub(super) fired: ThinVec<Event>,
    pub(super) notes: ThinVec<(String, Value)>,
    pub(super) control: ThinVec<Control>,
    pub(super) on: ThinVec<(String, bool)>,
    /// Until the call has returned: one that it drops is asked for again.
    completion: Option<Completion>,
    pub(super) guards: ThinVec<Contained>,
    pub(super) kept: Option<Box<Value>>,
    /// The arguments of the call, for its exit method.
    pub(super) args: ThinVec<Value>,
    polls: u32,
    /// The number of the child that has ended, for calls of composites.
    child: usize,
    tickets: u64,
    inbox: Option<Arc<Inbox>>,
}

impl More {
    /// The completion of the call that is being made: every one is a clone of the same.
    pub(super) fn completion(&mut self) -> Completion {
        let made = self.completion.get_or_insert_with(|| {
            self.tickets += 1;
            let inbox = self.inbox.get_or_insert_with(|| Arc::new(Inbox::new()));
            Completion::new(self.tickets, inbox.clone())
        });
        made.clone()
    }

    fn has_asked(&self) -> bool {
        !self.on.is_empty()
            || self.completion.is_some()
            || !self.guards.is_empty()
            || self.kept.is_some()
            || !self.args.is_empty()
    }

    fn is_empty(&self) -> bool {
        self.fired.is_empty()
            && self.notes.is_empty()
            && self.control.is_empty()
            && !self.has_asked()
    }
}

impl State {
    pub(super) fn new(seed: u64) -> State {
        State {
            now: 0,
            random: Random::new(seed),
            until: 0,
            calling: NONE,
            flags: 0,
            asked: Occasion::Entry,
            more: None,
        }
    }

    /// The occasion of a call of a decorator or a composite.
    #[inline]
    pub(super) fn asked(&self) -> Asked {
        match self.asked {
            Occasion::Entry => Asked::Entry,
            Occasion::Ended(success) => Asked::Ended {
                child: self.more.as_ref().map_or(0, |more| more.child),
                success,
            },
            Occasion::Running => Asked::Running,
        }
    }

    pub(super) fn set_asked(&mut self, asked: Asked) {
        self.asked = match asked {
            Asked::Entry => Occasion::Entry,
            Asked::Ended { child, success } => {
                if child > 0 || self.more.is_some() {
                    self.more.get_or_insert_default().child = child;
                }
                Occasion::Ended(success)
            }
            Asked::Running => Occasion::Running,
        };
    }

    /// Restarts the random stream with a seed that somebody chose.
    pub(super) fn seed(&mut self, seed: u64) {
        self.random = Random::new(seed);
        self.flags |= SEEDED;
    }

    /// Returns true if nobody chose a seed, and nothing was drawn.
    pub(super) fn is_unseeded(&self) -> bool {
        self.flags & SEEDED == 0 && self.random.state() == Random::new(UNSEEDED).state()
    }

    #[inline]
    pub(super) fn now(&self) -> Duration {
        Duration::from_nanos(self.now)
    }

    #[inline]
    pub(super) fn now_nanos(&self) -> u64 {
        self.now
    }

    /// A time that goes back counts as unchanged; whether it is later than the last one.
    #[inline]
    pub(super) fn set_now(&mut self, now: u64) -> bool {
        let passes = now > self.now;
        if passes {
            self.now = now;
        }
        passes
    }

    /// The place for a rare request.
    pub(super) fn more(&mut self) -> &mut More {
        self.flags |= TOUCHED;
        self.more.get_or_insert_default()
    }

    pub(super) fn finish_after(&mut self, wait: Duration, success: bool) {
        if self.flags & (AFTER | POLLS) == POLLS {
            self.more().polls = self.until as u32;
        }
        self.until = self.now.saturating_add(nanos(wait)).min(NEVER);
        self.set(AFTER, AFTER_SUCCESS, success);
    }

    pub(super) fn finish_after_polls(&mut self, polls: u32, success: bool) {
        if self.flags & AFTER == 0 {
            self.until = polls.into();
        } else {
            self.more().polls = polls;
        }
        self.set(POLLS, POLLS_SUCCESS, success);
    }

    fn set(&mut self, flag: u8, how: u8, success: bool) {
        self.flags &= !how;
        self.flags |= TOUCHED | flag | if success { how } else { 0 };
    }

    #[inline(always)]
    pub(super) fn touched(&self) -> bool {
        self.flags & TOUCHED != 0
    }

    pub(super) fn clear_touched(&mut self) {
        self.flags &= !TOUCHED;
    }

    /// Something was taken: perhaps there is nothing left.
    fn taken(&mut self) {
        let more = self.more.as_ref();
        if self.flags & (AFTER | POLLS) == 0 && more.is_none_or(|more| more.is_empty()) {
            self.clear_touched();
        }
    }

    pub(super) fn take_deadline(&mut self) -> Option<(u64, bool)> {
        if self.flags & AFTER == 0 {
            return None;
        }
        let time = self.until;
        self.flags &= !AFTER;
        if self.flags & POLLS != 0 {
            self.until = self.more.as_ref().map_or(0, |more| more.polls.into());
        }
        self.taken();
        Some((time, self.flags & AFTER_SUCCESS != 0))
    }

    pub(super) fn take_polls(&mut self) -> Option<(u32, bool)> {
        if self.flags & POLLS == 0 {
            return None;
        }
        let polls = match self.flags & AFTER {
            0 => self.until as u32,
            _ => self.more.as_ref().map_or(0, |more| more.polls),
        };
        self.flags &= !POLLS;
        self.taken();
        Some((polls, self.flags & POLLS_SUCCESS != 0))
    }

    pub(super) fn take_more(&mut self) -> Option<MoreRequests> {
        let more = self.more.as_mut().filter(|more| more.has_asked())?;
        let asked = MoreRequests {
            on: std::mem::take(&mut more.on),
            completion: more
                .completion
                .take()
                .map(|completion| completion.pending()),
            guards: std::mem::take(&mut more.guards),
            kept: more.kept.take(),
            args: std::mem::take(&mut more.args),
        };
        self.taken();
        Some(asked)
    }

    pub(super) fn take_requests(&mut self) -> CallRequests {
        let after = self.take_deadline();
        let polls = self.take_polls();
        let more = self.take_more().unwrap_or_default();
        let guards = more.guards.into_iter();
        CallRequests {
            after: after.map(|(at, success)| (duration(at), success)),
            polls,
            on: more.on.into_iter().collect(),
            completion: more.completion,
            guards: guards.filter_map(Contained::into_inner).collect(),
            kept: more.kept.map(|kept| *kept),
        }
    }

    pub(super) fn is_traced(&self) -> bool {
        self.flags & TRACED != 0
    }

    pub(super) fn set_traced(&mut self, traced: bool) {
        self.flags &= !TRACED;
        self.flags |= if traced { TRACED } else { 0 };
    }

    pub(super) fn calling(&self) -> Option<u32> {
        (self.calling != NONE).then_some(self.calling)
    }

    #[inline(always)]
    pub(super) fn set_calling(&mut self, node: u32) {
        self.calling = node;
    }

    pub(super) fn is_again(&self) -> bool {
        self.flags & AGAIN != 0
    }

    pub(super) fn set_again(&mut self, again: bool) {
        self.flags &= !AGAIN;
        self.flags |= if again { AGAIN } else { 0 };
    }

    /// The first guard of that type.
    pub(super) fn memory<T: 'static>(&mut self) -> Option<&mut T> {
        let guards = &mut self.more.as_mut()?.guards;
        guards.iter_mut().find_map(Contained::get_mut)
    }

    /// Lends guards to a call, as if it had just kept them; or takes them back, with those that it
    /// added.
    pub(super) fn swap_guards(&mut self, guards: &mut ThinVec<Contained>) {
        std::mem::swap(&mut self.more.get_or_insert_default().guards, guards);
    }

    pub(super) fn take_notes(&mut self) -> ThinVec<(String, Value)> {
        let Some(more) = &mut self.more else {
            return ThinVec::new();
        };
        let notes = std::mem::take(&mut more.notes);
        self.taken();
        notes
    }

    pub(super) fn fired(&self) -> &[Event] {
        self.more.as_ref().map_or(&[], |more| &more.fired)
    }

    pub(super) fn has_fired(&self) -> bool {
        let more = self.more.as_ref();
        more.is_some_and(|more| !more.fired.is_empty())
    }

    pub(super) fn retain_fired(&mut self, keep: impl FnMut(&mut Event) -> bool) {
        if let Some(more) = &mut self.more {
            more.fired.retain_mut(keep);
        }
    }

    pub(super) fn drain_fired(&mut self, into: &mut impl Extend<Event>) {
        if let Some(more) = &mut self.more {
            into.extend(more.fired.drain(..));
            self.taken();
        }
    }

    pub(super) fn take_fired(&mut self) -> Vec<Event> {
        let mut fired = Vec::new();
        self.drain_fired(&mut fired);
        fired
    }

    pub(super) fn take_control(&mut self) -> Vec<Control> {
        let Some(more) = &mut self.more else {
            return Vec::new();
        };
        let control = more.control.drain(..).collect();
        self.taken();
        control
    }

    pub(super) fn inbox(&self) -> Option<&Inbox> {
        self.more.as_ref()?.inbox.as_deref()
    }

    #[inline]
    pub(super) fn has_arrived(&self) -> bool {
        self.inbox().is_some_and(Inbox::has_arrived)
    }

    pub(super) fn completions(&self) -> ThinVec<(u64, Option<bool>)> {
        self.inbox().map_or_else(ThinVec::new, Inbox::peek)
    }

    pub(super) fn take_completions(&mut self) -> ThinVec<(u64, Option<bool>)> {
        self.inbox().map_or_else(ThinVec::new, Inbox::take)
    }
}
