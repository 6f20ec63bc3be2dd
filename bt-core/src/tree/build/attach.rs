//! The attachments of a node, from its file to the guards and calls of the runner.

use std::fmt::Arguments;

use super::Build;
use crate::kinds::attached::{Attachments, EventMode, EventTree, GuardMode};
use crate::kinds::call::Call;
use crate::kinds::set::Writes;
use crate::kinds::values::Name;
use crate::kinds::{self, Caller};
use crate::tree::plan::{Attached, Effects, Guard, Service, Taken};

impl Build<'_> {
    pub(super) fn attached(&mut self, all: &Attachments<'_>) -> Option<Box<Attached>> {
        let effects = all.effects.lists();
        let has_effects = effects.iter().any(|(_, calls)| !calls.is_empty());
        let services = all.services.iter().zip(0..);
        let services: Box<[_]> = services
            .map(|(service, at)| self.service(service, at))
            .collect();
        let numbers = std::mem::take(&mut self.numbers);
        let any = has_effects
            || !numbers.is_empty()
            || !all.guards.is_empty()
            || !services.is_empty()
            || !all.events.is_empty();
        if !any {
            return None;
        }
        let guards = all.guards.iter().enumerate();
        let guards =
            guards.map(|(at, guard)| self.guard(guard, format_args!("/extra/guards/{at}")));
        let guards = guards.collect();
        let effects = self.effects(&all.effects);
        let events = all.events.iter().enumerate();
        let events =
            events.map(|(at, taken)| self.taken(taken, format_args!("/extra/events/{at}")));
        Some(Box::new(Attached {
            guards,
            effects,
            services,
            numbers: numbers.into(),
            events: events.collect(),
        }))
    }

    fn service(&mut self, service: &kinds::attached::Service<'_>, at: u32) -> Service {
        let below = format_args!("/extra/services/{at}");
        let call = self.call_or_writes(&service.action, &service.writes, Caller::Service, below);
        let every = service.seconds.plan_service(self, at);
        Service { call, every }
    }

    fn guard(&mut self, guard: &kinds::attached::Guard<'_>, below: Arguments<'_>) -> Guard {
        let inner = std::mem::replace(&mut self.scope, self.outer);
        let ask = self.ask(guard, Caller::Guard, below);
        self.scope = inner;
        Guard {
            ask,
            own: guard.mode == Some(GuardMode::Poll) || guard.abort.is_own(),
            lower: guard.abort.is_lower(),
        }
    }

    fn effects(&mut self, effects: &kinds::attached::Effects<'_>) -> Effects {
        let mut calls = |when: &str, list: &[kinds::attached::Effect<'_>]| -> Box<[u32]> {
            list.iter()
                .enumerate()
                .map(|(at, effect)| {
                    let below = format_args!("/extra/effects/{when}/{at}");
                    self.call_or_writes(&effect.action, &effect.writes, Caller::Effect, below)
                })
                .collect()
        };
        Effects {
            enter: calls("enter", &effects.enter),
            success: calls("success", &effects.success),
            failure: calls("failure", &effects.failure),
            aborted: calls("aborted", &effects.aborted),
            exit: calls("exit", &effects.exit),
        }
    }

    /// The number of a call, or of what is written in its place.
    fn call_or_writes(
        &mut self,
        call: &Call<'_>,
        writes: &Writes<'_>,
        caller: Caller,
        below: Arguments<'_>,
    ) -> u32 {
        match writes.0.is_empty() {
            true => self.call(call, caller, below).call,
            false => self.writes(writes, below),
        }
    }

    fn taken(&mut self, taken: &EventTree<'_>, below: Arguments<'_>) -> Taken {
        let (Name(event), Name(tree)) = (taken.event, taken.tree);
        let tree = self.tree_number(tree, format_args!("{below}/tree"));
        let scope = self.trees[tree as usize].scope;
        let (own, seen): (Vec<_>, Vec<_>) = self
            .named_params(event, &taken.params)
            .into_iter()
            .partition(|(_, key)| self.table.is_own(scope, key));
        Taken {
            event: self.event(event, false),
            tree,
            comes_back: taken.mode == EventMode::Return,
            once: taken.once,
            params: seen
                .into_iter()
                .map(|(param, key)| (param, self.key(key)))
                .collect(),
            own: own
                .into_iter()
                .map(|(param, key)| (param, key.into()))
                .collect(),
        }
    }
}
