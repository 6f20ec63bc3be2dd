//! Leaves, and the agent's own nodes.

use bt_core::kinds::Kind;
use bt_core::tree::asset::spec::{self, NodeSpec, set};
use serde_json::{Value, json};

use super::super::kinds::BuiltIn;
use super::super::models::{called, is_reserved, key};
use super::super::xml::{Attribute, Element};
use super::{Builder, Skip, succeeds};
use crate::catalogue::{InOut, MethodKind};
use crate::import::catalogue::{Method, Port};
use crate::import::names;
use crate::import::types::Type;

impl<'f> Builder<'f> {
    /// A node that calls the agent.
    pub(super) fn method(&mut self, element: &'f Element) -> NodeSpec {
        let name = called(element);
        let models: &'f super::Models = self.models;
        let Some(method) = models.methods.get(name) else {
            let message = format!("`<{}>` does not say what it calls", element.name);
            return self.refuse(element, message, "give it an `ID`");
        };
        self.called.insert(name.to_owned());
        let args: Vec<Value> = self
            .arguments(element, method)
            .into_iter()
            .map(|(_, arg)| arg)
            .collect();
        let leaf_children = !element.children.is_empty()
            && matches!(method.kind, MethodKind::Action | MethodKind::Condition);
        if leaf_children {
            return self.refuse(
                element,
                format!("`{name}` is a leaf, and has children"),
                "correct its model, or move them",
            );
        }
        match method.kind {
            MethodKind::Action => spec::action(name).extra("action_args", args),
            MethodKind::Condition | MethodKind::Query => {
                spec::condition(name).extra("action_args", args)
            }
            MethodKind::Decorator | MethodKind::Composite => self.own_node(element, method, args),
        }
    }

    /// A decorator or a composite of the agent's own: what it does is in the source engine's C++.
    fn own_node(&mut self, element: &'f Element, method: &Method, args: Vec<Value>) -> NodeSpec {
        let name = method.name.as_str();
        let above = format!("`{name}`, of which nothing is known");
        let children: Vec<_> = element
            .children
            .iter()
            .map(|child| self.node(child, Skip::to(&above, None)))
            .collect();
        let message = format!("what `{name}` does with its children is not in the file");
        self.note(
            &element.place,
            message,
            "write it into the method of that name in the agent",
        );
        let (kind, key) = match method.kind {
            MethodKind::Decorator if children.len() == 1 => (
                spec::node(Kind::Decorator).extra("decorator_name", name),
                "decorator_args",
            ),
            MethodKind::Decorator => {
                let message = format!(
                    "`{name}` has {} children; a decorator has one",
                    children.len()
                );
                return self.refuse(element, message, "correct its model");
            }
            MethodKind::Action
            | MethodKind::Condition
            | MethodKind::Query
            | MethodKind::Composite
                if children.is_empty() =>
            {
                return self.refuse(element, format!("`{name}` has no child"), "take it out");
            }
            MethodKind::Action
            | MethodKind::Condition
            | MethodKind::Query
            | MethodKind::Composite => (
                spec::node(Kind::Composite).extra("composite_name", name),
                "composite_args",
            ),
        };
        kind.extra(key, args).children(children)
    }

    /// The arguments of a call, each with its name, in the method's order.
    fn arguments(&mut self, element: &Element, method: &Method) -> Vec<(String, Value)> {
        let mut all = Vec::new();
        for port in &method.ports {
            let given = element.attribute(&port.name);
            let default = port.default.as_deref().filter(|_| given.is_none());
            let default_key = default
                .and_then(|text| key(&port.name, text))
                .map(str::to_owned);
            let arg = match (given, default_key) {
                (None, None) if self.is_output(method, port) => {
                    Some(self.unused(element, method, port))
                }
                (Some(attribute), _) => self.argument(element, method, port, attribute),
                (None, Some(name)) => Some(self.on_key(element, method, port, &name)),
                (None, None) => None,
            };
            let named = |mut arg: Value| {
                arg["arg_name"] = port.name.as_str().into();
                (port.name.clone(), arg)
            };
            all.extend(arg.map(named));
        }
        let is_port = |name: &str| method.ports.iter().any(|port| port.name == name);
        for attribute in &element.attributes {
            if !is_reserved(&attribute.name) && !is_port(&attribute.name) {
                let message = format!(
                    "`{}` has no port `{}`; the engine refuses it, too",
                    method.name, attribute.name
                );
                self.lost(
                    &attribute.place,
                    message,
                    "correct the name, or add the port to `TreeNodesModel`",
                );
            }
        }
        all
    }

    /// Returns true if the method writes the port, as its model says or as an earlier pass found.
    fn is_output(&self, method: &Method, port: &Port) -> bool {
        let name = (method.name.clone(), port.name.clone());
        port.in_out.is_some() || self.known.outputs.contains(&name)
    }

    fn argument(
        &mut self,
        element: &Element,
        method: &Method,
        port: &Port,
        attribute: &Attribute,
    ) -> Option<Value> {
        if let Some(name) = key(&port.name, &attribute.value) {
            return Some(self.on_key(element, method, port, name));
        }
        if port.in_out.is_some() {
            // Version 3 takes the bare name of an entry.
            return Some(self.on_key(element, method, port, &attribute.value));
        }
        match port.ty.value(&attribute.value) {
            Some(value) => Some(json!({"arg_type": "plain", "arg_value": value})),
            None => {
                let message = format!(
                    "`{}` is no value of the port `{}`, whose type is {}",
                    attribute.value,
                    port.name,
                    port.ty.name()
                );
                self.lost(
                    &attribute.place,
                    message,
                    "write such a value, or correct the type in `TreeNodesModel`",
                );
                None
            }
        }
    }

    /// A key for what a call does not want to have.
    fn unused(&mut self, element: &Element, method: &Method, port: &Port) -> Value {
        if port.in_out == Some(InOut::InOut) {
            let message = format!(
                "`{}` is not given its port `{}`, which it reads, too",
                method.name, port.name
            );
            self.lost(
                &element.place,
                message,
                "give it an entry, or say in `TreeNodesModel` that it only writes",
            );
        }
        let key = self.made_key("unused", Type::Any);
        json!({"arg_type": "blackboard", "arg_value": key})
    }

    /// An argument that is a key.
    fn on_key(&mut self, element: &Element, method: &Method, port: &Port, name: &str) -> Value {
        let key = self.key(name);
        self.found.on_ports.insert(key.clone());
        if port.ty != Type::Any && method.modelled {
            self.found.types.declared(&key, port.ty);
        }
        if port.in_out.is_some() {
            self.found.written.insert(key.clone());
        }
        let port_name = (method.name.clone(), port.name.clone());
        if !method.modelled {
            if let Some(held) = self.type_of(&key) {
                let known = self.found.on_port.entry(port_name.clone()).or_insert(held);
                *known = known.join(held);
            }
            let writes = self.known.outputs.contains(&port_name);
            let first = !self.known.written.contains(&key) && !self.found.written.contains(&key);
            if writes || first && method.kind == MethodKind::Action && port.ty == Type::Any {
                self.found.outputs.insert(port_name);
                self.found.written.insert(key.clone());
                if writes {
                    let message = format!(
                        "nothing but `{}` may set the entry `{name}`, so its port `{}` is taken to write it",
                        method.name, port.name
                    );
                    self.note(
                        &element.place,
                        message,
                        "say in `TreeNodesModel` which ports read and which write",
                    );
                }
            }
        }
        json!({"arg_type": "blackboard", "arg_value": key})
    }

    /// A method with what was found about its ports.
    pub(super) fn settled(&self, method: &Method) -> Method {
        let mut method = method.clone();
        for port in &mut method.ports {
            let held = self
                .found
                .on_port
                .get(&(method.name.clone(), port.name.clone()));
            if let Some(held) = held.filter(|_| port.ty != Type::Any) {
                port.ty = port.ty.join(*held);
            }
            if self
                .found
                .outputs
                .contains(&(method.name.clone(), port.name.clone()))
            {
                (port.in_out, port.optional) = (Some(InOut::Out), false);
            }
        }
        method
    }

    /// A node as an expression, if it is one that only asks.
    pub(super) fn as_question(&mut self, element: &'f Element) -> Option<String> {
        use BuiltIn as B;
        if element.attributes.iter().any(|attribute| {
            [
                "_failureIf",
                "_successIf",
                "_skipIf",
                "_while",
                "_onSuccess",
                "_onFailure",
                "_post",
            ]
            .contains(&attribute.name.as_str())
        }) {
            return None;
        }
        let mut joined = |sign: &str| -> Option<String> {
            let all: Option<Vec<_>> = element
                .children
                .iter()
                .map(|child| self.as_question(child))
                .collect();
            let all: Vec<_> = all?.into_iter().map(|one| format!("({one})")).collect();
            (!all.is_empty()).then(|| all.join(sign))
        };
        match BuiltIn::named(&element.name) {
            Some(B::AlwaysSuccess) => Some("true".to_owned()),
            Some(B::AlwaysFailure) => Some("false".to_owned()),
            Some(B::Sequence | B::ReactiveSequence) => joined(" && "),
            Some(B::Fallback | B::ReactiveFallback) => joined(" || "),
            Some(B::Inverter) => Some(format!(
                "!({})",
                self.as_question(element.children.first()?)?
            )),
            Some(B::ScriptCondition) => {
                let code = element.attribute("code")?.clone();
                self.question(&code)
            }
            Some(_) => None,
            None => self.asked_method(element),
        }
    }

    /// A condition of the agent as a call in an expression.
    fn asked_method(&mut self, element: &Element) -> Option<String> {
        let name = called(element);
        let models: &'f super::Models = self.models;
        let method = models
            .methods
            .get(name)
            .filter(|method| method.kind == MethodKind::Condition)?;
        let is_name = |name: &str| names::key(name) == format!("${name}");
        if !is_name(name) || !method.ports.iter().all(|port| is_name(&port.name)) {
            return None;
        }
        self.called.insert(name.to_owned());
        let arguments = self.arguments(element, method);
        let written = arguments.iter().map(|(port, arg)| {
            let value = match (&arg["arg_type"], &arg["arg_value"]) {
                (kind, Value::String(key)) if kind == "blackboard" => names::key(key),
                (_, Value::String(text)) => names::text(text),
                (_, value) => value.to_string(),
            };
            format!("{port}: {value}")
        });
        Some(format!(
            "{name}({})",
            written.collect::<Vec<_>>().join(", ")
        ))
    }

    /// `SetBlackboard`.
    pub(super) fn set_blackboard(&mut self, element: &Element) -> NodeSpec {
        let (Some(value), Some(name)) = (
            element.attribute("value").cloned(),
            Self::output(element, &["output_key"]),
        ) else {
            return self.refuse(
                element,
                "`SetBlackboard` lacks `value` or `output_key`",
                "write both",
            );
        };
        let key = self.key(name);
        let held = self.type_of(&key);
        let text = match held {
            // What no port settles is a text, as the engine has it.
            None | Some(Type::Any) => Some(Type::Text),
            held => held,
        };
        match super::key("value", &value.value) {
            Some(from) => {
                let from = self.key(from);
                if let Some(ty) = self.type_of(&from) {
                    self.found.types.written(&key, ty);
                }
            }
            None => self.found.types.written(&key, Type::Text),
        }
        self.found.written.insert(key.clone());
        let value = self.operand(&value, text);
        set([(names::key(&key).as_str(), value.as_str())])
    }

    /// `UnsetBlackboard`.
    pub(super) fn unset_blackboard(&mut self, element: &Element) -> NodeSpec {
        let Some(name) = element.get("key") else {
            return self.refuse(element, "`UnsetBlackboard` has no `key`", "name the entry");
        };
        let key = self.key(name);
        spec::action("remove_key").arg(key)
    }

    /// `Sleep`.
    pub(super) fn sleep(&mut self, element: &Element) -> NodeSpec {
        let Some(time) = element.attribute("msec").cloned() else {
            return self.refuse(element, "`Sleep` has no `msec`", "write the milliseconds");
        };
        self.ends_before_the_turn(element);
        match self.seconds(&time) {
            Some(Value::Number(number)) if number.as_f64() == Some(0.0) => succeeds(),
            Some(Value::Number(number)) => spec::action("wait_for_seconds").arg(number),
            Some(expression) => {
                spec::action("wait_for_seconds").extra("action_args", vec![expression])
            }
            None => self.refuse(element, "`msec` is no number of milliseconds", "write one"),
        }
    }
}
