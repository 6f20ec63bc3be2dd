//! Expressions as they are evaluated: names looked up, constants folded.

use serde_json::Value;

use super::ast::{Argument, Expr, Form, Operator, Span};
use super::builtins::Builtin;
use super::eval::{Val, eval};
use crate::blackboard::KeyId;
use crate::error::CallError;

/// An expression that can be evaluated.
#[derive(Debug)]
pub(crate) struct Code {
    pub(super) at: Span,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    Constant(Value),
    Key(KeyId),
    Property(u32),
    Call(u32),
    List(Box<[Code]>),
    Field(Box<Code>, Box<str>),
    Item(Box<[Code; 2]>),
    Not(Box<Code>),
    Minus(Box<Code>),
    Binary(Operator, Box<[Code; 2]>),
    Otherwise(Box<[Code; 2]>),
    Choose(Box<[Code; 3]>),
    Builtin(Builtin, Box<[Code]>),
}

impl Code {
    /// The value, if that is always the same.
    pub(crate) fn constant(&self) -> Option<&Value> {
        match &self.what {
            What::Constant(value) => Some(value),
            _ => None,
        }
    }
}

/// What names stand for where an expression is evaluated.
pub(crate) trait Link {
    /// The slot of a key.
    fn key(&mut self, key: &str) -> Result<KeyId, CallError>;

    /// The number of a property.
    fn property(&mut self, property: &str) -> Result<u32, CallError>;

    /// The number of a call.
    fn call(&mut self, method: &str, args: &[Argument]) -> Result<u32, CallError>;
}

/// Where names stand for nothing: constants.
pub(super) struct Nothing;

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
/// The first name that stands for nothing.
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

/// The constant that code with nothing but constants in it comes to. One that has no value stays what it is.
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
