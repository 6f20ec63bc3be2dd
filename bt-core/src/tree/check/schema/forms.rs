//! The kinds of JSON values that a schema takes.

use serde_json::Value;

use crate::describe::catalogue::JsonMap;
use crate::describe::schema::{branches, fixed, target, types};
use crate::tree::check::board::Forms;

/// The number of schemas that are looked at; one that is larger takes anything.
const STEPS: usize = 1_000;

/// The kinds of values that a schema may take; more, where it is not certain.
pub(in crate::tree::check) fn forms(defs: &JsonMap, schema: &Value) -> Forms {
    of(defs, schema, &mut { STEPS }, 0)
}

fn of(defs: &JsonMap, schema: &Value, steps: &mut usize, depth: usize) -> Forms {
    *steps = steps.saturating_sub(1);
    if *steps == 0 || depth > 32 {
        return Forms::ALL;
    }
    let mut all = Forms::ALL;
    if let Some(target) = target(defs, schema) {
        all = all.and(of(defs, target, steps, depth + 1));
    }
    if let Some(values) = fixed(schema) {
        let union = values.iter().map(of_value).fold(Forms::NONE, Forms::or);
        return all.and(union);
    }
    if let Some(branches) = branches(schema) {
        let each = branches.iter().map(|one| of(defs, one, steps, depth + 1));
        all = all.and(each.fold(Forms::NONE, Forms::or));
    }
    if names_variants(schema) {
        return all;
    }
    match types(schema) {
        Some(names) => all.and(names.into_iter().map(of_type).fold(Forms::NONE, Forms::or)),
        None => all,
    }
}

fn of_type(name: &str) -> Forms {
    match name {
        "null" => Forms::NULL,
        "boolean" => Forms::BOOL,
        "integer" | "number" => Forms::NUMBER,
        "string" => Forms::TEXT,
        "array" => Forms::ARRAY,
        "object" => Forms::OBJECT,
        _ => Forms::ALL,
    }
}

/// Of one value that is allowed: the name of a variant may come as the key of an object.
fn of_value(value: &Value) -> Forms {
    match value {
        Value::Null => Forms::NULL,
        Value::Bool(_) => Forms::BOOL,
        Value::Number(_) => Forms::NUMBER,
        Value::String(_) => Forms::TEXT.or(Forms::OBJECT),
        Value::Array(_) => Forms::ARRAY,
        Value::Object(_) => Forms::OBJECT,
    }
}

/// Returns true if it is text that is one of several names: a variant, which may also be an object's key.
pub(super) fn names_variants(schema: &Value) -> bool {
    branches(schema).is_some() && types(schema).is_some_and(|names| names == ["string"])
}
