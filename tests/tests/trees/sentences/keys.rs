//! Chapters "Blackboard", "Randomness", and what a sub-tree is given: scopes, types, arguments.

use bt_core::SharedBoard;
use bt_core::tree::asset::spec::{
    NodeSpec, action, call, node, parallel, select, sequence, sub_tree, wait_event,
};
use bt_tests::probe::{
    F, Play, R, S, guard_arg, guard_key, now, of, polled, slow, starts, timed, times,
};
use serde_json::{Value, json};

fn keys(top: NodeSpec, keys: Value) -> NodeSpec {
    top.extra("blackboard", keys)
}

fn counts(key: &str) -> NodeSpec {
    action("more").arg(key)
}

fn other_with(initial: &str, scope: &str, child: NodeSpec) -> NodeSpec {
    let declared = json!({"name": {"type": "string", "initial": initial, "scope": scope}});
    keys(node("root"), declared).child(child)
}

fn args(top: NodeSpec, args: Value) -> NodeSpec {
    top.extra("args", args)
}

#[test]
fn initial_value_is_overridden_by_one_set_before() {
    for set in [false, true] {
        let main = other_with("initial", "agent", action("starts").key("name"));
        let mut play = Play::new(main);
        if set {
            play.set("name", "set");
        }
        play.poll(0.0);
        assert_eq!(play.brief(), if set { "+set" } else { "+initial" });
    }
}

#[test]
fn argument_goes_to_the_tree_key_of_each_run_of_the_called_tree() {
    let other = other_with("none", "tree", action("starts").key("name"));
    let given = |value: &str| json!({"name": {"arg_type": "plain", "arg_value": value}});
    let main = sequence([
        args(sub_tree("other"), given("x")),
        sub_tree("other"),
        args(sub_tree("other"), given("y")),
    ]);
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    play.end("x", true);
    play.again();
    play.end("none", true);
    play.again();
    assert_eq!(play.brief(), "+x x:S +none none:S +y");
    assert!(!play.runner.blackboard().has("name"));
}

#[test]
fn argument_from_a_key_is_read_where_the_caller_stands() {
    // The caller's node has a key of the name that the called tree declares, too.
    let other = other_with("none", "tree", action("starts").key("name"));
    let given = json!({"name": {"arg_type": "blackboard", "arg_value": "name"}});
    let body = keys(
        sequence([args(sub_tree("other"), given)]),
        json!({"name": {"type": "string", "initial": "caller"}}),
    );
    let mut play = Play::trees([("main", body), ("other", other)]);
    play.poll(0.0);
    assert_eq!(play.brief(), "+caller");
}

#[test]
fn argument_to_a_key_of_the_agent_stays() {
    let other = other_with("none", "agent", action("starts").key("name"));
    let given = json!({"name": {"arg_type": "plain", "arg_value": "x"}});
    let main = args(sub_tree("other"), given);
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    play.end("x", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.runner.blackboard().get("name"), "x");
}

#[test]
fn two_runs_of_one_tree_side_by_side_have_a_key_each() {
    let declared = json!({"n": {"type": "int64", "initial": 0, "scope": "tree"}});
    let other =
        keys(node("root"), declared).child(sequence([counts("n"), wait_event("go"), counts("n")]));
    let main = parallel(2, 1, [sub_tree("other"), sub_tree("other")]);
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    play.fire("go").again();
    play.fire("go").again();
    assert_eq!(play.brief(), "n 1 n 1 n 2 n 2");
}

#[test]
fn key_of_a_node_hides_that_of_the_node_above_it_and_of_the_agent() {
    let own = |top: NodeSpec| keys(top, json!({"n": {"type": "int64", "initial": 10}}));
    let inner = own(sequence([counts("n")]));
    let outer = keys(
        sequence([counts("n"), inner, counts("n")]),
        json!({"n": {"type": "int64", "initial": 0}}),
    );
    let mut play = Play::new(sequence([outer, counts("n")]));
    play.set("n", 100).poll(0.0);
    assert_eq!(play.brief(), "n 1 n 11 n 2 n 101");
}

#[test]
fn key_of_a_node_that_is_aborted_begins_anew() {
    let body = keys(
        sequence([counts("n"), starts("a")]),
        json!({"n": {"type": "int64", "initial": 0}}),
    );
    let mut play = Play::new(times("retry", 2, timed("timeout", 1.0, body)));
    play.poll(0.0);
    play.poll(1.0);
    assert_eq!(play.brief(), "n 1 +a a:A n 1 +a");
}

#[test]
fn key_of_a_node_that_keeps_its_place_begins_anew() {
    let body = keys(
        sequence([counts("n"), sequence([counts("n"), starts("a")])]).keep_place(),
        json!({"n": {"type": "int64", "initial": 0}}),
    );
    let x = starts("x").guard(guard_key("k").set("abort", "lower"));
    let mut play = Play::new(select([x, body]));
    play.poll(0.0);
    play.set("k", true).again();
    play.end("x", false);
    play.again();
    assert_eq!(play.brief(), "n 1 n 2 +a a:A +x x:F n 1 +a");
}

#[test]
fn key_of_a_node_lives_until_its_slow_child_is_gone() {
    let body = keys(
        sequence([counts("n"), slow("a")]),
        json!({"n": {"type": "int64", "initial": 0}}),
    )
    .effect("exit", call("more").arg("n"));
    let mut play = Play::new(sequence([timed("timeout", 1.0, body)]));
    play.poll(0.0);
    play.poll(1.0);
    play.end("a", true);
    assert_eq!(play.again(), F);
    assert_eq!(play.brief(), "n 1 +a a:A a:gone n 2");
}

#[test]
fn write_of_another_type_names_both_and_fails_the_call_and_the_old_value_stays() {
    let body = keys(
        of("always_seq", [now("w"), counts("n")]),
        json!({"n": {"type": "int64", "initial": 5}}),
    );
    let mut play = Play::new(body);
    play.on_call("w", |cx| cx.set("n", "five"));
    assert_eq!(play.poll(0.0), S);
    let all = play.diagnostics();
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(
        all[0].contains("`int64`") && all[0].contains("\"five\""),
        "{all:?}"
    );
    assert_eq!(play.brief(), "+w w:F n 6");
}

#[test]
fn guard_follows_the_node_key_that_hides_the_agents() {
    let guarded = starts("a").guard(guard_key("k").negated().set("abort", "self"));
    let inner = keys(
        parallel(
            2,
            1,
            [
                select([guarded, starts("y")]),
                sequence([polled("r"), now("w")]),
            ],
        ),
        json!({"k": {"type": "bool", "initial": false}}),
    );
    let mut play = Play::new(inner);
    play.reply("r", [R, S]);
    play.on_call("w", |cx| cx.set("k", true));
    play.poll(0.0);
    // The agent's key is another one.
    play.set("k", true).again();
    assert_eq!(play.brief(), "+a +r ~r r:S +w w:S a:A +y");
    assert_eq!(play.runner.blackboard().get("k"), true);
}

#[test]
fn guard_follows_the_key_among_its_arguments() {
    let guarded = starts("a").guard(guard_arg("k").set("abort", "both"));
    let mut play = Play::new(select([guarded, starts("b")]));
    play.set("k", false).poll(0.0);
    play.set("k", true).again();
    play.set("k", false).again();
    assert_eq!(play.brief(), "+b b:A +a a:A +b");
}

#[test]
fn guard_whose_key_is_missing_does_not_hold_and_may_hold_later() {
    let guarded = starts("a").guard(guard_arg("k").set("abort", "lower"));
    let mut play = Play::new(select([guarded, starts("b")]));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+b b:A +a");
}

#[test]
fn guard_whose_key_is_removed_does_not_hold_any_more() {
    for guard in [guard_arg("k"), guard_key("k")] {
        let guarded = starts("a").guard(guard.set("abort", "self"));
        let mut play = Play::new(select([guarded, starts("b")]));
        play.set("k", true).poll(0.0);
        play.runner.blackboard().remove("k");
        play.again();
        assert_eq!(play.brief(), "+a a:A +b");
    }
}

#[test]
fn sub_tree_name_from_a_key_is_resolved_on_entry() {
    let main = times("repeat", 2, node("sub_tree").extra("name_key", "which"));
    let mut play = Play::trees([("main", main), ("other", starts("o")), ("third", now("t"))]);
    play.set("which", "other").poll(0.0);
    play.set("which", "third");
    play.end("o", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+o o:S +t t:S");
}

#[test]
fn sub_tree_of_an_unknown_name_fails_with_a_diagnostic() {
    let main = select([node("sub_tree").extra("name_key", "which"), now("z")]);
    let mut play = Play::new(main);
    play.set("which", "nowhere");
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+z z:S");
    assert_eq!(play.diagnostics().len(), 1);
}

#[test]
fn recursion_beyond_the_limit_fails_with_a_diagnostic() {
    let mut play = Play::new(select([sub_tree("main"), now("z")]));
    assert_eq!(play.poll(0.0), S);
    // The innermost call fails, and the select around it has another child.
    assert_eq!(play.brief(), "+z z:S");
    assert_eq!(play.diagnostics().len(), 1);
}

#[test]
fn global_key_written_by_one_runner_is_noticed_by_another_at_its_next_poll() {
    let declared = json!({"k": {"type": "bool", "initial": false, "scope": "global"}});
    let tree = |child: NodeSpec| keys(node("root"), declared.clone()).child(child);
    let waits = select([
        starts("a").guard(guard_key("k").set("abort", "lower")),
        starts("b"),
    ]);
    let board = SharedBoard::new();
    let mut one = Play::new(tree(waits));
    one.runner.share(&board);
    let mut two = Play::new(tree(sequence([polled("r"), now("w"), starts("z")])));
    two.runner.share(&board);
    two.reply("r", [R, S]);
    two.on_call("w", |cx| cx.set("k", true));
    one.poll(0.0);
    two.poll(0.0);
    two.again();
    assert_eq!(one.brief(), "+b");
    one.again();
    assert_eq!(one.brief(), "b:A +a");
}

#[test]
fn reset_gives_declared_keys_their_initial_values_again() {
    let mut play = Play::new(other_with(
        "initial",
        "agent",
        sequence([starts("a"), node("reset")]),
    ));
    play.poll(0.0);
    play.set("name", "changed");
    play.end("a", true);
    play.polls::<2>();
    assert_eq!(play.runner.blackboard().get("name"), "initial");
}

#[test]
fn random_sequence_draws_a_fresh_order_for_each_entry_and_the_seed_decides_it() {
    let children = || ["a", "b", "c", "d", "e"].map(now);
    let runs = |seed: u64| {
        let mut play = Play::new(of("random_seq", children()))
            .with(|runner| runner.seed(seed).mode(bt_core::Mode::Loop));
        let logs: [String; 8] = std::array::from_fn(|_| {
            play.again();
            play.brief()
        });
        logs
    };
    assert_eq!(runs(7), runs(7));
    assert!(runs(7).windows(2).any(|two| two[0] != two[1]));
}

#[test]
fn random_select_keeps_its_order_while_it_runs() {
    let children = ["a", "b", "c"].map(polled);
    let mut play = Play::new(of("random_select", children));
    for name in ["a", "b", "c"] {
        play.reply(name, [R, F]);
    }
    let statuses = play.polls::<4>();
    assert_eq!(statuses, [R, R, R, F]);
    let log = play.brief();
    for name in ["a", "b", "c"] {
        assert_eq!(log.matches(&format!("+{name} ")).count(), 1, "{log}");
    }
}
