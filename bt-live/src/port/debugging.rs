//! Breakpoints of clients, and the agents that are stopped.
//!
//! Clients say what they want; a sweep over the agents, a few in each poll, brings them to it: it gives them their
//! breakpoints, tells clients where agents have stopped, and lets those continue that are stopped for nobody.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use bt_core::debug::{Breakpoints, Forced, Step, Stop, Why};

use super::answers::{change, number};
use super::breakpoints::{Entry, Limits, step_of, wrong};
use super::game::{Game, View};
use super::limits::LOOKED_AT;
use super::outlets::Outlets;
use super::task::Clock;
use crate::protocol::types::*;
use crate::protocol::{Error, Event};

/// The number of agents that are looked at for some that are new, or have stopped, before the clock is.
const CHUNK: usize = 64;

/// The breakpoints of all clients, and the agents that are stopped.
#[derive(Default)]
pub(super) struct Debugging {
    clients: BTreeMap<u64, Set>,
    /// The last id of a breakpoint.
    last: u64,
    wanted: Wanted,
    /// The agents that have breakpoints, or were stopped otherwise.
    agents: BTreeMap<u64, Debugged>,
    /// Those that may have to get other breakpoints.
    to_place: VecDeque<u64>,
    /// The owners of the breakpoints that one of those may still have.
    retired: BTreeMap<u64, u64>,
    /// The agent that is looked at next; the one after which new agents are looked for.
    next: u64,
    seen: Option<u64>,
}

/// The breakpoints of one client.
#[derive(Default)]
struct Set {
    all: Vec<Entry>,
    stop_all: bool,
}

/// The breakpoints of all clients, by agent.
#[derive(Default)]
struct Wanted {
    for_all: Breakpoints,
    /// The owner of each breakpoint.
    owners: BTreeMap<u64, u64>,
    /// The numbers of those that name an agent.
    named: BTreeMap<u64, Vec<u64>>,
    /// The breakpoints of an agent that only those with these numbers name.
    sets: BTreeMap<Vec<u64>, Option<Arc<Breakpoints>>>,
}

/// An agent that may stop, or is stopped.
#[derive(Default)]
struct Debugged {
    /// The breakpoints that it has.
    placed: Option<Arc<Breakpoints>>,
    /// The number of the stop that clients know of.
    announced: Option<u64>,
    /// The one who steps it.
    stepper: Whose,
    /// The number of the stop where it is, and for whom it stands there.
    stop: Option<(u64, Whose)>,
}

/// Somebody who wants something of an agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Whose {
    /// Nobody, or the host.
    #[default]
    Nobody,
    Client(u64),
    /// A client that is gone.
    Gone,
}

impl Debugged {
    /// Notes where it is stopped, by a breakpoint of somebody.
    fn notice(&mut self, stop: Option<&Stop>, by_breakpoint: Whose) {
        let known = self.stop.map(|(number, _)| number);
        if known != stop.map(|stop| stop.number) {
            self.stop = stop.map(|stop| {
                let whose = match stop.why {
                    Why::Breakpoint(_) => by_breakpoint,
                    Why::Step | Why::Asked => self.stepper,
                };
                (stop.number, whose)
            });
        }
    }

    /// A client is gone. Its step and its stop are those of the other client that debugs the agent, if there is one.
    fn leave(&mut self, client: u64, heir: Option<u64>) {
        let gone = Whose::Client(client);
        let of_stop = self.stop.as_mut().map(|(_, whose)| whose);
        for whose in [Some(&mut self.stepper), of_stop].into_iter().flatten() {
            if *whose == gone {
                *whose = heir.map_or(Whose::Gone, Whose::Client);
            }
        }
    }
}

impl Wanted {
    fn of(clients: &BTreeMap<u64, Set>) -> Wanted {
        let mut wanted = Wanted::default();
        let all = || clients.values().flat_map(|set| &set.all);
        let for_all = all().filter(|entry| entry.agents.is_none());
        wanted.for_all = Breakpoints::new(for_all.map(|entry| entry.breakpoint.clone()));
        for (client, set) in clients {
            for entry in &set.all {
                wanted.owners.insert(entry.breakpoint.id, *client);
                for agent in entry.agents.iter().flatten() {
                    let named = wanted.named.entry(*agent).or_default();
                    named.push(entry.breakpoint.id);
                }
            }
        }
        wanted
    }

    /// The breakpoints that an agent gets. Agents that the same breakpoints are for share them.
    fn of_agent(&mut self, agent: u64, clients: &BTreeMap<u64, Set>) -> Option<Arc<Breakpoints>> {
        let named = self.named.get(&agent).map_or(&[][..], Vec::as_slice);
        if let Some(known) = self.sets.get(named) {
            return known.clone();
        }
        let own = named.iter().filter_map(|id| {
            let set = clients.get(self.owners.get(id)?)?;
            let own = set.all.iter().find(|entry| entry.breakpoint.id == *id);
            own.map(|entry| entry.breakpoint.clone())
        });
        let own = Breakpoints::new(own);
        let all = Breakpoints::joined([&self.for_all, &own]);
        let all = (!all.is_empty()).then(|| Arc::new(all));
        self.sets.insert(named.to_vec(), all.clone());
        all
    }
}

impl Debugging {
    /// Replaces the breakpoints of a client. The agents get them in the next sweeps.
    pub(super) fn set(
        &mut self,
        client: u64,
        asked: SetBreakpoints,
        game: &mut dyn Game,
    ) -> Result<BreakpointList, Error> {
        let others = self.clients.iter().filter(|(other, _)| **other != client);
        let mut limits = Limits::new(others.flat_map(|(_, set)| &set.all));
        let mut all = Vec::new();
        for (at, spec) in asked.breakpoints.into_iter().enumerate() {
            let entry = Entry::new(self.last + 1 + at as u64, spec)?;
            limits.add(&entry)?;
            all.push(entry);
        }
        self.last += all.len() as u64;
        let stop_all = asked.stop_all;
        let list = BreakpointList {
            breakpoints: all.iter().map(|entry| entry.listed(true)).collect(),
        };
        let before = match all.is_empty() {
            true => self.clients.remove(&client),
            false => self.clients.insert(client, Set { all, stop_all }),
        };
        let before = before.unwrap_or_default().all.into_iter();
        self.retired
            .extend(before.map(|entry| (entry.breakpoint.id, client)));
        self.want(game);
        Ok(list)
    }

    pub(super) fn list(&self, client: u64) -> BreakpointList {
        let all = self.clients.iter();
        let all = all.flat_map(|(of, set)| set.all.iter().map(move |it| it.listed(*of == client)));
        let mut breakpoints: Vec<_> = all.collect();
        breakpoints.sort_by_key(|entry| entry.id);
        BreakpointList { breakpoints }
    }

    /// The next of the agents that may be stopped, from an id on.
    pub(super) fn next_agent(&self, from: u64) -> Option<u64> {
        self.agents.range(from..).next().map(|(id, _)| *id)
    }

    /// Returns true if all agents have the breakpoints that they are to have.
    pub(super) fn is_placed(&self) -> bool {
        self.to_place.is_empty()
    }

    /// The breakpoints are others now.
    fn want(&mut self, game: &dyn Game) {
        self.wanted = Wanted::of(&self.clients);
        let mut ids: BTreeSet<u64> = self.agents.keys().copied().collect();
        ids.extend(self.wanted.named.keys());
        if !self.wanted.for_all.is_empty() {
            ids.extend(game.ids(None, LOOKED_AT));
        }
        self.to_place = ids.into_iter().collect();
    }

    /// Stops an agent at the next place where it can.
    pub(super) fn stop_next(
        &mut self,
        client: u64,
        id: u64,
        game: &mut dyn Game,
    ) -> Result<(), Error> {
        change(&id.to_string(), game, |agent| agent.stop_next())?;
        self.agents.entry(id).or_default().stepper = Whose::Client(client);
        Ok(())
    }

    /// Lets a stopped agent go on.
    pub(super) fn step(
        &mut self,
        client: u64,
        asked: crate::protocol::types::Step,
        game: &mut dyn Game,
    ) -> Result<(), Error> {
        let step = step_of(&asked)?;
        change(&asked.agent, game, |agent| {
            agent.step(asked.number, step.clone())
        })??;
        let agent = self.agents.entry(number(&asked.agent)?).or_default();
        agent.stepper = Whose::Client(client);
        Ok(())
    }

    /// A client is gone: its breakpoints go with it, what it requested is taken back, and what it stopped continues.
    pub(super) fn leave(&mut self, client: u64, game: &dyn Game) {
        let had = self.clients.remove(&client).is_some();
        self.retired.retain(|_, owner| *owner != client);
        let debugs = |set: &Set, id: u64| {
            let mut all = set.all.iter();
            all.any(|entry| {
                let named = entry.agents.as_ref();
                named.is_none_or(|agents| agents.contains(&id))
            })
        };
        for (id, debugged) in &mut self.agents {
            let mut others = self.clients.iter();
            let heir = others.find(|(_, set)| debugs(set, *id));
            debugged.leave(client, heir.map(|(other, _)| *other));
            if debugged.stepper == Whose::Gone {
                self.to_place.push_back(*id);
            }
        }
        if had {
            self.want(game);
        }
    }

    /// The owner of the breakpoint that an agent has stopped at.
    fn whose(&self, stop: Option<&Stop>) -> Whose {
        let Some(Why::Breakpoint(id)) = stop.map(|stop| stop.why) else {
            return Whose::Nobody;
        };
        let owner = self.wanted.owners.get(&id).or(self.retired.get(&id));
        match owner {
            Some(client) => Whose::Client(*client),
            None if id <= self.last => Whose::Gone,
            None => Whose::Nobody,
        }
    }

    /// Looks at some agents; the client whose breakpoint is to stop all of them, if there is one.
    pub(super) fn sweep(
        &mut self,
        game: &mut dyn Game,
        outlets: &mut Outlets,
        clock: Clock,
    ) -> Option<u64> {
        if self.agents.is_empty() && self.to_place.is_empty() && self.wanted.for_all.is_empty() {
            return None;
        }
        while let Some(id) = self.to_place.pop_front() {
            self.place(id, game);
            if clock.is_over() {
                break;
            }
        }
        if self.to_place.is_empty() {
            self.retired.clear();
        }
        self.look_for_new(game);
        let mut stops_all = None;
        let (from, mut wrapped) = (self.next, false);
        loop {
            let ids: Vec<u64> = self
                .agents
                .range(self.next..)
                .map(|(id, _)| *id)
                .take(CHUNK)
                .collect();
            for id in &ids {
                stops_all = self.look_at(*id, game, outlets).or(stops_all);
            }
            match ids.last() {
                Some(last) if ids.len() == CHUNK => self.next = last.saturating_add(1),
                _ if wrapped || from == 0 => {
                    self.next = 0;
                    return stops_all;
                }
                _ => (self.next, wrapped) = (0, true),
            }
            if clock.is_over() || wrapped && self.next >= from {
                return stops_all;
            }
        }
    }

    /// Gives an agent the breakpoints that are for it, and takes back what a client requested that is gone.
    fn place(&mut self, id: u64, game: &mut dyn Game) {
        let own = self.wanted.of_agent(id, &self.clients);
        let debugged = self.agents.get(&id);
        let is_orphan = debugged.is_some_and(|it| it.stepper == Whose::Gone);
        let placed = debugged.and_then(|it| it.placed.as_ref());
        let is_same = match (&own, placed) {
            (Some(own), Some(placed)) => Arc::ptr_eq(own, placed),
            (own, placed) => own.is_none() && placed.is_none(),
        };
        if is_same && !is_orphan {
            return;
        }
        let mut stop = None;
        let is_there = game.change(id, &mut |agent| {
            stop = agent.view().stopped();
            agent.set_breakpoints(own.clone());
            if is_orphan {
                agent.end_steps();
            }
        });
        if !is_there {
            self.agents.remove(&id);
            return;
        }
        let whose = self.whose(stop.as_ref());
        let debugged = self.agents.entry(id).or_default();
        debugged.notice(stop.as_ref(), whose);
        debugged.placed = own;
        if is_orphan {
            debugged.stepper = Whose::Nobody;
        }
    }

    /// Finds agents that are new, so that they get the breakpoints that are for all.
    fn look_for_new(&mut self, game: &dyn Game) {
        if self.wanted.for_all.is_empty() || self.agents.len() >= LOOKED_AT {
            return;
        }
        let ids = game.ids(self.seen, CHUNK);
        self.seen = match ids.len() {
            CHUNK => ids.last().copied(),
            _ => None,
        };
        let known = &self.agents;
        self.to_place
            .extend(ids.into_iter().filter(|id| !known.contains_key(id)));
    }

    /// Tells clients whether an agent has stopped or goes on; whose breakpoint is to stop all.
    fn look_at(&mut self, id: u64, game: &mut dyn Game, outlets: &mut Outlets) -> Option<u64> {
        let mut stop = None;
        if !game.look(id, &mut |view| stop = view.stopped()) {
            self.agents.remove(&id);
            return None;
        }
        let whose = self.whose(stop.as_ref());
        let debugged = self.agents.get_mut(&id)?;
        debugged.notice(stop.as_ref(), whose);
        let is_orphan = debugged.stop.is_some_and(|(_, whose)| whose == Whose::Gone);
        if let Some(orphan) = stop.take_if(|_| is_orphan) {
            game.change(id, &mut |agent| {
                agent.end_steps();
                // It is at that stop: it was asked just now.
                _ = agent.step(orphan.number, Step::Continue);
            });
        }
        let number = stop.as_ref().map(|stop| stop.number);
        let mut stops_all = None;
        if number != debugged.announced {
            if debugged.announced.take().is_some() && number.is_none() {
                let agent = id.to_string();
                outlets.tell_all(&Event::Continued(Continued { agent }));
            }
            if let Some(stop) = &stop {
                outlets.tell_all(&Event::StopEntry(entry(id, stop)));
                debugged.announced = Some(stop.number);
                let owner = match stop.why {
                    Why::Breakpoint(id) => self.wanted.owners.get(&id),
                    Why::Step | Why::Asked => None,
                };
                stops_all = owner.copied().filter(|client| {
                    let set = self.clients.get(client);
                    set.is_some_and(|set| set.stop_all)
                });
            }
        }
        // Whoever wants nothing of it, and is told nothing more, needs no look at it.
        let is_idle = debugged.placed.is_none() && debugged.stepper == Whose::Nobody;
        if is_idle && debugged.announced.is_none() {
            self.agents.remove(&id);
        }
        stops_all
    }
}

/// The stop of an agent, as clients see it.
pub(super) fn entry(id: u64, stop: &Stop) -> StopEntry {
    let (why, breakpoint) = match stop.why {
        Why::Breakpoint(id) => ("breakpoint", Some(id)),
        Why::Step => ("step", None),
        Why::Asked => ("requested", None),
    };
    StopEntry {
        agent: id.to_string(),
        number: stop.number,
        why: why.to_owned(),
        breakpoint,
        tree: stop.tree.clone(),
        idx: stop.idx,
        record: stop.record.clone(),
        poll: stop.poll,
        waiting: stop.waiting.clone(),
    }
}

/// The nodes of an agent whose result is forced.
pub(super) fn forced_entries(view: &dyn View) -> Vec<ForcedEntry> {
    let forced = view.forced().into_iter();
    let entry = |it: bt_core::debug::ForcedNode| ForcedEntry {
        tree: it.tree,
        idx: it.idx,
        forced: it.forced.to_string(),
    };
    forced.map(entry).collect()
}

/// The forced result for a node.
pub(super) fn forced(word: Option<&str>) -> Result<Option<Forced>, Error> {
    Ok(Some(match word {
        None => return Ok(None),
        Some("success") => Forced::Success,
        Some("failure") => Forced::Failure,
        Some("disabled") => Forced::Disabled,
        Some(_) => {
            return Err(wrong(
                "a node is forced to `success`, `failure` or `disabled`",
            ));
        }
    }))
}
