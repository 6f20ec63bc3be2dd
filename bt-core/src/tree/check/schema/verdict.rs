//! The verdict of a schema on a value.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde_json::{Map, Value};

use super::entries::{Entries, Entry, by_number, entries, single, takes_all, variant};
use super::forms::names_variants;
use crate::blackboard::ValueType;
use crate::compare::equal;
use crate::describe::catalogue::JsonMap;
use crate::describe::schema::{
    self, Fact, Format, Others, branches, constant, excluded, fixed, is_null, knows, less, names,
    others, tag, target, types,
};
use crate::text;
use crate::{DecodeError, call::decode};

/// The verdict on a value.
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
                Fits | Doubtful(_) => self,
            },
        }
    }

    /// With what the decoder knows of a variant's name.
    fn known(self, schema: &Value, value: &Value) -> Verdict {
        let of_tag = tag(schema).and_then(|tag| value.get(tag)?.as_str());
        let name = match single(value) {
            Some((name, _)) => Some(name),
            None => value.as_str(),
        };
        let name = of_tag.or(name);
        match (self, names(schema), name) {
            (Doubtful(why), Some(names), Some(name)) if !names.contains(&name) => Wrong(why),
            // An alias of a variant that holds nothing, or may hold something.
            (Doubtful(_), Some(_), Some(_)) if is_unit(schema) => Fits,
            (verdict, ..) => verdict,
        }
    }

    /// Of a tag, which may also be a variant's number.
    fn of_tag(self, schema: &Value) -> Verdict {
        match self {
            Wrong(why) if constant(schema).is_some() => Doubtful(why),
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

/// The number of schemas that are applied to one value; what is beyond fits.
const STEPS: usize = 100_000;

/// The depth to which schemas are followed.
const DEEPEST: usize = 64;

/// Judges one value.
pub(super) struct Judge<'d> {
    defs: &'d JsonMap,
    steps: usize,
    depth: usize,
    /// The number of objects and choices around the value.
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
        for part in schema::all_of(schema).unwrap_or_default() {
            verdict = verdict.and(|| self.judge(part, value));
        }
        if let Some(branches) = branches(schema) {
            verdict = verdict.and(|| self.one_of(branches, value).known(schema, value));
        }
        if let Some(values) = fixed(schema) {
            let found = among(values, value);
            // A tag is of one variant, and its names are those of all.
            return verdict.and(|| match constant(schema) {
                Some(_) => found,
                None => found.known(schema, value),
            });
        }
        if names_variants(schema) {
            return verdict;
        }
        verdict
            .and(|| self.by_type(schema, value))
            .and(|| beyond(schema, value))
    }

    fn by_type(&mut self, schema: &Value, value: &Value) -> Verdict {
        let mut first = None;
        for name in types(schema).unwrap_or_default() {
            match self.of_type(name, schema, value) {
                Fits => return Fits,
                // What is wrong with it, rather than that it is not `null`.
                verdict => {
                    first = first
                        .filter(|(name, _)| *name != "null")
                        .or(Some((name, verdict)))
                }
            }
        }
        first.map_or(Fits, |(_, verdict)| verdict)
    }

    fn of_type(&mut self, name: &str, schema: &Value, value: &Value) -> Verdict {
        let format = schema::format(schema);
        match name {
            "null" => is(value.is_null(), "`null`", value),
            "boolean" => is(value.is_boolean(), "`true` or `false`", value),
            "integer" => self.integer(format, value).and(|| least(schema, value)),
            "number" if format == Some(Format::Float) => self.float(&ValueType::Float, value),
            "number" if format == Some(Format::Double) => self.float(&ValueType::Double, value),
            "number" => is(value.is_number(), "a number", value),
            "string" => string(schema, value),
            "array" => self.array(schema, value),
            "object" => self.object(schema, value),
            _ => Fits,
        }
    }

    /// Inside a tagged or untagged enum and a flattened struct, serde takes no `2.0` for an integer; from a
    /// schema one cannot tell what those are.
    fn integer(&self, format: Option<Format<'_>>, value: &Value) -> Verdict {
        match integer(format, value) {
            Fits if self.inside > 0 && value.is_f64() => {
                Doubtful(expected("an integer without a point", value))
            }
            verdict => verdict,
        }
    }

    /// There it rounds numbers by its own rules, too.
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
        let first = schema::first_items(schema);
        let exact = schema::item_count(schema).exact();
        let mut verdict = Fits;
        if let Some(exact) = exact.filter(|exact| *exact != items.len() as u64) {
            let why = expected(&format!("an array of {exact} values"), value);
            // An array or a tuple has its length, a list may just be described so.
            match first.is_some() || knows(schema, Fact::Length) {
                true => return Wrong(why),
                false => verdict = Doubtful(why),
            }
        }
        let first = first.unwrap_or_default();
        for (at, item) in items.iter().enumerate() {
            if let Some(schema) = first.get(at).or_else(|| schema::items(schema)) {
                verdict = verdict.and(|| self.judge(schema, item).inside(format_args!("[{at}]")));
            }
        }
        verdict
    }

    fn object(&mut self, schema: &Value, value: &Value) -> Verdict {
        let fields = schema::fields(schema);
        let entries = match entries(fields, value) {
            Entries::Are(entries) => entries,
            // An array has the fields in their order, but not where the one field is a variant.
            Entries::Positions if variant(schema).is_none() => {
                return self.positions(schema, fields, value);
            }
            Entries::Positions => return Doubtful(expected(&in_words(fields), value)),
            Entries::Twice(key) => return Wrong(twice(key).at(value)),
            // `serde_json::Map` takes it, `HashMap` does not.
            Entries::None if value.is_null() && fields.is_none() && takes_all(schema) => {
                return Doubtful(expected(&in_words(fields), value));
            }
            Entries::None => return Wrong(expected(&in_words(fields), value)),
        };
        let mut verdict = Fits;
        let mut has_unknown = false;
        for Entry { key, value, step } in &entries {
            let key = key.as_deref();
            let field = key.and_then(|key| fields?.get(key));
            let names = names(schema);
            let known = |name| names.as_ref().is_none_or(|names| names.contains(&name));
            has_unknown |= field.is_none() && key.is_some_and(known);
            let step = match variant(schema) {
                Some(name) if field.is_some() => &format!(".{name}"),
                _ => step,
            };
            verdict = verdict.and(|| match (field, others(schema)) {
                (None, _) if let (Some((key, of)), Some(name)) = (by_number(schema), key) => {
                    let verdict = match key.certainly_has(name) {
                        true => Fits,
                        false => Doubtful(expected("a number as key", &name.into())),
                    };
                    let verdict = verdict.and(|| self.judge_inside(of, value));
                    verdict.inside(step)
                }
                (None, Others::All) => Fits,
                (None, Others::Unsaid) if !knows(schema, Fact::Closed) => Fits,
                (None, Others::Unsaid | Others::None) => {
                    match no_field(fields, key.unwrap_or_default()) {
                        Doubtful(why) if !key.is_some_and(known) => Wrong(why),
                        verdict => verdict,
                    }
                }
                (Some(schema), _) | (None, Others::Of(schema)) => {
                    let verdict = self.judge_inside(schema, value);
                    verdict.of_tag(schema).inside(step)
                }
            });
        }
        let of = |name: &str| {
            let mut entries = entries.iter();
            entries.find(|entry| entry.key.as_deref() == Some(name))
        };
        let times = ["secs", "nanos"].map(|name| of(name).map(|entry| entry.value));
        verdict = verdict.and(|| overflow(schema, times, value));
        let has = |name: &str| of(name).is_some();
        match schema::required(schema).find(|name| !has(name)) {
            None => verdict,
            Some(name) => verdict.and(|| {
                let why = DecodeError::said(format!("field `{name}` is missing")).at(value);
                // One that is not known may be it, under an alias.
                if has_unknown {
                    Doubtful(why)
                } else {
                    Wrong(why)
                }
            }),
        }
    }

    /// The fields in the order in which they are declared.
    fn positions(
        &mut self,
        schema: &Value,
        fields: Option<&Map<String, Value>>,
        value: &Value,
    ) -> Verdict {
        let items = value.as_array().map_or(&[][..], Vec::as_slice);
        let (Some(fields), Some(names)) = (fields, schema::by_position(schema)) else {
            return Doubtful(expected(&in_words(fields), value));
        };
        if items.len() > names.len() {
            return Wrong(expected(
                &format!("an array of {} values", names.len()),
                value,
            ));
        }
        let mut verdict = Fits;
        for (at, (name, item)) in names.iter().zip(items).enumerate() {
            verdict = verdict.and(|| {
                self.judge_inside(&fields[*name], item)
                    .inside(format_args!("[{at}]"))
            });
        }
        let of = |name: &str| items.get(names.iter().position(|one| *one == name)?);
        verdict = verdict.and(|| overflow(schema, ["secs", "nanos"].map(of), value));
        let left_out = &names[items.len()..];
        match schema::required(schema).any(|name| left_out.contains(&name)) {
            false => verdict,
            true => verdict.and(|| Wrong(expected(&in_words(Some(fields)), value))),
        }
    }

    fn one_of(&mut self, branches: &[Value], value: &Value) -> Verdict {
        let tagged = branches.iter().find(|branch| self.has_tag(branch, value));
        if let Some(branch) = tagged {
            return self.judge_inside(branch, value);
        }
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

    /// Returns true if a field of the value says that it is of this branch, and of no other.
    fn has_tag(&self, branch: &Value, value: &Value) -> bool {
        let fields = schema::fields(target(self.defs, branch).unwrap_or(branch));
        fields.into_iter().flatten().any(|(name, field)| {
            let tag = constant(field).filter(|tag| tag.is_string());
            tag.is_some() && value.get(name) == tag
        })
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
    let shown = text::listed(values, |value| format!("`{}`", crate::decode::shown(value)));
    match shown.as_slice() {
        [one] => one.clone(),
        _ => format!("one of {}", shown.join(", ")),
    }
}

fn typed(ty: &ValueType, value: &Value) -> Verdict {
    ty.check(value).map_or_else(Wrong, |()| Fits)
}

fn integer(format: Option<Format<'_>>, value: &Value) -> Verdict {
    let Some(Format::Integer { signed, bits }) = format else {
        return is(value.is_number(), "an integer", value);
    };
    match (signed, bits) {
        (true, 128) => decode::<i128>(value).map_or_else(Wrong, |_| Fits),
        (false, 128) => decode::<u128>(value).map_or_else(Wrong, |_| Fits),
        _ => typed(&ValueType::Integer { signed, bits }, value),
    }
}

fn string(schema: &Value, value: &Value) -> Verdict {
    let Value::String(text) = value else {
        return Wrong(expected("a string", value));
    };
    let is_char = schema::text_length(schema).exact() == Some(1);
    if is_char && text.chars().count() != 1 {
        let why = expected("a single character", value);
        return match knows(schema, Fact::Length) {
            true => Wrong(why),
            false => Doubtful(why),
        };
    }
    let is_address = match schema::format(schema) {
        Some(Format::Ip) => text.parse::<IpAddr>().is_ok(),
        Some(Format::Ipv4) => text.parse::<Ipv4Addr>().is_ok(),
        Some(Format::Ipv6) => text.parse::<Ipv6Addr>().is_ok(),
        Some(Format::Integer { .. } | Format::Float | Format::Double | Format::Other(_)) | None => {
            true
        }
    };
    match is_address {
        true => Fits,
        false if knows(schema, Fact::Format) => Wrong(expected("an IP address", value)),
        false => Doubtful(expected("an IP address", value)),
    }
}

/// Returns true if no variant holds anything.
fn is_unit(schema: &Value) -> bool {
    branches(schema).is_none_or(|all| all.iter().all(|branch| fixed(branch).is_some()))
}

/// The decoder's verdict, whatever the schema's is.
fn beyond(schema: &Value, value: &Value) -> Verdict {
    let not = excluded(schema);
    if not.is_some_and(|not| equal(not, value)) {
        let why = expected("another value", value);
        return match knows(schema, Fact::Not) {
            true => Wrong(why),
            false => Doubtful(why),
        };
    }
    match knows(schema, Fact::More) {
        true => Doubtful(expected("what the type's own decoder takes", value)),
        false => Fits,
    }
}

/// Returns whether a `Duration` overflows: whole seconds of its `nanos` are added to its `secs`.
fn overflow(schema: &Value, [secs, nanos]: [Option<&Value>; 2], value: &Value) -> Verdict {
    let number = |of: Option<&Value>| decode::<u64>(of?).ok();
    let (Some(secs), Some(nanos)) = (number(secs), number(nanos)) else {
        return Fits;
    };
    if secs.checked_add(nanos / 1_000_000_000).is_some() {
        return Fits;
    }
    let why = expected("a duration that does not overflow", value);
    match knows(schema, Fact::Overflow) {
        true => Wrong(why),
        false => Doubtful(why),
    }
}

/// The verdict on a value below the least of a schema: refused by a `NonZeroU8`, not by the schema of a `u8`.
fn least(schema: &Value, value: &Value) -> Verdict {
    let least = schema::least(schema).and_then(Value::as_i64);
    let Some(least) = least.filter(|least| *least > 0 && less(value, &(*least).into())) else {
        return Fits;
    };
    let why = expected(&format!("{least} at least"), value);
    match knows(schema, Fact::Minimum) {
        true => Wrong(why),
        false => Doubtful(why),
    }
}

fn twice(key: &Value) -> DecodeError {
    DecodeError::said(format!("key {} is given twice", crate::decode::shown(key)))
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
