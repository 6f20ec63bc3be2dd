//! The types of values: what they take, their bounds, their defaults.

use bt_core::registry::schema::{less, listed, names};
use bt_core::tree::check::{loses_forms, loses_taker};
use serde_json::Value;

use super::change::{About, Change, Effect, What};
use super::compare::Compare;
use super::hit::{Hit, Part};
use super::schema::{Relation, Schema, differences, fits, range, relation};
use super::side::{Own, Side};
use crate::catalogue::{InOut, TypeEntry};

/// The direction of a value between a tree and Rust.
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
            Some(InOut::InOut) => Flow::Both,
        }
    }

    /// Returns whether trees work on, and else why not.
    fn judge(self, relation: Relation) -> (Effect, &'static str) {
        let gives = "values in trees may no longer be accepted";
        let gets = "trees may get values that the argument they pass them to does not accept";
        match (self, relation) {
            (_, Relation::Same) | (Flow::In, Relation::Wider) | (Flow::Out, Relation::Narrower) => {
                (Effect::Compatible, "")
            }
            (_, Relation::Other) => (
                Effect::Breaking,
                "it takes other values now, as far as the schemas show",
            ),
            (_, Relation::Narrower) => (Effect::Breaking, gives),
            (_, Relation::Wider) => (Effect::Breaking, gets),
        }
    }
}

/// The uses that a changed value breaks, and the advice.
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
        let is_other = !same(old.default.as_ref(), new.default.as_ref());
        if is_other && old.optional && new.optional {
            let (was, is) = (shown(&old.default), shown(&new.default));
            let says = format!(": the default was {was}, is {is}");
            let change = about.behaviour(What::Default, &says);
            let part = match stakes.part {
                Part::Given(at) => Part::LeftOut(at),
                ref part => part.clone(),
            };
            let help = "trees that leave it out act otherwise now";
            changes.push(change.part(part).help(help));
        }
        if let (Some(was), Some(is)) = (&old.unit, &new.unit)
            && was != is
        {
            let says = format!(": the unit was `{was}`, is `{is}`");
            let change = about.behaviour(What::Unit, &says);
            let help = "numbers in trees mean something else now";
            changes.push(change.part(stakes.part.clone()).help(help));
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
        let named = |ty: &TypeEntry| names(&ty.schema).is_some();
        let chosen = same_name && !named(old) && !named(new);
        let (a, b) = (unbounded(old, chosen), unbounded(new, chosen));
        let (a, b) = (schema(self.old, &a), schema(self.new, &b));
        let relation = relation(a, b);
        if same_name && relation == Relation::Same {
            return;
        }
        let (mut effect, mut why) = stakes.flow.judge(match stakes.flow {
            // Of what is lost, its bounds and choices may have let nothing be given.
            Flow::In if fits(schema(self.old, &old.schema), b) => Relation::Wider,
            Flow::In | Flow::Out | Flow::Both => relation,
        });
        let of_old = (a.defs, a.value);
        let of_new = (b.defs, b.value);
        let loses = || match about.argument {
            Some(_) => loses_forms(of_old, of_new),
            // Of a property, it is known what takes it.
            None => (self.takers(about)).any(|taker| loses_taker(of_old, of_new, taker)),
        };
        let is_narrowed = (stakes.flow, relation) == (Flow::Out, Relation::Narrower) && loses();
        if is_narrowed {
            (effect, why) = (
                Effect::Breaking,
                "what takes only the values that are gone refuses it",
            );
        }
        let (was, is) = (&old.type_name, &new.type_name);
        let words = differences(a, b);
        let says = match (same_name, words.is_empty()) {
            (true, true) => format!(": type `{is}` is another"),
            (true, false) => format!(": in type `{is}` {}", words.join(", ")),
            (false, true) => format!(" was `{was}`, is `{is}`"),
            (false, false) => format!(" was `{was}`, is `{is}`: {}", words.join(", ")),
        };
        let change = about.change(What::Type, effect, &says);
        let mut change = change.part(stakes.part.clone());
        if stakes.flow == Flow::In || is_narrowed {
            change = change.schemas(&old.schema, &new.schema);
        }
        changes.push(match effect {
            Effect::Behaviour | Effect::Compatible => change,
            Effect::Breaking => change.help(format!("{why}: {}", stakes.help)),
        });
    }

    /// The types of the arguments that a tree may give a property to.
    fn takers<'a>(&'a self, about: &'a About) -> impl Iterator<Item = &'a Value> {
        let of = match &about.hit {
            Some(Hit::Item { agent, .. }) => Some(agent.as_str()),
            Some(
                Hit::Agent { .. } | Hit::Fallback { .. } | Hit::Runs { .. } | Hit::Kind { .. },
            )
            | None => None,
        };
        let is_below =
            move |one: &&Own<'_>| of.is_some_and(|agent| self.old.is_below(one.full_name(), agent));
        let agents = self.old.agents().filter(is_below);
        let agents = agents.flat_map(|agent| self.old.line(agent));
        let methods = agents.flat_map(|agent| &agent.entry.methods);
        let args = methods.flat_map(|method| &method.args);
        let args = args.filter(|arg| arg.ty.in_out.is_none());
        args.map(|arg| &arg.ty.schema)
    }
}

fn schema<'c>(side: &Side<'c>, value: &'c Value) -> Schema<'c> {
    let defs = &side.catalogue.defs;
    Schema { value, defs }
}

/// A type's schema without what its own bounds add to it: they are compared by themselves; so are the choices
/// of one type, which of two types may be the variants of the other.
fn unbounded(ty: &TypeEntry, chosen: bool) -> Value {
    let mut schema = ty.schema.clone();
    if let Some(map) = schema.as_object_mut() {
        let own = [
            ("minimum", ty.min.is_some()),
            ("maximum", ty.max.is_some()),
            ("enum", chosen && choices(ty).is_some()),
        ];
        for (key, _) in own.into_iter().filter(|(_, is_own)| *is_own) {
            map.remove(key);
        }
    }
    schema
}

/// The choices that an annotation lists; those of an enum, whose names the decoder knows, are in its schema.
fn choices(ty: &TypeEntry) -> Option<&[Value]> {
    listed(&ty.schema).filter(|_| names(&ty.schema).is_none())?;
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
        let says = format!(": {word} was {was} and is now {is}");
        let change = match tighter && stakes.flow != Flow::Out {
            true => about.breaking(What::Bounds, &says).help(format!(
                "values in trees may be out of bounds: {}",
                stakes.help
            )),
            false => about.compatible(What::Bounds, &says),
        };
        changes.push(
            change
                .part(stakes.part.clone())
                .schemas(&old.schema, &new.schema),
        );
    };
    let shown = |value: &Value| format!("`{value}`");
    let is_more = |a: &Value, b: &Value| less(b, a);
    let (least, most) = range(&old.schema);
    for (word, was, of_type, is, is_tighter) in [
        (
            "its minimum",
            &old.min,
            least,
            &new.min,
            less as fn(&Value, &Value) -> bool,
        ),
        ("its maximum", &old.max, most, &new.max, is_more),
    ] {
        let tighter = match (was, is) {
            (None, None) => continue,
            // `1` and `1.0` are one bound.
            (Some(was), Some(is)) if was == is || is_same(was, is) => continue,
            (_, None) => false,
            // A `u8` is 0 at least anyhow.
            (None, Some(is)) => of_type.is_none_or(|was| is_tighter(&was, is)),
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

/// Returns true if two values are one: `1` and `1.0` are, wherever they stand.
fn same(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            let mut pairs = a.iter().zip(b);
            a.len() == b.len() && pairs.all(|(a, b)| same(Some(a), Some(b)))
        }
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let mut fields = a.iter();
            a.len() == b.len() && fields.all(|(key, a)| same(Some(a), b.get(key)))
        }
        (Some(a), Some(b)) => a == b || is_same(a, b),
        (a, b) => a == b,
    }
}

fn is_same(a: &Value, b: &Value) -> bool {
    a.is_number() && b.is_number() && !less(a, b) && !less(b, a)
}
