//! Arguments by position and by name, in the order of the parameters.

use std::fmt;

use crate::text::name;

/// The reason why an argument has no place. Numbers are positions in the list that was given, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misplaced {
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

impl Misplaced {
    /// The message: `of` is what is called, `given` has the names in the list, `known` those of the parameters.
    pub(crate) fn message<'n>(
        self,
        of: &dyn fmt::Display,
        given: impl Fn(usize) -> &'n str,
        known: impl Fn(usize) -> &'n str,
    ) -> String {
        match self {
            Misplaced::Unknown(from) => format!("{of} has no argument `{}`", name(given(from))),
            Misplaced::Twice(from) => {
                format!("{of}: argument `{}` is given twice", name(given(from)))
            }
            Misplaced::Unnamed(_) => {
                format!("{of}: an argument without a name comes after one with a name")
            }
            Misplaced::NoNames(_) => {
                format!("{of} is answered by the fallback, which knows no names of arguments")
            }
            Misplaced::Missing(at) => format!("{of}: argument `{}` is missing", known(at)),
        }
    }
}

/// Finds the position in a list of each argument, in the order of the parameters, none where nothing is given;
/// and those that have no place. `place` is the parameter of a name.
pub(crate) fn places<'n>(
    names: impl IntoIterator<Item = Option<&'n str>>,
    place: impl Fn(&str) -> Option<usize>,
) -> (Vec<Option<usize>>, Vec<Misplaced>) {
    let mut places: Vec<Option<usize>> = Vec::new();
    let mut misplaced = Vec::new();
    let mut named = false;
    for (from, name) in names.into_iter().enumerate() {
        named |= name.is_some();
        let at = match name {
            None if named => Err(Misplaced::Unnamed(from)),
            None => Ok(from),
            Some(name) => place(name).ok_or(Misplaced::Unknown(from)),
        };
        match at {
            Ok(at) if places.get(at).is_some_and(Option::is_some) => {
                misplaced.push(Misplaced::Twice(from));
            }
            Ok(at) => {
                places.resize(places.len().max(at + 1), None);
                places[at] = Some(from);
            }
            Err(why) => misplaced.push(why),
        }
    }
    (places, misplaced)
}
