//! The keywords of JSON Schemas, as schemas of Rust types write them.

use serde_json::{Map, Value};

use super::catalogue::JsonMap;

/// The keyword below which stands what the type's decoder said: all `names` of variants or fields, aliases
/// among them, and flags of what it decides beyond the schema.
pub const DECODER: &str = "x-decoder";

/// All names of fields or variants, aliases among them, where the decoder was asked for them.
pub fn names(schema: &Value) -> Option<Vec<&str>> {
    let names = schema.get(DECODER)?.get("names")?.as_array()?;
    Some(names.iter().filter_map(Value::as_str).collect())
}

/// Returns true if the decoder was asked, and said that this is so.
pub fn knows(schema: &Value, what: &str) -> bool {
    let known = schema.get(DECODER).and_then(|known| known.get(what));
    known == Some(&Value::Bool(true))
}

/// The name in `$defs` of what a schema refers to, as it is spelt in the reference.
pub fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// The target of a schema's reference; none if it has none, or the target is not there.
pub fn target<'s>(defs: &'s JsonMap, schema: &Value) -> Option<&'s Value> {
    let name = reference(schema)?;
    let unescaped = || defs.get(&*name.replace("~1", "/").replace("~0", "~"));
    defs.get(name).or_else(unescaped)
}

/// The values of an `enum`, or the one of a `const`.
pub fn fixed(schema: &Value) -> Option<&[Value]> {
    match schema.get("enum") {
        Some(Value::Array(values)) => Some(values),
        _ => schema.get("const").map(std::slice::from_ref),
    }
}

/// The one value that is not taken, as of a number that must not be zero.
pub fn excluded(schema: &Value) -> Option<&Value> {
    schema.pointer("/not/const")
}

/// The schemas of which one is to hold.
pub fn branches(schema: &Value) -> Option<&Vec<Value>> {
    let branches = schema.get("oneOf").or_else(|| schema.get("anyOf"))?;
    branches.as_array()
}

/// The field that says in all branches which variant it is.
pub fn tag(schema: &Value) -> Option<&str> {
    let branches = schema.get("oneOf")?.as_array()?;
    let fields = branches.first()?.get("properties")?.as_object()?;
    let is_tag = |name: &&String| {
        branches.iter().all(|branch| {
            let tag = &branch["properties"][name.as_str()]["const"];
            tag.is_string()
        })
    };
    fields.keys().find(is_tag).map(String::as_str)
}

/// The JSON types, of which a value has one; none where the schema does not say them.
pub fn types(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// Returns true if it takes `null` and nothing else.
pub fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|name| name == "null")
}

/// The fields of an object.
pub fn fields(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

/// The fields that must be there.
pub fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let required = schema.get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str)
}
