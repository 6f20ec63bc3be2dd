//! A tree's call of a method that is described.

use std::sync::Arc;

use serde_json::Value;

use super::method::{Method, Responds};
use super::signature::{Backs, Slot};
use crate::blackboard::Blackboard;
use crate::call::method::Stepwise;
use crate::call::resolve::{Binder, BoardKey, Origin};
use crate::call::{BoundCall, Context, Outcome, Returned};
use crate::compare::equal;
use crate::describe::catalogue::InOut;
use crate::error::CallError;

/// A call whose arguments are resolved.
pub(super) struct Bound {
    method: Arc<Method>,
    /// The values, `null` where a key's goes.
    values: Vec<Value>,
    keys: Vec<(usize, BoardKey)>,
    backs: Backs,
}

impl Bound {
    /// # Errors
    /// [`CallError::is_arguments`] with every bad argument.
    pub(super) fn new(method: Arc<Method>, origins: &[Origin<'_>]) -> Result<Bound, CallError> {
        let mut binder = Binder::new(origins, method.signature.params());
        let slots = method.signature.slots(&mut binder);
        if !binder.is_fine() {
            return Err(binder.error());
        }
        let (mut values, mut keys, mut backs) = (Vec::new(), Vec::new(), Vec::new());
        for (at, slot) in slots.into_iter().flatten().enumerate() {
            values.push(Value::Null);
            match slot {
                Slot::Literal(value) => values[at] = value,
                Slot::Key(key) => keys.push((at, key)),
                Slot::Back(key, in_out) => backs.push((at, key, in_out)),
            }
        }
        Ok(Bound {
            method,
            values,
            keys,
            backs,
        })
    }

    /// The values for one call.
    fn read(&self, board: &Blackboard) -> Option<Vec<Value>> {
        let mut values = self.values.clone();
        let taken = self
            .backs
            .iter()
            .filter(|(.., in_out)| *in_out == InOut::InOut);
        let taken = taken.map(|(at, key, _)| (*at, key));
        for (at, key) in self.keys.iter().map(|(at, key)| (*at, key)).chain(taken) {
            values[at] = self.method.signature.value(at, key, board)?;
        }
        Some(values)
    }

    fn is_literal(&self) -> bool {
        self.keys.is_empty() && self.backs.is_empty()
    }
}

impl<A: Responds> BoundCall<A> for Bound {
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        agent: &mut A,
        _: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<Outcome> {
        if self.is_literal() {
            return call(&self.method, agent, cx, &self.values, &[]);
        }
        let values = self.read(cx.board())?;
        call(&self.method, agent, cx, &values, &self.backs)
    }

    fn stepwise(&self) -> Option<&dyn Stepwise<A>> {
        match self.is_literal() {
            true => None,
            false => Some(self),
        }
    }
}

impl<A: Responds> Stepwise<A> for Bound {
    fn resolve<'a, 'w: 'a, 's: 'a>(
        &self,
        _: &mut A,
        _: &'a mut A::World<'w, 's>,
        cx: &mut Context<'_>,
    ) -> Option<()> {
        self.read(cx.board()).map(drop)
    }
}

/// Calls a method with values, and writes back what it answers.
pub(super) fn call<A: Responds>(
    method: &Method,
    agent: &mut A,
    cx: &mut Context<'_>,
    values: &[Value],
    backs: &[(usize, BoardKey, InOut)],
) -> Option<Outcome> {
    let board = cx.board();
    if !backs.is_empty() {
        board.begin_holding(method.entry.fallible, backs.len() > 1);
    }
    let mut response = match agent.respond(method, values, cx) {
        Ok(response) => response,
        Err(error) => {
            board.end_holding(true);
            return board.keep_error(error);
        }
    };
    response.writes.sort_by_key(|(at, _)| *at);
    for (at, value) in response.writes {
        let Some((_, key, in_out)) = backs.iter().find(|(back, ..)| *back == at) else {
            continue;
        };
        // One that is as it was is not written.
        let same = || {
            board
                .lent(key.id())
                .is_some_and(|held| equal(&value, &held))
        };
        if *in_out == InOut::Out || !same() {
            board.write_back(key.id(), Ok::<_, String>(value));
        }
    }
    if !backs.is_empty() {
        board.end_holding(matches!(response.returned, Returned::Failed(_)));
    }
    board.settled(response.returned)
}
