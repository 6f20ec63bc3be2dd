//! Lines that are attached to a node: `GUARD`, `SERVICE`, `ON`, `EVENT`, `KEY`; and `AGENT`, whose tree it is.

use serde_json::{Map, Value, json};

use super::super::TreeAsset;
use super::arguments::arguments;
use super::entry::{Attached, Entry, Fault, GuardOption, Moment, Param};
use super::literal::plain;
use super::words::in_capitals;
use crate::kinds::Kind;
use crate::kinds::call::ArgumentType;
use crate::kinds::root::AGENT_NAME;
use crate::tree::asset::NodeData;
use crate::tree::asset::spec::{Call, NodeSpec, call, expr, guard, writes};

impl Attached {
    /// Attaches what the line says to a node of the tree.
    pub(super) fn attach(&self, entry: &Entry, tree: &mut TreeAsset, to: u32) -> Result<(), Fault> {
        let Some(node) = tree.node_mut(to) else {
            return Ok(());
        };
        let name = entry.name.as_str();
        match self {
            Attached::Agent => {
                if entry.depth > 0 {
                    let message = "`AGENT` stands above the first node, indented as that is";
                    return Err(message.to_owned().into());
                }
                if entry.param.is_some() {
                    node.extra.extend(self.keys(entry, "mode")?);
                }
                node.extra.insert(AGENT_NAME.to_owned(), name.into());
                node.comment.clone_from(&entry.comment);
            }
            Attached::Key => {
                let declared = self.keys(entry, "type")?;
                change(node, |spec| spec.declared(name, declared));
            }
            Attached::Event => {
                let starts = self.keys(entry, "tree")?;
                change(node, |spec| spec.event(name, starts));
            }
            Attached::Guard(options) => {
                let mut call = match &entry.param {
                    Some(Param::Source(ArgumentType::Expression, text)) if name.is_empty() => {
                        expr(text).into()
                    }
                    Some(_) | None => guard(name),
                };
                for argument in arguments(entry.param.as_ref().filter(|_| !name.is_empty()))? {
                    call = call.argument(argument);
                }
                for GuardOption(key, word) in options {
                    call = match word {
                        Some(word) => call.set(key, *word),
                        None => call.set(key, true),
                    };
                }
                change(node, |spec| spec.guard(call));
            }
            Attached::Service(seconds) => {
                let call = self.called(entry)?;
                change(node, |spec| spec.service(*seconds, call));
            }
            Attached::Effect(Moment(key)) => {
                let call = self.called(entry)?;
                change(node, |spec| spec.effect(key, call));
            }
        }
        Ok(())
    }

    /// The action that a line calls, or what it writes in place of that.
    fn called(&self, entry: &Entry) -> Result<Call, Fault> {
        let name = entry.name.as_str();
        match (in_capitals(name), &entry.param) {
            (None, param) => {
                let all = arguments(param.as_ref())?.into_iter();
                Ok(all.fold(call(name), Call::argument))
            }
            (Some(Kind::Set), Some(Param::Named(named))) => {
                let mut call = writes([]);
                for (key, (_, value)) in named {
                    call = call.set(key, plain(value.clone())?);
                }
                Ok(call)
            }
            // Its text was refused before.
            (Some(Kind::Set), None) => Ok(writes([])),
            (Some(_), _) => Err(Fault {
                help: "it writes with `SET $count = $count + 1`".to_owned(),
                ..format!(
                    "`{}` calls an action of the agent, found `{name}`",
                    self.word()
                )
                .into()
            }),
        }
    }

    /// The keys that a dict gives; text is the value of the first of them.
    fn keys(&self, entry: &Entry, first: &str) -> Result<Map<String, Value>, Fault> {
        let mut keys = Map::new();
        match &entry.param {
            Some(Param::One(Value::String(text))) => {
                keys.insert(first.to_owned(), text.as_str().into());
            }
            Some(Param::Named(named)) => {
                for (key, (_, value)) in named {
                    keys.insert(key.clone(), value_of_key(value)?);
                }
            }
            Some(Param::Several(_) | Param::Source(..) | Param::One(_)) | None => {
                return Err(format!(
                    "`{} {}` takes its {first} in quotes, or a dict, found {}",
                    self.word(),
                    crate::text::name(&entry.name),
                    entry.found()
                )
                .into());
            }
        }
        Ok(keys)
    }
}

/// A value; of a dict that says which key takes which parameter `$key` is the key's name.
fn value_of_key(value: &Param) -> Result<Value, Fault> {
    let Param::Named(named) = value else {
        return plain(value.clone());
    };
    let items = named.iter().map(|(name, (_, item))| match item {
        Param::Source(ArgumentType::Blackboard, key) => Ok((name.clone(), json!(key))),
        item => Ok((name.clone(), plain(item.clone())?)),
    });
    let object: Result<Map<_, _>, Fault> = items.collect();
    Ok(object?.into())
}

/// Attaches something to a node.
fn change(node: &mut NodeData, attach: impl FnOnce(NodeSpec) -> NodeSpec) {
    let spec = NodeSpec {
        data: std::mem::replace(node, NodeData::new("")),
        children: Vec::new(),
    };
    *node = attach(spec).data;
}
