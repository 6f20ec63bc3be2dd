//! A script as nested objects: what the seed document's parser returns.

use crate::tree::Code;
use serde_json::{Map, Value};

use super::super::problem::{Problem, Problems};
use super::entry::{At, Entry, Param, Place, too_deep, too_many};
use crate::decode::shown;
use crate::text::suggest;

const KEYS: [&str; 4] = ["name", "param", "level", "children"];

/// Every object that is a node, each before those below it.
pub(super) fn entries(top: &Value, problems: &mut Problems<'_>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let none = Map::new();
    let mut next = vec![(0, String::new(), top)];
    while let Some((depth, pointer, value)) = next.pop() {
        let place = Place::Json(pointer.clone());
        if too_many(entries.len(), &place, problems) {
            break;
        }
        if too_deep(depth, &place, problems) {
            continue;
        }
        let mut wrong = |key: &str, expected: &str, found: &Value| {
            let at = match key {
                "" => pointer.clone(),
                _ => format!("{pointer}/{key}"),
            };
            let message = || format!("expected {expected}, found {}", shown(found));
            problems.say(Code::BadScript, message, |problem| problem.at(at));
        };
        let node = value.as_object().unwrap_or_else(|| {
            wrong("", "a node, which is an object", value);
            &none
        });
        let (mut name, mut missing) = (String::new(), false);
        match node.get("name") {
            Some(Value::String(text)) if !text.is_empty() => name.clone_from(text),
            Some(other) => wrong("name", "the name of a node", other),
            None if value.is_object() => missing = true,
            None => {}
        }
        let children = match node.get("children") {
            Some(Value::Array(children)) => children.as_slice(),
            Some(other) => {
                wrong("children", "an array of nodes", other);
                &[]
            }
            None => &[],
        };
        if missing {
            let message = || "the key `name` is missing".to_owned();
            problems.say(Code::BadScript, message, |problem| {
                problem.at(pointer.as_str())
            });
        }
        for key in node.keys().filter(|key| !KEYS.contains(&key.as_str())) {
            let near = if key.len() < 64 {
                suggest(key, KEYS.into_iter())
            } else {
                String::new()
            };
            let message = || format!("there is no key {}", shown(&Value::String(key.clone())));
            let help = |problem: Problem| {
                problem
                    .at(pointer.as_str())
                    .with_help(near.trim_start_matches("; "))
            };
            problems.say(Code::BadScript, message, help);
        }
        let below = children.iter().enumerate().rev();
        next.extend(below.map(|(i, child)| (depth + 1, format!("{pointer}/children/{i}"), child)));
        entries.push(Entry {
            depth,
            attached: None,
            name,
            param: node.get("param").cloned().map(Param::from),
            comment: String::new(),
            place,
            at: At::default(),
        });
    }
    entries
}
