//! Values that are written for nothing.

use super::*;
use bt_core::tree::asset::spec::{expr, parallel, sequence, set};

fn one(key: &str, value: &str) -> NodeSpec {
    set([(key, value)])
}

fn sets(value: u32) -> NodeSpec {
    action("set_key_value").arg("k").arg(value)
}

#[test]
fn a_value_that_the_next_leaf_writes_over_is_lost() {
    let row = |children: [NodeSpec; 2]| sequence(children);
    table(
        Code::LostUpdate,
        [
            (row([one("$k", "1"), one("$k", "2")]), &["t 2 set/$k"]),
            (row([sets(1), sets(2)]), &["t 2 action_args/0/arg_value"]),
            (row([one("$k", "$foe"), sets(2)]), &["t 2 set/$k"]),
            (
                over("always_seq", [sets(1), sets(2)]),
                &["t 2 action_args/0/arg_value"],
            ),
            (
                row([set([("$a", "1"), ("$k", "1")]), sets(2)]),
                &["t 2 set/$k"],
            ),
            // It stays if the second fails.
            (row([one("$k", "0"), one("$k", "$foe / 2")]), &[]),
            (row([sets(0), action("look").key("k")]), &[]),
            // It is read, or may be.
            (row([one("$k", "1"), one("$k", "$k + 1")]), &[]),
            (row([sets(1), sets(2).guard(expr("$k == 1"))]), &[]),
            (
                row([
                    sets(1).service(1.0, bt_core::tree::asset::spec::call("shout")),
                    sets(2),
                ]),
                &[],
            ),
            (sequence([sets(1), go_to(), sets(2)]), &[]),
            (row([one("$k", "1"), one("$j", "2")]), &[]),
            (over("select", [sets(1), sets(2)]), &[]),
        ],
    );
}

#[test]
fn a_guard_that_reacts_between_two_writes_reads_the_first() {
    let row = |guard: &str| {
        let row = sequence([sets(1), sets(2)]);
        let guarded = go_to().guard(expr(guard).set("abort", "self"));
        parallel(2, 1, [row, guarded])
    };
    let lost = ["t 3 action_args/0/arg_value"];
    assert_eq!(told(Code::LostUpdate, &[tree("t", row("$foe == 1"))]), lost);
    assert_eq!(
        told(Code::LostUpdate, &[tree("t", row("$k == 1"))]),
        [""; 0]
    );
    assert_eq!(
        told(Code::LostUpdate, &[tree("t", row("is_night()"))]),
        [""; 0]
    );
    // Of another tree, too: it may run this one.
    let writes = tree("t", sequence([sets(1), sets(2)]));
    let other = |key: &str| {
        tree(
            "u",
            go_to().guard(expr(&format!("${key} == 1")).set("abort", "self")),
        )
    };
    assert_eq!(
        told(Code::LostUpdate, &[writes.clone(), other("k")]),
        [""; 0]
    );
    assert_eq!(
        told(Code::LostUpdate, &[writes, other("foe")]),
        ["t 2 action_args/0/arg_value"]
    );
}

#[test]
fn a_shared_key_that_is_written_from_itself_loses_the_writes_of_others() {
    let scoped = |scope: &str, value: &str| {
        let declared = format!(
            r#""blackboard":{{"g":{{"type":"int64","initial":0,"scope":"{scope}"}}}},"agent_name""#
        );
        let text = tree("t", one("$g", value)).to_json();
        TreeAsset::from_json("t", &text.replacen("\"agent_name\"", &declared, 1)).unwrap()
    };
    let lost = |tree: TreeAsset| told(Code::LostUpdate, &[tree]);
    assert_eq!(lost(scoped("global", "$g + 1")), ["t 1 set/$g"]);
    assert_eq!(lost(scoped("global", "max($g, 3)")), ["t 1 set/$g"]);
    assert_eq!(lost(scoped("global", "3")), [""; 0]);
    assert_eq!(lost(scoped("agent", "$g + 1")), [""; 0]);
}
