//! The rules that the original editor and debugger impose on the files, checked one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value};

use super::json;

/// The files that every export writes.
pub const FILES: [&str; 5] = [
    "action_types.json",
    "agent_hierarchy.json",
    "agents.json",
    "agents.schema.json",
    "node_types.json",
];

/// The kinds that the original editor knows, with the bounds that it is given.
const ORIGINAL_KINDS: [(&str, u64, u64); 14] = [
    ("action", 0, 0),
    ("always_seq", 1, 20),
    ("always_true", 1, 1),
    ("if_else", 3, 3),
    ("parallel", 1, 10),
    ("probility", 1, 20),
    ("random_seq", 1, 20),
    ("reset", 0, 0),
    ("root", 0, 1),
    ("select", 1, 20),
    ("sequence", 1, 20),
    ("sub_tree", 0, 0),
    ("wait_event", 0, 0),
    ("while_loop", 2, 2),
];

/// Checks an export by agent for the original editor: everything at once.
pub fn check_export(dir: &Path) {
    for file in FILES {
        check_text(dir, file);
    }
    check_actions_by_agent(&json(dir, "action_types.json"));
    check_hierarchy(
        &json(dir, "agent_hierarchy.json"),
        &json(dir, "action_types.json"),
    );
    check_node_types(&json(dir, "node_types.json"));
    check_catalogue(dir);
    check_inheritance(&json(dir, "agents.json"), &json(dir, "action_types.json"));
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names, FILES,
        "nothing else is written, no temporary file is left"
    );
}

/// UTF-8, line feeds, two spaces, sorted keys, a line feed at the end.
pub fn check_text(dir: &Path, file: &str) {
    let text = std::fs::read_to_string(dir.join(file)).unwrap();
    assert!(!text.contains('\r'), "{file}: line feeds only");
    assert!(!text.starts_with('\u{feff}'), "{file}: no byte order mark");
    assert!(
        text.ends_with('\n') && !text.ends_with("\n\n"),
        "{file}: one line feed at the end"
    );
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        canonical(&value, 0) + "\n",
        text,
        "{file}: sorted keys, two spaces"
    );
}

/// Written by hand, so that the exporter's own printer is not its own judge.
fn canonical(value: &Value, indent: usize) -> String {
    let pad = "  ".repeat(indent + 1);
    let end = "  ".repeat(indent);
    match value {
        Value::Object(map) if !map.is_empty() => {
            let sorted: BTreeMap<_, _> = map.iter().collect();
            let lines: Vec<String> = sorted
                .into_iter()
                .map(|(key, value)| {
                    format!(
                        "{pad}{}: {}",
                        Value::from(key.as_str()),
                        canonical(value, indent + 1)
                    )
                })
                .collect();
            format!("{{\n{}\n{end}}}", lines.join(",\n"))
        }
        Value::Array(items) if !items.is_empty() => {
            let lines: Vec<String> = items
                .iter()
                .map(|item| format!("{pad}{}", canonical(item, indent + 1)))
                .collect();
            format!("[\n{}\n{end}]", lines.join(",\n"))
        }
        other => other.to_string(),
    }
}

/// Nothing but agents at the top, each a map of actions, each with a `nop` without arguments.
pub fn check_actions_by_agent(file: &Value) {
    for (agent, actions) in object(file, "action_types.json") {
        check_actions(agent, object(actions, agent));
        let nop = &actions["nop"];
        assert!(
            nop.is_object(),
            "{agent}: a `nop`, else the editor cannot insert an action"
        );
        assert_eq!(
            nop["args"],
            Value::Array(vec![]),
            "{agent}: `nop` without arguments"
        );
    }
}

/// The actions of one agent, or of a flat list.
pub fn check_actions(agent: &str, actions: &Map<String, Value>) {
    let mut briefs = BTreeSet::new();
    for (name, action) in actions {
        let place = format!("{agent}.{name}");
        object(action, &place);
        for key in ["name", "brief", "return"] {
            assert!(action[key].is_string(), "{place}: `{key}` is a string");
        }
        let brief = action["brief"].as_str().unwrap();
        assert!(!brief.trim().is_empty(), "{place}: a brief");
        assert!(
            briefs.insert(brief),
            "{place}: `{brief}` twice in one agent"
        );
        let mut names = BTreeSet::new();
        for arg in action["args"]
            .as_array()
            .unwrap_or_else(|| panic!("{place}: `args` is an array"))
        {
            for key in ["name", "type", "comment"] {
                assert!(
                    arg[key].is_string(),
                    "{place}: an argument's `{key}` is a string"
                );
            }
            assert!(
                names.insert(arg["name"].as_str().unwrap()),
                "{place}: argument names are unique"
            );
            check_schema(&place, &arg["schema"]);
            known_keys(
                arg,
                &[
                    "name", "type", "comment", "schema", "default", "optional", "unit", "min",
                    "max", "step", "choices", "in_out",
                ],
            );
        }
        assert!(
            matches!(action["kind"].as_str(), Some("action" | "condition")),
            "{place}: kind"
        );
        assert!(action["from"].is_string(), "{place}: from");
        known_keys(
            action,
            &[
                "name",
                "brief",
                "return",
                "args",
                "kind",
                "async",
                "static",
                "category",
                "display",
                "since",
                "deprecated",
                "alias",
                "from",
                "meta",
            ],
        );
    }
}

fn known_keys(entry: &Value, known: &[&str]) {
    for key in entry.as_object().unwrap().keys() {
        assert!(
            known.contains(&key.as_str()),
            "`{key}` is not a key of the format"
        );
    }
}

/// An argument's schema stands alone.
fn check_schema(place: &str, schema: &Value) {
    fn refs(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                found.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
                map.values().for_each(|value| refs(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| refs(value, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    refs(schema, &mut found);
    for target in found {
        let pointer = target
            .strip_prefix('#')
            .expect("references within the schema");
        assert!(
            schema.pointer(pointer).is_some(),
            "{place}: {target} is not in the schema"
        );
    }
    jsonschema::draft202012::new(schema).unwrap_or_else(|e| panic!("{place}: {e}"));
}

/// Child to parent; every name stands among the actions; no circles.
pub fn check_hierarchy(hierarchy: &Value, actions: &Value) {
    let hierarchy = object(hierarchy, "agent_hierarchy.json");
    let agents: Vec<&String> = object(actions, "action_types.json").keys().collect();
    assert_eq!(
        hierarchy.keys().collect::<Vec<_>>(),
        agents,
        "the same agents in both files"
    );
    for child in hierarchy.keys() {
        let mut current = child.as_str();
        for _ in 0..=hierarchy.len() {
            let parent = hierarchy
                .get(current)
                .unwrap_or_else(|| panic!("`{current}` is not there"));
            current = parent.as_str().expect("a parent is a string");
            if current.is_empty() {
                break;
            }
        }
        assert_eq!(current, "", "`{child}` is in a circle");
    }
}

/// Exactly the kinds of the original, unsigned bounds, an empty `editable_item`, nothing else.
pub fn check_node_types(file: &Value) {
    let kinds = object(file, "node_types.json");
    let expect: Vec<(String, Value)> = ORIGINAL_KINDS
        .iter()
        .map(|(name, min, max)| {
            let entry =
                serde_json::json!({"child_min": min, "child_max": max, "editable_item": {}});
            ((*name).to_owned(), entry)
        })
        .collect();
    let kinds: Vec<_> = kinds
        .iter()
        .map(|(name, kind)| (name.clone(), kind.clone()))
        .collect();
    assert_eq!(kinds, expect);
}

/// `agents.json` obeys the schema beside it and is sorted.
pub fn check_catalogue(dir: &Path) {
    let catalogue = json(dir, "agents.json");
    let schema = json(dir, "agents.schema.json");
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    if let Err(error) = validator.validate(&catalogue) {
        panic!("agents.json: {error} at {}", error.instance_path());
    }
    let names = |value: &Value, key: &str| -> Vec<String> {
        let items = value.as_array().into_iter().flatten();
        items
            .map(|item| item[key].as_str().unwrap().to_owned())
            .collect()
    };
    let sorted = |names: Vec<String>| assert!(names.is_sorted(), "{names:?}");
    sorted(names(&catalogue["agents"], "full_name"));
    sorted(names(&catalogue["crates"], "package"));
    for agent in catalogue["agents"].as_array().unwrap() {
        for list in ["methods", "properties", "events"] {
            sorted(names(&agent[list], "name"));
        }
        let file = agent["file"].as_str().unwrap();
        assert!(
            !file.starts_with('/') && !file.contains('\\'),
            "{file}: relative to its package"
        );
    }
    assert!(
        catalogue.get("problems").is_none(),
        "a file that an exporter wrote has no problems"
    );
}

/// Checks that the items of a base are written out in every agent based on it.
fn check_inheritance(catalogue: &Value, actions: &Value) {
    let agents = catalogue["agents"].as_array().unwrap();
    let by_name = |full: &str| {
        agents
            .iter()
            .find(|agent| agent["full_name"] == full)
            .unwrap()
    };
    for agent in agents {
        let same_name = agents
            .iter()
            .filter(|other| other["name"] == agent["name"])
            .count();
        let key = if same_name == 1 {
            &agent["name"]
        } else {
            &agent["full_name"]
        };
        let written = object(&actions[key.as_str().unwrap()], "an agent");
        let mut expect = BTreeSet::new();
        let mut current = Some(agent);
        while let Some(agent) = current {
            for list in ["actions", "conditions"] {
                for method in agent[list].as_array().unwrap() {
                    expect.insert(method["name"].as_str().unwrap().to_owned());
                }
            }
            current = agent["base"].as_str().map(by_name);
        }
        assert_eq!(
            written.keys().cloned().collect::<BTreeSet<_>>(),
            expect,
            "{key}"
        );
    }
}

fn object<'a>(value: &'a Value, what: &str) -> &'a Map<String, Value> {
    value
        .as_object()
        .unwrap_or_else(|| panic!("{what} is an object"))
}
