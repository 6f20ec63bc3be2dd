//! The definitions of one agent: the names that its trees may use, and the arguments.

use bt_core::kinds::call::ArgumentType;
use bt_core::kinds::{Caller, Kind};
use serde_json::{Value, json};

use super::super::members::{self, Member};
use super::args::when_argument;
use super::calls::{self, Calls};
use super::defs::Defs;
use super::kinds::when_kind;
use super::names::{doubted, of_members, one_of, or_any};
use crate::catalogue::{AgentEntry, EventEntry, MethodEntry, MethodKind};
use crate::layout::Agents;

/// References to the definitions of an agent: objects that call, or name, something of it.
pub(super) struct Agent {
    /// `action_name` of what an action node and an effect call.
    action: Value,
    /// `action_name` of what a service calls: nothing that stays running.
    service: Value,
    /// `action_name` of what a condition node asks.
    condition: Value,
    /// `condition_name`
    guard: Value,
    /// `decorator_name`
    decorator: Value,
    /// `composite_name`
    composite: Value,
    /// `event` and `params`
    event: Value,
    /// `arg_type` and `arg_value`
    argument: Value,
}

impl Agent {
    /// Adds the definitions of an agent.
    pub(super) fn new<'a>(
        agents: &Agents<'a>,
        agent: &'a AgentEntry,
        defs: &mut Defs,
        calls: &mut Calls<'a>,
    ) -> Agent {
        let key = agents.key(agent);
        let add =
            |defs: &mut Defs, what: &str, schema| defs.add(&format!("agent.{key}.{what}"), schema);
        let properties = members::properties(agents, agent);
        let properties = add(defs, "properties", one_of(&of_members(&properties)));
        let argument = when_argument(ArgumentType::Property, &properties);
        let argument = add(defs, "argument", argument);
        let events = event(&members::events(agents, agent));
        let event = add(defs, "event", events);

        let methods = members::methods(agents, agent);
        let that = |test: fn(&MethodEntry) -> bool| -> Vec<&Member<'a, MethodEntry>> {
            let all = methods.iter();
            all.filter(|method| test(method.entry)).collect()
        };
        let leaves = that(MethodEntry::is_leaf);
        let asking = that(MethodEntry::is_condition);
        let wrapping = that(|method| method.kind == MethodKind::Decorator);
        let holding = that(|method| method.kind == MethodKind::Composite);
        let mut passed = |defs: &mut Defs, keys, methods: &[_], what| {
            let schema = calls.arguments(agents, keys, methods, &argument, defs);
            add(defs, what, schema)
        };
        let called = passed(defs, Caller::Action, &leaves, "called");
        let asked = passed(defs, Caller::Guard, &asking, "asked");
        let wrapped = passed(defs, Caller::Decorator, &wrapping, "wrapped");
        let held = passed(defs, Caller::Composite, &holding, "held");

        let any = agents.line(agent).any(|agent| agent.fallback.is_some());
        let mut listed = |what, of: &[&Member<'a, MethodEntry>]| {
            let names = one_of(&of_members(of.iter().copied()));
            add(defs, what, names)
        };
        let conditions = listed("conditions", &asking);
        let decorators = listed("decorators", &wrapping);
        let composites = listed("composites", &holding);
        // One list each: of several, an editor reports an old name in the second as wrong in the first.
        let at_once = that(|method| method.is_leaf() && !method.is_async);
        let at_once = listed("actions_at_once", &at_once);
        let actions = listed("actions", &leaves);
        let names = |listed: &Value| match any {
            true => or_any(listed),
            false => listed.clone(),
        };
        Agent {
            action: calls::object(Caller::Action, &names(&actions), &called),
            service: calls::object(Caller::Action, &names(&at_once), &called),
            condition: calls::object(Caller::Action, &names(&conditions), &called),
            guard: calls::object(Caller::Guard, &names(&conditions), &asked),
            decorator: calls::object(Caller::Decorator, &decorators, &wrapped),
            composite: calls::object(Caller::Composite, &composites, &held),
            event,
            argument,
        }
    }

    /// A node of a tree that the agent runs.
    pub(super) fn node(&self) -> Value {
        let in_extra = |kind: Kind, extra: &Value| {
            when_kind(kind.name(), json!({"properties": {"extra": extra}}))
        };
        let reset_if = json!({"properties": {"reset_if": self.guard}});
        let handed = json!({"properties": {"args": {"additionalProperties": self.argument}}});
        let list = |of: &Value| json!({"items": of});
        json!({
            "properties": {"extra": {"properties": {
                "guards": list(&self.guard),
                "effects": {"additionalProperties": list(&self.action)},
                "services": list(&self.service),
                "events": list(&self.event),
            }}},
            "allOf": [
                in_extra(Kind::Action, &self.action),
                in_extra(Kind::Condition, &self.condition),
                in_extra(Kind::Decorator, &self.decorator),
                in_extra(Kind::Composite, &self.composite),
                in_extra(Kind::RunLimit, &reset_if),
                in_extra(Kind::SubTree, &handed),
                in_extra(Kind::WaitEvent, &self.event),
            ],
        })
    }
}

/// An event by its name, which may be one that only the host knows, and the parameters that it has.
fn event(events: &[Member<'_, EventEntry>]) -> Value {
    let each = events.iter().map(|event| {
        let mut names = vec![event.entry.item.name.as_str()];
        names.extend(&event.aliases);
        let params = event.entry.params.iter();
        let params = params.flat_map(|param| std::iter::once(&param.name).chain(&param.alias));
        let params: Vec<&String> = params.collect();
        let known = match params.is_empty() {
            true => json!({"maxProperties": 0}),
            false => json!({"propertyNames": {"enum": params}}),
        };
        json!({
            "if": {"properties": {"event": {"enum": names}}, "required": ["event"]},
            "then": {"properties": {"params": known}},
        })
    });
    let each: Vec<Value> = each.collect();
    let names = or_any(&one_of(&of_members(events)));
    let known = events.iter().flat_map(|event| {
        let aliases = event.aliases.iter().copied();
        std::iter::once(event.entry.item.name.as_str()).chain(aliases)
    });
    let known: Vec<&str> = known.collect();
    let warning = doubted("no agent registers an event of that name: the host has to fire it");
    let mut schema = json!({
        "properties": {"event": names},
        "if": {"properties": {"event": {"not": {"enum": known}}}, "required": ["event"]},
        "then": {"properties": {"event": warning}},
    });
    if !each.is_empty() {
        schema["allOf"] = json!(each);
    }
    schema
}
