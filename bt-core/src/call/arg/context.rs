//! Parameters that are no arguments of a tree: the context, and what a decorator or a composite is asked.

use std::any::Any;

use schemars::{Schema, SchemaGenerator};

use super::{Arg, Lend, LendMut, Mut, Shared};
use crate::call::resolve::{ArgumentSource, Binder, Frame};
use crate::call::{Asked, Context};
use crate::describe::shape::{Described, Passing};

impl Lend for Context<'_> {
    type Target = Self;
    #[inline]
    fn lend(&self) -> &Self {
        self
    }
}

impl LendMut for Context<'_> {
    type Target = Self;
    #[inline]
    fn lend_mut(&mut self) -> &mut Self {
        self
    }
}

/// The context is a parameter of the method, and no argument of the tree.
macro_rules! context {
    ($marker:ident) => {
        impl Described for $marker<Context<'static>> {
            const PASSING: Passing = Passing::Context;
            fn schema(_: &mut SchemaGenerator) -> Schema {
                Schema::default()
            }
            fn optional() -> bool {
                true
            }
        }

        impl Arg for $marker<Context<'static>> {
            type This = Self;
            type Slot = ();
            type Literal = ();
            type Guard<'a> = Context<'a>;

            fn slot(binder: &mut Binder<'_>) -> Option<()> {
                binder.skip();
                Some(())
            }

            fn literal((): &()) -> Option<()> {
                Some(())
            }

            #[inline]
            fn lend<'a>((): &'a (), frame: &mut Frame<'a>) -> Context<'a> {
                frame.cx.take().expect(ONCE)
            }

            #[inline]
            fn fetch<'a>(
                (): &'a (),
                frame: &mut Frame<'a>,
                _: &mut dyn Any,
            ) -> Option<Context<'a>> {
                frame.cx.take()
            }

            fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<Context<'a>> {
                giver.skip();
                giver.cx.take()
            }
        }
    };
}

/// The name by which the compiler counts contexts: `one_context` is evaluated for each method.
const ONCE: &str = "a method takes the context once";

context!(Shared);
context!(Mut);

/// A parameter that says what a decorator or a composite is asked: no argument of the tree.
macro_rules! asked {
    ($($(#[$doc:meta])* $marker:ident: $ty:ty = |$asked:ident| $value:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $marker;

        impl Described for $marker {
            const PASSING: Passing = Passing::Asked;
            fn schema(_: &mut SchemaGenerator) -> Schema {
                Schema::default()
            }
            fn optional() -> bool {
                true
            }
        }

        impl Arg for $marker {
            type This = Self;
            type Slot = ();
            type Literal = ();
            type Guard<'a> = $ty;

            fn slot(binder: &mut Binder<'_>) -> Option<()> {
                binder.skip();
                Some(())
            }

            fn literal((): &()) -> Option<()> {
                Some(())
            }

            #[inline]
            fn lend<'a>((): &'a (), frame: &mut Frame<'a>) -> $ty {
                let $asked = frame.asked;
                $value
            }

            #[inline]
            fn fetch<'a>((): &'a (), frame: &mut Frame<'a>, _: &mut dyn Any) -> Option<$ty> {
                let $asked = frame.asked;
                Some($value)
            }

            fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<$ty> {
                giver.skip();
                let $asked = giver.asked;
                Some($value)
            }
        }
    )*};
}

asked! {
    /// A decorator's last parameter: how its child ended, `None` on entry.
    Ended: Option<bool> = |asked| asked.ended();
    /// The occasion on which a decorator or a composite is asked.
    AskedNow: Asked = |asked| asked;
}

/// The type of that parameter.
#[diagnostic::on_unimplemented(
    message = "a decorator's `ended` cannot be a `{Self}`",
    label = "expected `Option<bool>`",
    note = "`ended: Option<bool>` is how the child ended: `Some(success)`, and `None` on entry"
)]
pub trait EndedAs {
    /// The value as that type.
    fn ended(ended: Option<bool>) -> Self;
}

impl EndedAs for Option<bool> {
    #[inline]
    fn ended(ended: Option<bool>) -> Option<bool> {
        ended
    }
}

/// The result of the child, as the type of the parameter.
#[inline]
pub fn ended<T: EndedAs>(ended: Option<bool>) -> T {
    T::ended(ended)
}

/// The type of the parameter `asked`.
#[diagnostic::on_unimplemented(
    message = "the parameter `asked` cannot be a `{Self}`",
    label = "expected `Asked`",
    note = "`asked: Asked` says that the node is entered, or which child has ended and how"
)]
pub trait AskedAs {
    /// The value as that type.
    fn asked(asked: Asked) -> Self;
}

impl AskedAs for Asked {
    #[inline]
    fn asked(asked: Asked) -> Asked {
        asked
    }
}

/// The occasion, as the type of the parameter.
#[inline]
pub fn asked<T: AskedAs>(asked: Asked) -> T {
    T::asked(asked)
}
