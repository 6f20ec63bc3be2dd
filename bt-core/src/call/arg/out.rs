//! `&mut T`: taken from a blackboard key, or only written to it, and written when the call returns.
//!
//! A call that fails writes nothing back, and neither does one that leaves the value as it was.

use std::any::Any;
use std::convert::Infallible;
use std::fmt;

use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::{Arg, LendMut, Mut, Out};
use crate::blackboard::{Blackboard, KeyId};
use crate::call::argument::{InOutArgument, OutArgument};
use crate::call::resolve::{ArgumentSource, Binder, BoardKey, Frame};
use crate::compare::equal;
use crate::decode::{NoJson, encode};
use crate::describe::shape::{Described, Owned, Passing};

/// A value that is written to a blackboard key when the call returns.
pub struct Back<'a, T> {
    value: T,
    /// The value's JSON form. Not a bound on the type: that would be one more place where a type
    /// that has none is reported.
    json: fn(&T) -> Result<Value, NoJson>,
    board: &'a Blackboard,
    key: KeyId,
    /// True if it was taken from the key: then it is written only if it is another.
    taken: bool,
    /// True if the method got it: a call that was refused for another argument writes nothing.
    lent: bool,
}

impl<'a, T: Serialize> Back<'a, T> {
    fn new(value: T, board: &'a Blackboard, key: KeyId, taken: bool) -> Back<'a, T> {
        Back {
            value,
            json: encode,
            board,
            key,
            taken,
            lent: false,
        }
    }
}

impl<T> LendMut for Back<'_, T> {
    type Target = T;
    #[inline]
    fn lend_mut(&mut self) -> &mut T {
        self.lent = true;
        &mut self.value
    }
}

impl<T> Drop for Back<'_, T> {
    fn drop(&mut self) {
        // A call that panicked has no result.
        if !self.lent || std::thread::panicking() {
            return;
        }
        let value = (self.json)(&self.value);
        if self.taken
            && let (Ok(new), Some(held)) = (&value, self.board.lent(self.key))
            && equal(new, &held)
        {
            return;
        }
        self.board.write_back(self.key, value);
    }
}

impl<T: fmt::Debug> fmt::Debug for Back<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.value, f)
    }
}

impl<T: InOutArgument> Described for Mut<T> {
    const PASSING: Passing = Passing::InOut;
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
    fn optional() -> bool {
        false
    }
}

impl<T> Owned for Mut<T> {
    type Owned = T;
}

impl<T: InOutArgument> Arg for Mut<T> {
    type This = Self;
    type Slot = BoardKey;
    type Literal = Infallible;
    type Guard<'a> = Back<'a, T>;

    fn slot(binder: &mut Binder<'_>) -> Option<BoardKey> {
        binder.key()
    }

    fn literal(_: &BoardKey) -> Option<Infallible> {
        None
    }

    fn lend<'a>(never: &'a Infallible, _: &mut Frame<'a>) -> Back<'a, T> {
        match *never {}
    }

    fn fetch<'a>(key: &'a BoardKey, frame: &mut Frame<'a>, _: &mut dyn Any) -> Option<Back<'a, T>> {
        let value = key.read(frame.board)?;
        Some(Back::new(value, frame.board, key.id(), true))
    }

    fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<Back<'a, T>> {
        let key = giver.key()?;
        let value = giver.on_board(&key)?;
        Some(Back::new(value, giver.board, key.id(), true))
    }
}

impl<T: OutArgument> Described for Out<T> {
    const PASSING: Passing = Passing::Out;
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
    fn optional() -> bool {
        false
    }
}

impl<T: OutArgument> Arg for Out<T> {
    type This = Self;
    type Slot = BoardKey;
    type Literal = Infallible;
    type Guard<'a> = Back<'a, T>;

    fn slot(binder: &mut Binder<'_>) -> Option<BoardKey> {
        binder.key()
    }

    fn literal(_: &BoardKey) -> Option<Infallible> {
        None
    }

    fn lend<'a>(never: &'a Infallible, _: &mut Frame<'a>) -> Back<'a, T> {
        match *never {}
    }

    fn fetch<'a>(key: &'a BoardKey, frame: &mut Frame<'a>, _: &mut dyn Any) -> Option<Back<'a, T>> {
        Some(Back::new(T::default(), frame.board, key.id(), false))
    }

    fn given<'a>(giver: &mut ArgumentSource<'a>) -> Option<Back<'a, T>> {
        let key = giver.key()?;
        Some(Back::new(T::default(), giver.board, key.id(), false))
    }
}
