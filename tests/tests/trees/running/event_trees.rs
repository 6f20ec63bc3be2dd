//! Events that switch trees. (S4-V01 to S4-V04, S4-X05)

use bt_core::tree::asset::spec::{
    NodeSpec, action, node, parallel, select, sequence, sub_tree, wait_event,
};
use bt_core::{Event, LeafId};
use bt_tests::probe::{
    F, Play, R, Reply, S, frames, guard_key, now, of, paired, polled, slow, starts, timed, wait,
};
use serde_json::json;

use super::{aborts, takes};

fn other(name: &str) -> NodeSpec {
    sequence([starts(name)])
}

#[test]
fn transfer_is_the_default_and_aborts_innermost_first() {
    let both = parallel(2, 1, [paired("x", sequence([starts("a")])), starts("b")]);
    let main = both.extra("events", json!([{"event": "go", "tree": "other"}]));
    let mut play = Play::trees([("main", main), ("other", other("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+x +a +b b:A a:A -x +o");
    assert_eq!(play.runner.tree(), "other");
    play.end("o", true);
    assert_eq!(play.again(), S);
}

#[test]
fn waiters_come_before_nodes_that_take_the_event() {
    let main = takes(
        sequence([wait_event("go"), starts("a")]),
        "go",
        "other",
        "transfer",
    );
    let mut play = Play::trees([("main", main), ("other", other("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a");
    play.fire("go").again();
    assert_eq!(play.brief(), "a:A +o");
}

#[test]
fn the_deepest_takes_it_then_the_one_of_the_lowest_index() {
    let to = |spec, tree| takes(spec, "go", tree, "transfer");
    let deep = sequence([of("always_true", [to(starts("a"), "deep")])]);
    let main = to(
        parallel(
            3,
            1,
            [to(starts("s"), "shallow"), deep, to(starts("t"), "last")],
        ),
        "top",
    );
    let trees = [
        ("main", main),
        ("deep", other("D")),
        ("shallow", other("S")),
        ("last", other("L")),
        ("top", other("T")),
    ];
    let mut play = Play::trees(trees.clone());
    play.poll(0.0);
    play.fire("go").again();
    assert!(play.brief().ends_with("+D"));
    // The deepest is gone: of two of one depth the first.
    let mut play = Play::trees(trees);
    play.poll(0.0);
    play.end("a", true);
    play.again();
    play.fire("go").again();
    assert!(play.brief().ends_with("+S"));
}

#[test]
fn event_is_taken_once() {
    let main = takes(starts("a"), "go", "middle", "return");
    let middle = takes(starts("b"), "go", "top", "return");
    let mut play = Play::trees([("main", main), ("middle", middle), ("top", starts("c"))]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+a +b");
    play.fire("go").again();
    assert_eq!(play.brief(), "+c");
}

#[test]
fn a_node_that_is_not_active_takes_nothing() {
    let taker = takes(starts("a"), "go", "other", "transfer");
    let mut play = Play::trees([
        ("main", sequence([starts("first"), taker])),
        ("other", other("o")),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+first");
}

#[test]
fn a_taker_in_a_called_tree_switches_the_whole_current_tree() {
    let sub = takes(starts("a"), "go", "other", "transfer");
    let mut play = Play::trees([
        (
            "main",
            sequence([paired("c", sequence([sub_tree("sub")])), now("z")]),
        ),
        ("sub", sub),
        ("other", other("o")),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+c +a a:A -c +o");
    play.end("o", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "o:S");
}

#[test]
fn suspended_tree_resumes_at_the_same_nodes() {
    let inner = parallel(2, 1, [polled("p"), sequence([starts("a"), now("z")])]);
    let main = takes(inner, "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+p +a +o");
    // The polled leaf has no turn.
    play.polls::<3>();
    assert_eq!(play.brief(), "");
    play.end("o", false);
    play.again();
    assert_eq!(play.brief(), "o:F ~p");
    play.end("a", true);
    play.reply("p", [S]);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "a:S +z z:S ~p p:S");
}

#[test]
fn while_suspended_timers_run_on_and_completions_are_held() {
    let inner = parallel(
        3,
        1,
        [
            sequence([wait(5.0), now("w")]),
            sequence([starts("a"), now("z")]),
            sequence([wait(50.0), now("v")]),
        ],
    );
    let main = takes(inner, "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").poll(1.0);
    play.poll(10.0);
    play.end("a", true);
    play.poll(11.0);
    assert_eq!(play.brief(), "+a +o");
    play.end("o", true);
    play.poll(12.0);
    // In the order in which they came.
    assert_eq!(play.brief(), "o:S +w w:S a:S +z z:S");
    assert_eq!(play.wake(), Some(50.0));
    assert_eq!(play.poll(50.0), S);
}

#[test]
fn while_suspended_what_the_host_finishes_is_held_too() {
    let main = takes(starts("a"), "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    let leaf: LeafId = play.runner.active_leaves()[0].id;
    play.fire("go").again();
    play.runner.finish(leaf, true);
    assert_eq!(play.again(), R);
    play.end("o", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+a +o o:S a:S");
}

#[test]
fn while_suspended_a_deadline_is_held() {
    let main = takes(timed("timeout", 5.0, starts("a")), "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").poll(1.0);
    assert_eq!(play.poll(9.0), R);
    play.end("o", true);
    assert_eq!(play.poll(10.0), F);
    assert_eq!(play.brief(), "+a +o o:S a:A");
}

#[test]
fn while_suspended_polls_are_counted() {
    let main = takes(sequence([frames(5), now("z")]), "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.polls::<7>();
    assert_eq!(play.brief(), "+o");
    play.end("o", true);
    assert_eq!(play.again(), S);
}

#[test]
fn guards_of_a_suspended_tree_are_evaluated_when_it_resumes() {
    let guarded = starts("a").guard(aborts(guard_key("k"), "self"));
    let main = takes(select([guarded, starts("b")]), "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.set("k", true).poll(0.0);
    play.fire("go").again();
    play.set("k", false).again();
    assert_eq!(play.brief(), "+a +o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S a:A +b");
}

#[test]
fn while_suspended_the_tree_takes_no_events() {
    let inner = sequence([wait_event("bell"), now("z")]);
    let main = takes(inner, "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").fire("bell").fire("go").again();
    assert_eq!(play.brief(), "+o");
    play.end("o", true);
    assert_eq!(play.again(), R);
    play.fire("bell");
    assert_eq!(play.again(), S);
}

#[test]
fn events_after_the_end_of_the_events_tree_reach_the_tree_that_is_back() {
    let inner = sequence([wait_event("bell"), now("z")]);
    let main = takes(inner, "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", now("o"))]);
    play.poll(0.0);
    play.fire("go").fire("bell");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+o o:S +z z:S");
}

#[test]
fn a_called_tree_is_suspended_with_its_caller() {
    let sub = takes(sequence([starts("a"), now("z")]), "go", "other", "return");
    let mut play = Play::trees([
        ("main", sequence([sub_tree("sub"), now("y")])),
        ("sub", sub),
        ("other", sub_tree("inner")),
        ("inner", starts("o")),
    ]);
    play.poll(0.0);
    play.fire("go").again();
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "+a +o");
    play.end("o", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "o:S a:S +z z:S +y y:S");
}

#[test]
fn once_is_once_for_each_activation() {
    let taken = json!([{"event": "go", "tree": "other", "mode": "return", "once": true}]);
    let node = starts("a").extra("events", taken);
    let main = of("repeat", [node]).extra("count", 2);
    let mut play = Play::trees([("main", main), ("other", now("o"))]);
    play.poll(0.0);
    play.fire("go").fire("go").again();
    assert_eq!(play.brief(), "+a +o o:S");
    play.end("a", true);
    play.again();
    play.fire("go").again();
    assert_eq!(play.brief(), "a:S +a +o o:S");
}

#[test]
fn parameters_are_written_before_the_tree_starts() {
    let taken = json!([{"event": "told", "tree": "other", "mode": "return",
        "params": {"what": "name"}}]);
    let main = starts("a").extra("events", taken);
    let tree = bt_core::tree::asset::spec::action("starts").key("name");
    let mut play = Play::trees([("main", main), ("other", tree)]);
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", "x"));
    play.again();
    assert_eq!(play.brief(), "+a +x");
}

/// A node that takes `told` for a tree, with the parameter under a key.
fn takes_told(node: NodeSpec, mode: &str, key: &str) -> NodeSpec {
    let taken = json!([{"event": "told", "tree": "other", "mode": mode, "params": {"what": key}}]);
    node.extra("events", taken)
}

/// A tree that declares a key.
fn declares(top: NodeSpec, key: &str, scope: &str) -> NodeSpec {
    let keys = json!({key: {"type": "any_value", "initial": "first", "scope": scope}});
    node("root").extra("blackboard", keys).child(top)
}

#[test]
fn parameters_reach_the_keys_of_tree_scope_of_the_tree_they_start() {
    for mode in ["transfer", "return"] {
        let main = takes_told(starts("a"), mode, "name");
        let other = declares(action("starts").key("name"), "name", "tree");
        let mut play = Play::trees([("main", main), ("other", other)]);
        play.poll(0.0);
        play.runner.fire(Event::new("told").with("what", "x"));
        play.again();
        let expect = match mode {
            "return" => "+a +x",
            _ => "+a a:A +x",
        };
        assert_eq!(play.brief(), expect, "{mode}");
        // It is the tree's own key, and no one else's.
        assert!(!play.runner.blackboard().has("name"), "{mode}");
    }
}

#[test]
fn a_parameter_that_the_event_lacks_leaves_the_trees_key_at_its_initial_value() {
    let main = takes_told(starts("a"), "return", "name");
    let other = declares(action("starts").key("name"), "name", "tree");
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    play.fire("told").again();
    assert_eq!(play.brief(), "+a +first");
}

#[test]
fn a_parameter_reaches_a_key_of_the_tree_when_a_slow_abort_is_complete() {
    let main = takes_told(sequence([slow("b")]), "transfer", "name");
    let other = declares(action("starts").key("name"), "name", "tree");
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", "x"));
    play.again();
    play.again();
    assert_eq!(play.brief(), "+b b:A");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone +x");
}

#[test]
fn a_parameter_of_an_earlier_event_does_not_reach_the_next_tree() {
    let taken = json!([
        {"event": "told", "tree": "other", "mode": "return", "params": {"what": "name"}},
        {"event": "go", "tree": "other", "mode": "return"}]);
    let main = starts("a").extra("events", taken);
    let other = declares(action("now").key("name"), "name", "tree");
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", "x"));
    play.fire("go").again();
    assert_eq!(play.brief(), "+a +x x:S +first first:S");
}

#[test]
fn a_parameter_for_a_key_of_agent_scope_stays_on_the_agent() {
    let main = takes_told(starts("a"), "return", "name");
    let other = declares(action("starts").key("name"), "name", "agent");
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", "x"));
    play.again();
    assert_eq!(play.brief(), "+a +x");
    assert_eq!(play.runner.blackboard().get("name"), "x");
}

#[test]
fn an_event_that_no_node_takes_writes_no_parameters() {
    let main = sequence([starts("a"), takes_told(starts("b"), "return", "name")]);
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.runner.fire(Event::new("told").with("what", "x"));
    play.again();
    assert_eq!(play.brief(), "+a");
    assert!(!play.runner.blackboard().has("name"));
}

#[test]
fn of_several_events_of_one_node_the_first_that_fits_is_taken() {
    let taken = json!([
        {"event": "one", "tree": "first", "mode": "return", "once": true},
        {"event": "one", "tree": "second", "mode": "return"},
        {"event": "two", "tree": "third", "mode": "return"}]);
    let mut play = Play::trees([
        ("main", starts("a").extra("events", taken)),
        ("first", now("f")),
        ("second", now("s")),
        ("third", now("t")),
    ]);
    play.poll(0.0);
    play.fire("two").fire("one").fire("one").fire("one").again();
    assert_eq!(play.brief(), "+a +t t:S +f f:S +s s:S +s s:S");
}

#[test]
fn a_transfer_in_a_loop_stays_the_current_tree() {
    let main = takes(starts("a"), "go", "other", "transfer");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]).looping();
    play.poll(0.0);
    play.fire("go").again();
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "+a a:A +o o:S +o");
}

#[test]
fn a_loop_goes_on_after_a_tree_that_returned() {
    let main = takes(starts("a"), "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", now("o"))]).looping();
    play.poll(0.0);
    play.fire("go").again();
    play.end("a", true);
    play.again();
    assert_eq!(play.brief(), "+a +o o:S a:S +a");
}

#[test]
fn a_reset_ends_the_suspended_trees_too() {
    let main = takes(starts("a"), "go", "other", "return");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.reply("a", [Reply::On]);
    play.poll(0.0);
    play.fire("go").again();
    play.runner.reset();
    play.again();
    play.again();
    assert_eq!(play.brief(), "+a +o o:A a:A +a");
    assert_eq!(play.runner.tree(), "main");
}
