//! Schemas that stand alone: what they refer to goes in with them.

use std::collections::BTreeMap;

use bt_core::registry::schema::definition;
use serde_json::{Map, Value};

use crate::catalogue::JsonMap;

/// The schema with every definition that it needs, directly or not, in its own `$defs`.
pub(crate) fn standing_alone(schema: &Value, defs: &JsonMap) -> Value {
    let mut needed = BTreeMap::new();
    collect(schema, defs, &mut needed);
    let mut schema = schema.clone();
    if let (Some(object), false) = (schema.as_object_mut(), needed.is_empty()) {
        let own = object
            .entry("$defs")
            .or_insert_with(|| Value::Object(Map::new()));
        if let Some(own) = own.as_object_mut() {
            for (name, definition) in needed {
                own.entry(name).or_insert_with(|| definition.clone());
            }
        }
    }
    schema
}

fn collect<'a>(value: &Value, defs: &'a JsonMap, needed: &mut BTreeMap<String, &'a Value>) {
    match value {
        Value::Object(map) => {
            if let Some((name, _)) = definition(value)
                && let Some(definition) = defs.get(&*name)
                && needed.insert(name.into_owned(), definition).is_none()
            {
                collect(definition, defs, needed);
            }
            map.values().for_each(|value| collect(value, defs, needed));
        }
        Value::Array(items) => items.iter().for_each(|value| collect(value, defs, needed)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn exported_schema_contains_the_definitions_it_refers_to_and_no_others() {
        let defs = JsonMap::from([
            ("A".to_owned(), json!({"items": {"$ref": "#/$defs/B"}})),
            (
                "B".to_owned(),
                json!({"properties": {"a": {"$ref": "#/$defs/A"}}}),
            ),
            ("C".to_owned(), json!({})),
        ]);
        let schema = json!({"$ref": "#/$defs/A", "description": "x"});
        assert_eq!(
            standing_alone(&schema, &defs),
            json!({
                "$ref": "#/$defs/A", "description": "x",
                "$defs": {"A": {"items": {"$ref": "#/$defs/B"}}, "B": {"properties": {"a": {"$ref": "#/$defs/A"}}}},
            })
        );
    }

    #[test]
    fn a_schema_without_references_stays_as_it_is() {
        for schema in [json!(true), json!({"type": "integer"})] {
            assert_eq!(standing_alone(&schema, &JsonMap::new()), schema);
        }
    }

    #[test]
    fn names_with_escapes_are_found() {
        let defs = JsonMap::from([("a/ü".to_owned(), json!({}))]);
        let schema = json!({"$ref": "#/$defs/a~1%C3%BC"});
        assert_eq!(standing_alone(&schema, &defs)["$defs"], json!({"a/ü": {}}));
    }
}
