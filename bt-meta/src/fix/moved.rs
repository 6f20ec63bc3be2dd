//! The arguments of a call as an older catalogue knew them: which of them say another argument now.

use bt_core::kinds::call::Argument;
use bt_core::tree::asset::Fix;

use super::arguments::place;
use crate::catalogue::{MethodEntry, ValueEntry};
use crate::error::quoted;

/// The changes to the items of a list of arguments, by their numbers, and what was found; none if each says the same
/// argument in both catalogues, or if it is not known which it says now.
pub(super) fn moved(
    old: &MethodEntry,
    new: &MethodEntry,
    given: &[Argument<'_>],
) -> Option<(Vec<(usize, Fix)>, String)> {
    let now = matched(&old.args, &new.args);
    let mut changes = Vec::new();
    let mut moves = false;
    let mut renamed = Vec::new();
    for (number, item) in given.iter().enumerate() {
        let at = match item.name() {
            None => now.get(number).copied().flatten()?,
            // One that a list says which was brought up to date already.
            Some(name) => match place(&new.args, name) {
                Some(at) => at,
                None => now[place(&old.args, name)?]?,
            },
        };
        let name = new.args[at].name.as_str();
        match item.name() {
            None => {
                moves |= at != number;
                changes.push((number, insert(name)));
            }
            Some(was) if place(&new.args, was).is_none() => {
                renamed.push(format!("`{was}` is `{name}` now"));
                changes.push((number, Fix::Value(name.into())));
            }
            Some(_) => {}
        }
    }
    if !moves {
        changes.retain(|(number, _)| given[*number].name.is_some());
    }
    let order = |list: &[ValueEntry]| quoted(list.iter().map(|arg| arg.name.clone()));
    let moved = moves.then(|| {
        let (was, is) = (order(&old.args), order(&new.args));
        format!("its arguments were {was}, and are {is} now: each gets its name")
    });
    let why: Vec<_> = moved.into_iter().chain(renamed).collect();
    (!changes.is_empty()).then(|| (changes, why.join("; ")))
}

fn insert(name: &str) -> Fix {
    Fix::Insert {
        after: "arg_value".to_owned(),
        key: "arg_name".to_owned(),
        value: name.into(),
    }
}

/// The place that each old argument has now: by its name, else in its place, or with its comment, the only other of its
/// type.
fn matched(old: &[ValueEntry], new: &[ValueEntry]) -> Vec<Option<usize>> {
    let by_name: Vec<_> = old.iter().map(|arg| place(new, &arg.name)).collect();
    let is_free = |at: &usize| !by_name.contains(&Some(*at));
    let other = |(at, was): (usize, &ValueEntry)| {
        let mut same = (0..new.len()).filter(is_free);
        let is_it = |is: &ValueEntry| is.ty == was.ty;
        if new.get(at).is_some_and(is_it) && is_free(&at) {
            return Some(at);
        }
        let said = |at: &usize| is_it(&new[*at]) && new[*at].comment == was.comment;
        let found = same.find(|at| said(at) && !was.comment.is_empty())?;
        (!same.any(|at| said(&at))).then_some(found)
    };
    let places = by_name.iter().zip(old.iter().enumerate());
    places
        .map(|(by_name, was)| by_name.or_else(|| other(was)))
        .collect()
}
