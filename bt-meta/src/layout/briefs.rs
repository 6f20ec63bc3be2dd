//! The texts of the editor's picker: a short one for each action, never empty and never twice.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::catalogue::{InOut, ItemEntry, ValueEntry};

/// `name: brief (display)`: the picker lists and searches nothing else.
pub(super) fn full_brief(item: &ItemEntry) -> String {
    let mut brief = item.name.clone();
    if !item.brief.trim().is_empty() {
        brief += &format!(": {}", item.brief);
    }
    if let Some(display) = &item.display {
        brief += &format!(" ({display})");
    }
    brief
}

/// The comment, and in brackets what the editor's dialog does not show otherwise: `(double, m, default
/// 1.0, 0 to 3600)`.
pub(super) fn full_comment(arg: &ValueEntry, type_name: &str) -> String {
    let ty = &arg.ty;
    let mut parts = Vec::new();
    let choices = ty.choices.iter().flatten().map(Value::to_string);
    let choices = choices.collect::<Vec<_>>().join(", ");
    let is_key = ty.in_out.is_some();
    match (is_key, choices.is_empty()) {
        // The dialog begins with `plain`, which is no key.
        (true, _) => parts.extend([
            "key: set the type to `blackboard`".to_owned(),
            type_name.to_owned(),
        ]),
        (false, false) => parts.push(format!("one of {choices}")),
        (false, true) => parts.push(type_name.to_owned()),
    }
    parts.extend(ty.unit.clone());
    match &ty.default {
        Some(default) => parts.push(format!("default {default}")),
        // The type says it already, where it is shown.
        None if ty.optional && !(choices.is_empty() && type_name.starts_with("optional<")) => {
            parts.push("optional".to_owned());
        }
        None => {}
    }
    match (&ty.min, &ty.max) {
        (Some(min), Some(max)) => parts.push(format!("{min} to {max}")),
        (Some(min), None) => parts.push(format!("at least {min}")),
        (None, Some(max)) => parts.push(format!("at most {max}")),
        (None, None) => {}
    }
    match ty.in_out {
        Some(InOut::Out) => parts.push("written".to_owned()),
        Some(InOut::InOut) => parts.push("read and written".to_owned()),
        None => {}
    }
    let added = format!("({})", parts.join(", "));
    match arg.comment.trim() {
        "" => added,
        comment => format!("{comment} {added}"),
    }
}

/// Makes the briefs of one agent's actions usable as their only mark.
///
/// `briefs` is by name. An empty one becomes the name; where several are equal, each gets its name
/// put before it.
pub(super) fn told_apart(briefs: &mut BTreeMap<&str, String>) {
    for (name, brief) in briefs.iter_mut() {
        if brief.trim().is_empty() {
            *brief = (*name).to_owned();
        }
    }
    // A brief with its name before it may equal another brief that begins so; every round changes
    // one brief at least for good, so there are no more rounds than briefs.
    for _ in 0..=briefs.len() {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for brief in briefs.values() {
            *seen.entry(brief).or_default() += 1;
        }
        let twice: Vec<String> = seen
            .into_iter()
            .filter(|(_, times)| *times > 1)
            .map(|(brief, _)| brief.to_owned())
            .collect();
        if twice.is_empty() {
            return;
        }
        for (name, brief) in briefs.iter_mut() {
            if twice.contains(brief) {
                *brief = format!("{name}: {brief}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(briefs: &[(&'static str, &str)], expect: &[&str]) {
        let mut briefs: BTreeMap<&str, String> = briefs
            .iter()
            .map(|(name, brief)| (*name, (*brief).to_owned()))
            .collect();
        told_apart(&mut briefs);
        assert_eq!(briefs.into_values().collect::<Vec<_>>(), expect);
    }

    #[test]
    fn a_brief_of_its_own_stays() {
        check(&[("a", "Walk."), ("b", "Run.")], &["Walk.", "Run."]);
    }

    #[test]
    fn an_empty_brief_becomes_the_name() {
        check(&[("a", ""), ("b", " ")], &["a", "b"]);
    }

    #[test]
    fn equal_briefs_all_get_their_names() {
        check(
            &[("a", "Go."), ("b", "Go."), ("c", "Stop.")],
            &["a: Go.", "b: Go.", "Stop."],
        );
    }

    #[test]
    fn brief_that_looks_like_one_with_a_name_is_made_distinct_too() {
        check(
            &[("a", "Go."), ("b", "Go."), ("c", "a: Go.")],
            &["a: a: Go.", "b: Go.", "c: a: Go."],
        );
        check(&[("a", ""), ("b", "a")], &["a: a", "b: a"]);
    }
}
