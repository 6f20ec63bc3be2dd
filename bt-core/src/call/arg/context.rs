//! Parameters that are no arguments of a tree: the context, and how a decorator's child ended.

use std::any::Any;

use schemars::{Schema, SchemaGenerator};

use super::{Arg, Lend, LendMut, Mut, Shared};
use crate::call::Context;
use crate::call::resolve::{ArgumentSource, Binder, Frame};
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

/// A decorator's last parameter: how its child ended, `None` on entry.
#[derive(Debug)]
pub struct Ended;

impl Described for Ended {
    const PASSING: Passing = Passing::Ended;
    fn schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
    fn optional() -> bool {
        true
    }
}

impl Arg for Ended {
    type This = Self;
    type Slot = ();
    type Literal = ();
    type Guard<'a> = Option<bool>;

    fn slot(binder: &mut Binder<'_>) -> Option<()> {
        binder.skip();
        Some(())
    }

    fn literal((): &()) -> Option<()> {
        Some(())
    }

    #[inline]
    fn lend<'a>((): &'a (), frame: &mut Frame<'a>) -> Option<bool> {
        frame.ended
    }

    #[inline]
    fn fetch<'a>((): &'a (), frame: &mut Frame<'a>, _: &mut dyn Any) -> Option<Option<bool>> {
        Some(frame.ended)
    }

    fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<Option<bool>> {
        giver.skip();
        Some(giver.ended)
    }
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
