//! Leaves of a reactive node that abort one another.

use super::*;
use bt_core::tree::asset::spec::{condition, guard, select, sequence, wait_event};

fn chase() -> NodeSpec {
    action("chase").arg(7)
}

#[test]
fn second_of_two_waiting_leaves_below_a_reactive_node_is_restarted() {
    let in_order = |children: [NodeSpec; 2]| over("reactive_sequence", children);
    let first_of = |children: [NodeSpec; 2]| over("reactive_select", children);
    table(
        Code::RestartedLeaf,
        [
            (in_order([go_to(), chase()]), &["t 3"]),
            (in_order([action("guard"), go_to()]), &["t 3"]),
            (in_order([wait_event("alarm"), go_to()]), &["t 3"]),
            (
                in_order([go_to().guard(guard("is_alert")), go_to()]),
                &["t 3"],
            ),
            (in_order([action("chase").key("foe"), go_to()]), &["t 3"]),
            (first_of([go_to(), chase()]), &["t 3"]),
            (sequence([in_order([go_to(), go_to()]), shout()]), &["t 4"]),
        ],
    );
    let found = all(&[tree("t", in_order([go_to(), chase()]))], &[]);
    let found = found.iter().find(|one| one.code() == Code::RestartedLeaf);
    assert_eq!(
        found.unwrap().to_string(),
        "t: node 3: each poll starts node 2 before it again, since `reactive_sequence` is reactive, and aborts this \
         one if that one waits; to run them one after the other write `sequence`, in a script `SEQUENCE True`"
    );
}

#[test]
fn reactive_nodes_whose_first_child_decides_at_once_are_meant() {
    let in_order = |children: [NodeSpec; 2]| over("reactive_sequence", children);
    let first_of = |children: [NodeSpec; 2]| over("reactive_select", children);
    table(
        Code::RestartedLeaf,
        [
            (sequence([go_to(), chase()]), &[]),
            (select([go_to(), chase()]), &[]),
            (in_order([condition("is_alert"), go_to()]), &[]),
            (in_order([shout(), go_to()]), &[]),
            (in_order([go_to(), shout()]), &[]),
            (
                in_order([select([condition("is_alert"), go_to()]), go_to()]),
                &[],
            ),
            (
                first_of([sequence([condition("is_alert"), go_to()]), go_to()]),
                &[],
            ),
            (first_of([go_to().guard(guard("is_alert")), chase()]), &[]),
            (first_of([action("chase").key("foe"), go_to()]), &[]),
        ],
    );
}
