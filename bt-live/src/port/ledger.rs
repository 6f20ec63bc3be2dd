//! A ledger of what clients have put into agents: so much of it, and no more.

use std::collections::BTreeMap;

use super::answers::look;
use super::game::Game;
use super::limits::{NAME, WRITTEN, WRITTEN_BYTES};
use crate::protocol::{Error, ErrorCode};

/// The number of bytes that an entry takes beside what it is about.
const ENTRY: usize = 128;

/// The number of agents that are looked at for some that are gone.
const PRUNED: usize = 256;

/// The name under which the events of an agent are entered.
const EVENTS: &str = "events";

/// The amount that clients have put into each agent: keys, properties, events that wait, forced nodes.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    agents: BTreeMap<u64, BTreeMap<String, usize>>,
    bytes: usize,
    /// From which agent on it looks next for those that are gone.
    next: u64,
}

impl Ledger {
    /// Enters that something of an agent has so many bytes now.
    pub(super) fn put(
        &mut self,
        agent: u64,
        what: String,
        bytes: usize,
        game: &mut dyn Game,
    ) -> Result<(), Error> {
        let bytes = bytes + what.len() + ENTRY;
        let entries = self.agents.get(&agent);
        let before = entries.and_then(|entries| entries.get(&what)).copied();
        let is_new = before.is_none();
        if is_new && entries.is_some_and(|entries| entries.len() >= WRITTEN) {
            let why = format!(
                "clients have changed {WRITTEN} keys, properties and nodes of this agent: no more than that is possible"
            );
            return Err(Error::new(ErrorCode::Limit, why));
        }
        if self.bytes - before.unwrap_or(0) + bytes > WRITTEN_BYTES {
            self.prune(game);
        }
        // It may be among those.
        let entries = self.agents.get(&agent);
        let before = entries.and_then(|entries| entries.get(&what)).copied();
        let all = self.bytes - before.unwrap_or(0) + bytes;
        if all > WRITTEN_BYTES {
            let why = format!(
                "what clients have written to agents has {} MiB: no more than that is possible",
                WRITTEN_BYTES >> 20
            );
            return Err(Error::new(ErrorCode::Limit, why));
        }
        self.bytes = all;
        self.agents.entry(agent).or_default().insert(what, bytes);
        Ok(())
    }

    /// Enters an event for an agent. Those before it count as long as one of them may wait.
    pub(super) fn fire(
        &mut self,
        agent: u64,
        bytes: usize,
        game: &mut dyn Game,
    ) -> Result<(), Error> {
        let waits = look(agent, game, |view| view.has_queued_events())?;
        let entries = self.agents.get(&agent).filter(|_| waits);
        let before = entries.and_then(|entries| entries.get(EVENTS)).copied();
        self.put(agent, EVENTS.to_owned(), before.unwrap_or(0) + bytes, game)
    }

    /// Something of an agent is as it was before clients changed it.
    pub(super) fn remove(&mut self, agent: u64, what: &str) {
        if let Some(entries) = self.agents.get_mut(&agent) {
            self.bytes -= entries.remove(what).unwrap_or(0);
            if entries.is_empty() {
                self.agents.remove(&agent);
            }
        }
    }

    /// Forgets agents that are gone, and events that were delivered, of some agents.
    fn prune(&mut self, game: &mut dyn Game) {
        let later = self.agents.range(self.next..).map(|(id, _)| *id);
        let ids: Vec<u64> = later.take(PRUNED).collect();
        self.next = match ids.last() {
            Some(last) if ids.len() == PRUNED => last.saturating_add(1),
            _ => 0,
        };
        for id in ids {
            match look(id, game, |view| view.has_queued_events()) {
                Ok(true) => {}
                Ok(false) => self.remove(id, EVENTS),
                Err(_) => {
                    let gone = self.agents.remove(&id).unwrap_or_default();
                    self.bytes -= gone.values().sum::<usize>();
                }
            }
        }
    }
}

/// A name that a client has made up.
pub(super) fn named(what: &str, name: &str) -> Result<(), Error> {
    if name.len() <= NAME {
        return Ok(());
    }
    let why = format!(
        "the name of {what} has at most {NAME} bytes, and this one has {}",
        name.len()
    );
    Err(Error::new(ErrorCode::Params, why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::PoolGame;
    use bt_core::builtin::ActionAgent;
    use bt_core::pool::Pool;
    use bt_core::tree::asset::spec::wait_event;
    use bt_core::{Event, Runner, TreeAsset, TreeSet};
    use std::time::Duration;

    #[test]
    fn what_is_gone_leaves_room() {
        let mut trees = TreeSet::<ActionAgent>::new();
        trees.add(TreeAsset::build("wait", "action_agent", wait_event("bell")));
        let trees = trees.build().unwrap();
        let mut pool = Pool::new();
        let mut spawn = || {
            let mut runner = Runner::new(&trees, "wait").unwrap();
            runner.start();
            pool.spawn(ActionAgent, runner).to_bits()
        };
        let (there, gone) = (spawn(), spawn());
        let mut ledger = Ledger::default();
        let half = WRITTEN_BYTES / 2 - 1_000;
        let key = || "key".to_owned();
        {
            let world = &mut ();
            let game = &mut PoolGame::new(&mut pool, world);
            ledger.put(there, key(), half, game).unwrap();
            ledger.put(gone, key(), half, game).unwrap();
            assert!(ledger.put(there, "more".to_owned(), 10_000, game).is_err());
            // What is in place of something has its room.
            ledger.put(there, key(), half + 500, game).unwrap();
        }
        pool.despawn(bt_core::pool::AgentId::from_bits(gone));
        pool.poll(Duration::ZERO);
        let world = &mut ();
        let game = &mut PoolGame::new(&mut pool, world);
        ledger.put(there, "more".to_owned(), 10_000, game).unwrap();
    }

    #[test]
    fn events_count_until_they_are_delivered() {
        let mut trees = TreeSet::<ActionAgent>::new();
        trees.add(TreeAsset::build("wait", "action_agent", wait_event("bell")));
        let trees = trees.build().unwrap();
        let mut pool = Pool::new();
        let mut runner = Runner::new(&trees, "wait").unwrap();
        runner.start();
        let agent = pool.spawn(ActionAgent, runner);
        pool.poll(Duration::ZERO);
        let mut ledger = Ledger::default();
        let mut fire = |pool: &mut Pool<ActionAgent>| {
            let fired = ledger.fire(
                agent.to_bits(),
                WRITTEN_BYTES / 3,
                &mut PoolGame::new(pool, &mut ()),
            );
            if fired.is_ok() {
                pool.fire(agent, Event::new("bell"));
            }
            fired.is_ok()
        };
        assert_eq!(
            [fire(&mut pool), fire(&mut pool), fire(&mut pool)],
            [true, true, false]
        );
        pool.poll(Duration::ZERO);
        assert!(fire(&mut pool));
    }
}
