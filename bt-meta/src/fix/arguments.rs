//! The arguments of a call in the order of the method's parameters, those that are left out among them.

use bt_core::kinds::call::{Argument, ArgumentType};
use bt_core::tree::asset::Item;
use serde_json::Value;

use crate::catalogue::{MethodEntry, ValueEntry};
use crate::error::quoted;

/// The items of a list of arguments as they should be, and what is changed; none if nothing is, or if the
/// list is not right, which validating reports.
pub(super) fn arranged(
    method: &MethodEntry,
    given: &[Argument<'_>],
    order: bool,
    defaults: bool,
) -> Option<(Vec<Item>, String)> {
    let mut places: Vec<Option<usize>> = vec![None; method.args.len()];
    for (from, item) in given.iter().enumerate() {
        let at = match item.name() {
            None => from,
            Some(name) => place(&method.args, name)?,
        };
        let place = places.get_mut(at)?;
        if place.replace(from).is_some() {
            return None;
        }
    }
    // Who gives none leaves all of them to the method, whichever it has.
    let defaults = defaults && !given.is_empty();
    let in_order: Vec<usize> = places.iter().filter_map(|place| *place).collect();
    let moved = order && !in_order.is_sorted();
    let mut added = Vec::new();
    let mut items = Vec::new();
    for (place, arg) in places.iter().zip(&method.args) {
        match place {
            Some(from) => items.push(Item::Kept(*from)),
            // Names say which argument is which.
            None if !defaults => {}
            None => {
                items.push(Item::New(left_out(arg, given)?));
                added.push(arg.name.as_str());
            }
        }
    }
    let why = match (moved, added.is_empty()) {
        (false, true) => return None,
        (true, true) => "its arguments come in their order".to_owned(),
        (false, false) => format!("{} by default", quoted(added)),
        (true, false) => format!(
            "its arguments come in their order, {} by default",
            quoted(added)
        ),
    };
    Some((items, why))
}

/// The position of the argument that has a name, or once had it.
pub(super) fn place(args: &[ValueEntry], name: &str) -> Option<usize> {
    let by_name = args.iter().position(|arg| arg.name == name);
    by_name.or_else(|| {
        args.iter()
            .position(|arg| arg.alias.iter().any(|old| old == name))
    })
}

/// The stand-in for an omitted argument, if it may be omitted; named if the others are.
fn left_out(arg: &ValueEntry, given: &[Argument<'_>]) -> Option<Value> {
    let value = match &arg.ty.default {
        Some(default) => default.clone(),
        None if arg.ty.optional => Value::Null,
        None => return None,
    };
    let are_named = given.iter().any(|item| item.name.is_some());
    let name = are_named.then_some(arg.name.as_str());
    Some(Argument::write(ArgumentType::Plain, value, name))
}
