//! New names in the text of a script.

use std::collections::BTreeMap;

use bt_core::tree::asset::{Fix, name_length, script_places};
use serde_json::Value;

/// Writes new names into a script, each at its JSON pointer; which of the fixes could be made. `tree` is what the script
/// says, as JSON.
pub(super) fn patch(text: &str, tree: &Value, fixes: &[(String, Fix)]) -> (String, Vec<bool>) {
    let script = text.strip_prefix('\u{feff}').unwrap_or(text);
    let places = script_places(script);
    let mut changes: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    let made = fixes.iter().map(|(pointer, fix)| {
        let new = match fix {
            Fix::Value(Value::String(new)) | Fix::Key(new) => new,
            Fix::Value(_) | Fix::Insert { .. } | Fix::Items(_) => return false,
            _ => return false,
        };
        let change = match expression(tree, pointer) {
            // It stands in its line as it is.
            Some(old) => upwards(pointer)
                .find_map(|at| places.get(at))
                .and_then(|at| {
                    let from = script[*at..].lines().next()?.find(old)?;
                    Some((at + from, (old.len(), new.clone())))
                }),
            None => places.get(pointer).and_then(|at| {
                let (length, written) = renamed(&script[*at..], new)?;
                Some((*at, (length, written)))
            }),
        };
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

/// A pointer, and those of what is around it.
fn upwards(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |at| Some(at.rsplit_once('/')?.0))
}

/// The text of the expression that a pointer leads to.
fn expression<'t>(tree: &'t Value, pointer: &str) -> Option<&'t str> {
    let (of, key) = pointer.rsplit_once('/')?;
    let is_expression = match key {
        "if" => true,
        "arg_value" => tree.pointer(&format!("{of}/arg_type"))? == "expression",
        _ => false,
    };
    tree.pointer(pointer).filter(|_| is_expression)?.as_str()
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
    use bt_core::TreeAsset;

    use super::*;

    #[test]
    fn names_are_fixed_in_a_script_and_all_else_stays() {
        let script = "AGENT old # x\nSEQUENCE\n    GUARD  was $k\n    EVENT rang 'x'\n    go {\"a\": 1, 'b': 2}\n    SUB_TREE 'x', {'post': 1}\n    CHECK 'a' == @was\n    go (@was + 1) # @was\n";
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
            value("/nodes/4/extra/if", "'a' == @is"),
            value("/nodes/5/extra/action_args/0/arg_value", "@is + 1"),
        ];
        let tree = TreeAsset::from_script("t.bt", script).unwrap().to_json();
        let tree = serde_json::from_str(&tree).unwrap();
        let (patched, made) = patch(script, &tree, &fixes);
        assert_eq!(
            made,
            [true, true, true, true, true, true, false, false, true, true]
        );
        assert_eq!(
            patched,
            "AGENT new # x\nSEQUENCE\n    GUARD  is $k\n    EVENT rung 'x'\n    walk {\"a\": 1, \"by\": 2}\n    SUB_TREE 'x', {\"place\": 1}\n    CHECK 'a' == @is\n    go (@is + 1) # @was\n"
        );
    }
}
