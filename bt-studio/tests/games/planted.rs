//! Twenty games that have one mistake each. Tests compare what the studio says of them with the table in the chapter,
//! and those of the page count the clicks from opening it to that sentence.

use bt_core::tree::asset::spec::{
    NodeSpec, action, call, guard, node, parallel, select, sequence, sub_tree, wait_event,
};
use serde_json::{Value, json};

/// The mistakes, by their names in the chapter's table.
pub(crate) const REASONS: [&str; 20] = [
    "a guard never holds",
    "a key is never set",
    "an event is misspelt",
    "a completion is never finished",
    "a cooldown lasts too long",
    "children are in the wrong order",
    "trees call each other without end",
    "a wait is far too long",
    "a forced result is still on",
    "a node is disabled",
    "a deadline is too short",
    "another tree uses another key name",
    "a weight is 0",
    "the agent is paused",
    "a parallel ends too early",
    "a service overwrites the key",
    "an action fails with a reason",
    "a called tree does not exist",
    "an argument is out of range",
    "`keep_place` skips a child",
];

/// The trees of the game that has a mistake. Its dog runs `main.json`.
pub(crate) fn trees(reason: &str) -> Vec<(&'static str, NodeSpec)> {
    match reason {
        "a guard never holds" => {
            let far = sequence([set("distance", 9), select([chase("distance"), wait(1e3)])]);
            vec![("main.json", far)]
        }
        "a key is never set" => {
            let unset = select([chase("distance"), wait(1e3)]);
            vec![("main.json", unset)]
        }
        "an event is misspelt" => {
            let misspelt = sequence([wait_event("stik"), bark()]);
            vec![("main.json", misspelt)]
        }
        "a completion is never finished" => {
            let whistle = sequence([action("whistle"), bark()]);
            vec![("main.json", whistle)]
        }
        "a cooldown lasts too long" => {
            let cooldown = node("cooldown").extra("seconds", 100).child(bark());
            let cooled = select([cooldown, wait(1e3)]);
            vec![("main.json", cooled)]
        }
        "children are in the wrong order" => {
            let order = select([sequence([bark(), wait(1e3)]), chase("distance")]);
            vec![("main.json", order)]
        }
        "trees call each other without end" => {
            let main = sequence([bark(), sub_tree("next.json")]);
            let next = sequence([wait(0.001), sub_tree("main.json")]);
            vec![("main.json", main), ("next.json", next)]
        }
        "a wait is far too long" => {
            let long = sequence([wait(1500.0), bark()]);
            vec![("main.json", long)]
        }
        "a forced result is still on" => {
            let forced = sequence([wait(0.01), action("fetch").arg(1)]);
            vec![("main.json", forced)]
        }
        "a node is disabled" => {
            let disabled = sequence([wait(0.01), bark()]);
            vec![("main.json", disabled)]
        }
        "a deadline is too short" => {
            let timeout = node("timeout").extra("seconds", 0.01).child(wait(2.0));
            let short = sequence([timeout, bark()]);
            vec![("main.json", short)]
        }
        "another tree uses another key name" => {
            let main = sequence([set("distanse", 2), sub_tree("next.json")]);
            let next = select([chase("distance"), wait(1e3)]);
            vec![("main.json", main), ("next.json", next)]
        }
        "a weight is 0" => {
            let drawn = node("probility").extra("prob", json!([0, 3]));
            let drawn = drawn.children([bark(), wait(1e3)]);
            vec![("main.json", drawn)]
        }
        "the agent is paused" => {
            vec![("main.json", wait(0.01))]
        }
        "a parallel ends too early" => {
            let early = parallel(1, 2, [bark(), sequence([wait(1e3), bark()])]);
            vec![("main.json", early)]
        }
        "a service overwrites the key" => {
            let overwrite = call("set_key_value").arg("distance").arg(99);
            let served = select([chase("distance"), wait(1e3)]).service(0.01, overwrite);
            let main = sequence([set("distance", 2), served]);
            vec![("main.json", main)]
        }
        "an action fails with a reason" => {
            let heavy = sequence([wait(0.01), action("fetch").arg(40)]);
            vec![("main.json", heavy)]
        }
        "a called tree does not exist" => {
            let called = node("sub_tree").extra("name_key", "next");
            let main = sequence([set("next", "nxt.json"), called]);
            vec![("main.json", main), ("next.json", wait(1e3))]
        }
        "an argument is out of range" => {
            let heavy = sequence([set("weight", 400), action("fetch").key("weight")]);
            vec![("main.json", heavy)]
        }
        "`keep_place` skips a child" => {
            let near = guard("near").key("distance").set("abort", "both");
            let kept = sequence([bark(), wait(1e3)]).keep_place().guard(near);
            let main = select([kept, wait(1e3)]);
            vec![("main.json", main)]
        }
        other => panic!("no game has the mistake {other:?}"),
    }
}

/// The requests by which somebody changed that game, without the agent that they are about.
pub(crate) fn changes(reason: &str) -> Vec<(&'static str, Value)> {
    let forced = |forced: &str| {
        let node = json!({ "tree": "main.json", "idx": 3, "forced": forced });
        vec![("agent.force", node)]
    };
    match reason {
        "a forced result is still on" => forced("failure"),
        "a node is disabled" => forced("disabled"),
        "the agent is paused" => vec![("agent.pause", json!({}))],
        "`keep_place` skips a child" => [1, 9, 1]
            .map(|distance| {
                (
                    "agent.set_key",
                    json!({ "key": "distance", "value": distance }),
                )
            })
            .to_vec(),
        _ => Vec::new(),
    }
}

fn wait(seconds: f64) -> NodeSpec {
    action("wait_for_seconds").arg(seconds)
}

fn bark() -> NodeSpec {
    action("bark").arg(1)
}

/// An action that takes over as soon as something is near.
fn chase(key: &str) -> NodeSpec {
    let near = guard("near").key(key).set("abort", "lower");
    action("fetch").arg(1).guard(near)
}

fn set(key: &str, value: impl Into<Value>) -> NodeSpec {
    action("set_key_value").arg(key).arg(value)
}
