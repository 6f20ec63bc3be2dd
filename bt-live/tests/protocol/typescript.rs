//! The types for TypeScript, made from the same schemas.

use std::fmt::Write as _;

use bt_live::protocol::{EVENTS, METHODS, VERSION};
use serde_json::Value;

use crate::openrpc::{name, schemas};

/// What TypeScript calls a value of a schema. It knows what the protocol's types use, and nothing else.
pub(crate) fn word(schema: &Value) -> String {
    if schema.get("$ref").is_some() {
        return name(schema).to_owned();
    }
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        let words: Vec<_> = any.iter().map(word).collect();
        return words.join(" | ");
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
        Some("array") => format!("{}[]", word(&schema["items"])),
        Some("object") => format!("Record<string, {}>", word(&schema["additionalProperties"])),
        Some(other) => panic!("TypeScript has no word for `{other}` yet"),
        None => "unknown".to_owned(),
    }
}

fn comment(text: &str, indent: &str, into: &mut String) {
    let lines: Vec<_> = text.trim().lines().map(str::trim).collect();
    writeln!(into, "{indent}/** {} */", lines.join(" ")).unwrap();
}

pub(crate) fn types() -> String {
    let schemas = schemas();
    let mut text = format!(
        "// What a port of bt-live and its clients say to each other, version {VERSION}.\n\
         // Made from the table of methods: `cargo xtask bless` writes it anew.\n"
    );
    for (name, schema) in &schemas.types {
        text.push('\n');
        comment(schema["description"].as_str().unwrap(), "", &mut text);
        writeln!(text, "export interface {name} {{").unwrap();
        let none = serde_json::Map::new();
        let required = schema["required"].as_array();
        for (field, schema) in schema["properties"].as_object().unwrap_or(&none) {
            comment(
                schema["description"].as_str().unwrap_or(""),
                "  ",
                &mut text,
            );
            let is_required = required.is_some_and(|all| all.iter().any(|it| it == field));
            let mark = if is_required { "" } else { "?" };
            writeln!(text, "  {field}{mark}: {};", word(schema)).unwrap();
        }
        text.push_str("}\n");
    }
    text.push_str(
        "\n/** The methods: parameters and result of each. */\nexport interface Methods {\n",
    );
    for (method, (params, result)) in METHODS.iter().zip(&schemas.methods) {
        comment(method.docs, "  ", &mut text);
        let (params, result) = (name(params), name(result));
        writeln!(text, "  \"{}\": [{params}, {result}];", method.name).unwrap();
    }
    text.push_str("}\n\n/** The events: the parameters of each. */\nexport interface Events {\n");
    for (event, params) in EVENTS.iter().zip(&schemas.events) {
        comment(event.docs, "  ", &mut text);
        writeln!(text, "  \"{}\": {};", event.name, name(params)).unwrap();
    }
    text.push_str("}\n");
    text
}
