//! The types for TypeScript, made from the schemas of a table of methods: the port's, and the studio's, whose tests use
//! this file as well.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bt_live::protocol::{EventEntry, MethodEntry};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};

/// A protocol: what stands above its types, its tables, and what is declared besides.
pub(crate) struct Protocol<'p> {
    pub(crate) head: String,
    pub(crate) methods: &'p [MethodEntry],
    pub(crate) events: &'p [EventEntry],
    pub(crate) others: fn(&mut SchemaGenerator),
}

/// The name that a reference leads to.
fn name(schema: &Value) -> &str {
    let reference = schema["$ref"].as_str().expect("a named type");
    reference.rsplit('/').next().unwrap_or(reference)
}

/// The TypeScript name of a value of a schema. It knows the types of the protocol, and nothing else.
pub(crate) fn word(schema: &Value) -> String {
    if schema.get("$ref").is_some() {
        return name(schema).to_owned();
    }
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        return any.iter().map(word).collect::<Vec<_>>().join(" | ");
    }
    if let Some(only) = schema.get("const") {
        return only.to_string();
    }
    if let Some(types) = schema["type"].as_array() {
        let one = |kind: &Value| {
            let mut schema = schema.clone();
            schema["type"] = kind.clone();
            word(&schema)
        };
        return types.iter().map(one).collect::<Vec<_>>().join(" | ");
    }
    match schema["type"].as_str() {
        Some("string") => "string".to_owned(),
        Some("integer" | "number") => "number".to_owned(),
        Some("boolean") => "boolean".to_owned(),
        Some("null") => "null".to_owned(),
        Some("array") if schema.get("items").is_none_or(Value::is_boolean) => {
            "unknown[]".to_owned()
        }
        Some("array") => format!("{}[]", word(&schema["items"])),
        Some("object") => match schema.get("additionalProperties") {
            Some(of) if of.is_object() => format!("Record<string, {}>", word(of)),
            _ => "Record<string, unknown>".to_owned(),
        },
        Some(other) => panic!("TypeScript has no word for `{other}` yet"),
        None => "unknown".to_owned(),
    }
}

fn comment(schema: &Value, indent: &str, into: &mut String) {
    let text = schema["description"].as_str().unwrap_or("");
    let lines: Vec<_> = text.trim().lines().map(str::trim).collect();
    if !text.is_empty() {
        writeln!(into, "{indent}/** {} */", lines.join(" ")).unwrap();
    }
}

fn fields(schema: &Value, indent: &str, into: &mut String) {
    let none = Map::new();
    let required = schema["required"].as_array();
    for (field, schema) in schema["properties"].as_object().unwrap_or(&none) {
        comment(schema, indent, into);
        let is_required = required.is_some_and(|all| all.iter().any(|it| it == field));
        let mark = if is_required { "" } else { "?" };
        writeln!(into, "{indent}{field}{mark}: {};", word(schema)).unwrap();
    }
}

/// A type, as it is declared.
fn declaration(name: &str, schema: &Value, into: &mut String) {
    into.push('\n');
    comment(schema, "", into);
    let Some(choices) = schema.get("oneOf").and_then(Value::as_array) else {
        writeln!(into, "export interface {name} {{").unwrap();
        fields(schema, "  ", into);
        into.push_str("}\n");
        return;
    };
    write!(into, "export type {name} =").unwrap();
    for choice in choices {
        into.push('\n');
        comment(choice, "  ", into);
        match choice.get("properties") {
            None => write!(into, "  | {}", word(choice)).unwrap(),
            Some(_) => {
                into.push_str("  | {\n");
                fields(choice, "      ", into);
                into.push_str("    }");
            }
        }
    }
    into.push_str(";\n");
}

/// All types, and the maps of methods and events.
pub(crate) fn types(protocol: &Protocol<'_>) -> String {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let methods: Vec<(Value, Value)> = protocol
        .methods
        .iter()
        .map(|method| {
            let params = (method.params)(&mut generator).to_value();
            (params, (method.result)(&mut generator).to_value())
        })
        .collect();
    let events: Vec<Value> = protocol
        .events
        .iter()
        .map(|event| (event.params)(&mut generator).to_value())
        .collect();
    (protocol.others)(&mut generator);
    let all: BTreeMap<String, Value> = generator.take_definitions(true).into_iter().collect();
    let mut text = protocol.head.clone();
    for (name, schema) in &all {
        declaration(name, schema, &mut text);
    }
    let described = |docs: &str| {
        let lines: Vec<_> = docs.trim().lines().map(str::trim).collect();
        format!("  /** {} */\n", lines.join(" "))
    };
    text.push_str(
        "\n/** The methods: parameters and result of each. */\nexport interface Methods {\n",
    );
    for (method, (params, result)) in protocol.methods.iter().zip(&methods) {
        text.push_str(&described(method.docs));
        let (params, result) = (name(params), name(result));
        writeln!(text, "  \"{}\": [{params}, {result}];", method.name).unwrap();
    }
    text.push_str("}\n\n/** The events: the parameters of each. */\nexport interface Events {\n");
    for (event, params) in protocol.events.iter().zip(&events) {
        text.push_str(&described(event.docs));
        writeln!(text, "  \"{}\": {};", event.name, name(params)).unwrap();
    }
    text.push_str("}\n");
    text
}
