//! A method's parameters as a tuple of markers.

use serde_json::Value;

use super::{Arg, CallError, Context};
use crate::blackboard::{Blackboard, KeyId};
use crate::registry::descriptor::{Passing, ValueDesc};
use crate::registry::shape::Described;

/// Where an argument's value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// Written in the tree.
    Literal(Value),
    /// The value of a blackboard key at the time of the call.
    Key(String),
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
}

/// Gives keys their slots.
pub trait Keys {
    /// The slot of a key.
    fn intern(&mut self, key: &str) -> KeyId;
}

impl Keys for &Blackboard {
    fn intern(&mut self, key: &str) -> KeyId {
        Blackboard::intern(self, key)
    }
}

/// What parameters take their values from, for the time of one call.
#[derive(Debug)]
pub struct Frame<'a> {
    pub(crate) board: &'a Blackboard,
    pub(crate) ended: Option<bool>,
    pub(crate) cx: Option<Context<'a>>,
}

impl<'a> Frame<'a> {
    #[inline]
    fn new(cx: Context<'a>) -> Frame<'a> {
        Frame {
            board: cx.board(),
            ended: cx.ended(),
            cx: Some(cx),
        }
    }
}

/// Arguments of a call by name: an array by position, or an object by name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'a>(pub(crate) &'a Value);

impl<'a> Given<'a> {
    fn get(self, position: usize, desc: &ValueDesc) -> Option<&'a Value> {
        match self.0 {
            Value::Array(list) => list.get(position),
            Value::Object(map) => map
                .get(desc.name)
                .or_else(|| desc.aliases().find_map(|alias| map.get(alias))),
            _ => None,
        }
    }
}

/// The parameters of a method: a tuple of [`Arg`]s.
pub trait Args: 'static {
    /// Where their values come from at each call.
    type Slots: Send + Sync;
    /// Their values for the time of one call.
    type Guards<'a>;
    /// How each is passed.
    const PASSING: &'static [Passing];

    /// Resolves one source for each argument of the tree.
    ///
    /// # Errors
    /// [`CallError::is_arguments`] with every bad argument.
    fn slots(
        sources: &[Source],
        descs: &[ValueDesc],
        keys: &mut dyn Keys,
    ) -> Result<Self::Slots, CallError>;

    /// The values for one call of a tree.
    ///
    /// # Errors
    /// [`CallError::is_key`] with the first key that is unset or of another type.
    fn fetch<'a>(
        slots: &'a Self::Slots,
        descs: &[ValueDesc],
        cx: Context<'a>,
    ) -> Result<Self::Guards<'a>, CallError>;

    /// The values for one call by name.
    ///
    /// # Errors
    /// [`CallError::is_arguments`] with every bad argument.
    #[doc(hidden)]
    fn given<'a>(
        args: &'a Value,
        descs: &[ValueDesc],
        cx: Context<'a>,
    ) -> Result<Self::Guards<'a>, CallError>;
}

/// Collects what is wrong with each argument.
#[derive(Default)]
struct Problems(Vec<String>);

impl Problems {
    fn keep<T>(&mut self, desc: &ValueDesc, result: Result<T, String>) -> Option<T> {
        result
            .map_err(|why| self.0.push(format!("argument `{}` {why}", desc.name)))
            .ok()
    }

    #[cold]
    fn error(self) -> CallError {
        CallError::arguments(self.0.join("; "))
    }
}

/// Counts the arguments of the tree among the parameters.
struct Position(usize);

impl Position {
    fn next<X: Described>(&mut self) -> usize {
        let position = self.0;
        if !matches!(X::PASSING, Passing::Context) {
            self.0 += 1;
        }
        position
    }
}

fn count(passing: &[Passing]) -> usize {
    let is_argument = |p: &&Passing| !matches!(p, Passing::Context);
    passing.iter().filter(is_argument).count()
}

fn surplus(given: &Value, descs: &[ValueDesc], passing: &[Passing], problems: &mut Problems) {
    let args = || {
        descs
            .iter()
            .zip(passing)
            .filter(|(_, p)| !matches!(p, Passing::Context))
    };
    match given {
        Value::Array(list) if list.len() > count(passing) => problems.0.push(format!(
            "takes {} arguments, {} given",
            count(passing),
            list.len()
        )),
        Value::Object(map) => {
            for name in map.keys() {
                let known = |(desc, _): (&ValueDesc, &Passing)| {
                    desc.name == name || desc.aliases().any(|alias| alias == name)
                };
                if !args().any(known) {
                    problems.0.push(format!("there is no argument `{name}`"));
                }
            }
        }
        Value::Array(_) | Value::Null => {}
        other => problems.0.push(format!(
            "arguments are an array by position or an object by name, found {other}"
        )),
    }
}

macro_rules! tuple {
    ($($x:ident $i:tt),*) => {
        #[allow(unused_variables, unused_mut, clippy::unused_unit, reason = "the empty tuple")]
        impl<$($x: Arg),*> Args for ($($x,)*) {
            type Slots = ($($x::Slot,)*);
            type Guards<'a> = ($($x::Guard<'a>,)*);
            const PASSING: &'static [Passing] = &[$($x::PASSING),*];

            fn slots(
                sources: &[Source],
                descs: &[ValueDesc],
                keys: &mut dyn Keys,
            ) -> Result<Self::Slots, CallError> {
                let mut problems = Problems::default();
                let mut position = Position(0);
                let slots = ($({
                    let source = sources.get(position.next::<$x>());
                    problems.keep(&descs[$i], $x::slot(source, &descs[$i], keys))
                },)*);
                if sources.len() > count(Self::PASSING) {
                    problems.0.push(format!(
                        "takes {} arguments, {} given",
                        count(Self::PASSING),
                        sources.len()
                    ));
                }
                if !problems.0.is_empty() {
                    return Err(problems.error());
                }
                match slots {
                    ($(Some($x),)*) => Ok(($($x,)*)),
                    #[allow(unreachable_patterns, reason = "the empty tuple has no other")]
                    _ => Err(problems.error()),
                }
            }

            #[inline]
            fn fetch<'a>(
                slots: &'a Self::Slots,
                descs: &[ValueDesc],
                cx: Context<'a>,
            ) -> Result<Self::Guards<'a>, CallError> {
                let mut frame = Frame::new(cx);
                Ok(($(
                    match $x::fetch(&slots.$i, &descs[$i], &mut frame) {
                        Ok(guard) => guard,
                        Err(why) => return Err(missing(&descs[$i], &why)),
                    },
                )*))
            }

            fn given<'a>(
                args: &'a Value,
                descs: &[ValueDesc],
                cx: Context<'a>,
            ) -> Result<Self::Guards<'a>, CallError> {
                let mut frame = Frame::new(cx);
                let mut problems = Problems::default();
                let mut position = Position(0);
                let guards = ($({
                    let value = Given(args).get(position.next::<$x>(), &descs[$i]);
                    problems.keep(&descs[$i], $x::given(value, &descs[$i], &mut frame))
                },)*);
                surplus(args, descs, Self::PASSING, &mut problems);
                if !problems.0.is_empty() {
                    return Err(problems.error());
                }
                match guards {
                    ($(Some($x),)*) => Ok(($($x,)*)),
                    #[allow(unreachable_patterns, reason = "the empty tuple has no other")]
                    _ => Err(problems.error()),
                }
            }
        }
    };
}

#[cold]
fn missing(desc: &ValueDesc, why: &str) -> CallError {
    CallError::key(format!("argument `{}` {why}", desc.name))
}

#[allow(
    non_snake_case,
    reason = "a tuple's patterns are named after its types"
)]
mod tuples {
    use super::*;
    tuple!();
    tuple!(X0 0);
    tuple!(X0 0, X1 1);
    tuple!(X0 0, X1 1, X2 2);
    tuple!(X0 0, X1 1, X2 2, X3 3);
    tuple!(X0 0, X1 1, X2 2, X3 3, X4 4);
    tuple!(X0 0, X1 1, X2 2, X3 3, X4 4, X5 5);
    tuple!(X0 0, X1 1, X2 2, X3 3, X4 4, X5 5, X6 6);
    tuple!(X0 0, X1 1, X2 2, X3 3, X4 4, X5 5, X6 6, X7 7);
    tuple!(X0 0, X1 1, X2 2, X3 3, X4 4, X5 5, X6 6, X7 7, X8 8);
    tuple!(X0 0, X1 1, X2 2, X3 3, X4 4, X5 5, X6 6, X7 7, X8 8, X9 9);
    tuple!(X0 0, X1 1, X2 2, X3 3, X4 4, X5 5, X6 6, X7 7, X8 8, X9 9, X10 10);
    tuple!(X0 0, X1 1, X2 2, X3 3, X4 4, X5 5, X6 6, X7 7, X8 8, X9 9, X10 10, X11 11);
}
