//! What the editor's picker shows: one short text for each action, never empty and never twice.

use std::collections::BTreeMap;

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
    fn a_brief_that_looks_like_one_with_a_name_is_told_apart_too() {
        check(
            &[("a", "Go."), ("b", "Go."), ("c", "a: Go.")],
            &["a: a: Go.", "b: Go.", "c: a: Go."],
        );
        check(&[("a", ""), ("b", "a")], &["a: a", "b: a"]);
    }
}
