//! A field that is a property as an argument of its own type: read of the agent, and never JSON.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::argument::FieldValue;
use crate::Agent;
use crate::blackboard::Blackboard;
use crate::contained::panic_text;
use crate::decode::{NoJson, has_json};
use crate::error::CallError;

/// A field's name as a property, and where it is in an agent.
pub struct TypedField<A, T, F> {
    name: &'static str,
    field: F,
    types: PhantomData<fn(&A) -> &T>,
}

/// The field of that name as a property, and where it is in an agent.
pub const fn typed_field<A, T, F>(name: &'static str, field: F) -> TypedField<A, T, F>
where
    F: Fn(&A) -> &T + Copy,
{
    TypedField {
        name,
        field,
        types: PhantomData,
    }
}

/// A field of any type.
pub trait AnyField<A>: Sync {
    /// The [`FieldReader`] of its type, for calls of the agent itself, or of one that a way leads from.
    fn reader(&self, way: Option<Way<A>>) -> Box<dyn Any>;
}

/// The way to an agent from one that has it as its base.
pub type Way<A> = fn(&mut dyn Any) -> Option<&mut A>;

/// Reads a field of type `T`, whatever the agent is.
pub struct FieldReader<T>(Box<dyn Reads<T>>);

// Not derived: a field's type need not be `Clone`.
impl<T> Clone for FieldReader<T> {
    fn clone(&self) -> Self {
        FieldReader(self.0.again())
    }
}

impl<T> fmt::Debug for FieldReader<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FieldReader")
    }
}

impl<T> FieldReader<T> {
    /// The value; none, and an error kept by the blackboard, if it has no JSON form: then it is no
    /// value of a property.
    #[inline]
    pub(in crate::call) fn read(&self, agent: &mut dyn Any, board: &Blackboard) -> Option<T> {
        self.0.read(agent, board)
    }
}

trait Reads<T>: Send + Sync {
    fn again(&self) -> Box<dyn Reads<T>>;
    fn read(&self, agent: &mut dyn Any, board: &Blackboard) -> Option<T>;
}

struct Reader<A, F> {
    way: Option<Way<A>>,
    name: &'static str,
    field: F,
}

impl<A, T, F> AnyField<A> for TypedField<A, T, F>
where
    A: Agent,
    T: FieldValue,
    F: Fn(&A) -> &T + Copy + Send + Sync + 'static,
{
    fn reader(&self, way: Option<Way<A>>) -> Box<dyn Any> {
        let TypedField { name, field, .. } = *self;
        let reader = Reader { way, name, field };
        Box::new(FieldReader(Box::new(reader)))
    }
}

impl<A, T, F> Reads<T> for Reader<A, F>
where
    A: Agent,
    T: FieldValue,
    F: Fn(&A) -> &T + Copy + Send + Sync + 'static,
{
    fn again(&self) -> Box<dyn Reads<T>> {
        let Reader { way, name, field } = *self;
        Box::new(Reader { way, name, field })
    }

    fn read(&self, agent: &mut dyn Any, board: &Blackboard) -> Option<T> {
        let agent = match self.way {
            None => agent.downcast_mut(),
            Some(way) => way(agent),
        };
        let value = (self.field)(agent?);
        // What others wrote for their types may panic; of numbers nothing of this is left.
        let copy = AssertUnwindSafe(|| has_json(value).map(|()| value.clone()));
        match catch_unwind(copy) {
            Ok(Ok(value)) => Some(value),
            Ok(Err(why)) => board.keep_error(without_json(self.name, &why)),
            Err(panic) => board.keep_error(panicked(self.name, panic)),
        }
    }
}

/// A property's getter, or the copy of a field, has panicked.
#[cold]
pub(super) fn panicked(property: &str, panic: Box<dyn Any + Send>) -> CallError {
    let why = panic_text(panic);
    CallError::refused(format!("property `{property}` panicked: {why}"))
}

#[cold]
fn without_json(property: &str, why: &NoJson) -> CallError {
    let error = CallError::refused(format!("value {why}"));
    error.about(&format!("property `{property}`"))
}
