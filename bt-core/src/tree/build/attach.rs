//! What is attached to a node, as its file says it, to what the runner asks and calls.

use std::fmt::Arguments;

use serde_json::{Map, Value};

use super::{ACTION, Build, flag, nanos, text};
use crate::tree::plan::{Attached, Effects, Guard, Service, Taken};

/// What a node may have besides what its kind takes, but for keys.
const ATTACHMENTS: [&str; 4] = ["guards", "effects", "services", "events"];

impl Build<'_> {
    pub(super) fn attached(&mut self, extra: &Map<String, Value>) -> Option<Box<Attached>> {
        if !ATTACHMENTS.iter().any(|key| extra.contains_key(*key)) {
            return None;
        }
        let guards = objects(extra, "guards").enumerate();
        let guards =
            guards.map(|(at, guard)| self.guard(guard, format_args!("/extra/guards/{at}")));
        let guards = guards.collect();
        let effects = extra.get("effects").and_then(Value::as_object);
        let effects = effects.map(|effects| self.effects(effects));
        let services = objects(extra, "services").enumerate();
        let services = services.map(|(at, service)| Service {
            call: self
                .call(service, ACTION, format_args!("/extra/services/{at}"))
                .call,
            every: nanos(service),
        });
        let services = services.collect();
        let events = objects(extra, "events").enumerate();
        let events =
            events.map(|(at, taken)| self.taken(taken, format_args!("/extra/events/{at}")));
        let all = Attached {
            guards,
            effects: effects.unwrap_or_default(),
            services,
            events: events.collect(),
        };
        let effects = &all.effects;
        let any_effect = !effects.enter.is_empty()
            || !effects.success.is_empty()
            || !effects.failure.is_empty()
            || !effects.exit.is_empty();
        let any = any_effect
            || !all.guards.is_empty()
            || !all.services.is_empty()
            || !all.events.is_empty();
        any.then(|| Box::new(all))
    }

    fn guard(&mut self, guard: &Map<String, Value>, below: Arguments<'_>) -> Guard {
        let abort = guard.get("abort").and_then(Value::as_str).unwrap_or("none");
        let is_polled = guard.get("mode").and_then(Value::as_str) == Some("poll");
        let inner = std::mem::replace(&mut self.scope, self.outer);
        let ask = self.ask(guard, below);
        self.scope = inner;
        Guard {
            ask,
            own: is_polled || matches!(abort, "self" | "both"),
            lower: matches!(abort, "lower" | "both"),
        }
    }

    fn effects(&mut self, effects: &Map<String, Value>) -> Effects {
        let mut calls = |when: &str| -> Box<[u32]> {
            objects(effects, when)
                .enumerate()
                .map(|(at, call)| {
                    let below = format_args!("/extra/effects/{when}/{at}");
                    self.call(call, ACTION, below).call
                })
                .collect()
        };
        Effects {
            enter: calls("enter"),
            success: calls("success"),
            failure: calls("failure"),
            exit: calls("exit"),
        }
    }

    fn taken(&mut self, taken: &Map<String, Value>, below: Arguments<'_>) -> Taken {
        let tree = self.tree_number(text(taken, "tree"), format_args!("{below}/tree"));
        let scope = self.trees[tree as usize].scope;
        let (own, seen): (Vec<_>, Vec<_>) = self
            .named_params(taken)
            .into_iter()
            .partition(|(_, key)| self.table.is_own(scope, key));
        Taken {
            event: self.event(text(taken, "event"), false),
            tree,
            comes_back: text(taken, "mode") == "return",
            once: flag(taken, "once"),
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

/// The objects of a list.
fn objects<'x>(
    extra: &'x Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'x Map<String, Value>> {
    let list = extra.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_object)
}
