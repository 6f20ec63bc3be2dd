//! Names as marks inside a document: letters and digits that need no escape, and no mark twice.

use std::collections::BTreeSet;

/// The marks that a document has so far.
#[derive(Debug, Default)]
pub(super) struct Ids(BTreeSet<String>);

impl Ids {
    /// Without those that are taken already.
    pub(super) fn beside<'t>(taken: impl IntoIterator<Item = &'t String>) -> Ids {
        Ids(taken.into_iter().cloned().collect())
    }

    /// A mark for a name. What needs an escape somewhere becomes `-`; one that is taken gets a number.
    pub(super) fn of(&mut self, name: &str) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let stem = name.replace("::", ".");
        let stem = stem.replace(|c| !plain(c), "-");
        let mut id = stem.clone();
        let mut number = 2;
        while !self.0.insert(id.clone()) {
            id = format!("{stem}-{number}");
            number += 1;
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_names_stay_distinct() {
        let mut ids = Ids::beside([&"taken".to_owned()]);
        for (name, expect) in [
            ("monster_agent.chase", "monster_agent.chase"),
            ("ai::monster", "ai.monster"),
            ("ai.monster", "ai.monster-2"),
            ("追击", "--"),
            ("\"<", "---2"),
            ("taken", "taken-2"),
        ] {
            assert_eq!(ids.of(name), expect, "{name}");
        }
    }
}
