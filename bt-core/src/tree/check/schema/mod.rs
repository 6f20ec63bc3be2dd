//! Arguments against their JSON Schemas, taken as they are decoded: what a type takes is never
//! refused here.
//!
//! Numbers are what they are, however they are spelt; an object may come as an array of pairs. A
//! keyword that is not known, or that decoding does not look at, says nothing. What a schema does
//! not tell, such as the aliases of a variant or of a field, makes a value doubtful and not wrong.

mod entries;
mod forms;
mod verdict;

use serde_json::Value;

pub(super) use forms::forms;
use verdict::{Judge, Verdict};

use super::Arguments;
use crate::call::{ArgumentError, Flaw, Source, check_type, surplus};
use crate::registry::catalogue::{JsonMap, MethodEntry, ValueEntry};

/// What is wrong with the arguments of a method.
pub(super) fn arguments(defs: &JsonMap, method: &MethodEntry, sources: &[Source]) -> Arguments {
    let mut found = Arguments::default();
    let mut written: Vec<&str> = Vec::new();
    for (at, arg) in method.args.iter().enumerate() {
        let source = sources.get(at);
        match source {
            None if arg.ty.optional && arg.ty.in_out.is_none() => {}
            None => found.wrong.push(error(arg, Flaw::Missing, None)),
            Some(source) if arg.ty.in_out.is_some() => {
                found.wrong.extend(unwritable(arg, source, &mut written));
            }
            Some(Source::Literal(value)) => literal(defs, arg, value, &mut found),
            Some(Source::Key(_) | Source::Property(_)) => {}
        }
    }
    if sources.len() > method.args.len() {
        let names = method.args.iter().map(|arg| arg.name.as_str());
        found.wrong.push(surplus(names, sources.len()));
    }
    found
}

fn error(arg: &ValueEntry, flaw: Flaw, found: Option<&Value>) -> ArgumentError {
    let error = ArgumentError::new(&*arg.name, flaw);
    match found {
        Some(found) => error.with_found(found),
        None => error,
    }
}

/// An argument that is written back takes a key, and no two of them the same.
fn unwritable<'s>(
    arg: &ValueEntry,
    source: &'s Source,
    written: &mut Vec<&'s str>,
) -> Option<ArgumentError> {
    match source {
        Source::Key(key) if written.contains(&key.as_str()) => {
            Some(error(arg, Flaw::SharesKey, None))
        }
        Source::Key(key) => {
            written.push(key);
            None
        }
        Source::Literal(value) => Some(error(arg, Flaw::NeedsKey, Some(value))),
        Source::Property(_) => Some(error(arg, Flaw::NeedsKey, None)),
    }
}

fn literal(defs: &JsonMap, arg: &ValueEntry, value: &Value, found: &mut Arguments) {
    if let Err(flaw) = check_type(&arg.ty, value) {
        found.wrong.push(error(arg, flaw, Some(value)));
        return;
    }
    match Judge::of(defs).judge(&arg.ty.schema, value) {
        Verdict::Fits => {}
        Verdict::Doubtful(why) => {
            found
                .doubtful
                .push(error(arg, Flaw::Decode(why), Some(value)));
        }
        Verdict::Wrong(why) => found.wrong.push(error(arg, Flaw::Decode(why), Some(value))),
    }
}

/// What a schema refers to; none if it refers to nothing, or to what is not there.
fn target<'s>(defs: &'s JsonMap, schema: &Value) -> Option<&'s Value> {
    let name = schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
    match defs.get(name) {
        Some(target) => Some(target),
        None => defs.get(&*name.replace("~1", "/").replace("~0", "~")),
    }
}

/// The values of an `enum`, or the one of a `const`.
fn fixed(schema: &Value) -> Option<&[Value]> {
    match schema.get("enum") {
        Some(Value::Array(values)) => Some(values),
        _ => schema.get("const").map(std::slice::from_ref),
    }
}

/// The schemas of which one is to hold.
fn branches(schema: &Value) -> Option<&Vec<Value>> {
    let branches = schema.get("oneOf").or_else(|| schema.get("anyOf"))?;
    branches.as_array()
}

/// Whether it is text that is one of several names: a variant, which may also be an object's key.
fn names_variants(schema: &Value) -> bool {
    branches(schema).is_some() && schema.get("type").is_some_and(|name| name == "string")
}

#[cfg(test)]
mod tests;
