//! The uses of a thing, and the places of a text, in all trees as they are now.

use bt_core::TreeAsset;
use bt_core::tree::asset::positions;
use bt_core::tree::by_either_name;
use bt_core::tree::check::{Owner, declared};
use bt_meta::draw::{self, heading};
use bt_meta::text::json::{Id, Json, Kind};
use regex::{Regex, RegexBuilder};

use super::Studio;
use super::documents::path_of;
use crate::mentions::{Mention, Part, mentions};
use crate::project::files::File;
use crate::protocol::{Failure, Find, FindIn, FoundPlace, Places, Thing, ThingKind};

/// So many places are listed, at most.
const LISTED: usize = 10_000;

/// A place in a tree that is listed.
struct Found {
    node: Option<u32>,
    pointer: String,
}

impl Studio {
    pub(super) fn usages(&self, of: &Thing) -> Places {
        let mut places = Places::default();
        for (path, file) in self.current() {
            let Ok(tree) = TreeAsset::from_slice(&file.name, &file.bytes) else {
                continue;
            };
            let found = self
                .mentions_of(of, path, &tree)
                .into_iter()
                .map(|mention| Found {
                    node: Some(mention.node),
                    pointer: mention.pointer,
                });
            list(path, &file, Some(&tree), found.collect(), &mut places);
        }
        places
    }

    /// The places where a tree mentions something.
    pub(super) fn mentions_of(&self, of: &Thing, path: &str, tree: &TreeAsset) -> Vec<Mention> {
        let agent = tree.agent().zip(self.registry.as_deref());
        let agent = agent.and_then(|(name, registry)| registry.agent(name).ok());
        let is_agents = of.agent.as_ref().is_none_or(|wanted| {
            let mut lineage = agent
                .iter()
                .flat_map(|agent| agent.lineage().collect::<Vec<_>>());
            lineage.any(|agent| agent.full_name() == wanted || agent.name() == wanted)
        });
        if !is_agents && of.kind != ThingKind::Tree {
            return Vec::new();
        }
        let is_it = |mention: &Mention| {
            let name = mention.name.as_str();
            match (of.kind, mention.kind) {
                (
                    ThingKind::Action
                    | ThingKind::Condition
                    | ThingKind::Decorator
                    | ThingKind::Composite,
                    ThingKind::Action,
                ) => {
                    let now = agent.and_then(|agent| agent.action(name).ok());
                    name == of.name || now.is_some_and(|found| found.item.name == of.name)
                }
                (ThingKind::Tree, ThingKind::Tree) => {
                    by_either_name(name, |name| (name == of.name).then_some(())).is_some()
                }
                (ThingKind::Event, ThingKind::Event) => {
                    let now = agent.and_then(|agent| agent.event(name).ok());
                    name == of.name || now.is_some_and(|found| found.item.name == of.name)
                }
                (ThingKind::Property, ThingKind::Property) => {
                    let now = agent.and_then(|agent| agent.property(name).ok());
                    name == of.name || now.is_some_and(|found| found.item.name == of.name)
                }
                (wanted, kind) => wanted == kind && name == of.name,
            }
        };
        let mut all = mentions(tree, agent);
        all.retain(is_it);
        if of.kind == ThingKind::Key {
            all.retain(|mention| self.is_that_key(of, path, tree, mention));
        }
        all
    }

    /// Returns true if a key of that name is the one that is meant: a tree may have one for itself, and what
    /// is handed to a tree goes by the names of that tree's keys.
    fn is_that_key(&self, of: &Thing, path: &str, tree: &TreeAsset, mention: &Mention) -> bool {
        if !mention.pointer.contains("/extra/args/") || mention.part != Part::Key {
            return match &of.path {
                Some(own) => own == path,
                None => !has_own(tree, &of.name),
            };
        }
        let node = tree.node(mention.node);
        let called = node.and_then(|node| draw::card(node).calls);
        let called = called.and_then(|name| path_of(&self.files)(&name));
        match (&of.path, called) {
            (Some(own), called) => called.as_ref() == Some(own),
            (None, None) => true,
            (None, Some(called)) => {
                let file = self.current().remove(called.as_str());
                let called =
                    file.and_then(|file| TreeAsset::from_slice(&file.name, &file.bytes).ok());
                called.is_none_or(|called| !has_own(&called, &of.name))
            }
        }
    }

    pub(super) fn find(&self, asked: &Find) -> Result<Places, Failure> {
        let pattern = pattern(&asked.text, asked.case, asked.regex)?;
        let mut places = Places::default();
        for (path, file) in self.current() {
            let Some(text) = file.text() else { continue };
            let Some(json) = Json::read(text) else {
                continue;
            };
            let found = matches(&json, &pattern, &asked.within);
            if found.is_empty() {
                continue;
            }
            let tree = TreeAsset::from_slice(&file.name, &file.bytes).ok();
            let found = found.into_iter().map(|id| {
                let pointer = json.pointer(id);
                Found {
                    node: node_of(&json, &pointer),
                    pointer,
                }
            });
            list(path, &file, tree.as_ref(), found.collect(), &mut places);
        }
        Ok(places)
    }
}

/// Returns true if a tree has a key for itself: each of its runs, or those of a node.
fn has_own(tree: &TreeAsset, key: &str) -> bool {
    tree.nodes().iter().any(|node| {
        let mut all = declared(node);
        all.any(|one| one.key == key && matches!(one.owner, Owner::OneTree | Owner::OneNode))
    })
}

/// The text to search for, as a pattern.
pub(super) fn pattern(text: &str, case: bool, is_regex: bool) -> Result<Regex, Failure> {
    if text.is_empty() {
        return Err(Failure::refused("nothing is looked for: expected a text"));
    }
    let pattern = match is_regex {
        true => text.to_owned(),
        false => regex::escape(text),
    };
    let built = RegexBuilder::new(&pattern)
        .case_insensitive(!case)
        .size_limit(1 << 20)
        .build();
    built.map_err(|error| {
        Failure::refused(format!("the regular expression cannot be read: {error}"))
    })
}

/// The values, and the entries whose keys, have a text.
pub(super) fn matches(json: &Json<'_>, pattern: &Regex, within: &[FindIn]) -> Vec<Id> {
    let found = json.all().filter(|(id, part)| {
        let is_wanted = |of: FindIn| within.is_empty() || within.contains(&of);
        if names_a_key(json, *id) && is_wanted(FindIn::Key) {
            let key = json.key(*id).unwrap_or_default();
            if pattern.is_match(&key) {
                return true;
            }
        }
        let Some(of) = category(json, *id).filter(|_| part.kind == Kind::Scalar) else {
            return false;
        };
        is_wanted(of) && pattern.is_match(&shown(json, *id))
    });
    found.map(|(id, _)| id).collect()
}

/// A text as it is meant, anything else as it is written.
pub(super) fn shown(json: &Json<'_>, id: Id) -> String {
    match json.value(id) {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Returns true if the key of an entry is a key of the blackboard.
pub(super) fn names_a_key(json: &Json<'_>, id: Id) -> bool {
    let around = json.part(id).parent.and_then(|around| json.key(around));
    let is_list = matches!(around.as_deref(), Some("blackboard" | "args"));
    is_list && json.part(id).key.is_some()
}

/// The category of a value; none for one that only places the node.
fn category(json: &Json<'_>, id: Id) -> Option<FindIn> {
    let key = json.key(id).unwrap_or_default();
    let part = json.part(id);
    let around = part
        .parent
        .and_then(|around| json.key(around))
        .unwrap_or_default();
    Some(match key.as_str() {
        "idx" | "parent" | "color" | "is_collapsed" => return None,
        "" if around == "children" => return None,
        "comment" => FindIn::Comment,
        "type" | "event" | "tree" => FindIn::Name,
        key if key.ends_with("_name") => FindIn::Name,
        "arg_value" => {
            let kind = part.parent.and_then(|around| json.get(around, "arg_type"));
            match kind.map(|kind| json.raw(kind)) {
                Some("\"plain\"" | "\"expression\"") | None => FindIn::Argument,
                Some(_) => FindIn::Key,
            }
        }
        "name_key" => FindIn::Key,
        "if" => FindIn::Argument,
        _ if around == "params" => FindIn::Key,
        _ if json.pointer(id).contains("/arg_value/") => FindIn::Argument,
        _ => FindIn::Other,
    })
}

/// The node that a pointer leads into.
pub(super) fn node_of(json: &Json<'_>, pointer: &str) -> Option<u32> {
    let mut steps = pointer.split('/').skip(1);
    let is_node = steps.next() == Some("nodes");
    let at = steps.next().filter(|_| is_node)?;
    let idx = json.find(json.root(), &format!("/nodes/{at}/idx"))?;
    json.raw(idx).parse().ok()
}

/// Lists places of a file, with their lines.
fn list(path: &str, file: &File, tree: Option<&TreeAsset>, found: Vec<Found>, places: &mut Places) {
    let text = file.text().unwrap_or_default();
    let room = LISTED.saturating_sub(places.places.len());
    let more = found.len().saturating_sub(room);
    places.unlisted += u32::try_from(more).unwrap_or(u32::MAX);
    let found = &found[..found.len() - more];
    let lines = positions(text, found.iter().map(|found| found.pointer.as_str()));
    for (found, line) in found.iter().zip(lines) {
        let node = found.node.and_then(|idx| tree?.node(idx));
        places.places.push(FoundPlace {
            path: path.to_owned(),
            node: found.node,
            pointer: found.pointer.clone(),
            line: line.map_or(1, |at| u32::try_from(at.line).unwrap_or(u32::MAX)),
            shown: node.map_or_else(String::new, heading),
        });
    }
}
