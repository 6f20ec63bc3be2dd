//! Trees that events suspend, and what has its time or its guards in them meanwhile.

use super::*;

#[test]
fn frames_do_not_count_while_suspended() {
    let main = returns(times("frames", 3, polled("p")), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.polls::<3>();
    assert_eq!(play.brief(), "+p +o");
    play.end("o", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "o:S ~p");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "~p p:A");
}

#[test]
fn lower_guard_that_turned_true_while_suspended_takes_over_when_the_tree_is_back() {
    let a = starts("a").guard(lower(guard_key("k")));
    let main = select([a, returns(starts("b"), "go", "other")]);
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.set("k", true).again();
    assert_eq!(play.brief(), "+b +o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S b:A +a");
}

#[test]
fn lower_guard_of_the_agent_that_turned_true_while_suspended_takes_over_when_the_tree_is_back() {
    let a = starts("a").guard(lower(guard_holds("f")));
    let main = select([a, returns(starts("b"), "go", "other")]);
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    assert_eq!(play.brief(), "?f +b");
    play.fire("go").again();
    play.flag("f", true).again();
    assert_eq!(play.brief(), "+o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S ?f b:A +a");
}

#[test]
fn pause_stops_the_clock_of_a_suspended_tree() {
    let main = returns(sequence([wait(2.0), starts("z")]), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").poll(1.0);
    play.runner.pause();
    play.poll(11.0);
    play.runner.resume();
    play.poll(11.0);
    play.end("o", true);
    play.poll(11.5);
    assert_eq!(play.brief(), "+o o:S");
    play.poll(12.0);
    assert_eq!(play.brief(), "+z");
}

#[test]
fn held_deadline_of_a_suspended_tree_does_not_replace_a_stop() {
    let main = returns(timed("timeout", 0.5, slow("a")), "told", "sub");
    let mut play = Play::trees([("main", main), ("sub", starts("s"))]);
    play.poll(0.0);
    play.fire("told").poll(0.1);
    play.poll(1.0);
    play.stop();
    play.end("a", true);
    play.polls::<3>();
    assert_eq!(play.brief(), "+a +s s:A a:A a:gone");
    assert!(!play.runner.is_running());
}

#[test]
fn tree_that_is_back_in_the_turn_has_its_turn_in_that_poll_once() {
    let main = returns(polled("p"), "go", "other");
    let mut play = Play::trees([("main", main), ("other", polled("o"))]);
    play.reply("o", [R, S]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.brief(), "+p +o");
    play.again();
    assert_eq!(play.brief(), "~o o:S ~p");
    play.again();
    assert_eq!(play.brief(), "~p");
}

#[test]
fn frames_of_a_tree_that_is_back_in_the_turn_count_that_poll() {
    let main = returns(times("frames", 3, polled("p")), "go", "other");
    let mut play = Play::trees([("main", main), ("other", polled("o"))]);
    play.reply("o", [R, R, S]);
    play.poll(0.0);
    play.fire("go").again();
    assert_eq!(play.polls(), [R, R]);
    assert_eq!(play.brief(), "+p +o ~o ~o o:S ~p");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "~p p:A");
}

#[test]
fn transfer_in_an_events_tree_comes_back_to_the_suspended_one_with_its_held_deadline() {
    let main = returns(timed("timeout", 1.0, starts("a")), "go", "other");
    let other = sequence([starts("o"), sub_tree("third").extra("mode", "transfer")]);
    let mut play = Play::trees([("main", main), ("other", other), ("third", starts("t"))]);
    play.poll(0.0);
    play.fire("go").poll(0.5);
    play.end("o", true);
    assert_eq!(play.poll(2.0), R);
    play.end("t", true);
    assert_eq!(play.poll(3.0), F);
    assert_eq!(play.brief(), "+a +o o:S +t t:S a:A");
}

#[test]
fn reset_node_in_an_events_tree_aborts_everything_and_restarts_the_agents_tree() {
    let main = returns(starts("a"), "go", "other");
    let other = sequence([starts("o"), node("reset")]);
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.set("k", 1).poll(0.0);
    play.fire("go").again();
    play.end("o", true);
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a +o o:S a:A");
    assert!(!play.runner.blackboard().has("k"));
    play.again();
    assert_eq!(play.brief(), "+a");
}

#[test]
fn suspended_guard_that_was_false_and_is_true_again_aborts_nothing() {
    let guarded = starts("a").guard(own(guard_key("k")));
    let main = returns(select([guarded, starts("b")]), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.set("k", true).poll(0.0);
    play.fire("go").again();
    play.set("k", false).again();
    play.set("k", true).again();
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "+a +o o:S");
}

#[test]
fn stop_then_start_while_suspended_starts_the_agents_tree_once() {
    let main = returns(starts("a"), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.stop();
    play.runner.start();
    play.again();
    assert_eq!(play.brief(), "+a +o o:A a:A +a");
}

#[test]
fn completion_of_a_suspended_leaf_is_held_over_a_pause() {
    let main = returns(sequence([starts("a"), now("z")]), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.runner.pause();
    play.end("a", true);
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "+a +o");
    play.runner.resume();
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "o:S a:S +z z:S");
}

#[test]
fn loop_of_a_suspended_tree_begins_once_in_the_poll_in_which_it_is_back() {
    let main = returns(times("loop", -1, now("a")), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.again();
    assert_eq!(play.brief(), "+a a:S +o");
    play.end("o", true);
    play.again();
    assert_eq!(play.brief(), "o:S +a a:S");
}

#[test]
fn reactive_node_of_a_suspended_tree_evaluates_when_it_is_back() {
    let main = returns(reactive_select([holds("f"), starts("b")]), "go", "other");
    let mut play = Play::trees([("main", main), ("other", starts("o"))]);
    play.poll(0.0);
    play.fire("go").again();
    play.flag("f", true).again();
    assert_eq!(play.brief(), "?f +b +o");
    play.end("o", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "o:S ?f b:A");
}

#[test]
fn events_tree_that_ends_at_once_lets_the_suspended_one_have_its_turn() {
    let main = returns(polled("p"), "go", "other");
    let mut play = Play::trees([("main", main), ("other", now("o"))]);
    play.poll(0.0);
    play.fire("go").fire("go").again();
    assert_eq!(play.brief(), "+p +o o:S +o o:S ~p");
}
