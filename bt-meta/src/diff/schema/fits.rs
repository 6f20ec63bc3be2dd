//! The question whether one schema takes all that another takes.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::marker::PhantomData;
use std::ptr;

use bt_core::registry::schema::{
    Fact, Others, by_position, fields, first_items, items, knows, names, others, required,
    was_asked,
};
use bt_core::tree::asset::step;
use bt_core::tree::check as judge;
use serde_json::Value;

use super::alternatives::{Alternative, alternatives, constraints, own_names};
use super::{Schema, number};

/// The number of alternatives that are compared: a file may say anything.
const STEPS: usize = 200_000;

/// The depth to which schemas are compared.
const DEEPEST: usize = 64;

/// Returns true if the second schema takes every value that the first takes; false where it cannot be known.
pub(in crate::diff) fn fits(old: Schema<'_>, new: Schema<'_>) -> bool {
    let compare = Compare {
        steps: Cell::new(STEPS),
        deeper: Cell::new(DEEPEST),
        open: RefCell::default(),
        schemas: PhantomData,
    };
    compare.schemas(old, new)
}

struct Compare<'c> {
    steps: Cell<usize>,
    deeper: Cell<usize>,
    /// Pairs of schemas that are being compared, further out, by where they are: types that contain
    /// themselves.
    open: RefCell<HashSet<(*const Value, *const Value)>>,
    /// The schemas are where they are as long as they are compared.
    schemas: PhantomData<&'c Value>,
}

impl<'c> Compare<'c> {
    fn schemas(&self, old: Schema<'c>, new: Schema<'c>) -> bool {
        let pair = (ptr::from_ref(old.value), ptr::from_ref(new.value));
        if !self.open.borrow_mut().insert(pair) {
            return true;
        }
        let Some(deeper) = self.deeper.get().checked_sub(1) else {
            self.open.borrow_mut().remove(&pair);
            return false;
        };
        self.deeper.set(deeper);
        let fits = self.alternatives(old, new);
        self.deeper.set(deeper + 1);
        self.open.borrow_mut().remove(&pair);
        fits
    }

    fn alternatives(&self, old: Schema<'c>, new: Schema<'c>) -> bool {
        let ours = alternatives(new);
        let names: HashSet<&str> = ours.iter().filter_map(name).collect();
        let values: HashSet<&Value> = ours.iter().filter_map(value).collect();
        alternatives(old).into_iter().all(|one| {
            // Most of a long list of variants are in the other list too.
            let is_there = match one {
                Alternative::Const(value) => {
                    values.contains(value) || value.as_str().is_some_and(|one| names.contains(one))
                }
                Alternative::Unit(name) | Alternative::Alias(name) => names.contains(name),
                Alternative::Any | Alternative::Typed(..) | Alternative::Opaque(_) => false,
            };
            if is_there {
                return self.step();
            }
            ours.iter().any(|other| self.one((old, one), (new, *other)))
                || self.is_renamed((old, one), new)
        })
    }

    /// Returns true if a variant that holds something is known by its name still, as an alias.
    fn is_renamed(&self, (old_in, old): (Schema<'c>, Alternative<'c>), new: Schema<'c>) -> bool {
        let Alternative::Typed("object", schema) = old else {
            return false;
        };
        let [name] = own_names(schema)[..] else {
            return false;
        };
        // Under a tag stands the name alone.
        let held = schema.pointer(&format!("/properties/{}", step(name)));
        let held_by = |other: &Alternative<'c>| {
            let Alternative::Typed("object", other) = other else {
                return false;
            };
            held.is_none_or(|held| {
                let fields = fields(other).filter(|fields| fields.len() == 1);
                let other = fields.and_then(|fields| fields.values().next());
                other.is_some_and(|other| self.schemas(old_in.with(held), new.with(other)))
            })
        };
        let ours = alternatives(new);
        let is_alias =
            |one: &Alternative<'_>| matches!(one, Alternative::Alias(one) if *one == name);
        ours.iter().any(is_alias) && ours.iter().any(held_by)
    }

    fn step(&self) -> bool {
        let left = self.steps.get().checked_sub(1);
        self.steps.set(left.unwrap_or(0));
        left.is_some()
    }

    fn one(
        &self,
        (old_in, old): (Schema<'c>, Alternative<'c>),
        (new_in, new): (Schema<'c>, Alternative<'c>),
    ) -> bool {
        use Alternative::{Alias, Any, Const, Opaque, Typed, Unit};
        if !self.step() {
            return false;
        }
        match (old, new) {
            (_, Any) => true,
            (Const(a), Const(b)) => a == b,
            (Const(value), Typed(ty, schema)) => takes(new_in.with(schema), ty, value),
            // One that was an alias is the name now.
            (Alias(name), Typed(_, schema)) => own_names(schema) == [name],
            (Typed(_, old), Typed(_, new)) if decides_more(old, new) => false,
            (Typed(a, old), Typed(b, new)) => {
                let (old, new) = (old_in.with(old), new_in.with(new));
                match (a, b) {
                    ("integer" | "number", "number") | ("integer", "integer") => {
                        number::fits(old.value, new.value, a == "integer")
                            && self.same_rest(old, new, &NUMBERS)
                    }
                    ("null", "null") => true,
                    ("object", "object") => self.objects(old, new),
                    ("array", "array") => self.arrays(old, new),
                    _ => a == b && self.same_rest(old, new, &[]),
                }
            }
            (Opaque(a), Opaque(b)) => a == b,
            // As the key of an object it is no text.
            (Any | Unit(_) | Alias(_) | Opaque(_), _)
            | (_, Const(_) | Unit(_) | Alias(_) | Opaque(_)) => false,
        }
    }

    fn objects(&self, old: Schema<'c>, new: Schema<'c>) -> bool {
        let given: HashSet<&str> = required(old.value).collect();
        let more = others(new.value);
        let takes_others = match (others(old.value), more) {
            (Others::None, _) | (_, Others::All) | (Others::Unsaid, Others::Unsaid) => true,
            (Others::All, Others::None) => false,
            (Others::All, Others::Of(b)) => self.schemas(old.with(&Value::Bool(true)), new.with(b)),
            (Others::Of(a), Others::Of(b)) => self.schemas(old.with(a), new.with(b)),
            (Others::Of(a), Others::None) => {
                self.schemas(old.with(a), new.with(&Value::Bool(false)))
            }
            // Unknown keys were ignored and are now read, or refused.
            (Others::Unsaid, Others::Of(_) | Others::None) => false,
            (Others::All | Others::Of(_), Others::Unsaid) => false,
        };
        let (theirs, ours) = (Fields::of(old.value), Fields::of(new.value));
        let mut renamed = Vec::new();
        let takes_each = theirs.of.iter().all(|(key, a)| {
            let takes = |b: &'c Value| self.schemas(old.with(a), new.with(b));
            match ours.of.get(key) {
                Some(b) => takes(b),
                // A name that it has no more may be an alias of one that it has got.
                None if ours.names.contains(key) => {
                    let mut got = ours
                        .of
                        .iter()
                        .filter(|(name, _)| !theirs.names.contains(*name));
                    got.any(|(name, b)| {
                        let is_it = !renamed.contains(name) && takes(b);
                        if is_it {
                            renamed.push(*name);
                        }
                        is_it
                    })
                }
                // It would be ignored, which nobody meant who wrote it.
                None => match more {
                    Others::All => true,
                    Others::Of(b) => takes(b),
                    Others::Unsaid | Others::None => false,
                },
            }
        });
        // Where nothing is known of the new names, nothing is missed.
        let knows_names = ours.names.is_empty()
            || theirs
                .names
                .iter()
                .all(|name| theirs.of.contains_key(name) || ours.names.contains(name));
        takes_others
            && takes_each
            && knows_names
            && ours.takes_places(&theirs)
            && required(new.value).all(|key| given.contains(key) || renamed.contains(&key))
            && self.same_rest(
                old,
                new,
                &["properties", "required", "additionalProperties"],
            )
    }

    fn arrays(&self, old: Schema<'c>, new: Schema<'c>) -> bool {
        let takes_items = match (items(old.value), items(new.value)) {
            (_, None) => true,
            (Some(a), Some(b)) => self.schemas(old.with(a), new.with(b)),
            (None, Some(b)) => *b == Value::Bool(true),
        };
        let first = |of: Schema<'c>| first_items(of.value).unwrap_or_default();
        let (a, b) = (first(old), first(new));
        let mut pairs = a.iter().zip(b);
        takes_items
            && a.len() == b.len()
            && pairs.all(|(a, b)| self.schemas(old.with(a), new.with(b)))
            && self.same_rest(old, new, &["items", "prefixItems"])
    }

    /// Returns whether the new schema narrows by nothing else than the old one did.
    fn same_rest(&self, old: Schema<'c>, new: Schema<'c>, but: &[&str]) -> bool {
        narrowed_by(new.value, but).all(|(key, theirs)| {
            let ours = old.value.get(key);
            let Some(ours) = ours.filter(|ours| key != "$ref" && *ours == theirs) else {
                return false;
            };
            let (mut a, mut b) = (Vec::new(), Vec::new());
            references(ours, &mut a);
            references(theirs, &mut b);
            // What stands below `not`, or the like, may go either way.
            a.into_iter().zip(b).all(|(a, b)| {
                let (a, b) = (old.with(a), new.with(b));
                self.schemas(a, b) && self.other_way().schemas(b, a)
            })
        })
    }

    /// A comparison from the new schemas to the old ones, as far as this one may still go.
    fn other_way(&self) -> Compare<'c> {
        Compare {
            steps: Cell::new(self.steps.get() / 2),
            deeper: Cell::new(self.deeper.get() / 2),
            open: RefCell::default(),
            schemas: PhantomData,
        }
    }
}

const NUMBERS: [&str; 3] = ["format", "minimum", "maximum"];

/// The keywords that restrict values besides the type and these.
fn narrowed_by<'c>(schema: &'c Value, but: &[&str]) -> impl Iterator<Item = (&'c str, &'c Value)> {
    constraints(schema).filter(move |(key, _)| *key != "type" && !but.contains(key))
}

/// The references in a value, in its order.
fn references<'c>(value: &'c Value, found: &mut Vec<&'c Value>) {
    match value {
        Value::Object(map) if map.contains_key("$ref") => found.push(value),
        Value::Object(map) => map.values().for_each(|value| references(value, found)),
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

/// The one value that an alternative is.
fn value<'c>(one: &Alternative<'c>) -> Option<&'c Value> {
    match one {
        Alternative::Const(value) => Some(value),
        Alternative::Any
        | Alternative::Unit(_)
        | Alternative::Alias(_)
        | Alternative::Typed(..)
        | Alternative::Opaque(_) => None,
    }
}

/// The name of a variant.
fn name<'c>(one: &Alternative<'c>) -> Option<&'c str> {
    match one {
        Alternative::Unit(name) | Alternative::Alias(name) => Some(name),
        Alternative::Any
        | Alternative::Const(_)
        | Alternative::Typed(..)
        | Alternative::Opaque(_) => None,
    }
}

/// The fields of a struct.
struct Fields<'c> {
    of: BTreeMap<&'c str, &'c Value>,
    /// Their names and aliases in order, where the decoder was asked.
    names: Vec<&'c str>,
    /// Their names in the order in which they may come as an array.
    by_position: Option<Vec<&'c str>>,
}

impl<'c> Fields<'c> {
    fn of(schema: &'c Value) -> Fields<'c> {
        let fields = fields(schema).into_iter().flatten();
        Fields {
            of: fields.map(|(name, field)| (name.as_str(), field)).collect(),
            names: names(schema).unwrap_or_default(),
            by_position: by_position(schema),
        }
    }

    /// Returns true if an array of the old fields in their order has each in its place still.
    fn takes_places(&self, old: &Fields<'c>) -> bool {
        let Some(was) = old.by_position.as_ref().filter(|_| !self.names.is_empty()) else {
            return true;
        };
        let Some(is) = &self.by_position else {
            return false;
        };
        let mut new = is.iter();
        was.iter().all(|a| {
            let is_alias = self.names.contains(a) && !self.of.contains_key(a);
            new.next().is_some_and(|b| a == b || is_alias)
        })
    }
}

/// Returns true if the new type's decoder refuses what the old one's did not, whatever the schemas say.
fn decides_more(old: &Value, new: &Value) -> bool {
    let decides = |fact| knows(new, fact) && !knows(old, fact);
    let more = [Fact::Not, Fact::Length, Fact::Minimum, Fact::More];
    more.into_iter().any(decides) || (was_asked(old) && decides(Fact::Closed))
}

/// Returns true if a value is certainly of a type: as bt-core judges values, and a number in its range.
fn takes(schema: Schema<'_>, ty: &str, value: &Value) -> bool {
    let is_typed = match value {
        Value::Number(number) => {
            let whole = number.is_i64() || number.is_u64();
            let is_typed = ty == "number" || (ty == "integer" && whole);
            return is_typed
                && !knows(schema.value, Fact::More)
                && narrowed_by(schema.value, &NUMBERS).next().is_none()
                && number::takes(schema.value, value);
        }
        Value::Null => ty == "null",
        Value::Bool(_) => ty == "boolean",
        Value::String(_) => ty == "string",
        Value::Array(_) => ty == "array",
        Value::Object(_) => ty == "object",
    };
    let is_understood = narrowed_by(schema.value, &STRUCTURE).next().is_none();
    is_typed && is_understood && judge::takes(schema.defs, schema.value, value)
}

/// The keywords that bt-core evaluates for a value that is not a number.
const STRUCTURE: [&str; 7] = [
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
];
