//! The registered items of an agent, old and new in pairs.
//!
//! What an agent inherits, its base's changes tell of. So where both catalogues have the same base,
//! only what stands in the agent's own blocks is looked at, in either catalogue.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{About, Change, What, place};
use super::compare::Compare;
use super::hit::{Hit, Part, Sort};
use super::likeness::likely;
use super::methods::Compared;
use super::notes;
use super::side::{Found, Own};

/// For how many items of an agent that are gone it is looked for what they may be now.
const MOST_HINTS: usize = 100;

/// One agent in both catalogues.
#[derive(Clone, Copy)]
pub(super) struct Pair<'s, 'c> {
    pub(super) old: &'s Own<'c>,
    pub(super) new: &'s Own<'c>,
    /// True if both have the same base.
    pub(super) same_base: bool,
}

impl<'s, 'c> Compare<'s, 'c> {
    /// Everything about the items of one sort.
    pub(super) fn items<T: Compared>(&self, pair: Pair<'s, 'c>, changes: &mut Vec<Change>) {
        let old = self.looked_at::<T>(pair);
        let mut kept: BTreeSet<&str> = BTreeSet::new();
        let mut gone = Vec::new();
        for (name, was) in &old {
            match self.new.find::<T>(pair.new, name) {
                Some(is) => {
                    kept.insert(&is.entry.item().name);
                    self.item(pair, *was, is, changes);
                }
                None => gone.push(*was),
            }
        }
        let own = &T::own(pair.new).names;
        let is_new = |name: &&str| {
            !kept.contains(*name)
                && self
                    .old
                    .find::<T>(pair.old, name)
                    .is_none_or(|was| was.by_alias)
        };
        let added: BTreeMap<&str, &T> = own
            .iter()
            .filter(|(name, _)| is_new(name))
            .map(|(name, entry)| (*name, *entry))
            .collect();
        for (at, was) in gone.into_iter().enumerate() {
            let near = (at < MOST_HINTS).then(|| self.near(pair, was)).flatten();
            self.removed(pair, was, near, changes);
        }
        for entry in added.values() {
            let about = about(pair, *entry, None);
            changes.push(about.compatible(What::Added, " is new"));
        }
    }

    /// The old items that may have changed for this agent and not for its base.
    fn looked_at<T: Compared>(&self, pair: Pair<'s, 'c>) -> BTreeMap<&'c str, Found<'s, 'c, T>> {
        if !pair.same_base {
            return self.old.all(pair.old);
        }
        let own = T::own(pair.new);
        let names = T::own(pair.old).names.keys();
        let names = names.chain(own.names.keys()).chain(own.aliases.keys());
        names
            .filter_map(|name| self.old.find::<T>(pair.old, name))
            .map(|found| (found.entry.item().name.as_str(), found))
            .collect()
    }

    /// An item that is there in both.
    fn item<T: Compared>(
        &self,
        pair: Pair<'s, 'c>,
        was: Found<'s, 'c, T>,
        is: Found<'s, 'c, T>,
        changes: &mut Vec<Change>,
    ) {
        let about = about(pair, is.entry, Some((was.from, was.entry)));
        let (old, new) = (was.entry.item(), is.entry.item());
        if old.name != new.name {
            let says = format!(" was `{}`, which it is known by too", old.name);
            changes.push(about.compatible(What::Renamed, &says));
        }
        let is_own = was.from.full_name() == pair.old.full_name();
        let inherits =
            |found: &Found<'_, '_, T>, agent: &Own<'_>| found.from.full_name() != agent.full_name();
        if is_own || !pair.same_base {
            self.aliases::<T>(pair, &about, was, &new.name, changes);
        }
        if self.renamed(was.from.full_name()) != Some(is.from.full_name()) {
            let from = is.from.full_name();
            let says = match (inherits(&was, pair.old), inherits(&is, pair.new)) {
                (true, false) => format!(
                    " is one of its own now, which overrides that of `{}`",
                    was.from.full_name()
                ),
                _ => format!(" is inherited from `{from}` now"),
            };
            changes.push(about.compatible(What::Moved, &says));
        }
        if was.entry != is.entry || !self.same_defs {
            notes::deprecated(&about, old, new, changes);
            T::compare(self, &about, (was.entry, is.entry), changes);
        }
    }

    /// Names that old trees may use and that stand for something else now, or for nothing.
    fn aliases<T: Compared>(
        &self,
        pair: Pair<'s, 'c>,
        about: &About,
        was: Found<'s, 'c, T>,
        now: &str,
        changes: &mut Vec<Change>,
    ) {
        for alias in &was.entry.item().alias {
            let meant = self.old.find::<T>(pair.old, alias);
            if meant.is_none_or(|meant| meant.entry.item().name != was.entry.item().name) {
                continue;
            }
            let says = match self.new.find::<T>(pair.new, alias) {
                Some(found) if found.entry.item().name == now => continue,
                Some(found) => {
                    let other = &found.entry.item().name;
                    let word = found.entry.word();
                    format!(" is not known as `{alias}` any more: that is {word} `{other}` now")
                }
                None => format!(" is not known as `{alias}` any more"),
            };
            let change = about.breaking(What::NameLost, &says);
            let change = change.part(Part::Spelled(alias.clone()));
            changes.push(change.help(format!("add `alias = [\"{alias}\"]` to it")));
        }
    }

    /// A new item, own or inherited, that is probably the old one under another name.
    fn near<T: Compared>(&self, pair: Pair<'s, 'c>, was: Found<'s, 'c, T>) -> Option<&'c str> {
        let all = self.new.all::<T>(pair.new).into_iter();
        let added = all.filter(|(name, _)| self.old.find::<T>(pair.old, name).is_none());
        let alike = added.map(|(name, new)| (name, was.entry.is_like(new.entry)));
        let alike: Vec<_> = alike.collect();
        likely(&was.entry.item().name, alike.into_iter())
    }

    fn removed<T: Compared>(
        &self,
        pair: Pair<'s, 'c>,
        was: Found<'s, 'c, T>,
        near: Option<&str>,
        changes: &mut Vec<Change>,
    ) {
        let name = &was.entry.item().name;
        let about = about(pair, was.entry, Some((was.from, was.entry)));
        let is_answered = T::SORT == Sort::Method && self.new.has_fallback(pair.new);
        let says = match is_answered {
            true => " is gone; the fallback answers it now",
            false => " is gone",
        };
        let help = match near {
            Some(near) => format!(
                "if `{near}` is the same under another name, add `alias = [\"{name}\"]` to it"
            ),
            None => format!(
                "keep it as `#[deprecated]` until no tree says `{name}`, or let what does its work \
                 have `alias = [\"{name}\"]`"
            ),
        };
        changes.push(about.breaking(What::Removed, says).help(help));
    }
}

/// A change's subject: the new item, and how old trees use it.
fn about<T: Compared>(pair: Pair<'_, '_>, entry: &T, was: Option<(&Own<'_>, &T)>) -> About {
    About {
        agent: pair.new.full_name().to_owned(),
        item: entry.word(),
        name: entry.item().name.clone(),
        argument: None,
        place: Some(place(entry.item())),
        hit: was.map(|(from, was)| Hit::Item {
            agent: pair.old.full_name().to_owned(),
            sort: T::SORT,
            from: from.full_name().to_owned(),
            name: was.item().name.clone(),
            part: Part::Whole,
        }),
    }
}
