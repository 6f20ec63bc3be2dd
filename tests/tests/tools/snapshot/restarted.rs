//! An agent that was saved compact does not know what it ran: where a tree has changed, what does not depend on it is
//! kept, and the current tree starts anew. Others move: `tests/reload/saved.rs`.

use bt_core::tree::asset::spec::{action, sequence, wait_event};
use bt_core::{Event, Mode, Runner, Saved};
use serde_json::json;

use crate::snapshot::keeper::{Shift, trees};

#[test]
fn a_changed_tree_starts_anew_and_the_rest_stays() {
    let cooldown = || {
        let rest = bt_core::tree::asset::spec::node("cooldown").extra("seconds", 100);
        bt_core::tree::asset::spec::node("always_true").child(rest.child(action("say").arg("hot")))
    };
    let old = trees([("main", sequence([cooldown(), action("rest")]))]);
    let mut shift = Shift::of(old);
    shift.runner = Runner::new(&shift.trees, "main")
        .unwrap()
        .seed(9)
        .mode(Mode::Once);
    shift.runner.start();
    shift.poll(0);
    shift.runner.blackboard().set("gold", 7);
    shift.runner.fire(Event::new("call"));
    let saved = Saved::from_json(&shift.runner.save().compact().to_json()).unwrap();

    let top = sequence([wait_event("call"), action("say").arg("new"), action("rest")]);
    let new = trees([("main", top)]);
    let error = Runner::restore(&new, &saved).unwrap_err();
    assert!(error.is_changed() && error.tree() == Some("main"));
    let runner = Runner::restore_or_restart(&new, &saved).unwrap();
    shift.runner = runner;
    shift.trees = new;
    shift.keeper.take();
    let told = shift.told();
    assert_eq!(told.len(), 1);
    assert!(
        told[0].contains("`main`") && told[0].ends_with("`main` starts anew"),
        "{told:?}"
    );
    assert_eq!(shift.runner.blackboard().get("gold"), 7);
    shift.poll(50);
    assert_eq!(shift.keeper.take(), ["new", "rest"]);
    let text = shift.runner.save().to_json();
    assert!(text.contains(r#""again":false"#), "{text}");
}

#[test]
fn unchanged_trees_are_simply_restored() {
    let mut shift = Shift::new(sequence([action("rest"), action("say").arg("done")]));
    shift.poll(0);
    let saved = shift.runner.save();
    shift.runner = Runner::restore_or_restart(&shift.trees, &saved).unwrap();
    assert!(shift.told().is_empty());
    assert_eq!(shift.runner.save(), saved);
}

#[test]
fn restore_keeps_retained_counters_of_unchanged_trees() {
    use bt_core::tree::asset::spec::{node, sub_tree};
    let once = || sequence([node("once").child(action("say").arg("once"))]);
    let main = |word: &str| sequence([sub_tree("other"), action("say").arg(word), action("rest")]);
    let mut shift = Shift::of(trees([("main", main("old")), ("other", once())]));
    shift.poll(0);
    let saved = shift.runner.save().compact();
    assert_eq!(saved.trees().collect::<Vec<_>>(), ["main", "other"]);
    let new = trees([("main", main("new")), ("other", once())]);
    shift.runner = Runner::restore_or_restart(&new, &saved).unwrap();
    shift.keeper.take();
    shift.poll(0);
    assert_eq!(shift.keeper.take(), ["new", "rest"]);
}

#[test]
fn the_outermost_tree_starts_where_events_suspended_others() {
    let events = json!([{"event": "call", "tree": "other", "mode": "return"}]);
    let main = || sequence([action("rest")]).extra("events", events.clone());
    let mut shift = Shift::of(trees([("main", main()), ("other", action("rest"))]));
    shift.poll(0);
    shift.runner.fire(Event::new("call"));
    shift.poll(0);
    let saved = shift.runner.save().compact();
    let new = trees([("main", main()), ("other", action("drag"))]);
    shift.runner = Runner::restore_or_restart(&new, &saved).unwrap();
    assert_eq!(shift.runner.tree(), "main");
    shift.poll(0);
    assert_eq!(shift.runner.active_leaves()[0].name, "rest");
}

#[test]
fn restore_can_skip_a_removed_tree_but_not_the_main_one() {
    use bt_core::tree::asset::spec::sub_tree;
    let mut shift = Shift::of(trees([
        ("main", sub_tree("other")),
        ("other", action("rest")),
    ]));
    shift.poll(0);
    let saved = shift.runner.save().compact();
    let new = trees([("main", action("rest"))]);
    let error = Runner::restore(&new, &saved).unwrap_err();
    assert!(
        error.is_unknown_tree() && error.tree() == Some("other"),
        "{error}"
    );
    assert!(Runner::restore_or_restart(&new, &saved).is_ok());
    let error = Runner::restore_or_restart(&trees([("mine", action("rest"))]), &saved).unwrap_err();
    assert!(error.is_unknown_tree(), "{error}");
    assert_eq!(
        error.to_string(),
        "the agent cannot be restored: it needs the tree `main`, which is not in the set: add \
         it"
    );
}

#[test]
fn a_stopped_agent_stays_stopped() {
    let mut shift = Shift::new(action("rest"));
    shift.poll(0);
    shift
        .runner
        .stop(&mut shift.keeper, std::time::Duration::ZERO);
    let saved = shift.runner.save().compact();
    let new = trees([("main", action("drag"))]);
    shift.runner = Runner::restore_or_restart(&new, &saved).unwrap();
    shift.keeper.take();
    shift.poll(0);
    assert!(!shift.runner.is_running() && shift.keeper.take().is_empty());
}

#[test]
fn a_key_that_is_declared_otherwise_keeps_its_first_value() {
    let declared = |ty: &str, initial: serde_json::Value| {
        let text = json!({"nodes": [
            {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "keeper",
                "blackboard": {"hp": {"type": ty, "initial": initial}}}},
            {"idx": 1, "type": "action", "children": [], "extra": {"action_name": "rest"}}]});
        let mut set = bt_core::TreeSet::new();
        let text = text.to_string();
        set.add(bt_core::TreeAsset::from_json("keys", &text).unwrap());
        let main = bt_core::TreeAsset::build("main", "keeper", action("rest"));
        set.add(main);
        set.build().unwrap()
    };
    let mut shift = Shift::of(declared("int32", 1.into()));
    shift.poll(0);
    shift.runner.blackboard().set("hp", 50);
    let saved = shift.runner.save().compact();
    let new = declared("string", "fine".into());
    let error = Runner::restore(&new, &saved).unwrap_err();
    assert!(error.is_changed(), "{error}");
    assert!(error.to_string().contains("`hp`"), "{error}");
    shift.runner = Runner::restore_or_restart(&new, &saved).unwrap();
    assert_eq!(shift.runner.blackboard().get("hp"), "fine");
    assert_eq!(shift.told().len(), 2);
}
