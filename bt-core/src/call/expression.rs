//! Expressions of an agent, evaluated: as conditions, and as values of arguments.

use std::cell::Ref;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use super::answer::answer;
use super::{BoundCall, Context, Outcome, Property};
use crate::Agent;
use crate::blackboard::{Blackboard, KeyId};
use crate::contained::panic_text;
use crate::error::CallError;
use crate::expression::{Code, Outside, Val, eval};
use crate::text;

/// An expression whose names are looked up.
pub(crate) struct BoundExpression<A: Agent> {
    pub(super) text: Box<str>,
    pub(super) code: Code,
    /// In the order in which they are written, each time that they are; with the slots that take them.
    pub(crate) properties: Vec<(Property<A>, KeyId)>,
    pub(super) calls: Vec<(&'static str, Box<dyn BoundCall<A>>)>,
}

/// An expression as messages show it.
pub(super) fn quoted(written: &str) -> String {
    format!("`{}`", text::name(written))
}

impl<A: Agent> BoundExpression<A> {
    /// Evaluates it.
    ///
    /// # Errors
    /// The mistake, with its place in the text.
    pub(crate) fn value<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Value, CallError> {
        self.with(agent, world, cx, |value| Ok(value.into_json()))
    }

    fn with<'a, 'w: 'a, 's: 'a, R>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
        take: impl FnOnce(Val<'_>) -> Result<R, String>,
    ) -> Result<R, CallError> {
        let board = cx.board();
        let mut asked = Asked {
            of: self,
            agent,
            world,
            board,
            cx: cx.reborrow(),
        };
        let value = match eval(&self.code, &mut asked) {
            Ok(value) => take(value),
            Err(fault) => Err(fault.behind(&self.text)),
        };
        value.map_err(|why| CallError::refused(format!("{}: {why}", quoted(&self.text))))
    }
}

impl<A: Agent> BoundCall<A> for BoundExpression<A> {
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        let answer = self.with(agent, world, cx, |value| match value {
            Val::Bool(holds) => Ok(holds),
            other => Err(format!("expected true or false, found {}", other.sort())),
        });
        match answer {
            Ok(holds) => Some(Outcome::Done(holds)),
            Err(error) => cx.board().keep_error(error),
        }
    }
}

/// The agent for which an expression is evaluated.
struct Asked<'x, 'w, 's, A: Agent> {
    of: &'x BoundExpression<A>,
    agent: &'x mut A,
    world: &'x mut A::World<'w, 's>,
    board: &'x Blackboard,
    cx: Context<'x>,
}

impl<'x, A: Agent> Outside<'x> for Asked<'x, '_, '_, A> {
    fn key(&mut self, key: KeyId) -> Option<Ref<'x, Value>> {
        self.board.lent(key)
    }

    fn property(&mut self, number: u32) -> Result<Option<Ref<'x, Value>>, CallError> {
        let (property, slot) = &self.of.properties[number as usize];
        let value = property.get_caught(self.agent, &mut *self.world, &mut self.cx)?;
        self.board.put(*slot, Some(value));
        Ok(self.board.lent(*slot))
    }

    fn call(&mut self, number: u32) -> Result<Val<'x>, CallError> {
        let (name, call) = &self.of.calls[number as usize];
        self.board.clear_failure();
        let run = || call.run(self.agent, &mut *self.world, &mut self.cx);
        let outcome = catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
            let why = panic_text(panic);
            CallError::refused(format!("`{name}` panicked: {why}"))
        })?;
        let answered = answer(outcome, &mut self.cx);
        answered
            .map(Val::own)
            .map_err(|error| error.about(&format!("`{name}`")))
    }
}

/// A value that is fetched before a call.
pub(crate) enum Fetch<A: Agent> {
    Property(Box<Property<A>>),
    Expression(BoundExpression<A>),
}

impl<A: Agent> Fetch<A> {
    /// The text of an expression.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Fetch::Property(_) => None,
            Fetch::Expression(expression) => Some(&expression.text),
        }
    }

    pub(crate) fn get<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        world: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Result<Value, CallError> {
        match self {
            Fetch::Property(property) => property.get_caught(agent, world, cx),
            Fetch::Expression(expression) => expression.value(agent, world, cx),
        }
    }
}
