//! The arguments of a call: a definition for each method, which all agents that have it share.

use std::collections::BTreeMap;

use bt_core::kinds::call::{Argument, ArgumentType};
use bt_core::registry::schema::{Format, branches, fields, fixed, format, least, required, types};
use serde_json::{Value, json};

use super::super::members::Member;
use super::defs::Defs;
use crate::catalogue::{MethodEntry, TypeEntry, ValueEntry};

/// The arguments of the methods so far, by who defines the method and its name.
#[derive(Debug, Default)]
pub(super) struct Args<'a>(BTreeMap<(&'a str, &'a str), Value>);

impl<'a> Args<'a> {
    /// References to those of a method; `key` is the name in files of the agent that defines it.
    pub(super) fn of(
        &mut self,
        method: &Member<'a, MethodEntry>,
        key: &str,
        defs: &mut Defs,
    ) -> Value {
        let (from, entry) = (method.from, method.entry);
        let known = self.0.entry((&from.full_name, &entry.item.name));
        let made = known.or_insert_with(|| {
            let name = format!("{key}.{}", entry.item.name);
            let each = entry.args.iter().map(|arg| {
                let schema = argument(arg);
                defs.add(&format!("argument.{name}.{}", arg.name), schema)
            });
            let each: Vec<Value> = each.collect();
            let mut list = list(entry, &each);
            if !each.is_empty() {
                list["defaultSnippets"] = json!([snippet(entry, defs)]);
            }
            defs.add(&format!("arguments.{name}"), list)
        });
        made.clone()
    }
}

/// The least number of arguments, if none is given by name.
pub(super) fn fewest(method: &MethodEntry) -> usize {
    let last = method.args.iter().rposition(is_required);
    last.map_or(0, |at| at + 1)
}

fn is_required(arg: &ValueEntry) -> bool {
    !arg.ty.optional || arg.ty.in_out.is_some()
}

/// By their places, and from the first that says its name on, by their names.
fn list(method: &MethodEntry, each: &[Value]) -> Value {
    let args = &method.args;
    let mut schema = json!({"description": signature(method), "maxItems": args.len()});
    if args.is_empty() {
        return schema;
    }
    let placed = each.iter().zip(args).map(|(schema, arg)| {
        json!({
            "description": words(arg),
            "if": {"not": {"required": ["arg_name"]}},
            "then": schema,
        })
    });
    let by_name = each.iter().zip(args).map(|(schema, arg)| {
        let names: Vec<&str> = names(arg).collect();
        json!({
            "if": {"properties": {"arg_name": {"enum": names}}, "required": ["arg_name"]},
            "then": schema,
        })
    });
    let all: Vec<&str> = args.iter().flat_map(names).collect();
    schema["prefixItems"] = placed.collect();
    schema["if"] = json!({"contains": {"required": ["arg_name"]}});
    schema["then"] = json!({
        "minItems": args.iter().filter(|arg| is_required(arg)).count(),
        "items": {
            "properties": {"arg_name": {"enum": all}},
            "allOf": by_name.collect::<Vec<_>>(),
        },
    });
    schema["else"] = json!({"minItems": fewest(method)});
    schema
}

/// All arguments to be filled in: a keyword of VS Code, which offers it.
fn snippet(method: &MethodEntry, defs: &Defs) -> Value {
    let each = (1..).zip(&method.args).map(|(nth, arg)| {
        let (ty, value) = match arg.ty.in_out {
            Some(_) => (ArgumentType::Blackboard, json!(arg.name)),
            None => (ArgumentType::Plain, likely(arg, defs)),
        };
        // What begins with `^` is written without quotes.
        let body = match &value {
            Value::String(text) => {
                format!("${{{nth}:{}}}", text.replace(['$', '}', '\\'], ""))
            }
            other => {
                let text = other.to_string().replace('\\', r"\\");
                let text = text.replace('$', r"\$").replace('}', r"\}");
                format!("^${{{nth}:{text}}}")
            }
        };
        Argument::write(ty, body.into(), None)
    });
    let body: Vec<Value> = each.collect();
    json!({"label": signature(method), "body": body})
}

/// A value to begin with.
fn likely(arg: &ValueEntry, defs: &Defs) -> Value {
    let ty = &arg.ty;
    let mut chosen = ty.default.iter().chain(ty.choices.iter().flatten());
    if let Some(value) = chosen.next().or(ty.min.as_ref()) {
        return value.clone();
    }
    match simple(&ty.schema, defs, 0) {
        Value::String(text) if text.is_empty() => json!(arg.name),
        other => other,
    }
}

/// A simple value of a schema.
fn simple(schema: &Value, defs: &Defs, depth: usize) -> Value {
    // What is deeper has itself inside.
    if depth > 8 {
        return Value::Null;
    }
    if let Some(target) = defs.target(schema) {
        return simple(target, defs, depth + 1);
    }
    if let Some(value) = fixed(schema).and_then(<[Value]>::first) {
        return value.clone();
    }
    if let Some(branch) = branches(schema).and_then(|branches| branches.first()) {
        return simple(branch, defs, depth + 1);
    }
    match types(schema).and_then(|types| types.first().copied()) {
        Some("string") => json!(""),
        Some("integer" | "number") => least(schema).cloned().unwrap_or(json!(0)),
        Some("boolean") => json!(false),
        Some("array") => json!([]),
        Some("object") => {
            let needed = required(schema).map(|name| {
                let field = fields(schema).and_then(|fields| fields.get(name));
                let field = simple(field.unwrap_or(&Value::Null), defs, depth + 1);
                (name.to_owned(), field)
            });
            Value::Object(needed.collect())
        }
        _ => Value::Null,
    }
}

fn names(arg: &ValueEntry) -> impl Iterator<Item = &str> {
    std::iter::once(&arg.name)
        .chain(&arg.alias)
        .map(String::as_str)
}

/// An `{arg_type, arg_value}`. What a key or a property holds is known when the tree runs.
fn argument(arg: &ValueEntry) -> Value {
    let mut schema = match arg.ty.in_out {
        Some(_) => {
            let why = "the call writes to it, so it is a blackboard key";
            let ty = ArgumentType::Blackboard.word();
            json!({"properties": {"arg_type": {"const": ty, "description": why}}})
        }
        None => when_argument(ArgumentType::Plain, &value(&arg.ty)),
    };
    schema["description"] = json!(words(arg));
    if let Some(title) = &arg.display {
        schema["title"] = json!(title);
    }
    if arg.deprecated {
        schema["deprecated"] = json!(true);
    }
    schema
}

/// A schema of the values of arguments that come from somewhere.
pub(super) fn when_argument(ty: ArgumentType, value: &Value) -> Value {
    json!({
        "if": {"properties": {"arg_type": {"const": ty.word()}}, "required": ["arg_type"]},
        "then": {"properties": {"arg_value": value}},
    })
}

/// The argument's own schema, with what a reader of it asks for besides.
fn value(ty: &TypeEntry) -> Value {
    let mut schema = ty.schema.clone();
    let Some(Format::Integer { signed, bits: 32 }) = format(&schema) else {
        return schema;
    };
    let (min, max) = match signed {
        true => (i64::from(i32::MIN), i64::from(i32::MAX)),
        false => (0, i64::from(u32::MAX)),
    };
    if let Some(object) = schema.as_object_mut() {
        object.entry("minimum").or_insert_with(|| min.into());
        object.entry("maximum").or_insert_with(|| max.into());
    }
    schema
}

/// `chase(target: uint64, range: double = 1.2)`
fn signature(method: &MethodEntry) -> String {
    let each = method.args.iter().map(|arg| {
        let default = arg.ty.default.as_ref();
        let default = default.map_or_else(String::new, |value| format!(" = {value}"));
        format!("{}: {}{default}", arg.name, arg.ty.type_name)
    });
    let each: Vec<String> = each.collect();
    format!("{}({})", method.item.name, each.join(", "))
}

/// `range: double, in m. Stop this close.`
fn words(arg: &ValueEntry) -> String {
    let unit = arg.ty.unit.as_ref();
    let unit = unit.map_or_else(String::new, |unit| format!(", in {unit}"));
    let comment = match arg.comment.as_str() {
        "" => String::new(),
        comment => format!(". {comment}"),
    };
    format!("{}: {}{unit}{comment}", arg.name, arg.ty.type_name)
}
