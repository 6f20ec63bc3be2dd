//! Tests of places where the documents, or the code they describe, are wrong. Of the arithmetic and the
//! choice of items as actions, `seed.rs` and the built-in agent's own tests say more.

use bt_core::tree::asset::spec::{action, node, sequence, wait_event};
use bt_core::tree::check::Rules;
use bt_core::{Event, Mode, Runner, TreeAsset, TreeSet, prelude::*};
use serde_json::json;

use crate::worked::{Closure, Log, script, seconds, start, troubles};

#[derive(Agent, Default)]
struct Npc {
    log: Log,
    done: Vec<String>,
}

#[agent]
impl Npc {
    /// Ends as told, or runs on.
    #[action]
    fn ends(how: &str) -> Status {
        match how {
            "Success" => Status::Success,
            "Failure" => Status::Failure,
            _ => Status::Running,
        }
    }

    #[action]
    fn note(&mut self, what: &str) {
        self.done.push(what.to_owned());
    }

    #[action]
    fn say(&mut self, words: &str, times: u32) {
        self.done.push(words.repeat(times as usize));
    }

    #[action(exit = "left")]
    fn last(&mut self, cx: &mut Context) -> Option<bool> {
        cx.on_exit(Closure("closed", self.log.clone()));
        cx.finish_on("bell", true);
        None
    }

    fn left(&mut self, _cx: &mut Context, exit: Exit) {
        self.log.note(format!("{exit:?}"));
    }
}

fn of(spec: bt_core::tree::asset::spec::NodeSpec) -> Runner<Npc> {
    start([TreeAsset::build("npc", "npc", spec)])
}

/// The status of a script's tree after its first poll.
fn tick(text: &str) -> Status {
    let mut runner = start([script("npc", "npc", text)]).mode(Mode::Once);
    runner.poll(&mut Npc::default(), seconds(0.0)).status
}

#[test]
fn a_parallel_fails_when_its_success_has_become_impossible_and_not_before() {
    // The article's code says Failure at the second, with one success of three that are needed, and
    // Running at the third.
    let of = |m: u32, ends: [&str; 3]| {
        let lines = ends.map(|how| format!("    ends \"{how}\"\n"));
        tick(&format!("PARALLEL {m}\n{}", lines.concat()))
    };
    let (s, f, r) = ("Success", "Failure", "Running");
    assert_eq!(of(2, [s, s, r]), Status::Success);
    assert_eq!(of(3, [s, r, r]), Status::Running);
    assert_eq!(of(2, [f, f, r]), Status::Failure);
    assert_eq!(of(2, [s, f, r]), Status::Running);
    assert_eq!(of(1, [f, f, r]), Status::Running);
    assert_eq!(of(1, [f, f, f]), Status::Failure);
}

#[test]
fn a_scripts_parameter_is_a_literal_and_never_run() {
    for param in ["__import__('os').getcwd()", "1 + 1", "len('x')"] {
        let text = format!("SEQUENCE\n    note \"a\"\n    note {param}\n");
        let error = TreeAsset::from_script("npc", &text).unwrap_err();
        assert!(error.to_string().contains("3:"), "{error}");
    }
}

#[test]
fn a_tuple_lists_arguments_and_anything_else_is_one() {
    let text = "SEQUENCE True\n    note \"one\"\n    say (\"ab\", 2)\n";
    assert_eq!(done(text), ["one", "abab"]);
}

#[test]
fn a_dict_names_arguments() {
    assert_eq!(done("say {\"words\": \"cd\", \"times\": 3}\n"), ["cdcdcd"]);
}

/// The log of a script's tree in its first poll.
fn done(text: &str) -> Vec<String> {
    let mut runner = start([script("npc", "npc", text)]).mode(Mode::Once);
    let mut npc = Npc::default();
    runner.poll(&mut npc, seconds(0.0));
    assert_eq!(troubles(&mut runner), [""; 0]);
    npc.done
}

#[test]
fn a_sequence_begins_with_its_first_child_and_an_empty_one_succeeds() {
    let mut runner = of(sequence([action("note").arg("0"), action("note").arg("1")]));
    let mut npc = Npc::default();
    runner.poll(&mut npc, seconds(0.0));
    assert_eq!(npc.done, ["0", "1"]);
    // In a file a sequence without children is an error, in code it is not.
    let tree = TreeAsset::build("npc", "npc", sequence([]));
    let mut set = TreeSet::<Npc>::new();
    let trees = set.rules(Rules::in_code()).add(tree).build().unwrap();
    let mut runner = Runner::new(&trees, "npc").unwrap().mode(Mode::Once);
    runner.start();
    assert_eq!(runner.poll(&mut npc, seconds(0.0)).status, Status::Success);
    assert_eq!(troubles(&mut runner), [""; 0]);
}

#[test]
fn a_division_divides_and_the_first_item_is_number_0() {
    let divide = action("number_div").arg("n").arg(2);
    let choose = action("choose_idx").arg(0).arg("items").arg("chosen");
    let mut runner = of(sequence([divide, choose])).mode(Mode::Once);
    runner.blackboard().set("n", 10);
    runner.blackboard().set("items", json!(["first", "second"]));
    let poll = runner.poll(&mut Npc::default(), seconds(0.0));
    assert_eq!(troubles(&mut runner), [""; 0]);
    assert_eq!(poll.status, Status::Success);
    assert_eq!(runner.blackboard().get("n"), 5);
    assert_eq!(runner.blackboard().get("chosen"), "first");
}

#[test]
fn timers_fire_earliest_first() {
    let after = |seconds: f64, what: &str| {
        let wait = action("wait_for_seconds").arg(seconds);
        sequence([wait, action("note").arg(what)])
    };
    let all = [after(30.0, "late"), after(0.6, "early"), after(5.0, "then")];
    let parallel = node("parallel").extra("success", 3).extra("failure", 1);
    let mut runner = of(parallel.children(all)).mode(Mode::Once);
    let mut npc = Npc::default();
    runner.poll(&mut npc, seconds(0.0));
    assert_eq!(runner.next_wake(), Some(seconds(0.6)));
    runner.poll(&mut npc, seconds(0.6));
    assert_eq!(npc.done, ["early"]);
    // Two that are due in one poll: in the order of their times, not of the tree.
    runner.poll(&mut npc, seconds(40.0));
    assert_eq!(npc.done, ["early", "then", "late"]);
    assert_eq!(runner.result(), Some(true));
}

#[test]
fn after_a_reset_node_the_agent_lives() {
    let go_on = sequence([
        action("note").arg("begun"),
        wait_event("again"),
        node("reset"),
        action("note").arg("never"),
    ]);
    let mut runner = of(go_on);
    let mut npc = Npc::default();
    runner.poll(&mut npc, seconds(0.0));
    for round in 1..=3 {
        runner.blackboard().set("key", round);
        runner.fire(Event::new("again"));
        runner.poll(&mut npc, seconds(0.0));
        assert!(runner.is_running() && !runner.blackboard().has("key"));
        runner.poll(&mut npc, seconds(0.0));
        assert_eq!(npc.done, vec!["begun"; round + 1]);
    }
}

#[test]
fn a_loop_that_ends_at_once_does_not_hang() {
    let for_ever =
        node("while_loop").children([action("ends").arg("Success"), action("note").arg("round")]);
    for top in [for_ever, action("note").arg("round")] {
        let mut runner = of(top);
        let mut npc = Npc::default();
        for polls in 1..=3 {
            runner.poll(&mut npc, seconds(0.0));
            assert_eq!(npc.done.len(), polls);
        }
    }
}

#[test]
fn the_losers_of_a_parallel_are_left() {
    let any = node("parallel").children([action("last"), wait_event("go")]);
    let mut runner = of(sequence([any, wait_event("never")]));
    let mut npc = Npc::default();
    runner.poll(&mut npc, seconds(0.0));
    assert_eq!(npc.log.take(), [""; 0]);
    runner.fire(Event::new("go"));
    runner.poll(&mut npc, seconds(0.0));
    assert_eq!(npc.log.take(), ["Aborted", "closed"]);
    assert_eq!(runner.active_leaves().len(), 1);
}

#[test]
fn a_wait_is_as_short_as_it_says() {
    let mut runner = of(action("wait_for_seconds").arg(0.1)).mode(Mode::Once);
    let mut npc = Npc::default();
    runner.poll(&mut npc, seconds(0.0));
    assert_eq!(runner.poll(&mut npc, seconds(0.09)).status, Status::Running);
    assert_eq!(runner.poll(&mut npc, seconds(0.1)).status, Status::Success);
}

#[test]
fn a_set_without_trees_is_no_trouble() {
    assert_eq!(TreeSet::<Npc>::new().build().unwrap().node_count(), 0);
}
