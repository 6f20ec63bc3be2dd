//! The sources of the values of one call: the part that all types of parameters share.
//!
//! A [`Binder`] resolves a tree's sources once, a [`Frame`] fetches the values for one call of a
//! tree, a [`ArgumentSource`] takes the values of one call by name. Parameters ask in the order of the
//! signature.

mod bind;
mod give;
mod key;

use std::any::Any;

use serde_json::Value;

use super::param::Param;
use super::{Asked, Context};
use crate::blackboard::{Blackboard, KeyId};
use crate::error::{ArgumentError, Flaw};
use crate::text;
pub use bind::Binder;
pub use give::ArgumentSource;
pub use key::BoardKey;

/// The source of an argument's value.
///
/// ```
/// use bt_core::Source;
///
/// let literal = Source::literal(2.5);
/// let key = Source::key("enemy");
/// let property = Source::property("run_speed");
/// assert_eq!(literal, Source::Literal(2.5.into()));
/// # let _ = (key, property);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// Written in the tree.
    Literal(Value),
    /// The value of a blackboard key at the time of the call.
    Key(String),
    /// The value of one of the agent's properties at the time of the call.
    Property(String),
    /// The value of an expression at the time of the call.
    Expression(String),
}

impl Source {
    /// A value written in the tree.
    pub fn literal(value: impl Into<Value>) -> Source {
        Source::Literal(value.into())
    }

    /// The value of a blackboard key at the time of the call.
    pub fn key(key: impl Into<String>) -> Source {
        Source::Key(key.into())
    }

    /// The value of one of the agent's properties at the time of the call.
    pub fn property(name: impl Into<String>) -> Source {
        Source::Property(name.into())
    }

    /// The value of an expression at the time of the call, such as `$hp / @max_hp`.
    pub fn expression(text: impl Into<String>) -> Source {
        Source::Expression(text.into())
    }
}

/// A source with its names looked up.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub enum Origin<'x> {
    /// Written in the tree.
    Literal(&'x Value),
    /// A blackboard key.
    Key(KeyId, &'x str),
    /// A property, whose value is put there before the call.
    Property(KeyId, &'x str),
    /// An expression, whose value is put there before the call.
    Expression(KeyId, &'x str),
    /// A property that is a field: the [`FieldReader`](super::typed_field::FieldReader) of its type.
    Field(&'x dyn Any),
}

impl Origin<'_> {
    /// The slot, and the words for it.
    fn slot(&self) -> Option<(KeyId, String)> {
        match self {
            Origin::Literal(_) | Origin::Field(_) => None,
            Origin::Key(id, key) => Some((*id, format!("blackboard key `{}`", text::name(key)))),
            Origin::Property(id, name) => Some((*id, format!("property `{}`", text::name(name)))),
            Origin::Expression(id, written) => {
                Some((*id, format!("expression `{}`", text::name(written))))
            }
        }
    }
}

/// The value of one argument.
#[derive(Debug)]
pub enum Resolved<'a> {
    /// A blackboard key.
    Key(BoardKey),
    /// The reader of a field of the agent.
    Field(&'a dyn Any),
    /// A value that was given, or the default.
    Lent(&'a Value),
    /// Nothing: fine for an `Option`.
    Nothing,
}

#[inline]
fn default(param: &Param) -> Resolved<'_> {
    match &param.default {
        Some(value) => Resolved::Lent(value),
        None => Resolved::Nothing,
    }
}

#[cold]
fn note(problems: &mut Vec<ArgumentError>, param: &Param, flaw: Flaw, found: Option<&Value>) {
    let mut problem = ArgumentError::new(param.desc.name, flaw);
    if let Some(found) = found {
        problem = problem.with_found(found);
    }
    problems.push(problem);
}

/// The sources of the parameters of one call of a tree.
///
/// Parameters hand on its parts, never itself, to what is not inlined: so it stays in registers.
#[derive(Debug)]
pub struct Frame<'a> {
    pub(in crate::call) board: &'a Blackboard,
    pub(in crate::call) asked: Asked,
    pub(in crate::call) cx: Option<Context<'a>>,
}

impl<'a> Frame<'a> {
    #[inline]
    pub(in crate::call) fn new(cx: Context<'a>) -> Frame<'a> {
        Frame {
            board: cx.board(),
            asked: cx.asked(),
            cx: Some(cx),
        }
    }
}
