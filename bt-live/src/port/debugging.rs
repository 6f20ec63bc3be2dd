//! Breakpoints of clients, and the agents that are stopped.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bt_core::debug::{Breakpoint, Breakpoints, Condition, Forced, Hits, On, Step, Stop, Why};

use super::answers::{change, look, number};
use super::game::{Game, View};
use super::limits::LOOKED_AT;
use super::outlets::Outlets;
use crate::protocol::types::*;
use crate::protocol::{Error, ErrorCode, Event};

/// How many breakpoints a client can have.
const BREAKPOINTS: usize = 1_000;

/// What all clients want to see, and what is stopped.
#[derive(Default)]
pub(super) struct Debugging {
    clients: BTreeMap<u64, Set>,
    /// The last id of a breakpoint.
    last: u64,
    /// The agents that have breakpoints, or were stopped otherwise.
    agents: BTreeMap<u64, Debugged>,
}

/// The breakpoints of one client.
#[derive(Default)]
struct Set {
    all: Vec<Entry>,
    stop_all: bool,
}

struct Entry {
    spec: BreakpointSpec,
    breakpoint: Breakpoint,
    /// None: all of them.
    agents: Option<BTreeSet<u64>>,
}

impl Entry {
    fn is_for(&self, agent: u64) -> bool {
        self.agents
            .as_ref()
            .is_none_or(|agents| agents.contains(&agent))
    }
}

/// An agent that may stop, or is stopped.
#[derive(Default)]
struct Debugged {
    /// The number of the stop that clients know of.
    announced: Option<u64>,
    /// The client that steps it.
    stepper: Option<u64>,
}

impl Debugging {
    /// Replaces the breakpoints of a client.
    pub(super) fn set(
        &mut self,
        client: u64,
        asked: SetBreakpoints,
        game: &mut dyn Game,
    ) -> Result<BreakpointList, Error> {
        if asked.breakpoints.len() > BREAKPOINTS {
            let why = format!("a client has at most {BREAKPOINTS} breakpoints");
            return Err(Error::new(ErrorCode::Limit, why));
        }
        let mut all = Vec::new();
        for (at, spec) in asked.breakpoints.into_iter().enumerate() {
            let id = self.last + 1 + at as u64;
            all.push(entry_of(id, spec)?);
        }
        self.last += all.len() as u64;
        let stop_all = asked.stop_all;
        self.clients.insert(client, Set { all, stop_all });
        self.place(game);
        let own = |entry: &Entry| listed(entry, true);
        let all = &self.clients[&client].all;
        Ok(BreakpointList {
            breakpoints: all.iter().map(own).collect(),
        })
    }

    pub(super) fn list(&self, client: u64) -> BreakpointList {
        let all = self.clients.iter();
        let all = all.flat_map(|(of, set)| set.all.iter().map(move |it| listed(it, *of == client)));
        let mut breakpoints: Vec<_> = all.collect();
        breakpoints.sort_by_key(|entry| entry.id);
        BreakpointList { breakpoints }
    }

    /// The agents that are stopped.
    pub(super) fn stops(&self, game: &dyn Game) -> StopList {
        let stops = self.agents.keys();
        StopList {
            stops: stops
                .filter_map(|id| Some(entry(*id, &stop_of(*id, game)?)))
                .collect(),
        }
    }

    /// Gives every agent the breakpoints that are for it.
    fn place(&mut self, game: &mut dyn Game) {
        let entries = || self.clients.values().flat_map(|set| &set.all);
        let mut ids: BTreeSet<u64> = self.agents.keys().copied().collect();
        for entry in entries() {
            match &entry.agents {
                Some(agents) => ids.extend(agents),
                None => ids.extend(game.ids(None, LOOKED_AT)),
            }
        }
        let mut kept = BTreeMap::new();
        for id in ids {
            let own = entries().filter(|entry| entry.is_for(id));
            let own = Breakpoints::new(own.map(|entry| entry.breakpoint.clone()));
            let has_some = !own.is_empty();
            let own = has_some.then(|| Arc::new(own));
            let mut stop = None;
            let is_there = game.change(id, &mut |agent| {
                agent.set_breakpoints(own.clone());
                stop = agent.view().stopped();
            });
            let before = self.agents.get(&id);
            let before = before
                .map(|it| (it.announced, it.stepper))
                .unwrap_or_default();
            if is_there && (has_some || stop.is_some()) {
                let (announced, stepper) = before;
                kept.insert(id, Debugged { announced, stepper });
            }
        }
        self.agents = kept;
    }

    /// Stops an agent at the next place where it can.
    pub(super) fn stop_next(
        &mut self,
        client: u64,
        id: u64,
        game: &mut dyn Game,
    ) -> Result<(), Error> {
        change(&id.to_string(), game, |agent| agent.stop_next())?;
        self.agents.entry(id).or_default().stepper = Some(client);
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
        agent.stepper = Some(client);
        Ok(())
    }

    /// A client is gone: its breakpoints go with it, and what they stopped continues.
    pub(super) fn leave(&mut self, client: u64, game: &mut dyn Game) {
        let set = self.clients.remove(&client).unwrap_or_default();
        let is_own = |id: u64| set.all.iter().any(|entry| entry.breakpoint.id == id);
        for (id, debugged) in &self.agents {
            let Some(stop) = stop_of(*id, game) else {
                continue;
            };
            let is_own = match stop.why {
                Why::Breakpoint(breakpoint) => is_own(breakpoint),
                _ => debugged.stepper == Some(client),
            };
            if is_own {
                game.change(*id, &mut |agent| {
                    // It is at that stop: it was asked just now.
                    _ = agent.step(stop.number, Step::Continue);
                });
            }
        }
        if !set.all.is_empty() {
            self.place(game);
        }
    }

    /// Tells clients of agents that have stopped or go on; whether all agents are to stop.
    pub(super) fn look(&mut self, game: &dyn Game, outlets: &mut Outlets) -> bool {
        let mut stops_all = false;
        for (id, debugged) in &mut self.agents {
            let stop = stop_of(*id, game);
            let number = stop.as_ref().map(|stop| stop.number);
            if number == debugged.announced {
                continue;
            }
            if debugged.announced.take().is_some() && number.is_none() {
                let agent = id.to_string();
                outlets.tell_all(&Event::Continued(Continued { agent }));
            }
            if let Some(stop) = stop {
                outlets.tell_all(&Event::StopEntry(entry(*id, &stop)));
                debugged.announced = Some(stop.number);
                let sets = self.clients.values().filter(|set| set.stop_all);
                let mut all = sets.flat_map(|set| &set.all);
                stops_all |= all.any(|entry| stop.why == Why::Breakpoint(entry.breakpoint.id));
            }
        }
        stops_all
    }
}

fn stop_of(id: u64, game: &dyn Game) -> Option<Stop> {
    look(id, game, |view| view.stopped()).ok().flatten()
}

fn listed(entry: &Entry, own: bool) -> BreakpointEntry {
    BreakpointEntry {
        id: entry.breakpoint.id,
        own,
        spec: entry.spec.clone(),
    }
}

/// Where an agent is stopped, as clients see it.
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

fn wrong(why: impl Into<String>) -> Error {
    Error::new(ErrorCode::Params, why)
}

/// What a node is to be forced to.
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

fn step_of(asked: &crate::protocol::types::Step) -> Result<Step, Error> {
    Ok(match asked.step.as_str() {
        "continue" => Step::Continue,
        "record" => Step::Record,
        "into" => Step::Into,
        "over" => Step::Over,
        "out" => Step::Out,
        "poll" => Step::Poll,
        "to" => match (&asked.tree, asked.idx) {
            (Some(tree), Some(idx)) => Step::To {
                tree: tree.clone(),
                idx,
            },
            _ => return Err(wrong("a step `to` a node needs its `tree` and `idx`")),
        },
        _ => {
            return Err(wrong(
                "a step is `continue`, `record`, `into`, `over`, `out`, `poll` or `to`",
            ));
        }
    })
}

fn entry_of(id: u64, spec: BreakpointSpec) -> Result<Entry, Error> {
    let mut breakpoint = Breakpoint::new(id, on(&spec)?);
    if let Some(condition) = &spec.condition {
        let condition: Result<Condition, _> = condition.parse();
        breakpoint = breakpoint.when(condition.map_err(|error| wrong(error.to_string()))?);
    }
    if let Some(hits) = &spec.hits {
        breakpoint = breakpoint.hits(hits_of(hits)?);
    }
    if let Some(log) = &spec.log {
        breakpoint = breakpoint.log(log.clone());
    }
    let agents = spec.agents.as_ref().map(|agents| {
        let agents = agents.iter().map(|id| number(id));
        agents.collect::<Result<BTreeSet<_>, _>>()
    });
    Ok(Entry {
        agents: agents.transpose()?,
        spec,
        breakpoint,
    })
}

fn on(spec: &BreakpointSpec) -> Result<On, Error> {
    let node = || match (&spec.tree, spec.idx) {
        (Some(tree), Some(idx)) => Ok((tree.clone(), idx)),
        _ => Err(wrong(format!(
            "a breakpoint on `{}` needs `tree` and `idx`",
            spec.on
        ))),
    };
    let name = || {
        let missing = || wrong(format!("a breakpoint on `{}` needs a `name`", spec.on));
        spec.name.clone().ok_or_else(missing)
    };
    Ok(match spec.on.as_str() {
        "enter" => node().map(|(tree, idx)| On::Enter { tree, idx })?,
        "exit" => node().map(|(tree, idx)| On::Exit { tree, idx })?,
        "success" => node().map(|(tree, idx)| On::Success { tree, idx })?,
        "failure" => node().map(|(tree, idx)| On::Failure { tree, idx })?,
        "abort" => node().map(|(tree, idx)| On::Abort { tree, idx })?,
        "guard" => {
            let (tree, idx) = node()?;
            let holds = spec.holds;
            On::Guard { tree, idx, holds }
        }
        "call" => On::Call { name: name()? },
        "key" => On::Key { name: name()? },
        "property" => On::Property { name: name()? },
        "event" => On::Event { name: name()? },
        _ => {
            return Err(wrong(
                "a breakpoint is on `enter`, `exit`, `success`, `failure`, `abort`, `guard`, `call`, \
                 `key`, `property` or `event`",
            ));
        }
    })
}

fn hits_of(text: &str) -> Result<Hits, Error> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &u64| *number > 0);
    let at_least = text.strip_prefix(">=").and_then(number).map(Hits::AtLeast);
    let every = text.strip_prefix('%').and_then(number).map(Hits::Every);
    at_least
        .or(every)
        .ok_or_else(|| wrong("hits are `>= 3`, from the third on, or `% 10`, every tenth"))
}
