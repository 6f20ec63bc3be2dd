//! Nodes that are disabled are not there.

use super::*;
use bt_core::tree::asset::spec::{guard, parallel, select, sequence};

fn off(node: NodeSpec) -> NodeSpec {
    node.extra("disabled", true)
}

#[test]
fn nothing_is_reported_of_disabled_nodes() {
    let idle = go_to().guard(guard("random_chance").arg(0.5).set("abort", "self"));
    table(Code::IdleGuard, [(sequence([off(idle), go_to()]), &[])]);
    let sets = |value: u32| action("set_key_value").arg("k").arg(value);
    let race = [sets(1), off(sets(2)), go_to()];
    table(Code::RacingKeys, [(parallel(2, 1, race), &[])]);
    let stuck = sequence([off(over("root", [shout()])), shout()]);
    table(Code::Unreachable, [(stuck, &[])]);
}

#[test]
fn what_is_left_is_what_a_node_comes_to() {
    let endless = || node("always_running");
    table(
        Code::Unreachable,
        [
            (sequence([endless(), go_to()]), &["t 3"]),
            (sequence([off(endless()), go_to()]), &[]),
            // A select that always succeeds, without the child that does.
            (select([shout(), go_to()]), &["t 3"]),
            (select([off(shout()), go_to()]), &[]),
            // With no child left a sequence succeeds.
            (select([sequence([off(go_to())]), go_to()]), &["t 4"]),
            (select([select([off(go_to())]), go_to()]), &[]),
        ],
    );
    let instant = sequence([off(go_to()), shout()]);
    assert_eq!(told(Code::NeverWaits, &[tree("t", instant)]), ["t 0"]);
}
