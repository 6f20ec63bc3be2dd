//! The list of a call's arguments: read, and those that say their names brought into their places.

use serde_json::Value;

use crate::call::Source;
use crate::registry::catalogue::{MethodEntry, ValueEntry};

/// An argument as a tree has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Given<'t> {
    /// Which argument it is, if its place does not say it.
    pub(super) name: Option<&'t str>,
    pub(super) source: Source,
}

/// The arguments of a list, or of none; none if the list is not one of arguments.
pub(super) fn given(list: Option<&Value>) -> Option<Vec<Given<'_>>> {
    let list = match list {
        None => return Some(Vec::new()),
        Some(list) => list.as_array()?,
    };
    list.iter().map(read).collect()
}

fn read(item: &Value) -> Option<Given<'_>> {
    let name = match item.get("arg_name") {
        None => None,
        Some(name) => Some(name.as_str()?),
    };
    Some(Given {
        name,
        source: source(item)?,
    })
}

/// Where the value of an `{arg_type, arg_value}` comes from.
pub fn source(item: &Value) -> Option<Source> {
    let value = item.get("arg_value")?;
    let name = || value.as_str().filter(|name| !name.is_empty());
    match item.get("arg_type")?.as_str()? {
        "plain" => Some(Source::Literal(value.clone())),
        "blackboard" => Some(Source::key(name()?)),
        "property" => Some(Source::property(name()?)),
        _ => None,
    }
}

/// An argument in its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) source: Source,
    /// Which of the list it was; none of a default.
    pub(super) from: Option<usize>,
}

/// Why an argument has no place. Numbers are places in the list that was given, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misplaced {
    /// Its name is none of the method's.
    Unknown(usize),
    /// An earlier one is for the same argument.
    Twice(usize),
    /// It has no name, and one before it has.
    Unnamed(usize),
    /// It is named, and nobody knows the names: a fallback answers.
    NoNames(usize),
    /// Nothing is given for this argument of the method, which one that is given comes after.
    Missing(usize),
}

/// Where the arguments of a call come from, in the method's order: those with an `arg_name` in their
/// places, the default where one is left out before another. What is left out at the end is left out
/// here too. Without a method, for the fallback.
///
/// None of a list that [`check`](super::check()) refuses.
pub fn sources(method: Option<&MethodEntry>, list: Option<&Value>) -> Option<Vec<Source>> {
    let given = given(list)?;
    let (placed, misplaced) = match method {
        Some(method) => arranged(&method.args, given),
        None => for_fallback(given),
    };
    let placed: Option<Vec<_>> = placed.into_iter().collect();
    let placed = placed.filter(|_| misplaced.is_empty())?;
    Some(placed.into_iter().map(|placed| placed.source).collect())
}

/// Brings the arguments of a method into its order; places that cannot be filled are empty, and
/// among what is wrong.
pub(super) fn arranged(
    args: &[ValueEntry],
    given: Vec<Given<'_>>,
) -> (Vec<Option<Placed>>, Vec<Misplaced>) {
    let mut places: Vec<Option<Placed>> = Vec::new();
    let mut misplaced = Vec::new();
    let mut named = false;
    for (from, Given { name, source }) in given.into_iter().enumerate() {
        named |= name.is_some();
        let at = match name {
            None if named => Err(Misplaced::Unnamed(from)),
            None => Ok(from),
            Some(name) => place(args, name).ok_or(Misplaced::Unknown(from)),
        };
        match at {
            Ok(at) if places.get(at).is_some_and(Option::is_some) => {
                misplaced.push(Misplaced::Twice(from));
            }
            Ok(at) => {
                places.resize_with(places.len().max(at + 1), || None);
                let from = Some(from);
                places[at] = Some(Placed { source, from });
            }
            Err(why) => misplaced.push(why),
        }
    }
    for (at, place) in places.iter_mut().enumerate() {
        if place.is_none() {
            *place = args.get(at).and_then(left_out);
            if place.is_none() {
                misplaced.push(Misplaced::Missing(at));
            }
        }
    }
    (places, misplaced)
}

/// Which argument has a name: the one of that name, else the one that once had it.
fn place(args: &[ValueEntry], name: &str) -> Option<usize> {
    let by_name = args.iter().position(|arg| arg.name == name);
    by_name.or_else(|| {
        let is_alias = |arg: &ValueEntry| arg.alias.iter().any(|alias| alias == name);
        args.iter().position(is_alias)
    })
}

/// What stands for an argument that is left out, if it may be.
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
pub(super) fn for_fallback(given: Vec<Given<'_>>) -> (Vec<Option<Placed>>, Vec<Misplaced>) {
    if given.iter().all(|given| given.name.is_none()) {
        let placed = given.into_iter().enumerate().map(|(from, given)| {
            let from = Some(from);
            Some(Placed {
                source: given.source,
                from,
            })
        });
        return (placed.collect(), Vec::new());
    }
    let mut object = serde_json::Map::new();
    let mut misplaced = Vec::new();
    for (from, Given { name, source }) in given.into_iter().enumerate() {
        match (name, source) {
            (None, _) => misplaced.push(Misplaced::Unnamed(from)),
            (Some(name), _) if object.contains_key(name) => misplaced.push(Misplaced::Twice(from)),
            (Some(name), Source::Literal(value)) => {
                object.insert(name.to_owned(), value);
            }
            (Some(_), _) => misplaced.push(Misplaced::NoNames(from)),
        }
    }
    let source = Source::Literal(object.into());
    (vec![Some(Placed { source, from: None })], misplaced)
}
