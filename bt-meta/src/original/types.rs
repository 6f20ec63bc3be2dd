//! The types of arguments as the original's files spell them. They are shown there and not interpreted, so what is not
//! known here may be anything.

use serde_json::{Value, json};

use crate::catalogue::TypeEntry;

/// The type of an argument.
pub(super) fn entry(spelled: &str) -> TypeEntry {
    let plain = plain(spelled);
    TypeEntry {
        by_ref: spelled.contains('&'),
        schema: schema(&plain),
        optional: plain.starts_with("optional<"),
        type_name: plain,
        ..TypeEntry::default()
    }
}

/// The plain spelling: `const std::string &` is `string`, `int` is `int32`, `std::vector<int>` is `array<int32>`.
pub(super) fn plain(spelled: &str) -> String {
    let spelled = spelled.replace("std::", "").replace('&', "");
    let words = spelled.split_whitespace().filter(|word| *word != "const");
    let spelled = words.collect::<Vec<_>>().join(" ");
    if let Some((outer, inner)) = spelled
        .strip_suffix('>')
        .and_then(|text| text.split_once('<'))
    {
        let outer = match outer.trim() {
            "vector" => "array",
            other => other,
        };
        return format!("{outer}<{}>", plain(inner));
    }
    match spelled.as_str() {
        "int" => "int32".to_owned(),
        "unsigned" | "unsigned int" => "uint32".to_owned(),
        "" | "json" | "any" => "any_value".to_owned(),
        other => other.strip_suffix("_t").unwrap_or(other).to_owned(),
    }
}

/// The part inside of `outer<…>`.
pub(super) fn inside<'t>(plain: &'t str, outer: &str) -> Option<&'t str> {
    plain
        .strip_prefix(outer)?
        .strip_prefix('<')?
        .strip_suffix('>')
}

fn schema(plain: &str) -> Value {
    if let Some(items) = inside(plain, "array") {
        return json!({"type": "array", "items": schema(items)});
    }
    if let Some(some) = inside(plain, "optional") {
        return json!({"anyOf": [schema(some), {"type": "null"}]});
    }
    if let Some(values) = inside(plain, "map") {
        return json!({"type": "object", "additionalProperties": schema(values)});
    }
    match plain {
        "bool" => json!({"type": "boolean"}),
        "string" => json!({"type": "string"}),
        "float" | "double" => json!({"type": "number", "format": plain}),
        "uint8" | "uint16" | "uint32" | "uint64" => {
            json!({"type": "integer", "format": plain, "minimum": 0})
        }
        "int8" | "int16" | "int32" | "int64" => json!({"type": "integer", "format": plain}),
        _ => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_of_cpp_becomes_the_plain_one() {
        for (spelled, expected) in [
            ("const std::string &", "string"),
            ("string", "string"),
            ("int", "int32"),
            ("std::uint32_t", "uint32"),
            ("std::vector<int>", "array<int32>"),
            ("const std::vector<std::string>&", "array<string>"),
            ("optional<map<any_value>>", "optional<map<any_value>>"),
            ("Stance", "Stance"),
        ] {
            assert_eq!(plain(spelled), expected);
        }
        assert!(entry("const std::string &").by_ref);
        assert_eq!(entry("Stance").schema, json!({}));
        assert_eq!(entry("uint32").schema["minimum"], 0);
    }
}
