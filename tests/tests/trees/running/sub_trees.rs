//! Trees that call others. (S1-R07, U01, S4-X05, S4-Z03)

use bt_core::tree::asset::spec::{NodeSpec, action, node, parallel, select, sequence, sub_tree};
use bt_core::{TreeAsset, TreeSet};
use bt_tests::probe::{F, Play, Probe, R, S, now, of, paired, slow, starts};
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
