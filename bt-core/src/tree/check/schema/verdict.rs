//! What a schema says of a value.

use serde_json::{Map, Value};

use super::entries::{Entries, Entry, entries, single, takes_all, variant};
use super::{branches, fixed, names_variants, target};
use crate::blackboard::ValueType;
use crate::compare::equal;
use crate::registry::catalogue::JsonMap;
use crate::text;
use crate::{DecodeError, call::decode};

/// What is said of a value.
#[derive(Debug)]
pub(super) enum Verdict {
    Fits,
    /// The schema does not have it, the type behind the schema may.
    Doubtful(DecodeError),
    Wrong(DecodeError),
}

use Verdict::{Doubtful, Fits, Wrong};

impl Verdict {
    /// Of two that must both fit, the first that is worst.
    fn and(self, other: impl FnOnce() -> Verdict) -> Verdict {
        match self {
            Fits => other(),
            Wrong(_) => self,
            Doubtful(_) => match other() {
                Wrong(why) => Wrong(why),
                _ => self,
            },
        }
    }

    /// Of a tag, which may also be a variant's number.
    fn of_tag(self, schema: &Value) -> Verdict {
        match self {
            Wrong(why) if schema.get("const").is_some() => Doubtful(why),
            other => other,
        }
    }

    fn inside(self, step: impl std::fmt::Display) -> Verdict {
        match self {
            Fits => Fits,
            Doubtful(why) => Doubtful(why.inside(step)),
            Wrong(why) => Wrong(why.inside(step)),
        }
    }
}

fn expected(words: &str, found: &Value) -> DecodeError {
    DecodeError::expected(words, found)
}

/// `Fits` if it is so.
fn is(so: bool, words: &str, found: &Value) -> Verdict {
    match so {
        true => Fits,
        false => Wrong(expected(words, found)),
    }
}

/// How many schemas are applied to one value; what is beyond fits.
const STEPS: usize = 100_000;

/// How deep schemas are followed.
const DEEPEST: usize = 64;

/// Judges one value.
pub(super) struct Judge<'d> {
    defs: &'d JsonMap,
    steps: usize,
    depth: usize,
    /// How many objects and choices the value is inside of.
    inside: usize,
}

impl<'d> Judge<'d> {
    pub(super) fn of(defs: &'d JsonMap) -> Judge<'d> {
        Judge {
            defs,
            steps: STEPS,
            depth: 0,
            inside: 0,
        }
    }

    pub(super) fn judge(&mut self, schema: &Value, value: &Value) -> Verdict {
        if self.steps == 0 || self.depth == DEEPEST {
            return Fits;
        }
        self.steps -= 1;
        self.depth += 1;
        let verdict = self.whole(schema, value);
        self.depth -= 1;
        verdict
    }

    fn judge_inside(&mut self, schema: &Value, value: &Value) -> Verdict {
        self.inside += 1;
        let verdict = self.judge(schema, value);
        self.inside -= 1;
        verdict
    }

    fn whole(&mut self, schema: &Value, value: &Value) -> Verdict {
        let mut verdict = match target(self.defs, schema) {
            Some(target) => self.judge(target, value),
            None => Fits,
        };
        for part in schema
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            verdict = verdict.and(|| self.judge(part, value));
        }
        if let Some(branches) = branches(schema) {
            verdict = verdict.and(|| self.one_of(branches, value));
        }
        if let Some(values) = fixed(schema) {
            return verdict.and(|| among(values, value));
        }
        if names_variants(schema) {
            return verdict;
        }
        verdict.and(|| self.by_type(schema, value))
    }

    fn by_type(&mut self, schema: &Value, value: &Value) -> Verdict {
        let Some(names) = schema.get("type").and_then(Value::as_array) else {
            let name = schema.get("type").and_then(Value::as_str);
            return self.of_type(name.unwrap_or_default(), schema, value);
        };
        let mut first = None;
        for name in names.iter().filter_map(Value::as_str) {
            match self.of_type(name, schema, value) {
                Fits => return Fits,
                // What is wrong with it, rather than that it is not `null`.
                verdict => first = first.or(Some(verdict).filter(|_| name != "null")),
            }
        }
        first.unwrap_or(Fits)
    }

    fn of_type(&mut self, name: &str, schema: &Value, value: &Value) -> Verdict {
        let format = schema.get("format").and_then(Value::as_str);
        match name {
            "null" => is(value.is_null(), "`null`", value),
            "boolean" => is(value.is_boolean(), "`true` or `false`", value),
            "integer" => integer(format.unwrap_or_default(), value),
            "number" => match format {
                Some("float") => self.float(&ValueType::Float, value),
                Some("double") => self.float(&ValueType::Double, value),
                _ => is(value.is_number(), "a number", value),
            },
            "string" => string(schema, value),
            "array" => self.array(schema, value),
            "object" => self.object(schema, value),
            _ => Fits,
        }
    }

    /// Inside an untagged enum and a flattened struct, serde rounds numbers by its own rules; from a
    /// schema one cannot tell what those are.
    fn float(&self, ty: &ValueType, value: &Value) -> Verdict {
        match typed(ty, value) {
            Wrong(why) if self.inside > 0 && value.is_number() => Doubtful(why),
            verdict => verdict,
        }
    }

    fn array(&mut self, schema: &Value, value: &Value) -> Verdict {
        let Value::Array(items) = value else {
            return Wrong(expected("an array", value));
        };
        let size = |key: &str| schema.get(key).and_then(Value::as_u64);
        let first = schema.get("prefixItems").and_then(Value::as_array);
        let exact = size("minItems").filter(|least| size("maxItems") == Some(*least));
        let mut verdict = Fits;
        if let Some(exact) = exact.filter(|exact| *exact != items.len() as u64) {
            let why = expected(&format!("an array of {exact} values"), value);
            // An array or a tuple has its length, a list may just be described so.
            match first {
                Some(_) => return Wrong(why),
                None => verdict = Doubtful(why),
            }
        }
        let first = first.map_or(&[][..], Vec::as_slice);
        for (at, item) in items.iter().enumerate() {
            if let Some(schema) = first.get(at).or_else(|| schema.get("items")) {
                verdict = verdict.and(|| self.judge(schema, item).inside(format_args!("[{at}]")));
            }
        }
        verdict
    }

    fn object(&mut self, schema: &Value, value: &Value) -> Verdict {
        let fields = schema.get("properties").and_then(Value::as_object);
        let entries = match entries(fields, value) {
            Entries::Are(entries) => entries,
            // An array has the fields in their order, but not where the one field is a variant.
            Entries::Positions if variant(schema).is_none() => return Fits,
            Entries::Positions => return Doubtful(expected(&in_words(fields), value)),
            Entries::Twice(key) => return Wrong(twice(key).at(value)),
            // `serde_json::Map` takes it, `HashMap` does not.
            Entries::None if value.is_null() && fields.is_none() && takes_all(schema) => {
                return Doubtful(expected(&in_words(fields), value));
            }
            Entries::None => return Wrong(expected(&in_words(fields), value)),
        };
        let mut verdict = Fits;
        let mut strange = false;
        for Entry { key, value, step } in &entries {
            let field = key.and_then(|key| fields?.get(key));
            let other = schema.get("additionalProperties");
            strange |= field.is_none();
            let step = match variant(schema) {
                Some(name) if field.is_some() => &format!(".{name}"),
                _ => step,
            };
            verdict = verdict.and(|| match (field, other) {
                (None, Some(Value::Bool(false))) => no_field(fields, key.unwrap_or_default()),
                (None, None) => Fits,
                (Some(schema), _) | (None, Some(schema)) => {
                    let verdict = self.judge_inside(schema, value);
                    verdict.of_tag(schema).inside(step)
                }
            });
        }
        let has = |name: &str| entries.iter().any(|entry| entry.key == Some(name));
        let required = schema.get("required").and_then(Value::as_array);
        let mut required = required.into_iter().flatten().filter_map(Value::as_str);
        match required.find(|name| !has(name)) {
            None => verdict,
            Some(name) => verdict.and(|| {
                let why = DecodeError::said(format!("field `{name}` is missing")).at(value);
                // One that is not known may be it, under an alias.
                if strange { Doubtful(why) } else { Wrong(why) }
            }),
        }
    }

    fn one_of(&mut self, branches: &[Value], value: &Value) -> Verdict {
        let mut verdicts = Vec::new();
        for branch in branches {
            match self.judge_inside(branch, value) {
                Fits => return Fits,
                verdict => verdicts.push((branch, verdict)),
            }
        }
        // The variant that is meant says best what is wrong.
        let meant = single(value).map(|(name, _)| name);
        let of_meant = |branch: &Value| meant.is_some() && self.variant_of(branch) == meant;
        if let Some(at) = verdicts.iter().position(|(branch, _)| of_meant(branch)) {
            return verdicts.swap_remove(at).1;
        }
        if let Value::String(name) = value
            && branches
                .iter()
                .any(|branch| self.variant_of(branch) == Some(name))
        {
            let why =
                format!("`{name}` holds a value: write `{{\"{name}\": …}}` or `[[\"{name}\", …]]`");
            return Wrong(DecodeError::said(why).at(value));
        }
        let is_null = |branch: &Value| branch.get("type").is_some_and(|name| name == "null");
        verdicts.retain(|(branch, _)| !is_null(branch));
        if verdicts.len() == 1 {
            return verdicts.remove(0).1;
        }
        let doubtful = verdicts
            .iter()
            .any(|(_, verdict)| matches!(verdict, Doubtful(_)));
        let names: Vec<_> = branches
            .iter()
            .flat_map(|branch| self.names(branch))
            .collect();
        let why = match (value, names.as_slice()) {
            (_, []) => expected("a value of one of its forms", value),
            (Value::String(name), names) => {
                DecodeError::none_of(format!("`{}`", text::name(name)), name, names).at(value)
            }
            (_, names) => expected(&one_of(names), value),
        };
        if doubtful { Doubtful(why) } else { Wrong(why) }
    }

    /// The variant that a branch is for, if it is for one that holds a value.
    fn variant_of<'s>(&self, branch: &'s Value) -> Option<&'s str>
    where
        'd: 's,
    {
        variant(target(self.defs, branch).unwrap_or(branch))
    }

    /// The variants that a branch is for.
    fn names<'s>(&self, branch: &'s Value) -> Vec<&'s str>
    where
        'd: 's,
    {
        let branch = target(self.defs, branch).unwrap_or(branch);
        let fixed = fixed(branch)
            .unwrap_or_default()
            .iter()
            .filter_map(Value::as_str);
        fixed.chain(variant(branch)).collect()
    }
}

fn among(values: &[Value], value: &Value) -> Verdict {
    // A variant that holds nothing may be an object's key, of `null`.
    let name = match single(value) {
        Some((name, Value::Null)) => Some(name),
        _ => value.as_str(),
    };
    let fits = |one: &Value| equal(one, value) || name.is_some() && one.as_str() == name;
    if values.iter().any(fits) {
        return Fits;
    }
    let names: Vec<_> = values.iter().filter_map(Value::as_str).collect();
    let alike = |one: &Value| std::mem::discriminant(one) == std::mem::discriminant(value);
    match name {
        Some(name) if !names.is_empty() => {
            let shown = format!("`{}`", text::name(name));
            Doubtful(DecodeError::none_of(shown, name, &names).at(value))
        }
        _ => {
            let all = match names.is_empty() {
                true => one_of_values(values),
                false => one_of(&names),
            };
            let why = expected(&all, value);
            match values.iter().any(alike) {
                true => Doubtful(why),
                false => Wrong(why),
            }
        }
    }
}

fn one_of(names: &[&str]) -> String {
    match names {
        [one] => format!("`{one}`"),
        _ => format!("one of {}", text::quoted(names.iter().copied()).join(", ")),
    }
}

fn one_of_values(values: &[Value]) -> String {
    let shown = text::listed(values, |value| format!("`{}`", crate::call::shown(value)));
    match shown.as_slice() {
        [one] => one.clone(),
        _ => format!("one of {}", shown.join(", ")),
    }
}

fn typed(ty: &ValueType, value: &Value) -> Verdict {
    ty.check(value).map_or_else(Wrong, |()| Fits)
}

fn integer(format: &str, value: &Value) -> Verdict {
    let of = |signed, bits| typed(&ValueType::Integer { signed, bits }, value);
    match format {
        "int8" => of(true, 8),
        "int16" => of(true, 16),
        "int32" => of(true, 32),
        "int64" | "int" => of(true, 64),
        "uint8" => of(false, 8),
        "uint16" => of(false, 16),
        "uint32" => of(false, 32),
        "uint64" | "uint" => of(false, 64),
        "int128" => decode::<i128>(value).map_or_else(Wrong, |_| Fits),
        "uint128" => decode::<u128>(value).map_or_else(Wrong, |_| Fits),
        _ => is(value.is_number(), "an integer", value),
    }
}

fn string(schema: &Value, value: &Value) -> Verdict {
    let Value::String(text) = value else {
        return Wrong(expected("a string", value));
    };
    let size = |key: &str| schema.get(key).and_then(Value::as_u64);
    let char = size("minLength") == Some(1) && size("maxLength") == Some(1);
    match char && text.chars().count() != 1 {
        true => Doubtful(expected("a single character", value)),
        false => Fits,
    }
}

fn twice(key: &Value) -> DecodeError {
    DecodeError::said(format!("key {} is given twice", crate::call::shown(key)))
}

fn in_words(fields: Option<&Map<String, Value>>) -> String {
    let Some(fields) = fields else {
        return "an object, or an array of `[key, value]` pairs".to_owned();
    };
    let names = text::quoted(fields.keys().map(String::as_str));
    let noun = if names.len() == 1 { "field" } else { "fields" };
    format!("an object with the {noun} {}", names.join(", "))
}

fn no_field(fields: Option<&Map<String, Value>>, name: &str) -> Verdict {
    let names: Vec<_> = fields
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
        .collect();
    let shown = format!("field `{}`", text::name(name));
    Doubtful(DecodeError::none_of(shown, name, &names))
}
