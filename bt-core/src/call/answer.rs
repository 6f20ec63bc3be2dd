//! The answer of a query: its type, and the value on its way to the caller.

use std::fmt::Display;
use std::marker::PhantomData;

use schemars::SchemaGenerator;
use serde_json::Value;

use super::{ActionResult, Context, Outcome, Returned};
use crate::decode::encode;
use crate::describe::catalogue::ReturnKind;
use crate::describe::schema::types;
use crate::describe::shape::{Showable, Shown};
use crate::describe::value::{Shape, shape};
use crate::error::CallError;

/// The facts that a query's return type gives about its answer.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    pub(crate) shape: Shape,
    /// True for a `Result`.
    pub(crate) fallible: bool,
}

impl Answer {
    /// The sort of result: a query that answers with a bool is a condition, too.
    pub(crate) fn kind(&self) -> ReturnKind {
        let schema = (self.shape.schema)(&mut SchemaGenerator::default());
        match types(schema.as_value()).as_deref() {
            Some(["boolean"]) => ReturnKind::Bool,
            Some(_) | None => ReturnKind::Value,
        }
    }
}

/// A query's return type: `<AnswerOf<T>>::__BT_ANSWER` is the inherent constant where it is a `Result`, under
/// whatever name, else that of `Plain`. Both are there for every type, so that one without a JSON form is
/// reported by the words of `Showable`.
#[derive(Debug)]
pub struct AnswerOf<T: ?Sized>(PhantomData<fn(&T)>);

impl<T, E> AnswerOf<Result<T, E>> {
    /// The type of a value that may be refused.
    pub const __BT_ANSWER: AnswerType<T> = AnswerType {
        fallible: true,
        of: PhantomData,
    };
}

/// A return type that is no `Result`.
pub trait Plain {
    /// The type itself.
    type Of: ?Sized;
    /// The type of the value.
    const __BT_ANSWER: AnswerType<Self::Of>;
}

impl<T: ?Sized> Plain for AnswerOf<T> {
    type Of = T;
    const __BT_ANSWER: AnswerType<T> = AnswerType {
        fallible: false,
        of: PhantomData,
    };
}

/// The type of an answer.
#[derive(Debug)]
pub struct AnswerType<T: ?Sized> {
    fallible: bool,
    of: PhantomData<fn(&T)>,
}

/// The facts about the type of an answer.
pub const fn answer_type<T: Showable + ?Sized>(ty: AnswerType<T>) -> Answer {
    Answer {
        shape: shape::<Shown<T>>(),
        fallible: ty.fallible,
    }
}

/// The result of a query: `answered` is the inherent method where it is a `Result`, else that of
/// `Answers`.
#[derive(Debug)]
pub struct Answering<'v, T>(pub &'v T);

impl<T, E> Answering<'_, Result<T, E>> {
    /// The answer, or the reason that there is none.
    pub fn answered(self) -> Answered
    where
        T: Showable,
        E: Display,
    {
        match self.0 {
            Ok(value) => Answering(value).answered(),
            Err(why) => Answered(Err(why.to_string())),
        }
    }
}

/// A value that is no `Result`.
pub trait Answers {
    /// The type of the value.
    type Of;
    /// The answer.
    fn answered(self) -> Answered
    where
        Self::Of: Showable;
}

impl<T> Answers for Answering<'_, T> {
    type Of = T;
    fn answered(self) -> Answered
    where
        T: Showable,
    {
        Answered(encode(self.0).map_err(|why| format!("value {why}")))
    }
}

/// The answer of a query as JSON, or the reason that there is none.
#[derive(Debug)]
pub struct Answered(Result<Value, String>);

impl ActionResult for Answered {
    const KIND: ReturnKind = ReturnKind::Value;
    #[inline]
    fn returned(self) -> Returned {
        match self.0 {
            Ok(Value::Bool(holds)) => Outcome::Done(holds).into(),
            Ok(value) => Returned::Answered(value),
            Err(why) => Returned::Failed(why),
        }
    }
}

/// The answer of a query or a condition that was called.
///
/// # Errors
/// The error that the call left, or the reason of its `Err`.
pub(super) fn answer(outcome: Option<Outcome>, cx: &mut Context<'_>) -> Result<Value, CallError> {
    let board = cx.board();
    match (outcome, board.take_failure()) {
        (None, _) => Err(cx.take_error()),
        (Some(_), Some(why)) => Err(CallError::refused(why)),
        (Some(outcome), None) => {
            let holds = outcome == Outcome::Done(true);
            Ok(board.take_answer().unwrap_or(Value::Bool(holds)))
        }
    }
}
