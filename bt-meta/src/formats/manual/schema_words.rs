//! A JSON Schema as people say it: for fields of types, and for what nodes take.

use bt_core::registry::schema;
use serde_json::Value;

use super::comment::{as_markdown, code, link};
use super::links::Marks;
use super::parts::Table;

/// A table of an object's keys.
pub(super) fn fields(schema: &Value, marks: &Marks) -> Table {
    let required: Vec<&str> = schema::required(schema).collect();
    let properties = schema::fields(schema);
    let mut rows = Vec::new();
    let mut names: Vec<(&String, &Value)> = properties.into_iter().flatten().collect();
    names.sort_by_key(|(name, _)| *name);
    for (name, field) in names {
        let needed = match required.contains(&name.as_str()) {
            true => "yes",
            false => "",
        };
        rows.push(vec![
            code(name),
            words(field, marks),
            needed.to_owned(),
            as_markdown(schema::description(field)),
        ]);
    }
    Table {
        head: &["Name", "Type", "Required", "What it is"],
        rows,
    }
}

/// The words for a value.
pub(super) fn words(schema: &Value, marks: &Marks) -> String {
    if let Some(name) = schema::reference(schema) {
        let shown = name.strip_prefix("node.").unwrap_or(&name);
        return link(shown, marks.types.get(&*name));
    }
    let one_of = |values: &[Value]| {
        let values = values.iter().map(|value| code(&value.to_string()));
        values.collect::<Vec<_>>().join(" or ")
    };
    if let Some(values) = schema::fixed(schema) {
        return one_of(values);
    }
    if let Some(options) = schema::branches(schema) {
        let options = options.iter().map(|option| words(option, marks));
        return options.collect::<Vec<_>>().join(" or ");
    }
    let types = schema::types(schema).unwrap_or_default();
    let each = types.iter().map(|name| of_type(name, schema, marks));
    let each: Vec<String> = each.collect();
    match each.is_empty() {
        true => "anything".to_owned(),
        false => each.join(" or "),
    }
}

fn of_type(name: &str, schema: &Value, marks: &Marks) -> String {
    let inner = |key: &str| {
        let inner = schema.get(key).filter(|inner| inner.is_object());
        inner.map(|inner| words(inner, marks))
    };
    let bounds = [
        ("minimum", "at least"),
        ("exclusiveMinimum", "more than"),
        ("maximum", "at most"),
    ];
    let bounds = bounds.into_iter().filter_map(|(key, says)| {
        let bound = schema.get(key)?;
        Some(format!(", {says} {bound}"))
    });
    let bounds: String = bounds.collect();
    match name {
        "string" => "text".to_owned(),
        "boolean" => "`true` or `false`".to_owned(),
        "integer" => format!("whole number{bounds}"),
        "number" => format!("number{bounds}"),
        "null" => "nothing".to_owned(),
        "array" => match inner("items") {
            Some(inner) => format!("list of {inner}"),
            None => "list".to_owned(),
        },
        "object" => match inner("additionalProperties") {
            Some(inner) => format!("object of {inner}"),
            None => "object".to_owned(),
        },
        other => code(other),
    }
}
