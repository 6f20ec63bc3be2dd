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

use super::{Arguments, Taken};
use crate::call::{Source, check_type, surplus};
#[cfg(feature = "dynamic")]
use crate::decode::DecodeError;
use crate::describe::catalogue::{JsonMap, MethodEntry, ValueEntry};
use crate::error::{ArgumentError, Flaw};
use crate::registry::decoders::Refused;

/// The faults of a method's arguments.
///
/// `takes` is what the decoder says of a literal, where it can be asked.
pub(super) fn arguments(
    defs: &JsonMap,
    method: &MethodEntry,
    sources: &[Source],
    takes: &dyn Fn(usize, &Value) -> Taken,
) -> Arguments {
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
            Some(Source::Literal(value)) => match takes(at, value) {
                Some(Ok(())) => {}
                Some(Err(Refused(flaw))) => found.wrong.push(error(arg, flaw, Some(value))),
                None => literal(defs, arg, value, &mut found),
            },
            Some(Source::Key(_) | Source::Property(_) | Source::Expression(_)) => {}
        }
    }
    if sources.len() > method.args.len() {
        let names = method.args.iter().map(|arg| arg.name.as_str());
        found.wrong.push(surplus(names, sources.len()));
    }
    found
}

/// The faults of a value for what takes it.
pub(super) fn value(defs: &JsonMap, taken: &ValueEntry, value: &Value) -> Arguments {
    let mut found = Arguments::default();
    literal(defs, taken, value, &mut found);
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
        Source::Property(_) | Source::Expression(_) => Some(error(arg, Flaw::NeedsKey, None)),
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

/// Returns an error for a value that is certainly not what a schema's type decodes.
///
/// # Errors
/// What is wrong with it.
#[cfg(feature = "dynamic")]
pub(crate) fn decodes(defs: &JsonMap, schema: &Value, value: &Value) -> Result<(), DecodeError> {
    match Judge::of(defs).judge(schema, value) {
        Verdict::Fits | Verdict::Doubtful(_) => Ok(()),
        Verdict::Wrong(why) => Err(why),
    }
}

/// Returns true if a value certainly fits a schema, as its type decodes it.
#[doc(hidden)]
pub fn takes(defs: &JsonMap, schema: &Value, value: &Value) -> bool {
    matches!(Judge::of(defs).judge(schema, value), Verdict::Fits)
}

/// Returns whether a schema takes a kind of values, such as `null` or text, that another one does not.
#[doc(hidden)]
pub fn loses_forms(
    (old_defs, old): (&JsonMap, &Value),
    (new_defs, new): (&JsonMap, &Value),
) -> bool {
    let was = forms(old_defs, old);
    was.and(forms(new_defs, new)) != was
}

/// Returns whether a kind of values of the old schema may go where one is taken, and none of the new one's
/// does.
#[doc(hidden)]
pub fn loses_taker(
    (old_defs, old): (&JsonMap, &Value),
    (new_defs, new): (&JsonMap, &Value),
    taker: &Value,
) -> bool {
    let taken = forms(old_defs, taker);
    !taken.exclude(forms(old_defs, old)) && taken.exclude(forms(new_defs, new))
}

#[cfg(test)]
mod tests;
