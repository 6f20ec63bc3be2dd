//! The list of a call's arguments: read, and those that say their names brought into their places.

use serde_json::Value;

use crate::call::Source;
use crate::call::places::{Misplaced, places};
use crate::describe::catalogue::{MethodEntry, ValueEntry};
use crate::kinds::call::{Argument, Arguments};

/// An argument in its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) source: Source,
    /// The position in the list; none for a default.
    pub(super) from: Option<usize>,
}

/// The sources of a call's arguments, in the method's order: those with an `arg_name` in their places, the
/// default where one is omitted before another. Omitted ones at the end are omitted here too. Without a
/// method, for the fallback.
///
/// None of a list that [`check`](super::check()) refuses.
pub fn sources(method: Option<&MethodEntry>, list: &Arguments<'_>) -> Option<Vec<Source>> {
    let list = list.all()?;
    let (placed, misplaced) = match method {
        Some(method) => arranged(&method.args, list),
        None => for_fallback(list),
    };
    if !misplaced.is_empty() {
        return None;
    }
    let sources = placed.into_iter().map(|placed| Some(placed?.source));
    sources.collect()
}

/// Brings the arguments of a method into its order; places that cannot be filled are empty, and
/// among what is wrong.
pub(super) fn arranged(
    args: &[ValueEntry],
    list: &[Argument<'_>],
) -> (Vec<Option<Placed>>, Vec<Misplaced>) {
    let (found, mut misplaced) = places(list.iter().map(Argument::name), |name| place(args, name));
    let placed = found.into_iter().enumerate().map(|(at, from)| {
        let placed = match from {
            Some(from) => Some(Placed {
                source: list[from].source(),
                from: Some(from),
            }),
            None => args.get(at).and_then(left_out),
        };
        if placed.is_none() {
            misplaced.push(Misplaced::Missing(at));
        }
        placed
    });
    (placed.collect(), misplaced)
}

/// The position of the argument of that name, else of the one that once had it.
fn place(args: &[ValueEntry], name: &str) -> Option<usize> {
    let by_name = args.iter().position(|arg| arg.name == name);
    by_name.or_else(|| {
        let is_alias = |arg: &ValueEntry| arg.alias.iter().any(|alias| alias == name);
        args.iter().position(is_alias)
    })
}

/// The stand-in for an omitted argument, if it may be omitted.
fn left_out(arg: &ValueEntry) -> Option<Placed> {
    let value = match &arg.ty.default {
        Some(default) => default.clone(),
        None if arg.ty.optional => Value::Null,
        None => return None,
    };
    Some(Placed {
        source: Source::Literal(value),
        from: None,
    })
}

/// The arguments of a call that a fallback answers: it knows no names, so named values become one
/// object, as in a call from outside.
pub(super) fn for_fallback(list: &[Argument<'_>]) -> (Vec<Option<Placed>>, Vec<Misplaced>) {
    if list.iter().all(|argument| argument.name.is_none()) {
        let placed = list.iter().enumerate().map(|(from, argument)| {
            Some(Placed {
                source: argument.source(),
                from: Some(from),
            })
        });
        return (placed.collect(), Vec::new());
    }
    let mut object = serde_json::Map::new();
    let mut misplaced = Vec::new();
    for (from, argument) in list.iter().enumerate() {
        match (argument.name(), argument.plain()) {
            (None, _) => misplaced.push(Misplaced::Unnamed(from)),
            (Some(name), _) if object.contains_key(name) => misplaced.push(Misplaced::Twice(from)),
            (Some(name), Some(value)) => {
                object.insert(name.to_owned(), value.clone());
            }
            (Some(_), None) => misplaced.push(Misplaced::NoNames(from)),
        }
    }
    let source = Source::Literal(object.into());
    (vec![Some(Placed { source, from: None })], misplaced)
}
