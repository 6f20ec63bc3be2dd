//! Breakpoints, and how agents go on from them.

use std::collections::BTreeMap;
use std::io::BufRead as _;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::Duration;

use bt_core::expression::Named;
use bt_live::client::Incoming;
use bt_live::protocol::Event;
use bt_live::protocol::types::*;
use serde_json::Value;

use super::{Game, Names, Of, On, compared, failed, node};
use crate::error::{Error, did_you_mean};
use crate::say::say;

/// The number of times that the terminal is looked at.
const WAIT: Duration = Duration::from_millis(100);

/// A requested breakpoint.
pub(crate) struct Wanted<'a> {
    /// `TREE:IDX`.
    pub(crate) node: Option<&'a str>,
    pub(crate) on: On,
    /// The other causes of a stop, and their names.
    pub(crate) named: Vec<(Of, &'a str)>,
    /// An expression that turns true.
    pub(crate) expression: Option<&'a str>,
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
            self.check_node(&tree, idx)?;
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
        let compared = wanted.condition.and_then(compared);
        if wanted.named.is_empty() && compared.is_none() && wanted.expression.is_none() {
            return Ok(specs);
        }
        let names = self.names(wanted.agent)?;
        if let Some(text) = wanted.expression {
            for (of, name) in read(text) {
                names.look_for(of, &name)?;
            }
            specs.push(BreakpointSpec {
                name: Some(text.to_owned()),
                ..spec("expression")
            });
        }
        if let Some(key) = compared {
            names.look_for(Of::Key, key)?;
        }
        for (of, name) in &wanted.named {
            specs.push(BreakpointSpec {
                name: Some(names.look_for(*of, name)?),
                ..spec(match of {
                    Of::Call => "call",
                    Of::Property => "property",
                    Of::Event => "event",
                    Of::Key => "key",
                })
            });
        }
        Ok(specs)
    }

    /// Refuses a node that the game does not have.
    fn check_node(&mut self, tree: &str, idx: u32) -> Result<(), Error> {
        let trees = self.call(ListTrees {})?.trees;
        // A host that gives no texts of its trees has them all the same.
        if trees.is_empty() {
            return Ok(());
        }
        if !trees.contains_key(tree) {
            let near = did_you_mean(tree, trees.keys().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; {near}"));
            return Err(Error::finding(format!("there is no tree `{tree}`{near}")));
        }
        let nodes = self.client.tree(tree).map_err(failed)?.nodes;
        if nodes.iter().any(|node| node.idx == idx) {
            return Ok(());
        }
        let last = nodes.iter().map(|node| node.idx).max().unwrap_or_default();
        Err(Error::finding(format!(
            "`{tree}` has no node {idx}; its last one is {last}"
        )))
    }

    /// The names that an agent answers to, or all agents.
    fn names(&mut self, agent: Option<&str>) -> Result<Known, Error> {
        let agent = agent.map(|agent| super::find(&mut self.client, agent));
        let agent = agent.transpose()?;
        let catalogue = self.call(GetCatalogue {})?.catalogue;
        let texts = self.texts()?;
        let texts = texts.iter();
        let texts = texts.map(|(name, text)| (name.as_str(), text.as_str()));
        let agent_type = agent.as_ref().map(|agent| agent.agent_type.as_str());
        let names = Names::of(catalogue, agent_type, texts);
        let board = match agent {
            None => BTreeMap::new(),
            Some(agent) => {
                let asked = GetPicture {
                    agent: agent.id,
                    at: None,
                };
                self.call(asked)?.blackboard
            }
        };
        Ok(Known { names, board })
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

/// The names that agents answer to, and the keys that there are.
struct Known {
    names: Names,
    board: BTreeMap<String, Value>,
}

impl Known {
    /// The name that a name stands for. The host's code may set keys and fire events that nothing names:
    /// these are only noted.
    fn look_for(&self, of: Of, name: &str) -> Result<String, Error> {
        match (self.names.find(of, name, &self.board), of) {
            (Ok(name), _) => Ok(name),
            (Err(why), Of::Call | Of::Property) => Err(Error::finding(why)),
            (Err(why), Of::Key | Of::Event) => {
                say("note", why);
                Ok(name.to_owned())
            }
        }
    }
}

/// The keys and properties that an expression reads. What it calls the game refuses.
pub(crate) fn read(text: &str) -> Vec<(Of, String)> {
    let names = bt_core::expression::names(text).into_iter();
    let read = names.filter_map(|(named, name, _)| match named {
        Named::Key => Some((Of::Key, name)),
        Named::Property => Some((Of::Property, name)),
        Named::Method => None,
    });
    read.collect()
}

/// The step for an agent to continue from a stop: a word, or a node.
pub(crate) fn step_of(stop: &StopEntry, how: &str) -> Result<Step, Error> {
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
pub(crate) fn stopped(name: &str, stop: &StopEntry) -> String {
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
