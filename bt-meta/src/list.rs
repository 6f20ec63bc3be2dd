//! The catalogue for people: agents, what they can do, and where that is defined.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::catalogue::{
    AgentEntry, Catalogue, InOut, ItemEntry, MethodEntry, ReturnKind, TypeEntry, ValueEntry,
};
use crate::error::Error;
use crate::layout::Agents;

/// The agents, one section each, as text.
///
/// # Errors
/// As [`crate::files::render`] for the same catalogue.
pub fn text(catalogue: &Catalogue, agent: Option<&str>) -> Result<String, Error> {
    let agents = Agents::new(catalogue)?;
    let mut text = String::new();
    for (index, agent) in selected(&agents, agent)?.into_iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        section(&agents, agent, &mut text);
    }
    if text.is_empty() {
        text.push_str("no agents\n");
    }
    Ok(text)
}

/// The agents as JSON: the entries of `agents.json`, and in `inherited` the names of what their bases
/// add to their methods.
///
/// # Errors
/// As [`crate::files::render`] for the same catalogue.
pub fn json(catalogue: &Catalogue, agent: Option<&str>) -> Result<Value, Error> {
    let agents = Agents::new(catalogue)?;
    let cannot = |error| Error::failure(format!("cannot write as JSON: {error}"));
    let mut entries = Vec::new();
    for agent in selected(&agents, agent)? {
        let mut entry = serde_json::to_value(agent).map_err(cannot)?;
        let inherited = agents
            .callables(agent)
            .into_iter()
            .filter_map(|(name, callable)| {
                let from = callable.from;
                (from.full_name != agent.full_name)
                    .then(|| json!({"name": name, "from": from.full_name}))
            });
        entry["inherited"] = inherited.collect();
        entries.push(entry);
    }
    let mut list = json!({"schema_version": catalogue.schema_version, "agents": entries});
    list.sort_all_objects();
    Ok(list)
}

fn selected<'a>(agents: &Agents<'a>, wanted: Option<&str>) -> Result<Vec<&'a AgentEntry>, Error> {
    Ok(match wanted {
        Some(wanted) => vec![agents.find(wanted)?],
        None => agents.all().collect(),
    })
}

fn section(agents: &Agents<'_>, agent: &AgentEntry, text: &mut String) {
    let line: Vec<&str> = agents
        .line(agent)
        .skip(1)
        .map(|base| agents.key(base))
        .collect();
    let base = if line.is_empty() {
        String::new()
    } else {
        format!(" : {}", line.join(" : "))
    };
    row(
        text,
        0,
        &format!("{}{base}", agents.key(agent)),
        &agent.item,
    );
    for method in &agent.methods {
        row(text, 2, &signature(method), &method.item);
    }
    for property in &agent.properties {
        let mut words = vec!["property"];
        words.extend(property.is_static.then_some("static"));
        words.extend(property.read_only.then_some("read-only"));
        let words = words.join(" ");
        let line = format!(
            "{words} {}: {}",
            property.item.name,
            value_type(&property.ty)
        );
        row(text, 2, &line, &property.item);
    }
    for event in &agent.events {
        let line = format!("event {}({})", event.item.name, values(&event.params));
        row(text, 2, &line, &event.item);
    }
    let inherited = agents.callables(agent).len() - agent.methods.len();
    if inherited > 0 {
        let _ = writeln!(text, "  and {inherited} inherited");
    }
}

/// One line: what it is, what it is for, and where it is defined.
fn row(text: &mut String, indent: usize, what: &str, item: &ItemEntry) {
    let brief = if item.brief.is_empty() {
        String::new()
    } else {
        format!(" - {}", item.brief)
    };
    let old = if item.deprecated.is_some() {
        " (deprecated)"
    } else {
        ""
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{:indent$}{what}{old}{brief}  [{} {}:{}]",
        "", item.package, item.file, item.line,
    );
}

fn signature(method: &MethodEntry) -> String {
    let kind = method.kind.word();
    let is_static = if method.is_static { "static " } else { "" };
    let result = match method.result {
        ReturnKind::Unit => None,
        ReturnKind::Async => Some("async"),
        ReturnKind::Status => Some("status"),
        ReturnKind::Next => Some("next"),
        ReturnKind::NextChild => Some("next_child"),
        ReturnKind::Bool => Some("bool"),
        ReturnKind::Value => Some("value"),
    };
    let answer = method
        .answer
        .as_ref()
        .map(|answer| answer.type_name.as_str());
    let result = answer.or(result).map(|result| format!(" -> {result}"));
    format!(
        "{is_static}{kind} {}({}){}",
        method.item.name,
        values(&method.args),
        result.unwrap_or_default()
    )
}

fn values(values: &[ValueEntry]) -> String {
    let each = values
        .iter()
        .map(|value| format!("{}: {}", value.name, value_type(&value.ty)));
    each.collect::<Vec<_>>().join(", ")
}

fn value_type(value: &TypeEntry) -> String {
    let direction = match value.in_out {
        Some(InOut::Out) => "out ",
        Some(InOut::InOut) => "in-out ",
        None => "",
    };
    let unit = value
        .unit
        .as_ref()
        .map(|unit| format!(" {unit}"))
        .unwrap_or_default();
    let default = value
        .default
        .as_ref()
        .map(|default| format!(" = {default}"))
        .unwrap_or_default();
    format!("{direction}{}{unit}{default}", value.type_name)
}
