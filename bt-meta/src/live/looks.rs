//! The agents and their state.

use std::fmt::Write as _;
use std::thread;
use std::time::Duration;

use bt_core::trace::Words;
use bt_live::client::Incoming;
use bt_live::protocol::Event;
use bt_live::protocol::types::*;

use super::{Game, end_of, failed, left};
use crate::error::Error;
use crate::say::say;
use crate::values::evaluated;

impl Game {
    pub(crate) fn list(&mut self, filter: Option<&str>) -> Result<(), Error> {
        let mut after = None;
        loop {
            let page = self.call(ListAgents {
                filter: filter.map(str::to_owned),
                after,
                limit: Some(1_000),
            })?;
            for agent in &page.agents {
                let text = || {
                    let state = match (agent.running, agent.paused) {
                        (_, true) => ", paused",
                        (true, false) => "",
                        (false, false) => ", does not run",
                    };
                    let AgentEntry {
                        name,
                        agent_type,
                        tree,
                        ..
                    } = agent;
                    format!("{name}  {agent_type}  {tree}{state}")
                };
                self.print(agent, text)?;
            }
            after = page.next;
            if after.is_none() {
                return Ok(());
            }
        }
    }

    /// Lists how agents stand, those first that need a look.
    pub(crate) fn waits(&mut self, filter: Option<&str>) -> Result<(), Error> {
        let mut asked = ListStates {
            after: None,
            limit: Some(1_000),
        };
        let mut agents = Vec::new();
        let now = loop {
            let page = self.call(asked.clone())?;
            agents.extend(page.agents);
            asked.after = page.next;
            if asked.after.is_none() {
                break page.now;
            }
        };
        if let Some(text) = filter {
            agents.retain(|agent| {
                let texts = [&agent.name, &agent.agent_type, &agent.tree];
                texts.iter().any(|known| known.contains(text))
            });
        }
        let since = |agent: &AgentState| agent.leaf.as_ref().map_or(u64::MAX, |leaf| leaf.since);
        agents.sort_by_key(|agent| (!agent.failed, since(agent)));
        for agent in &agents {
            self.print(agent, || standing(agent, now))?;
        }
        Ok(())
    }

    pub(crate) fn show(&mut self, agent: &str, at: Option<Duration>) -> Result<(), Error> {
        let agent = self.id(agent)?;
        let at = at.map(nanos);
        let picture = self.call(GetPicture { agent, at })?;
        self.print(&picture, || shown(&picture))
    }

    pub(crate) fn explain(&mut self, agent: &str, at: Option<Duration>) -> Result<(), Error> {
        let agent = self.id(agent)?;
        let at = at.map(nanos);
        let explained = self.call(Explain { agent, at })?;
        let text = || explained.text.trim_end().to_owned();
        self.print(&explained.explanation, text)
    }

    pub(crate) fn evaluate(
        &mut self,
        agent: &str,
        expression: &str,
        at: Option<Duration>,
    ) -> Result<(), Error> {
        let agent = self.id(agent)?;
        let at = at.map(nanos);
        let picture = self.call(GetPicture { agent, at })?;
        let value = evaluated(expression, &picture, None).map_err(Error::finding)?;
        self.print(&value, || value.to_string())
    }

    pub(crate) fn watch(&mut self, agent: &str, wait: Option<Duration>) -> Result<(), Error> {
        let agent = self.id(agent)?;
        self.call(Follow {
            agent: agent.clone(),
            recorded: false,
        })?;
        let until = end_of(wait);
        loop {
            let left = left(until);
            if left.is_zero() {
                return Ok(());
            }
            let next = self.client.next(left);
            match next.map_err(failed)? {
                Some(Incoming::Records(frame)) => {
                    for record in &frame.records {
                        self.print(record, || Words(record).to_string().trim_end().to_owned())?;
                    }
                }
                Some(Incoming::Event(Event::Dropped(dropped))) => {
                    say(
                        "warning",
                        format!("{} records are missing", dropped.records),
                    );
                }
                Some(Incoming::Event(Event::Despawned(gone))) if gone.agent == agent => {
                    say("note", "the agent is no more");
                    return Ok(());
                }
                Some(Incoming::Event(_)) => {}
                // A recording has no more; a game may have.
                None if self.client.welcome().recording => return Ok(()),
                None => {}
            }
        }
    }

    pub(crate) fn profile(&mut self, agents: &[String], wait: Duration) -> Result<(), Error> {
        let ids = agents.iter().map(|agent| self.id(agent));
        let ids = ids.collect::<Result<Vec<_>, _>>()?;
        let agents = (!ids.is_empty()).then_some(ids);
        self.call(StartProfile { agents })?;
        thread::sleep(wait);
        let table = self.call(StopProfile {})?;
        self.print(&table, || profiled(&table))
    }
}

/// "wolf#2  monster_agent  patrol.json  failed in the last poll".
fn standing(agent: &AgentState, now: u64) -> String {
    let state = match agent {
        AgentState { stopped: true, .. } => "stopped by a debugger".to_owned(),
        AgentState { paused: true, .. } => "paused".to_owned(),
        AgentState { failed: true, .. } => "failed in the last poll".to_owned(),
        AgentState { running: false, .. } => "does not run".to_owned(),
        AgentState { leaf: None, .. } => "begins in the next poll".to_owned(),
        AgentState {
            leaf: Some(leaf), ..
        } => {
            let seconds = now.saturating_sub(leaf.since) as f64 / 1e9;
            let name = match leaf.name.as_str() {
                "" => String::new(),
                name => format!(" `{name}`"),
            };
            let LeafState {
                tree, idx, kind, ..
            } = leaf;
            format!("waits for {seconds:.1} s: {tree}:{idx} {kind}{name}")
        }
    };
    let AgentState {
        name,
        agent_type,
        tree,
        ..
    } = agent;
    format!("{name}  {agent_type}  {tree}  {state}")
}

/// The nodes, those first that took longest.
fn profiled(table: &ProfileTable) -> String {
    let mut text = match table.agents {
        1 => "1 agent".to_owned(),
        agents => format!("{agents} agents"),
    };
    text += "\n         ms    entered  succeeded     failed    aborted      calls  node";
    let mut nodes: Vec<_> = table.nodes.iter().collect();
    nodes.sort_by_key(|node| std::cmp::Reverse(node.ns));
    for node in nodes {
        let ms = node.ns as f64 / 1e6;
        // Memory takes everything.
        _ = write!(
            text,
            "\n{ms:11.3} {:10} {:10} {:10} {:10} {:10}  {}:{}",
            node.entered,
            node.succeeded,
            node.failed,
            node.aborted,
            node.calls,
            node.tree,
            node.idx
        );
    }
    text
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// "7" of 7, and what else is said in one line.
fn shown(picture: &AgentPicture) -> String {
    let agent = &picture.agent;
    let mut text = format!("{} ({}) on {}", agent.name, agent.agent_type, agent.tree);
    let mut line = |words: String| {
        text.push('\n');
        text.push_str(&words);
    };
    if let Some(stop) = &picture.stop {
        line(super::breaks::stopped(&agent.name, stop));
    }
    for forced in &picture.forced {
        line(format!(
            "FORCED: {}:{} {}",
            forced.tree, forced.idx, forced.forced
        ));
    }
    for node in &picture.active {
        let mut words = format!("active: {}:{} {}", node.tree, node.idx, node.kind);
        if !node.name.is_empty() {
            // Memory takes everything.
            _ = write!(words, " `{}`", node.name);
        }
        line(words);
    }
    for leaf in &picture.leaves {
        line(format!("waiting: {}", leaf.waits));
    }
    for (key, value) in &picture.blackboard {
        line(format!("key {key} = {value}"));
    }
    for (property, value) in &picture.properties {
        line(format!("property {property} = {value}"));
    }
    for diagnostic in &picture.diagnostics {
        line(format!("diagnostic: {diagnostic}"));
    }
    text
}
