//! Tests of trees that fail in every poll.

use super::*;

#[test]
fn action_fails_every_poll_with_a_reason() {
    let plant = |it: &mut Planted| {
        for second in 0..100 {
            it.poll(f64::from(second));
        }
        let diagnostics = it.runner.diagnostics();
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        assert!(diagnostics[0].to_string().contains("failed: no ammo"));
    };
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "failed: main.json: node 3 (action `shoots`): no ammo (100 times of late, last at 99 s, in poll 100)",
        "  in main.json: 0 root > 1 sequence",
    ];
    reason(
        sequence([action("roars"), action("shoots")]),
        plant,
        99.0,
        &says,
    );
}

#[test]
fn condition_fails_every_poll() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "failed: main.json: node 2 (condition `angry`)",
        "  in main.json: 0 root > 1 sequence",
    ];
    let plant = polls([1.0, 2.0]);
    reason(
        sequence([condition("angry"), rests("time")]),
        plant,
        2.0,
        &says,
    );
}

#[test]
fn guard_refuses_every_poll() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "refused: main.json: node 1 (action `roars`)",
        "  its guard `angry` does not hold, last evaluated at 2 s, in poll 2",
    ];
    let plant = polls([1.0, 2.0]);
    reason(action("roars").guard(guard("angry")), plant, 2.0, &says);
}

#[test]
fn key_is_missing() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "wrong: main.json: node 2 (action `chases`): `chases`: argument `prey` takes blackboard key `prey`, which \
         is not set (2 times of late",
    ];
    let plant = polls([1.0, 2.0]);
    reason(sequence([action("chases").key("prey")]), plant, 2.0, &says);
}

#[test]
fn key_has_another_type() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "wrong: main.json: node 1 (action `chases`): ",
        "key `prey`",
    ];
    let plant = |it: &mut Planted| {
        it.set("prey", "the hen").poll(1.0);
    };
    reason(action("chases").key("prey"), plant, 1.0, &says);
}

#[test]
fn action_panics_every_poll() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "wrong: main.json: node 1 (action `stumbles`): it panicked: there is a hole",
    ];
    let plant = polls([1.0, 2.0]);
    reason(action("stumbles"), plant, 2.0, &says);
}

#[test]
fn completion_is_dropped() {
    let says = [
        "main.json: node 1 (action `rests`): it failed: the last `Completion` of its call was dropped unused",
    ];
    let plant = polls([1.0, 2.0]);
    reason(rests("dropped completion"), plant, 2.0, &says);
}

#[test]
fn all_weights_are_zero() {
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "wrong: main.json: node 1 (probility)",
    ];
    let top = node("probility")
        .extra("prob", json!([0]))
        .child(action("roars"));
    reason(top, polls([1.0]), 1.0, &says);
}

#[test]
fn called_tree_fails_every_poll() {
    let plant = |it: &mut Planted| {
        it.runner.start();
        it.poll(1.0).poll(2.0);
        let diagnostics = it.runner.diagnostics();
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        assert_eq!(
            diagnostics[0].path(),
            "main.json: 0 root > 1 sub_tree `arm.json` > arm.json: 0 root"
        );
    };
    let says = [
        "main.json failed in the last poll, and begins again in the next",
        "failed: arm.json: node 1 (action `shoots`): no ammo",
    ];
    let all = [
        ("main.json", sub_tree("arm.json")),
        ("arm.json", action("shoots")),
    ];
    trees(&all, plant, 2.0, &says);
}
