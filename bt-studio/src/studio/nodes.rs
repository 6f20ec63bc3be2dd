//! The facts about a node.

use bt_core::kinds::call::{Argument, Call};
use bt_core::kinds::values::Formula;
use bt_core::kinds::{Caller, Path, Use};
use bt_core::registry::AgentInfo;
use bt_core::registry::catalogue::{Deprecation, MethodEntry, ValueEntry};
use bt_core::tree::asset::AssetNode;
use bt_meta::text::json::{Id, Json};

use super::Studio;
use crate::mentions::argument_of;
use crate::protocol::{
    ArgumentInfo, ArgumentMode, CallInfo, EventInfo, Failure, GetNode, NodeInfo, ParameterInfo,
    PropertyInfo,
};

impl Studio {
    pub(super) fn node(&mut self, client: u64, asked: &GetNode) -> Result<NodeInfo, Failure> {
        let registry = self.registry.clone();
        let document = self.document(client, asked.doc)?;
        let no_tree = || Failure::refused("the text is no tree: put it right first");
        let (tree, path) = (
            document.tree.clone().ok_or_else(no_tree)?,
            document.path.clone(),
        );
        let text = document.text.clone();
        let node = tree.node(asked.node);
        let node =
            node.ok_or_else(|| Failure::unknown(format!("there is no node {}", asked.node)))?;
        let json = Json::read(&text);
        let agent = tree.agent().zip(registry.as_deref());
        let agent = agent.and_then(|(name, registry)| registry.agent(name).ok());
        let part = json.as_ref().and_then(|json| {
            let pointer = tree.pointer(node.idx())?;
            Some((json, json.find(json.root(), &pointer)?))
        });
        let mut calls = calls(node, agent, part);
        let own = calls
            .iter()
            .position(|call| call.at == "/extra" && call.caller != "reset_if");
        let extra =
            part.and_then(|(json, part)| Some(json.raw(json.get(part, "extra")?).to_owned()));
        Ok(NodeInfo {
            call: own.map(|at| calls.remove(at)),
            attached: calls,
            extra_raw: extra,
            keys: self.keys(&path, &tree, node, agent),
            takes: self.takes(node),
            events: agent.map(events).unwrap_or_default(),
            properties: agent.map(properties).unwrap_or_default(),
        })
    }
}

/// A text and a node's place in it.
type Part<'j> = Option<(&'j Json<'j>, Id)>;

/// The calls of a node, and the guards with expressions in place of calls; its attachments' last.
fn calls(node: &AssetNode, agent: Option<AgentInfo<'_>>, part: Part<'_>) -> Vec<CallInfo> {
    let mut calls = Vec::new();
    node.uses(&mut |path, used| {
        if let Some((caller, call)) = used.call() {
            calls.push(call_info(path, caller, call, agent, part));
        } else if let Use::Guard(caller, guard) = used
            && let Some(Formula(text)) = guard.formula
        {
            calls.push(CallInfo {
                expression: Some(text.to_owned()),
                ..about(path, caller)
            });
        }
    });
    calls
}

/// The facts about a call that its place gives.
fn about(path: &Path<'_>, caller: Caller) -> CallInfo {
    let (name_key, args_key) = caller.keys();
    CallInfo {
        caller: word(caller).to_owned(),
        name_key: name_key.to_owned(),
        args_key: args_key.to_owned(),
        at: path.pointer(),
        ..CallInfo::default()
    }
}

fn call_info(
    path: &Path<'_>,
    caller: Caller,
    call: &Call<'_>,
    agent: Option<AgentInfo<'_>>,
    part: Part<'_>,
) -> CallInfo {
    let found = agent.and_then(|agent| agent.action(call.name).ok());
    let about = about(path, caller);
    let list = part.and_then(|(json, part)| {
        let around = json.find(part, &about.at)?;
        Some((json, json.get(around, &about.args_key)?))
    });
    let mut info = CallInfo {
        name: call.name.to_owned(),
        known: found.is_some(),
        arguments: arguments(found.as_ref().map(|found| found.entry), call, list),
        ..about
    };
    if let Some(found) = found {
        let item = &found.entry.item;
        info.agent = Some(found.agent.full_name().to_owned());
        info.renamed = (item.name != call.name).then(|| item.name.clone());
        info.origin = Some(format!("{}/{}:{}", item.package, item.file, item.line));
        info.brief.clone_from(&item.brief);
        info.returns.clone_from(&found.entry.returns);
        info.deprecated = item.deprecated.as_ref().map(deprecated);
    }
    info
}

fn word(caller: Caller) -> &'static str {
    match caller {
        Caller::Action => "action",
        Caller::Condition => "condition",
        Caller::Decorator => "decorator",
        Caller::Composite => "composite",
        Caller::ResetIf => "reset_if",
        Caller::Guard => "guard",
        Caller::Effect => "effect",
        Caller::Service => "service",
    }
}

fn deprecated(deprecation: &Deprecation) -> String {
    match (deprecation.since.as_str(), deprecation.note.as_str()) {
        ("", note) => note.to_owned(),
        (since, "") => format!("since {since}"),
        (since, note) => format!("since {since}: {note}"),
    }
}

/// The arguments of a method, and those that are given beside.
fn arguments(method: Option<&MethodEntry>, call: &Call<'_>, list: Part<'_>) -> Vec<ArgumentInfo> {
    let args = method.map_or(&[][..], |method| &method.args);
    let mut all: Vec<ArgumentInfo> = args.iter().map(argument).collect();
    for (at, item) in call.args.all().unwrap_or_default().iter().enumerate() {
        let place = method.and_then(|method| argument_of(method, at, item));
        let free = place.filter(|place| all[*place].at.is_none());
        let place = free.unwrap_or_else(|| {
            all.push(ArgumentInfo {
                name: item.name().unwrap_or_default().to_owned(),
                ..ArgumentInfo::default()
            });
            all.len() - 1
        });
        give(&mut all[place], at, item, list);
    }
    all
}

/// The facts that a method gives about an argument.
fn argument(entry: &ValueEntry) -> ArgumentInfo {
    let ty = &entry.ty;
    ArgumentInfo {
        name: entry.name.clone(),
        comment: entry.comment.clone(),
        type_shown: ty.type_name.clone(),
        schema: ty.schema.clone(),
        unit: ty.unit.clone(),
        min: ty.min.clone(),
        max: ty.max.clone(),
        step: ty.step.clone(),
        choices: ty.choices.clone(),
        optional: ty.optional,
        default: ty.default.clone(),
        writes: ty.in_out.is_some(),
        deprecated: entry.deprecated,
        ..ArgumentInfo::default()
    }
}

/// Adds the value in the file.
fn give(info: &mut ArgumentInfo, at: usize, item: &Argument<'_>, list: Part<'_>) {
    info.at = u32::try_from(at).ok();
    info.mode = Some(match (item.key(), item.property(), item.expression()) {
        (Some(_), _, _) => ArgumentMode::Key,
        (_, Some(_), _) => ArgumentMode::Property,
        (_, _, Some(_)) => ArgumentMode::Expression,
        (None, None, None) => ArgumentMode::Literal,
    });
    info.key = item.key().map(str::to_owned);
    info.property = item.property().map(str::to_owned);
    info.expression = item.expression().map(str::to_owned);
    let own = list.and_then(|(json, list)| Some((json, *json.part(list).children.get(at)?)));
    info.raw = own.map(|(json, own)| json.raw(own).to_owned());
    let value = own.and_then(|(json, own)| Some(json.raw(json.get(own, "arg_value")?).to_owned()));
    info.value = value.filter(|_| info.mode == Some(ArgumentMode::Literal));
}

fn events(agent: AgentInfo<'_>) -> Vec<EventInfo> {
    let events = agent.events().into_iter().map(|event| EventInfo {
        name: event.item.name.clone(),
        brief: event.item.brief.clone(),
        parameters: event
            .params
            .iter()
            .map(|param| ParameterInfo {
                name: param.name.clone(),
                type_shown: param.ty.type_name.clone(),
                comment: param.comment.clone(),
            })
            .collect(),
    });
    events.collect()
}

fn properties(agent: AgentInfo<'_>) -> Vec<PropertyInfo> {
    let properties = agent.properties().into_iter().map(|property| PropertyInfo {
        name: property.item.name.clone(),
        type_shown: property.ty.type_name.clone(),
        brief: property.item.brief.clone(),
        read_only: property.read_only,
    });
    properties.collect()
}
