//! The table of all agents: asked of the game in parts, at most once a second, and only when a page wants it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use bt_live::protocol::envelope::Id;
use bt_live::protocol::types::{AgentState, StatePage};
use serde_json::json;

use super::history::History;
use super::port_calls::PortCall;
use super::session::{Session, now};
use crate::protocol::{
    AgentColumn, AgentLeaf, AgentRow, AgentTable, Failure, ListAgents, SessionKind,
};

/// The age at which the table is fetched again.
const FRESH: Duration = Duration::from_secs(1);

/// The number of agents that are requested at once: a game's frame has other things to do.
const PART: u32 = 250;

/// So many agents a table has, at most.
const MOST: usize = 100_000;

/// All agents, as the game said last.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<AgentRow>,
    /// The time of the game's answer.
    when: u64,
    read: Option<Instant>,
    /// The part of the next one that has arrived.
    coming: Option<Vec<AgentRow>>,
    /// Since when agents are known to fail in every poll, by id, on the game's clock.
    failing: BTreeMap<String, u64>,
    /// The requests that wait for the first.
    waiting: Vec<(u64, Id, ListAgents)>,
}

impl Table {
    /// The game is another one.
    pub(super) fn forget(&mut self) {
        self.read = None;
        self.coming = None;
        self.failing.clear();
    }

    /// The game did not answer.
    pub(super) fn failed(&mut self) {
        self.coming = None;
    }
}

impl Session {
    pub(super) fn ask_table(&mut self, client: u64, id: Id, asked: ListAgents) {
        if self.about.kind != SessionKind::Game {
            let rows = self.own_rows();
            return self.answer(client, &id, Ok(page(&rows, &asked, now())));
        }
        let is_old = self.table.read.is_none_or(|read| read.elapsed() > FRESH);
        if self.link.is_none() {
            let known = match self
                .table
                .read
                .or(self.table.rows.first().map(|_| Instant::now()))
            {
                Some(_) => Ok(page(&self.table.rows, &asked, self.table.when)),
                None => Err(Failure::lost(self.why_lost())),
            };
            return self.answer(client, &id, known);
        }
        if is_old && self.table.coming.is_none() {
            self.table.coming = Some(Vec::new());
            self.ask("agents.states", json!({ "limit": PART }), PortCall::States);
            self.ask_forced();
        }
        match self.table.read {
            None => self.table.waiting.push((client, id, asked)),
            Some(_) => {
                let rows = page(&self.table.rows, &asked, self.table.when);
                self.answer(client, &id, Ok(rows));
            }
        }
    }

    /// A part of the table has come.
    pub(super) fn more_of_table(&mut self, part: StatePage) {
        let Some(coming) = &mut self.table.coming else {
            return;
        };
        let followed = |id: &str| self.histories.contains_key(id);
        let failing = &mut self.table.failing;
        let rows = part.agents.into_iter().map(|state| {
            let since = match state.failed && !state.paused && !state.stopped {
                true => Some(*failing.entry(state.id.clone()).or_insert(part.now)),
                false => {
                    failing.remove(&state.id);
                    None
                }
            };
            AgentRow {
                fails_for_ns: since.map(|since| part.now.saturating_sub(since)),
                ..row(state, part.now, &followed)
            }
        });
        coming.extend(rows);
        match part.next.filter(|_| coming.len() < MOST) {
            Some(after) => {
                let params = json!({ "after": after, "limit": PART });
                self.ask("agents.states", params, PortCall::States);
            }
            None => {
                self.table.rows = self.table.coming.take().unwrap_or_default();
                let rows = &self.table.rows;
                let there: BTreeSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
                self.table
                    .failing
                    .retain(|id, _| there.contains(id.as_str()));
                self.about.agents = self.table.rows.len() as u32;
                (self.table.when, self.table.read) = (now(), Some(Instant::now()));
                for (client, id, asked) in std::mem::take(&mut self.table.waiting) {
                    let rows = page(&self.table.rows, &asked, self.table.when);
                    self.answer(client, &id, Ok(rows));
                }
            }
        }
    }

    /// The rows of those that wait, when the game is lost.
    pub(super) fn fail_table(&mut self) {
        self.table.failed();
        for (client, id, _) in std::mem::take(&mut self.table.waiting) {
            let failure = Failure::lost(self.why_lost());
            self.answer::<()>(client, &id, Err(failure));
        }
    }

    /// The agents of a recording or a log.
    fn own_rows(&self) -> Vec<AgentRow> {
        let rows = self.entries.values().map(|entry| {
            let history = self.histories.get(&entry.id);
            AgentRow {
                id: entry.id.clone(),
                name: entry.name.clone(),
                agent_type: entry.agent_type.clone(),
                tree: entry.tree.clone(),
                state: match history {
                    Some(History { runs: true, .. }) => "runs",
                    Some(History { is_log: true, .. }) => "idle",
                    Some(_) | None => "unknown",
                }
                .to_owned(),
                failures: history.map(|history| {
                    let polls = history.polls.all.iter();
                    polls.map(|poll| u64::from(poll.counts.failures)).sum()
                }),
                followed: history.is_some(),
                ..AgentRow::default()
            }
        });
        rows.collect()
    }
}

fn row(state: AgentState, now: u64, followed: &impl Fn(&str) -> bool) -> AgentRow {
    let word = match &state {
        AgentState { stopped: true, .. } => "stopped",
        AgentState { paused: true, .. } => "paused",
        AgentState {
            failed: true,
            running: true,
            ..
        } => "fails",
        AgentState { running: true, .. } => "runs",
        AgentState { failed: true, .. } => "ended",
        _ => "idle",
    };
    AgentRow {
        followed: followed(&state.id),
        id: state.id,
        name: state.name,
        agent_type: state.agent_type,
        tree: state.tree,
        state: word.to_owned(),
        leaf: state.leaf.map(|leaf| AgentLeaf {
            tree: leaf.tree,
            idx: leaf.idx,
            kind: leaf.kind,
            name: leaf.name,
            since_ns: leaf.since,
            for_ns: now.saturating_sub(leaf.since),
        }),
        leaves: state.leaves,
        failures: state.failures,
        problems: state.problems,
        forced: state.forced,
        fails_for_ns: None,
    }
}

/// The requested rows.
fn page(all: &[AgentRow], asked: &ListAgents, when: u64) -> AgentTable {
    let filter = asked.filter.as_deref().unwrap_or("").to_lowercase();
    let mut rows: Vec<&AgentRow> = all.iter().filter(|row| has(row, &filter)).collect();
    let column = asked.sort.unwrap_or(AgentColumn::Id);
    rows.sort_by(|one, other| {
        let order = compare(one, other, column);
        match asked.descending {
            true => order.reverse(),
            false => order,
        }
    });
    let count = asked.count.min(1_000) as usize;
    let shown = rows.iter().skip(asked.from as usize).take(count);
    AgentTable {
        total: rows.len() as u32,
        from: asked.from,
        rows: shown.map(|row| (*row).clone()).collect(),
        when,
    }
}

fn has(row: &AgentRow, filter: &str) -> bool {
    let own = [&row.id, &row.name, &row.agent_type, &row.tree, &row.state];
    let leaf = row
        .leaf
        .iter()
        .flat_map(|leaf| [&leaf.kind, &leaf.name, &leaf.tree]);
    filter.is_empty()
        || own
            .into_iter()
            .chain(leaf)
            .any(|text| text.to_lowercase().contains(filter))
}

fn compare(one: &AgentRow, other: &AgentRow, column: AgentColumn) -> Ordering {
    let leaf = |row: &AgentRow| {
        let leaf = row.leaf.as_ref();
        leaf.map(|leaf| (leaf.tree.clone(), leaf.idx, leaf.name.clone()))
    };
    // What fails in every poll stands still, however short each of its waits is.
    let waits = |row: &AgentRow| (row.fails_for_ns, row.leaf.as_ref().map(|leaf| leaf.for_ns));
    // By number, where ids are numbers.
    let by_id = || (one.id.len(), &one.id).cmp(&(other.id.len(), &other.id));
    let order = match column {
        AgentColumn::Id => Ordering::Equal,
        AgentColumn::Name => one.name.cmp(&other.name),
        AgentColumn::AgentType => one.agent_type.cmp(&other.agent_type),
        AgentColumn::Tree => one.tree.cmp(&other.tree),
        AgentColumn::State => one.state.cmp(&other.state),
        AgentColumn::Leaf => leaf(one).cmp(&leaf(other)),
        AgentColumn::Waits => waits(one).cmp(&waits(other)),
        AgentColumn::Failures => one.failures.cmp(&other.failures),
        AgentColumn::Problems => one.problems.cmp(&other.problems),
    };
    order.then_with(by_id)
}
