//! Trees that call others. (S1-R07, U01, S4-X05, S4-Z03)

use bt_core::reload::Changes;
use bt_core::tree::asset::spec::{
    Call, NodeSpec, action, call, node, parallel, select, sequence, sub_tree,
};
use bt_core::{Runner, Saved, TreeAsset, TreeSet};
use bt_tests::probe::{F, Play, Probe, R, S, guard_key, now, of, paired, slow, starts, wait};
use serde_json::{Value, json};

fn transfer(name: &str) -> NodeSpec {
    sub_tree(name).extra("mode", "transfer")
}

/// A tree that declares keys of its own.
fn with_keys(keys: Value, top: NodeSpec) -> NodeSpec {
    node("root").extra("blackboard", keys).child(top)
}

fn plain(value: impl Into<Value>) -> Value {
    json!({"arg_type": "plain", "arg_value": value.into()})
}

fn key(key: &str) -> Value {
    json!({"arg_type": "blackboard", "arg_value": key})
}

#[test]
fn the_caller_waits_and_the_result_becomes_its_own() {
    for success in [true, false] {
        let main = of("negative", [paired("c", sequence([sub_tree("sub")]))]);
        let mut play = Play::trees([("main", main), ("sub", sequence([starts("a")]))]);
        assert_eq!(play.poll(0.0), R);
        play.end("a", success);
        assert_eq!(play.again(), (!success).into());
    }
}

#[test]
fn a_tree_is_found_by_a_key_with_or_without_its_ending() {
    for name in ["sub", "sub.json"] {
        let by_key = node("sub_tree").extra("name_key", "which");
        let mut play = Play::trees([("main", by_key), ("sub.json", now("a"))]);
        play.set("which", name);
        assert_eq!(play.poll(0.0), S);
    }
}

#[test]
fn recursion_ends_at_a_limit_with_a_failure_that_says_so() {
    let main = select([sub_tree("main"), starts("deepest")]);
    let mut play = Play::new(main);
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+deepest");
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(why.contains("main: node 2") && why.contains("100"), "{why}");
    play.end("deepest", true);
    assert_eq!(play.again(), S);
}

#[test]
fn recursion_up_to_the_limit_is_left_innermost_first() {
    let below = sequence([
        action("number_dec").arg("n").arg(1),
        action("number_larger_than").arg("n").arg(0),
        sub_tree("main"),
    ]);
    let mut play = Play::new(select([paired("n", below), starts("end")]));
    play.set("n", 5);
    assert_eq!(play.poll(0.0), R);
    play.stop();
    assert_eq!(play.brief(), "+n +n +n +n +n -n +end end:A -n -n -n -n");
}

#[test]
fn transfer_aborts_the_whole_current_tree_innermost_first_and_then_starts_the_other() {
    let inner = sequence([sub_tree("sub"), now("never")]);
    let main = parallel(2, 1, [paired("x", starts("a")), paired("y", inner)]);
    let sub = paired("s", sequence([transfer("other"), now("never")]));
    let mut play = Play::trees([("main", main), ("sub", sub), ("other", starts("o"))]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+x +a +y +s -s -y a:A -x +o");
    assert_eq!(play.runner.tree(), "other");
    play.end("o", true);
    assert_eq!(play.again(), S);
}

#[test]
fn tree_of_a_transfer_stays_the_current_tree() {
    let mut play = Play::trees([("main", transfer("other")), ("other", starts("o"))]).looping();
    play.poll(0.0);
    play.end("o", true);
    play.again();
    play.runner.reset();
    play.polls::<2>();
    assert_eq!(play.brief(), "+o o:S +o o:A +o");
}

#[test]
fn a_missing_tree_is_a_load_error() {
    let mut set = TreeSet::<Probe>::new();
    set.add(TreeAsset::build("main", "probe", sub_tree("nowhere")));
    let error = set.build().unwrap_err().to_string();
    assert!(
        error.contains("`nowhere`") && error.contains("node 1"),
        "{error}"
    );
}

#[test]
fn the_name_may_come_from_a_key_which_is_read_on_entry() {
    let by_key = node("sub_tree").extra("name_key", "which");
    let main = sequence([by_key.clone(), by_key]);
    let mut play = Play::trees([("main", main), ("a", starts("a")), ("b", starts("b"))]);
    play.set("which", "a").poll(0.0);
    play.set("which", "b").again();
    assert_eq!(play.brief(), "+a");
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "a:S +b");
}

#[test]
fn a_key_that_names_no_tree_is_a_failure_that_says_so() {
    for (value, word) in [
        (Some(json!("mian")), "did you mean `main`"),
        (Some(json!(7)), "holds 7"),
        (None, "not set"),
    ] {
        let mut play = Play::new(node("sub_tree").extra("name_key", "which"));
        if let Some(value) = value {
            play.set("which", value);
        }
        assert_eq!(play.poll(0.0), F);
        let [why] = play.diagnostics().try_into().unwrap();
        for word in [word, "`which`", "main: node 1"] {
            assert!(why.contains(word), "{why}");
        }
    }
}

#[test]
fn arguments_are_written_to_the_called_trees_keys() {
    let args = json!({"own": plain("x"), "shared": key("from")});
    let main = sequence([sub_tree("sub").extra("args", args)]);
    let sub = with_keys(
        json!({"own": {"type": "string", "initial": "none", "scope": "tree"}}),
        sequence([action("starts").key("own"), action("starts").key("shared")]),
    );
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    play.set("from", "y").poll(0.0);
    play.end("x", true);
    play.again();
    assert_eq!(play.brief(), "+x x:S +y");
    // A key of its own is nobody else's.
    assert!(!play.runner.blackboard().has("own"));
    assert_eq!(play.runner.blackboard().get("shared"), "y");
}

#[test]
fn an_argument_from_a_key_is_what_the_caller_sees() {
    let args = json!({"name": key("name")});
    let main = with_keys(
        json!({"name": {"type": "string", "initial": "callers", "scope": "tree"}}),
        sub_tree("sub").extra("args", args),
    );
    let sub = with_keys(
        json!({"name": {"type": "string", "initial": "own", "scope": "tree"}}),
        action("starts").key("name"),
    );
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+callers");
}

#[test]
fn an_argument_whose_key_is_not_set_is_a_failure_that_says_so() {
    let call = sub_tree("sub").extra("args", json!({"own": key("unset")}));
    let mut play = Play::trees([("main", call), ("sub", starts("a"))]);
    assert_eq!(play.poll(0.0), F);
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(
        why.contains("`own`") && why.contains("main: node 1"),
        "{why}"
    );
    assert_eq!(play.brief(), "");
}

#[test]
fn an_argument_of_another_type_than_the_key_is_reported() {
    let call = sub_tree("sub").extra("args", json!({"own": key("from")}));
    let sub = with_keys(
        json!({"own": {"type": "string", "initial": "none", "scope": "tree"}}),
        action("starts").key("own"),
    );
    let mut play = Play::trees([("main", call), ("sub", sub)]);
    play.set("from", 7).poll(0.0);
    assert_eq!(play.brief(), "+none");
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(why.contains("`own`") && why.contains("string"), "{why}");
}

#[test]
fn a_transfer_hands_its_arguments_over() {
    for slowly in [false, true] {
        let args = json!({"own": plain("x")});
        let beside = if slowly { slow("a") } else { starts("a") };
        let main = parallel(2, 1, [beside, transfer("other").extra("args", args)]);
        let other = with_keys(
            json!({"own": {"type": "string", "initial": "none", "scope": "tree"}}),
            action("starts").key("own"),
        );
        let mut play = Play::trees([("main", main), ("other", other)]);
        play.poll(0.0);
        if slowly {
            assert_eq!(play.brief(), "+a a:A");
            play.end("a", true);
            play.again();
        }
        let brief = play.brief();
        assert!(brief.ends_with("+x"), "{slowly}: {brief}");
        assert_eq!(play.diagnostics(), [""; 0]);
    }
}

/// Two runs of `sub` at once; each has its own keys and says its own name.
/// A call of a tree that gives results.
fn gives(results: &[(&str, &str)]) -> NodeSpec {
    let call = sub_tree("sub");
    results
        .iter()
        .fold(call, |call, (of, own)| call.result(of, own))
}

/// A tree with keys of its own, `way` and `cost`.
fn finds(top: NodeSpec) -> NodeSpec {
    let keys = json!({"way": {"type": "any_value", "scope": "tree"}, "cost": {"type": "int32", "scope": "tree"}});
    with_keys(keys, top)
}

fn writes(key: &str, value: impl Into<Value>) -> Call {
    call("set_key_value").arg(key).arg(value)
}

fn set_key(key: &str, value: impl Into<Value>) -> NodeSpec {
    action("set_key_value").arg(key).arg(value)
}

#[test]
fn results_are_written_before_the_parent_goes_on() {
    let main = sequence([
        gives(&[("way", "route"), ("cost", "price")]),
        action("starts").key("route"),
    ]);
    let sub = finds(sequence([
        set_key("way", "west"),
        starts("a"),
        set_key("cost", 7),
    ]));
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    play.poll(0.0);
    assert!(!play.runner.blackboard().has("route"));
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "+a a:S +west");
    let board = play.runner.blackboard();
    assert_eq!(
        (board.get("route"), board.get("price")),
        ("west".into(), 7.into())
    );
    assert!(!board.has("way"));
}

#[test]
fn results_are_read_after_the_exits_of_the_called_tree() {
    let top = now("a").effect("exit", writes("way", "late"));
    let keys = json!({"way": {"type": "string", "scope": "tree"}});
    let sub = node("root")
        .extra("blackboard", keys)
        .effect("success", writes("way", "later"))
        .effect("exit", writes("way", "last"))
        .child(top);
    let mut play = Play::trees([("main", gives(&[("way", "route")])), ("sub", sub)]);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.runner.blackboard().get("route"), "last");
}

#[test]
fn results_follow_each_end_or_success_only() {
    for (success, only, there) in [
        (true, false, true),
        (false, false, true),
        (true, true, true),
        (false, true, false),
    ] {
        let call = gives(&[("way", "route")]);
        let call = if only {
            call.extra("results_on", "success")
        } else {
            call
        };
        let sub = finds(sequence([set_key("way", 1), starts("a")]));
        let mut play = Play::trees([("main", call), ("sub", sub)]);
        play.poll(0.0);
        play.end("a", success);
        assert_eq!(play.again(), success.into());
        assert_eq!(play.runner.blackboard().has("route"), there);
    }
}

#[test]
fn no_results_follow_an_abort_an_end_outside_or_a_transfer() {
    let ends = |outside: bool| {
        node("end")
            .extra("status", "success")
            .extra("outside", outside)
    };
    let other = || transfer("other");
    for (last, written) in [(ends(false), true), (ends(true), false), (other(), false)] {
        let sub = finds(sequence([set_key("way", 1), last]));
        let main = sequence([gives(&[("way", "route")]), now("z")]);
        let mut play = Play::trees([("main", main), ("sub", sub), ("other", now("o"))]);
        assert_eq!(play.poll(0.0), S);
        assert_eq!(play.runner.blackboard().has("route"), written);
    }
    let sub = finds(sequence([set_key("way", 1), starts("a")]));
    let main = parallel(1, 2, [gives(&[("way", "route")]), starts("b")]);
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    play.poll(0.0);
    play.end("b", true);
    assert_eq!(play.again(), S);
    assert!(!play.runner.blackboard().has("route"));
}

#[test]
fn result_whose_key_is_unset_leaves_the_other_as_it_is() {
    let mut play = Play::trees([
        ("main", gives(&[("way", "route")])),
        ("sub", finds(now("a"))),
    ]);
    play.set("route", "old");
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.runner.blackboard().get("route"), "old");
}

#[test]
fn result_of_a_wrong_type_fails_and_none_is_written() {
    let main = with_keys(
        json!({"price": {"type": "string"}}),
        gives(&[("cost", "anything"), ("way", "price")]),
    );
    let sub = finds(sequence([set_key("way", 3), set_key("cost", 4)]));
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    assert_eq!(play.poll(0.0), F);
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(
        why.contains("main: node 1 (sub_tree `sub`): result `way` of `sub`: "),
        "{why}"
    );
    assert!(why.contains("`price`") && why.contains("string"), "{why}");
    assert!(!play.runner.blackboard().has("anything"));
}

#[test]
fn result_that_a_tree_found_by_a_key_does_not_have_fails() {
    let call = node("sub_tree")
        .extra("name_key", "which")
        .result("way", "route");
    let mut play = Play::trees([("main", call), ("sub", set_key("way", 1))]);
    play.set("which", "sub");
    assert_eq!(play.poll(0.0), F);
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(
        why.contains("result `way` is declared by no key of scope `tree` at the root of `sub`"),
        "{why}"
    );
}

#[test]
fn results_go_to_the_nearest_keys_of_the_caller() {
    let keys = json!({"route": {"type": "string", "scope": "tree", "initial": "none"}});
    let inner = sequence([gives(&[("way", "route")]), action("starts").key("route")]);
    let main = with_keys(keys, inner.clone());
    let mut play = Play::trees([("main", main), ("sub", finds(set_key("way", "east")))]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+east");
    assert!(!play.runner.blackboard().has("route"));
}

#[test]
fn guards_react_to_results_before_the_parent_goes_on() {
    let alarm = starts("alarm").guard(guard_key("loud").set("abort", "lower"));
    let rest = sequence([gives(&[("way", "loud")]), now("z")]);
    let main = select([alarm, rest]);
    let mut play = Play::trees([
        ("main", main),
        ("sub", finds(sequence([starts("a"), set_key("way", true)]))),
    ]);
    play.poll(0.0);
    play.end("a", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S +alarm");
}

#[test]
fn results_of_a_call_that_was_restored_or_reloaded_are_those_of_the_new_trees() {
    let sub = || finds(sequence([set_key("way", 1), wait(5.0)]));
    let old = [("main", gives(&[("way", "old")])), ("sub", sub())];
    let new = Play::trees([("main", gives(&[("way", "new")])), ("sub", sub())]);
    for reloads in [false, true] {
        let mut play = Play::trees(old.clone());
        play.probe.plain = true;
        play.poll(0.0);
        let saved = Saved::from_json(&play.runner.save().to_json()).unwrap();
        play.runner = Runner::restore(play.runner.trees(), &saved).unwrap();
        if reloads {
            play.runner
                .reload(&Changes::between(play.runner.trees(), new.runner.trees()));
        }
        play.poll(1.0);
        assert_eq!(play.poll(6.0), S);
        let board = play.runner.blackboard();
        assert_eq!((board.has("old"), board.has("new")), (!reloads, reloads));
    }
}

fn twice() -> [(&'static str, NodeSpec); 2] {
    let call = |name: &str| sub_tree("sub").extra("args", json!({"own": plain(name)}));
    let main = parallel(2, 1, [call("x"), call("y")]);
    let sub = with_keys(
        json!({"own": {"type": "string", "initial": "none", "scope": "tree"}}),
        sequence([
            action("starts").key("own"),
            of("repeat", [action("starts").key("own")]).extra("count", 2),
        ]),
    );
    [("main", main), ("sub", sub)]
}

#[test]
fn two_runs_of_the_same_tree_at_once_have_a_state_each() {
    let mut play = Play::trees(twice());
    play.poll(0.0);
    assert_eq!(play.brief(), "+x +y");
    for (leaf, expect) in [
        ("y", "y:S +y"),
        ("y", "y:S +y"),
        ("x", "x:S +x"),
        ("y", "y:S"),
        ("x", "x:S +x"),
    ] {
        play.end(leaf, true);
        assert_eq!(play.again(), R);
        assert_eq!(play.brief(), expect);
    }
    play.end("x", true);
    assert_eq!(play.again(), S);
}

#[test]
fn of_two_runs_one_fails_and_the_other_is_aborted_once() {
    let mut play = Play::trees(twice());
    play.poll(0.0);
    play.end("y", true);
    play.again();
    play.end("y", false);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "+x +y y:S +y y:F x:A");
}

#[test]
fn runs_that_come_and_go_do_not_mix() {
    let call = |name: &str| sub_tree("sub").extra("args", json!({"own": plain(name)}));
    let again = |name: &str| of("repeat", [call(name)]).extra("count", 3);
    let main = parallel(2, 1, [again("x"), again("y")]);
    let sub = with_keys(
        json!({"own": {"type": "string", "scope": "tree"}}),
        sequence([action("starts").key("own")]),
    );
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    play.poll(0.0);
    for leaf in ["x", "y", "y", "x", "y"] {
        play.end(leaf, true);
        assert_eq!(play.again(), R);
    }
    play.end("x", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+x +y x:S +x y:S +y y:S +y x:S +x y:S x:S");
}

#[test]
fn a_tree_with_mode_once_ends_when_it_is_called_like_any_other() {
    let sub = node("root").extra("mode", "loop").child(now("a"));
    let mut play = Play::trees([
        ("main", sequence([sub_tree("sub"), now("z")])),
        ("sub", sub),
    ]);
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+a a:S +z z:S");
}

#[test]
fn a_trees_name_goes_with_each_active_node() {
    let mut play = Play::trees([("main", sequence([sub_tree("sub")])), ("sub", starts("a"))]);
    play.poll(0.0);
    let nodes = play.runner.active_nodes();
    let nodes: Vec<_> = nodes
        .iter()
        .map(|n| format!("{} {}", n.tree, n.idx))
        .collect();
    assert_eq!(nodes, ["main 0", "main 1", "main 2", "sub 0", "sub 1"]);
}
