//! Queries in everything that is exported.

use bt_core::registry::catalogue::Catalogue;
use bt_meta::formats::{Format, render};
use bt_meta::layout::Options;
use bt_meta::{files, list};
use serde_json::{Value, json};

use crate::common::samples::{action, agent, arg, catalogue, method, nop, with};

/// An agent with an action, and with queries that answer with a number and with a bool.
fn guard() -> Catalogue {
    let answer = |ty: &str, schema: &str| json!({"type": ty, "schema": {"type": schema}});
    let distance = with(
        method(
            "query",
            "distance_to",
            "Metres to something.",
            vec![arg("target", "uint64")],
        ),
        json!({"answer": answer("double", "number"), "result": "value", "static": true}),
    );
    let sees = with(
        method("query", "sees", "Is it in sight?", vec![]),
        json!({"answer": answer("bool", "boolean")}),
    );
    catalogue(vec![agent(
        "guard",
        None,
        vec![nop(), action("go", "Goes."), distance, sees],
    )])
}

fn rendered(format: Format) -> Vec<(&'static str, String)> {
    let files = render(&guard(), &Options::default(), &[format]).unwrap();
    files
        .files
        .into_iter()
        .map(|file| (file.name, file.text))
        .collect()
}

fn json_of(name: &str) -> Value {
    let files = rendered(Format::Mosaic);
    let (_, text) = files.iter().find(|(file, _)| *file == name).unwrap();
    serde_json::from_str(text).unwrap()
}

#[test]
fn all_of_them_are_in_the_catalogue_with_the_type_of_their_answer() {
    let agents = json_of("agents.json");
    let queries = agents["agents"][0]["queries"].as_array().unwrap();
    let answers = queries
        .iter()
        .map(|query| (&query["name"], &query["answer"]["type"]));
    let answers: Vec<_> = answers.collect();
    assert_eq!(
        answers,
        [
            (&json!("distance_to"), &json!("double")),
            (&json!("sees"), &json!("bool"))
        ]
    );
}

#[test]
fn the_editor_of_the_original_is_offered_only_those_that_are_conditions() {
    let actions = &json_of("action_types.json")["guard"];
    let names: Vec<_> = actions.as_object().unwrap().keys().collect();
    assert_eq!(names, ["go", "nop", "sees"]);
    assert_eq!(actions["sees"]["kind"], "condition");
}

#[test]
fn behaviac_is_told_the_type_of_the_answer() {
    let (_, meta) = rendered(Format::Behaviac).remove(0);
    let method = |name: &str| {
        let start = format!("<Method Name=\"{name}\"");
        meta.lines()
            .find(|line| line.trim_start().starts_with(&start))
            .unwrap()
            .to_owned()
    };
    assert!(
        method("distance_to").contains("ReturnType=\"double\""),
        "{meta}"
    );
    assert!(method("sees").contains("ReturnType=\"bool\""), "{meta}");
}

#[test]
fn the_manual_has_a_section_of_them() {
    let (_, manual) = rendered(Format::Markdown).remove(0);
    let (_, queries) = manual.split_once("Queries\n").unwrap();
    for expect in [
        "distance_to",
        "Answer",
        "double",
        "expressions call it for its answer",
    ] {
        assert!(queries.contains(expect), "{expect}: {manual}");
    }
}

#[test]
fn a_list_shows_their_answers() {
    let text = list::text(&guard(), None).unwrap();
    assert!(
        text.contains("static query distance_to(target: uint64) -> double"),
        "{text}"
    );
    assert!(text.contains("query sees() -> bool"), "{text}");
}

#[test]
fn a_schema_of_trees_has_them_where_conditions_stand() {
    let (_, schema) = rendered(Format::JsonSchema).remove(0);
    assert!(
        schema.contains("\"sees\"") && !schema.contains("\"distance_to\""),
        "{schema}"
    );
}

#[test]
fn one_with_the_name_of_a_built_in_function_is_warned_of() {
    let len = method("query", "len", "How long it is.", vec![]);
    let clamp = action("clamp", "Holds it.");
    let catalogue = catalogue(vec![agent("guard", None, vec![nop(), len, clamp])]);
    let files = files::render(&catalogue, &Options::default()).unwrap();
    assert_eq!(
        files.warnings,
        [
            "query `len` of agent `guard` (my-game src/lib.rs:7) has the name of a built-in function of \
          expressions, so no expression can call it; give it another by `name = \"…\"`"
        ]
    );
}
