//! The types that the agents name and behaviac does not have: enums with their values, structs with their
//! members.

use std::collections::BTreeSet;

use bt_core::registry::schema::description;
use bt_core::registry::{schema, type_name as name_of_schema};
use serde_json::Value;

use super::super::xml::Element;
use super::types::{inner, is_plain, type_name};
use crate::catalogue::Catalogue;

/// `types`, with a definition of each type that is named, and that those name; nothing if there is none.
pub(super) fn types(catalogue: &Catalogue, named: &[&str]) -> Option<Element> {
    let mut next: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
    let mut seen = BTreeSet::new();
    let mut defined: Vec<(String, Element)> = Vec::new();
    while let Some(name) = next.pop() {
        let mut is_known = is_plain(&name);
        if let Some((parts, known)) = inner(&name) {
            next.extend(parts);
            is_known = known;
        }
        if is_known || !seen.insert(name.clone()) {
            continue;
        }
        let schema = catalogue.defs.get(&name).unwrap_or(&Value::Null);
        let element = match values(schema) {
            Some(values) => enumeration(&name, schema, &values),
            None => structure(&name, schema, &mut next),
        };
        defined.push((name, element));
    }
    defined.sort_by(|(a, _), (b, _)| a.cmp(b));
    let elements = defined.into_iter().map(|(_, element)| element);
    (!seen.is_empty()).then(|| Element::new("types").holding(elements))
}

/// The values of an enum whose variants have no fields, each with what it is.
fn values(schema: &Value) -> Option<Vec<(&str, &str)>> {
    let of = |schema| {
        let values = schema::fixed(schema)?.iter();
        let about = description(schema);
        let values = values.map(|value| Some((value.as_str()?, about)));
        values.collect::<Option<Vec<_>>>()
    };
    match schema::branches(schema) {
        None => of(schema),
        Some(options) => {
            let each: Option<Vec<_>> = options.iter().map(of).collect();
            Some(each?.concat())
        }
    }
}

fn enumeration(name: &str, schema: &Value, values: &[(&str, &str)]) -> Element {
    let each = values.iter().map(|(value, about)| {
        Element::new("enum")
            .with("NativeValue", value)
            .with("Value", value)
            .with("DisplayName", "")
            .with("Desc", about)
    });
    head("enumtype", name, schema).holding(each)
}

/// A struct, and whatever else has a name: what behaviac cannot say of it is left out.
fn structure(name: &str, schema: &Value, next: &mut Vec<String>) -> Element {
    let members = schema::fields(schema).into_iter().flatten();
    let members = members.map(|(field, of)| {
        let ty = name_of_schema(of);
        let member = Element::new("Member")
            .with("Name", field)
            .with("DisplayName", "")
            .with("Desc", description(of))
            .with("Type", &type_name(&ty))
            .with("Class", name);
        next.push(ty);
        member
    });
    head("struct", name, schema).holding(members)
}

fn head(element: &'static str, name: &str, schema: &Value) -> Element {
    Element::new(element)
        .with("Type", &type_name(name))
        .with("DisplayName", "")
        .with("Desc", description(schema))
}
