//! A schema as the type name that people see: it is shown, not interpreted.

use serde_json::Value;

use super::schema::{self, Format, Others, is_null, others, title};

/// `bool`, `int32`, `array<T>` … of a schema.
#[doc(hidden)]
pub fn type_name(schema: &Value) -> String {
    let Some(map) = schema.as_object() else {
        return "any_value".to_owned();
    };
    if let Some(target) = schema::reference(schema) {
        return target.into_owned();
    }
    if let Some(inner) = optional(map) {
        return format!("optional<{}>", type_name(&inner));
    }
    let format = schema::format(schema);
    let types = schema::types(schema).unwrap_or_default();
    let [ty] = types[..] else {
        return title(schema).unwrap_or("any_value").to_owned();
    };
    match ty {
        "boolean" => "bool".to_owned(),
        "string" => "string".to_owned(),
        "null" => "null".to_owned(),
        "integer" => match format {
            Some(Format::Integer { signed, bits }) => {
                format!("{}int{bits}", if signed { "" } else { "u" })
            }
            Some(Format::Other(other)) => other.to_owned(),
            Some(Format::Float | Format::Double | Format::Ip | Format::Ipv4 | Format::Ipv6)
            | None => "int64".to_owned(),
        },
        "number" if format == Some(Format::Float) => "float".to_owned(),
        "number" => "double".to_owned(),
        "array" => format!("array<{}>", items(schema)),
        "object" => match (title(schema), others(schema)) {
            (Some(title), _) => title.to_owned(),
            (None, Others::Of(values)) => format!("map<{}>", type_name(values)),
            (None, Others::Unsaid | Others::All | Others::None) => "map<any_value>".to_owned(),
        },
        _ => title(schema).unwrap_or("any_value").to_owned(),
    }
}

type Map = serde_json::Map<String, Value>;

fn items(schema: &Value) -> String {
    if let Some(types) = schema::first_items(schema) {
        let names: Vec<_> = types.iter().map(type_name).collect();
        return names.join(", ");
    }
    schema::items(schema).map_or("any_value".to_owned(), type_name)
}

/// The schema inside an `Option`'s.
pub(crate) fn optional(map: &Map) -> Option<Value> {
    if let Some(Value::Array(options)) = map.get("anyOf")
        && options.len() == 2
        && options.iter().any(is_null)
    {
        return options.iter().find(|s| !is_null(s)).cloned();
    }
    let Some(Value::Array(types)) = map.get("type") else {
        return None;
    };
    let mut rest: Vec<_> = types.iter().filter(|t| *t != "null").cloned().collect();
    if rest.len() == types.len() || rest.len() != 1 {
        return None;
    }
    let mut inner = map.clone();
    inner.insert("type".to_owned(), rest.remove(0));
    if let Some(Value::Array(values)) = inner.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    Some(Value::Object(inner))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use schemars::{JsonSchema, SchemaGenerator};

    use super::*;

    fn name<T: JsonSchema>() -> String {
        type_name(SchemaGenerator::default().subschema_for::<T>().as_value())
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema is used")]
    enum Mood {
        Calm,
        Angry,
    }

    #[test]
    fn every_kind_of_type_has_its_plain_name() {
        assert_eq!(name::<bool>(), "bool");
        assert_eq!(name::<i8>(), "int8");
        assert_eq!(name::<i32>(), "int32");
        assert_eq!(name::<u64>(), "uint64");
        assert_eq!(name::<usize>(), "uint64");
        assert_eq!(name::<isize>(), "int64");
        assert_eq!(name::<f32>(), "float");
        assert_eq!(name::<f64>(), "double");
        assert_eq!(name::<String>(), "string");
        assert_eq!(name::<char>(), "string");
        assert_eq!(name::<Value>(), "any_value");
        assert_eq!(name::<Vec<u32>>(), "array<uint32>");
        assert_eq!(name::<[f64; 3]>(), "array<double>");
        assert_eq!(name::<(u8, bool)>(), "array<uint8, bool>");
        assert_eq!(name::<Option<i32>>(), "optional<int32>");
        assert_eq!(name::<Option<Mood>>(), "optional<Mood>");
        assert_eq!(name::<Mood>(), "Mood");
        assert_eq!(name::<HashMap<String, f64>>(), "map<double>");
        assert_eq!(
            name::<Vec<BTreeMap<String, Value>>>(),
            "array<map<any_value>>"
        );
        assert_eq!(
            name::<Option<Vec<Option<bool>>>>(),
            "optional<array<optional<bool>>>"
        );
    }
}
