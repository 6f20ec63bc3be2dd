//! What an action sees of the tree that calls it.

use std::any::Any;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::completion::{Completion, Pending};
use super::state::State;
use super::{CallError, encode};
use crate::blackboard::{Blackboard, KeyError};
use crate::{Event, Random};

/// What an action sees of the tree that calls it: the time, the agent's blackboard and random
/// stream, and the means to finish later, to fire events and to clean up.
///
/// An action takes it as `cx: &mut Context` (or `&Context`), anywhere among its parameters.
#[derive(Debug)]
pub struct Context<'a> {
    pub(super) board: &'a Blackboard,
    pub(super) state: &'a mut State,
}

/// What a call asked for beside its result.
#[derive(Debug, Default)]
pub struct Asked {
    /// To be finished then, so.
    pub after: Option<(Duration, bool)>,
    /// To be finished after so many polls, the one it began in counted, so.
    pub polls: Option<(u32, bool)>,
    /// To be finished by an event of that name, so.
    pub on: Vec<(String, bool)>,
    /// Its completion.
    pub completion: Option<Pending>,
    /// What lives until the node is left.
    pub guards: Vec<Box<dyn Any + Send>>,
    /// What the resume method will get.
    pub kept: Option<Value>,
}

/// What an action asked the runner to do when the leaf has returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Control {
    /// Stop the tree.
    Stop,
    /// Clear the blackboard and start the tree again.
    Reset,
    /// Run another tree.
    Load(String),
}

impl<'a> Context<'a> {
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Context<'_> {
        Context {
            board: self.board,
            state: self.state,
        }
    }

    #[inline]
    pub(crate) fn board(&self) -> &'a Blackboard {
        self.board
    }

    #[inline]
    pub(crate) fn ended(&self) -> Option<bool> {
        self.state.ended
    }

    /// Why the last call could not be.
    #[cold]
    pub(crate) fn take_error(&mut self) -> CallError {
        let error = self.board.take_error();
        // A key without a slot is one of another blackboard's table.
        error.unwrap_or_else(|| {
            let why = "a key was bound for another blackboard";
            CallError::refused(why.to_owned())
        })
    }

    /// The time of the poll, counted from wherever the caller counts it.
    pub fn now(&self) -> Duration {
        self.state.now()
    }

    /// The agent's blackboard.
    pub fn blackboard(&self) -> &'a Blackboard {
        self.board
    }

    /// A copy of the value of a blackboard key; `null` if it is unset.
    pub fn get(&self, key: &str) -> Value {
        self.board.get(key)
    }

    /// The value of a blackboard key as a `T`.
    ///
    /// # Errors
    /// [`KeyError`] if the key is unset or its value is not a `T`.
    pub fn get_as<T: DeserializeOwned + 'static>(&self, key: &str) -> Result<T, KeyError> {
        self.board.get_as(key)
    }

    /// Whether a blackboard key is set.
    pub fn has(&self, key: &str) -> bool {
        self.board.has(key)
    }

    /// Sets a blackboard key. A value that is not of the key's declared type is not written, and
    /// the call ends as an error.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.board.set(key, value);
    }

    /// Sets a blackboard key to any value that serialises.
    ///
    /// # Errors
    /// [`KeyError`] if `value` has no JSON form, or is not of the key's declared type.
    pub fn set_as<T: Serialize>(&mut self, key: &str, value: &T) -> Result<(), KeyError> {
        self.board.set_as(key, value)
    }

    /// Unsets a blackboard key; whether it was set.
    pub fn remove(&mut self, key: &str) -> bool {
        self.board.remove(key)
    }

    /// The agent's random stream.
    pub fn random(&mut self) -> &mut Random {
        &mut self.state.random
    }

    /// Fires an event at this agent's own tree; it is delivered in this poll, after what is
    /// running now.
    pub fn fire(&mut self, event: Event) {
        self.state.more().fired.push(event);
    }

    /// Whether somebody traces this agent, and [notes](Context::note) are kept.
    pub fn is_traced(&self) -> bool {
        self.state.is_traced()
    }

    /// Writes something into the agent's [trace](crate::trace), at this node; nothing happens where
    /// there is none. A value without a JSON form is its error's text.
    pub fn note(&mut self, name: impl Into<String>, value: impl Serialize) {
        if self.state.is_traced() {
            let value = encode(&value).unwrap_or_else(|why| why.to_string().into());
            self.state.more().notes.push((name.into(), value));
        }
    }

    /// Stops the tree when this leaf has returned.
    pub fn stop(&mut self) {
        self.state.more().control.push(Control::Stop);
    }

    /// Clears the blackboard and starts the tree again when this leaf has returned.
    pub fn reset(&mut self) {
        self.state.more().control.push(Control::Reset);
    }

    /// Runs another tree when this leaf has returned.
    pub fn load(&mut self, tree: impl Into<String>) {
        self.state.more().control.push(Control::Load(tree.into()));
    }

    /// The means to finish this call later, from any thread, after it has returned `None`. Every
    /// call within one action gives a clone of the same.
    pub fn completion(&mut self) -> Completion {
        self.state.more().completion()
    }

    /// Finishes this call, which returns `None`, so much later.
    pub fn finish_after(&mut self, wait: Duration, success: bool) {
        self.state.finish_after(wait, success);
    }

    /// Finishes this call, which returns `None`, in the poll of that number, the one it began in
    /// counted: 100, begun in poll 1, ends in poll 100.
    pub fn finish_after_polls(&mut self, polls: u32, success: bool) {
        self.state.finish_after_polls(polls, success);
    }

    /// Finishes this call, which returns `None`, when an event of that name arrives.
    pub fn finish_on(&mut self, event: impl Into<String>, success: bool) {
        let on = &mut self.state.more().on;
        on.reserve_exact(1);
        on.push((event.into(), success));
    }

    /// Keeps a value until this node is left, for whatever reason: its `Drop` is the clean-up that
    /// needs no agent.
    pub fn on_exit(&mut self, guard: impl Any + Send) {
        let guards = &mut self.state.more().guards;
        guards.reserve_exact(1);
        guards.push(Box::new(guard));
    }

    /// Leaves a value for the action's resume method, should this agent be saved while the call is
    /// pending. A value without a JSON form becomes `null`, and a warning goes to the log
    /// (`tracing`, target `bt`).
    pub fn keep(&mut self, value: impl Serialize) {
        let kept = encode(&value).unwrap_or_else(|why| {
            tracing::warn!(target: "bt", "what an action keeps {why}; it is null");
            Value::Null
        });
        self.state.more().kept = Some(Box::new(kept));
    }
}
