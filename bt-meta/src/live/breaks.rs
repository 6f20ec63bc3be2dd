//! Breakpoints, and how agents go on from them.

use std::io::BufRead as _;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::Duration;

use bt_live::client::Incoming;
use bt_live::protocol::Event;
use bt_live::protocol::types::*;

use super::{Game, On, failed, node};
use crate::error::Error;
use crate::say::say;

/// How often the terminal is looked at.
const WAIT: Duration = Duration::from_millis(100);

/// A requested breakpoint.
pub(crate) struct Wanted<'a> {
    /// `TREE:IDX`.
    pub(crate) node: Option<&'a str>,
    pub(crate) on: On,
    /// What else stops, and its name.
    pub(crate) named: Vec<(&'static str, &'a str)>,
    pub(crate) agent: Option<&'a str>,
    pub(crate) condition: Option<&'a str>,
    pub(crate) hits: Option<&'a str>,
}

impl Game {
    pub(crate) fn break_at(&mut self, wanted: &Wanted<'_>) -> Result<(), Error> {
        let breakpoints = self.specs(wanted)?;
        self.call(SetBreakpoints {
            breakpoints,
            stop_all: false,
        })?;
        let lines = lines();
        let mut line: Option<String> = None;
        let mut last: Option<StopEntry> = None;
        let mut continued = false;
        loop {
            match self.client.next(WAIT).map_err(failed)? {
                Some(Incoming::Event(Event::StopEntry(stop))) => {
                    // One that is gone by now has its id.
                    let found = super::find(&mut self.client, &stop.agent);
                    let name = found.map_or_else(|_| stop.agent.clone(), |agent| agent.name);
                    self.print(&stop, || stopped(&name, &stop))?;
                    last = Some(stop);
                }
                Some(Incoming::Event(_) | Incoming::Records(_)) => continue,
                None => {}
            }
            if line.is_none() {
                line = match lines.try_recv() {
                    Ok(line) => Some(line),
                    // Whoever has nothing more to say saw the last stop.
                    Err(TryRecvError::Disconnected) if last.is_some() || continued => return Ok(()),
                    Err(_) => None,
                };
            }
            // Lines wait for the stop that they are about.
            let (Some(stop), Some(text)) = (&last, &line) else {
                continue;
            };
            let text = text.trim();
            let asked = step_of(stop, text);
            // A word that means nothing is no reason to let all agents go.
            match asked.and_then(|asked| self.call(asked)) {
                Ok(_) => {
                    continued = text == "continue";
                    last = None;
                }
                Err(error) => say("error", error.to_string()),
            }
            line = None;
        }
    }

    fn specs(&mut self, wanted: &Wanted<'_>) -> Result<Vec<BreakpointSpec>, Error> {
        let agents = match wanted.agent {
            Some(agent) => Some(vec![self.id(agent)?]),
            None => None,
        };
        let spec = |on: &str| BreakpointSpec {
            on: on.to_owned(),
            condition: wanted.condition.map(str::to_owned),
            hits: wanted.hits.map(str::to_owned),
            agents: agents.clone(),
            ..BreakpointSpec::default()
        };
        let mut specs = Vec::new();
        if let Some(text) = wanted.node {
            let (tree, idx) = node(text)?;
            let on = match wanted.on {
                On::Enter => "enter",
                On::Exit => "exit",
                On::Success => "success",
                On::Failure => "failure",
                On::Abort => "abort",
                On::Guard => "guard",
            };
            specs.push(BreakpointSpec {
                tree: Some(tree),
                idx: Some(idx),
                ..spec(on)
            });
        }
        let named = wanted.named.iter().map(|(on, name)| BreakpointSpec {
            name: Some((*name).to_owned()),
            ..spec(on)
        });
        specs.extend(named);
        Ok(specs)
    }

    pub(crate) fn step(&mut self, agent: &str, how: &str) -> Result<(), Error> {
        let id = self.id(agent)?;
        let stops = self.call(ListStops {})?.stops;
        let stop = stops.iter().find(|stop| stop.agent == id);
        let stop = stop.ok_or_else(|| Error::finding(format!("`{agent}` is not stopped")))?;
        self.call(step_of(stop, how)?)?;
        Ok(())
    }
}

/// How an agent is to go on from a stop: a word, or a node.
fn step_of(stop: &StopEntry, how: &str) -> Result<Step, Error> {
    let mut step = Step {
        agent: stop.agent.clone(),
        number: stop.number,
        step: how.to_owned(),
        tree: None,
        idx: None,
    };
    if let Some(place) = how.strip_prefix("to ").or(how.contains(':').then_some(how)) {
        let (tree, idx) = node(place.trim())?;
        step.step = "to".to_owned();
        (step.tree, step.idx) = (Some(tree), Some(idx));
    }
    Ok(step)
}

/// "wolf#2 stopped at hunt.json:3 (node_enter) in poll 7, by breakpoint 1".
pub(super) fn stopped(name: &str, stop: &StopEntry) -> String {
    let place = match (&stop.tree, stop.idx) {
        (Some(tree), Some(idx)) => format!(" at {tree}:{idx}"),
        _ => String::new(),
    };
    let why = match stop.breakpoint {
        Some(id) => format!("breakpoint {id}"),
        None => format!(
            "a {}",
            if stop.why == "requested" {
                "request"
            } else {
                "step"
            }
        ),
    };
    let StopEntry { record, poll, .. } = stop;
    format!("{name} stopped{place} ({record}) in poll {poll}, by {why}")
}

/// The lines of standard input, as they come.
fn lines() -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}
