//! Tests of a call's knowledge of its node and of the calls before it, and of its exit method's arguments.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{
    NodeSpec, action, call, condition, guard, node, parallel, select, sequence, sub_tree,
    wait_event,
};
use bt_core::{Mode, NodeRef, Runner, Saved, TreeAsset, TreeSet};
use serde_json::{Value, json};

/// A base, whose actions are inherited.
#[derive(Agent, Default)]
struct Canine {
    left: Vec<String>,
}

#[agent]
impl Canine {
    #[action(exit = "wake")]
    fn sleep(&mut self, cx: &mut Context, where_to: &str) -> Option<bool> {
        let _ = where_to;
        cx.finish_after(Duration::from_secs(9), true);
        None
    }

    fn wake(&mut self, _: &mut Context, exit: Exit, where_to: &str) {
        self.left.push(format!("{exit:?} {where_to}"));
    }
}

#[derive(Agent, Default)]
#[agent(world = u32)]
struct Fox {
    #[agent(base)]
    canine: Canine,
    log: Vec<String>,
    /// The number of values that are alive, and how many were dropped.
    alive: Arc<AtomicU32>,
    dropped: Arc<AtomicU32>,
    #[property]
    speed: f64,
    ends: bool,
}

/// The way of a fox.
struct Way {
    steps: u32,
    alive: Arc<AtomicU32>,
    dropped: Arc<AtomicU32>,
}

impl Drop for Way {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Relaxed);
        self.dropped.fetch_add(1, Relaxed);
    }
}

fn shown(node: Option<NodeRef>) -> String {
    match node {
        Some(node) => format!("{}/{}", node.tree(), node.idx()),
        None => "nowhere".to_owned(),
    }
}

#[agent]
impl Fox {
    #[action]
    fn note(&mut self, cx: &mut Context) {
        self.log.push(format!("at {}", shown(cx.node())));
    }

    #[condition]
    fn sees(cx: &Context) -> bool {
        cx.node()
            .is_some_and(|node| node.kind() == "always_running")
    }

    #[action(exit = "left")]
    fn lurk(&mut self, cx: &mut Context) -> Option<bool> {
        self.log.push(format!("at {}", shown(cx.node())));
        cx.finish_on("done", true);
        None
    }

    fn left(&mut self, cx: &mut Context, exit: Exit) {
        assert!(!cx.is_first_call());
        let name = cx.node().map(|node| node.name().to_owned());
        let name = name.unwrap_or_default();
        self.log
            .push(format!("{exit:?} {name} {}", shown(cx.node())));
    }

    #[action(exit = "stopped")]
    fn walk(&mut self, cx: &mut Context) -> Status {
        let first = cx.is_first_call();
        assert_eq!(cx.memory::<Way>().is_none(), first);
        let (alive, dropped) = (self.alive.clone(), self.dropped.clone());
        let way = cx.memory_or(|| {
            alive.fetch_add(1, Relaxed);
            Way {
                steps: 0,
                alive,
                dropped,
            }
        });
        way.steps += 1;
        let steps = way.steps;
        let mark = if first { "first" } else { "step" };
        self.log.push(format!("{mark} {steps}"));
        // Another one, of another type.
        *cx.memory_or(|| 100) += 1;
        match self.ends {
            true => Status::Success,
            false => Status::Running,
        }
    }

    fn stopped(&mut self, cx: &mut Context, exit: Exit) {
        let steps = cx.memory::<Way>().map(|way| way.steps);
        let count = cx.memory::<i32>().copied();
        self.log.push(format!("{exit:?} {steps:?} {count:?}"));
    }

    // As many arguments as there are ways to pass one.
    #[allow(clippy::too_many_arguments)]
    #[action(exit = "let_go")]
    fn carry(
        &mut self,
        cx: &mut Context,
        #[world] _world: &mut u32,
        what: &str,
        weight: f64,
        #[arg(default = 3)] count: u32,
        list: &[i32],
        note: Option<String>,
    ) -> Option<bool> {
        let _ = (what, weight, count, list, note);
        if self.ends {
            return Some(false);
        }
        // What the keys hold later is not what the call was given.
        cx.set("what", "changed");
        self.speed = -1.0;
        cx.finish_on("done", true);
        None
    }

    #[expect(clippy::too_many_arguments, reason = "all that there are")]
    fn let_go(
        &mut self,
        cx: &mut Context,
        exit: Exit,
        list: Vec<i32>,
        what: String,
        #[world] world: &mut u32,
        count: u32,
        weight: f64,
        note: &Option<String>,
    ) -> Option<bool> {
        *world += 1;
        let idx = cx.node().map(|node| node.idx());
        self.log.push(format!(
            "{exit:?} {idx:?} {what} {weight} {count} {list:?} {note:?}"
        ));
        if what == "slowly" && exit == Exit::Aborted {
            cx.finish_after(Duration::from_secs(1), true);
            return None;
        }
        Some(true)
    }

    #[action(exit = "paused")]
    fn trot(&mut self, pace: u32) -> Status {
        self.log.push(format!("trot {pace}"));
        Status::Running
    }

    fn paused(&mut self, _: &mut Context, _: Exit, pace: u32) {
        self.log.push(format!("paused {pace}"));
    }

    #[action(exit = "counted")]
    fn count(cx: &mut Context, by: u32) -> Option<bool> {
        let _ = by;
        cx.finish_on("done", true);
        None
    }

    fn counted(&mut self, _: &mut Context, _: Exit, by: u32) {
        self.log.push(format!("counted by {by}"));
    }
}

struct Scene {
    runner: Runner<Fox>,
    fox: Fox,
    world: u32,
}

impl Scene {
    fn new(top: NodeSpec) -> Scene {
        Scene::trees([("main", top)])
    }

    fn trees<const N: usize>(trees: [(&str, NodeSpec); N]) -> Scene {
        let mut set = TreeSet::<Fox>::new();
        for (name, top) in trees {
            set.add(TreeAsset::build(name, "fox", top));
        }
        let trees = set.build().unwrap_or_else(|error| panic!("{error}"));
        let mut runner = Runner::new(&trees, "main").unwrap().mode(Mode::Once);
        runner.start();
        Scene {
            runner,
            fox: Fox::default(),
            world: 0,
        }
    }

    fn poll(&mut self) -> &mut Scene {
        self.poll_at(0)
    }

    fn poll_at(&mut self, seconds: u64) -> &mut Scene {
        let now = Duration::from_secs(seconds);
        self.runner.poll_in(&mut self.fox, &mut self.world, now);
        self
    }

    fn fire(&mut self, event: &str) -> &mut Scene {
        self.runner.fire(Event::new(event));
        self.poll()
    }

    fn stop(&mut self) -> &mut Scene {
        self.runner
            .stop_in(&mut self.fox, &mut self.world, Duration::ZERO);
        self
    }

    /// Takes the log since the last call, and the diagnostics.
    fn log(&mut self) -> Vec<String> {
        let mut log = std::mem::take(&mut self.fox.log);
        let wrong = self.runner.take_diagnostics();
        log.extend(wrong.iter().map(ToString::to_string));
        log
    }

    /// Saves it, and goes on with the restored one.
    fn restore(&mut self) -> Value {
        let text = self.runner.save().to_json();
        let saved = Saved::from_json(&text).unwrap();
        let trees = self.runner.trees().clone();
        self.runner = Runner::restore(&trees, &saved).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

#[test]
fn call_knows_the_node_that_it_is_made_for() {
    let noted = || action("note");
    let main = sequence([
        noted(),
        node("always_true").child(noted()),
        noted().guard(guard("sees").negated()),
        sub_tree("other"),
        node("always_running")
            .guard(guard("sees"))
            .effect("enter", call("note"))
            .service(5.0, call("note")),
    ]);
    let mut scene = Scene::trees([("main", main), ("other", noted())]);
    let expect = [
        "at main/2",
        "at main/4",
        "at main/5",
        "at other/1",
        "at main/7",
        "at main/7",
    ];
    assert_eq!(scene.poll().log(), expect);
    // A traced agent takes another way through its trees.
    let trees = scene.runner.trees().clone();
    let ring = bt_core::trace::Ring::new(&trees, 100);
    scene.runner = Runner::new(&trees, "main").unwrap().tracing(ring);
    scene.runner.start();
    assert_eq!(scene.poll().log(), expect);
    // Outside of trees there is no node.
    let mut session = Session::new(0);
    assert!(session.context().node().is_none());
}

#[test]
fn exit_method_knows_the_node_that_it_ends() {
    let two = parallel(
        2,
        2,
        [action("lurk"), sequence([action("lurk"), action("note")])],
    );
    let mut scene = Scene::trees([("main", sub_tree("two")), ("two", two)]);
    assert_eq!(scene.poll().log(), ["at two/2", "at two/4"]);
    assert_eq!(scene.fire("done").log(), ["Success lurk two/2"]);
    assert_eq!(scene.stop().log(), ["Aborted lurk two/4"]);
}

#[test]
fn node_references_are_equal_when_the_nodes_are() {
    let mut session = Session::new(0);
    assert_eq!(session.context().node(), None);
    #[derive(Agent, Default)]
    struct Owl(Vec<NodeRef>);
    #[agent]
    impl Owl {
        #[action]
        fn hoot(&mut self, cx: &Context) {
            self.0.extend(cx.node());
        }
    }
    let mut trees = TreeSet::<Owl>::new();
    let top = node("repeat")
        .extra("count", 2)
        .child(sequence([action("hoot"), action("hoot")]));
    trees.add(TreeAsset::build("main", "owl", top));
    let trees = trees.build().unwrap();
    let mut runner = Runner::new(&trees, "main").unwrap().mode(Mode::Once);
    let mut owl = Owl::default();
    runner.start();
    runner.poll(&mut owl, Duration::ZERO);
    let [a, b, c, d] = &owl.0[..] else {
        panic!("{:?}", owl.0)
    };
    assert!(a == c && b == d && a != b);
    // They outlive the trees.
    drop((runner, trees));
    assert_eq!(a.to_string(), "main: node 3 (action `hoot`)");
}

#[test]
fn polled_action_knows_its_first_call_and_keeps_a_value_for_its_run() {
    let mut scene = Scene::new(sequence([action("walk"), wait_event("go"), action("walk")]));
    scene.poll().poll().poll();
    assert_eq!(scene.log(), ["first 1", "step 2", "step 3"]);
    assert_eq!(scene.fox.alive.load(Relaxed), 1);
    scene.fox.ends = true;
    // The exit method finds it; then it is dropped, once.
    assert_eq!(scene.poll().log(), ["step 4", "Success Some(4) Some(104)"]);
    assert_eq!(scene.fox.alive.load(Relaxed), 0);
    scene.fox.ends = false;
    // Another run of another node begins anew, and is aborted.
    assert_eq!(scene.fire("go").log(), ["first 1"]);
    assert_eq!(scene.poll().log(), ["step 2"]);
    assert_eq!(scene.stop().log(), ["Aborted Some(2) Some(102)"]);
    assert_eq!(scene.fox.alive.load(Relaxed), 0);
    assert_eq!(scene.fox.dropped.load(Relaxed), 2);
}

#[test]
fn each_run_of_a_node_has_a_value_of_its_own() {
    let mut scene = Scene::new(parallel(2, 1, [action("walk"), action("walk")]));
    scene.poll().poll();
    assert_eq!(scene.log(), ["first 1", "first 1", "step 2", "step 2"]);
    assert_eq!(scene.fox.alive.load(Relaxed), 2);
    let fox = std::mem::take(&mut scene.fox);
    // Dropping the runner drops it too.
    drop(scene);
    assert_eq!((fox.alive.load(Relaxed), fox.dropped.load(Relaxed)), (0, 2));
}

#[test]
fn polled_action_that_ends_in_its_first_call_drops_its_value_once() {
    let mut scene = Scene::new(action("walk"));
    scene.fox.ends = true;
    assert_eq!(scene.poll().log(), ["first 1", "Success Some(1) Some(101)"]);
    assert_eq!(scene.fox.dropped.load(Relaxed), 1);
}

#[test]
fn restored_action_without_a_resume_method_is_called_anew() {
    let mut scene = Scene::new(action("walk"));
    scene.poll().poll();
    scene.restore();
    assert_eq!(scene.fox.alive.load(Relaxed), 0, "dropped with the runner");
    scene.poll().poll();
    assert_eq!(scene.log(), ["first 1", "step 2", "first 1", "step 2"]);
    // One that kept none goes on.
    let mut scene = Scene::new(action("trot").arg(1));
    scene.poll();
    scene.restore();
    scene.poll();
    assert_eq!(scene.log(), ["trot 1", "trot 1"]);
}

/// A tree that carries something, with arguments from everywhere.
fn carries(what: &str) -> NodeSpec {
    action("carry")
        .key("what")
        .property("speed")
        .arg(5)
        .arg(json!([1, 2]))
        .arg(what)
}

#[test]
fn exit_method_gets_the_arguments_of_the_call_that_it_ends() {
    let mut scene = Scene::new(carries("x"));
    scene.runner.blackboard().set("what", "hen");
    scene.fox.speed = 2.5;
    scene.poll();
    assert_eq!(
        scene.stop().log(),
        ["Aborted Some(1) hen 2.5 5 [1, 2] Some(\"x\")"]
    );
    assert_eq!(scene.world, 1);
    // However the call ends: by an event, or at once.
    let mut scene = Scene::new(carries("x"));
    scene.runner.blackboard().set("what", "hen");
    scene.poll();
    assert_eq!(
        scene.fire("done").log(),
        ["Success Some(1) hen 0 5 [1, 2] Some(\"x\")"]
    );
    let mut scene = Scene::new(carries("x"));
    scene.runner.blackboard().set("what", "hen");
    scene.fox.ends = true;
    assert_eq!(
        scene.poll().log(),
        ["Failure Some(1) hen 0 5 [1, 2] Some(\"x\")"]
    );
}

#[test]
fn exit_method_gets_literals_defaults_and_nothing_for_what_is_left_out() {
    let all = action("carry")
        .arg("egg")
        .arg(1)
        .arg(7)
        .arg(json!([]))
        .arg("n");
    let mut scene = Scene::new(all);
    scene.poll();
    assert_eq!(
        scene.stop().log(),
        ["Aborted Some(1) egg 1 7 [] Some(\"n\")"]
    );
    let named = json!([
        {"arg_type": "plain", "arg_value": "egg"},
        {"arg_type": "plain", "arg_value": 1.5},
        {"arg_type": "plain", "arg_value": [3], "arg_name": "list"}]);
    let mut scene = Scene::new(action("carry").extra("action_args", named));
    scene.poll();
    assert_eq!(scene.stop().log(), ["Aborted Some(1) egg 1.5 3 [3] None"]);
}

#[test]
fn exit_method_of_a_polled_action_gets_what_its_first_call_was_given() {
    let mut scene = Scene::new(action("trot").key("pace"));
    for pace in [1, 2, 3] {
        scene.runner.blackboard().set("pace", pace);
        scene.poll();
    }
    scene.stop();
    assert_eq!(scene.log(), ["trot 1", "trot 2", "trot 3", "paused 1"]);
}

#[test]
fn exit_method_of_an_inherited_a_static_or_an_attached_action_gets_its_arguments() {
    let mut scene = Scene::new(parallel(
        2,
        2,
        [action("sleep").key("den"), action("count").key("by")],
    ));
    scene.runner.blackboard().set("den", "cave");
    scene.runner.blackboard().set("by", 4);
    scene.poll().stop();
    assert_eq!(scene.log(), ["counted by 4"]);
    assert_eq!(scene.fox.canine.left, ["Aborted cave"]);
    // What is attached and has not ended is left at once.
    let mut scene = Scene::new(node("always_running").effect("enter", call("count").key("by")));
    scene.runner.blackboard().set("by", 5);
    scene.poll();
    assert_eq!(scene.log()[0], "counted by 5");
}

#[test]
fn call_that_never_began_has_no_exit_with_arguments() {
    let mut scene = Scene::new(action("trot").key("unset"));
    let log = scene.poll().log();
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(log[0].contains("`unset`, which is not set"), "{log:?}");
}

#[test]
fn restored_action_has_the_arguments_that_it_was_called_with() {
    let mut scene = Scene::new(carries("x"));
    scene.runner.blackboard().set("what", "slowly");
    scene.fox.speed = 2.5;
    scene.poll();
    let saved = scene.restore();
    let args = json!(["slowly", 2.5, 5, [1, 2], "x"]);
    assert_eq!(saved["levels"][0]["entries"][0]["args"], args);
    scene.poll();
    assert_eq!(
        scene.stop().log(),
        ["Aborted Some(1) slowly 2.5 5 [1, 2] Some(\"x\")"]
    );
    // It is cancelling, is saved so, and is not called again.
    scene.restore();
    assert!(scene.runner.is_running());
    scene.poll().poll_at(1);
    assert!(!scene.runner.is_running());
    assert_eq!(scene.log(), [""; 0]);
    // Another number of arguments is none of this tree.
    let mut scene = Scene::new(carries("x"));
    scene.runner.blackboard().set("what", "hen");
    scene.poll();
    let mut saved: Value = serde_json::from_str(&scene.runner.save().to_json()).unwrap();
    saved["levels"][0]["entries"][0]["args"] = json!([1]);
    let saved = Saved::from_json(&saved.to_string()).unwrap();
    let error = Runner::restore(scene.runner.trees(), &saved).unwrap_err();
    assert!(error.to_string().contains("number of arguments"), "{error}");
}

#[test]
fn traced_agent_exits_with_the_same_arguments() {
    let mut scene = Scene::new(select([carries("x"), condition("sees")]));
    let ring = bt_core::trace::Ring::new(scene.runner.trees(), 100);
    scene.runner.set_tracer(Some(Box::new(ring)));
    scene.runner.blackboard().set("what", "hen");
    scene.fox.speed = 2.5;
    scene.poll();
    assert_eq!(
        scene.stop().log(),
        ["Aborted Some(2) hen 2.5 5 [1, 2] Some(\"x\")"]
    );
}
