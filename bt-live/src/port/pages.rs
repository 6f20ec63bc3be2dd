//! Lists of agents, collected a few at a time: how they stand, and what a reload did to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use bt_core::reload::{Moved, Node, Reload};

use super::Port;
use super::answers::{look, number};
use super::debugging;
use super::game::{Game, View};
use super::limits::{LOOKED_AT, PAGE};
use super::task::{Clock, Step, steps, to_json};
use crate::protocol::Error;
use crate::protocol::types::*;

/// The number of problems of a reload that are shown.
const PROBLEMS: usize = 100;

/// The number of ids that are taken at a time.
const CHUNK: usize = 64;

/// Goes through agents in the order of their ids.
struct Walk {
    after: Option<u64>,
    looked_at: usize,
}

impl Walk {
    fn new(after: Option<u64>) -> Walk {
        Walk {
            after,
            looked_at: 0,
        }
    }

    /// Shows the next agents, until there is none, `see` has enough, or the time is over; whether it is done.
    fn go(
        &mut self,
        game: &mut dyn Game,
        clock: Clock,
        mut see: impl FnMut(u64, &mut dyn Game) -> bool,
    ) -> bool {
        loop {
            let ids = game.ids(self.after, CHUNK);
            for id in &ids {
                self.after = Some(*id);
                self.looked_at += 1;
                if see(*id, game) || self.looked_at == LOOKED_AT {
                    return true;
                }
                if clock.is_over() {
                    return false;
                }
            }
            if ids.len() < CHUNK {
                self.after = None;
                return true;
            }
        }
    }

    /// The id that the next page comes after; none if there is no next page.
    fn next(&self, game: &dyn Game) -> Option<String> {
        let after = self.after?;
        (!game.ids(Some(after), 1).is_empty()).then(|| after.to_string())
    }
}

fn limit(asked: Option<u32>) -> usize {
    asked.unwrap_or(PAGE.1).clamp(1, PAGE.0) as usize
}

fn after(asked: Option<&String>) -> Result<Option<u64>, Error> {
    asked.map(|id| number(id)).transpose()
}

pub(super) fn entry(id: u64, name: String, view: &dyn View) -> AgentEntry {
    AgentEntry {
        id: id.to_string(),
        name,
        agent_type: view.agent_type().to_owned(),
        tree: view.tree().to_owned(),
        running: view.is_running(),
        paused: view.is_paused(),
    }
}

pub(super) fn entry_of(id: u64, game: &mut dyn Game) -> Result<AgentEntry, Error> {
    let name = game.name(id);
    look(id, game, |view| entry(id, name.clone(), view))
}

/// A page of the list of agents.
pub(super) fn list(asked: ListAgents) -> Result<Step, Error> {
    let limit = limit(asked.limit);
    let mut walk = Walk::new(after(asked.after.as_ref())?);
    let filter = asked.filter.unwrap_or_default();
    let mut page = AgentPage::default();
    Ok(steps(move |_, game, clock| {
        let is_done = walk.go(game, clock, |id, game| {
            if let Ok(entry) = entry_of(id, game) {
                let texts = [&entry.name, &entry.agent_type, &entry.tree];
                if texts.iter().any(|text| text.contains(&filter)) {
                    page.agents.push(entry);
                }
            }
            page.agents.len() == limit
        });
        is_done.then(|| {
            page.next = walk.next(game);
            to_json(&page)
        })
    }))
}

/// A page of the table of agents.
pub(super) fn states(asked: &ListStates) -> Result<Step, Error> {
    let limit = limit(asked.limit);
    let mut walk = Walk::new(after(asked.after.as_ref())?);
    let mut page = StatePage::default();
    Ok(steps(move |port, game, clock| {
        let is_done = walk.go(game, clock, |id, game| {
            let name = game.name(id);
            let failures = port.watched.failures(id);
            let state = look(id, game, |view| state(id, name.clone(), view, failures));
            page.agents.extend(state.ok());
            page.agents.len() == limit
        });
        is_done.then(|| {
            page.next = walk.next(game);
            page.now = u64::try_from(game.now().as_nanos()).unwrap_or(u64::MAX);
            to_json(&page)
        })
    }))
}

fn state(id: u64, name: String, view: &dyn View, failures: Option<u64>) -> AgentState {
    let leaves = view.leaves();
    AgentState {
        id: id.to_string(),
        name,
        agent_type: view.agent_type().to_owned(),
        tree: view.tree().to_owned(),
        running: view.is_running(),
        failed: view.has_failed(),
        paused: view.is_paused(),
        stopped: view.stopped().is_some(),
        leaves: leaves.len() as u32,
        leaf: leaves.into_iter().next().map(|leaf| LeafState {
            tree: leaf.tree,
            idx: leaf.idx,
            kind: leaf.kind,
            name: leaf.name,
            since: leaf.wait.since,
        }),
        failures,
        problems: view.problems() as u32,
        forced: view.forced().len() as u32,
    }
}

/// The nodes whose result is forced, of all agents.
pub(super) fn forced() -> Step {
    let mut walk = Walk::new(None);
    let mut list = ForcedList::default();
    steps(move |_, game, clock| {
        let is_done = walk.go(game, clock, |id, game| {
            let nodes = look(id, game, |view| view.forced()).unwrap_or_default();
            list.forced.extend(nodes.into_iter().map(|node| ForcedOf {
                agent: id.to_string(),
                tree: node.tree,
                idx: node.idx,
                forced: node.forced.to_string(),
            }));
            list.forced.len() >= LOOKED_AT
        });
        is_done.then(|| to_json(&list))
    })
}

/// The agents that are stopped.
pub(super) fn stops() -> Step {
    let (mut next, mut list) = (0, StopList::default());
    steps(move |port, game, clock| {
        while let Some(id) = port.debugging.next_agent(next) {
            let stop = look(id, game, |view| view.stopped()).ok().flatten();
            list.stops
                .extend(stop.map(|stop| debugging::entry(id, &stop)));
            next = id.checked_add(1)?;
            if clock.is_over() {
                return None;
            }
        }
        Some(to_json(&list))
    })
}

/// The number of reloads of each agent that were over when the trees were replaced last.
pub(super) type Before = Arc<BTreeMap<u64, u32>>;

/// As it is now.
pub(super) fn before(game: &mut dyn Game) -> Before {
    let ids = game.ids(None, LOOKED_AT).into_iter();
    let reloads = ids.filter_map(|id| Some((id, look(id, game, |view| view.reloads()).ok()?)));
    Arc::new(reloads.collect())
}

/// The report of what became of the agents since the trees were replaced.
pub(super) fn report(port: &Port) -> Step {
    let before = port.reloaded.clone();
    let (mut next, mut report, mut nodes) = (0, ReloadReport::default(), Nodes::default());
    steps(move |_, game, clock| {
        for (id, before) in before.range(next..) {
            // One that is gone moves nowhere.
            game.look(*id, &mut |view| add(&mut report, &mut nodes, *before, view));
            next = id.saturating_add(1);
            if clock.is_over() {
                return None;
            }
        }
        let Nodes([kept, adopted, aborted, entered]) = std::mem::take(&mut nodes);
        Some(to_json(&ReloadReport {
            kept: listed(kept),
            adopted: listed(adopted),
            aborted: listed(aborted),
            entered: listed(entered),
            ..std::mem::take(&mut report)
        }))
    })
}

fn add(report: &mut ReloadReport, nodes: &mut Nodes, before: u32, view: &dyn View) {
    let is_over = view.reloads() != before;
    match (is_over, view.last_reload()) {
        (true, Some(last)) if matches!(last.moved(), Moved::Kept(_) | Moved::Refused(_)) => {
            report.stayed += 1;
        }
        (true, Some(last)) => {
            report.moved += 1;
            nodes.add(last, &mut report.problems);
        }
        (false, Some(last)) if matches!(last.moved(), Moved::Kept(_)) => report.stayed += 1,
        _ => report.waiting += 1,
    }
}

fn listed(counts: BTreeMap<Node, u32>) -> Vec<ReloadedNode> {
    let counts = counts.into_iter();
    let node = |(node, agents): (Node, u32)| ReloadedNode {
        tree: node.tree().to_owned(),
        idx: node.idx(),
        kind: node.kind().to_owned(),
        agents,
    };
    counts.map(node).collect()
}

/// The nodes that stayed, are new around such, were exited, were entered: of how many agents.
#[derive(Default)]
struct Nodes([BTreeMap<Node, u32>; 4]);

impl Nodes {
    fn add(&mut self, reload: &Reload, problems: &mut Vec<String>) {
        let all = [
            reload.kept(),
            reload.adopted(),
            reload.aborted(),
            reload.entered(),
        ];
        for (counts, nodes) in self.0.iter_mut().zip(all) {
            for node in nodes {
                *counts.entry(node.clone()).or_default() += 1;
            }
        }
        for problem in reload.problems() {
            if problems.len() < PROBLEMS && !problems.contains(problem) {
                problems.push(problem.clone());
            }
        }
    }
}
