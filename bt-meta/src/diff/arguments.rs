//! Lists of arguments and of parameters.

use super::change::{About, Change, What};
use super::compare::Compare;
use super::hit::Part;
use super::likeness::likely;
use super::notes::Notes;
use super::values::{Flow, Stakes};
use crate::catalogue::{InOut, ValueEntry};
use crate::error::quoted;

/// Two lists, and what they are lists of.
pub(super) struct Lists<'c> {
    pub(super) old: &'c [ValueEntry],
    pub(super) new: &'c [ValueEntry],
    /// `argument` or `parameter`.
    pub(super) word: &'static str,
}

impl Compare<'_, '_> {
    /// Everything that changed in them but for what people read.
    pub(super) fn arguments(&self, about: &About, lists: &Lists<'_>, changes: &mut Vec<Change>) {
        let matched = lists.matched();
        for (at, old) in lists.old.iter().enumerate() {
            match matched[at] {
                None => lists.removed(about, at, &matched, changes),
                Some(new) => self.argument(about, lists, (at, old), &lists.new[new], changes),
            }
        }
        for (at, new) in lists.new.iter().enumerate() {
            if !matched.contains(&Some(at)) {
                lists.added(about, new, changes);
            }
        }
        if lists.by_place() {
            lists.order(about, &matched, changes);
        }
    }

    fn argument(
        &self,
        about: &About,
        lists: &Lists<'_>,
        (at, old): (usize, &ValueEntry),
        new: &ValueEntry,
        changes: &mut Vec<Change>,
    ) {
        let about = about.argument(lists.word, &new.name);
        lists.names(&about, old, new, changes);
        let given = Part::Given(at);
        if lists.by_place() {
            let flow = Flow::of(old.ty.in_out);
            passed(&about, old, new, &given, changes);
            optional(&about, at, old, new, changes);
            let help = "keep the old one beside it, or change the trees that give it";
            let part = given;
            self.value(
                &about,
                &old.ty,
                &new.ty,
                &Stakes { flow, part, help },
                changes,
            );
        } else {
            // Rust fires it and trees read it; `fire_event` in a tree gives it too.
            let help = "look at the trees that wait for the event or fire it";
            let (flow, part) = (Flow::Both, given);
            self.value(
                &about,
                &old.ty,
                &new.ty,
                &Stakes { flow, part, help },
                changes,
            );
        }
        if old.deprecated != new.deprecated {
            let says = if new.deprecated {
                " is deprecated"
            } else {
                " is not deprecated any more"
            };
            changes.push(about.compatible(What::Deprecated, says));
        }
    }
}

impl Lists<'_> {
    /// Returns true if trees may give them by their places.
    fn by_place(&self) -> bool {
        self.word == "argument"
    }

    /// The position of each old one in the new list.
    fn matched(&self) -> Vec<Option<usize>> {
        self.old
            .iter()
            .map(|old| find(self.new, &old.name))
            .collect()
    }

    fn removed(
        &self,
        about: &About,
        at: usize,
        matched: &[Option<usize>],
        changes: &mut Vec<Change>,
    ) {
        let old = &self.old[at];
        let name = &old.name;
        let about = about.argument(self.word, name);
        // Another of its type in its place is it, under another name, to who gives it by its place.
        let stands = self.new.get(at).filter(|new| new.ty == old.ty);
        let stands = stands.filter(|_| !matched.contains(&Some(at)));
        let is_renamed = stands.is_some();
        let part = match (self.by_place(), is_renamed) {
            (true, true) => Part::Named(at),
            (true, false) => Part::FromPlace(at),
            (false, _) => Part::Given(at),
        };
        let change = about.breaking(What::Removed, " is gone").part(part);
        let is_new = |at: &usize| !matched.contains(&Some(*at));
        let added = (0..self.new.len()).filter(is_new).map(|at| &self.new[at]);
        let near = likely(
            name,
            added.map(|new| {
                (
                    new.name.as_str(),
                    new.comment == old.comment && !old.comment.is_empty(),
                )
            }),
        );
        let near = near.or(stands.map(|new| new.name.as_str()));
        changes.push(change.help(match near {
            Some(near) => format!(
                "if `{near}` is the same under another name, add `alias = [\"{name}\"]` to its \
                 `#[arg(…)]`"
            ),
            None => format!("keep it as `#[arg(deprecated)]` until no tree gives `{name}`"),
        }));
    }

    fn added(&self, about: &About, new: &ValueEntry, changes: &mut Vec<Change>) {
        let about = about.argument(self.word, &new.name);
        changes.push(match (new.ty.optional, self.by_place()) {
            (true, _) => about.compatible(What::Added, " is new and may be left out"),
            (false, true) => about
                .breaking(What::Added, " is new and must be given")
                .help("give it a default, `#[arg(default = …)]`, or make it an `Option`"),
            // Trees take the parameters that they ask for.
            (false, false) => about
                .compatible(What::Added, " is new")
                .help("whoever fires the event by its name has to give it"),
        });
    }

    /// Another name, and names that are not known any more.
    fn names(&self, about: &About, old: &ValueEntry, new: &ValueEntry, changes: &mut Vec<Change>) {
        if old.name != new.name {
            let says = format!(" was `{}`, which it is known by too", old.name);
            changes.push(about.compatible(What::Renamed, &says));
        }
        for alias in &old.alias {
            let now = find(self.new, alias).map(|at| &self.new[at].name);
            if now != Some(&new.name) {
                let says = format!(" is not known as `{alias}` any more");
                let change = about.breaking(What::NameLost, &says);
                let part = Part::ArgumentSpelled(alias.clone());
                let help = format!("add `alias = [\"{alias}\"]` to its `#[arg(…)]`");
                changes.push(change.part(part).help(help));
            }
        }
    }

    /// Returns whether one that is given by its place is another argument now.
    fn order(&self, about: &About, matched: &[Option<usize>], changes: &mut Vec<Change>) {
        // What is gone is reported by itself.
        let kept = || {
            matched
                .iter()
                .enumerate()
                .filter_map(|(old, new)| Some((old, (*new)?)))
        };
        let moved = kept().enumerate().find(|(place, (_, new))| place != new);
        let Some((_, (first, _))) = moved else {
            return;
        };
        let names = |list: &[ValueEntry]| quoted(list.iter().map(|value| value.name.clone()));
        let says = format!(
            ": its arguments were {}, and are now {}, so values without a name go to other arguments",
            names(self.old),
            names(self.new),
        );
        let change = about
            .breaking(What::Order, &says)
            .part(Part::ByPlace(first));
        let help = "put new arguments last and leave the others where they were, or let trees say \
                    each `arg_name`";
        changes.push(change.help(help));
    }

    /// Compares the texts for people of each.
    pub(super) fn notes(&self, notes: &mut Notes) {
        for old in self.old {
            if let Some(new) = find(self.new, &old.name) {
                notes.argument(self.word, old, &self.new[new]);
            }
        }
    }
}

/// Finds the argument of a name, else the one that had it.
pub(super) fn find(list: &[ValueEntry], name: &str) -> Option<usize> {
    let by_name = list.iter().position(|value| value.name == name);
    by_name.or_else(|| {
        let has = |value: &ValueEntry| value.alias.iter().any(|alias| alias == name);
        list.iter().position(has)
    })
}

fn passed(
    about: &About,
    old: &ValueEntry,
    new: &ValueEntry,
    given: &Part,
    changes: &mut Vec<Change>,
) {
    let word = |in_out| match in_out {
        None => "a value",
        Some(InOut::Out) => "a key that is written",
        Some(InOut::InOut) => "a key that is read and written",
    };
    let (was, is) = (old.ty.in_out, new.ty.in_out);
    if was == is {
        return;
    }
    let says = format!(": {} was given for it, {} is", word(was), word(is));
    changes.push(match (was, is) {
        // The key is written as it was, and may hold anything before.
        (Some(InOut::InOut), Some(InOut::Out)) => about.compatible(What::Passed, &says),
        (None | Some(InOut::Out), _) | (Some(InOut::InOut), None | Some(InOut::InOut)) => about
            .breaking(What::Passed, &says)
            .part(given.clone())
            .help(
                "keep the old one beside it under another name, or change the trees that give it",
            ),
    });
}

fn optional(
    about: &About,
    at: usize,
    old: &ValueEntry,
    new: &ValueEntry,
    changes: &mut Vec<Change>,
) {
    match (old.ty.optional, new.ty.optional) {
        (true, false) => changes.push(
            about
                .breaking(What::Required, " must be given now")
                .part(Part::LeftOut(at))
                .help("give it a default, `#[arg(default = …)]`, or make it an `Option`"),
        ),
        (false, true) => {
            changes.push(about.compatible(What::Optional, " may be left out now"));
        }
        _ => {}
    }
}
