//! A saved agent that was changed so that it makes no sense is refused, and says why.

use bt_core::tree::asset::spec::{parallel, sequence, wait_event};
use bt_core::{RestoreError, Runner, Saved, Trees};
use bt_tests::probe::*;
use serde_json::{Value, json};

use crate::snapshot::replaced::{Subject, busy, cancelling, suspended};

/// The refusal to restore an agent that was changed so.
fn refused(subject: &Subject, change: impl FnOnce(&mut Value)) -> String {
    let mut changed = subject.saved.clone();
    change(&mut changed);
    assert_ne!(changed, subject.saved);
    let error = restore(&subject.trees, &changed).expect_err("it is restored");
    assert!(error.is_malformed(), "{error}");
    error.to_string()
}

fn restore(trees: &Trees<Probe>, saved: &Value) -> Result<Runner<Probe>, RestoreError> {
    Runner::restore(trees, &Saved::from_json(&saved.to_string())?)
}

fn list(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().unwrap()
}

#[test]
fn restore_refuses_state_that_never_ends() {
    let subject = Subject::of(&busy());
    // Runs that call one another in a circle, or themselves.
    refused(&subject, |v| v["frames"][1]["caller"] = json!([2, 2]));
    refused(&subject, |v| v["frames"][1]["caller"] = json!([1, 2]));
    refused(&subject, |v| v["frames"][1]["caller"] = json!([9, 2]));
    let error = refused(&subject, |v| {
        v["levels"][0]["entries"][0]["at"] = json!(4711)
    });
    assert!(error.ends_with("`main` has no node 4711"), "{error}");
    refused(&subject, |v| list(&mut v["levels"][0]["entries"]).reverse());
    let order = |v: &mut Value, order: Value| {
        let mut states = list(&mut v["states"]).iter_mut();
        let state = states.find(|state| !state["is"]["order"].is_null());
        state.unwrap()["is"]["order"][0] = order;
    };
    refused(&subject, |v| order(v, json!([])));
    refused(&subject, |v| order(v, json!([19, 19, 19])));
    refused(&subject, |v| v["random"] = json!("0x"));
}

#[test]
fn restore_refuses_an_order_that_two_nodes_have() {
    let subject = Subject::of(&busy());
    let error = refused(&subject, |v| {
        let entries = &mut v["levels"][0]["entries"];
        entries[1]["order"] = entries[0]["order"].clone();
    });
    assert!(error.contains("has the same order"), "{error}");
    // In a suspended tree and the current one.
    let subject = Subject::of(&suspended());
    let error = refused(&subject, |v| {
        v["levels"][1]["entries"][0]["order"] = v["levels"][0]["entries"][0]["order"].clone();
    });
    assert!(error.contains("has the same order"), "{error}");
}

#[test]
fn restore_refuses_an_order_that_a_later_entry_will_have() {
    let subject = Subject::of(&busy());
    let error = refused(&subject, |v| v["order"] = json!(0));
    assert!(error.contains("still to be entered"), "{error}");
    // A time-out tells by it whether it is still the same activation.
    let error = refused(&subject, |v| {
        let next = v["order"].as_u64().unwrap() + 1;
        let mut states = list(&mut v["states"]).iter_mut();
        let state = states.find(|state| !state["is"]["since"].is_null());
        state.unwrap()["is"]["since"] = json!(next);
    });
    assert!(error.contains("(timeout)"), "{error}");
}

#[test]
fn restore_refuses_a_timer_that_is_there_twice() {
    let subject = Subject::of(&busy());
    let timers = subject.saved["timers"].as_array().unwrap();
    let kinds = ["end", "node", "service"];
    for kind in kinds {
        let is = |timer: &Value| timer["for"] == kind || timer["for"].get(kind).is_some();
        let at = timers.iter().position(is);
        let at = at.unwrap_or_else(|| panic!("no timer for `{kind}`"));
        let error = refused(&subject, |v| {
            list(&mut v["timers"]).insert(at, timers[at].clone());
        });
        assert!(error.contains("waits for a time twice"), "{kind}: {error}");
        // It may have come already.
        let come = json!({"timer": [timers[at]["at"], timers[at]["for"]]});
        let error = refused(&subject, |v| v["queue"] = json!([come]));
        assert!(error.contains("waits for a time twice"), "{kind}: {error}");
        let error = refused(&subject, |v| {
            list(&mut v["timers"]).remove(at);
            v["queue"] = json!([come, come]);
        });
        assert!(error.contains("waits for a time twice"), "{kind}: {error}");
    }
    // With another result it is a second one, too.
    let end = timers.iter().position(|timer| timer["for"]["end"] == true);
    let error = refused(&subject, |v| {
        let mut other = timers[end.unwrap()].clone();
        other["for"]["end"] = json!(false);
        list(&mut v["timers"]).insert(end.unwrap(), other);
    });
    assert!(error.contains("waits for a time twice"), "{error}");
}

#[test]
fn restore_refuses_what_is_cancelling_without_what_comes_after() {
    let subject = Subject::of(&cancelling());
    let leaving = |v: &mut Value| v["levels"][0]["leaving"].take();
    let error = refused(&subject, |v| v["levels"][0]["leaving"] = json!([]));
    assert!(error.contains("nothing comes after that"), "{error}");
    let error = refused(&subject, |v| {
        let mut all = leaving(v);
        let first = all[0].clone();
        list(&mut all).push(first);
        v["levels"][0]["leaving"] = all;
    });
    assert!(error.contains("it is being aborted twice"), "{error}");
    let error = refused(&subject, |v| {
        let mut all = leaving(v);
        list(&mut all).push(json!({"inclusive": true, "top": 0, "then": "stop"}));
        v["levels"][0]["leaving"] = all;
    });
    assert!(error.contains("so is a node above it"), "{error}");
    let error = refused(&subject, |v| {
        v["levels"][0]["leaving"] = json!([{"inclusive": true, "top": 0, "then": "stop"}]);
    });
    assert!(
        error.contains("a node above it is being aborted"),
        "{error}"
    );
}

#[test]
fn restore_refuses_the_time_of_a_node_that_is_being_left() {
    let mut play = Play::new(timed("timeout", 9.0, slow("a")));
    play.probe.plain = true;
    play.poll(0.0);
    play.stop();
    let subject = Subject::of(&play);
    let timeout = json!({"at": 1, "for": "node", "left": 9_000_000_000_u64});
    let error = refused(&subject, |v| list(&mut v["timers"]).push(timeout.clone()));
    assert!(error.contains("it is being aborted, and waits"), "{error}");
    // Nor has a time-out one that has forgotten since when it waits.
    let mut play = Play::new(timed("timeout", 9.0, slow("a")));
    play.probe.plain = true;
    play.poll(0.0);
    play.poll(9.0);
    let subject = Subject::of(&play);
    let error = refused(&subject, |v| list(&mut v["timers"]).push(timeout));
    assert!(
        error.contains("does not wait for a time like that"),
        "{error}"
    );
}

#[test]
fn restore_refuses_a_parallel_in_the_middle_of_a_walk() {
    let subject = Subject::of(&busy());
    // One that has decided may wait until a closed part of the tree is open.
    let error = refused(&subject, |v| {
        let mut states = list(&mut v["states"]).iter_mut();
        let state = states.find(|state| state["is"]["parallel"].is_object());
        state.unwrap()["is"]["parallel"]["entering"] = json!(14);
    });
    assert!(
        error.contains("still entering children, or has decided"),
        "{error}"
    );
}

#[test]
fn restore_refuses_a_parallel_of_more_children_than_it_has() {
    let subject = Subject::of(&busy());
    let parallel = |v: &mut Value, key: &str, value: u32| {
        let mut states = list(&mut v["states"]).iter_mut();
        let state = states.find(|state| state["is"]["parallel"].is_object());
        state.unwrap()["is"]["parallel"][key] = json!(value);
    };
    // Twelve of twelve run.
    let error = refused(&subject, |v| parallel(v, "failed", 1));
    assert!(error.contains("run or have ended than it has"), "{error}");
    let error = refused(&subject, |v| parallel(v, "counted", 3));
    assert!(error.contains("a poll still to come"), "{error}");
}

#[test]
fn restore_refuses_a_running_node_without_what_it_remembers() {
    let subject = Subject::of(&cancelling());
    // It is above what is cancelling, and waits for more than that.
    let error = refused(&subject, |v| {
        list(&mut v["states"]).retain(|state| !state["is"]["parallel"].is_object());
    });
    assert!(error.contains("what it remembers is not there"), "{error}");
}

#[test]
fn restore_refuses_the_end_of_a_node_that_does_not_wait() {
    let subject = Subject::of(&busy());
    for (order, answer) in [
        (999, json!(true)),
        (0, Value::Null),
        (1_u64 << 48, json!(true)),
    ] {
        let finish = json!([{"finish": [order, answer]}]);
        let error = refused(&subject, |v| v["queue"] = finish.clone());
        assert!(error.contains(&format!("has the order {order}")), "{error}");
    }
}

#[test]
fn restore_refuses_more_runs_of_trees_than_an_agent_has() {
    let subject = Subject::of(&busy());
    for more in [10_000, 50_000] {
        let error = refused(&subject, |v| {
            let frames = list(&mut v["frames"]);
            let one = frames[frames.len() - 1].clone();
            frames.extend(std::iter::repeat_n(one, more));
        });
        let is_of_many = error.contains("at most 10000 trees");
        assert_eq!(is_of_many, more > 10_101, "{error}");
    }
}

#[test]
fn a_restored_agent_reports_no_more_unknown_events_than_another() {
    let mut subject = Subject::of(&busy());
    let names: Vec<_> = (0..9).map(|name| format!("unknown {name}")).collect();
    subject.saved["strange_events"] = json!(names);
    let mut runner = restore(&subject.trees, &subject.saved).unwrap();
    let mut probe = Probe::default();
    probe.plain = true;
    for poll in 0..20 {
        runner.fire(bt_core::Event::new(format!("other {poll}")));
        runner.poll(&mut probe, std::time::Duration::from_secs(poll));
    }
    let saved: Value = serde_json::from_str(&runner.save().to_json()).unwrap();
    assert_eq!(saved["strange_events"], json!(names[..8]));
}

/// Two branches that wait for the same event, the second one since later.
fn two_waiters(broadcast: bool) -> Play {
    let wait = || wait_event("go").extra("broadcast", broadcast);
    let late = sequence([wait_event("told"), wait(), now("late")]);
    let mut play = Play::new(parallel(2, 1, [late, sequence([wait(), now("early")])]));
    play.probe.plain = true;
    play.poll(0.0);
    play
}

/// The same agent, after so many entries.
fn after_entries(play: &Play, entries: u64) -> Runner<Probe> {
    let Subject { trees, mut saved } = Subject::of(play);
    let last = saved["order"].as_u64().unwrap();
    saved["order"] = json!(entries);
    for entry in saved["levels"][0]["entries"].as_array_mut().unwrap() {
        let before = last - entry["order"].as_u64().unwrap();
        entry["order"] = json!(entries - before);
    }
    restore(&trees, &saved).unwrap()
}

#[test]
fn fire_ends_a_broadcast_wait_of_the_last_number() {
    for last in [u64::from(u32::MAX), 1 << 39, (1 << 40) - 1, u64::MAX] {
        let mut play = two_waiters(true);
        play.runner = after_entries(&play, last);
        play.fire("told").again();
        play.fire("go");
        assert_eq!(play.again(), S, "{last}");
        assert!(play.log().iter().any(|line| line == "call late"));
    }
}

#[test]
fn the_longest_wait_comes_first_past_four_billion_entries() {
    let mut play = two_waiters(false);
    play.runner = after_entries(&play, u64::from(u32::MAX));
    let early = play.runner.active_leaves()[1].id;
    play.fire("told").again();
    let late = play.runner.active_leaves()[0].id;
    assert!(early < late, "{early:?} {late:?}");
    // Neither its name nor its place in the queue is lost in a save.
    play.runner = after_entries(&play, u64::from(u32::MAX) + 1);
    assert_eq!(play.runner.active_leaves()[1].id, early);
    play.fire("go").again();
    assert_eq!(play.log(), ["call early", "left: Success"]);
    play.fire("go");
    assert_eq!(play.again(), S);
}

#[test]
fn entries_that_were_counted_beyond_all_reason_are_counted_anew() {
    let play = two_waiters(true);
    let before = play.runner.save();
    // Their order stays, and nothing else changes.
    for last in [(1 << 39) + 1, (1 << 40) - 1, u64::MAX] {
        assert_eq!(after_entries(&play, last).save(), before, "{last}");
    }
    let mut sparse = Subject::of(&play);
    sparse.saved["order"] = json!(u64::MAX);
    let entries = &mut sparse.saved["levels"][0]["entries"];
    (entries[0]["order"], entries[1]["order"]) = (json!(1_u64 << 60), json!(7));
    let leaves = restore(&sparse.trees, &sparse.saved)
        .unwrap()
        .active_leaves();
    assert!(leaves[1].id < leaves[0].id);
}
