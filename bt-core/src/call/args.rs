//! A method's parameters as a tuple of markers.

use super::resolve::{Binder, Frame, Giver};
use super::{Arg, CallError, Context};
use crate::registry::shape::Passing;
use crate::registry::value::{Shape, shape};

/// The parameters of a method: a tuple of [`Arg`]s.
///
/// Everything that needs no tuple is in [`Binder`], [`Frame`] and [`Giver`]: a tuple is compiled
/// again in each crate that uses it.
pub trait Args: 'static {
    /// Where their values come from at each call.
    type Slots: Send + Sync;
    /// Their values for the time of one call.
    type Guards<'a>;
    /// What their types say.
    const SHAPES: &'static [Shape];

    /// Resolves where they come from.
    ///
    /// # Errors
    /// [`CallError::is_arguments`] with all that is wrong.
    fn slots(binder: Binder<'_>) -> Result<Self::Slots, CallError>;

    /// The values for one call of a tree.
    ///
    /// # Errors
    /// [`CallError::is_key`] with the first key that is unset or of another type.
    fn fetch<'a>(slots: &'a Self::Slots, cx: Context<'a>) -> Result<Self::Guards<'a>, CallError>;

    /// The values for one call by name.
    ///
    /// # Errors
    /// [`CallError::is_arguments`] with all that is wrong.
    fn given<'a>(giver: Giver<'a>) -> Result<Self::Guards<'a>, CallError>;
}

macro_rules! tuple {
    ($($x:ident $i:tt),*) => {
        #[allow(unused_variables, unused_mut, clippy::unused_unit, reason = "the empty tuple")]
        impl<$($x: Arg),*> Args for ($($x,)*) {
            type Slots = ($($x::Slot,)*);
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

            #[inline(always)]
            fn fetch<'a>(
                slots: &'a Self::Slots,
                cx: Context<'a>,
            ) -> Result<Self::Guards<'a>, CallError> {
                let mut frame = Frame::new(cx);
                $(let $x = match $x::fetch(&slots.$i, &mut frame) {
                    Ok(value) => value,
                    Err(error) => return Err(error),
                };)*
                Ok(($($x,)*))
            }

            fn given<'a>(mut giver: Giver<'a>) -> Result<Self::Guards<'a>, CallError> {
                match ($($x::given(&mut giver),)*) {
                    ($(Some($x),)*) if giver.is_fine() => Ok(($($x,)*)),
                    _ => Err(giver.error()),
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
