//! Facts that a type's decoder knows and its schema leaves open, written into the catalogue's schemas under
//! [`DECODER`]: all names of an enum's variants and of a struct's fields, aliases among them, and whether
//! lengths and bounds count.
//!
//! The decoder decides: a value that fits the schema is made, and changed in one place. What is said of a
//! type holds wherever it stands, so it is asked where nothing else stands around it, if an argument is of
//! that type, and else where what stands around it decodes.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::decoders::{Decode, Decoders};
use crate::describe::catalogue::{Catalogue, JsonMap};
use crate::describe::schema::{
    self, DECODER, Fact, Format, branches, constant, excluded, fields, first_items, fixed,
    item_count, least, listed, most, one_of, required, tag, types,
};

/// The depth to which schemas are followed.
const DEEPEST: usize = 12;

/// Texts that are no IP addresses.
const NO_ADDRESSES: [&str; 5] = ["", "1", "a", "localhost", "300.1.1.1"];

/// The greatest number of items in a sample.
const LONGEST: u64 = 64;

/// A value with another one in the place that is asked about.
type Inside<'f> = &'f dyn Fn(Value) -> Value;

/// Adds what the decoders of this program know.
pub(super) fn add(catalogue: &mut Catalogue) {
    let decoders = Decoders::linked();
    let defs = catalogue.defs.clone();
    let methods = catalogue.agents.iter().flat_map(|agent| &agent.methods);
    let args = methods.flat_map(|method| &method.args);
    let args = args.filter(|arg| arg.ty.in_out.is_none());
    let alone = args.filter_map(|arg| Samples(&defs).target(&arg.ty.schema));
    let mut ask = Ask {
        samples: Samples(&defs),
        alone: alone.map(|(name, _)| name.to_owned()).collect(),
        found: JsonMap::new(),
    };
    for agent in &mut catalogue.agents {
        for method in &mut agent.methods {
            for (at, arg) in method.args.iter_mut().enumerate() {
                let decoder = decoders.decoder(&agent.full_name, &method.item.name, at);
                if let Some(decode) = decoder.filter(|_| arg.ty.in_out.is_none()) {
                    ask.schema(&mut arg.ty.schema, decode, &|value| value, 0);
                }
            }
        }
    }
    let found = ask.found;
    catalogue.defs.extend(found);
}

struct Ask<'d> {
    samples: Samples<'d>,
    /// The definitions that an argument is of as a whole.
    alone: HashSet<String>,
    /// The definitions with what was found out.
    found: JsonMap,
}

impl Ask<'_> {
    fn schema(&mut self, schema: &mut Value, decode: Decode, inside: Inside<'_>, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        if let Some((name, def)) = self.samples.target(schema) {
            let waits = depth > 0 && self.alone.contains(name);
            if !waits && !self.found.contains_key(name) {
                let (name, mut def) = (name.to_owned(), def.clone());
                // A type that has itself inside is looked at once.
                self.found.insert(name.clone(), def.clone());
                self.schema(&mut def, decode, inside, depth + 1);
                self.found.insert(name, def);
            }
            return;
        }
        let sample = self.samples.taken(schema, decode, inside, 0);
        let known = self.known(schema, &sample, decode, inside);
        let named = known.contains_key("names");
        self.parts(schema, &sample, decode, inside, depth + 1, named);
        if !known.is_empty()
            && let Value::Object(schema) = schema
        {
            schema.insert(DECODER.to_owned(), known.into());
        }
    }

    /// The decoder's facts about this place.
    fn known(
        &self,
        schema: &Value,
        sample: &Value,
        decode: Decode,
        inside: Inside<'_>,
    ) -> Map<String, Value> {
        let mut known = Map::new();
        let own = own_names(schema);
        if !own.is_empty() {
            let of_tag = tag(schema).map(|tag| json!({ tag: "\0" }));
            let mut lists = [Some(json!(false)), of_tag].into_iter().flatten();
            let names = lists.find_map(|wrong| {
                let names = decode.decode(&inside(wrong)).err()?.names();
                let all = own.iter().all(|name| names.contains(&name.as_str()));
                (all && !names.is_empty()).then_some(names)
            });
            if let Some(names) = names {
                if fields(schema)
                    .is_some_and(|fields| self.are_places(names, fields, sample, decode, inside))
                {
                    note(&mut known, Fact::Places);
                }
                known.insert("names".to_owned(), json!(names));
            }
        }
        let refuses = |value: Value| decode.decode(&inside(value)).is_err();
        let longer: Option<Value> = match sample {
            Value::Array(items) => {
                let more = items.iter().chain(items.first()).cloned();
                item_count(schema).exact().map(|_| more.collect())
            }
            Value::String(text) => {
                let most = schema::text_length(schema).most;
                most.map(|_| format!("{text}{text}").into())
            }
            _ => None,
        };
        let least = least(schema).and_then(Value::as_i64);
        let least = least.filter(|least| schema::is_of_type(schema, "integer") && *least > 0);
        if let (Value::Object(fields), true) = (sample, fields(schema).is_some()) {
            let mut unknown = fields.clone();
            unknown.insert("\0".to_owned(), Value::Null);
            if !refuses(sample.clone()) && refuses(unknown.into()) {
                note(&mut known, Fact::Closed);
            }
        }
        if let Some(address) = address(schema)
            && !refuses(address.into())
            && NO_ADDRESSES.iter().all(|wrong| refuses((*wrong).into()))
        {
            note(&mut known, Fact::Format);
        }
        // `Duration` adds whole seconds of `nanos` to `secs`.
        let longest = |nanos: u32| json!({"secs": u64::MAX, "nanos": nanos});
        let times = |fields: &Map<String, Value>| {
            fields.len() == 2 && fields.contains_key("secs") && fields.contains_key("nanos")
        };
        if fields(schema).is_some_and(times)
            && !refuses(longest(999_999_999))
            && refuses(longest(1_000_000_000))
        {
            note(&mut known, Fact::Overflow);
        }
        let not = excluded(schema);
        let plain = plain_values(schema);
        if !plain.is_empty() && plain.into_iter().any(refuses) {
            note(&mut known, Fact::More);
        }
        if (longer.is_none() && least.is_none() && not.is_none()) || refuses(sample.clone()) {
            return known;
        }
        if not.is_some_and(|not| refuses(not.clone())) {
            note(&mut known, Fact::Not);
        }
        if longer.is_some_and(refuses) {
            note(&mut known, Fact::Length);
        }
        if least.is_some_and(|least| refuses((least - 1).into())) {
            note(&mut known, Fact::Minimum);
        }
        known
    }

    /// Returns whether fields may come as an array, in the order of their names.
    fn are_places(
        &self,
        names: &[&str],
        fields: &Map<String, Value>,
        sample: &Value,
        decode: Decode,
        inside: Inside<'_>,
    ) -> bool {
        let items = names.iter().filter_map(|name| {
            let field = fields.get(*name)?;
            let taken = sample.get(*name).cloned();
            Some(taken.unwrap_or_else(|| self.samples.of(field, 0)))
        });
        let mut items: Vec<Value> = items.collect();
        let taken = decode.decode(&inside(items.clone().into())).is_ok();
        items.push(Value::Null);
        taken && decode.decode(&inside(items.into())).is_err()
    }

    /// The same of what is inside; of variants that are `named` already, only what they hold.
    fn parts(
        &mut self,
        schema: &mut Value,
        sample: &Value,
        decode: Decode,
        inside: Inside<'_>,
        depth: usize,
        named: bool,
    ) {
        let whole = schema.clone();
        let Value::Object(map) = schema else { return };
        if let Some(Value::Object(fields)) = map.get_mut("properties") {
            for (name, field) in fields {
                let with = |value| inside(with_field(sample, name, value));
                self.schema(field, decode, &with, depth);
            }
        }
        if let Some(other @ Value::Object(_)) = map.get_mut("additionalProperties") {
            let with = |value| inside(json!({ "0": value }));
            self.schema(other, decode, &with, depth);
        }
        if let Some(items) = map.get_mut("items") {
            let with = |value| inside(vec![value; length(&whole)].into());
            self.schema(items, decode, &with, depth);
        }
        if let Some(Value::Array(first)) = map.get_mut("prefixItems") {
            for (at, item) in first.iter_mut().enumerate() {
                let with = |value| inside(with_item(sample, at, value));
                self.schema(item, decode, &with, depth);
            }
        }
        for key in ["anyOf", "oneOf"] {
            let branches = map.get_mut(key).and_then(Value::as_array_mut);
            for branch in branches.into_iter().flatten() {
                let sample = self.samples.taken(branch, decode, inside, 0);
                self.nulls(&whole, branch, &sample, decode, inside);
                match named {
                    true => self.parts(branch, &sample, decode, inside, depth, false),
                    false => self.schema(branch, decode, inside, depth),
                }
            }
        }
    }

    /// Fields of other variants that this one has only as `null`: the content of a variant without any.
    fn nulls(
        &self,
        whole: &Value,
        branch: &mut Value,
        sample: &Value,
        decode: Decode,
        inside: Inside<'_>,
    ) {
        let takes = |name: &str, value: Value| {
            let sample = with_field(sample, name, value);
            decode.decode(&inside(sample)).is_ok()
        };
        // One that knows no other field at all says so by `additionalProperties`.
        if tag(whole).is_none() || !takes("\0", json!(0)) {
            return;
        }
        let branches = one_of(whole).unwrap_or_default().iter();
        let names = branches.filter_map(fields).flat_map(Map::keys);
        let Some(Value::Object(own)) = branch.get_mut("properties") else {
            return;
        };
        for name in names {
            if !own.contains_key(name) && takes(name, Value::Null) && !takes(name, json!(0)) {
                own.insert(name.clone(), json!({ "type": "null" }));
            }
        }
    }
}

/// Values that fit schemas.
#[derive(Clone, Copy)]
struct Samples<'d>(&'d JsonMap);

impl<'d> Samples<'d> {
    /// The definition that a schema refers to, with its name.
    fn target(self, schema: &Value) -> Option<(&'d str, &'d Value)> {
        let (name, def) = self.0.get_key_value(&*schema::reference(schema)?)?;
        Some((name, def))
    }

    fn of(self, schema: &Value, depth: usize) -> Value {
        if depth > DEEPEST {
            return Value::Null;
        }
        if let Some((_, def)) = self.target(schema) {
            return self.of(def, depth + 1);
        }
        if let Some(one) = fixed(schema).and_then(<[Value]>::first) {
            return one.clone();
        }
        if let Some(branches) = branches(schema) {
            // What has no variant of itself inside is the smallest.
            let simple = branches.iter().find(|branch| constant(branch).is_some());
            let one = simple.or(branches.first());
            return one.map_or(Value::Null, |one| self.of(one, depth + 1));
        }
        let names = types(schema).unwrap_or_default();
        match names.first().copied().unwrap_or_default() {
            "boolean" => false.into(),
            "integer" => least(schema).cloned().unwrap_or(json!(0)),
            "number" => json!(0.0),
            "string" => address(schema).unwrap_or("a").into(),
            "array" => match first_items(schema) {
                Some(first) => first.iter().map(|item| self.of(item, depth + 1)).collect(),
                None if item_count(schema).least.is_none() => json!([]),
                None => {
                    let item = schema::items(schema).unwrap_or(&Value::Null);
                    vec![self.of(item, depth + 1); length(schema)].into()
                }
            },
            "object" => {
                let fields = required(schema).map(|name| {
                    let field = fields(schema).and_then(|fields| fields.get(name));
                    let field = field.unwrap_or(&Value::Null);
                    (name.to_owned(), self.of(field, depth + 1))
                });
                fields.collect::<Map<_, _>>().into()
            }
            _ => Value::Null,
        }
    }

    /// One that the decoder takes, where a change of what it refuses makes it so; each step is one that
    /// brings the decoder to another place.
    fn taken(self, schema: &Value, decode: Decode, inside: Inside<'_>, depth: usize) -> Value {
        let mut sample = self.of(schema, 0);
        let refused = |sample: &Value| decode.decode(&inside(sample.clone())).err();
        let Some(mut why) = refused(&sample).filter(|_| depth < DEEPEST) else {
            return sample;
        };
        let schema = self.target(schema).map_or(schema, |(_, def)| def);
        for (at, part) in parts_of(schema) {
            let with = |value| at.put(&sample, value);
            let other = |value| inside(with(value));
            let part = self.target(part).map_or(part, |(_, def)| def);
            let others = match plain_values(part) {
                plain if plain.is_empty() => vec![self.taken(part, decode, &other, depth + 1)],
                plain => plain,
            };
            for value in others {
                let tried = with(value);
                match refused(&tried) {
                    None => return tried,
                    Some(other) if other.path() != why.path() => {
                        (sample, why) = (tried, other);
                        break;
                    }
                    Some(_) => {}
                }
            }
        }
        sample
    }
}

fn note(known: &mut Map<String, Value>, fact: Fact) {
    known.insert(fact.key().to_owned(), true.into());
}

/// A field or an item.
#[derive(Clone, Copy)]
enum Part<'s> {
    Field(&'s str),
    Item(usize),
}

impl Part<'_> {
    fn put(self, sample: &Value, value: Value) -> Value {
        match self {
            Part::Field(name) => with_field(sample, name, value),
            Part::Item(at) => with_item(sample, at, value),
        }
    }
}

/// The values that a value of a schema must contain.
fn parts_of(schema: &Value) -> Vec<(Part<'_>, &Value)> {
    let fields = required(schema).filter_map(|name| {
        let field = fields(schema)?.get(name)?;
        Some((Part::Field(name), field))
    });
    let items = first_items(schema).unwrap_or_default().iter().enumerate();
    let items = items.map(|(at, item)| (Part::Item(at), item));
    fields.chain(items).collect()
}

fn with_field(sample: &Value, name: &str, value: Value) -> Value {
    let mut sample = sample.clone();
    if let Value::Object(map) = &mut sample {
        map.insert(name.to_owned(), value);
    }
    sample
}

fn with_item(sample: &Value, at: usize, value: Value) -> Value {
    let mut sample = sample.clone();
    if let Some(item) = sample.get_mut(at) {
        *item = value;
    }
    sample
}

/// Values that a schema of a plain type takes, the odd ones first.
fn plain_values(schema: &Value) -> Vec<Value> {
    let is_decided = fixed(schema).is_some() || branches(schema).is_some();
    if is_decided || schema::text_length(schema).most.is_some() {
        return Vec::new();
    }
    let all = match types(schema).as_deref() {
        Some(["string"]) if address(schema).is_none() => {
            vec![json!(""), json!("a"), json!("ab"), json!("\u{1}ü 1")]
        }
        Some(["integer"]) => vec![json!(1), json!(2), json!(99), json!(0)],
        Some(["number"]) => vec![json!(0.5), json!(-1.5), json!(0.0), json!(77.0)],
        _ => Vec::new(),
    };
    let not = excluded(schema);
    let least = least(schema).and_then(Value::as_f64);
    let most = most(schema).and_then(Value::as_f64);
    let is_inside = |value: &Value| {
        let number = value.as_f64();
        let low = number
            .zip(least)
            .is_some_and(|(number, least)| number < least);
        let high = number.zip(most).is_some_and(|(number, most)| number > most);
        Some(value) != not && !low && !high
    };
    all.into_iter().filter(is_inside).collect()
}

/// The number of items in the sample of a list.
fn length(schema: &Value) -> usize {
    let least = item_count(schema).least;
    least.unwrap_or(1).clamp(1, LONGEST) as usize
}

/// The names that a schema has: of variants, or of fields.
fn own_names(schema: &Value) -> Vec<String> {
    // Choices are no names of the type's, which stand beside them.
    if schema::all_of(schema).is_some() {
        return Vec::new();
    }
    let values = |schema| listed(schema).into_iter().flatten().chain(constant(schema));
    let mut names: Vec<&str> = values(schema).filter_map(Value::as_str).collect();
    for branch in one_of(schema).unwrap_or_default() {
        names.extend(values(branch).filter_map(Value::as_str));
        let fields = fields(branch).into_iter();
        match tag(schema) {
            Some(tag) => names.extend(fields.filter_map(|all| constant(all.get(tag)?)?.as_str())),
            None => names.extend(fields.flat_map(Map::keys).map(String::as_str)),
        }
    }
    names.extend(
        fields(schema)
            .into_iter()
            .flat_map(Map::keys)
            .map(String::as_str),
    );
    names.into_iter().map(str::to_owned).collect()
}

/// An address of the format that a text is to have.
fn address(schema: &Value) -> Option<&'static str> {
    match schema::format(schema)? {
        Format::Ip | Format::Ipv4 => Some("10.0.0.1"),
        Format::Ipv6 => Some("::1"),
        Format::Integer { .. } | Format::Float | Format::Double | Format::Other(_) => None,
    }
}
