//! Random trees at random play, of all kinds: nothing panics, all that is entered is left once, and
//! what is active is what was entered.

use std::collections::BTreeMap;

use bt_core::LeafState;
use bt_tests::cases::{Case, Driven, Kind, Op, Profile, drive, for_seeds};

/// The number of cases.
const RUNS: u64 = 1500;

#[test]
fn entered_node_exits_exactly_once() {
    for_seeds(RUNS, Profile::All, |case| {
        let places = Places::of(case);
        drive(case, |driven| {
            driven.play.check_balance();
            // What an event suspends is open, and not active.
            match places.switches {
                true => Ok(()),
                false => places.open_is_active(driven),
            }
        })
    });
}

#[test]
fn outside_parallels_there_is_one_active_leaf_at_most() {
    for_seeds(RUNS, Profile::All, |case| {
        let all = case.nodes().into_iter();
        let mut kinds = all.map(|node| &node.kind);
        if kinds.any(|kind| matches!(kind, Kind::Parallel { .. } | Kind::AnyFinish)) {
            return Ok(());
        }
        drive(case, |driven| {
            let leaves = driven.play.runner.active_leaves().into_iter();
            let leaves = leaves.filter(|leaf| !leaf.suspended);
            // What takes over may begin while what it took over from is cancelling.
            let leaves: Vec<_> = leaves
                .filter(|leaf| leaf.state != LeafState::Cancelling)
                .collect();
            match leaves.len() {
                0 | 1 => Ok(()),
                _ => Err(format!("after {:?}: {leaves:?}", driven.op)),
            }
        })
    });
}

#[test]
fn no_poll_enters_more_nodes_than_its_budget() {
    for_seeds(RUNS, Profile::All, |case| {
        let names: Vec<_> = case.scripts();
        drive(case, |driven| {
            let entered = |is_leaf: bool| {
                let lines = driven
                    .log
                    .iter()
                    .filter_map(|line| line.strip_prefix("enter "));
                let is_script = |name: &&str| names.iter().any(|script| script.name == *name);
                lines.filter(|name| is_script(name) == is_leaf).count()
            };
            // A leaf with effects is in both.
            let most = entered(true).max(entered(false));
            match most <= case.budget as usize {
                true => Ok(()),
                false => Err(format!("{most} nodes were entered: {:?}", driven.log)),
            }
        })
    });
}

#[test]
fn the_same_seed_gives_the_same_log() {
    for_seeds(RUNS, Profile::All, |case| {
        let run = || {
            let mut all = Vec::new();
            let played = drive(case, |driven| {
                let wake = driven.play.runner.next_wake();
                all.push((driven.status, wake, std::mem::take(&mut driven.log)));
                Ok::<(), String>(())
            });
            played.map(|()| all)
        };
        match run()? == run()? {
            true => Ok(()),
            false => Err("it goes another way the second time".to_owned()),
        }
    });
}

#[test]
fn a_poll_before_its_time_does_nothing() {
    for_seeds(RUNS, Profile::All, |case| {
        // Nothing has arrived since the last poll.
        let (mut wake, mut is_still) = (None, false);
        drive(case, |driven| {
            let was_due = std::mem::replace(&mut wake, driven.play.runner.next_wake());
            let was_still = std::mem::replace(&mut is_still, matches!(driven.op, Op::Poll(_)));
            let now = std::time::Duration::from_millis(250 * driven.now);
            let early = was_due.is_none_or(|due| now < due);
            match was_still && is_still && early && !driven.log.is_empty() {
                true => Err(format!("it was due at {was_due:?}: {:?}", driven.log)),
                false => Ok(()),
            }
        })
    });
}

/// The places of log lines in the trees.
struct Places {
    /// The places of scripted leaves, and of nodes with effects, by their names in the log.
    names: BTreeMap<String, String>,
    /// Events switch trees.
    switches: bool,
}

impl Places {
    fn of(case: &Case) -> Places {
        let mut names = BTreeMap::new();
        let mut switches = false;
        for tree in &case.trees {
            for node in tree.root.nodes() {
                let place = format!("{}.{}", tree.name, node.idx);
                if node.logged {
                    names.insert(format!("node {place}"), place.clone());
                }
                if let Some(script) = node.kind.script() {
                    names.insert(script.name.clone(), place);
                }
                switches |= node.takes.is_some();
            }
        }
        Places { names, switches }
    }

    /// Checks that open nodes are active, as often, and the other way round.
    fn open_is_active(&self, driven: &Driven) -> Result<(), String> {
        let mut active: BTreeMap<String, i64> = BTreeMap::new();
        for node in driven.play.runner.active_nodes() {
            let place = format!("{}.{}", node.tree, node.idx);
            *active.entry(place).or_default() += 1;
        }
        let open = driven.play.probe.log.open_counts();
        for (name, place) in &self.names {
            if open.get(name) != active.get(place) {
                let op = driven.op;
                return Err(format!(
                    "after {op:?}: {name} is open in {open:?}, active {active:?}"
                ));
            }
        }
        let leaves = driven.play.runner.active_leaves();
        match active.is_empty() || !leaves.is_empty() {
            true => Ok(()),
            false => Err(format!("no leaf is active, but {active:?}")),
        }
    }
}
