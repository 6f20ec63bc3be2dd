//! The state after any record: the records from the last snapshot on, played again.

use std::collections::BTreeMap;
use std::time::Duration;

use bt_core::explain::Explainer;
use bt_core::trace::{Record, What, Words};
use bt_live::protocol::types::{ActiveNode, AgentEntry, AgentPicture, WaitingLeaf};
use bt_live::recording::Recording;

use super::history::History;
use super::index::{Cmd, Ended, Entry};
use crate::protocol::{ActiveSince, EndedAs, Failure, Moment, NodeResult, Written};

/// So many moments are kept, from which later ones are reached.
const KEPT: usize = 6;

/// Moments that were shown, the latest last.
#[derive(Debug, Default)]
pub(super) struct Moments(Vec<State>);

/// The state after a record.
#[derive(Debug, Clone, Default)]
struct State {
    /// The number after the last record that was played.
    next: u64,
    explainer: Explainer,
    /// The record at which each active node was entered, if it is known.
    entered: BTreeMap<(u32, u32), Option<u64>>,
    /// The reasons for which leaves wait.
    waits: BTreeMap<(u32, u32), String>,
    /// True if a record could not be read since the last snapshot: what it changed is not known.
    is_unsure: bool,
}

/// An active node.
#[derive(Debug)]
pub(super) struct Active {
    pub(super) idx: u32,
    /// The record by which it was entered, if it is known.
    pub(super) no: Option<u64>,
    /// The name for people.
    pub(super) words: String,
}

/// The row of a record in words, without its time.
pub(super) fn in_words(record: &Record<'_>) -> String {
    let words = Words(record).to_string();
    match words.split_once(" s  ") {
        Some((_, words)) => words.to_owned(),
        None => words,
    }
}

impl State {
    fn play(&mut self, record: &Record<'_>, no: u64) {
        if let What::Snapshot(_) = record.what {
            self.renumber(record);
            self.is_unsure = false;
        }
        // One that does not follow is of a gap, and a snapshot comes.
        let follows = self.explainer.apply(record).is_ok();
        let Some(place) = record.at.as_ref().map(|place| place.key()) else {
            return;
        };
        if follows && let What::NodeEnter = record.what {
            self.entered.insert(place, Some(no));
        } else if let What::NodeLeave { .. } = record.what {
            self.entered.remove(&place);
            self.waits.remove(&place);
        } else if let What::Waits(_) = record.what {
            self.waits.insert(place, in_words(record));
        } else if let What::Woken { .. } = record.what {
            self.waits.remove(&place);
        }
    }

    /// A snapshot counts runs anew.
    fn renumber(&mut self, record: &Record<'_>) {
        let What::Snapshot(scene) = &record.what else {
            return;
        };
        let new = scene.picture();
        let old = &self.explainer.replay().picture().trees;
        let tree_of = |trees: &[String], run: u32| trees.get(run as usize).cloned();
        let mut known: BTreeMap<(Option<String>, u32), Vec<Option<u64>>> = BTreeMap::new();
        for ((run, idx), no) in std::mem::take(&mut self.entered) {
            known.entry((tree_of(old, run), idx)).or_default().push(no);
        }
        for (run, idx) in new.active.keys() {
            let known = known.get_mut(&(tree_of(&new.trees, *run), *idx));
            let no = known.and_then(|all| (!all.is_empty()).then(|| all.remove(0)));
            self.entered.insert((*run, *idx), no.flatten());
        }
        self.waits.clear();
    }
}

impl History {
    /// The state after a record, or after the last.
    pub(super) fn moment(
        &mut self,
        at: Option<u64>,
        file: Option<&mut Recording>,
        agent: AgentEntry,
    ) -> Result<Moment, Failure> {
        let at = self
            .clamped(at)
            .ok_or_else(|| Failure::unknown("no record of the agent has come yet"))?;
        let state = self.state_at(at, file).map_err(Failure::refused)?;
        let moment = self.shown_at(at, &state, agent);
        self.keep(state);
        Ok(moment)
    }

    /// The nodes of a tree that are active after a record.
    pub(super) fn active_at(
        &mut self,
        at: u64,
        tree: &str,
        file: Option<&mut Recording>,
    ) -> std::io::Result<Vec<Active>> {
        let state = self.state_at(at, file)?;
        let picture = state.explainer.replay().picture();
        let is_of_it = |run: u32| picture.trees.get(run as usize).is_some_and(|it| it == tree);
        let all = picture.active.iter().filter(|((run, _), _)| is_of_it(*run));
        let active = all.map(|(place, node)| Active {
            idx: place.1,
            no: state.entered.get(place).copied().flatten(),
            words: match node.name.as_str() {
                "" => format!("{tree}: node {} ({})", place.1, node.kind),
                name => format!("{tree}: node {} ({} `{name}`)", place.1, node.kind),
            },
        });
        let active = active.collect();
        self.keep(state);
        Ok(active)
    }

    fn keep(&mut self, state: State) {
        let Moments(kept) = &mut self.moments;
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(state);
    }

    fn state_at(&mut self, at: u64, mut file: Option<&mut Recording>) -> std::io::Result<State> {
        let after = self.keys.partition_point(|key| *key <= at);
        let key = after
            .checked_sub(1)
            .and_then(|before| self.keys.get(before));
        let key = key.copied();
        // The nearest before it that was shown, unless a snapshot is nearer.
        let Moments(kept) = &mut self.moments;
        let nearest = (0..kept.len())
            .filter(|kept_at| kept[*kept_at].next <= at + 1)
            .max_by_key(|kept_at| kept[*kept_at].next);
        let nearest = nearest.filter(|kept_at| key.is_none_or(|key| kept[*kept_at].next > key));
        let mut state = match (nearest, key) {
            (Some(nearest), _) => kept.remove(nearest),
            (None, Some(key)) => State {
                next: key,
                ..State::default()
            },
            (None, None) => State {
                next: at + 1,
                ..State::default()
            },
        };
        let begins = state.next;
        for no in begins..=at {
            let is_replayed = |entry: &Entry| entry.cmd.is_replayed();
            if !self.entry(no).is_some_and(is_replayed) {
                continue;
            }
            match self.record(no, file.as_deref_mut()) {
                Ok(Some(record)) => {
                    state.play(&record, no);
                    if no == begins {
                        self.find_entries(&mut state, no);
                    }
                }
                Ok(None) => {}
                Err(error) if error.kind() == std::io::ErrorKind::Other => state.is_unsure = true,
                Err(error) => return Err(error),
            }
        }
        state.next = at + 1;
        Ok(state)
    }

    /// Finds the records by which the nodes were entered that are active at a snapshot.
    fn find_entries(&self, state: &mut State, snapshot: u64) {
        let trees = &state.explainer.replay().picture().trees;
        let tree = |run: u32| {
            let name = trees.get(run as usize)?;
            self.names.find(name)
        };
        let unknown = state.entered.iter().filter(|(_, no)| no.is_none());
        let mut wanted: Vec<_> = unknown
            .filter_map(|((run, idx), _)| Some(((*run, *idx), tree(*run)?)))
            .collect();
        let before = usize::try_from(snapshot - self.first).unwrap_or(0);
        for (at, entry) in self.entries.range(..before).enumerate().rev() {
            if wanted.is_empty() {
                return;
            }
            if entry.cmd != Cmd::Enter {
                continue;
            }
            let found = wanted
                .iter()
                .position(|((_, idx), tree)| entry.is_of(*tree, *idx));
            if let Some(found) = found {
                let (place, _) = wanted.swap_remove(found);
                state.entered.insert(place, Some(self.first + at as u64));
            }
        }
    }

    fn shown_at(&self, at: u64, state: &State, agent: AgentEntry) -> Moment {
        let poll = self.poll_of(at);
        let replay = state.explainer.replay();
        let picture = replay.picture();
        let tree = |run: u32| picture.trees.get(run as usize).cloned().unwrap_or_default();
        let active = picture.active.keys().map(|(run, idx)| {
            let no = state.entered.get(&(*run, *idx)).copied().flatten();
            ActiveSince {
                run: *run,
                tree: tree(*run),
                idx: *idx,
                since_ns: no.map(|no| self.poll_of(no).ns),
                no,
                waits: state.waits.get(&(*run, *idx)).cloned(),
            }
        });
        let leaves = state.waits.iter().map(|((run, idx), waits)| WaitingLeaf {
            tree: tree(*run),
            idx: *idx,
            waits: waits.clone(),
        });
        let explanation = state.explainer.explain_at(Duration::from_nanos(poll.ns));
        let (results, written) = self.done_in(poll.first.max(self.first), at);
        Moment {
            at,
            poll: poll.number,
            place: self.polls.place_of(at),
            ns: poll.ns,
            active: active.collect(),
            results,
            written,
            explain: explanation.as_ref().map(ToString::to_string),
            explanation: explanation.and_then(|it| serde_json::to_value(it).ok()),
            ran: match picture.active.is_empty() {
                true => self.last_entered(at),
                false => Some(at),
            },
            unknown: !replay.has_begun() || state.is_unsure,
            picture: AgentPicture {
                agent: AgentEntry {
                    tree: picture.trees.first().cloned().unwrap_or(agent.tree.clone()),
                    ..agent
                },
                trees: picture.trees.clone(),
                active: picture
                    .active
                    .iter()
                    .map(|((run, idx), node)| ActiveNode {
                        run: *run,
                        tree: tree(*run),
                        idx: *idx,
                        kind: node.kind.clone(),
                        name: node.name.clone(),
                    })
                    .collect(),
                leaves: leaves.collect(),
                blackboard: picture.blackboard.clone(),
                properties: picture.properties.clone(),
                ..AgentPicture::default()
            },
        }
    }

    /// The last record up to another by which a node was entered.
    fn last_entered(&self, at: u64) -> Option<u64> {
        let count = usize::try_from((at + 1).checked_sub(self.first)?).ok()?;
        let mut entries = self.entries.range(..count.min(self.entries.len()));
        let place = entries.rposition(|entry| entry.cmd == Cmd::Enter)?;
        Some(self.first + place as u64)
    }

    /// The last results of nodes, and the last writes, in a poll up to a record.
    fn done_in(&self, from: u64, to: u64) -> (Vec<NodeResult>, Vec<Written>) {
        let mut results = BTreeMap::new();
        let mut written = BTreeMap::new();
        for no in from..=to {
            let Some(entry) = self.entry(no) else {
                continue;
            };
            let result = match entry.ended {
                Ended::Success => Some(EndedAs::Success),
                Ended::Failure => Some(EndedAs::Failure),
                Ended::Aborted => Some(EndedAs::Aborted),
                Ended::Somehow => Some(EndedAs::Ended),
                Ended::Not => None,
            };
            if let Some(result) = result
                && entry.is_placed
            {
                let tree = self.names.text(entry.tree).to_owned();
                let node = NodeResult {
                    run: entry.run,
                    tree,
                    idx: entry.idx,
                    result,
                    no,
                };
                results.insert((entry.run, entry.idx), node);
            }
            if entry.is_write() {
                let name = self.names.text(entry.label).to_owned();
                let is_property = entry.cmd == Cmd::PropertySet;
                let (key, property) = match is_property {
                    true => (None, Some(name)),
                    false => (Some(name), None),
                };
                let write = Written { key, property, no };
                written.insert((is_property, entry.label_number()), write);
            }
        }
        (
            results.into_values().collect(),
            written.into_values().collect(),
        )
    }
}
