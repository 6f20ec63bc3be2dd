//! New names in the text of a script.

use std::collections::BTreeMap;

use bt_core::tree::asset::{Fix, name_length, script_places};
use serde_json::Value;

/// Writes new names into a script, each at its JSON pointer; which of the fixes could be made.
pub(super) fn patch(text: &str, fixes: &[(String, Fix)]) -> (String, Vec<bool>) {
    let script = text.strip_prefix('\u{feff}').unwrap_or(text);
    let places = script_places(script);
    let mut changes: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    let made = fixes.iter().map(|(pointer, fix)| {
        let new = match fix {
            Fix::Value(Value::String(new)) | Fix::Key(new) => new,
            Fix::Value(_) | Fix::Insert { .. } | Fix::Items(_) => return false,
            _ => return false,
        };
        let change = places.get(pointer).and_then(|at| {
            let (length, written) = renamed(&script[*at..], new)?;
            Some((*at, (length, written)))
        });
        changes.extend(change.clone());
        change.is_some()
    });
    let made = made.collect();
    let mut patched = script.to_owned();
    for (at, (length, written)) in changes.into_iter().rev() {
        patched.replace_range(at..at + length, &written);
    }
    (
        text[..text.len() - script.len()].to_owned() + &patched,
        made,
    )
}

/// The length of the name at the start of a text, and the spelling of a new one there.
fn renamed(text: &str, new: &str) -> Option<(usize, String)> {
    let is_name = |name: &str| !name.is_empty() && name_length(name) == name.len();
    match text.chars().next()? {
        quote @ ('"' | '\'') => {
            let mut escaped = false;
            let end = text[1..].find(|char| {
                let ends = char == quote && !escaped;
                escaped = char == '\\' && !escaped;
                ends
            })?;
            Some((end + 2, Value::from(new).to_string()))
        }
        '$' | '@' => {
            let length = name_length(&text[1..]);
            (length > 0 && is_name(new)).then(|| (length + 1, format!("{}{new}", &text[..1])))
        }
        _ => {
            let length = name_length(text);
            (length > 0 && is_name(new)).then(|| (length, new.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_fixed_in_a_script_and_all_else_stays() {
        let script = "AGENT old # x\nSEQUENCE\n    GUARD  was $k\n    EVENT rang 'x'\n    go {\"a\": 1, 'b': 2}\n    SUB_TREE 'x', {'post': 1}\n";
        let value = |at: &str, to: &str| (at.to_owned(), Fix::Value(to.into()));
        let fixes = [
            value("/nodes/0/extra/agent_name", "new"),
            value("/nodes/1/extra/guards/0/condition_name", "is"),
            value("/nodes/1/extra/events/0/event", "rung"),
            value("/nodes/2/extra/action_name", "walk"),
            value("/nodes/2/extra/action_args/1/arg_name", "by"),
            (
                "/nodes/3/extra/args/post".to_owned(),
                Fix::Key("place".to_owned()),
            ),
            (
                "/nodes/2/extra/action_args".to_owned(),
                Fix::Items(Vec::new()),
            ),
            value("/nodes/2/extra/action_name/x", "no"),
        ];
        let (patched, made) = patch(script, &fixes);
        assert_eq!(made, [true, true, true, true, true, true, false, false]);
        assert_eq!(
            patched,
            "AGENT new # x\nSEQUENCE\n    GUARD  is $k\n    EVENT rung 'x'\n    walk {\"a\": 1, \"by\": 2}\n    SUB_TREE 'x', {\"place\": 1}\n"
        );
    }
}
