//! The agents that changed since somebody took note of them: those that have to be saved again.

use super::AgentId;
use super::agents::Pool;
use crate::Agent;

/// The result of [`Pool::take_changed`]: ids, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changed {
    /// The agents that changed and are in the pool.
    pub agents: Vec<AgentId>,
    /// The agents that have gone. One that came and went meanwhile is among them.
    pub gone: Vec<AgentId>,
}

/// The changes since they were taken last, if somebody follows them.
#[derive(Debug, Default)]
pub(super) struct Changes {
    follows: bool,
    /// By place: true if its agent is in `all.agents`.
    marked: Vec<bool>,
    all: Changed,
}

impl Changes {
    /// Marks an agent that is there.
    #[inline]
    pub(super) fn mark(&mut self, id: AgentId) {
        if self.follows {
            self.add(id);
        }
    }

    fn add(&mut self, id: AgentId) {
        let place = id.index() as usize;
        if self.marked.len() <= place {
            self.marked.resize(place + 1, false);
        }
        if !std::mem::replace(&mut self.marked[place], true) {
            self.all.agents.push(id);
        }
    }

    /// Marks an agent that goes: its place is another agent's from now on.
    pub(super) fn mark_gone(&mut self, id: AgentId) {
        if self.follows {
            if let Some(marked) = self.marked.get_mut(id.index() as usize) {
                *marked = false;
            }
            self.all.gone.push(id);
        }
    }
}

impl<A: Agent> Pool<A> {
    /// Follows from now on which agents change, for [`take_changed`](Pool::take_changed). Those that are there count
    /// as changed.
    pub fn follow_changes(&mut self) {
        self.changes.follows = true;
        for place in 0..self.queue.place_count() {
            if let Some(id) = self.queue.id_at(place) {
                self.changes.mark(id);
            }
        }
    }

    /// The agents that were polled, fired at, spawned, despawned, paused, resumed or borrowed by
    /// [`get_mut`](Pool::get_mut) since this was called last: a host that [saves](Pool::save_agent) these has saved
    /// everybody. Nothing until changes are [followed](Pool::follow_changes).
    ///
    /// What has arrived from other threads and was not delivered counts when it is.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::{pool::Pool, tree::asset::spec::{action, sequence, wait_event}, Runner, TreeAsset, TreeSet};
    /// # use std::time::Duration;
    /// # #[derive(Agent)]
    /// # struct Lark;
    /// # let mut trees = TreeSet::<Lark>::new();
    /// # let rest = sequence([wait_event("dawn"), action("wait_for_seconds").arg(60)]);
    /// # trees.add(TreeAsset::build("rest.json", "lark", rest));
    /// # let trees = trees.build()?;
    /// # let lark = || Runner::new(&trees, "rest.json").map(|mut runner| { runner.start(); runner });
    /// let mut field = Pool::new();
    /// field.follow_changes();
    /// let (one, other) = (field.spawn(Lark, lark()?), field.spawn(Lark, lark()?));
    /// field.poll(Duration::ZERO);
    /// assert_eq!(field.take_changed().agents, [one, other]);
    /// field.fire(other, Event::new("dawn"));
    /// field.poll(Duration::from_secs(1));
    /// field.despawn(one);
    /// let changed = field.take_changed();
    /// assert_eq!((changed.agents, changed.gone), (vec![other], vec![one]));
    /// let saved = field.save_agent(other).unwrap();
    /// assert!(field.take_changed().agents.is_empty(), "it was only saved");
    ///
    /// // Elsewhere, on a clock that continues where this one stood.
    /// let mut copy = Pool::new();
    /// let runner = Runner::restore(&trees, saved.runner())?.at(Duration::from_secs(1));
    /// copy.spawn(Lark, runner);
    /// copy.poll(Duration::from_secs(21));
    /// assert_eq!(copy.next_wake(), Some(Duration::from_secs(61)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_changed(&mut self) -> Changed {
        let mut all = std::mem::take(&mut self.changes.all);
        for id in &all.agents {
            self.changes.marked[id.index() as usize] = false;
        }
        all.agents.retain(|id| self.queue.contains(*id));
        all.agents.sort_unstable();
        all.gone.sort_unstable();
        all
    }
}
