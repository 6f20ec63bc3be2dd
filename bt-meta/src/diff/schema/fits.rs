//! Whether one schema takes all that another takes.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::alternatives::{Alternative, alternatives, constraints};
use super::{Schema, number};

/// How many alternatives are compared: a file may say anything.
const STEPS: usize = 200_000;

/// How deep schemas are looked into.
const DEEPEST: usize = 64;

/// Whether every value that the first takes is taken by the second; no where it cannot be told.
pub(super) fn fits(old: Schema<'_>, new: Schema<'_>) -> bool {
    let compare = Compare {
        steps: Cell::new(STEPS),
        deeper: Cell::new(DEEPEST),
        open: RefCell::default(),
    };
    compare.schemas(old, new)
}

struct Compare<'c> {
    steps: Cell<usize>,
    deeper: Cell<usize>,
    /// Pairs of references that are being compared, further out: types that contain themselves.
    open: RefCell<HashSet<(&'c str, &'c str)>>,
}

impl<'c> Compare<'c> {
    fn schemas(&self, old: Schema<'c>, new: Schema<'c>) -> bool {
        let pair = reference(old.value).zip(reference(new.value));
        if let Some(pair) = pair
            && !self.open.borrow_mut().insert(pair)
        {
            return true;
        }
        let Some(deeper) = self.deeper.get().checked_sub(1) else {
            return false;
        };
        self.deeper.set(deeper);
        let fits = self.alternatives(old, new);
        self.deeper.set(deeper + 1);
        if let Some(pair) = pair {
            self.open.borrow_mut().remove(&pair);
        }
        fits
    }

    fn alternatives(&self, old: Schema<'c>, new: Schema<'c>) -> bool {
        let ours = alternatives(new);
        let consts: HashSet<&Value> = ours
            .iter()
            .filter_map(|one| match one {
                Alternative::Const(value) => Some(*value),
                _ => None,
            })
            .collect();
        alternatives(old).into_iter().all(|one| {
            if let Alternative::Const(value) = one
                && consts.contains(value)
            {
                return self.step();
            }
            ours.iter().any(|other| self.one((old, one), (new, *other)))
        })
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
        use Alternative::{Any, Const, Opaque, Typed};
        if !self.step() {
            return false;
        }
        match (old, new) {
            (_, Any) => true,
            (Const(a), Const(b)) => a == b,
            (Const(value), Typed(ty, map)) => is_plainly(value, ty, map),
            (Typed(a, old), Typed(b, new)) => {
                let new = (new_in, new);
                match (a, b) {
                    ("integer" | "number", "number") | ("integer", "integer") => {
                        number::fits(old, new.1, a == "integer")
                            && self.same_rest((old_in, old), new, &NUMBERS)
                    }
                    ("object", "object") => self.objects((old_in, old), new),
                    ("array", "array") => self.arrays((old_in, old), new),
                    _ => a == b && self.same_rest((old_in, old), new, &[]),
                }
            }
            (Opaque(a), Opaque(b)) => a == b,
            (Any, _) | (_, Const(_)) | (Opaque(_), _) | (_, Opaque(_)) => false,
        }
    }

    fn objects(
        &self,
        (old_in, old): (Schema<'c>, &'c Map<String, Value>),
        (new_in, new): (Schema<'c>, &'c Map<String, Value>),
    ) -> bool {
        let required = |map: &'c Map<String, Value>| {
            let keys = map.get("required").and_then(Value::as_array);
            keys.into_iter().flatten().filter_map(Value::as_str)
        };
        let given: HashSet<&str> = required(old).collect();
        let others = |map: &'c Map<String, Value>| map.get("additionalProperties");
        let takes_others = match (others(old), others(new)) {
            (Some(Value::Bool(false)), _) | (None, None) | (_, Some(Value::Bool(true))) => true,
            (Some(a), Some(b)) => self.schemas(old_in.with(a), new_in.with(b)),
            // Unknown keys were ignored and are now read, or refused.
            (None, Some(_)) => false,
            (Some(_), None) => false,
        };
        let properties = |map: &'c Map<String, Value>| {
            let properties = map.get("properties").and_then(Value::as_object);
            properties.into_iter().flatten()
        };
        let takes_each = properties(old).all(|(key, a)| {
            let named = new.get("properties").and_then(|all| all.get(key));
            match named.or_else(|| others(new)) {
                // It would be ignored, which nobody meant who wrote it.
                None | Some(Value::Bool(false)) => false,
                Some(b) => self.schemas(old_in.with(a), new_in.with(b)),
            }
        });
        takes_others
            && takes_each
            && required(new).all(|key| given.contains(key))
            && self.same_rest(
                (old_in, old),
                (new_in, new),
                &["properties", "required", "additionalProperties"],
            )
    }

    fn arrays(
        &self,
        (old_in, old): (Schema<'c>, &'c Map<String, Value>),
        (new_in, new): (Schema<'c>, &'c Map<String, Value>),
    ) -> bool {
        let items = match (old.get("items"), new.get("items")) {
            (_, None) => true,
            (Some(a), Some(b)) => self.schemas(old_in.with(a), new_in.with(b)),
            (None, Some(b)) => *b == Value::Bool(true),
        };
        let list = |map: &'c Map<String, Value>| {
            let list = map.get("prefixItems").and_then(Value::as_array);
            list.map_or(&[][..], Vec::as_slice)
        };
        let (a, b) = (list(old), list(new));
        let mut pairs = a.iter().zip(b);
        items
            && a.len() == b.len()
            && pairs.all(|(a, b)| self.schemas(old_in.with(a), new_in.with(b)))
            && self.same_rest((old_in, old), (new_in, new), &["items", "prefixItems"])
    }

    /// Whether the new schema narrows by nothing else than the old one did.
    fn same_rest(
        &self,
        (old_in, old): (Schema<'c>, &'c Map<String, Value>),
        (new_in, new): (Schema<'c>, &'c Map<String, Value>),
        but: &[&str],
    ) -> bool {
        narrowed_by(new, but).all(|(key, theirs)| {
            let Some(ours) = old
                .get(key)
                .filter(|ours| *key != *"$ref" && *ours == theirs)
            else {
                return false;
            };
            let (mut a, mut b) = (Vec::new(), Vec::new());
            references(ours, &mut a);
            references(theirs, &mut b);
            // What stands below `not`, or the like, may go either way.
            a.into_iter().zip(b).all(|(a, b)| {
                let (a, b) = (old_in.with(a), new_in.with(b));
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
        }
    }
}

const NUMBERS: [&str; 3] = ["format", "minimum", "maximum"];

/// What narrows besides the type and these.
fn narrowed_by<'c>(
    map: &'c Map<String, Value>,
    but: &[&str],
) -> impl Iterator<Item = (&'c str, &'c Value)> {
    constraints(map).filter(move |(key, _)| *key != "type" && !but.contains(key))
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

/// Whether a value is of a type that nothing narrows, or a number in its range.
fn is_plainly(value: &Value, ty: &str, map: &Map<String, Value>) -> bool {
    let is_plain = || narrowed_by(map, &[]).next().is_none();
    match value {
        Value::Null => ty == "null",
        Value::Bool(_) => ty == "boolean" && is_plain(),
        Value::String(_) => ty == "string" && is_plain(),
        Value::Number(number) => {
            let whole = number.is_i64() || number.is_u64();
            let is_typed = ty == "number" || (ty == "integer" && whole);
            is_typed && narrowed_by(map, &NUMBERS).next().is_none() && number::takes(map, value)
        }
        Value::Array(_) | Value::Object(_) => false,
    }
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()
}
