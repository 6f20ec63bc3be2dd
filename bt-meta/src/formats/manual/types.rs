//! The named types of arguments and properties: the variants of enums, the fields of structs.

use bt_core::registry::schema::{branches, description, fields as fields_of, listed};
use serde_json::Value;

use super::comment::{as_markdown, code};
use super::links::Marks;
use super::parts::{Level, Part, Table};
use super::schema_words::{fields, words};
use crate::catalogue::Catalogue;

/// None where there is no named type.
pub(super) fn chapter(catalogue: &Catalogue, marks: &Marks) -> Option<Part> {
    let types = catalogue.defs.iter();
    let types = types.filter(|(name, _)| !name.starts_with("node."));
    let parts: Vec<Part> = types
        .map(|(name, schema)| definition(name, name, schema, marks))
        .collect();
    (!parts.is_empty()).then(|| Part {
        id: "types".to_owned(),
        level: Level::Chapter,
        title: "Types".to_owned(),
        name: "Types".to_owned(),
        text: "What arguments, parameters and properties are made of.".to_owned(),
        parts,
        ..Part::default()
    })
}

/// A definition under the name that people see.
pub(super) fn definition(name: &str, shown: &str, schema: &Value, marks: &Marks) -> Part {
    let (table, facts) = match variants(schema, marks) {
        Some(table) => (table, Vec::new()),
        None if fields_of(schema).is_some() => (fields(schema, marks), Vec::new()),
        None => (Table::default(), vec![("Is", words(schema, marks))]),
    };
    Part {
        id: marks.types.get(name).cloned().unwrap_or_default(),
        level: Level::Item,
        title: code(shown),
        name: shown.to_owned(),
        text: as_markdown(description(schema)),
        table,
        facts,
        parts: Vec::new(),
    }
}

/// A row for each value of an enum; a variant with fields is an object of one key.
fn variants(schema: &Value, marks: &Marks) -> Option<Table> {
    let rows: Vec<Vec<String>> = match listed(schema) {
        Some(values) => {
            let values = values.iter();
            let rows = values.map(|value| vec![code(&value.to_string()), String::new()]);
            rows.collect()
        }
        None => {
            let options = branches(schema)?.iter();
            options.flat_map(|option| variant(option, marks)).collect()
        }
    };
    Some(Table {
        head: &["Value", "What it is"],
        rows,
    })
}

fn variant(schema: &Value, marks: &Marks) -> Vec<Vec<String>> {
    let about = as_markdown(description(schema));
    if let Some(values) = listed(schema) {
        let values = values.iter();
        let rows = values.map(|value| vec![code(&value.to_string()), about.clone()]);
        return rows.collect();
    }
    let value = match fields_of(schema) {
        Some(keys) if !keys.is_empty() => {
            let keys = keys.iter();
            let keys = keys.map(|(key, of)| format!("{} with {}", code(key), words(of, marks)));
            keys.collect::<Vec<_>>().join(", ")
        }
        _ => words(schema, marks),
    };
    vec![vec![value, about]]
}
