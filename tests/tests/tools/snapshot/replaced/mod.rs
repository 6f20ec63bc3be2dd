//! Every number, string and list of a saved agent in turn is another one: it is refused with a reason, or
//! is an agent that runs within bounds and can be saved again.

mod agents;
mod values;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use allocation_counter::measure;
use bt_core::tree::asset::spec::{NodeSpec, call, node, parallel, select, sequence, sub_tree};
use bt_core::{Event, Mode, Runner, Saved, TreeAsset, Trees};
use bt_tests::probe::*;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::snapshot::binary::through_binary;
use crate::snapshot::random::cases;
use agents::{SUBJECTS, act, called, paused, pending, stopped, time, transferred, waiting};
pub(crate) use agents::{busy, cancelling, suspended};
use values::{of_its_kind, others, pointers};

/// A saved agent, and the trees that it runs.
pub(crate) struct Subject {
    pub(crate) trees: Trees<Probe>,
    pub(crate) saved: Value,
}

impl Subject {
    pub(crate) fn of(play: &Play) -> Subject {
        Subject {
            trees: play.runner.trees().clone(),
            saved: serde_json::from_str(&play.runner.save().to_json()).unwrap(),
        }
    }
}

fn agent() -> Probe {
    let mut probe = Probe::default();
    probe.plain = true;
    probe.flags.insert("f".to_owned(), true);
    probe
}

/// An agent from what was saved of it, which can be restored.
fn again(trees: &Trees<Probe>, text: &str) -> Runner<Probe> {
    let saved = Saved::from_json(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(through_binary(&saved), saved);
    let again = Runner::restore(trees, &saved);
    again.unwrap_or_else(|error| panic!("saved again, {error}: {text}"))
}

/// Runs what was restored, and beside it the same agent saved and restored now and then: both do the same.
fn run(trees: &Trees<Probe>, restored: Runner<Probe>) {
    let mut both = [again(trees, &restored.save().to_json()), restored];
    let mut probes = [agent(), agent()];
    for poll in 0..20 {
        for (runner, probe) in both.iter_mut().zip(&mut probes) {
            act(runner, probe, poll);
            runner.poll(probe, time(poll));
        }
        let [saved, straight] = &mut probes;
        assert_eq!(saved.log.take(), straight.log.take(), "in poll {poll}");
        if matches!(poll, 0 | 1 | 2 | 5 | 9 | 13 | 15 | 19) {
            let [saved, straight] = [0, 1].map(|which| both[which].save().to_json());
            assert_eq!(saved, straight, "after poll {poll}");
            both[0] = again(trees, &saved).at(time(poll));
        }
    }
}

/// The greatest memory of an agent that has a few dozen nodes.
const MOST: u64 = 4 << 20;

/// Restores an agent and runs it; whether it was refused, and else what is wrong.
fn fault(trees: &Trees<Probe>, saved: &Value) -> Result<bool, String> {
    let text = saved.to_string();
    let mut refused = false;
    let mut outcome = Ok(());
    let memory = measure(|| {
        outcome = catch_unwind(AssertUnwindSafe(|| {
            let restored = Saved::from_json(&text).and_then(|saved| Runner::restore(trees, &saved));
            match restored {
                Ok(runner) => run(trees, runner),
                Err(why) => {
                    assert!(!why.to_string().is_empty());
                    refused = true;
                }
            }
            let saved = Saved::from_json(&text);
            let restarted = saved.and_then(|saved| Runner::restore_or_restart(trees, &saved));
            if let Ok(mut runner) = restarted
                && refused
            {
                let mut probe = agent();
                for poll in 0..3 {
                    act(&mut runner, &mut probe, poll);
                    runner.poll(&mut probe, time(poll));
                }
                // A paused agent has not moved yet: it is still one of older trees.
                let saved = Saved::from_json(&runner.save().to_json()).unwrap();
                let again = Runner::restore_or_restart(trees, &saved);
                drop(again.unwrap_or_else(|error| panic!("saved again, {error}")));
            }
        }));
    });
    if let Err(panic) = outcome {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        return Err(text.unwrap_or_default());
    }
    if memory.bytes_max > MOST {
        return Err(format!("it took {} bytes", memory.bytes_max));
    }
    Ok(refused)
}

/// One change in so many is tried, for each takes milliseconds and the agents have much in common; with `BT_EACH=1` all
/// are.
const ONE_IN: usize = 3;

/// Puts other values in the place of each that is in a saved agent.
fn check(play: fn() -> Play) {
    let Subject { trees, saved } = Subject::of(&play());
    assert_eq!(fault(&trees, &saved), Ok(false), "as it is: {saved}");
    let mut places = Vec::new();
    pointers(&saved, "", &mut places);
    let (mut faults, mut restored, mut refused) = (Vec::new(), 0, 0);
    let one_in = std::env::var_os("BT_EACH").map_or(ONE_IN, |_| 1);
    // Another third of each agent's.
    let mut number = places.len();
    let is_large = places.len() > 300;
    for place in places {
        let value = saved.pointer(&place).unwrap();
        // What is said of many nodes is said of a few in the small ones.
        let others = match is_large && place.starts_with("/nodes/") {
            true if value.is_number() => of_its_kind(value),
            true => Vec::new(),
            false => others(value),
        };
        for other in others {
            number += 1;
            if !number.is_multiple_of(one_in) {
                continue;
            }
            let mut changed = saved.clone();
            *changed.pointer_mut(&place).unwrap() = other.clone();
            match fault(&trees, &changed) {
                Ok(true) => refused += 1,
                Ok(false) => restored += 1,
                Err(why) => faults.push(format!("{place}: {value} as {other}: {why}")),
            }
        }
    }
    let count = faults.len();
    assert!(faults.is_empty(), "{count} faults\n{}", faults.join("\n"));
    assert!(
        restored * one_in > 50 && refused * one_in > 400,
        "{restored} and {refused}"
    );
}

#[test]
fn restore_refuses_or_bounds_a_busy_agent_with_another_value() {
    check(busy);
}

#[test]
fn restore_refuses_or_bounds_a_suspended_agent_with_another_value() {
    check(suspended);
}

#[test]
fn restore_refuses_or_bounds_a_waiting_agent_with_another_value() {
    check(waiting);
}

#[test]
fn restore_refuses_or_bounds_a_cancelling_agent_with_another_value() {
    check(cancelling);
    check(transferred);
    check(stopped);
}

#[test]
fn restore_refuses_or_bounds_an_agent_with_completions_with_another_value() {
    check(pending);
}

#[test]
fn restore_refuses_or_bounds_a_paused_agent_with_another_value() {
    check(paused);
}

#[test]
fn restore_refuses_or_bounds_a_called_tree_with_another_value() {
    check(called);
}

proptest! {
    #![proptest_config(cases(300))]

    /// Several values are others, or take each other's places.
    #[test]
    fn restore_refuses_or_bounds_a_saved_agent_whose_values_change_places(
        which in any::<usize>(),
        swaps in prop::collection::vec((any::<u16>(), any::<u16>(), 0..12u8), 1..4),
    ) {
        thread_local!(static ALL: [Subject; 9] = SUBJECTS.map(|play| Subject::of(&play())));
        ALL.with(|all| {
            let Subject { trees, saved } = &all[which % all.len()];
            let mut changed = saved.clone();
            for (from, to, how) in swaps {
                let mut all = Vec::new();
                pointers(&changed, "", &mut all);
                let from = &all[usize::from(from) % all.len()];
                let to = &all[usize::from(to) % all.len()];
                let moved = changed.pointer(from).cloned().unwrap();
                match (how, changed.pointer_mut(to).unwrap()) {
                    (6.., place) => {
                        let others = others(place);
                        *place = others[from.len() * 7 % others.len()].clone();
                    }
                    (0, Value::Array(items)) => items.push(moved),
                    (1, Value::Array(items)) => items.reverse(),
                    (2, Value::Array(items)) if !items.is_empty() => {
                        items.remove(from.len() % items.len());
                    }
                    (3, Value::Array(items)) if !items.is_empty() => {
                        let twice = items[from.len() % items.len()].clone();
                        items.push(twice);
                    }
                    (_, Value::Number(number)) => {
                        let by = [1, u64::MAX, 2][usize::from(how) % 3];
                        *number = number.as_u64().unwrap_or(0).wrapping_add(by).into();
                    }
                    (_, place) if to.len() >= from.len() => *place = moved,
                    _ => {}
                }
            }
            let fault = fault(trees, &changed);
            prop_assert!(fault.is_ok(), "{}: {changed}", fault.unwrap_err());
            Ok(())
        })?;
    }
}
