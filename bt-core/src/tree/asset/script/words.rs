//! The words of a script: which node a line is.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::arguments::{argument, arguments};
use super::entry::{Entry, Fault, Param};
use super::literal::{self, plain};
use crate::describe::catalogue::JsonMap;
use crate::describe::schema::{all_of, branches, fields, items as each_item, target};
use crate::kinds::call::{Argument, ArgumentType};
use crate::kinds::{Caller, Kind, node_defs};
use crate::text::{self, quoted, suggest};
use crate::tree::asset::NodeData;
use crate::tree::asset::spec::{check, node, sub_tree};

/// The words that are no kinds of nodes.
const OTHERS: [&str; 7] = [
    "FALLBACK", "GUARD", "SERVICE", "ON", "EVENT", "KEY", "AGENT",
];

/// The node that a line stands for.
pub(super) fn data(entry: &Entry, children: usize) -> Result<NodeData, Fault> {
    let mut data = kind(entry, children)?;
    data.comment.clone_from(&entry.comment);
    Ok(data)
}

fn kind(entry: &Entry, children: usize) -> Result<NodeData, Fault> {
    let name = entry.name.as_str();
    match name {
        // A dict has the keys of the kind of that name.
        "SEQUENCE" if !matches!(entry.param, Some(Param::Named(_))) => {
            remembers(entry, Kind::ReactiveSequence, Kind::Sequence)
        }
        "FALLBACK" => remembers(entry, Kind::ReactiveSelect, Kind::Select),
        "PARALLEL" if !matches!(entry.param, Some(Param::Named(_))) => parallel(entry),
        "SUB_TREE" if !matches!(entry.param, Some(Param::Named(_))) => called_tree(entry),
        _ => match in_capitals(name) {
            Some(kind) => any(kind, entry),
            None => call(entry, children),
        },
    }
}

/// The kind whose name in capitals this is.
pub(super) fn in_capitals(word: &str) -> Option<Kind> {
    is_capitals(word).then(|| Kind::named(&word.to_lowercase()))?
}

fn is_capitals(word: &str) -> bool {
    word.len() > 1 && !word.contains(|char: char| !matches!(char, 'A'..='Z' | '0'..='9' | '_'))
}

fn remembers(entry: &Entry, plain: Kind, remembering: Kind) -> Result<NodeData, Fault> {
    match &entry.param {
        None | Some(Param::One(Value::Bool(false))) => Ok(NodeData::new(plain)),
        Some(Param::One(Value::Bool(true))) => Ok(node(remembering).keep_place().data),
        Some(Param::Several(_) | Param::Named(_) | Param::Source(..) | Param::One(_)) => {
            let message = format!(
                "`{}` takes `True`, if it keeps its place after an abort, or nothing, found {}",
                entry.name,
                entry.found()
            );
            let kind = plain.name().to_uppercase();
            let help = format!("with keys of its own it is `{kind} {{…}}`");
            Err(Fault {
                help,
                ..message.into()
            })
        }
    }
}

fn parallel(entry: &Entry) -> Result<NodeData, Fault> {
    let count = match &entry.param {
        Some(Param::One(value)) => {
            let count = value.as_u64().filter(|count| *count > 0);
            count.map(Value::from)
        }
        Some(source @ Param::Source(..)) => Some(argument(source, None)?),
        Some(Param::Several(_) | Param::Named(_)) | None => None,
    };
    let Some(count) = count else {
        return Err(format!(
            "`PARALLEL` takes how many of its children must succeed, a whole number from 1, found {}",
            entry.found()
        )
        .into());
    };
    // Every tick runs all of them.
    let spec = node(Kind::Parallel).extra("success", count);
    Ok(spec.extra("rerun", true).data)
}

/// `SUB_TREE "name"`, `SUB_TREE $key`, and as dicts behind it what the tree is given, and the keys that take its
/// results; then `"success"`, if they are taken after that alone.
fn called_tree(entry: &Entry) -> Result<NodeData, Fault> {
    let (tree, given, results) = match &entry.param {
        Some(Param::Several(items)) => match items.as_slice() {
            [(_, tree), (_, Param::Named(given))] => (Some(tree), Some(given), None),
            [
                (_, tree),
                (_, Param::Named(given)),
                (_, Param::Named(results)),
                on @ ..,
            ] if on.len() <= 1 => (Some(tree), Some(given), Some((results, on))),
            [..] => (None, None, None),
        },
        param => (param.as_ref(), None, None),
    };
    let spec = match tree {
        Some(Param::One(Value::String(name))) => sub_tree(name),
        Some(Param::Source(ArgumentType::Blackboard, key)) => {
            node(Kind::SubTree).extra("name_key", key.as_str())
        }
        Some(Param::Several(_) | Param::Named(_) | Param::Source(..) | Param::One(_)) | None => {
            return Err(format!(
                "`SUB_TREE` takes the name of a tree in quotes, or the `$key` that holds it, a \
                 dict of what the tree is given, and one of the `$key`s that take its results, found {}",
                entry.found()
            )
            .into());
        }
    };
    let Some(given) = given else {
        return Ok(spec.data);
    };
    let given = given.iter();
    let given: Result<Map<_, _>, Fault> = given
        .map(|(key, (_, value))| Ok((key.clone(), argument(value, None)?)))
        .collect();
    let given = given?;
    let mut spec = match results {
        Some(_) if given.is_empty() => spec,
        Some(_) | None => spec.extra("args", given),
    };
    let Some((results, on)) = results else {
        return Ok(spec.data);
    };
    for (key, (offset, own)) in results {
        let Param::Source(ArgumentType::Blackboard, own) = own else {
            let message = format!(
                "result `{}` is taken by a key, written `$key`",
                text::name(key)
            );
            return Err(Fault {
                at: Some(*offset),
                ..message.into()
            });
        };
        spec = spec.result(key, own);
    }
    match on {
        [(offset, on)] => {
            let Param::One(Value::String(on)) = on else {
                let message =
                    "behind results stands `\"success\"`, if they are taken after that alone";
                return Err(Fault {
                    at: Some(*offset),
                    ..message.to_owned().into()
                });
            };
            Ok(spec.extra("results_on", on.as_str()).data)
        }
        [..] => Ok(spec.data),
    }
}

/// A node of any kind, whose keys a dict gives.
fn any(kind: Kind, entry: &Entry) -> Result<NodeData, Fault> {
    let word = &entry.name;
    if let Some(advice) = instead_of(kind) {
        return Err(Fault {
            help: advice.to_owned(),
            ..format!("`{word}` is no node of a script").into()
        });
    }
    let mut data = NodeData::new(kind);
    match &entry.param {
        None => {}
        Some(Param::Source(ArgumentType::Expression, text)) if kind == Kind::Check => {
            return Ok(check(text).data);
        }
        Some(Param::Named(named)) => {
            let schema = kind.schema();
            for (key, (offset, value)) in named {
                let value = match &numbers_read(value, property(&schema, key)) {
                    Param::Source(ty, name) => {
                        return Err(no_source(kind, key, *offset, *ty, name));
                    }
                    value => plain(value.clone())?,
                };
                data.extra.insert(key.clone(), value);
            }
        }
        Some(Param::Several(_) | Param::Source(..) | Param::One(_)) => {
            let schema = kind.schema();
            let keys = fields(&schema).into_iter().flat_map(Map::keys);
            let keys = quoted(keys.map(String::as_str)).join(", ");
            let message = format!("`{word}` takes a dict of its keys, found {}", entry.found());
            let help = match keys.is_empty() {
                true => "it has none: leave out what stands behind it".to_owned(),
                false => format!("its keys are {keys}"),
            };
            return Err(Fault {
                help,
                ..message.into()
            });
        }
    }
    Ok(data)
}

/// The JSON Schema of a key of a node, or of an object in one.
fn property<'s>(schema: &'s Value, key: &str) -> Option<&'s Value> {
    let schema = resolved(schema);
    let own = fields(schema).and_then(|all| all.get(key));
    let mut parts = all_of(schema).into_iter().flatten();
    own.or_else(|| parts.find_map(|part| property(part, key)))
}

/// A JSON Schema, or the one that it refers to.
fn resolved(schema: &Value) -> &Value {
    static DEFS: LazyLock<JsonMap> = LazyLock::new(node_defs);
    target(&DEFS, schema).unwrap_or(schema)
}

/// `$key`, `@property` and expressions as arguments, in the places of numbers of nodes.
fn numbers_read(param: &Param, schema: Option<&Value>) -> Param {
    let Some(schema) = schema else {
        return param.clone();
    };
    let schema = resolved(schema);
    match param {
        Param::Source(..) => {
            let mut forms = branches(schema).into_iter().flatten();
            let is_number = forms.any(|form| *form == Argument::schema());
            let read = argument(param, None).ok().filter(|_| is_number);
            read.map_or_else(|| param.clone(), Param::One)
        }
        Param::Several(items) => {
            let each = items.iter();
            let items = each.map(|(at, item)| (*at, numbers_read(item, each_item(schema))));
            Param::Several(items.collect())
        }
        Param::Named(named) => {
            let named = named.iter().map(|(key, (at, item))| {
                (
                    key.clone(),
                    (*at, numbers_read(item, property(schema, key))),
                )
            });
            Param::Named(named.collect())
        }
        Param::One(_) => param.clone(),
    }
}

/// The fault of `$key` where a key of a node has its value, which is written out.
fn no_source(kind: Kind, key: &str, offset: usize, ty: ArgumentType, name: &str) -> Fault {
    let by_key = format!("{key}_key");
    let schema = kind.schema();
    let has_it = fields(&schema).is_some_and(|all| all.contains_key(&by_key));
    let name = text::name(name);
    let help = match has_it && ty == ArgumentType::Blackboard {
        true => format!("the name of a key is written `\"{by_key}\": \"{name}\"`"),
        false => {
            "write the value itself; keys and properties are arguments of calls and of `SUB_TREE`, and numbers of nodes"
                .to_owned()
        }
    };
    let message = format!(
        "`{}` of a node is a value that is written out, found `{}{name}`",
        text::name(key),
        literal::mark(ty)
    );
    Fault {
        at: Some(offset),
        message,
        help,
    }
}

/// The script's own form for a node of a kind.
fn instead_of(kind: Kind) -> Option<&'static str> {
    let calls = [Kind::Action, Kind::Condition, Kind::Decorator];
    if kind == Kind::Root {
        return Some("write `AGENT` and `KEY` above the first node");
    }
    let call = "write the name of what is called, `chase $target`";
    calls.contains(&kind).then_some(call)
}

/// The kind of a call of the agent, by how many nodes stand below it: a decorator has one, a composite several.
pub(super) fn calling(children: usize) -> (Kind, Caller) {
    match children {
        0 => (Kind::Action, Caller::Action),
        1 => (Kind::Decorator, Caller::Decorator),
        _ => (Kind::Composite, Caller::Composite),
    }
}

/// A call of the agent.
fn call(entry: &Entry, children: usize) -> Result<NodeData, Fault> {
    let name = entry.name.as_str();
    if let Some(help) = meant(name, children > 0) {
        return Err(Fault {
            help,
            ..format!("`{}` is no word of a script", text::name(name)).into()
        });
    }
    let (kind, caller) = calling(children);
    let (name_key, args_key) = caller.keys();
    let args = arguments(entry.param.as_ref())?;
    let spec = node(kind).extra(name_key, name);
    Ok(spec.extra(args_key, args).data)
}

/// The lines of a script for words that are near them.
pub(super) fn of_other_words(word: &str) -> Option<&'static str> {
    match word {
        "SERVICE" | "SERVICES" => {
            Some("a service is a line below its node, `SERVICE 0.5 look_around`")
        }
        "ON" | "EFFECT" | "EFFECTS" | "ENTER" | "EXIT" => {
            Some("an effect is a line below its node, `ON ENTER shout`")
        }
        _ => None,
    }
}

/// The likely meaning of a word that is like one of a script: in capitals a similar one, or the word of
/// another engine; in small letters, if nodes stand below it, a word that can be nothing else.
fn meant(name: &str, has_children: bool) -> Option<String> {
    let capitals = is_capitals(name);
    if name.len() > 64 || !capitals && !has_children {
        return None;
    }
    if let Some(advice) = of_other_words(name) {
        return Some(advice.to_owned());
    }
    let upper = name.to_uppercase();
    let same = ["SEQUENCE", "FALLBACK", "PARALLEL"].contains(&upper.as_str());
    if same && !capitals {
        return Some(format!("write `{upper}`"));
    }
    let plain: String = name.to_lowercase().replace('_', "");
    let kinds = Kind::ALL.iter().copied();
    let mut kinds = kinds.filter(|kind| instead_of(*kind).is_none());
    let elsewhere = kinds.find(|kind| kind.about().other_names.contains(&plain.as_str()));
    if let Some(kind) = elsewhere
        && (capitals || [Kind::Select, Kind::Sequence, Kind::Parallel].contains(&kind))
    {
        let word = kind.name().to_uppercase();
        let again = match kind == Kind::Select {
            true => ", or `FALLBACK` to evaluate earlier children again each poll",
            false => "",
        };
        return Some(format!("write `{word}`{again}"));
    }
    if !capitals {
        return None;
    }
    let kinds = Kind::ALL.iter().map(|kind| kind.name().to_uppercase());
    let words: Vec<String> = kinds.chain(OTHERS.map(str::to_owned)).collect();
    let near = suggest(name, words.iter().map(String::as_str));
    near.strip_prefix("; ").map(str::to_owned)
}
