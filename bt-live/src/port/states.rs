//! How all agents stand, and what a reload did to them.

use std::collections::BTreeMap;

use bt_core::reload::{Moved, Node, Reload};

use super::Port;
use super::answers::{look, number};
use super::game::{Game, View};
use super::limits::{LOOKED_AT, PAGE};
use crate::protocol::Error;
use crate::protocol::types::*;

/// How many problems of a reload are shown.
const PROBLEMS: usize = 100;

/// How many reloads of each agent were over when the trees were replaced last.
#[derive(Debug, Default)]
pub(super) struct Before(BTreeMap<u64, u32>);

impl Before {
    /// As it is now.
    pub(super) fn now(game: &dyn Game) -> Before {
        let ids = game.ids(None, LOOKED_AT).into_iter();
        Before(
            ids.filter_map(|id| Some((id, look(id, game, |view| view.reloads().0).ok()?)))
                .collect(),
        )
    }

    /// What became of the agents since.
    pub(super) fn report(&self, game: &dyn Game) -> ReloadReport {
        let mut report = ReloadReport::default();
        let mut nodes = Nodes::default();
        for (id, before) in &self.0 {
            // One that is gone moves nowhere.
            let Ok((over, last)) = look(*id, game, |view| view.reloads()) else {
                continue;
            };
            match (over != *before, last) {
                (true, Some(last)) => match last.moved() {
                    Moved::Kept(_) | Moved::Refused(_) => report.stayed += 1,
                    _ => {
                        report.moved += 1;
                        nodes.add(&last, &mut report.problems);
                    }
                },
                (false, Some(last)) if matches!(last.moved(), Moved::Kept(_)) => report.stayed += 1,
                _ => report.waiting += 1,
            }
        }
        let Nodes([kept, adopted, aborted, entered]) = nodes;
        let listed = |counts: BTreeMap<Node, u32>| {
            let counts = counts.into_iter();
            counts
                .map(|(node, agents)| ReloadedNode {
                    tree: node.tree().to_owned(),
                    idx: node.idx(),
                    kind: node.kind().to_owned(),
                    agents,
                })
                .collect()
        };
        ReloadReport {
            kept: listed(kept),
            adopted: listed(adopted),
            aborted: listed(aborted),
            entered: listed(entered),
            ..report
        }
    }
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

impl Port {
    /// A page of the table of agents.
    pub(super) fn states(&self, asked: &ListStates, game: &dyn Game) -> Result<StatePage, Error> {
        let after = asked.after.as_deref().map(number).transpose()?;
        let limit = asked.limit.unwrap_or(PAGE.1).clamp(1, PAGE.0) as usize;
        let ids = game.ids(after, limit);
        let mut agents = Vec::with_capacity(ids.len());
        for id in &ids {
            let name = game.name(*id);
            let failures = self.watched.failures(*id);
            agents.push(look(*id, game, |view| {
                state(*id, name.clone(), view, failures)
            })?);
        }
        Ok(StatePage {
            agents,
            next: (ids.len() == limit)
                .then(|| ids.last().map(ToString::to_string))
                .flatten(),
            now: u64::try_from(game.now().as_nanos()).unwrap_or(u64::MAX),
        })
    }
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
pub(super) fn forced(game: &dyn Game) -> ForcedList {
    let mut forced = Vec::new();
    for id in game.ids(None, LOOKED_AT) {
        let nodes = look(id, game, |view| view.forced()).unwrap_or_default();
        forced.extend(nodes.into_iter().map(|node| ForcedOf {
            agent: id.to_string(),
            tree: node.tree,
            idx: node.idx,
            forced: node.forced.to_string(),
        }));
    }
    ForcedList { forced }
}
