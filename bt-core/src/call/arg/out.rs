//! `&mut T`: taken from a blackboard key, or only written to it, and written when the call returns.

use std::fmt;

use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::{Arg, LendMut, Mut, Out, from_board};
use crate::blackboard::{Blackboard, KeyId};
use crate::call::argument::{InOutArgument, OutArgument};
use crate::call::decode;
use crate::call::resolve::{Binder, Frame, Giver};
use crate::registry::shape::{Described, Owned, Passing};

/// A value that is written to a blackboard key when the call returns.
pub struct Back<'a, T> {
    value: T,
    /// The value's JSON form. Not a bound on the type: that would be one more place where a type
    /// that has none is reported.
    json: fn(&T) -> Option<Value>,
    board: &'a Blackboard,
    key: KeyId,
}

fn json<T: Serialize>(value: &T) -> Option<Value> {
    serde_json::to_value(value).ok()
}

impl<T> LendMut for Back<'_, T> {
    type Target = T;
    #[inline]
    fn lend_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Drop for Back<'_, T> {
    fn drop(&mut self) {
        // A call that panicked has no result.
        if !std::thread::panicking() {
            self.board.put(self.key, (self.json)(&self.value));
        }
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
    type Slot = (KeyId, String);
    type Guard<'a> = Back<'a, T>;

    fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot> {
        binder.key()
    }

    fn fetch<'a>((key, name): &'a Self::Slot, frame: &mut Frame<'a>) -> Option<Self::Guard<'a>> {
        let value = from_board(frame, *key, name)?;
        let (board, key) = (frame.board, *key);
        Some(Back {
            value,
            json,
            board,
            key,
        })
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<Self::Guard<'a>> {
        let (key, name) = giver.key()?;
        let value = giver.take_from_board(key, &name, decode)?;
        let board = giver.board;
        Some(Back {
            value,
            json,
            board,
            key,
        })
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
    type Slot = (KeyId, String);
    type Guard<'a> = Back<'a, T>;

    fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot> {
        binder.key()
    }

    fn fetch<'a>((key, _): &'a Self::Slot, frame: &mut Frame<'a>) -> Option<Self::Guard<'a>> {
        frame.skip();
        let value = T::default();
        let (board, key) = (frame.board, *key);
        Some(Back {
            value,
            json,
            board,
            key,
        })
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<Self::Guard<'a>> {
        let (key, _) = giver.key()?;
        let value = T::default();
        let board = giver.board;
        Some(Back {
            value,
            json,
            board,
            key,
        })
    }
}
