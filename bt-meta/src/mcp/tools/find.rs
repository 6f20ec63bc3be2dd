//! `find`: texts and uses in all trees.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::answer::{Answer, Code, Refused, Reply, cut};
use super::super::project::with_known;
use super::super::shared::Shared;
use crate::find::{FindIn, Thing, matches, mentions_of, pattern, places};
use crate::text::json::Json;

/// The longest line of a script that is shown.
const LINE: usize = 200;

/// The arguments of `find`: one of `text` and `uses`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Find {
    /// A text.
    text: Option<String>,
    /// True if the text is a regular expression.
    #[serde(default)]
    regex: bool,
    /// True if capital letters count.
    #[serde(default)]
    case: bool,
    /// The places to search; everywhere if it is empty.
    #[serde(default, rename = "in")]
    within: Vec<FindIn>,
    /// The thing whose uses are looked for.
    uses: Option<Thing>,
    /// The `next` of the answer before.
    cursor: Option<String>,
}

pub(in super::super) fn find(shared: &Shared, asked: Find) -> Reply {
    let texts = shared.project.trees()?;
    let mut all: Vec<Value> = Vec::new();
    match (&asked.text, &asked.uses) {
        (Some(text), None) => {
            let pattern = pattern(text, asked.case, asked.regex);
            let pattern = pattern.map_err(|why| Refused::new(Code::Arguments, why, ""))?;
            for text in texts.values() {
                match Json::read(&text.text) {
                    Some(json) => {
                        let ids = matches(&json, &pattern, &asked.within);
                        let pointers = ids.into_iter().map(|id| json.pointer(id));
                        list(&text.name, &text.text, pointers.collect(), &mut all);
                    }
                    None => {
                        let lines = text.text.lines().enumerate();
                        let lines = lines.filter(|(_, line)| pattern.is_match(line));
                        all.extend(lines.map(|(at, line)| {
                            json!({"tree": text.name, "line": at + 1, "text": cut(line, LINE)})
                        }));
                    }
                }
            }
        }
        (None, Some(thing)) => {
            let cast = shared.project.known_cast();
            let registry = cast.as_ref().map(|cast| cast.registry());
            for text in texts.values() {
                let Ok(tree) = text.tree() else { continue };
                let mentions = with_known(registry, &texts, |known| {
                    mentions_of(known, thing, &text.name, &tree)
                });
                let pointers = mentions.into_iter().map(|mention| mention.pointer);
                list(&text.name, &text.text, pointers.collect(), &mut all);
            }
        }
        (None, None) | (Some(_), Some(_)) => {
            return Err(Refused::new(
                Code::Arguments,
                "one of `text` and `uses` is expected",
                "give a text, or a thing such as {\"kind\": \"action\", \"name\": \"walk_to\"}",
            ));
        }
    }
    let note = match all.len() {
        1 => "1 place".to_owned(),
        count => format!("{count} places"),
    };
    Answer::default()
        .note(note)
        .page("places", all, asked.cursor.as_deref())
}

fn list(name: &str, text: &str, pointers: Vec<String>, all: &mut Vec<Value>) {
    if pointers.is_empty() {
        return;
    }
    let tree = bt_core::TreeAsset::from_slice(name, text.as_bytes()).ok();
    let json = Json::read(text);
    for place in places(text, tree.as_ref(), &pointers) {
        let value = json.as_ref().and_then(|json| {
            let id = json.find(json.root(), &place.pointer)?;
            Some(cut(json.raw(id), LINE))
        });
        let mut one = json!({"tree": name, "pointer": place.pointer});
        match place.node {
            Some(node) => {
                one["node"] = node.into();
                one["shown"] = place.shown.into();
            }
            None => one["line"] = place.line.into(),
        }
        if let Some(value) = value {
            one["value"] = value.into();
        }
        all.push(one);
    }
}
