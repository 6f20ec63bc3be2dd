//! Expressions over values that are given: those of a picture, of a recording, of a moment that is past.

use std::cell::{Ref, RefCell};

use serde_json::Value;

use super::ast::{Argument, Expr, Mistake};
use super::compile::{Link, compile};
use super::eval::{Outside, Val, eval};
use super::names::Target;
use crate::blackboard::KeyId;
use crate::error::CallError;

/// Evaluates an expression over values of keys and properties, none of one that is unset.
///
/// Nothing of a game runs: a condition or a query of an agent is a mistake where it is reached.
///
/// ```
/// use bt_core::expression::{Target, evaluate, parse};
///
/// let value = |target: &Target| match target {
///     Target::Key(key) if key == "hp" => Some(12.into()),
///     Target::Key(_) | Target::Property(_) => None,
/// };
/// assert_eq!(evaluate(&parse("$hp < 20").unwrap(), &value).unwrap(), true);
/// let mistake = evaluate(&parse("$hp < $limit").unwrap(), &value).unwrap_err();
/// assert_eq!(mistake.message, "it is unset");
/// ```
///
/// # Errors
/// The mistake that ends it, with its place.
pub fn evaluate(expr: &Expr, value: &dyn Fn(&Target) -> Option<Value>) -> Result<Value, Mistake> {
    let mut given = Given {
        value,
        found: Vec::new(),
    };
    // Every name has a meaning here.
    let code =
        compile(expr, &mut given).map_err(|error| Mistake::new(expr.at, error.to_string()))?;
    eval(&code, &mut Read(&given.found))
        .map(Val::into_json)
        .map_err(|fault| Mistake::new(fault.at(), fault.message()))
}

/// The values that are given, in the order in which they are written.
struct Given<'v> {
    value: &'v dyn Fn(&Target) -> Option<Value>,
    found: Vec<Found>,
}

/// Something that is written in an expression.
enum Found {
    Value(Option<RefCell<Value>>),
    Call(String),
}

impl Given<'_> {
    fn add(&mut self, found: Found) -> u32 {
        self.found.push(found);
        self.found.len() as u32 - 1
    }

    fn find(&mut self, target: &Target) -> u32 {
        let value = (self.value)(target);
        self.add(Found::Value(value.map(RefCell::new)))
    }
}

impl Link for Given<'_> {
    fn key(&mut self, key: &str) -> Result<KeyId, CallError> {
        Ok(KeyId::numbered(self.find(&Target::Key(key.to_owned()))))
    }

    fn property(&mut self, property: &str) -> Result<u32, CallError> {
        Ok(self.find(&Target::Property(property.to_owned())))
    }

    fn call(&mut self, method: &str, _: &[Argument]) -> Result<u32, CallError> {
        Ok(self.add(Found::Call(method.to_owned())))
    }
}

/// Values that were found, lent to the evaluation.
struct Read<'b>(&'b [Found]);

impl<'b> Read<'b> {
    fn value(&self, number: u32) -> Option<Ref<'b, Value>> {
        match self.0.get(number as usize)? {
            Found::Value(value) => Some(value.as_ref()?.borrow()),
            Found::Call(_) => None,
        }
    }
}

impl<'b> Outside<'b> for Read<'b> {
    fn key(&mut self, key: KeyId) -> Option<Ref<'b, Value>> {
        self.value(key.number())
    }

    fn property(&mut self, number: u32) -> Result<Option<Ref<'b, Value>>, CallError> {
        Ok(self.value(number))
    }

    fn call(&mut self, number: u32) -> Result<Val<'b>, CallError> {
        let name = match self.0.get(number as usize) {
            Some(Found::Call(name)) => name,
            Some(Found::Value(_)) | None => "",
        };
        let name = crate::text::name(name);
        Err(CallError::refused(format!(
            "`{name}` is not called here: only keys, properties and built-in functions have values"
        )))
    }
}
