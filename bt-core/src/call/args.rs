//! A method's parameters as a tuple of markers.

use std::any::Any;

use super::resolve::{ArgumentSource, Binder, Frame};
use super::{Arg, Context};
use crate::describe::shape::Passing;
use crate::describe::value::{Shape, shape};
use crate::error::CallError;

/// The parameters of a method: a tuple of [`Arg`]s.
///
/// Everything that needs no tuple is in [`Binder`], [`Frame`] and [`ArgumentSource`]: a tuple is compiled
/// again in each crate that uses it.
pub trait Args: 'static {
    /// The sources of their values at each call.
    type Slots: Send + Sync;
    /// The values, where none of them comes from a key.
    type Literals: Send + Sync;
    /// Their values for the time of one call.
    type Guards<'a>;
    /// The shapes of their types.
    const SHAPES: &'static [Shape];
    /// True if a method with such parameters can write to the blackboard.
    const WRITES: bool = writes(Self::SHAPES);
    /// True if some of them are written back to keys.
    const WRITES_BACK: bool = backs(Self::SHAPES) > 0;

    /// Resolves where they come from.
    ///
    /// # Errors
    /// [`CallError::is_arguments`] with all that is wrong.
    fn slots(binder: Binder<'_>) -> Result<Self::Slots, CallError>;

    /// The values, where all come from the tree alone.
    fn literals(slots: &Self::Slots) -> Option<Self::Literals>;

    /// The values for one call of a tree that takes nothing from keys.
    fn lend<'a>(literals: &'a Self::Literals, cx: Context<'a>) -> Self::Guards<'a>;

    /// The values for one call of a tree; none, and an error kept by the blackboard, if a key is
    /// unset or of another type.
    fn fetch<'a>(
        slots: &'a Self::Slots,
        cx: Context<'a>,
        agent: &mut dyn Any,
    ) -> Option<Self::Guards<'a>>;

    /// The values for one call by name; none, and an error kept by the blackboard with all that
    /// is wrong, if they are not what the method takes.
    fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<Self::Guards<'a>>;
}

macro_rules! tuple {
    ($($x:ident $i:tt),*) => {
        #[allow(
            unused_variables,
            unused_mut,
            unreachable_patterns,
            clippy::unused_unit,
            clippy::question_mark,
            reason = "the empty tuple; and `?` compiles to more, once for each tuple of types"
        )]
        impl<$($x: Arg),*> Args for ($($x,)*) {
            type Slots = ($($x::Slot,)*);
            type Literals = ($($x::Literal,)*);
            type Guards<'a> = ($($x::Guard<'a>,)*);
            const SHAPES: &'static [Shape] = {
                let shapes: &'static [Shape] = &[$(shape::<$x>()),*];
                one_context(shapes);
                shapes
            };

            fn slots(mut binder: Binder<'_>) -> Result<Self::Slots, CallError> {
                // All of them, so that all problems are noted.
                match ($($x::slot(&mut binder),)*) {
                    ($(Some($x),)*) if binder.is_fine() => Ok(($($x,)*)),
                    _ => Err(binder.error()),
                }
            }

            fn literals(slots: &Self::Slots) -> Option<Self::Literals> {
                $(let Some($x) = $x::literal(&slots.$i) else {
                    return None;
                };)*
                Some(($($x,)*))
            }

            #[inline]
            fn lend<'a>(literals: &'a Self::Literals, cx: Context<'a>) -> Self::Guards<'a> {
                let mut frame = Frame::new(cx);
                ($($x::lend(&literals.$i, &mut frame),)*)
            }

            // Always: the values stay in registers.
            #[inline(always)]
            fn fetch<'a>(
                slots: &'a Self::Slots,
                cx: Context<'a>,
                agent: &mut dyn Any,
            ) -> Option<Self::Guards<'a>> {
                let mut frame = Frame::new(cx);
                $(let Some($x) = $x::fetch(&slots.$i, &mut frame, agent) else {
                    return None;
                };)*
                Some(($($x,)*))
            }

            fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<Self::Guards<'a>> {
                // All of them, so that all problems are noted.
                match ($($x::given(giver),)*) {
                    ($(Some($x),)*) if giver.is_fine() => Some(($($x,)*)),
                    _ => giver.refuse(),
                }
            }
        }
    };
}

/// A method takes the context once: there is one to lend.
const fn one_context(shapes: &[Shape]) {
    let (mut at, mut contexts) = (0, 0);
    while at < shapes.len() {
        if matches!(shapes[at].passing, Passing::Context) {
            contexts += 1;
        }
        at += 1;
    }
    assert!(
        contexts <= 1,
        "a method takes `&mut Context` or `&Context` once"
    );
}

/// The number of those that are written back to keys.
pub(crate) const fn backs(shapes: &[Shape]) -> usize {
    let (mut at, mut backs) = (0, 0);
    while at < shapes.len() {
        if shapes[at].passing.in_out().is_some() {
            backs += 1;
        }
        at += 1;
    }
    backs
}

/// The context reaches the blackboard, shared or not; a result is written there.
const fn writes(shapes: &[Shape]) -> bool {
    let mut at = 0;
    while at < shapes.len() {
        let passing = shapes[at].passing;
        if matches!(passing, Passing::Context) || passing.in_out().is_some() {
            return true;
        }
        at += 1;
    }
    false
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
