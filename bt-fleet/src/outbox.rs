//! Effects of agents on agents of other shards, and lines in logs.
//!
//! It happens once the save is accepted in which its cause is: so it happens once, whoever fails when.

use std::cell::RefCell;
use std::fmt;

use bt_core::{Context, Event};
use serde::Serialize;
use serde_json::Value;

use crate::config::is_name;
use crate::key::Key;
use crate::wire::chain::Content;
use crate::wire::input::What;

/// An effect before it has a number; the name is that of a log.
#[derive(Debug)]
pub(crate) enum Sent {
    To(Key, What),
    Line(String, Value),
}

impl Sent {
    pub(crate) fn content(self) -> Content {
        match self {
            Sent::To(key, what) => Content::Agent(key, what),
            Sent::Line(_, line) => Content::Line(line),
        }
    }
}

thread_local! {
    /// The effects of the agents of the round on this thread; none outside of a round.
    static SENT: RefCell<Option<Vec<Sent>>> = const { RefCell::new(None) };
}

/// Collects what agents send in a round on this thread.
pub(crate) fn collect(round: impl FnOnce()) -> Vec<Sent> {
    SENT.set(Some(Vec::new()));
    round();
    SENT.take().unwrap_or_default()
}

/// The way of an action to other agents of its fleet, and to logs: [`FleetContext::outbox`].
pub struct Outbox(());

/// Gives actions an [`Outbox`].
pub trait FleetContext {
    /// The way to other agents of the fleet, wherever they run, and to logs.
    ///
    /// What is sent takes effect once the agent is saved with what it did, and then once, also if the member fails.
    /// That takes the time until the next save. Outside of a member's round nothing is sent: see [`Outbox`].
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_fleet::FleetContext;
    ///
    /// #[derive(Agent)]
    /// struct Herald;
    ///
    /// #[agent]
    /// impl Herald {
    ///     #[event]
    ///     fn news(text: &str);
    ///
    ///     #[action]
    ///     fn call(&mut self, cx: &mut Context) -> bool {
    ///         cx.outbox().fire("herald:2", Herald::news("The bridge is open."))
    ///     }
    /// }
    /// ```
    fn outbox(&mut self) -> Outbox;
}

impl FleetContext for Context<'_> {
    fn outbox(&mut self) -> Outbox {
        Outbox(())
    }
}

impl Outbox {
    /// Fires an event at an agent; false outside of a member's round, where nothing happens.
    #[must_use = "outside of a round nothing is sent"]
    pub fn fire(&self, key: impl Into<Key>, event: Event) -> bool {
        let params = event
            .params()
            .map(|(name, value)| (name.to_owned(), value.clone()));
        let what = What::Fire {
            event: event.name().to_owned(),
            params: Value::Object(params.collect()),
        };
        send(Sent::To(key.into(), what))
    }

    /// Spawns an agent, as [`Fleet::spawn`](crate::Fleet::spawn) does; false as of [`fire`](Outbox::fire).
    #[must_use = "outside of a round nothing is sent"]
    pub fn spawn(&self, key: impl Into<Key>, tree: &str, args: Value) -> bool {
        let tree = tree.to_owned();
        send(Sent::To(key.into(), What::Spawn { tree, args }))
    }

    /// Despawns an agent; false as of [`fire`](Outbox::fire).
    #[must_use = "outside of a round nothing is sent"]
    pub fn despawn(&self, key: impl Into<Key>) -> bool {
        send(Sent::To(key.into(), What::Despawn))
    }

    /// Writes a line into a log, which the host reads with [`Fleet::log`](crate::Fleet::log). False as of
    /// [`fire`](Outbox::fire), for a name that has other than letters, digits, `_` and `-`, and for a line without a
    /// JSON form.
    #[must_use = "outside of a round nothing is sent"]
    pub fn log(&self, name: &str, line: impl Serialize) -> bool {
        let line = serde_json::to_value(line).ok().filter(|_| is_name(name));
        line.is_some_and(|line| send(Sent::Line(name.to_owned(), line)))
    }
}

fn send(sent: Sent) -> bool {
    SENT.with_borrow_mut(|all| {
        let all = all.as_mut();
        all.map(|all| all.push(sent)).is_some()
    })
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outbox")
    }
}
