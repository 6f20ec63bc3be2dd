//! An action's view of the tree that calls it.

use std::any::Any;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Asked;
use super::completion::Completion;
use super::requested::Control;
use super::state::State;
use crate::blackboard::{Blackboard, KeyError};
use crate::contained::Contained;
use crate::decode::encode;
use crate::error::CallError;
use crate::node::NodeRef;
use crate::{Event, Random};

/// An action's view of the tree that calls it: the time, the agent's blackboard and random stream, and the
/// means to finish later, to fire events and to clean up.
///
/// An action takes it as `cx: &mut Context` (or `&Context`), anywhere among its parameters.
///
/// ```
/// use bt_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Chef { meals: u32 }
///
/// #[agent]
/// impl Chef {
///     /// Bakes for some seconds. The key `oven` says so meanwhile.
///     #[action(exit = "leave_oven")]
///     fn bake(&mut self, cx: &mut Context, seconds: u64) -> Option<bool> {
///         cx.set("oven", "hot");
///         cx.finish_after(Duration::from_secs(seconds), true);
///         None // started, and not finished
///     }
///
///     fn leave_oven(&mut self, cx: &mut Context, exit: Exit) {
///         cx.set("oven", "cold");
///         self.meals += u32::from(exit == Exit::Success);
///     }
/// }
/// # let _ = Chef { meals: 0 };
/// ```
#[derive(Debug)]
pub struct Context<'a> {
    pub(super) board: &'a Blackboard,
    pub(super) state: &'a mut State,
    /// In nanoseconds.
    pub(super) delta: u64,
}

impl<'a> Context<'a> {
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Context<'_> {
        Context {
            board: self.board,
            state: self.state,
            delta: self.delta,
        }
    }

    #[inline]
    pub(crate) fn board(&self) -> &'a Blackboard {
        self.board
    }

    /// The occasion on which a decorator or a composite is called: its node is entered, a child of it has ended,
    /// or it has its turn. [`Asked::Entry`] for any other method.
    #[inline]
    pub fn asked(&self) -> Asked {
        self.state.asked()
    }

    /// The error of the last call that was refused.
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

    /// The time since this node's method was called last in this run of the node; 0 in the first call. It is the time
    /// to move by in a polled action (`Status`), and how long the action waited in its exit method.
    ///
    /// Pauses do not count, and a saved agent keeps it. It is 0 outside of trees, and in guards, effects and services.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent, Default)]
    /// struct Snake { way: f64 }
    ///
    /// #[agent]
    /// impl Snake {
    ///     /// Creeps with a given speed.
    ///     #[action]
    ///     fn creep(&mut self, cx: &mut Context, speed: f64) -> Status {
    ///         self.way += speed * cx.delta().as_secs_f64();
    ///         Status::Running
    ///     }
    /// }
    ///
    /// let mut trees = TreeSet::<Snake>::new();
    /// trees.add(TreeAsset::build("leaf.json", "snake", action("creep").arg(0.5)));
    /// let mut runner = Runner::new(&trees.build()?, "leaf.json")?;
    /// let mut snake = Snake::default();
    /// runner.start();
    /// for seconds in [10, 11, 15] {
    ///     runner.poll(&mut snake, Duration::from_secs(seconds));
    /// }
    /// assert_eq!(snake.way, 2.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn delta(&self) -> Duration {
        Duration::from_nanos(self.delta)
    }

    /// The node that the call is made for: of a leaf the leaf itself, of an exit method the one that it
    /// ends, of a guard, an effect or a service the node that it is attached to. None outside of trees.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent, Default)]
    /// struct Herald { said: Vec<String> }
    ///
    /// #[agent]
    /// impl Herald {
    ///     #[action(exit = "fall_silent")]
    ///     fn proclaim(&mut self, cx: &mut Context) -> Option<bool> {
    ///         cx.finish_after(Duration::from_secs(9), true);
    ///         None
    ///     }
    ///     fn fall_silent(&mut self, cx: &mut Context, exit: Exit) {
    ///         let node = cx.node().map(|node| node.to_string());
    ///         self.said.push(format!("{exit:?} {}", node.unwrap_or_default()));
    ///     }
    /// }
    ///
    /// let mut trees = TreeSet::<Herald>::new();
    /// trees.add(TreeAsset::build("news.json", "herald", action("proclaim")));
    /// let mut runner = Runner::new(&trees.build()?, "news.json")?;
    /// let mut herald = Herald::default();
    /// runner.start();
    /// runner.poll(&mut herald, Duration::ZERO);
    /// runner.stop(&mut herald, Duration::ZERO);
    /// assert_eq!(herald.said, ["Aborted news.json: node 1 (action `proclaim`)"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn node(&self) -> Option<NodeRef> {
        NodeRef::new(self.board.nodes()?, self.state.calling()?)
    }

    /// Returns true if this is the first call of the action since its node was entered: a polled action
    /// (`Status`) is called again in each poll. So is what is called anew after a
    /// [restore](crate::Runner::restore). In an exit or a resume method it is not.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent, Default)]
    /// struct Mole { holes: u32, depth: u32 }
    ///
    /// #[agent]
    /// impl Mole {
    ///     #[action]
    ///     fn dig(&mut self, cx: &mut Context) -> Status {
    ///         if cx.is_first_call() {
    ///             self.holes += 1;
    ///         }
    ///         self.depth += 1;
    ///         Status::Running
    ///     }
    /// }
    ///
    /// let mut trees = TreeSet::<Mole>::new();
    /// trees.add(TreeAsset::build("garden.json", "mole", action("dig")));
    /// let mut runner = Runner::new(&trees.build()?, "garden.json")?;
    /// let mut mole = Mole::default();
    /// runner.start();
    /// for _ in 0..3 {
    ///     runner.poll(&mut mole, Duration::ZERO);
    /// }
    /// assert_eq!((mole.holes, mole.depth), (1, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_first_call(&self) -> bool {
        !self.state.is_again()
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

    /// Returns true if a blackboard key is set.
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

    /// Changes the value of a blackboard key in place; none is an unset key. What `change` leaves is
    /// written once, unless it is what was there. Of a key that several agents share this is one step
    /// that no other agent comes between: they can count together. Each poll of an agent sees what the
    /// others had written when it began.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// #[derive(Agent)]
    /// struct Bee;
    ///
    /// #[agent]
    /// impl Bee {
    ///     /// Bring a load home.
    ///     #[action]
    ///     fn unload(cx: &mut Context, load: u64) {
    ///         cx.update("honey", |honey| {
    ///             let had = honey.as_ref().and_then(|honey| honey.as_u64()).unwrap_or(0);
    ///             *honey = Some((had + load).into());
    ///         });
    ///     }
    /// }
    ///
    /// let mut session = Session::new(0);
    /// for load in [3, 4] {
    ///     let (bee, cx) = (&mut Bee, &mut session.context());
    ///     Registry::global()?.invoke(bee, &mut (), cx, "unload", &[load].into())?;
    /// }
    /// assert_eq!(session.blackboard().get("honey"), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update<R>(&mut self, key: &str, change: impl FnOnce(&mut Option<Value>) -> R) -> R {
        self.board.update(key, change)
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

    /// Returns true if somebody traces this agent, and [notes](Context::note) are kept.
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

    /// Keeps a value until this node is exited, for whatever reason: its `Drop` is the clean-up that
    /// needs no agent. Later calls of a polled action, and its exit method, find it by its type: see
    /// [`memory`](Context::memory).
    pub fn on_exit(&mut self, guard: impl Any + Send) {
        let guards = &mut self.state.more().guards;
        guards.reserve_exact(1);
        guards.push(Contained::new(guard));
    }

    /// The value of that type that this call, or an earlier one since the node was entered, has
    /// [kept](Context::on_exit), the first of them; none if there is none.
    pub fn memory<T: Any + Send>(&mut self) -> Option<&mut T> {
        self.state.memory()
    }

    /// The same; where there is none, what `init` makes is kept.
    ///
    /// So a polled action has a value of its own for each run of its node. It is dropped when the node
    /// is left, after the exit method, which finds it too. It cannot be saved: a restored action that
    /// had one is called anew, or resumed with what it [left](Context::keep) for that.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent, Default)]
    /// struct Courier { last: Option<usize> }
    ///
    /// /// Where it is on its way.
    /// struct Route { stops: Vec<&'static str>, at: usize }
    ///
    /// #[agent]
    /// impl Courier {
    ///     #[action(exit = "arrive")]
    ///     fn deliver(cx: &mut Context) -> Status {
    ///         let route = cx.memory_or(|| Route { stops: vec!["mill", "inn"], at: 0 });
    ///         route.at += 1;
    ///         if route.at == route.stops.len() { Status::Success } else { Status::Running }
    ///     }
    ///     fn arrive(&mut self, cx: &mut Context, _: Exit) {
    ///         self.last = cx.memory::<Route>().map(|route| route.at);
    ///     }
    /// }
    ///
    /// let mut trees = TreeSet::<Courier>::new();
    /// trees.add(TreeAsset::build("post.json", "courier", action("deliver")));
    /// let mut runner = Runner::new(&trees.build()?, "post.json")?;
    /// let mut courier = Courier::default();
    /// runner.start();
    /// runner.poll(&mut courier, Duration::ZERO);
    /// assert_eq!(courier.last, None);
    /// runner.poll(&mut courier, Duration::ZERO);
    /// assert_eq!(courier.last, Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn memory_or<T: Any + Send>(&mut self, init: impl FnOnce() -> T) -> &mut T {
        if self.memory::<T>().is_none() {
            self.on_exit(init());
        }
        self.memory().expect("it was kept just now")
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
