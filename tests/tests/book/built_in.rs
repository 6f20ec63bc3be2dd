//! The page of the built-in actions, from what they say of themselves.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bt_core::Registry;
use bt_core::builtin::ActionAgent;
use bt_core::registry::catalogue::{MethodEntry, MethodKind, ValueEntry};
use bt_core::{TreeAsset, TreeSet};
use serde_json::{Value, json};

use super::compare;

const HEAD: &str = "# Built-in actions\n
This page lists the actions and conditions that every agent has, unless its type says `#[agent(no_base)]`. A test \
generates it from their doc comments.\n
The example of each is a line of a [script](tree-files.md#scripts); `SEQUENCE True`, `GUARD` and the other words there \
stand around it. In a JSON file the name is the node's `action_name` or a guard's `condition_name`, and each argument has \
an entry of its own. An argument that names a key takes the key's name, and any other argument may take a key's value, \
`$hp`, or a property's, `@hp`. So `hp < 30` is `compare $hp, \"<\", 30` or, for a key, `compare_key \"hp\", \"<\", 30`.\n";

#[test]
fn page_of_built_in_actions_lists_them_all() {
    let agent = Registry::global().unwrap().agent("action_agent").unwrap();
    let mut categories = BTreeMap::<_, Vec<_>>::new();
    for method in agent.actions() {
        let category = method.entry.item.category.as_deref().unwrap_or("other");
        categories.entry(category).or_default().push(method);
    }
    let mut page = HEAD.to_owned();
    for (category, methods) in categories {
        write!(page, "\n## {category}\n").unwrap();
        for method in methods {
            page += &section(method.entry);
        }
    }
    compare("docs/src/built-in-actions.md", &page);
}

fn section(entry: &MethodEntry) -> String {
    let kind = match entry.kind {
        MethodKind::Condition => " (condition)",
        MethodKind::Action | MethodKind::Query | MethodKind::Decorator | MethodKind::Composite => {
            ""
        }
    };
    let (docs, _) = entry
        .item
        .docs
        .split_once("\n\n# ")
        .unwrap_or((&entry.item.docs, ""));
    let mut text = format!("\n### `{}`{kind}\n\n{docs}\n", entry.item.name);
    if !entry.args.is_empty() {
        text += "\n| argument | type | default | meaning |\n|---|---|---|---|\n";
    }
    for arg in &entry.args {
        let default = arg.ty.default.as_ref();
        let default = default.map_or(String::new(), |value| format!("`{value}`"));
        let (name, ty) = (&arg.name, &arg.ty.type_name);
        writeln!(text, "| `{name}` | `{ty}` | {default} | {} |", arg.comment).unwrap();
    }
    let line = example(entry.item.name.as_str(), &entry.args);
    write!(
        text,
        "\nReturns: {}\n\n```text\n{line}\n```\n",
        entry.returns
    )
    .unwrap();
    builds(&line);
    text
}

/// A line that calls it, with a value for each argument.
fn example(name: &str, args: &[ValueEntry]) -> String {
    let needed = args.iter().filter(|arg| !arg.ty.optional);
    let values: Vec<_> = needed.map(|arg| literal(&value(arg))).collect();
    let line = format!("{name} {}", values.join(", "));
    line.trim_end().to_owned()
}

/// A value as scripts write it.
fn literal(value: &Value) -> String {
    match value.as_bool() {
        Some(true) => "True".to_owned(),
        Some(false) => "False".to_owned(),
        None => value.to_string(),
    }
}

fn value(arg: &ValueEntry) -> Value {
    if let Some([first, ..]) = arg.ty.choices.as_deref() {
        return first.clone();
    }
    match arg.name.as_str() {
        _ if arg.ty.type_name == "bool" => json!(true),
        "array_bb_key" => json!("targets"),
        "dest_bb_key" => json!("result"),
        "sz_bb_key" => json!("count"),
        "source_bb_key" | "string_bb_key" => json!("name"),
        "bb_key" => json!("hp"),
        "bb_keys" => json!(["hp", "mp"]),
        "text" | "template" => json!("text"),
        "event" => json!("alarm"),
        "probability" => json!(0.5),
        "high" => json!(6),
        _ => json!(1),
    }
}

/// Expects that a tree of one line is built.
fn builds(line: &str) {
    let script = format!("AGENT action_agent\nSEQUENCE True\n    {line}\n");
    let asset = TreeAsset::from_slice("example.bt", script.as_bytes()).unwrap();
    let mut trees = TreeSet::<ActionAgent>::new();
    trees.add(asset);
    if let Err(why) = trees.build() {
        panic!("{line}: {why}");
    }
}
