//! Expressions as they are evaluated.

use serde_json::Value;

use super::ast::{Operator, Span};
use super::builtins::Builtin;
use crate::blackboard::KeyId;

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
        if let What::Constant(value) = &self.what {
            Some(value)
        } else {
            None
        }
    }
}
