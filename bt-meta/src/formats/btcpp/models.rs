//! `TreeNodesModel`: what Groot2 offers, and which ports read and write.

use serde_json::Value;

use super::super::xml::Element;
use super::calls::{id, port, tag};
use super::fault::Fault;
use crate::catalogue::{InOut, MethodEntry, ValueEntry};

/// The model of a method.
pub(super) fn model(method: &MethodEntry) -> Result<Element, Fault> {
    let ports: Result<Vec<Element>, Fault> = method.args.iter().map(port_of).collect();
    Ok(Element::new(tag(method.kind))
        .with("ID", id(&method.item.name)?)
        .holding(ports?))
}

fn port_of(value: &ValueEntry) -> Result<Element, Fault> {
    let direction = match value.ty.in_out {
        None => "input_port",
        Some(InOut::Out) => "output_port",
        Some(InOut::InOut) => "inout_port",
    };
    let mut element = Element::new(direction).with("name", port(&value.name)?);
    if let Some(name) = type_name(&value.ty.type_name) {
        element = element.with("type", name);
    }
    let default = match &value.ty.default {
        Some(Value::String(text)) if !text.starts_with('{') => Some(text.clone()),
        Some(value @ (Value::Bool(_) | Value::Number(_))) => Some(value.to_string()),
        Some(Value::String(_) | Value::Null | Value::Array(_) | Value::Object(_)) | None => None,
    };
    if let Some(default) = default {
        element = element.with("default", &default);
    }
    Ok(match value.comment.is_empty() {
        true => element,
        false => element.saying(&value.comment),
    })
}

/// The C++ type of ours; none where any value is taken, and for types of a user.
fn type_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "bool" => "bool",
        "int8" => "int8_t",
        "int16" => "int16_t",
        "int32" => "int",
        "int64" => "int64_t",
        "uint8" => "uint8_t",
        "uint16" => "uint16_t",
        "uint32" => "unsigned int",
        "uint64" => "uint64_t",
        "float" => "float",
        "double" => "double",
        "string" => "std::string",
        _ => return None,
    })
}
