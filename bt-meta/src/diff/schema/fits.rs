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
                        number::fits(old, new.1, a == "integer") && same_rest(old, new.1, &NUMBERS)
                    }
                    ("object", "object") => self.objects((old_in, old), new),
                    ("array", "array") => self.arrays((old_in, old), new),
                    _ => a == b && same_rest(old, new.1, &[]),
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
            && same_rest(
                old,
                new,
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
            && same_rest(old, new, &["items", "prefixItems"])
    }
}

const NUMBERS: [&str; 3] = ["format", "minimum", "maximum"];

/// Whether the new schema narrows by nothing else than the old one did.
fn same_rest(old: &Map<String, Value>, new: &Map<String, Value>, but: &[&str]) -> bool {
    constraints(new)
        .filter(|(key, _)| *key != "type" && !but.contains(key))
        .all(|(key, value)| old.get(key) == Some(value))
}

/// Whether a value is of a type that nothing narrows, or a number in its range.
fn is_plainly(value: &Value, ty: &str, map: &Map<String, Value>) -> bool {
    let is_plain = || same_rest(&Map::new(), map, &[]);
    match value {
        Value::Null => ty == "null",
        Value::Bool(_) => ty == "boolean" && is_plain(),
        Value::String(_) => ty == "string" && is_plain(),
        Value::Number(number) => {
            let whole = number.is_i64() || number.is_u64();
            let is_typed = ty == "number" || (ty == "integer" && whole);
            is_typed && same_rest(&Map::new(), map, &NUMBERS) && number::takes(map, value)
        }
        Value::Array(_) | Value::Object(_) => false,
    }
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()
}
