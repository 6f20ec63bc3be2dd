//! Tests of the places that a change breaks among those that use something.

use bt_meta::diff::{Effect, Use, diff};
use bt_meta::validate::File;
use serde_json::{Value, json};

use crate::common::samples::{agent, arg, catalogue, method, with};

/// The nodes that use what the breaking changes are about.
#[track_caller]
pub(super) fn assert_nodes(old: Vec<Value>, new: Vec<Value>, tree: &Value, expect: &[u32]) {
    let uses = uses(Effect::Breaking, old, new, "t.json", &tree.to_string());
    let nodes: Vec<u32> = uses.iter().map(|used| used.node).collect();
    assert_eq!(nodes, expect);
}

/// The places that use what the changes of an effect are about.
#[track_caller]
fn uses(effect: Effect, old: Vec<Value>, new: Vec<Value>, name: &str, tree: &str) -> Vec<Use> {
    let (old, new) = (catalogue(old), catalogue(new));
    let mut found = diff(&old, &new).unwrap();
    let file = File {
        name: name.to_owned(),
        path: name.into(),
        bytes: tree.as_bytes().to_vec(),
    };
    found.look_for_uses(&old, &new, &[file]);
    assert_eq!(found.warnings, [""; 0]);
    let changes = found.changes.into_iter();
    let changes = changes.filter(|change| change.effect == effect);
    changes.flat_map(|change| change.uses).collect()
}

fn guard(methods: Vec<Value>) -> Vec<Value> {
    vec![agent("guard", None, methods)]
}

fn go(args: Vec<Value>) -> Vec<Value> {
    guard(vec![method("action", "go", "Goes.", args)])
}

/// A tree of these nodes below a sequence, numbered from 2; `"below": "and"` puts one below that.
pub(super) fn tree(agent: &str, nodes: &[Value]) -> Value {
    let children: Vec<_> = (2..nodes.len() + 2).collect();
    let mut all = vec![
        json!({"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": agent}}),
        json!({"idx": 1, "type": "sequence", "children": children, "extra": {}}),
    ];
    for (idx, node) in (2..).zip(nodes) {
        let mut node = with(node.clone(), json!({ "idx": idx }));
        if let Some(above) = node.as_object_mut().unwrap().remove("below") {
            node["idx"] = (idx + 100).into();
            all.push(json!({"idx": idx, "type": above, "children": [idx + 100], "extra": {}}));
        }
        all.push(node);
    }
    json!({ "nodes": all })
}

/// `go` with values by their places, and with values by names.
pub(super) fn call(name: &str, placed: &[Value], named: &[(&str, Value)]) -> Value {
    let plain = |value: &Value| json!({"arg_type": "plain", "arg_value": value});
    let by_name = |(name, value): &(&str, Value)| with(plain(value), json!({ "arg_name": name }));
    let args: Vec<_> = placed
        .iter()
        .map(plain)
        .chain(named.iter().map(by_name))
        .collect();
    json!({"type": "action", "children": [], "extra": {"action_name": name, "action_args": args}})
}

fn a() -> Value {
    with(
        arg("a", "int32"),
        json!({"optional": true, "schema": {"type": "integer"}}),
    )
}

fn b() -> Value {
    with(
        arg("b", "int32"),
        json!({"optional": true, "alias": ["beta"], "schema": {"type": "integer"}}),
    )
}

fn four() -> Value {
    let one = || json!(1);
    let nodes = [
        call("go", &[], &[]),
        call("go", &[one()], &[]),
        call("go", &[one(), one()], &[]),
        call("go", &[], &[("b", one())]),
        call("go", &[], &[("beta", one())]),
    ];
    tree("guard", &nodes)
}

#[test]
fn of_an_argument_the_calls_that_give_it() {
    let of = |ty: &str| {
        let narrow = with(b(), json!({"type": ty, "schema": {"type": ty}}));
        go(vec![a(), narrow])
    };
    assert_nodes(of("integer"), of("string"), &four(), &[4, 5, 6]);
}

#[test]
fn of_an_argument_that_is_required_the_calls_that_leave_it_out() {
    let must = with(b(), json!({"optional": false}));
    assert_nodes(go(vec![a(), b()]), go(vec![a(), must]), &four(), &[2, 3]);
}

#[test]
fn removed_argument_breaks_later_arguments_passed_by_position() {
    assert_nodes(go(vec![a(), b()]), go(vec![b()]), &four(), &[3, 4]);
}

#[test]
fn of_an_argument_under_another_name_only_the_calls_that_say_its_name() {
    let c = with(b(), json!({"name": "c", "alias": []}));
    assert_nodes(go(vec![a(), b()]), go(vec![a(), c]), &four(), &[5, 6]);
}

#[test]
fn of_a_narrower_type_only_the_calls_that_are_refused() {
    let most = |most: i32| {
        let bound = json!({"schema": {"type": "integer", "maximum": most}, "max": most});
        go(vec![with(a(), bound)])
    };
    let nodes = [call("go", &[json!(1)], &[]), call("go", &[json!(9)], &[])];
    assert_nodes(most(10), most(5), &tree("guard", &nodes), &[3]);
}

#[test]
fn of_a_variant_that_is_gone_only_the_calls_that_give_it() {
    let of = |variants: &[&str]| {
        let mood = json!({"type": "Mood", "schema": {"type": "string", "enum": variants}});
        go(vec![with(a(), mood), with(b(), json!({"name": "must"}))])
    };
    let refused = |variants: &[&str]| {
        let mut agents = of(variants);
        // What else is refused of a node is no use of the variant.
        agents[0]["actions"][0]["args"][1]["schema"] = json!({"type": "string"});
        agents
    };
    let mood = |mood: &str| call("go", &[json!(mood), json!(1)], &[]);
    let trees = tree("guard", &[mood("calm"), mood("wild"), mood("calm")]);
    let gone = of(&["calm"]);
    assert_nodes(of(&["calm", "wild"]), gone, &trees, &[3]);
    assert_nodes(
        of(&["calm", "wild"]),
        refused(&["calm"]),
        &trees,
        &[3, 2, 3, 4],
    );
}

#[test]
fn of_a_change_of_behaviour_the_calls_that_do_something_else() {
    let nodes = |old: Vec<Value>, new: Vec<Value>| -> Vec<u32> {
        let tree = four().to_string();
        let uses = uses(Effect::Behaviour, old, new, "t.json", &tree);
        uses.iter().map(|used| used.node).collect()
    };
    let default = |default: i32| go(vec![a(), with(b(), json!({ "default": default }))]);
    assert_eq!(nodes(default(1), default(2)), [2, 3]);
    let unit = |unit: &str| go(vec![a(), with(b(), json!({ "unit": unit }))]);
    assert_eq!(nodes(unit("m"), unit("km")), [4, 5, 6]);
    let of = |result: &str| {
        let go = method("action", "go", "Goes.", vec![a(), b()]);
        guard(vec![with(go, json!({ "result": result }))])
    };
    assert_eq!(nodes(of("unit"), of("bool")), [2, 3, 4, 5, 6]);
    assert_eq!(nodes(of("bool"), of("bool")), [0; 0]);
}

#[test]
fn uses_in_scripts_have_lines() {
    let old = go(vec![a()]);
    let gone = guard(vec![]);
    let script = "AGENT guard\nSEQUENCE\n    ON EXIT go 1\n    go 2\n";
    let uses = uses(Effect::Breaking, old, gone, "t.bt", script);
    let places: Vec<_> = uses.iter().map(|used| (used.line, used.column)).collect();
    assert_eq!(places, [(Some(3), Some(13)), (Some(4), Some(5))]);
}

/// Trees of the agent that it is moved to find it still.
#[test]
fn of_a_method_that_moves_to_a_derived_agent_only_the_trees_of_the_base() {
    let go = || vec![method("action", "go", "Goes.", vec![])];
    let of = |base: Vec<Value>, own: Vec<Value>| {
        vec![
            agent("actor", None, base),
            agent("guard", Some("actor"), own),
        ]
    };
    let calls = |agent: &str| tree(agent, &[call("go", &[], &[])]);
    assert_nodes(of(go(), vec![]), of(vec![], go()), &calls("guard"), &[]);
    assert_nodes(of(go(), vec![]), of(vec![], go()), &calls("actor"), &[2]);
}

#[test]
fn a_default_that_is_spelt_otherwise_and_a_variant_that_is_an_alias_now_break_nothing() {
    let of = |default: Value, schema: Value| {
        let ty = json!({"optional": true, "default": default, "schema": schema});
        catalogue(go(vec![with(arg("a", "mood"), ty)]))
    };
    let plain = || json!({"type": "number"});
    let found = diff(&of(json!(1), plain()), &of(json!(1.0), plain())).unwrap();
    assert_eq!(found.changes.len(), 0, "{:?}", found.changes);
    let old = json!({"type": "string", "enum": ["calm", "cross"]});
    let new = json!({"type": "string", "enum": ["calm", "angry"],
        "x-decoder": {"names": ["calm", "angry", "cross"]}});
    let found = diff(&of(json!("calm"), old), &of(json!("calm"), new)).unwrap();
    assert!(!found.is_breaking(), "{:?}", found.changes);
}

#[test]
fn of_what_was_refused_before_nothing_is_told() {
    let of = |least: i32| {
        let ty = json!({"min": least, "schema": {"type": "integer", "format": "int32", "minimum": least}});
        go(vec![with(arg("a", "int32"), ty)])
    };
    let nodes = [-1, 3, 7].map(|value| call("go", &[json!(value)], &[]));
    assert_nodes(of(0), of(5), &tree("guard", &nodes), &[3]);
    // What was no number is none still.
    let nodes = [json!("x"), json!(1)].map(|value| call("go", &[value], &[]));
    assert_nodes(of(0), of(5), &tree("guard", &nodes), &[3]);
}

#[test]
fn of_what_is_disabled_nothing_is_told() {
    let off = with(
        call("go", &[json!(1)], &[]),
        json!({"extra": {"action_name": "go", "disabled": true}}),
    );
    let nodes = [off, call("go", &[], &[])];
    assert_nodes(go(vec![]), guard(vec![]), &tree("guard", &nodes), &[3]);
}

#[test]
fn of_another_order_those_by_their_places() {
    assert_nodes(go(vec![a(), b()]), go(vec![b(), a()]), &four(), &[3, 4]);
}

#[test]
fn of_a_lost_name_the_calls_that_say_it() {
    let forgotten = with(b(), json!({"alias": []}));
    assert_nodes(go(vec![a(), b()]), go(vec![a(), forgotten]), &four(), &[6]);
    let known = || {
        with(
            method("action", "go", "Goes.", vec![]),
            json!({"alias": ["walk"]}),
        )
    };
    let calls = tree("guard", &[call("go", &[], &[]), call("walk", &[], &[])]);
    assert_nodes(guard(vec![known()]), go(vec![]), &calls, &[3]);
}

#[test]
fn of_a_condition_that_becomes_an_action_the_places_that_ask() {
    let of = |kind: &str| guard(vec![method(kind, "go", "Goes.", vec![])]);
    let go = || call("go", &[], &[]);
    let guarded = json!({"type": "action", "children": [], "extra": {
        "action_name": "nothing", "action_args": [], "guards": [{"condition_name": "go", "condition_args": []}],
    }});
    let nodes = [
        go(),
        with(go(), json!({"below": "and"})),
        with(go(), json!({"type": "condition"})),
        guarded,
        with(go(), json!({"below": "negative"})),
    ];
    assert_nodes(
        of("condition"),
        of("action"),
        &tree("guard", &nodes),
        &[4, 5, 103],
    );
}

#[test]
fn of_what_can_stay_running_the_places_that_do_not_wait() {
    let is_async = with(
        method("action", "go", "Goes.", vec![]),
        json!({"async": true, "result": "async"}),
    );
    let go = call("go", &[], &[]);
    let call = json!({"action_name": "go", "action_args": [], "seconds": 1});
    let nodes = [
        go.clone(),
        json!({"type": "sequence", "children": [], "extra": {"services": [call]}}),
        json!({"type": "sequence", "children": [], "extra": {"effects": {"exit": [call]}}}),
    ];
    let old = guard(vec![method("action", "go", "Goes.", vec![])]);
    assert_nodes(old, guard(vec![is_async]), &tree("guard", &nodes), &[3, 4]);
}

#[test]
fn trees_of_agents_below_use_what_they_inherit_and_not_what_they_override() {
    let go = || method("action", "go", "Goes.", vec![]);
    let line = |base: Vec<Value>| {
        let own = with(go(), json!({"override": true}));
        let own = if base.is_empty() { go() } else { own };
        vec![
            agent("actor", None, base),
            agent("bird", Some("actor"), vec![own]),
            agent("guard", Some("actor"), vec![]),
        ]
    };
    let calls = |agent: &str| tree(agent, &[call("go", &[], &[])]);
    assert_nodes(line(vec![go()]), line(vec![]), &calls("guard"), &[2]);
    assert_nodes(line(vec![go()]), line(vec![]), &calls("actor"), &[2]);
    assert_nodes(line(vec![go()]), line(vec![]), &calls("bird"), &[]);
}

#[test]
fn a_name_comes_before_an_alias_also_that_of_a_base() {
    let go = || method("action", "go", "Goes.", vec![]);
    let walk = with(
        method("action", "walk", "Walks.", vec![]),
        json!({"alias": ["go"]}),
    );
    let line = |own| {
        vec![
            agent("actor", None, vec![go()]),
            agent("guard", Some("actor"), own),
        ]
    };
    let calls = tree("guard", &[call("go", &[], &[]), call("walk", &[], &[])]);
    assert_nodes(line(vec![walk]), line(vec![]), &calls, &[3]);
}

#[test]
fn removed_fallback_breaks_uses_of_unregistered_names() {
    let fallback = json!({"fallback": {"crate": "my-game", "file": "src/lib.rs", "line": 1}});
    let old = vec![with(go(vec![]).remove(0), fallback)];
    let calls = tree("guard", &[call("go", &[], &[]), call("dance", &[], &[])]);
    assert_nodes(old, go(vec![]), &calls, &[3]);
}

#[test]
fn of_a_base_that_is_lost_the_trees_that_run_its_trees() {
    let agents =
        |base: Option<&str>| vec![agent("actor", None, vec![]), agent("guard", base, vec![])];
    // The tree runs one of `actor`: itself, if that is what it is for.
    let sub = json!({"type": "sub_tree", "children": [], "extra": {"sub_tree_name": "t"}});
    assert_nodes(
        agents(Some("actor")),
        agents(None),
        &tree("guard", std::slice::from_ref(&sub)),
        &[],
    );
    let (old, new) = (catalogue(agents(Some("actor"))), catalogue(agents(None)));
    let mut found = diff(&old, &new).unwrap();
    let file = |name: &str, tree: Value| File {
        name: name.to_owned(),
        path: name.into(),
        bytes: tree.to_string().into_bytes(),
    };
    let files = [
        file("own.json", tree("guard", &[sub])),
        file("t.json", tree("actor", &[])),
    ];
    found.look_for_uses(&old, &new, &files);
    let uses = &found.changes[0].uses;
    assert_eq!(
        (uses.len(), uses[0].file.as_str(), uses[0].node),
        (1, "own.json", 2)
    );
}

#[test]
fn of_an_agent_with_another_name_the_trees_that_say_the_old_one() {
    let nothing = |agent: &str| tree(agent, &[]);
    let (old, new) = (
        agent("ai::guard", None, vec![]),
        agent("npc::guard", None, vec![]),
    );
    assert_nodes(
        vec![old.clone()],
        vec![new.clone()],
        &nothing("ai::guard"),
        &[0],
    );
    assert_nodes(vec![old], vec![new], &nothing("guard"), &[]);
}

#[test]
fn of_a_struct_with_other_places_the_values_by_position() {
    let spot = |names: [&str; 2]| {
        let number = json!({"type": "number", "format": "double"});
        let schema = json!({
            "type": "object",
            "properties": {"x": number, "y": number},
            "required": ["x", "y"],
            "x-decoder": {"names": names, "places": true},
        });
        let or_none = json!({"anyOf": [schema, {"type": "null"}]});
        let all = json!({"type": "array", "items": or_none});
        go(vec![with(
            arg("way", "array<Spot>"),
            json!({"schema": all}),
        )])
    };
    let nodes = [
        call("go", &[json!([{"x": 1.0, "y": 2.0}])], &[]),
        call("go", &[json!([null, [1.0, 2.0]])], &[]),
        call("go", &[json!([])], &[]),
    ];
    let (old, new) = (spot(["x", "y"]), spot(["y", "x"]));
    assert_nodes(old.clone(), new.clone(), &tree("guard", &nodes), &[3]);
    let found = diff(&catalogue(old), &catalogue(new)).unwrap();
    let message = &found.changes[0].message;
    assert!(
        message.contains("`[]`: its fields by position are `y` and `x` now"),
        "{message}"
    );
}
