//! Guards that abort the running sibling to their right. (S4-Z02, S5-03)

use bt_core::tree::asset::spec::{NodeSpec, select, sequence, sub_tree};
use bt_tests::probe::{
    Play, R, S, guard_holds, guard_key, now, of, paired, polled, slow, starts, wait,
};

use super::aborts;

fn lower(node: NodeSpec, key: &str) -> NodeSpec {
    node.guard(aborts(guard_key(key), "lower"))
}

fn both(node: NodeSpec, key: &str) -> NodeSpec {
    node.guard(aborts(guard_key(key), "both"))
}

#[test]
fn lower_aborts_the_sibling_completely_before_the_guarded_node_is_entered() {
    let right = paired("n", sequence([starts("b"), now("z")]));
    let mut play = Play::new(select([lower(paired("g", starts("a")), "k"), right]));
    play.poll(0.0);
    assert_eq!(play.brief(), "+n +b");
    play.set("k", true).again();
    let expect = [
        "exit b aborted",
        "drop b",
        "failure n",
        "exit n",
        "enter g",
        "enter a",
    ];
    assert_eq!(play.log(), expect);
}

#[test]
fn lower_leaves_its_own_node_alone_and_both_does_not() {
    for (guarded, expect) in [
        (lower(starts("a"), "k"), ""),
        (both(starts("a"), "k"), "a:A +b"),
    ] {
        let mut play = Play::new(select([guarded, starts("b")]));
        play.set("k", true).poll(0.0);
        assert_eq!(play.brief(), "+a");
        play.set("k", false).again();
        assert_eq!(play.brief(), expect);
    }
}

#[test]
fn both_guard_switches_back_and_forth() {
    let mut play = Play::new(select([both(starts("a"), "k"), starts("b")]));
    play.poll(0.0);
    for _ in 0..3 {
        play.set("k", true).again();
        play.set("k", false).again();
    }
    assert_eq!(play.brief(), "+b b:A +a a:A +b b:A +a a:A +b b:A +a a:A +b");
}

#[test]
fn the_takeover_comes_right_after_the_leaf_that_wrote() {
    let right = sequence([now("w"), now("z")]);
    let mut play = Play::new(select([lower(now("a"), "k"), right]));
    play.on_call("w", |cx| cx.set("k", true));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+w w:S +a a:S");
}

#[test]
fn the_evaluation_that_takes_over_is_also_the_check_on_entry() {
    let guarded = starts("a").guard(aborts(guard_holds("g"), "lower"));
    let mut play = Play::new(select([guarded, starts("b")]));
    play.poll(0.0);
    assert_eq!(play.brief(), "?g +b");
    play.flag("g", true).again();
    assert_eq!(play.brief(), "?g b:A +a");
}

#[test]
fn lower_guard_is_evaluated_only_while_a_sibling_to_the_right_runs() {
    let guarded = starts("a").guard(aborts(guard_holds("g"), "lower"));
    let mut play = Play::new(select([starts("left"), guarded, starts("b")]));
    play.flag("g", true).poll(0.0);
    play.again();
    assert_eq!(play.brief(), "+left");
    play.end("left", false);
    play.again();
    play.polls::<2>();
    // Its own node runs.
    assert_eq!(play.brief(), "left:F ?g +a");
    play.end("a", false);
    play.again();
    assert_eq!(play.brief(), "a:F +b ?g");
    play.again();
    assert_eq!(play.brief(), "?g");
}

#[test]
fn lower_guard_acts_on_a_change_from_false_to_true_only() {
    let mut play = Play::new(select([lower(starts("a"), "k"), starts("b")]));
    play.set("k", true).poll(0.0);
    play.end("a", false);
    play.again();
    play.polls::<2>();
    // It has held all the time.
    assert_eq!(play.brief(), "+a a:F +b");
    play.set("k", false).again();
    assert_eq!(play.brief(), "");
    play.set("k", true).again();
    assert_eq!(play.brief(), "b:A +a");
}

#[test]
fn lower_guard_sees_a_change_made_while_its_node_ran() {
    let mut play = Play::new(select([lower(starts("a"), "k"), starts("b")]));
    play.set("k", true).poll(0.0);
    // While its own node runs, it is not asked.
    play.set("k", false).again();
    play.end("a", false);
    play.again();
    assert_eq!(play.brief(), "+a a:F +b");
    play.set("k", true).again();
    assert_eq!(play.brief(), "b:A +a");
}

#[test]
fn all_guards_of_the_node_must_hold_for_a_takeover() {
    let guarded = lower(lower(starts("a"), "k"), "h");
    let mut play = Play::new(select([guarded, starts("b")]));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+b");
    play.set("h", true).again();
    assert_eq!(play.brief(), "b:A +a");
}

#[test]
fn of_two_that_turn_true_the_first_takes_over() {
    let guarded = |name| lower(starts(name), "k");
    let mut play = Play::new(select([guarded("a"), guarded("b"), starts("c")]));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+c c:A +a");
}

#[test]
fn only_siblings_to_the_right_are_aborted() {
    let mut play = Play::new(select([starts("a"), lower(starts("b"), "k"), starts("c")]));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+a");
}

#[test]
fn when_the_node_that_took_over_fails_the_next_sibling_comes() {
    let guarded = lower(now("a"), "k");
    let mut play = Play::new(select([guarded, now("b"), starts("c")]));
    play.reply("a", [false]).reply("b", [false, false]);
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+b b:F +c c:A +a a:F +b b:F +c");
}

#[test]
fn lower_guard_in_a_memory_select_watches_a_skipped_node() {
    let top = of("memory_select", [lower(starts("a"), "k"), starts("b")]);
    let mut play = Play::new(top).looping();
    play.poll(0.0);
    play.end("b", false);
    play.again();
    // The next run passes the first over.
    assert_eq!(play.brief(), "+b b:F +b");
    play.set("k", true).again();
    assert_eq!(play.brief(), "b:A +a");
}

#[test]
fn runner_enters_nothing_while_a_sibling_is_cancelling() {
    let mut play = Play::new(select([lower(starts("a"), "k"), sequence([slow("b")])]));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+b b:A");
    // Turned false meanwhile: it was decided already.
    play.polls::<2>();
    assert_eq!(play.brief(), "");
    play.end("b", true);
    play.again();
    assert_eq!(play.brief(), "b:gone +a");
}

#[test]
fn deep_below_the_sibling_and_in_other_trees_all_is_aborted() {
    let all = of("parallel", [sub_tree("sub"), polled("c")])
        .extra("success", 2)
        .extra("failure", 1);
    let main = select([lower(now("a"), "k"), of("negative", [all])]);
    let sub = paired("s", sequence([starts("b")]));
    let mut play = Play::trees([("main", main), ("sub", sub)]);
    play.poll(0.0);
    play.set("k", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+s +b +c c:A b:A -s +a a:S");
}

#[test]
fn inner_select_of_a_running_branch_reacts_too() {
    let inner = select([lower(starts("a"), "k"), starts("b")]);
    let mut play = Play::new(select([lower(starts("z"), "h"), inner]));
    play.poll(0.0);
    play.set("k", true).again();
    assert_eq!(play.brief(), "+b b:A +a");
    play.set("h", true).again();
    assert_eq!(play.brief(), "a:A +z");
}

#[test]
fn a_service_to_the_right_may_bring_it_about() {
    use bt_core::tree::asset::spec::call;
    let look = call("set_key_value").arg("k").arg(true);
    let right = sequence([wait(10.0)]).service(1.0, look);
    let mut play = Play::new(select([lower(starts("a"), "k"), right]));
    // At entry already.
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+a");
}
