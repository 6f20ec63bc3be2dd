//! Tests of the time since a node's method was called last.

use std::time::Duration;

use bt_core::prelude::*;
use bt_core::reload::Changes;
use bt_core::tree::asset::spec::{
    NodeSpec, action, call, decorator, guard, node, parallel, sequence, sub_tree,
};
use bt_core::{Mode, Runner, Saved, TreeAsset, TreeSet, Trees};
use serde_json::{Value, json};

#[derive(Agent, Default)]
struct Tortoise {
    log: Vec<String>,
}

impl Tortoise {
    fn tell(&mut self, who: &str, cx: &Context<'_>) {
        self.log.push(format!("{who} {}", cx.delta().as_secs_f64()));
    }
}

#[agent]
impl Tortoise {
    #[action(exit = "halted")]
    fn creep(&mut self, cx: &mut Context) -> Status {
        self.tell("creep", cx);
        Status::Running
    }

    fn halted(&mut self, cx: &mut Context, exit: Exit) {
        self.tell(&format!("{exit:?}"), cx);
    }

    #[action(exit = "halted")]
    fn rest(&mut self, cx: &mut Context, seconds: u64) -> Option<bool> {
        self.tell("rest", cx);
        cx.finish_after(Duration::from_secs(seconds), true);
        None
    }

    #[action(resume = "doze_on")]
    fn doze(&mut self, cx: &mut Context) -> Option<bool> {
        self.tell("doze", cx);
        cx.on_exit(());
        cx.finish_on("dawn", true);
        None
    }

    fn doze_on(&mut self, cx: &mut Context, _: Option<u32>) -> Option<bool> {
        self.tell("doze on", cx);
        Some(true)
    }

    /// Keeps something that cannot be saved.
    #[action]
    fn climb(&mut self, cx: &mut Context) -> Status {
        cx.memory_or(|| 7);
        self.tell("climb", cx);
        Status::Running
    }

    #[decorator]
    fn again(&mut self, cx: &mut Context, ended: Option<bool>) -> Next {
        self.tell(&format!("{ended:?}"), cx);
        Next::Run
    }

    #[action]
    fn note(&mut self, cx: &mut Context) {
        self.tell("note", cx);
    }

    #[condition]
    fn sees(&self, cx: &Context) -> bool {
        assert_eq!(cx.delta(), Duration::ZERO);
        true
    }

    #[event]
    fn dawn();

    #[event]
    fn rain();
}

fn trees(all: impl IntoIterator<Item = (&'static str, NodeSpec)>) -> Trees<Tortoise> {
    let mut set = TreeSet::new();
    for (name, top) in all {
        set.add(TreeAsset::build(name, "tortoise", top));
    }
    set.build().unwrap()
}

struct Way {
    runner: Runner<Tortoise>,
    tortoise: Tortoise,
}

impl Way {
    fn new(trees: &Trees<Tortoise>) -> Way {
        let mut runner = Runner::new(trees, "main").unwrap().mode(Mode::Once);
        runner.start();
        Way {
            runner,
            tortoise: Tortoise::default(),
        }
    }

    /// The lines of a poll at a time in seconds.
    #[track_caller]
    fn poll(&mut self, seconds: f64, lines: &[&str]) {
        let now = Duration::from_secs_f64(seconds);
        self.runner.poll(&mut self.tortoise, now);
        assert_eq!(std::mem::take(&mut self.tortoise.log), lines);
    }

    fn saved(&self) -> Saved {
        Saved::from_json(&self.runner.save().to_json()).unwrap()
    }

    /// Goes on in another process.
    fn restore(&mut self) {
        let trees = self.runner.trees().clone();
        self.runner = Runner::restore(&trees, &self.saved()).unwrap();
    }
}

#[test]
fn polled_action_sees_the_time_since_its_last_call() {
    let mut way = Way::new(&trees([("main", action("creep"))]));
    way.poll(100.0, &["creep 0"]);
    way.poll(100.0, &["creep 0"]);
    way.poll(100.25, &["creep 0.25"]);
    way.poll(103.0, &["creep 2.75"]);
    // A time that goes back is unchanged.
    way.poll(5.0, &["creep 0"]);
    way.runner.stop(&mut way.tortoise, Duration::from_secs(104));
    assert_eq!(way.tortoise.log, ["Aborted 1"]);
}

#[test]
fn each_run_of_the_node_begins_at_zero() {
    let run = node("timeout").extra("seconds", 2).child(action("creep"));
    let again = node("loop").extra("count", -1).child(run);
    let mut way = Way::new(&trees([("main", again)]));
    way.poll(0.0, &["creep 0"]);
    way.poll(1.5, &["creep 1.5"]);
    way.poll(2.0, &["creep 0.5", "Aborted 0"]);
    way.poll(5.0, &["creep 0"]);
    way.poll(6.0, &["creep 1"]);
}

#[test]
fn exit_method_sees_how_long_its_action_waited() {
    let mut way = Way::new(&trees([("main", action("rest").arg(3))]));
    way.poll(10.0, &["rest 0"]);
    way.poll(12.0, &[]);
    way.poll(13.5, &["Success 3.5"]);
}

#[test]
fn pauses_do_not_count() {
    let mut way = Way::new(&trees([("main", action("creep"))]));
    way.poll(0.0, &["creep 0"]);
    way.poll(1.0, &["creep 1"]);
    way.runner.pause();
    way.poll(50.0, &[]);
    way.restore();
    way.poll(70.0, &[]);
    way.runner.resume();
    way.poll(80.0, &["creep 0"]);
    way.poll(82.0, &["creep 2"]);
}

#[test]
fn time_in_a_suspended_tree_counts() {
    let event = json!([{"event": "rain", "tree": "shelter", "mode": "return"}]);
    let main = action("creep").extra("events", event);
    let mut way = Way::new(&trees([("main", main), ("shelter", action("rest").arg(5))]));
    way.poll(0.0, &["creep 0"]);
    way.runner.fire(Tortoise::rain());
    way.poll(1.0, &["rest 0"]);
    way.poll(4.0, &[]);
    way.poll(6.0, &["Success 5", "creep 6"]);
}

#[test]
fn guards_effects_and_services_see_no_time() {
    let main = action("creep")
        .guard(guard("sees").set("abort", "self"))
        .effect("enter", call("note"))
        .service(1.0, call("note"));
    let mut way = Way::new(&trees([("main", main)]));
    way.poll(0.0, &["note 0", "note 0", "creep 0"]);
    way.poll(1.0, &["note 0", "creep 1"]);
}

#[test]
fn decorator_sees_the_time_since_it_was_asked() {
    let child = sequence([action("rest").arg(2), action("note")]);
    let mut way = Way::new(&trees([("main", decorator("again", child))]));
    way.poll(1.0, &["None 0", "rest 0"]);
    way.poll(3.0, &["Success 2", "note 0", "Some(true) 2", "rest 0"]);
    way.restore();
    way.poll(90.0, &[]);
    way.poll(92.5, &["Success 2.5", "note 0", "Some(true) 2.5", "rest 0"]);
}

#[test]
fn saved_agent_continues_on_another_clock() {
    let all = [action("creep"), sub_tree("sub")];
    let trees = trees([("main", parallel(2, 1, all)), ("sub", action("creep"))]);
    let mut way = Way::new(&trees);
    way.poll(1000.0, &["creep 0", "creep 0"]);
    way.poll(1003.0, &["creep 3", "creep 3"]);
    // It is told the time of the save, or begins with the first poll.
    way.runner = Runner::restore(&trees, &way.saved())
        .unwrap()
        .at(Duration::from_secs(5));
    way.poll(6.5, &["creep 1.5", "creep 1.5"]);
    way.restore();
    way.restore();
    way.poll(2.0, &["creep 0", "creep 0"]);
    way.poll(4.0, &["creep 2", "creep 2"]);
}

#[test]
fn time_before_a_save_counts_in_the_calls_after_it() {
    let all = [action("rest").arg(9), action("doze"), action("climb")];
    let mut way = Way::new(&trees([("main", parallel(3, 1, all))]));
    way.poll(100.0, &["rest 0", "doze 0", "climb 0"]);
    way.poll(104.0, &["climb 4"]);
    way.restore();
    way.poll(0.0, &["doze on 4", "climb 0"]);
    way.poll(5.0, &["Success 9", "climb 5"]);
}

#[test]
fn reload_keeps_the_time() {
    let with = |last| trees([("main", sequence([action("creep"), action(last)]))]);
    let (old, new) = (with("note"), with("climb"));
    let mut way = Way::new(&old);
    way.poll(0.0, &["creep 0"]);
    way.poll(1.0, &["creep 1"]);
    way.runner.reload(&Changes::between(&old, &new));
    way.poll(4.0, &["creep 3"]);
}

/// A wait of four seconds below another node.
fn rest(above: u32) -> Value {
    let four = json!([{"arg_type": "plain", "arg_value": 4}]);
    json!({"idx": 1, "parent": above, "type": "action", "children": [],
        "extra": {"action_name": "rest", "action_args": four}})
}

/// A tree of nodes with numbers, the first below the root.
fn numbered(nodes: &Value) -> Trees<Tortoise> {
    let top = &nodes[0]["idx"];
    let root =
        json!({"idx": 0, "type": "root", "children": [top], "extra": {"agent_name": "tortoise"}});
    let nodes: Vec<_> = [&root]
        .into_iter()
        .chain(nodes.as_array().unwrap())
        .collect();
    let text = json!({"nodes": nodes}).to_string();
    let mut set = TreeSet::new();
    set.add(TreeAsset::from_json("main", &text).unwrap());
    set.build().unwrap()
}

#[test]
fn decorator_that_a_reload_put_in_was_never_asked() {
    let old = numbered(&json!([rest(0)]));
    let again = json!({"idx": 2, "parent": 0, "type": "decorator", "children": [1],
        "extra": {"decorator_name": "again"}});
    let new = numbered(&json!([again, rest(2)]));
    let mut way = Way::new(&old);
    way.poll(0.0, &["rest 0"]);
    way.runner.reload(&Changes::between(&old, &new));
    way.poll(3.0, &[]);
    way.poll(4.0, &["Success 4", "Some(true) 0", "rest 0"]);
    way.poll(9.0, &["Success 5", "Some(true) 5", "rest 0"]);
}
