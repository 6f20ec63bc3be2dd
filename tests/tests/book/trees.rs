//! The pages on trees name every kind of node and every key, and their example builds and runs.

use std::time::Duration;

use bt_core::kinds::{node_defs, node_kinds};
use bt_core::prelude::*;
use bt_core::{Runner, TreeAsset, TreeSet};
use serde_json::Value;

const KINDS: &str = include_str!("../../../docs/src/node-kinds.md");
const FILES: &str = include_str!("../../../docs/src/tree-files.md");
const ATTACHMENTS: &str = include_str!("../../../docs/src/attachments.md");
const BLACKBOARD: &str = include_str!("../../../docs/src/blackboard.md");

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
    let blocks = FILES.split("```json\n").skip(1);
    blocks
        .map(|block| {
            let (text, _) = block.split_once("\n```").expect("a block that ends");
            let json: Value = serde_json::from_str(text).expect("JSON");
            let name = json["name"].as_str().expect("a name");
            TreeAsset::from_json(name, text).unwrap_or_else(|error| panic!("{error}"))
        })
        .collect()
}

/// The table of all kinds, as the page has it between its marks.
fn table() -> String {
    let mut table = String::from("| kind | children | keys | what it does |\n|---|---|---|---|\n");
    for kind in node_kinds() {
        let children = match (kind.child_min, kind.child_max) {
            (least, None) => format!("{least}+"),
            (least, Some(most)) if least == most => least.to_string(),
            (least, Some(most)) => format!("{least}-{most}"),
        };
        let required = kind.params["required"].as_array();
        let keys = kind.params["properties"].as_object().expect("properties");
        let keys = keys.iter().map(|(key, schema)| {
            let is_required = required.is_some_and(|all| all.iter().any(|one| one == key));
            let key = if is_required {
                format!("*`{key}`*")
            } else {
                format!("`{key}`")
            };
            match schema["description"].as_str() {
                Some(description) => format!("{key}: {description}"),
                None => key,
            }
        });
        let keys = keys.collect::<Vec<_>>().join("<br>");
        let (name, brief) = (kind.name, kind.brief);
        table += &format!("| `{name}` | {children} | {keys} | {brief} |\n");
    }
    table
}

#[test]
fn page_lists_every_kind_with_its_children_and_keys() {
    let (before, rest) = KINDS.split_once("<!-- kinds -->\n").expect("a mark");
    let (_, after) = rest.split_once("<!-- /kinds -->").expect("a mark");
    let expected = format!("{before}<!-- kinds -->\n{}<!-- /kinds -->{after}", table());
    super::compare("docs/src/node-kinds.md", &expected);
}

#[test]
fn readme_and_changelog_say_how_many_kinds_there_are() {
    const WORDS: [&str; 8] = [
        "thirty-nine",
        "forty",
        "forty-one",
        "forty-two",
        "forty-three",
        "forty-four",
        "forty-five",
        "forty-six",
    ];
    let word = node_kinds().len().checked_sub(39);
    let word = word
        .and_then(|at| WORDS.get(at))
        .expect("a word for the number");
    for (file, sentence) in [
        ("README.md", "There are {} [kinds of nodes]"),
        ("CHANGELOG.md", "All {} kinds of nodes"),
    ] {
        let sentence = sentence.replace("{}", word);
        assert!(super::read(file).contains(&sentence), "{file}: {sentence}");
    }
}

#[test]
fn page_has_one_row_of_rules_for_every_kind() {
    let (_, rules) = KINDS.split_once("\n## Rules\n").expect("the rules");
    let rows = rules.lines().filter(|line| line.starts_with("| `"));
    let mut rows: Vec<_> = rows
        .map(|row| row.split('`').nth(1).expect("a name"))
        .collect();
    let kinds = node_kinds();
    let mut kinds: Vec<_> = kinds.iter().map(|kind| kind.name.as_str()).collect();
    rows.sort_unstable();
    kinds.sort_unstable();
    assert_eq!(rows, kinds);
}

#[test]
fn pages_name_every_key_of_attachments_and_calls() {
    let pages = [KINDS, FILES, ATTACHMENTS, BLACKBOARD].concat();
    for (def, schema) in node_defs() {
        for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
            let below = schema["properties"].as_object();
            let keys = below.into_iter().flatten().map(|(key, _)| key.as_str());
            let choices = schema["enum"].as_array().into_iter().flatten();
            let choices = choices.filter_map(Value::as_str);
            for word in keys.chain(choices).chain([key.as_str()]) {
                let found =
                    pages.contains(&format!("`{word}`")) || pages.contains(&format!("\"{word}\""));
                assert!(found, "`{word}` of {def}");
            }
        }
    }
}

#[test]
fn example_of_the_page_builds_and_runs_as_described() {
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
fn script_of_the_page_is_a_tree() {
    let (_, script) = FILES.split_once("```text\n").expect("a script");
    let (script, _) = script.split_once("```").expect("its end");
    let tree = TreeAsset::from_script("script", script).unwrap_or_else(|error| panic!("{error}"));
    let kinds: Vec<_> = tree.preorder().map(|node| node.kind.as_str()).collect();
    let expect = [
        "root",
        "reactive_select",
        "sequence",
        "action",
        "parallel",
        "action",
        "action",
        "wait_event",
        "repeat",
        "sub_tree",
    ];
    assert_eq!(kinds, expect);
    assert_eq!(tree.agent(), Some("sentry"));
}
