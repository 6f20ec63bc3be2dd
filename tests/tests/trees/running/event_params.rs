//! Parameters of registered events are checked when an event is fired. (S4-V02)

use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{NodeSpec, action, parallel, sequence, wait_event};
use bt_core::{Runner, TreeAsset, TreeSet};
use serde_json::json;

/// A base, whose events are inherited.
#[derive(Agent)]
struct Ruminant;

#[agent]
impl Ruminant {
    #[event]
    fn fed(#[arg(min = 1, max = 9)] grams: u32);
}

#[derive(Agent)]
struct Goat {
    #[agent(base)]
    ruminant: Ruminant,
    fires: Option<Event>,
}

#[agent]
impl Goat {
    /// Somebody hurt it.
    #[event(alias = ["hit"])]
    fn hurt(#[arg(alias = ["who"])] by: u64, how: Option<String>);

    /// Fires what the test says.
    #[action]
    fn bleat(&mut self, cx: &mut Context) {
        if let Some(event) = self.fires.take() {
            cx.fire(event);
        }
    }
}

struct Scene {
    runner: Runner<Goat>,
    goat: Goat,
}

impl Scene {
    fn new(top: NodeSpec) -> Scene {
        let mut trees = TreeSet::<Goat>::new();
        trees.add(TreeAsset::build("main", "goat", top));
        let mut runner = Runner::new(&trees.build().unwrap(), "main").unwrap();
        runner.start();
        let mut scene = Scene {
            runner,
            goat: Goat {
                ruminant: Ruminant,
                fires: None,
            },
        };
        scene.poll();
        scene
    }

    /// Waits for an event, and keeps its parameters.
    fn waiting(event: &str) -> Scene {
        let params = match event {
            "fed" => json!({"grams": "grams"}),
            _ => json!({"by": "by", "how": "how"}),
        };
        Scene::new(wait_event(event).extra("params", params))
    }

    fn poll(&mut self) {
        self.runner.poll(&mut self.goat, Duration::ZERO);
    }

    fn diagnostics(&mut self) -> Vec<String> {
        let all = self.runner.take_diagnostics();
        all.iter().map(ToString::to_string).collect()
    }

    /// Fires an event that is refused so.
    #[track_caller]
    fn refuses(&mut self, event: Event, why: &str) {
        let by = self.runner.blackboard().to_map();
        self.runner.fire(event);
        assert_eq!(self.diagnostics(), [why]);
        self.poll();
        assert_eq!(self.runner.blackboard().to_map(), by, "it was delivered");
        assert_eq!(self.diagnostics(), [""; 0]);
    }

    /// Fires an event that is delivered.
    #[track_caller]
    fn takes(&mut self, event: Event) {
        self.runner.fire(event);
        self.poll();
        assert_eq!(self.diagnostics(), [""; 0]);
    }
}

#[test]
fn runner_refuses_an_event_whose_parameter_is_of_another_type() {
    let mut scene = Scene::waiting("hurt");
    scene.refuses(
        Event::new("hurt").with("by", "me"),
        "main: event `hurt` is not delivered: parameter `by`: expected an integer from 0 to \
         18446744073709551615, found \"me\"",
    );
    scene.takes(Event::new("hurt").with("by", 7.0));
    assert_eq!(scene.runner.blackboard().get_as::<u64>("by"), Ok(7));
}

#[test]
fn runner_refuses_an_event_with_missing_and_unknown_parameters_and_names_all() {
    let mut scene = Scene::waiting("hurt");
    scene.refuses(
        Event::new("hurt"),
        "main: event `hurt` is not delivered: parameter `by` is missing, expected `uint64`",
    );
    scene.refuses(
        Event::new("hurt").with("bye", 7).with("how", 1),
        "main: event `hurt` is not delivered: parameter `by` is missing, expected `uint64`; \
         parameter `how`: expected a string, found 1; there is no parameter `bye`; did you mean \
         `by`?",
    );
    scene.refuses(
        Event::new("hurt").with("by", 7).with("who", 8),
        "main: event `hurt` is not delivered: parameter `by` is given twice, by its name and by an \
         alias",
    );
}

#[test]
fn runner_accepts_an_event_without_its_optional_parameter() {
    let mut scene = Scene::waiting("hurt");
    scene.runner.blackboard().set("how", "before");
    scene.takes(Event::new("hurt").with("by", 7));
    let board = scene.runner.blackboard();
    assert_eq!(board.get("by"), 7);
    // A parameter that the event does not have leaves its key as it is.
    assert_eq!(board.get("how"), "before");
    scene.takes(Goat::hurt(8, None));
    assert_eq!(scene.runner.blackboard().get("how"), json!(null));
}

#[test]
fn runner_takes_old_names_of_an_event_and_of_its_parameters() {
    let mut scene = Scene::waiting("hurt");
    scene.takes(Event::new("hit").with("who", 9));
    assert_eq!(scene.runner.blackboard().get("by"), 9);
    scene.refuses(
        Event::new("hit").with("who", -9),
        "main: event `hit` is not delivered: parameter `by`: expected an integer from 0 to \
         18446744073709551615, found -9",
    );
}

#[test]
fn runner_checks_an_inherited_event_and_its_bounds() {
    let mut scene = Scene::waiting("fed");
    scene.takes(Ruminant::fed(9));
    assert_eq!(scene.runner.blackboard().get("grams"), 9);
    scene.refuses(
        Ruminant::fed(10),
        "main: event `fed` is not delivered: parameter `grams` is 10, expected 1 to 9",
    );
}

#[test]
fn runner_leaves_an_event_that_no_agent_registers_unchecked() {
    let waits = wait_event("wolf").extra("params", json!({"any": "by"}));
    let mut scene = Scene::new(waits);
    scene.takes(Event::new("wolf").with("any", json!([1])).with("more", 2));
    assert_eq!(scene.runner.blackboard().get("by"), json!([1]));
}

#[test]
fn runner_refuses_an_event_that_an_action_fires_and_names_the_node() {
    let hears = |child| {
        let waits = wait_event("hurt").extra("params", json!({"by": "by"}));
        parallel(2, 1, [waits, sequence([child, wait_event("never")])])
    };
    let why = "event `hurt` is not delivered: parameter `by`: expected an integer from 0 to \
               18446744073709551615, found true";
    let fires = action("fire_event").arg("hurt").arg(json!({"by": true}));
    let mut scene = Scene::new(hears(fires));
    let place = "main: node 4 (action `fire_event`)";
    assert_eq!(scene.diagnostics(), [format!("{place}: {why}")]);
    assert!(!scene.runner.blackboard().has("by"));

    let mut scene = Scene::new(hears(sequence([wait_event("go"), action("bleat")])));
    scene.goat.fires = Some(Event::new("hurt").with("by", true));
    scene.runner.fire(Event::new("go"));
    scene.poll();
    let place = "main: node 6 (action `bleat`)";
    assert_eq!(scene.diagnostics(), [format!("{place}: {why}")]);
    assert!(!scene.runner.blackboard().has("by"));
    // What is right with the same action is delivered in the same poll.
    let mut scene = Scene::new(hears(sequence([wait_event("go"), action("bleat")])));
    scene.goat.fires = Some(Goat::hurt(3, None));
    scene.runner.fire(Event::new("go"));
    scene.poll();
    assert_eq!(scene.diagnostics(), [""; 0]);
    assert_eq!(scene.runner.blackboard().get("by"), 3);
}
