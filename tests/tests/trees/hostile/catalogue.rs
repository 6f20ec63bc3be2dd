//! An `agents.json` that means harm, and trees that are checked against it.

use bt_core::registry::catalogue::Catalogue;
use bt_core::tree::{Code, Level};
use bt_meta::files::render;
use bt_meta::layout::Options;
use bt_meta::protocol::parse;
use bt_meta::validate::input::Input;
use bt_meta::validate::{Options as How, Report, run};
use serde_json::{Value, json};

use crate::hostile::{file, node, on_a_small_stack};

/// An agent with one action, of one argument of this schema.
fn catalogue(schema: Value, defs: Value) -> Catalogue {
    let place = json!({"crate": "c", "file": "f", "line": 1, "brief": "b"});
    let with = |more: Value| {
        let mut all = place.clone();
        all.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        all
    };
    let arg = json!({"name": "x", "type": "thing", "schema": schema});
    let act = with(json!({"name": "act", "kind": "action", "result": "bool", "args": [arg]}));
    let agent = with(json!({"name": "probe", "full_name": "probe", "actions": [act]}));
    let all = json!({"schema_version": 1, "agents": [agent], "$defs": defs});
    parse(&all.to_string()).unwrap()
}

/// The check of so many calls with that argument.
fn check(catalogue: Catalogue, value: &str, calls: usize) -> Report {
    let children: Vec<_> = (2..2 + calls).map(|idx| idx.to_string()).collect();
    let args = format!(
        r#""action_name":"act","action_args":[{{"arg_type":"plain","arg_value":{value}}}]"#
    );
    let mut nodes = vec![
        node("0", "root", "1", r#""agent_name":"probe""#),
        node("1", "sequence", &children.join(","), ""),
    ];
    nodes.extend(children.iter().map(|idx| node(idx, "action", "", &args)));
    let folder = tempfile::tempdir().unwrap();
    let tree = Input::new("t.json", folder.path().join("t.json"));
    std::fs::write(&tree.path, file(nodes)).unwrap();
    let _ = render(&catalogue, &Options::default());
    run(catalogue, &How::default(), &[tree], &|| ()).unwrap()
}

/// Arrays inside one another, as text.
fn deep(depth: usize) -> String {
    "[".repeat(depth) + "1" + &"]".repeat(depth)
}

#[test]
fn a_schema_that_refers_to_itself_is_followed_so_far_and_no_further() {
    on_a_small_stack(|| {
        let a = json!({"$ref": "#/$defs/A"});
        for (schema, of_a) in [
            (a.clone(), a.clone()),
            (a.clone(), json!({"$ref": "#/$defs/B"})),
            (a.clone(), json!({"allOf": [a, a]})),
            (a.clone(), json!({"oneOf": [a, a, {"type": "null"}]})),
            (a.clone(), json!({"anyOf": [a, a], "allOf": [a]})),
            (a.clone(), json!({"type": "array", "items": a})),
            (
                a.clone(),
                json!({"oneOf": [{"type": "array", "items": a}, {"type": "array", "items": a}]}),
            ),
            (
                a.clone(),
                json!({"type": "object", "properties": {"k": a}, "required": ["k"]}),
            ),
        ] {
            let defs = json!({"A": of_a, "B": {"$ref": "#/$defs/A"}});
            for value in ["1", "null", &deep(100), r#"{"k":{"k":{"k":1}}}"#] {
                let found = check(catalogue(schema.clone(), defs.clone()), value, 3);
                let mut findings = found.findings.iter();
                assert!(findings.all(|one| one.message.len() < 2_000));
            }
        }
    });
}

#[test]
fn a_schema_as_deep_as_a_reader_takes_is_followed() {
    on_a_small_stack(|| {
        let array = |inner: Value, _: usize| json!({"type": "array", "items": inner});
        let one_of = |inner: Value, _: usize| json!({"oneOf": [inner]});
        for (schema, is_followed) in [
            ((0..60).fold(json!({"type": "string"}), array), true),
            ((0..20).fold(json!({"type": "string"}), one_of), true),
            // What is further inside is not looked at.
            ((0..100).fold(json!({"type": "string"}), array), false),
            ((0..50).fold(json!({"type": "string"}), one_of), false),
        ] {
            let found = check(catalogue(schema, json!({})), &deep(60), 1);
            if is_followed {
                let first = found.findings.iter().find(|one| one.level == Level::Error);
                let first = first.unwrap();
                assert!(first.file.ends_with("t.json"));
                assert_eq!(first.place.as_ref().map(|at| at.line), Some(4));
            }
        }
    });
}

#[test]
fn a_choice_of_thousands_is_not_listed_in_each_message() {
    let names: Vec<_> = (0..4_000).map(|at| format!("choice_{at}")).collect();
    for schema in [
        json!({"type": "string", "enum": names}),
        json!({"enum": names}),
        json!({"oneOf": names.iter().map(|name| json!({"const": name})).collect::<Vec<_>>()}),
        json!({"type": "object", "additionalProperties": false,
            "properties": names.iter().map(|name| (name.clone(), json!({}))).collect::<serde_json::Map<_, _>>()}),
    ] {
        for value in ["\"chioce_7\"", "7", "{\"x\": 1}"] {
            let found = check(catalogue(schema.clone(), json!({})), value, 3);
            let of_calls = found.findings.iter();
            let of_calls = of_calls.filter(|one| one.code != Code::NeverWaits);
            for one in of_calls {
                assert!(matches!(one.node, Some(2..=4)), "{one:?}");
                let bytes = one.message.len();
                assert!(bytes < 4_000, "{bytes} bytes: {}", &one.message[..200]);
            }
        }
    }
}

#[test]
fn invalid_catalogue_is_refused_with_one_line() {
    on_a_small_stack(|| {
        let deep = "[".repeat(10_000_000);
        for text in [
            String::new(),
            "[]".to_owned(),
            deep.clone(),
            format!(r#"{{"schema_version":1,"x":{deep}"#),
            format!(r#"{{"schema_version":1,"agents":{deep}"#),
            format!(r#"{{"schema_version":1,"$defs":{{"A":{deep}"#),
            r#"{"schema_version":-1}"#.to_owned(),
            r#"{"schema_version":1e999}"#.to_owned(),
            r#"{"schema_version":4294967296}"#.to_owned(),
            r#"{"schema_version":1,"agents":[{"name":"\ud800"}]}"#.to_owned(),
            r#"{"schema_version":1,"agents":[],"agents":[]}"#.to_owned(),
            format!(r#"{{"schema_version":9,"bt_core":"{}"}}"#, "x".repeat(100)),
        ] {
            let why = parse(&text).unwrap_err().to_string();
            assert!(why.contains("catalogue") && why.len() < 1_000, "{why}");
        }
    });
}

#[test]
fn a_catalogue_that_is_no_utf8_is_named() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hostile-agents.json");
    std::fs::write(&path, b"{\"schema_version\": 1, \"x\": \"\xff\"}").unwrap();
    let why = bt_meta::protocol::read(&path).unwrap_err().to_string();
    assert!(
        why.contains("hostile-agents.json") && why.contains("UTF-8"),
        "{why}"
    );
}

#[test]
fn ten_thousand_agents_on_top_of_one_another_or_in_a_circle_are_refused() {
    on_a_small_stack(|| {
        let count = 10_000;
        for circle in [false, true] {
            let agent = |at: usize| {
                let base = match at + 1 < count {
                    true => json!(format!("a{}", at + 1)),
                    false if circle => json!("a0"),
                    false => Value::Null,
                };
                json!({"name": format!("a{at}"), "full_name": format!("a{at}"), "base": base,
                    "crate": "c", "file": "f", "line": 1})
            };
            let agents: Vec<_> = (0..count).map(agent).collect();
            let all = json!({"schema_version": 1, "agents": agents});
            let catalogue = parse(&all.to_string()).unwrap();
            let why = run(catalogue, &How::default(), &[], &|| ());
            let why = why.unwrap_err().to_string();
            assert!(why.contains("more than 64 bases"), "{why}");
        }
    });
}
