//! Texts in trees: which values and keys have them.

use regex::{Regex, RegexBuilder};

use super::FindIn;
use crate::text::json::{Id, Json, Kind};

/// The text to search for, as a pattern.
///
/// # Errors
/// If it is empty, or no regular expression.
pub fn pattern(text: &str, case: bool, is_regex: bool) -> Result<Regex, String> {
    if text.is_empty() {
        return Err("nothing is looked for: expected a text".to_owned());
    }
    let pattern = match is_regex {
        true => text.to_owned(),
        false => regex::escape(text),
    };
    let built = RegexBuilder::new(&pattern)
        .case_insensitive(!case)
        .size_limit(1 << 20)
        .build();
    built.map_err(|error| format!("the regular expression cannot be read: {error}"))
}

/// The values, and the entries whose keys, have a text.
pub fn matches(json: &Json<'_>, pattern: &Regex, within: &[FindIn]) -> Vec<Id> {
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
pub fn shown(json: &Json<'_>, id: Id) -> String {
    match json.value(id) {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Returns true if the key of an entry is a key of the blackboard.
pub fn names_a_key(json: &Json<'_>, id: Id) -> bool {
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
pub fn node_of(json: &Json<'_>, pointer: &str) -> Option<u32> {
    let mut steps = pointer.split('/').skip(1);
    let is_node = steps.next() == Some("nodes");
    let at = steps.next().filter(|_| is_node)?;
    let idx = json.find(json.root(), &format!("/nodes/{at}/idx"))?;
    json.raw(idx).parse().ok()
}
