//! The ports of the leaves: as `TreeNodesModel` says, as the known catalogue says, else as the trees use them.

use std::collections::BTreeMap;

use super::kinds::is_built_in;
use super::xml::Element;
use crate::catalogue::{Catalogue, InOut, MethodKind};
use crate::import::catalogue::{Method, Port};
use crate::import::types::Type;

/// The methods of the agent, by name, and the ports of sub-trees.
#[derive(Debug, Default)]
pub(super) struct Models {
    pub(super) methods: BTreeMap<String, Method>,
    /// Of a sub-tree's ports, the values where a call gives none.
    pub(super) sub_trees: BTreeMap<String, Vec<(String, String)>>,
}

/// The kind that a tag of the engine names.
pub(super) fn tag(name: &str) -> Option<MethodKind> {
    match name {
        "Action" => Some(MethodKind::Action),
        "Condition" => Some(MethodKind::Condition),
        "Control" => Some(MethodKind::Composite),
        "Decorator" => Some(MethodKind::Decorator),
        _ => None,
    }
}

/// The name by which an element calls something: its `ID` below a tag of the engine's, else its own.
pub(super) fn called(element: &Element) -> &str {
    let general =
        tag(&element.name).is_some() || ["SubTree", "SubTreePlus"].contains(&element.name.as_str());
    match general {
        true => element.get("ID").unwrap_or(""),
        false => &element.name,
    }
}

/// Returns true for attributes that are no ports.
pub(super) fn is_reserved(attribute: &str) -> bool {
    ["ID", "name"].contains(&attribute) || attribute.starts_with('_')
}

/// The key that `{key}` names, of a port of this name for `{=}`.
pub(super) fn key<'v>(port: &'v str, value: &'v str) -> Option<&'v str> {
    let inside = value.trim().strip_prefix('{')?.strip_suffix('}')?;
    match inside {
        "" => None,
        "=" => Some(port),
        key => Some(key),
    }
}

impl Models {
    /// Takes the leaves that the known catalogue has for an agent.
    pub(super) fn know(&mut self, catalogue: &Catalogue, agent: &str) {
        let mut next = Some(agent.to_owned());
        while let Some(name) = next.take() {
            let is_it = |entry: &&crate::catalogue::AgentEntry| {
                entry.full_name == name || entry.item.name == name
            };
            let Some(entry) = catalogue.agents.iter().find(is_it) else {
                return;
            };
            for method in &entry.methods {
                let known = || Method::known(method);
                self.methods
                    .entry(method.item.name.clone())
                    .or_insert_with(known);
            }
            next = entry.base.clone().filter(|base| *base != name);
        }
    }

    /// Reads the `TreeNodesModel` of a file.
    pub(super) fn read(&mut self, root: &Element) {
        for model in root
            .named("TreeNodesModel")
            .flat_map(|models| &models.children)
        {
            let Some(id) = model.get("ID") else { continue };
            let ports = model.children.iter().filter_map(port);
            if model.name == "SubTree" {
                let defaults = ports.filter_map(|port| Some((port.name, port.default?)));
                self.sub_trees.insert(id.to_owned(), defaults.collect());
                continue;
            }
            let (Some(kind), false) = (tag(&model.name), is_built_in(id)) else {
                continue;
            };
            let ports = ports.chain(old_ports(model)).collect();
            let method = || Method::new(id, kind, ports, true, &model.place);
            self.methods.entry(id.to_owned()).or_insert_with(method);
        }
    }

    /// Learns from the elements of the trees what no model says.
    pub(super) fn learn(&mut self, trees: &[&Element]) {
        let mut calls: BTreeMap<&str, Vec<&Element>> = BTreeMap::new();
        let mut asked = Vec::new();
        for element in trees.iter().flat_map(|tree| tree.all()) {
            if element.name == "WhileDoElse" {
                asked.extend(element.children.first().map(called));
            }
            let name = called(element);
            if !name.is_empty() && !is_built_in(name) && !is_frame(&element.name) {
                calls.entry(name).or_default().push(element);
            }
        }
        for (name, calls) in calls {
            if let Some(method) = self.methods.get_mut(name).filter(|method| method.modelled) {
                if !method.is_known() {
                    method.called_without(&calls);
                }
                continue;
            }
            let most = calls
                .iter()
                .map(|call| call.children.len())
                .max()
                .unwrap_or(0);
            let kind = match calls.iter().find_map(|call| tag(&call.name)) {
                Some(kind) => kind,
                None if most > 1 => MethodKind::Composite,
                None if most == 1 => MethodKind::Decorator,
                None if asked.contains(&name) => MethodKind::Condition,
                None => MethodKind::Action,
            };
            let method = Method::new(name, kind, learned(&calls), false, &calls[0].place);
            self.methods.insert(name.to_owned(), method);
        }
    }
}

impl Method {
    /// Learns which ports a call may leave out: in the engine that is no error before the node asks for one.
    fn called_without(&mut self, calls: &[&Element]) {
        for port in &mut self.ports {
            port.optional |= calls.iter().any(|call| call.get(&port.name).is_none());
        }
    }
}

fn is_frame(name: &str) -> bool {
    ["BehaviorTree", "SubTree", "SubTreePlus"].contains(&name)
}

/// The ports that calls use, in the order in which they come.
fn learned(calls: &[&Element]) -> Vec<Port> {
    let mut ports: Vec<(Port, Option<Type>, usize)> = Vec::new();
    for call in calls {
        for attribute in call
            .attributes
            .iter()
            .filter(|attribute| !is_reserved(&attribute.name))
        {
            let at = ports
                .iter()
                .position(|(port, ..)| port.name == attribute.name);
            let at = at.unwrap_or_else(|| {
                ports.push((Port::named(&attribute.name), None, 0));
                ports.len() - 1
            });
            let (_, known, count) = &mut ports[at];
            *count += 1;
            if key(&attribute.name, &attribute.value).is_none() {
                let of = Type::of(&attribute.value);
                *known = Some(known.map_or(of, |known| known.join(of)));
            }
        }
    }
    let settled = ports.into_iter().map(|(mut port, known, count)| {
        port.ty = known.unwrap_or(Type::Any);
        port.optional = count < calls.len();
        port
    });
    settled.collect()
}

fn port(element: &Element) -> Option<Port> {
    let in_out = match element.name.as_str() {
        "input_port" => None,
        "output_port" => Some(InOut::Out),
        "inout_port" => Some(InOut::InOut),
        _ => return None,
    };
    let mut port = Port::named(element.get("name")?);
    port.in_out = in_out;
    port.ty = element.get("type").map_or(Type::Any, type_named);
    port.default = element
        .get("default")
        .filter(|text| !text.is_empty())
        .map(str::to_owned);
    port.optional = port.default.is_some();
    port.comment = element.get("description").unwrap_or_default().to_owned();
    Some(port)
}

/// The ports of version 2's models: attributes.
fn old_ports(model: &Element) -> Vec<Port> {
    let all = model
        .attributes
        .iter()
        .filter(|attribute| !is_reserved(&attribute.name));
    all.map(|attribute| Port::named(&attribute.name)).collect()
}

/// The type that a name of C++ stands for.
fn type_named(name: &str) -> Type {
    let name = name
        .trim_start_matches("const ")
        .trim_end_matches(['&', ' ']);
    match name.trim_start_matches("std::").trim_end_matches("_t") {
        "bool" => Type::Bool,
        "int" | "unsigned" | "unsigned int" | "short" | "long" | "size" | "int8" | "int16"
        | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64" => Type::Int,
        "float" | "double" => Type::Number,
        "string"
        | "basic_string<char, std::char_traits<char>, std::allocator<char> >"
        | "string_view" => Type::Text,
        _ => Type::Any,
    }
}
