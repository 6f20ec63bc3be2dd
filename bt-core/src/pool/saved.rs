//! A pool as data, and back.

use serde::{Deserialize, Serialize};

use super::agents::Pool;
use super::member::Member;
use super::{AgentId, Changed, WakeQueue};
use crate::snapshot::{RestoreError, Saved};
use crate::{Agent, Runner, Trees};

/// The result of [`Pool::save`]: each runner in the state of its agent, by id. The agents themselves are the
/// host's to save. Ids stay as they are, dead ones too.
///
/// ```
/// use bt_core::pool::{Pool, SavedPool};
/// use bt_core::prelude::*;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Bear;
///
/// let mut trees = TreeSet::<Bear>::new();
/// trees.add(TreeAsset::build("winter.json", "bear", action("wait_for_seconds").arg(100)));
/// let trees = trees.build()?;
/// let mut den = Pool::new();
/// let mut runner = Runner::new(&trees, "winter.json")?;
/// runner.start();
/// let bear = den.spawn(Bear, runner);
/// den.poll(Duration::ZERO);
/// den.poll(Duration::from_secs(60));
/// let text = serde_json::to_string(&den.save())?;
///
/// // Later, elsewhere: 40 seconds are left, whatever the clock says.
/// let saved: SavedPool = serde_json::from_str(&text)?;
/// let mut den = Pool::restore(&trees, &saved, |_| Bear)?;
/// den.poll(Duration::from_secs(7));
/// assert!(den.contains(bear));
/// assert_eq!(den.next_wake(), Some(Duration::from_secs(47)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedPool {
    format: u32,
    paused: bool,
    missed: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    refused: u64,
    /// The seed from which its agents get their seeds.
    #[serde(default, skip_serializing_if = "is_zero")]
    seed: u64,
    /// Of each place, the number of the last agent that had it.
    generations: Vec<u32>,
    /// The places that are used again, the last one first.
    free: Vec<u32>,
    agents: Vec<SavedAgent>,
}

/// One agent of a pool, as [`Pool::save`] and [`Pool::save_agent`] save it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedAgent {
    id: AgentId,
    ends: bool,
    runner: Saved,
}

impl SavedAgent {
    /// Its id in that pool.
    pub fn id(&self) -> AgentId {
        self.id
    }

    /// Returns true if it was despawned, and is still cancelling: in another pool it is to be despawned again.
    pub fn ends(&self) -> bool {
        self.ends
    }

    /// The state of its runner.
    pub fn runner(&self) -> &Saved {
        &self.runner
    }
}

const FORMAT: u32 = 1;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl SavedPool {
    /// The ids of the agents, sorted.
    pub fn ids(&self) -> impl Iterator<Item = AgentId> {
        self.agents.iter().map(|agent| agent.id)
    }
}

impl<A: Agent> Pool<A> {
    /// Saves every runner between two rounds, as of the pool's clock. What has arrived and was not
    /// delivered is saved with the agents that it is for. What was asked of handles and spawners is done
    /// before: agents that a [`Spawner`](crate::pool::Spawner) was given are in the pool and in what is
    /// saved, so their ids are among those for which [`restore`](Pool::restore) asks.
    pub fn save(&mut self) -> SavedPool {
        self.apply_orders();
        let (generations, free) = self.queue.places();
        let mut agents = Vec::with_capacity(self.len());
        for place in 0..self.queue.place_count() {
            let id = self.queue.id_at(place);
            agents.extend(id.and_then(|id| self.save_agent(id)));
        }
        SavedPool {
            format: FORMAT,
            paused: self.is_paused(),
            missed: self.missed(),
            refused: self.refused(),
            seed: self.queue.saved_seed(),
            generations,
            free,
            agents,
        }
    }

    /// Saves the runner of one agent between two rounds, as of the pool's [clock](Pool::now); none if it is not there.
    /// The agent is neither due nor [changed](Pool::take_changed) by that.
    pub fn save_agent(&mut self, id: AgentId) -> Option<SavedAgent> {
        self.save_agent_by(id, Runner::save)
    }

    /// The same, [compact](Runner::save_compact).
    pub fn save_agent_compact(&mut self, id: AgentId) -> Option<SavedAgent> {
        self.save_agent_by(id, Runner::save_compact)
    }

    fn save_agent_by(&mut self, id: AgentId, save: fn(&Runner<A>) -> Saved) -> Option<SavedAgent> {
        let now = self.now();
        let ends = self.queue.ends(id);
        let members = self.members.get_mut(id.index() as usize);
        let member = members?.as_mut().filter(|_| self.queue.contains(id))?;
        member.runner.set_now(now);
        Some(SavedAgent {
            id,
            ends,
            runner: save(&member.runner),
        })
    }

    /// Makes a pool of what was saved, on any clock: the host gives the agent of each id. In the first
    /// round everybody is polled, since it says what the time is.
    ///
    /// # Errors
    /// [`RestoreError`] as of [`Runner::restore`], and if what was saved makes no sense.
    pub fn restore(
        trees: &Trees<A>,
        saved: &SavedPool,
        mut agent: impl FnMut(AgentId) -> A,
    ) -> Result<Pool<A>, RestoreError> {
        if saved.format > FORMAT {
            let what = format!(
                "expected a pool in format {FORMAT} or older, found {}",
                saved.format
            );
            return Err(RestoreError::newer(what));
        }
        let queue = WakeQueue::with_places(&saved.generations, &saved.free, saved.ids());
        let Some(mut queue) = queue else {
            let what = "the ids of its agents and its places do not fit one another";
            return Err(RestoreError::malformed(what));
        };
        queue.set_seed(saved.seed);
        let mut pool = Pool::with_queue(queue, saved.missed, saved.refused);
        if saved.paused {
            pool.pause_all();
        }
        for SavedAgent { id, ends, runner } in &saved.agents {
            let runner = Runner::restore(trees, runner)?;
            let agent = agent(*id);
            pool.put(*id, Member { agent, runner });
            pool.queue.wake(*id);
            if *ends {
                pool.queue.end(*id);
            }
        }
        Ok(pool)
    }
}

impl<A: Agent> Pool<A> {
    /// Follows from now on which agents change, for [`take_changed`](Pool::take_changed). Those that are there count
    /// as changed.
    pub fn follow_changes(&mut self) {
        self.changes.follow();
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
        let mut all = self.changes.take();
        all.agents.retain(|id| self.queue.contains(*id));
        all
    }
}
