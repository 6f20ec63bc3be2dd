//! `behaviac_meta.xml`: the agents as behaviac's designer knows them.
//!
//! Elements, attributes and their order are those of the listing in seed document 4, 2.1, which has no
//! XML declaration: UTF-8 is what XML is without one. It has no element for a type and no attribute for
//! a base; so enums and structs are there by name only, and what an agent inherits is written out in it,
//! with the class that defines it. A designer calls methods; decorators that wrap a node have no
//! counterpart.

mod types;
mod xml;

use super::members::{Member, events, methods, properties};
use super::one;
use crate::catalogue::{
    AgentEntry, EventEntry, ItemEntry, MethodEntry, MethodKind, PropertyEntry, ValueEntry,
};
use crate::error::{Error, count};
use crate::files::Files;
use crate::layout::Agents;
use types::{result_name, type_name};
use xml::Element;

/// The parameters that behaviac's own reflection takes at most (seed document 4, 2.3).
const MOST_PARAMETERS: usize = 8;

/// The file, and what behaviac will not take of it.
pub(super) fn file<'a>(agents: &Agents<'a>, selected: &[&'a AgentEntry]) -> Result<Files, Error> {
    let meta = meta(agents, selected);
    let cannot = |error| Error::failure(format!("cannot write as XML: {error}"));
    let text = meta.document().map_err(cannot)?;
    let all = |element: &str| text.matches(element).count();
    let counts = [
        count(selected.len(), "agent"),
        count(all("<Member "), "member"),
        count(all("<Method "), "method"),
    ];
    let mut files = one("behaviac_meta.xml", text, counts.join(", "));
    files.warnings = warnings(agents, selected);
    Ok(files)
}

fn meta<'a>(agents: &Agents<'a>, selected: &[&'a AgentEntry]) -> Element {
    let each = selected.iter().map(|entry| agent(agents, entry));
    Element::new("metas").holding([Element::new("agents").holding(each)])
}

/// All that the listing shows are `inherited`: from what behaviac's runtime runs.
fn agent<'a>(agents: &Agents<'a>, agent: &'a AgentEntry) -> Element {
    let methods = methods(agents, agent)
        .into_iter()
        .filter(|method| method.entry.kind != MethodKind::Decorator);
    Element::new("agent")
        .with("classfullname", &agent.full_name)
        .with("inherited", "true")
        .with("DisplayName", display(&agent.item))
        .with("Desc", &agent.item.brief)
        .holding(properties(agents, agent).iter().map(member))
        .holding(methods.map(|called| method(&called)))
        .holding(events(agents, agent).iter().map(event))
}

fn member(property: &Member<'_, PropertyEntry>) -> Element {
    named("Member", &property.entry.item)
        .with("Type", &type_name(&property.entry.ty.type_name))
        .with("Class", &property.from.full_name)
        .flag("Static", property.entry.is_static)
}

fn method(method: &Member<'_, MethodEntry>) -> Element {
    named("Method", &method.entry.item)
        .with("Class", &method.from.full_name)
        .flag("Static", method.entry.is_static)
        .with("ReturnType", result_name(method.entry.result))
        .holding(method.entry.args.iter().map(param))
}

fn event(event: &Member<'_, EventEntry>) -> Element {
    named("Method", &event.entry.item)
        .with("Flag", "namedevent")
        .with("Class", &event.from.full_name)
        .with("ReturnType", "bool")
        .holding(event.entry.params.iter().map(param))
}

/// A parameter is known by its display name alone: where there is none, that is its name.
fn param(value: &ValueEntry) -> Element {
    Element::new("Param")
        .with(
            "DisplayName",
            value.display.as_deref().unwrap_or(&value.name),
        )
        .with("Desc", &value.comment)
        .with("Type", &type_name(&value.ty.type_name))
}

fn named(element: &'static str, item: &ItemEntry) -> Element {
    Element::new(element)
        .with("Name", &item.name)
        .with("DisplayName", display(item))
        .with("Desc", &item.brief)
}

fn display(item: &ItemEntry) -> &str {
    item.display.as_deref().unwrap_or_default()
}

fn warnings(agents: &Agents<'_>, selected: &[&AgentEntry]) -> Vec<String> {
    let own = selected.iter().flat_map(|agent| {
        let methods = agent.methods.iter();
        methods.map(move |method| (agent, method))
    });
    own.filter(|(_, method)| method.args.len() > MOST_PARAMETERS)
        .map(|(agent, method)| {
            let (item, key) = (&method.item, agents.key(agent));
            let (number, name) = (method.args.len(), &item.name);
            format!(
                "`{name}` of `{key}` ({} {}:{}) takes {number} arguments; behaviac calls methods of \
                 {MOST_PARAMETERS} at most",
                item.package, item.file, item.line
            )
        })
        .collect()
}
