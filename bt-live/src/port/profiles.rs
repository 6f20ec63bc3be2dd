//! The counts of what nodes did: of many agents, some at a time.

use bt_core::debug::Profile;

use super::Port;
use super::answers::{look, number};
use super::limits::LOOKED_AT;
use super::task::{Step, done, steps, to_json};
use crate::protocol::Error;
use crate::protocol::types::*;

/// Counts what agents do from now on, from zero.
pub(super) fn start(client: u64, asked: StartProfile) -> Result<Step, Error> {
    let ids = asked.agents.map(|agents| {
        let ids = agents.iter().take(LOOKED_AT + 1).map(|id| number(id));
        ids.collect::<Result<Vec<u64>, _>>()
    });
    let mut ids = ids.transpose()?;
    if ids.as_ref().is_some_and(|ids| ids.len() > LOOKED_AT) {
        let why = format!("a profile is of at most {LOOKED_AT} agents");
        return Err(Error::new(crate::protocol::ErrorCode::Limit, why));
    }
    let (mut checked, mut counted) = (0, None);
    Ok(steps(move |port, game, clock| {
        let ids = ids.get_or_insert_with(|| {
            let all = game.ids(None, LOOKED_AT);
            checked = all.len();
            all
        });
        while let Some(id) = ids.get(checked) {
            if let Err(error) = look(*id, game, |_| ()) {
                return Some(Err(error));
            }
            checked += 1;
            if clock.is_over() {
                return None;
            }
        }
        let counted = counted.get_or_insert_with(|| {
            port.watched.begin_profile(client);
            0
        });
        while let Some(id) = ids.get(*counted) {
            port.watched.count(*id);
            *counted += 1;
            if clock.is_over() {
                return None;
            }
        }
        Some(done())
    }))
}

/// The counts so far; and no more is counted, if it is to end.
pub(super) fn get(port: &Port, ends: bool) -> Result<Step, Error> {
    let nothing = || Error::refused("nothing is counted: `profile.start` begins it");
    let profiling = port.watched.profiling.as_ref().ok_or_else(nothing)?;
    let (mut sum, mut agents, mut next) = (profiling.gone.clone(), 0, 0);
    Ok(steps(move |port, _, clock| {
        while let Some((id, profile)) = port.watched.next_counted(next) {
            sum.merge(&profile.lock());
            agents += 1;
            next = id.checked_add(1)?;
            if clock.is_over() {
                return None;
            }
        }
        if ends {
            port.watched.stop_profile();
        }
        Some(to_json(&table(agents, &sum)))
    }))
}

fn table(agents: u32, profile: &Profile) -> ProfileTable {
    let nodes = profile.nodes().map(|(tree, idx, node)| ProfiledNode {
        tree: tree.to_owned(),
        idx,
        entered: node.entered,
        succeeded: node.succeeded,
        failed: node.failed,
        aborted: node.aborted,
        calls: node.calls,
        ns: u64::try_from(node.time.as_nanos()).unwrap_or(u64::MAX),
    });
    ProfileTable {
        agents,
        nodes: nodes.collect(),
    }
}
