//! Everything that reaches a pool from elsewhere: from other threads, and from its agents.

use std::fmt;
use std::sync::Arc;

use super::AgentId;
use super::inbox::Inbox;
use super::letterbox::Letterbox;
use super::orders::Orders;
use crate::deferred;
use crate::{Agent, Event, Runner};

/// Reaches the agents of a [`Pool`](crate::pool::Pool) from any thread, and from their own actions.
///
/// A request between rounds counts in the next one. What an agent requests in a round counts after it,
/// in the order of the agents' ids, whatever the number of chunks. Dead ids are
/// [counted](crate::pool::Pool::missed). What waits for a round is bounded: an agent is woken once, and so many
/// [events](crate::pool::Pool::set_inbox_limit) are kept for it; more are [refused](crate::pool::Pool::refused).
///
/// ```
/// use bt_core::pool::Pool;
/// use bt_core::prelude::*;
/// use bt_core::tree::asset::spec::wait_event;
/// use bt_core::{Mode, Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Ewe;
///
/// let mut trees = TreeSet::<Ewe>::new();
/// trees.add(TreeAsset::build("graze.json", "ewe", wait_event("barked")));
/// let trees = trees.build()?;
/// let mut flock = Pool::new();
/// for _ in 0..3 {
///     let mut runner = Runner::new(&trees, "graze.json")?.mode(Mode::Once);
///     runner.start();
///     flock.spawn(Ewe, runner);
/// }
/// flock.poll(Duration::ZERO);
/// let dog = flock.handle();
/// std::thread::spawn(move || dog.fire_all(Event::new("barked"))).join().unwrap();
/// assert_eq!(flock.poll(Duration::ZERO), 3);
/// assert!(flock.iter().all(|(_, _, runner)| runner.result() == Some(true)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PoolHandle {
    pub(super) orders: Arc<Orders>,
    pub(super) inbox: Arc<Inbox>,
}

impl PoolHandle {
    /// Fires an event at an agent.
    pub fn fire(&self, id: AgentId, event: Event) {
        self.order(move |orders| orders.fire(id, event));
    }

    /// Fires an event at some agents.
    pub fn fire_some(&self, ids: impl IntoIterator<Item = AgentId>, event: Event) {
        let ids = ids.into_iter().collect();
        self.order(move |orders| orders.fire_some(ids, event));
    }

    /// Fires an event at every agent that there is when it arrives.
    pub fn fire_all(&self, event: Event) {
        self.order(move |orders| orders.fire_all(event));
    }

    /// Makes an agent due.
    pub fn wake(&self, id: AgentId) {
        self.order(move |orders| orders.wake(id));
    }

    /// Despawns an agent: its tree is stopped, exit methods are called, and when nothing is cancelling any
    /// more it is removed. This begins when the agent is polled next; for an agent that despawns itself, at
    /// the end of the current poll.
    pub fn despawn(&self, id: AgentId) {
        if !deferred::end_after_turn(self.inbox.doer(id)) {
            self.order(move |orders| orders.despawn(id));
        }
    }

    /// Adds an order; the host is called if it is kept.
    fn order(&self, add: impl FnOnce(&Orders) -> bool + Send + 'static) {
        let handle = self.clone();
        deferred::after_round(move || {
            if add(&handle.orders) {
                handle.inbox.call_host();
            }
        });
    }
}

impl fmt::Debug for PoolHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PoolHandle").finish_non_exhaustive()
    }
}

/// Adds agents to a [`Pool`](crate::pool::Pool) from any thread, and from its own agents' actions.
///
/// As with a [`PoolHandle`], what agents spawn in a round is there after it, in the order of the
/// agents' ids.
///
/// ```
/// use bt_core::pool::{Pool, Spawner};
/// use bt_core::prelude::*;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Mode, Runner, TreeAsset, TreeSet, Trees};
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Cell { trees: Trees<Cell>, dish: Spawner<Cell> }
///
/// #[agent]
/// impl Cell {
///     #[action]
///     fn divide(&mut self) {
///         let Ok(mut runner) = Runner::new(&self.trees, "live.json") else { return };
///         runner.start();
///         let dish = self.dish.clone();
///         self.dish.spawn(Cell { trees: self.trees.clone(), dish }, runner);
///     }
/// }
///
/// let mut trees = TreeSet::<Cell>::new();
/// trees.add(TreeAsset::build("live.json", "cell", action("divide")));
/// let trees = trees.build()?;
/// let mut dish = Pool::new();
/// let mut runner = Runner::new(&trees, "live.json")?;
/// runner.start();
/// dish.spawn(Cell { trees, dish: dish.spawner() }, runner);
/// for step in 0..4 {
///     dish.poll(Duration::from_secs(step));
/// }
/// assert_eq!(dish.len(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Spawner<A: Agent> {
    pub(super) born: Arc<Letterbox<(A, Runner<A>)>>,
    pub(super) inbox: Arc<Inbox>,
}

impl<A: Agent + Send> Spawner<A> {
    /// Adds an agent with its runner; its turns begin in the next round.
    pub fn spawn(&self, agent: A, runner: Runner<A>) {
        let spawner = self.clone();
        deferred::after_round(move || {
            spawner.born.push((agent, runner));
            spawner.inbox.call_host();
        });
    }
}

impl<A: Agent> Clone for Spawner<A> {
    fn clone(&self) -> Spawner<A> {
        Spawner {
            born: self.born.clone(),
            inbox: self.inbox.clone(),
        }
    }
}

impl<A: Agent> fmt::Debug for Spawner<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spawner").finish_non_exhaustive()
    }
}
