//! `behaviac_meta.xml`: the agents as behaviac's designer knows them.
//!
//! Elements, attributes and their order are those of the listing in seed document 4, 2.1, which has no
//! XML declaration: UTF-8 is what XML is without one. It has no attribute for a base; so what an agent
//! inherits is written out in it, with the class that defines it. A designer calls methods; decorators
//! that wrap a node have no counterpart. Types that behaviac does not have are defined in front of the
//! agents, as its designer writes them (`defined`), and `meta(net_role = "…")` is an attribute.

mod defined;
mod types;

use super::members::{Member, events, methods, properties};
use super::xml::Element;
use crate::catalogue::{
    AgentEntry, Catalogue, EventEntry, ItemEntry, MethodEntry, MethodKind, PropertyEntry,
    ValueEntry,
};
use crate::error::{Error, count};
use crate::files::Files;
use crate::layout::Agents;
use types::{result_name, type_name};

/// The parameters that behaviac's own reflection takes at most (seed document 4, 2.3).
const MOST_PARAMETERS: usize = 8;

/// The file, and what behaviac will not take of it.
pub(super) fn file<'a>(
    catalogue: &Catalogue,
    agents: &Agents<'a>,
    selected: &[&'a AgentEntry],
) -> Result<Files, Error> {
    let meta = meta(catalogue, agents, selected);
    let cannot = |error| Error::failure(format!("cannot write as XML: {error}"));
    let text = meta.document().map_err(cannot)?;
    let all = |element: &str| text.matches(element).count();
    let counts = [
        count(selected.len(), "agent"),
        count(all("<Member "), "member"),
        count(all("<Method "), "method"),
    ];
    let mut files = Files::one("behaviac_meta.xml", text, counts.join(", "));
    files.warnings = warnings(agents, selected);
    Ok(files)
}

fn meta<'a>(catalogue: &Catalogue, agents: &Agents<'a>, selected: &[&'a AgentEntry]) -> Element {
    let mut named: Vec<&str> = Vec::new();
    for entry in selected {
        let methods = called(agents, entry);
        named.extend(
            methods
                .iter()
                .flat_map(|method| types_of(&method.entry.args)),
        );
        let answers = methods
            .iter()
            .filter_map(|method| method.entry.answer.as_ref());
        named.extend(answers.map(|answer| answer.type_name.as_str()));
        let events = events(agents, entry);
        named.extend(
            events
                .iter()
                .flat_map(|event| types_of(&event.entry.params)),
        );
        let properties = properties(agents, entry);
        named.extend(
            properties
                .iter()
                .map(|property| property.entry.ty.type_name.as_str()),
        );
    }
    let types = defined::types(catalogue, &named);
    let each = selected.iter().map(|entry| agent(agents, entry));
    let agents = Element::new("agents").holding(each);
    Element::new("metas").holding(types.into_iter().chain([agents]))
}

fn types_of(values: &[ValueEntry]) -> impl Iterator<Item = &str> {
    values.iter().map(|value| value.ty.type_name.as_str())
}

/// The methods that a designer calls.
fn called<'a>(agents: &Agents<'a>, agent: &'a AgentEntry) -> Vec<Member<'a, MethodEntry>> {
    let mut methods = methods(agents, agent);
    let decides = [MethodKind::Decorator, MethodKind::Composite];
    methods.retain(|method| !decides.contains(&method.entry.kind));
    methods
}

/// All that the listing shows are `inherited`: from what behaviac's runtime runs.
fn agent<'a>(agents: &Agents<'a>, agent: &'a AgentEntry) -> Element {
    Element::new("agent")
        .with("classfullname", &agent.full_name)
        .with("inherited", "true")
        .with("DisplayName", display(&agent.item))
        .with("Desc", &agent.item.brief)
        .holding(properties(agents, agent).iter().map(member))
        .holding(called(agents, agent).iter().map(method))
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
        .with("ReturnType", &result_name(method.entry))
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
    let named = Element::new(element)
        .with("Name", &item.name)
        .with("DisplayName", display(item))
        .with("Desc", &item.brief);
    match item.meta.get("net_role").and_then(|role| role.as_str()) {
        Some(role) => named.with("net_role", role),
        None => named,
    }
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
