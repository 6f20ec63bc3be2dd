//! The changes between two catalogues, and their effects on trees that were made with the old one.
//!
//! [`diff`] compares, `side` says what names stand for in one catalogue, `agents` and `items` which
//! old thing is which new one, `methods`, `arguments`, `values` and `schema` what of it changed.
//! [`Diff::look_for_uses`] finds the trees that a breaking change breaks; `print` says it to people. [`trees`] compares
//! two versions of a tree instead, [`versions`] finds the files of which there are two, and [`page`] shows all of it in
//! pictures.

mod agents;
mod arguments;
mod change;
mod compare;
mod hit;
mod items;
mod likeness;
mod methods;
mod node_kinds;
mod notes;
pub mod page;
pub mod print;
pub mod revision;
mod schema;
mod side;
pub mod trees;
mod uses;
mod values;
pub mod versions;

pub use change::{Change, Diff, Effect, Use, What};
use compare::Compare;
use side::Side;

use crate::catalogue::Catalogue;
use crate::contradictions::refuse_problems;
use crate::error::Error;
use crate::validate::File;

/// Compares two catalogues.
///
/// # Errors
/// A finding where one contradicts itself.
pub fn diff(old: &Catalogue, new: &Catalogue) -> Result<Diff, Error> {
    refuse_problems(old).map_err(|error| error.in_file("the old catalogue"))?;
    refuse_problems(new).map_err(|error| error.in_file("the new catalogue"))?;
    let mut changes = Vec::new();
    if old != new {
        let (old, new) = (Side::of(old), Side::of(new));
        let compare = Compare {
            old: &old,
            new: &new,
            pairs: agents::paired(&old, &new),
            same_defs: old.catalogue.defs == new.catalogue.defs,
        };
        compare.agents(&mut changes);
        compare.node_kinds(&mut changes);
    }
    changes.sort_by(|a, b| key(a).cmp(&key(b)));
    let of = |effect| {
        let has = |change: &&Change| change.effect == effect;
        changes.iter().filter(has).count()
    };
    Ok(Diff {
        breaking: of(Effect::Breaking),
        behaviour: of(Effect::Behaviour),
        compatible: of(Effect::Compatible),
        changes,
        warnings: Vec::new(),
    })
}

/// Node kinds come last; of an agent, what is about itself comes first.
fn key(change: &Change) -> impl Ord + '_ {
    (
        change.agent.is_empty(),
        &change.agent,
        change.effect,
        change.item != "agent",
        change.item,
        &change.name,
        change.change,
        &change.argument,
        &change.message,
    )
}

impl Diff {
    /// Returns true if a change is breaking.
    pub fn is_breaking(&self) -> bool {
        self.breaking > 0
    }

    /// Fills in where trees use what breaking changes, and changes of behaviour, are about. The catalogues are
    /// those that were compared.
    pub fn look_for_uses(&mut self, old: &Catalogue, new: &Catalogue, trees: &[File]) {
        uses::fill(self, &Side::of(old), new, trees);
    }
}
