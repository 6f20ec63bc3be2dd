//! The state from which a call gets its context.

use std::task::Waker;
use std::time::Duration;

use serde_json::Value;
use thin_vec::ThinVec;

use super::requested::MoreRequests;
use super::state::State;
use super::{Asked, CallRequests, Context, Control};
use crate::Event;
use crate::blackboard::{Blackboard, KeyError};
use crate::clock::nanos;
use crate::contained::Contained;
use crate::deferred::Doer;
use crate::error::CallError;
use crate::node::NONE;

/// A blackboard, a clock and a random stream without a tree: what consoles, scripts and tests
/// make a [`Context`] from.
///
/// ```
/// use std::time::Duration;
/// use bt_core::Session;
///
/// let mut session = Session::new(7);
/// session.set_now(Duration::from_secs(3));
/// let mut cx = session.context();
/// cx.set("hp", 100);
/// assert_eq!(cx.now().as_secs(), 3);
/// assert_eq!(session.blackboard().get("hp"), 100);
/// ```
#[derive(Debug)]
pub struct Session {
    board: Blackboard,
    state: State,
}

impl Session {
    /// An empty blackboard, time zero, and the random stream of a seed.
    pub fn new(seed: u64) -> Session {
        Session::with_board(seed, Blackboard::new())
    }

    /// With a blackboard that has declared keys, or values to begin with.
    pub fn with_board(seed: u64, board: Blackboard) -> Session {
        Session {
            board,
            state: State::new(seed),
        }
    }

    /// The context of a call.
    #[inline]
    pub fn context(&mut self) -> Context<'_> {
        self.board.begin_call();
        Context {
            board: &self.board,
            state: &mut self.state,
            delta: 0,
        }
    }

    /// The blackboard.
    pub fn blackboard(&self) -> &Blackboard {
        self.board.settle();
        &self.board
    }

    /// Sets what decorators and composites are asked that are called: [`Asked::Entry`] at first. Of a decorator it may be
    /// how its child ended, `None` on entry.
    pub fn set_asked(&mut self, asked: impl Into<Asked>) {
        self.state.set_asked(asked.into());
    }

    /// Sets the time that calls see, in nanoseconds up to 584 years. One that goes back counts as
    /// unchanged.
    #[inline]
    pub fn set_now(&mut self, now: Duration) {
        self.state.set_now(nanos(now));
    }

    /// The same; whether it is later than the last one.
    #[inline]
    pub(crate) fn passes(&mut self, now: Duration) -> bool {
        self.state.set_now(nanos(now))
    }

    /// Restarts the random stream with a seed that somebody chose.
    pub(crate) fn seed(&mut self, seed: u64) {
        self.state.seed(seed);
    }

    /// Returns true if nobody chose a seed for the random stream, and nothing was drawn of it.
    pub(crate) fn is_unseeded(&self) -> bool {
        self.state.is_unseeded()
    }

    /// The events that calls fired since the last call of this.
    pub fn take_fired(&mut self) -> Vec<Event> {
        self.state.take_fired()
    }

    /// Takes the requests to the runner since the last call of this.
    pub fn take_control(&mut self) -> Vec<Control> {
        self.state.take_control()
    }

    /// Takes the requests of calls beside their results since the last call of this.
    pub fn take_requests(&mut self) -> CallRequests {
        self.state.take_requests()
    }

    /// The reason that the last failed call gave (an action's `Err`).
    pub fn take_failure(&mut self) -> Option<String> {
        self.board.take_failure()
    }

    /// The writes that were refused between calls, by [`Blackboard::set`], since the last call of this
    /// last. Those of a call by name are that call's error.
    pub fn take_refused(&mut self) -> Vec<KeyError> {
        self.board.take_refused()
    }

    /// The answers of completions that arrived since the last call of this:
    /// `(ticket, answer)`, no answer where the last clone was dropped unused.
    pub fn take_completions(&mut self) -> Vec<(u64, Option<bool>)> {
        self.take_arrived().into_iter().collect()
    }
}

impl Session {
    /// The same for a call of a node, at whose end [`end_call`](Session::end_call) is due.
    pub(crate) fn context_of(&mut self, node: u32) -> Context<'_> {
        self.board.begin_call();
        self.next_context(node)
    }

    /// The same for a call of a node's method so many nanoseconds after the one before.
    pub(crate) fn context_after(&mut self, node: u32, delta: u64) -> Context<'_> {
        Context {
            delta,
            ..self.context_of(node)
        }
    }

    /// The same for a call after which [`left_nothing`](Session::left_nothing) is asked.
    #[inline(always)]
    pub(crate) fn next_context(&mut self, node: u32) -> Context<'_> {
        self.state.set_calling(node);
        Context {
            board: &self.board,
            state: &mut self.state,
            delta: 0,
        }
    }

    /// The call of a node is over.
    #[inline(always)]
    pub(crate) fn end_call(&mut self) {
        self.state.set_calling(NONE);
    }

    /// The node whose call a panic has ended, if there is one.
    pub(crate) fn take_calling(&mut self) -> Option<u32> {
        let calling = self.state.calling();
        self.end_call();
        calling
    }

    /// Returns true if the action that is called next was called before, since its node was entered.
    pub(crate) fn is_again(&self) -> bool {
        self.state.is_again()
    }

    /// Says whether the action that is called next was called before, since its node was entered.
    pub(crate) fn set_again(&mut self, again: bool) {
        self.state.set_again(again);
    }

    /// Keeps the arguments of the call that is made next for its exit method.
    pub(crate) fn keep_args(&mut self, args: ThinVec<Value>) {
        self.state.more().args = args;
    }

    /// Lends guards that a node keeps to a call, or takes them back: what the call finds by
    /// [`Context::memory`].
    pub(crate) fn swap_guards(&mut self, guards: &mut ThinVec<Contained>) {
        self.state.swap_guards(guards);
    }

    /// Returns true if the last call left nothing to be taken, to be settled, or to be reported to observers.
    #[inline(always)]
    pub(crate) fn left_nothing(&self) -> bool {
        !self.state.touched() && self.board.is_calm()
    }

    /// Lends a context whose random stream, requests and events are nobody's.
    pub(crate) fn aside(&self, look: impl FnOnce(&mut Context<'_>)) {
        let mut state = State::new(0);
        state.set_now(self.state.now_nanos());
        // The error of a call stays until it is asked for.
        let error = self.board.take_error();
        look(&mut Context {
            board: &self.board,
            state: &mut state,
            delta: 0,
        });
        self.board.take_error();
        if let Some(error) = error {
            self.board.keep_error::<()>(error);
        }
    }

    /// Carries out what waits for the end of a call, and sets aside what was refused outside of one.
    pub(crate) fn settle(&self) {
        self.board.begin_call();
    }

    /// The blackboard as it is, without the writes that wait for the end of a loan.
    #[inline]
    pub(crate) fn board(&self) -> &Blackboard {
        &self.board
    }

    /// Returns true if calls left something to be taken: events, controls, or what they asked for.
    #[inline]
    pub(crate) fn touched(&self) -> bool {
        self.state.touched()
    }

    /// Makes [`touched`](Session::touched) false until the next call that leaves something; what
    /// was not taken stays.
    pub(crate) fn clear_touched(&mut self) {
        self.state.clear_touched();
    }

    /// Puts another blackboard in the place of the one that there is.
    pub(crate) fn set_board(&mut self, board: Blackboard) {
        self.board = board;
    }

    /// The agent's random stream.
    pub(crate) fn random(&mut self) -> &mut crate::Random {
        &mut self.state.random
    }

    /// The error of the last call that was refused.
    pub(crate) fn take_call_error(&mut self) -> CallError {
        self.context().take_error()
    }

    /// Takes the deadline of a call, in nanoseconds, and its result then; `u64::MAX - 1` is never reached.
    pub(crate) fn take_deadline(&mut self) -> Option<(u64, bool)> {
        self.state.take_deadline()
    }

    /// After how many polls, and how, a call is to be finished.
    pub(crate) fn take_polls(&mut self) -> Option<(u32, bool)> {
        self.state.take_polls()
    }

    /// Takes the requests of calls beside times; none if there are none.
    pub(crate) fn take_more(&mut self) -> Option<MoreRequests> {
        self.state.take_more()
    }

    /// The events that calls fired, in order; what held them is used again.
    pub(crate) fn drain_fired(&mut self, into: &mut impl Extend<Event>) {
        self.state.drain_fired(into);
    }

    /// Returns true if calls learn that they are traced.
    pub(crate) fn is_traced(&self) -> bool {
        self.state.is_traced()
    }

    /// Says that.
    pub(crate) fn set_traced(&mut self, traced: bool) {
        self.state.set_traced(traced);
    }

    /// Takes the notes of calls for the trace.
    pub(crate) fn take_notes(&mut self) -> ThinVec<(String, Value)> {
        self.state.take_notes()
    }

    /// The events that calls fired, and that were not taken yet.
    pub(crate) fn fired(&self) -> &[Event] {
        self.state.fired()
    }

    /// Drops those of them that `keep` refuses.
    pub(crate) fn retain_fired(&mut self, keep: impl FnMut(&mut Event) -> bool) {
        self.state.retain_fired(keep);
    }

    /// Returns true if calls fired events that were not taken yet.
    pub(crate) fn has_fired(&self) -> bool {
        self.state.has_fired()
    }

    /// The same, for the runner.
    pub(crate) fn take_arrived(&mut self) -> ThinVec<(u64, Option<bool>)> {
        self.state.take_completions()
    }

    /// Returns true if the answer of a completion has arrived.
    #[inline]
    pub(crate) fn has_arrived(&self) -> bool {
        self.state.has_arrived()
    }

    /// Has the answer of each completion wake the agent, unless they wake somebody already.
    pub(crate) fn wake_by(&self, owner: Doer, waker: &dyn Fn() -> Waker) {
        if let Some(inbox) = self.state.inbox() {
            inbox.wake_by(owner, waker);
        }
    }

    /// Has answers wake nobody.
    pub(crate) fn wake_nobody(&self) {
        if let Some(inbox) = self.state.inbox() {
            inbox.wake_nobody();
        }
    }

    /// The answers of completions that have arrived and were not taken yet.
    pub(crate) fn completions(&self) -> ThinVec<(u64, Option<bool>)> {
        self.state.completions()
    }

    /// The state of the agent's random stream.
    pub(crate) fn random_state(&self) -> u64 {
        self.state.random.state()
    }

    /// The time that calls see, in nanoseconds.
    #[inline]
    pub(crate) fn now_nanos(&self) -> u64 {
        self.state.now_nanos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_small() {
        let own = size_of::<Session>() - size_of::<Blackboard>();
        assert!(own <= 40, "{own}");
    }

    #[test]
    fn session_counts_as_touched_until_requests_are_taken() {
        let mut session = Session::new(7);
        let mut cx = session.context();
        cx.set("hp", 1);
        cx.random().unit();
        assert!(!session.touched());
        session.context().finish_after(Duration::from_secs(1), true);
        session.context().finish_after_polls(3, false);
        session.context().fire(Event::new("heard"));
        session.context().stop();
        session.context().finish_on("seen", true);
        assert!(session.touched());
        assert_eq!(session.take_deadline(), Some((1_000_000_000, true)));
        assert_eq!(session.take_deadline(), None);
        assert_eq!(session.take_polls(), Some((3, false)));
        assert_eq!(session.take_polls(), None);
        let mut fired = Vec::new();
        session.drain_fired(&mut fired);
        assert_eq!(fired, [Event::new("heard")]);
        assert_eq!(session.take_control(), [Control::Stop]);
        assert!(session.touched());
        let more = session.take_more().unwrap();
        assert_eq!(more.on, [("seen".to_owned(), true)]);
        assert!(more.completion.is_none() && more.guards.is_empty() && more.kept.is_none());
        assert!(!session.touched() && session.take_more().is_none());
        session.context().on_exit(());
        session.context().keep(7);
        session.clear_touched();
        assert!(!session.touched());
        let more = session.take_more().unwrap();
        assert_eq!(
            (more.guards.len(), more.kept),
            (1, Some(Box::new(7.into())))
        );
    }

    #[test]
    fn taking_requests_takes_all_of_them() {
        let mut session = Session::new(7);
        session.set_now(Duration::from_secs(2));
        session
            .context()
            .finish_after(Duration::from_secs(1), false);
        session.context().finish_after_polls(0, true);
        let _completion = session.context().completion();
        let asked = session.take_requests();
        assert_eq!(asked.after, Some((Duration::from_secs(3), false)));
        assert_eq!(asked.polls, Some((0, true)));
        assert_eq!(asked.completion.unwrap().ticket(), 1);
        assert!(!session.touched());
        assert!(session.take_requests().after.is_none());
    }

    #[test]
    fn finished_completion_arrives_at_its_call() {
        let mut session = Session::new(7);
        assert!(!session.has_arrived() && session.take_completions().is_empty());
        let completion = session.context().completion();
        assert!(session.touched() && !session.has_arrived());
        session.context().completion().finish(true);
        assert!(session.has_arrived());
        assert_eq!(session.take_completions(), [(1, Some(true))]);
        assert!(!session.has_arrived() && !completion.finish(false));
        assert_eq!(session.take_more().unwrap().completion.unwrap().ticket(), 1);
        // Dropped by its call, which may ask for it again until it has returned.
        drop(session.context().completion());
        drop(session.context().completion());
        assert!(!session.has_arrived());
        drop(session.take_more());
        assert_eq!(session.take_completions(), [(2, None)]);
    }

    #[test]
    fn a_time_beyond_counting_is_the_last_one() {
        let mut session = Session::new(7);
        session.set_now(Duration::from_nanos(5));
        session.set_now(Duration::from_nanos(3));
        assert_eq!(session.now_nanos(), 5);
        session.context().finish_after(Duration::MAX, true);
        assert_eq!(session.take_deadline(), Some((u64::MAX - 1, true)));
        session.context().finish_after(Duration::MAX, true);
        assert_eq!(session.take_requests().after, Some((Duration::MAX, true)));
        session.set_now(Duration::MAX);
        assert_eq!(session.now_nanos(), u64::MAX);
        assert_eq!(session.context().now(), Duration::from_nanos(u64::MAX));
    }

    #[test]
    fn session_applies_writes_once_lent_values_are_returned() {
        let mut session = Session::new(7);
        session.blackboard().set("hp", 1);
        let loan = session.board().lend("hp").unwrap();
        session.board().set("hp", 2);
        drop(loan);
        assert_eq!(session.board().get("hp"), 1);
        session.context();
        assert_eq!(session.board().get("hp"), 2);
        session
            .blackboard()
            .refuse(KeyError::cannot_hold("hp", &"is odd"));
        session.context();
        assert!(session.board().settle_writes().is_some());
        assert_eq!(session.take_refused().len(), 1);
    }
}
