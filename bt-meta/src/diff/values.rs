//! The types of values: what they take, their bounds, their defaults.

use serde_json::Value;

use super::change::{About, Change, Effect, What};
use super::hit::Part;
use super::schema::{Relation, Schema, differences, less, relation};
use super::{Compare, side::Side};
use crate::catalogue::{InOut, TypeEntry};

/// Which way a value goes between a tree and Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// A tree gives it.
    In,
    /// A tree gets it.
    Out,
    /// Both.
    Both,
}

impl Flow {
    pub(super) fn of(in_out: Option<InOut>) -> Self {
        match in_out {
            None => Flow::In,
            Some(InOut::Out) => Flow::Out,
            Some(_) => Flow::Both,
        }
    }

    /// Whether trees work on, and else why not.
    fn judge(self, relation: Relation) -> (Effect, &'static str) {
        let gives = "what trees give may not be taken any more";
        let gets = "what trees get may be more than what they pass it on to takes";
        match (self, relation) {
            (_, Relation::Same) | (Flow::In, Relation::Wider) | (Flow::Out, Relation::Narrower) => {
                (Effect::Compatible, "")
            }
            (_, Relation::Other) => (
                Effect::Breaking,
                "it takes other values now, as far as can be told",
            ),
            (_, Relation::Narrower) => (Effect::Breaking, gives),
            (_, Relation::Wider) => (Effect::Breaking, gets),
        }
    }
}

/// What the change of a value breaks, and what to do then.
pub(super) struct Stakes<'s> {
    pub(super) flow: Flow,
    pub(super) part: Part,
    pub(super) help: &'s str,
}

impl Compare<'_, '_> {
    /// Type, bounds and default of a value.
    pub(super) fn value(
        &self,
        about: &About,
        old: &TypeEntry,
        new: &TypeEntry,
        stakes: &Stakes<'_>,
        changes: &mut Vec<Change>,
    ) {
        self.value_type(about, old, new, stakes, changes);
        bounds(about, old, new, stakes, changes);
        let shown = |value: &Option<Value>| match value {
            Some(value) => format!("`{value}`"),
            None => "none".to_owned(),
        };
        // Where one is gone, or new, and that matters, it is required now, or optional.
        if old.default != new.default && old.optional && new.optional {
            let (was, is) = (shown(&old.default), shown(&new.default));
            let says = format!(": the default was {was}, is {is}");
            let change = about.compatible(What::Default, &says);
            changes.push(change.help("trees that leave it out act otherwise now"));
        }
    }

    fn value_type(
        &self,
        about: &About,
        old: &TypeEntry,
        new: &TypeEntry,
        stakes: &Stakes<'_>,
        changes: &mut Vec<Change>,
    ) {
        let same_name = old.type_name == new.type_name;
        if same_name && old.schema == new.schema && self.same_defs {
            return;
        }
        let (a, b) = (unbounded(old), unbounded(new));
        let (a, b) = (schema(self.old, &a), schema(self.new, &b));
        let relation = relation(a, b);
        if same_name && relation == Relation::Same {
            return;
        }
        let (effect, why) = stakes.flow.judge(relation);
        let (was, is) = (&old.type_name, &new.type_name);
        let words = differences(a, b);
        let says = match (same_name, words.is_empty()) {
            (true, true) => format!(": type `{is}` is another"),
            (true, false) => format!(": in type `{is}` {}", words.join(", ")),
            (false, true) => format!(" was `{was}`, is `{is}`"),
            (false, false) => format!(" was `{was}`, is `{is}`: {}", words.join(", ")),
        };
        let change = about.change(What::Type, effect, &says);
        let change = change.part(stakes.part.clone()).takes(&new.schema);
        changes.push(match effect {
            Effect::Compatible => change,
            Effect::Breaking => change.help(format!("{why}: {}", stakes.help)),
        });
    }
}

fn schema<'c>(side: &Side<'c>, value: &'c Value) -> Schema<'c> {
    let defs = &side.catalogue.defs;
    Schema { value, defs }
}

/// A type's schema without what its own bounds add to it: they are compared by themselves.
fn unbounded(ty: &TypeEntry) -> Value {
    let mut schema = ty.schema.clone();
    if let Some(map) = schema.as_object_mut() {
        let own = [
            ("minimum", ty.min.is_some()),
            ("maximum", ty.max.is_some()),
            ("enum", ty.choices.is_some()),
        ];
        for (key, _) in own.into_iter().filter(|(_, is_own)| *is_own) {
            map.remove(key);
        }
    }
    schema
}

/// The choices that an annotation lists; those of an enum are in its schema.
fn choices(ty: &TypeEntry) -> Option<&[Value]> {
    ty.schema.get("enum")?;
    ty.choices.as_deref()
}

fn bounds(
    about: &About,
    old: &TypeEntry,
    new: &TypeEntry,
    stakes: &Stakes<'_>,
    changes: &mut Vec<Change>,
) {
    let mut tell = |word: &str, was: Option<String>, is: Option<String>, tighter: bool| {
        let none = || "none".to_owned();
        let (was, is) = (was.unwrap_or_else(none), is.unwrap_or_else(none));
        let says = format!(": {word} was {was}, is {is}");
        let change = match tighter && stakes.flow != Flow::Out {
            true => about
                .breaking(What::Bounds, &says)
                .help(format!("what trees give may be beyond it: {}", stakes.help)),
            false => about.compatible(What::Bounds, &says),
        };
        changes.push(change.part(stakes.part.clone()).takes(&new.schema));
    };
    let shown = |value: &Value| format!("`{value}`");
    let is_more = |a: &Value, b: &Value| less(b, a);
    for (word, was, is, is_tighter) in [
        (
            "the least",
            &old.min,
            &new.min,
            less as fn(&Value, &Value) -> bool,
        ),
        ("the most", &old.max, &new.max, is_more),
    ] {
        let tighter = match (was, is) {
            (None, None) => continue,
            // `1` and `1.0` are one bound.
            (Some(was), Some(is)) if was == is || is_same(was, is) => continue,
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(was), Some(is)) => is_tighter(was, is) || !is.is_number(),
        };
        tell(
            word,
            was.as_ref().map(shown),
            is.as_ref().map(shown),
            tighter,
        );
    }
    let (was, is) = (choices(old), choices(new));
    if was == is {
        return;
    }
    let list = |values: &[Value]| values.iter().map(shown).collect::<Vec<_>>().join(", ");
    let tighter = match (was, is) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(was), Some(is)) => was.iter().any(|value| !is.contains(value)),
    };
    let is_reordered = was.map(<[_]>::len) == is.map(<[_]>::len) && !tighter;
    if !is_reordered {
        tell("the list of choices", was.map(list), is.map(list), tighter);
    }
}

fn is_same(a: &Value, b: &Value) -> bool {
    a.is_number() && b.is_number() && !less(a, b) && !less(b, a)
}
