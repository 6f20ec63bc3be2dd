//! The page on trees says what there is: every kind of node, every key, and an example that builds.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bt_core::kinds::{node_defs, node_kinds};
use bt_core::prelude::*;
use bt_core::{Runner, TreeAsset, TreeSet};
use serde_json::Value;

const PAGE: &str = include_str!("../../docs/trees.md");

/// The agent of the page's example.
#[derive(Agent)]
struct Sentry {
    #[property]
    run_speed: f64,
    sees: String,
    calls: Vec<String>,
}

#[agent]
impl Sentry {
    /// Somebody calls for help.
    #[event]
    fn alarm(place: &str);

    #[condition]
    fn is_enemy(name: &str) -> bool {
        !name.is_empty()
    }

    #[action]
    fn look_around(&mut self, cx: &mut Context) {
        cx.set("enemy", self.sees.clone());
    }

    #[action]
    fn shout(&mut self, text: &str) {
        self.calls.push(format!("shout {text}"));
    }

    #[action]
    fn chase(&mut self, target: &str, speed: f64, reach: f64) -> Status {
        self.calls.push(format!("chase {target} {speed} {reach}"));
        Status::Running
    }

    #[action]
    fn strike(&mut self, target: &str) {
        self.calls.push(format!("strike {target}"));
    }

    #[action]
    fn walk_to(&mut self, place: &str) {
        self.calls.push(format!("walk_to {place}"));
    }
}

/// The trees of the page's JSON blocks, the example first.
fn trees() -> Vec<TreeAsset> {
    let blocks = PAGE.split("```json\n").skip(1);
    blocks
        .map(|block| {
            let (text, _) = block.split_once("\n```").expect("a block that ends");
            let json: Value = serde_json::from_str(text).expect("JSON");
            let name = json["name"].as_str().expect("a name");
            TreeAsset::from_json(name, text).unwrap_or_else(|error| panic!("{error}"))
        })
        .collect()
}

/// The rows of the tables of kinds: the cells of each, by its name.
fn rows() -> Vec<(String, Vec<String>)> {
    let (_, section) = PAGE
        .split_once("\n## Node kinds\n")
        .expect("a section on kinds");
    let (section, _) = section.split_once("\n## ").expect("a section after it");
    let lines = section.lines().filter(|line| line.starts_with("| `"));
    lines
        .map(|line| {
            let cells = line.trim_matches('|').split('|');
            let mut cells = cells.map(|cell| cell.trim().to_owned());
            let name = cells.next().expect("a name");
            (name.trim_matches('`').to_owned(), cells.collect())
        })
        .collect()
}

/// What stands in backticks.
fn words(cell: &str) -> BTreeSet<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_kind_has_one_row_which_says_its_children_and_its_keys() {
    let rows = rows();
    let by_name: BTreeMap<_, _> = rows.iter().map(|(name, cells)| (name, cells)).collect();
    assert_eq!(by_name.len(), rows.len(), "a kind stands twice");
    let kinds = node_kinds();
    assert_eq!(by_name.len(), kinds.len(), "a row is of no kind");
    for kind in kinds {
        let name = &kind.name;
        let [children, keys, does] = &by_name[name][..] else {
            panic!("`{name}`: expected four cells");
        };
        let bounds = match (kind.child_min, kind.child_max) {
            (least, None) => format!("{least}+"),
            (least, Some(most)) if least == most => least.to_string(),
            (least, Some(most)) => format!("{least}-{most}"),
        };
        assert_eq!(*children, bounds, "`{name}`");
        let own = kind.params["properties"].as_object().expect("properties");
        let own: BTreeSet<_> = own.keys().map(String::as_str).collect();
        assert_eq!(words(keys), own, "`{name}`");
        let required = kind.params["required"].as_array();
        for key in own {
            let is_required = required.is_some_and(|all| all.iter().any(|one| one == key));
            let says = keys.contains(&format!("*`{key}`*"));
            assert_eq!(says, is_required, "`{name}`: `{key}`");
        }
        assert!(does.ends_with('.'), "`{name}`");
    }
}

#[test]
fn every_key_of_attachments_and_calls_is_on_the_page() {
    for (def, schema) in node_defs() {
        for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
            let below = schema["properties"].as_object();
            let keys = below.into_iter().flatten().map(|(key, _)| key.as_str());
            let choices = schema["enum"].as_array().into_iter().flatten();
            let choices = choices.filter_map(Value::as_str);
            for word in keys.chain(choices).chain([key.as_str()]) {
                let found =
                    PAGE.contains(&format!("`{word}`")) || PAGE.contains(&format!("\"{word}\""));
                assert!(found, "`{word}` of {def}");
            }
        }
    }
}

#[test]
fn the_example_builds_and_does_what_the_page_says() {
    let mut set = TreeSet::<Sentry>::new();
    for tree in trees() {
        set.add(tree);
    }
    let built = set.build().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(built.warnings(), []);
    assert!(
        built
            .names()
            .eq(["sentry.json", "patrol.json", "answer.json"])
    );

    let mut sentry = Sentry {
        run_speed: 4.0,
        sees: String::new(),
        calls: Vec::new(),
    };
    let mut runner = Runner::new(&built, "sentry.json").unwrap();
    runner.start();
    let poll = |sentry: &mut Sentry, runner: &mut Runner<Sentry>, millis| {
        let poll = runner.poll(sentry, Duration::from_millis(millis));
        assert_eq!(poll.status, Status::Running);
        std::mem::take(&mut sentry.calls)
    };
    assert_eq!(poll(&mut sentry, &mut runner, 0), ["walk_to gate"]);
    // The alarm's tree runs, and the patrol goes on where it was.
    runner.fire(Event::new("alarm").with("place", "tower"));
    assert_eq!(poll(&mut sentry, &mut runner, 100), ["walk_to tower"]);
    assert_eq!(runner.active_leaves()[0].tree, "patrol.json");
    // The service sees somebody, and the guard takes over.
    sentry.sees = "thief".to_owned();
    let calls = poll(&mut sentry, &mut runner, 500);
    assert_eq!(calls, ["shout Halt!", "chase thief 4 1.5"]);
    assert_eq!(runner.diagnostics(), []);
}

#[test]
fn the_script_is_one() {
    let (_, script) = PAGE.split_once("```text\n").expect("a script");
    let (script, _) = script.split_once("```").expect("its end");
    let tree = TreeAsset::from_script("script", script).unwrap_or_else(|error| panic!("{error}"));
    let kinds: Vec<_> = tree.preorder().map(|node| node.kind.as_str()).collect();
    let expect = [
        "root",
        "reactive_select",
        "sequence",
        "action",
        "action",
        "parallel",
        "action",
        "action",
    ];
    assert_eq!(kinds, expect);
}
