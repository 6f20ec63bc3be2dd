//! The OpenRPC document.

use bt_live::protocol::{EVENTS, METHODS, VERSION};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The schemas of the protocol's types, by their names, and what each method and event refers to.
pub(crate) struct Schemas {
    pub(crate) types: serde_json::Map<String, Value>,
    pub(crate) methods: Vec<(Value, Value)>,
    pub(crate) events: Vec<Value>,
}

pub(crate) fn schemas() -> Schemas {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
    });
    let mut generator = settings.into_generator();
    let methods = METHODS.iter();
    let methods = methods.map(|method| {
        let params = (method.params)(&mut generator).to_value();
        (params, (method.result)(&mut generator).to_value())
    });
    let methods = methods.collect();
    let events = EVENTS.iter();
    let events = events.map(|event| (event.params)(&mut generator).to_value());
    let events = events.collect();
    Schemas {
        types: generator.take_definitions(false),
        methods,
        events,
    }
}

/// The name in `#/components/schemas/Name`.
pub(crate) fn name(reference: &Value) -> &str {
    let path = reference["$ref"].as_str().unwrap();
    path.rsplit('/').next().unwrap()
}

/// The parameters of a method, each by its name.
fn params(schema: &Value) -> Vec<Value> {
    let none = serde_json::Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let required: Vec<&str> = schema["required"]
        .as_array()
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let one = |(name, schema): (&String, &Value)| {
        let required = required.contains(&name.as_str());
        json!({ "name": name, "required": required, "schema": schema })
    };
    properties.iter().map(one).collect()
}

pub(crate) fn document() -> String {
    let schemas = schemas();
    let methods = METHODS.iter().zip(&schemas.methods);
    let methods = methods.map(|(method, (given, result))| {
        json!({
            "name": method.name,
            "description": method.docs.trim().replace("\n ", "\n"),
            "paramStructure": "by-name",
            "params": params(&schemas.types[name(given)]),
            "result": { "name": name(result), "schema": result },
            "x-changes": method.changes,
        })
    });
    let events = EVENTS.iter().zip(&schemas.events);
    let events = events.map(|(event, given)| {
        json!({
            "name": event.name,
            "description": event.docs.trim().replace("\n ", "\n"),
            "params": given,
        })
    });
    let document = json!({
        "openrpc": "1.3.2",
        "info": {
            "title": "A port of bt-live",
            "version": VERSION.to_string(),
        },
        "methods": methods.collect::<Vec<_>>(),
        "x-events": events.collect::<Vec<_>>(),
        "components": { "schemas": schemas.types },
    });
    serde_json::to_string_pretty(&document).unwrap() + "\n"
}
