//! The built-in agent stands for the original's: its seventeen actions, as that one's trees call them.

use std::path::Path;
use std::time::Duration;

use bt_core::builtin::ActionAgent;
use bt_core::prelude::*;
use bt_core::{ActionSet, Source};
use bt_meta::layout::{Layout, Options};
use serde_json::{Value, json};

fn original() -> serde_json::Map<String, Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mosaic/actions.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["action_agent"].as_object().unwrap().clone()
}

fn names(args: &Value) -> Vec<&str> {
    let args = args.as_array().unwrap().iter();
    args.map(|arg| arg["name"].as_str().unwrap()).collect()
}

#[test]
fn the_editor_is_offered_the_originals_actions_with_their_arguments() {
    let options = Options {
        agent: Some("action_agent".to_owned()),
        layout: Layout::Flat,
        ..Options::default()
    };
    let catalogue = bt_core::registry::catalogue::Catalogue::collect();
    let rendered = bt_meta::files::render(&catalogue, &options).unwrap();
    let mut files = rendered.files.iter();
    let file = files.find(|file| file.name == "action_types.json").unwrap();
    let exported: Value = serde_json::from_str(&file.text).unwrap();
    let original = original();
    assert_eq!(original.len(), 17);
    for (name, entry) in &original {
        let ours = &exported[name];
        assert_eq!(names(&ours["args"]), names(&entry["args"]), "{name}");
    }
}

/// A call's literals as a tree of the original's editor has them.
fn literals(name: &str) -> Vec<Source> {
    let args = original()[name]["args"].as_array().unwrap().clone();
    let literal = |arg: &Value| match arg["name"].as_str().unwrap() {
        "log_level" => Source::literal("info"),
        "duration" => Source::literal(1),
        "idx" | "choose_sz" => Source::literal(0),
        "remove_chosen" => Source::literal(false),
        name if name.ends_with("bb_key") => Source::literal("key"),
        _ => Source::literal(5),
    };
    args.iter().map(literal).collect()
}

#[test]
fn every_call_of_the_originals_trees_binds_whatever_kind_of_method_answers_it() {
    let actions = ActionSet::<ActionAgent>::collect().unwrap();
    for (name, entry) in original() {
        // An entry's `name` is what it is called by, where it is not its key.
        for name in [name.as_str(), entry["name"].as_str().unwrap()] {
            let mut session = Session::new(7);
            let sources = if name == "log" {
                literals("log_info")
            } else {
                literals(name)
            };
            let bound = actions.bind(name, sources, &mut session.blackboard());
            let called = bound
                .unwrap()
                .call(&mut ActionAgent, &mut (), &mut session.context());
            called.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

/// Waits no less than the original does.
#[derive(Agent)]
struct Patient;

#[agent]
impl Patient {
    /// Wait for half a second at least.
    #[action(override)]
    fn wait_for_seconds(
        cx: &mut Context,
        #[arg(min = 0.0, max = 1e6)] duration: f64,
    ) -> Option<bool> {
        cx.finish_after(Duration::from_secs_f64(duration.max(0.5)), true);
        None
    }
}

#[test]
fn a_shortest_wait_is_an_agents_own_choice() {
    let registry = Registry::global().unwrap();
    let (args, call) = (json!([0.1]), "wait_for_seconds");
    let mut session = Session::new(7);
    let cx = &mut session.context();
    let outcome = registry.invoke(&mut ActionAgent, &mut (), cx, call, &args);
    assert_eq!(outcome.unwrap(), Outcome::Pending);
    let built_in = session.take_requests().after;
    let cx = &mut session.context();
    let outcome = registry.invoke(&mut Patient, &mut (), cx, call, &args);
    assert_eq!(outcome.unwrap(), Outcome::Pending);
    let own = session.take_requests().after;
    let millis = |millis| Some((Duration::from_millis(millis), true));
    assert_eq!((built_in, own), (millis(100), millis(500)));
}
