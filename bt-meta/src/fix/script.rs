//! New names in the text of a script.

use std::collections::BTreeMap;

use bt_core::tree::asset::{Fix, name_length, script_expression, script_places};
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
            let is_value = matches!(fix, Fix::Value(_)) && !pointer.ends_with("/arg_name");
            let value = to_value(&script[*at..]).filter(|_| is_value);
            let at = at + value.unwrap_or(0);
            let (length, written) = match value.is_none() && pointer.ends_with("/if") {
                true => in_place_of_expression(&script[at..], new),
                false => renamed(&script[at..], new)?,
            };
            Some((at, (length, written)))
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

/// The length of the text in quotes at the start of a text.
fn quoted(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut escaped = false;
    let end = text[1..].find(|char| {
        let ends = char == quote && !escaped;
        escaped = char == '\\' && !escaped;
        ends
    })?;
    Some(end + 2)
}

/// The way from a key of a dict to its value; none from anything else.
fn to_value(text: &str) -> Option<usize> {
    let behind = &text[quoted(text)?..];
    let value = behind.trim_start().strip_prefix(':')?.trim_start();
    Some(text.len() - value.len())
}

/// The length of the expression at the start of a text, with the blanks before it, and a new one there.
fn in_place_of_expression(text: &str, new: &str) -> (usize, String) {
    let line = text.lines().next().unwrap_or_default();
    let blanks = line.len() - line.trim_start().len();
    let length = blanks + script_expression(line).0.len();
    (length, format!("{}{new}", &line[..blanks]))
}

/// The length of the name at the start of a text, and the spelling of a new one there.
fn renamed(text: &str, new: &str) -> Option<(usize, String)> {
    let is_name = |name: &str| !name.is_empty() && name_length(name) == name.len();
    match text.chars().next()? {
        '"' | '\'' => Some((quoted(text)?, Value::from(new).to_string())),
        '$' | '@' => {
            let length = name_length(&text[1..]);
            let new = new.strip_prefix(&text[..1]).unwrap_or(new);
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
        let script = "AGENT old # x\nSEQUENCE\n    GUARD  was $k\n    EVENT rang 'x'\n    go {\"a\": 1, 'b': 2}\n    SUB_TREE 'x', {'post': 1}\n    SERVICE 1  look\n    ON EXIT sit # down\n";
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
            value("/nodes/1/extra/services/0/action_name", "look_around"),
            value("/nodes/1/extra/effects/exit/0/action_name", "sit_down"),
        ];
        let (patched, made) = patch(script, &fixes);
        let all = [true, true, true, true, true, true, false, false, true, true];
        assert_eq!(made, all);
        assert_eq!(
            patched,
            "AGENT new # x\nSEQUENCE\n    GUARD  is $k\n    EVENT rung 'x'\n    walk {\"a\": 1, \"by\": 2}\n    SUB_TREE 'x', {\"place\": 1}\n    SERVICE 1  look_around\n    ON EXIT sit_down # down\n"
        );
    }

    #[test]
    fn names_are_fixed_in_expressions_what_is_written_and_values_of_dicts() {
        let script = "SEQUENCE\n    GUARD 'a' == @old # one\n    CHECK @old > '#'\n    SET $n = 1, @old = 'x'\n    CHECK {'if': '@old > 1'}\n    WAIT_EVENT {'event': 'bell'}\n";
        let value = |at: &str, to: &str| (at.to_owned(), Fix::Value(to.into()));
        let key = Fix::Key("@new".to_owned());
        let fixes = [
            value("/nodes/1/extra/guards/0/if", "'a' == @new"),
            value("/nodes/2/extra/if", "@new > '#'"),
            ("/nodes/3/extra/set/@old".to_owned(), key),
            value("/nodes/4/extra/if", "@new > 1"),
            value("/nodes/5/extra/event", "rang"),
        ];
        let (patched, made) = patch(script, &fixes);
        assert_eq!(made, [true; 5]);
        assert_eq!(
            patched,
            "SEQUENCE\n    GUARD 'a' == @new # one\n    CHECK @new > '#'\n    SET $n = 1, @new = 'x'\n    CHECK {'if': \"@new > 1\"}\n    WAIT_EVENT {'event': \"rang\"}\n"
        );
    }
}
