//! The builder's side of a kind's plan.

use std::fmt::Arguments;

use serde_json::Value;

use super::Build;
use crate::blackboard::KeyId;
use crate::call::Source;
use crate::call::link::folded;
use crate::kinds::attached::Guard;
use crate::kinds::call::Call;
use crate::kinds::set::Writes;
use crate::kinds::values::{Formula, Parameters};
use crate::kinds::{Ask, Caller, Given, PlanContext, ReadNumber};
use crate::tree::plan::Number;

impl PlanContext for Build<'_> {
    fn children(&self) -> u32 {
        self.children
    }

    fn name(&mut self, name: &str) {
        self.name = name.to_owned().into();
    }

    fn call(&mut self, call: &Call<'_>, caller: Caller) -> u32 {
        let bound = Build::call(self, call, caller, format_args!("/extra"));
        match self.bound.get(bound.call as usize) {
            Some(known) if known.name == call.name => self.name = known.name.clone(),
            _ => self.name(call.name),
        }
        self.exits = bound.has_exit;
        bound.call
    }

    fn asked(&mut self, call: &Call<'_>, caller: Caller) -> (u32, bool) {
        let call = PlanContext::call(self, call, caller);
        // It has something to drop when it exits.
        self.exits = true;
        self.asks = true;
        let bound = self.bound.get(call as usize);
        (call, bound.is_some_and(|bound| bound.asks_running))
    }

    fn expression(&mut self, formula: Formula<'_>, parameter: &str) -> u32 {
        self.name(formula.0);
        Build::expression(self, formula, format_args!("/extra/{parameter}")).call
    }

    fn formula(&mut self, formula: Formula<'_>, place: Arguments<'_>) -> Given {
        // Of one that is empty there is a problem already.
        let source = match formula.0.is_empty() {
            true => Source::Literal(Value::Null),
            false => folded(formula.0),
        };
        Build::given(self, source, format_args!("/extra{place}"))
    }

    fn writes(&mut self, writes: &Writes<'_>) -> u32 {
        self.name(&writes.to_string());
        Build::writes(self, writes, format_args!("/extra"))
    }

    fn ask(&mut self, guard: &Guard<'_>, caller: Caller, parameter: &str) -> Ask {
        Build::ask(self, guard, caller, format_args!("/extra/{parameter}"))
    }

    fn event(&mut self, name: &str, latch: bool) -> u32 {
        Build::event(self, name, latch)
    }

    fn event_params(&mut self, event: &str, params: &Parameters<'_>) -> Box<[(Box<str>, KeyId)]> {
        self.params(event, params)
    }

    fn key(&mut self, key: &str) -> KeyId {
        Build::key(self, key)
    }

    fn tree(&mut self, name: &str, place: Arguments<'_>) -> u32 {
        self.tree_number(name, format_args!("/extra{place}"))
    }

    fn number(&mut self, number: ReadNumber, place: Arguments<'_>) {
        let given = Build::given(self, number.source, format_args!("/extra{place}"));
        self.numbers.push(Number {
            slot: number.slot,
            given,
            text: number.text.into(),
            wanted: number.wanted,
            counts_children: number.counts_children,
            is_kept: number.is_kept,
        });
    }

    fn given(&mut self, source: Source, place: Arguments<'_>) -> Given {
        Build::given(self, source, format_args!("/extra{place}"))
    }
}
