//! `for_each`: a run for each element of a list.

use bt_core::Status;
use bt_core::tree::asset::spec::{NodeSpec, for_each, select, sequence, set};
use bt_tests::probe::*;
use serde_json::{Value, json};

/// Notes the element and its place in `seen`, then runs the leaf.
fn noting(list: &str, leaf: NodeSpec) -> NodeSpec {
    let note = set([(
        "$seen",
        "($seen ?? '') + ($item == 7 ? 'seven ' : $item + ' ')",
    )]);
    let places = set([("$places", "($places ?? 0) * 10 + $place")]);
    for_each(list, "item", sequence([note, places, leaf])).extra("index", "place")
}

fn seen(play: &mut Play) -> (Value, Value) {
    let board = play.runner.blackboard();
    (board.get("seen"), board.get("places"))
}

#[test]
fn for_each_runs_its_child_once_for_each_element_in_one_poll_while_it_ends_at_once() {
    let mut play = Play::new(noting("['a', 7, 'c']", now("leaf")));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+leaf leaf:S +leaf leaf:S +leaf leaf:S");
    assert_eq!(seen(&mut play), (json!("a seven c "), json!(12)));
    // They are the node's own.
    assert_eq!(play.runner.blackboard().get("item"), Value::Null);
}

#[test]
fn for_each_copies_its_list_on_entry() {
    let mut play = Play::new(noting("$list", starts("leaf"))).looping();
    play.set("list", json!(["a", "b"]));
    assert_eq!(play.poll(0.0), R);
    play.set("list", json!(["z"]));
    play.end("leaf", true);
    assert_eq!(play.again(), R);
    play.end("leaf", true);
    assert_eq!(play.again(), R);
    assert_eq!(seen(&mut play).0, json!("a b z "));
}

#[test]
fn for_each_ends_as_its_until_says() {
    let ends = |until: &str, list: &str, replies: &[Status]| {
        let top = for_each(list, "item", now("leaf")).extra("until", until);
        let mut play = Play::new(top);
        play.reply("leaf", replies.iter().copied());
        let status = play.poll(0.0);
        (status, play.brief().matches('+').count())
    };
    let list = "[1, 2, 3]";
    assert_eq!(ends("failure", list, &[S, S, S]), (S, 3));
    assert_eq!(ends("failure", list, &[S, F, S]), (F, 2));
    assert_eq!(ends("failure", "[]", &[]), (S, 0));
    assert_eq!(ends("success", list, &[F, S, F]), (S, 2));
    assert_eq!(ends("success", list, &[F, F, F]), (F, 3));
    assert_eq!(ends("success", "[]", &[]), (F, 0));
    assert_eq!(ends("none", list, &[F, S, F]), (S, 3));
    assert_eq!(ends("none", "[]", &[]), (S, 0));
}

#[test]
fn for_each_fails_where_its_value_is_no_list() {
    let mut play = Play::new(for_each("$list", "item", now("leaf"))).looping();
    for value in [json!(null), json!(3), json!(3)] {
        play.set("list", value);
        assert_eq!(play.again(), F);
    }
    assert_eq!(play.brief(), "");
    let expected = "main: node 1 (for_each `$list`): `in`: expected a list, found null";
    assert_eq!(play.diagnostics(), [expected]);
}

#[test]
fn abort_of_a_for_each_forgets_its_place() {
    let top = select([
        noting("['a', 'b']", starts("leaf")).guard(guard_holds("f").set("abort", "self")),
        now("other"),
    ]);
    let mut play = Play::new(top).looping();
    play.flag("f", true);
    play.poll(0.0);
    play.end("leaf", true);
    play.again();
    play.flag("f", false);
    assert_eq!(play.again(), S);
    play.flag("f", true);
    play.again();
    assert_eq!(seen(&mut play).0, json!("a b a "));
}

#[test]
fn guards_of_a_for_each_do_not_see_its_element_and_those_below_do() {
    let leaf = now("leaf").guard(guard_key("item"));
    let below = for_each("[true, false]", "item", select([leaf, now("else")]));
    let mut play = Play::new(below.guard(guard_key("item")));
    assert_eq!(play.poll(0.0), F);
    play.set("item", true);
    assert_eq!(play.brief(), "");
    let mut play = Play::new(for_each(
        "[true, false]",
        "item",
        select([now("leaf").guard(guard_key("item")), now("else")]),
    ));
    assert_eq!(play.poll(0.0), S);
    assert_eq!(play.brief(), "+leaf leaf:S +else else:S");
}
