//! The texts for people: docs, units, categories; and deprecations.

use super::change::{About, Change, What};
use crate::catalogue::{ItemEntry, TypeEntry, ValueEntry};

/// Names of what changed for people only.
#[derive(Debug, Default)]
pub(super) struct Notes {
    words: Vec<String>,
}

impl Notes {
    /// Compares one thing; `word` names it.
    pub(super) fn same<T: PartialEq>(&mut self, word: &str, old: &T, new: &T) {
        if old != new {
            self.words.push(word.to_owned());
        }
    }

    /// Compares the common parts of an item; `was` are the names that it is known to have had.
    pub(super) fn item(&mut self, old: &ItemEntry, new: &ItemEntry, was: &[&str]) {
        self.same("docs", &(&old.brief, &old.docs), &(&new.brief, &new.docs));
        self.same("display name", &old.display, &new.display);
        self.same("category", &old.category, &new.category);
        self.same("since", &old.since, &new.since);
        self.same("meta", &old.meta, &new.meta);
        if let (Some(old), Some(new)) = (&old.deprecated, &new.deprecated) {
            self.same("why it is deprecated", old, new);
        }
        // A name that is gone is a change of its own, a new one helps old trees.
        if new
            .alias
            .iter()
            .any(|alias| !old.alias.contains(alias) && !was.contains(&alias.as_str()))
        {
            self.words.push("aliases".to_owned());
        }
    }

    /// A value's type; `of` is what comes before, such as ``argument `range`: ``.
    pub(super) fn value(&mut self, of: &str, old: &TypeEntry, new: &TypeEntry) {
        // Another unit is a change of its own.
        let says = |word: &str, unit: &str| format!("{of}unit ({word} `{unit}`)");
        match (&old.unit, &new.unit) {
            (None, Some(is)) => self.words.push(says("is", is)),
            (Some(was), None) => self.words.push(says("was", was)),
            (None, None) | (Some(_), Some(_)) => {}
        }
        self.same(&format!("{of}step"), &old.step, &new.step);
    }

    /// An argument or a parameter.
    pub(super) fn argument(&mut self, word: &str, old: &ValueEntry, new: &ValueEntry) {
        let of = format!("{word} `{}`: ", new.name);
        self.same(&format!("{of}comment"), &old.comment, &new.comment);
        self.same(&format!("{of}display name"), &old.display, &new.display);
        self.value(&of, &old.ty, &new.ty);
    }

    /// One change for all of them.
    pub(super) fn tell(self, about: &About, changes: &mut Vec<Change>) {
        if !self.words.is_empty() {
            let says = format!(": {}", self.words.join(", "));
            changes.push(about.compatible(What::Documentation, &says));
        }
    }
}

/// Returns whether it became deprecated, or not any more.
pub(super) fn deprecated(
    about: &About,
    old: &ItemEntry,
    new: &ItemEntry,
    changes: &mut Vec<Change>,
) {
    match (&old.deprecated, &new.deprecated) {
        (None, Some(why)) => {
            let since = match why.since.as_str() {
                "" => String::new(),
                since => format!(" since {since}"),
            };
            let change = about.compatible(What::Deprecated, &format!(" is deprecated{since}"));
            changes.push(match why.note.as_str() {
                "" => change,
                note => change.help(note),
            });
        }
        (Some(_), None) => {
            changes.push(about.compatible(What::Deprecated, " is not deprecated any more"));
        }
        _ => {}
    }
}
