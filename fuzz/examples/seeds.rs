//! Writes what the fuzzers begin with, from files that are in the repository:
//! `cargo run --manifest-path fuzz/Cargo.toml --example seeds`.

#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bt_core::trace::{JsonLines, SharedWriter};
use bt_core::tree::asset::spec::{node, sequence};
use bt_core::{Event, Random, Registry, Runner, TreeAsset};
use bt_fuzz::Robot;
use bt_live::protocol::METHODS;
use serde_json::{Value, json};

use generator::Generator;

#[path = "../../bt-live/tests/port/generator.rs"]
mod generator;

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut words = BTreeSet::new();
    let mut trees = Vec::new();
    for folder in ["../examples/monster/trees", "../tests/data/mosaic/btree"] {
        for file in fs::read_dir(fuzz.join(folder))? {
            trees.push(fs::read(file?.path())?);
        }
    }
    let catalogue = json!(Registry::global()?.catalogue());
    trees.extend(of_each_kind(&catalogue).map(String::into_bytes));
    for (number, tree) in trees.iter().enumerate() {
        seed(fuzz, "tree", number, tree)?;
        collect(&serde_json::from_slice(tree)?, &mut words);
    }
    let agents = agents_of(&catalogue);
    for (number, tree) in trees.iter().enumerate() {
        let text = agents[number % agents.len()].to_string();
        seed(
            fuzz,
            "catalogue",
            number,
            &[text.as_bytes(), b"\0", tree].concat(),
        )?;
    }
    for (number, script) in scripts(fuzz)?.iter().enumerate() {
        seed(fuzz, "script", number, script.as_bytes())?;
    }
    for (number, value) in calls(&catalogue).enumerate() {
        seed(fuzz, "values", number, value.to_string().as_bytes())?;
    }
    let (saved, lines) = runs()?;
    for (number, saved) in saved.iter().enumerate() {
        seed(fuzz, "saved", number, saved.as_bytes())?;
        collect(&serde_json::from_str(saved)?, &mut words);
    }
    for (number, lines) in lines.iter().enumerate() {
        seed(fuzz, "lines", number, lines)?;
    }
    for (number, requests) in requests().enumerate() {
        seed(fuzz, "port", number, requests.as_bytes())?;
    }
    words.extend(METHODS.iter().map(|method| method.name.to_owned()));
    collect(&catalogue["node_kinds"], &mut words);
    collect(&catalogue["agents"], &mut words);
    write_words(&fuzz.join("json.dict"), &words)
}

/// A run of the trees that are saved, saved and traced at each of its polls.
fn runs() -> Result<(Vec<String>, Vec<Vec<u8>>), Box<dyn Error>> {
    let mut runner = Runner::new(bt_fuzz::saved::trees(), "main")?;
    let mut robot = Robot::default();
    runner.start();
    let (mut saved, mut lines) = (Vec::new(), Vec::new());
    for poll in 0..24_u32 {
        let line = SharedWriter::new(Vec::new());
        runner.set_tracer(Some(Box::new(JsonLines::new(line.clone()))));
        match poll % 8 {
            3 => runner.fire(Event::new("go")),
            5 => runner.fire(Robot::told(7)),
            6 => runner.blackboard().set("k", true),
            _ => {}
        }
        runner.poll(&mut robot, Duration::from_millis(170) * poll);
        runner.set_tracer(None);
        saved.push(runner.save().to_json());
        lines.push(line.with(|bytes| bytes.clone()));
    }
    Ok((saved, lines))
}

fn seed(fuzz: &Path, target: &str, number: usize, bytes: &[u8]) -> Done {
    let folder: PathBuf = fuzz.join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(format!("seed-{number}")), bytes)?)
}

/// A small tree of each kind of node, with every key that it takes.
fn of_each_kind(catalogue: &Value) -> impl Iterator<Item = String> {
    let kinds = catalogue["node_kinds"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    kinds.into_iter().filter_map(|kind| {
        let name = kind["name"].as_str()?;
        let leaf = || node("action").extra("action_name", "nop");
        let mut top = node(name);
        for key in kind["params"]["properties"].as_object()?.keys() {
            top = top.extra(key, example(key));
        }
        let least = kind["child_min"].as_u64().unwrap_or(0);
        for _ in 0..least {
            top = top.child(leaf());
        }
        let top = match name {
            "root" => leaf(),
            _ => top
                .extra(
                    "guards",
                    json!([{"condition_name": "holds", "condition_args": [
                    {"arg_type": "plain", "arg_value": 0}], "abort": "self", "mode": "poll"}]),
                )
                .extra("services", json!([{"seconds": 0.5, "action_name": "nop"}]))
                .extra(
                    "events",
                    json!([{"event": "go", "tree": "t", "mode": "return"}]),
                )
                .extra(
                    "effects",
                    json!({"enter": [{"action_name": "nop"}], "exit": []}),
                ),
        };
        Some(TreeAsset::build("t", "robot", sequence([top, leaf()])).to_json())
    })
}

/// Something that a key of a node may have.
fn example(key: &str) -> Value {
    match key {
        "action_name" => "starts".into(),
        "decorator_name" => "limits".into(),
        "action_args" | "decorator_args" => json!([{"arg_type": "plain", "arg_value": 2}]),
        "prob" => json!([1]),
        "success" | "failure" => 1.into(),
        "count" => 3.into(),
        "seconds" => 0.5.into(),
        "sub_tree_name" | "name_key" | "tree" => "t".into(),
        "event" => "go".into(),
        "args" | "params" => json!({}),
        "status" => "success".into(),
        "on" => "success".into(),
        "mode" => "loop".into(),
        "reset_if" => json!({"condition_name": "key_holds", "condition_args": [
            {"arg_type": "plain", "arg_value": "k"}]}),
        _ => true.into(),
    }
}

/// Catalogues of one agent with a few methods each, so that a change of a byte means something.
fn agents_of(catalogue: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    for agent in catalogue["agents"].as_array().into_iter().flatten() {
        for list in [
            "actions",
            "conditions",
            "decorators",
            "properties",
            "events",
        ] {
            let items = agent[list].as_array().map_or(&[][..], Vec::as_slice);
            for some in items.chunks(4) {
                let mut one = agent.clone();
                for other in [
                    "actions",
                    "conditions",
                    "decorators",
                    "properties",
                    "events",
                ] {
                    one[other] = json!([]);
                }
                one[list] = some.into();
                one["name"] = "robot".into();
                one["full_name"] = "robot".into();
                one["base"] = Value::Null;
                all.push(json!({"schema_version": 1, "agents": [one], "$defs": {
                    "A": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}},
                }}));
            }
        }
    }
    all
}

/// The scripts in the README and in the reader's own tests.
fn scripts(fuzz: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut all = Vec::new();
    for file in ["../README.md", "../bt-core/src/tree/asset/script/tests.rs"] {
        let text = fs::read_to_string(fuzz.join(file))?;
        let quoted = text.split('"').filter(|part| part.contains('\n'));
        all.extend(quoted.filter(|part| part.len() < 1_000).map(str::to_owned));
    }
    all.push(json!({"name": "SEQUENCE", "param": true, "children": [{"name": "nop"}]}).to_string());
    Ok(all)
}

/// A call of each method.
fn calls(catalogue: &Value) -> impl Iterator<Item = Value> {
    let agents = catalogue["agents"].as_array().cloned().unwrap_or_default();
    let methods = |agent: Value| {
        ["actions", "conditions"].map(|list| agent[list].as_array().cloned().unwrap_or_default())
    };
    let all = agents.into_iter().flat_map(methods).flatten();
    all.map(|method| {
        let args = method["args"].as_array().cloned().unwrap_or_default();
        let args: Vec<Value> = args.iter().map(argument).collect();
        json!({"board": {"a": 1, "b": [1, "x"], "s": "text", "k": true},
            "calls": [[method["name"], args], [method["name"], args]]})
    })
}

fn argument(arg: &Value) -> Value {
    match arg["type"].as_str() {
        Some("bool") => true.into(),
        Some("string") if arg["name"].to_string().contains("array") => "b".into(),
        Some("string") => "a".into(),
        Some("any_value") => json!([1]),
        _ => 1.into(),
    }
}

/// Requests of the port: some of each method, then some of all.
fn requests() -> impl Iterator<Item = String> {
    const WORDS: &[&str] = &[
        "main",
        "other",
        "starts",
        "polled",
        "go",
        "told",
        "calls",
        "k",
        "enter",
        "exit",
        "abort",
        "call",
        "key",
        "property",
        "event",
        "guard",
        "over",
        "into",
        "out",
        "record",
        "poll",
        "continue",
        "to",
        "success",
        "failure",
        "disabled",
        "a.btrec",
        ">= 3",
        "% 2",
        "k == true",
    ];
    let generator = Generator::new(bt_fuzz::port::robot(), WORDS);
    let mut random = Random::new(13);
    let mut line = move |method: usize| {
        let params = generator.params(method, &mut random);
        format!("{} {params}\n", METHODS[method].name)
    };
    let count = METHODS.len();
    let of_each = (0..count).map(|method| vec![method; 4]);
    let of_all = (0..8).map(move |first| (0..count).map(|at| (at * 7 + first) % count).collect());
    let all: Vec<Vec<usize>> = of_each.chain(of_all).collect();
    all.into_iter()
        .map(move |methods| methods.into_iter().map(&mut line).collect())
}

/// The keys and short texts of a value.
fn collect(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            words.extend(map.keys().cloned());
            map.values().for_each(|value| collect(value, words));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::String(text) if text.len() < 24 => drop(words.insert(text.clone())),
        _ => {}
    }
}

fn write_words(file: &Path, words: &BTreeSet<String>) -> Done {
    let plain = |word: &&String| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_ascii_graphic() && c != '"' && c != '\\')
    };
    let mut text = String::new();
    for word in words.iter().filter(plain) {
        text += &format!("\"\\\"{word}\\\"\"\n");
    }
    for token in [
        "1e308",
        "1e999",
        "-0.0",
        "null",
        "-1",
        "0.5",
        "4294967295",
        "18446744073709551615",
    ] {
        text += &format!("\"{token}\"\n");
    }
    Ok(fs::write(file, text)?)
}
