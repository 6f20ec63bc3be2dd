//! Tests of the scopes of keys that running trees read and write. (S3-03, S3-06, S4-P01, S4-P02, S4-P03)

use bt_core::SharedBoard;
use bt_core::tree::asset::spec::{
    NodeSpec, action, guard, node, parallel, select, sequence, sub_tree,
};
use bt_tests::probe::{F, Play, R, S, guard_key, now, of, polled, starts, wait};
use serde_json::{Value, json};

use super::{aborts, takes};

fn root(keys: Value, top: NodeSpec) -> NodeSpec {
    node("root").extra("blackboard", keys).child(top)
}

fn set(key: &str, value: impl Into<Value>) -> NodeSpec {
    action("set_key_value").arg(key).arg(value.into())
}

/// Notes what a key holds.
fn says(key: &str) -> NodeSpec {
    action("note").key(key)
}

fn own(initial: &str) -> Value {
    json!({"k": {"type": "string", "initial": initial, "scope": "tree"}})
}

#[test]
fn a_key_is_the_agents_unless_it_is_declared_otherwise() {
    let main = sequence([set("k", "from main"), sub_tree("sub"), says("k")]);
    let sub = sequence([says("k"), set("k", "from sub")]);
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.log(), ["from main", "from sub"]);
    assert_eq!(play.runner.blackboard().get("k"), "from sub");
}

#[test]
fn a_declared_key_of_the_agent_is_the_same_in_all_trees() {
    let keys = || json!({"k": {"type": "int32", "initial": 3}});
    let main = root(keys(), sequence([sub_tree("sub"), says("word")]));
    let sub = root(keys(), action("number_add").arg("k").arg(1));
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    play.set("word", "said");
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.runner.blackboard().get("k"), 4);
}

#[test]
fn two_types_of_one_key_are_a_load_error_that_names_both() {
    let tree = |name: &str, ty: &str| {
        let keys = json!({"k": {"type": ty}});
        bt_core::TreeAsset::build(name, "probe", root(keys, now("a")))
    };
    let error = Play::of([tree("one", "int32"), tree("two", "string")]).unwrap_err();
    let text = error.to_string();
    for word in ["`k`", "int32", "string"] {
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn an_initial_value_is_there_before_the_first_poll_and_may_be_overridden() {
    let keys = json!({"k": {"type": "string", "initial": "first"}});
    let mut play = Play::new(root(keys.clone(), says("k")));
    assert_eq!(play.runner.blackboard().get("k"), "first");
    play.poll(0.0);
    assert_eq!(play.log(), ["first"]);
    let mut play = Play::new(root(keys, says("k")));
    play.set("k", "second").poll(0.0);
    assert_eq!(play.log(), ["second"]);
}

#[test]
fn a_write_of_another_type_fails_its_node_and_names_both() {
    let keys = json!({"k": {"type": "int32", "initial": 3}});
    let main = root(keys, select([set("k", "text"), starts("b")]));
    let mut play = Play::new(main);
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+b");
    assert_eq!(play.runner.blackboard().get("k"), 3);
    let [why] = play.diagnostics().try_into().unwrap();
    for word in ["`k`", "int32", "\"text\"", "node 2"] {
        assert!(why.contains(word), "{why}");
    }
}

#[test]
fn a_key_of_a_tree_is_its_own() {
    let main = root(
        own("main"),
        sequence([sub_tree("sub"), says("k"), set("k", "x"), says("k")]),
    );
    let sub = root(own("sub"), sequence([says("k"), set("k", "y"), says("k")]));
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.log(), ["sub", "y", "main", "x"]);
    assert!(!play.runner.blackboard().has("k"));
}

#[test]
fn each_run_of_a_tree_begins_with_the_initial_values() {
    let sub = root(own("new"), sequence([says("k"), set("k", "used")]));
    let main = of("repeat", [sub_tree("sub")]).extra("count", 3);
    let mut play = Play::trees([("main", main), ("sub", sub.clone())]);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.log(), ["new"; 3]);
    // So does each run of the agent's tree.
    let mut play = Play::new(sub);
    for _ in 0..2 {
        play.runner.start();
        play.again();
    }
    assert_eq!(play.log(), ["new"; 2]);
}

#[test]
fn the_runs_of_a_recursion_have_a_key_each() {
    let keys = json!({"k": {"type": "int64", "initial": 0, "scope": "tree"}});
    let deeper = sequence([
        action("number_dec").arg("left").arg(1),
        action("number_larger_than").arg("left").arg(0),
        sub_tree("main"),
    ]);
    let main = sequence([
        action("number_add").arg("k").arg(1),
        of("always_true", [deeper]),
        action("number_add").arg("sum").key("k"),
    ]);
    let mut play = Play::new(root(keys, main));
    play.set("left", 4).set("sum", 0);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.runner.blackboard().get("sum"), 4);
}

#[test]
fn a_key_of_a_node_is_seen_by_itself_and_below() {
    let branch = sequence([says("k"), set("k", "inner"), says("k")]).extra(
        "blackboard",
        json!({"k": {"type": "string", "initial": "own"}}),
    );
    let main = sequence([set("k", "outer"), branch, says("k")]);
    let mut play = Play::new(main);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.log(), ["own", "inner", "outer"]);
    assert_eq!(play.runner.blackboard().get("k"), "outer");
}

#[test]
fn a_tree_that_is_called_below_a_node_does_not_see_the_nodes_keys() {
    let branch = sequence([sub_tree("sub")]).extra(
        "blackboard",
        json!({"k": {"type": "string", "initial": "own"}}),
    );
    let mut play = Play::trees([("main", branch), ("sub", says("k"))]);
    play.set("k", "agents");
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.log(), ["agents"]);
}

#[test]
fn a_guard_watches_a_key_of_its_own_run() {
    let keys = json!({"k": {"type": "bool", "initial": false, "scope": "tree"},
        "go": {"type": "string", "scope": "tree"}});
    let lower = now("taken").guard(aborts(guard("arg_true").key("k"), "lower"));
    let sub = root(
        keys,
        select([
            lower,
            sequence([action("starts").key("go"), set("k", true), now("never")]),
        ]),
    );
    let call = |name: &str| {
        let args = json!({"go": {"arg_type": "plain", "arg_value": name}});
        sub_tree("sub").extra("args", args)
    };
    let mut play = Play::trees([
        ("main", parallel(2, 1, [call("x"), call("y")])),
        ("sub", sub),
    ]);
    play.poll(0.0);
    play.end("y", true);
    play.again();
    // Only the run that wrote its key.
    assert_eq!(play.brief(), "+x +y y:S +taken taken:S");
    play.end("x", true);
    assert_eq!(play.again(), S);
}

#[test]
fn keys_by_name_are_those_that_the_node_sees() {
    let main = root(
        json!({"k": {"type": "bool", "initial": true, "scope": "tree"}}),
        select([
            starts("a").guard(aborts(guard_key("k"), "self")),
            starts("b"),
        ]),
    );
    let mut play = Play::new(main);
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+a");
}

#[test]
fn the_keys_of_a_suspended_tree_are_there_when_it_is_back() {
    let inner = sequence([set("k", "kept"), starts("a"), says("k")]);
    let main = root(own("main"), takes(inner, "go", "other", "return"));
    let other = root(own("other"), sequence([says("k"), set("k", "x")]));
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    play.fire("go").again();
    play.end("a", true);
    assert_eq!(play.again(), S);
    let log = play.log();
    let said: Vec<_> = log.iter().filter(|line| !line.contains(' ')).collect();
    assert_eq!(said, ["other", "kept"]);
}

fn global() -> Value {
    json!({"k": {"type": "bool", "initial": false, "scope": "global"}})
}

#[test]
fn a_global_key_is_seen_by_other_agents_at_their_next_poll() {
    let shared = SharedBoard::new();
    let reads = root(
        global(),
        select([
            now("seen").guard(aborts(guard_key("k"), "lower")),
            starts("b"),
        ]),
    );
    let mut reader = Play::new(reads);
    reader.runner.share(&shared);
    reader.poll(0.0);
    assert_eq!(reader.brief(), "+b");
    assert_eq!(reader.wake(), None);
    let mut writer = Play::new(root(global(), set("k", true)));
    writer.runner.share(&shared);
    assert_eq!(writer.poll(0.0), S);
    assert_eq!(shared.get("k"), true);
    // Its next poll, which it wants now, sees it.
    assert_eq!(reader.wake(), Some(0.0));
    assert_eq!(reader.again(), S);
    assert_eq!(reader.brief(), "b:A +seen seen:S");
}

#[test]
fn a_polled_action_reads_what_others_wrote_to_a_global_key() {
    let shared = SharedBoard::new();
    let mut reader = Play::new(root(global(), polled("p")));
    reader.runner.share(&shared);
    reader.on_call("p", |cx| {
        let seen = cx.get("k");
        cx.set("seen", seen);
    });
    reader.poll(0.0);
    let mut writer = Play::new(root(global(), set("k", true)));
    writer.runner.share(&shared);
    writer.poll(0.0);
    reader.again();
    assert_eq!(reader.runner.blackboard().get("seen"), true);
}

#[test]
fn only_keys_that_are_declared_global_are_shared() {
    let shared = SharedBoard::new();
    let mut writer = Play::new(root(global(), sequence([set("k", true), set("own", 1)])));
    writer.runner.share(&shared);
    writer.poll(0.0);
    assert_eq!((shared.has("k"), shared.has("own")), (true, false));
}

#[test]
fn writes_take_effect_at_once() {
    let mut play = Play::new(sequence([now("w"), says("k")]));
    play.on_call("w", |cx| cx.set("k", "written"));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.log().last().unwrap(), "written");
}

#[test]
fn key_written_by_the_host_wakes_its_observers() {
    let guarded = starts("a").guard(aborts(guard_key("k"), "self"));
    let mut play = Play::new(select([guarded, starts("b")]));
    play.set("k", true).poll(0.0);
    assert_eq!(play.wake(), None);
    play.set("other", 1);
    assert_eq!(play.wake(), None);
    play.set("k", false);
    assert_eq!(play.wake(), Some(0.0));
    play.again();
    assert_eq!(play.brief(), "+a a:A +b");
}

#[test]
fn a_reset_clears_the_keys_of_trees_and_of_the_agent_and_not_the_shared_ones() {
    let shared = SharedBoard::new();
    let keys = json!({"k": {"type": "bool", "initial": false, "scope": "global"},
        "hp": {"type": "int32", "initial": 9}});
    let mut play = Play::new(root(keys, sequence([set("k", true), wait(9.0)])));
    play.runner.share(&shared);
    play.poll(0.0);
    play.set("hp", 1).set("own", 1);
    play.runner.reset();
    play.again();
    let board = play.runner.blackboard();
    assert_eq!((board.get("hp"), board.has("own")), (9.into(), false));
    assert_eq!(shared.get("k"), true);
}

#[test]
fn reading_an_undeclared_key_that_is_not_set() {
    let play = Play::new(now("a"));
    let board = play.runner.blackboard();
    assert_eq!(board.get("nothing"), Value::Null);
    assert_eq!(board.get_or("nothing", 7), 7);
    assert!(board.get_as::<i32>("nothing").is_err());
    assert_eq!(F, bt_core::Status::Failure);
}
