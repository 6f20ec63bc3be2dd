//! `&mut T`: taken from a blackboard key, or only written to it, and written when the call returns.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::{Arg, Argument, LendMut, Mut, Out, from_board};
use crate::blackboard::{Blackboard, KeyId};
use crate::call::decode;
use crate::call::resolve::{Binder, Frame, Giver};
use crate::registry::shape::{Described, Owned};
use crate::registry::value::Passing;

/// A value that is written to a blackboard key when the call returns.
pub struct Back<'a, T: Serialize> {
    value: T,
    board: &'a Blackboard,
    key: KeyId,
}

impl<T: Serialize> LendMut for Back<'_, T> {
    type Target = T;
    #[inline]
    fn lend_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T: Serialize> Drop for Back<'_, T> {
    fn drop(&mut self) {
        // A call that panicked has no result.
        if !std::thread::panicking() {
            self.board
                .put(self.key, serde_json::to_value(&self.value).ok());
        }
    }
}

impl<T: Serialize + fmt::Debug> fmt::Debug for Back<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.value, f)
    }
}

impl<T: Argument + Serialize> Described for Mut<T> {
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

impl<T: Argument + Serialize> Arg for Mut<T> {
    type Slot = (KeyId, String);
    type Guard<'a> = Back<'a, T>;

    fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot> {
        binder.key()
    }

    fn fetch<'a>((key, name): &'a Self::Slot, frame: &mut Frame<'a>) -> Option<Self::Guard<'a>> {
        let value = from_board(frame, *key, name)?;
        let (board, key) = (frame.board, *key);
        Some(Back { value, board, key })
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<Self::Guard<'a>> {
        let (key, name) = giver.key()?;
        let value = giver.take_from_board(key, &name, decode)?;
        let board = giver.board;
        Some(Back { value, board, key })
    }
}

impl<T: JsonSchema + Serialize + Default + 'static> Described for Out<T> {
    const PASSING: Passing = Passing::Out;
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
    fn optional() -> bool {
        false
    }
}

impl<T: JsonSchema + Serialize + Default + 'static> Arg for Out<T> {
    type Slot = (KeyId, String);
    type Guard<'a> = Back<'a, T>;

    fn slot(binder: &mut Binder<'_>) -> Option<Self::Slot> {
        binder.key()
    }

    fn fetch<'a>((key, _): &'a Self::Slot, frame: &mut Frame<'a>) -> Option<Self::Guard<'a>> {
        frame.skip();
        let value = T::default();
        let (board, key) = (frame.board, *key);
        Some(Back { value, board, key })
    }

    fn given<'a>(giver: &mut Giver<'a>) -> Option<Self::Guard<'a>> {
        let (key, _) = giver.key()?;
        let value = T::default();
        let board = giver.board;
        Some(Back { value, board, key })
    }
}
