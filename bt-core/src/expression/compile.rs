//! Expressions become what is evaluated: names looked up, constants folded.

use std::cell::Ref;

use serde_json::Value;

use super::ast::{Argument, Expr, Form};
use super::code::{Code, What};
use super::eval::{Fault, Outside, Val, eval};
use crate::blackboard::KeyId;
use crate::error::CallError;

/// The meaning of names where an expression is evaluated.
pub(crate) trait Link {
    /// The slot of a key.
    fn key(&mut self, key: &str) -> Result<KeyId, CallError>;

    /// The number of a property.
    fn property(&mut self, property: &str) -> Result<u32, CallError>;

    /// The number of a call.
    fn call(&mut self, method: &str, args: &[Argument]) -> Result<u32, CallError>;
}

/// The surroundings of constants: no name has a meaning.
struct Nothing;

impl Link for Nothing {
    fn key(&mut self, key: &str) -> Result<KeyId, CallError> {
        Err(CallError::unknown(key.to_owned()))
    }

    fn property(&mut self, property: &str) -> Result<u32, CallError> {
        Err(CallError::unknown(property.to_owned()))
    }

    fn call(&mut self, method: &str, _: &[Argument]) -> Result<u32, CallError> {
        Err(CallError::unknown(method.to_owned()))
    }
}

/// Looks up the names of an expression.
///
/// # Errors
/// The first name that is unknown.
pub(crate) fn compile(expr: &Expr, link: &mut dyn Link) -> Result<Code, CallError> {
    let mut one = |part: &Expr| compile(part, &mut *link);
    let what = match &expr.form {
        Form::Literal(value) => What::Constant(value.clone()),
        Form::Key(key) => What::Key(link.key(&key.name)?),
        Form::Property(property) => What::Property(link.property(&property.name)?),
        Form::Call(method, args) => What::Call(link.call(&method.name, args)?),
        Form::List(items) => What::List(items.iter().map(one).collect::<Result<_, _>>()?),
        Form::Builtin(builtin, args) => {
            What::Builtin(*builtin, args.iter().map(one).collect::<Result<_, _>>()?)
        }
        Form::Field(of, name) => What::Field(Box::new(one(of)?), name.name.clone()),
        Form::Item(of, item) => What::Item(Box::new([one(of)?, one(item)?])),
        Form::Not(of) => What::Not(Box::new(one(of)?)),
        Form::Minus(of) => What::Minus(Box::new(one(of)?)),
        Form::Binary(operator, a, b) => What::Binary(*operator, Box::new([one(a)?, one(b)?])),
        Form::Otherwise(a, b) => What::Otherwise(Box::new([one(a)?, one(b)?])),
        Form::Choose(parts) => {
            let [a, b, c] = &**parts;
            What::Choose(Box::new([one(a)?, one(b)?, one(c)?]))
        }
    };
    Ok(folded(Code { at: expr.at, what }))
}

/// Folds code of constants alone into its value. Code that has no value stays as it is.
fn folded(code: Code) -> Code {
    let constant = |part: &Code| part.constant().is_some();
    let folds = match &code.what {
        What::Constant(_) | What::Key(_) | What::Property(_) | What::Call(_) => false,
        What::List(parts) | What::Builtin(_, parts) => parts.iter().all(constant),
        What::Field(of, _) | What::Not(of) | What::Minus(of) => constant(of),
        What::Item(parts) | What::Binary(_, parts) | What::Otherwise(parts) => {
            parts.iter().all(constant)
        }
        What::Choose(parts) => parts.iter().all(constant),
    };
    if !folds {
        return code;
    }
    match eval(&code, &mut Nothing).map(Val::into_json) {
        Ok(value) => Code {
            at: code.at,
            what: What::Constant(value),
        },
        Err(_) => code,
    }
}

/// The value of an expression without keys, properties and calls; none of one that has them.
pub(super) fn evaluated(expr: &Expr) -> Option<Result<Value, Fault>> {
    let code = compile(expr, &mut Nothing).ok()?;
    Some(eval(&code, &mut Nothing).map(Val::into_json))
}

/// The value of an expression that is always the same.
///
/// ```
/// use bt_core::expression::{constant, parse};
///
/// assert_eq!(constant(&parse("6 / 3 + 1").unwrap()), Some(3.0.into()));
/// assert_eq!(constant(&parse("$hp + 1").unwrap()), None);
/// ```
pub fn constant(expr: &Expr) -> Option<Value> {
    evaluated(expr)?.ok()
}

impl<'b> Outside<'b> for Nothing {
    fn key(&mut self, _: KeyId) -> Option<Ref<'b, Value>> {
        None
    }

    fn property(&mut self, _: u32) -> Result<Option<Ref<'b, Value>>, CallError> {
        Ok(None)
    }

    fn call(&mut self, _: u32) -> Result<Val<'b>, CallError> {
        Ok(Val::Bool(false))
    }
}
