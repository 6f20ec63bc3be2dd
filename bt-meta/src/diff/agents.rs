//! Agents: which is which, their names, their bases, their fallbacks.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{About, Change, What, place};
use super::compare::Compare;
use super::hit::Hit;
use super::items::Pair;
use super::likeness::likely;
use super::notes::{self, Notes};
use super::side::{Own, Side};
use crate::catalogue::{EventEntry, MethodEntry, PropertyEntry};
use crate::error::quoted;

/// The pairs of agents: old full names and new ones. One has the full name of the other, else it has it as an
/// alias, else they are the only ones with that name in some namespace. Several may have become one.
pub(super) fn paired<'c>(old: &Side<'c>, new: &Side<'c>) -> BTreeMap<&'c str, &'c str> {
    let mut pairs: BTreeMap<&str, &str> = BTreeMap::new();
    for agent in old.agents() {
        if let Some(same) = new.by_full_name(agent.full_name()) {
            pairs.insert(agent.full_name(), same.full_name());
        }
    }
    for agent in old.agents() {
        let full = agent.full_name();
        if pairs.contains_key(full) {
            continue;
        }
        let by_full = new.agent(full);
        // A short name is the agent's own only if no other agent has it.
        let name = agent.entry.item.name.as_str();
        let is_own = old.agent(name).is_some_and(|one| one.full_name() == full);
        let found = by_full.or_else(|| new.agent(name).filter(|_| is_own));
        if let Some(found) = found {
            pairs.insert(full, found.full_name());
        }
    }
    pairs
}

impl<'s, 'c> Compare<'s, 'c> {
    /// Everything about agents and what is registered on them.
    pub(super) fn agents(&self, changes: &mut Vec<Change>) {
        let new: BTreeSet<&str> = self.pairs.values().copied().collect();
        let added: Vec<&Own<'_>> = self
            .new
            .agents()
            .filter(|agent| !new.contains(agent.full_name()))
            .collect();
        for agent in self.old.agents() {
            match self
                .renamed(agent.full_name())
                .and_then(|full| self.new.by_full_name(full))
            {
                Some(new) => self.agent(agent, new, changes),
                None => self.agent_removed(agent, &added, changes),
            }
        }
        for agent in added {
            changes.push(about(agent, None).compatible(What::Added, " is new"));
        }
    }

    fn agent(&self, old: &'s Own<'c>, new: &'s Own<'c>, changes: &mut Vec<Change>) {
        let base = |agent: &Own<'_>| agent.entry.base.clone();
        let old_base = base(old).map(|base| self.renamed(&base).map(str::to_owned));
        let same_base = match (&old_base, base(new)) {
            (None, None) => true,
            (Some(Some(old)), Some(new)) => *old == new,
            _ => false,
        };
        let pair = Pair {
            old,
            new,
            same_base,
        };
        let about = about(new, Some(old));
        self.names(&about, pair, changes);
        if !same_base {
            self.base(&about, pair, changes);
        }
        self.fallback(&about, pair, changes);
        notes::deprecated(&about, &old.entry.item, &new.entry.item, changes);
        let mut notes = Notes::default();
        let was = [old.full_name(), &old.entry.item.name];
        notes.item(&old.entry.item, &new.entry.item, &was);
        notes.tell(&about, changes);
        self.items::<MethodEntry>(pair, changes);
        self.items::<PropertyEntry>(pair, changes);
        self.items::<EventEntry>(pair, changes);
    }

    fn agent_removed(&self, agent: &Own<'c>, added: &[&Own<'c>], changes: &mut Vec<Change>) {
        let full = agent.full_name();
        let about = about(agent, Some(agent));
        let item = &agent.entry.item;
        let alike = added.iter().map(|new| {
            let same = !item.brief.is_empty() && new.entry.item.brief == item.brief;
            (new.full_name(), same)
        });
        changes.push(about.breaking(What::Removed, " is gone").help(match likely(full, alike) {
            Some(near) => format!(
                "if `{near}` is the same under another name, add `alias = [\"{full}\"]` to its \
                 `#[agent(…)]`"
            ),
            None => format!(
                "no tree for it runs any more; an agent that is to run them needs \
                 `alias = [\"{full}\"]` in its `#[agent(…)]`"
            ),
        }));
    }

    /// Compares the names in trees.
    fn names(&self, about: &About, pair: Pair<'_, '_>, changes: &mut Vec<Change>) {
        let (old, new) = (pair.old.full_name(), pair.new.full_name());
        let item = &pair.old.entry.item;
        let names = [old, &item.name]
            .into_iter()
            .chain(item.alias.iter().map(String::as_str));
        let names: BTreeSet<&str> = names.collect();
        let meant = |side: &Side<'_>, name: &str, full: &str| {
            side.agent(name)
                .is_some_and(|agent| agent.full_name() == full)
        };
        let lost: Vec<String> = names
            .into_iter()
            .filter(|name| meant(self.old, name, old) && !meant(self.new, name, new))
            .map(str::to_owned)
            .collect();
        let says = format!(" was `{old}`");
        match (old == new, lost.is_empty()) {
            (true, true) => {}
            (false, true) => {
                let says = format!("{says}, which it is known by too");
                changes.push(about.compatible(What::Renamed, &says));
            }
            (same, false) => {
                let what = if same { What::NameLost } else { What::Renamed };
                let names = quoted(&lost);
                let says = match same {
                    true => format!(" is not what {names} means any more"),
                    false => format!("{says}, and {names} does not mean it any more"),
                };
                let list: Vec<_> = lost.iter().map(|name| format!("\"{name}\"")).collect();
                let help = format!("add `alias = [{}]` to its `#[agent(…)]`", list.join(", "));
                let hit = Hit::Agent {
                    agent: old.to_owned(),
                    spelled: Some(lost),
                };
                changes.push(about.breaking(what, &says).hits(hit).help(help));
            }
        }
    }

    /// Another base: breaking if trees of some base cannot be run any more. What is lost with it is
    /// reported by itself.
    fn base(&self, about: &About, pair: Pair<'_, '_>, changes: &mut Vec<Change>) {
        let word = |base: &Option<String>| match base {
            Some(base) => format!("`{base}`"),
            None => "none".to_owned(),
        };
        let (was, is) = (word(&pair.old.entry.base), word(&pair.new.entry.base));
        let says = format!(": its base was {was}, is {is}");
        let line: BTreeSet<&str> = self.new.line(pair.new).map(Own::full_name).collect();
        let bases = self.old.line(pair.old).skip(1);
        let lost: Vec<String> = bases
            .filter(|base| {
                self.renamed(base.full_name())
                    .is_none_or(|base| !line.contains(base))
            })
            .map(|base| base.full_name().to_owned())
            .collect();
        if lost.is_empty() {
            let change = about.compatible(What::Base, &says);
            return changes.push(change.help(
                "nothing that it inherited from its bases is lost, except what is reported",
            ));
        }
        let help = format!(
            "it runs no trees of {} any more: let its new base be based on that, or call such trees \
             from no tree of it",
            quoted(&lost)
        );
        let hit = Hit::Runs {
            agent: pair.old.full_name().to_owned(),
            bases: lost,
        };
        changes.push(about.breaking(What::Base, &says).hits(hit).help(help));
    }

    fn fallback(&self, about: &About, pair: Pair<'_, '_>, changes: &mut Vec<Change>) {
        let has = |agent: &Own<'_>| agent.entry.fallback.is_some();
        let own = (has(pair.old), has(pair.new));
        let all = (
            self.old.has_fallback(pair.old),
            self.new.has_fallback(pair.new),
        );
        // One that its base has, or lost, that one's changes tell of.
        if pair.same_base && own.0 == own.1 {
            return;
        }
        match all {
            (true, false) => {
                let hit = Hit::Fallback {
                    agent: pair.old.full_name().to_owned(),
                };
                let change = about.breaking(What::Fallback, " has no `#[fallback]` any more");
                changes.push(change.hits(hit).help(
                    "names that nothing registers are refused now: register them, or keep the fallback",
                ));
            }
            (false, true) => {
                let says = " has a `#[fallback]` now, which answers unknown names";
                changes.push(about.compatible(What::Fallback, says));
            }
            _ => {}
        }
    }
}

fn about(agent: &Own<'_>, old: Option<&Own<'_>>) -> About {
    About {
        agent: agent.full_name().to_owned(),
        item: "agent",
        name: agent.full_name().to_owned(),
        argument: None,
        place: Some(place(&agent.entry.item)),
        hit: old.map(|old| Hit::Agent {
            agent: old.full_name().to_owned(),
            spelled: None,
        }),
    }
}
