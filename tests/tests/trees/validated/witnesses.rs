//! Trees that use what an agent has, in every way that a catalogue tells of.

use bt_core::registry::catalogue::{Catalogue, JsonMap, MethodEntry, MethodKind, ValueEntry};
use bt_core::registry::schema::{
    DECODER, branches, excluded, fields, fixed, names, required, target, types,
};
use bt_core::tree::check::takes;
use bt_meta::validate::File;
use serde_json::{Map, Value, json};

/// So many values are tried for an argument.
const MOST: usize = 80;

/// Values of a type: each variant, the ends of ranges, each field left out or under another name.
pub(crate) fn samples(defs: &JsonMap, schema: &Value) -> Vec<Value> {
    // As if the decoders decided nothing beyond the schemas: a check of the tree says what they do.
    let mut open = json!({"schema": schema, "defs": defs});
    undecided(&mut open);
    let schema = open["schema"].take();
    let Value::Object(defs) = open["defs"].take() else {
        return Vec::new();
    };
    let defs: JsonMap = defs.into_iter().collect();
    let mut all = Vec::new();
    add(&defs, &schema, 0, &mut all);
    all.retain(|value| takes(&defs, &schema, value));
    all.truncate(MOST);
    all
}

fn undecided(of: &mut Value) {
    match of {
        Value::Object(map) => {
            if let Some(known) = map.get_mut(DECODER).and_then(Value::as_object_mut) {
                known.remove("more");
            }
            map.values_mut().for_each(undecided);
        }
        Value::Array(items) => items.iter_mut().for_each(undecided),
        _ => {}
    }
}

fn add(defs: &JsonMap, schema: &Value, depth: usize, all: &mut Vec<Value>) {
    if depth > 7 {
        return;
    }
    if let Some(target) = target(defs, schema) {
        return add(defs, target, depth + 1, all);
    }
    let more = names(schema).unwrap_or_default();
    if let Some(values) = fixed(schema) {
        all.extend(values.iter().cloned());
    } else if let Some(branches) = branches(schema) {
        branches
            .iter()
            .for_each(|one| add(defs, one, depth + 1, all));
        let held: Vec<Value> = all
            .iter()
            .filter(|value| value.is_object())
            .cloned()
            .collect();
        for value in held {
            all.extend(
                more.iter()
                    .map(|name| json!({ *name: value.as_object().unwrap().values().next() })),
            );
            // Of a tagged one.
            all.extend(more.iter().map(|name| {
                let mut value = value.clone();
                for (key, of) in value.as_object_mut().unwrap() {
                    if key == "kind" || key == "t" {
                        *of = (*name).into();
                    }
                }
                value
            }));
        }
    } else if fields(schema).is_some() {
        objects(defs, schema, depth, all);
    } else {
        for name in types(schema).unwrap_or(vec!["null", "string", "number"]) {
            plain(defs, schema, name, depth, all);
        }
    }
    for name in more {
        all.extend([json!(name), json!({ name: null })]);
    }
}

fn objects(defs: &JsonMap, schema: &Value, depth: usize, all: &mut Vec<Value>) {
    let fields = fields(schema).unwrap();
    let of = |name: &str| -> Vec<Value> {
        let mut found = Vec::new();
        add(defs, &fields[name], depth + 1, &mut found);
        found.retain(|value| takes(defs, &fields[name], value));
        found.truncate(16);
        found
    };
    let first = |name: &str| of(name).into_iter().next().unwrap_or_default();
    let least: Map<String, Value> = required(schema)
        .map(|name| (name.to_owned(), first(name)))
        .collect();
    all.push(least.clone().into());
    let known = names(schema).unwrap_or_default();
    let in_order = known.iter().filter(|name| fields.contains_key(**name));
    let in_order: Vec<Value> = in_order.map(|name| first(name)).collect();
    for end in (1..=in_order.len()).rev() {
        all.push(in_order[..end].to_vec().into());
    }
    let mut strange = least.clone();
    strange.insert("nobody".to_owned(), json!(1));
    all.push(strange.into());
    for alias in known.iter().filter(|name| !fields.contains_key(**name)) {
        for name in fields.keys() {
            let mut object = least.clone();
            object.remove(name);
            object.insert((*alias).to_owned(), first(name));
            all.push(object.into());
        }
    }
    for name in fields.keys() {
        for value in of(name) {
            let mut object = least.clone();
            object.insert(name.clone(), value);
            all.push(object.into());
        }
    }
}

fn plain(defs: &JsonMap, schema: &Value, name: &str, depth: usize, all: &mut Vec<Value>) {
    let whole = [
        -129,
        -1,
        0,
        1,
        2,
        9,
        50,
        127,
        128,
        255,
        256,
        32_768,
        65_536,
        1 << 31,
        1 << 32,
        1 << 53,
        i64::MAX,
    ];
    match name {
        "null" => all.push(Value::Null),
        "boolean" => all.extend([json!(true), json!(false)]),
        "integer" => {
            all.extend(whole.map(Value::from));
            all.extend([
                json!(u64::MAX),
                json!(i64::MIN),
                json!(-32_769),
                json!(-(1_i64 << 31) - 1),
            ]);
            all.extend(excluded(schema).cloned());
        }
        "number" => all.extend([0.5, 0.0, -1.5, 1.0, 5.0, 9.5, 50.0, 0.1, 1e300].map(Value::from)),
        "string" => all.extend(["a", "ab", "", "10.0.0.1", "calm"].map(Value::from)),
        "array" => {
            let first = schema.get("prefixItems").and_then(Value::as_array);
            let item = |schema: &Value| {
                let mut found = Vec::new();
                add(defs, schema, depth + 1, &mut found);
                found.retain(|value| takes(defs, schema, value));
                found.truncate(16);
                found
            };
            if let Some(first) = first {
                all.push(
                    first
                        .iter()
                        .map(|one| item(one).into_iter().next())
                        .collect(),
                );
            } else if let Some(of) = schema.get("items") {
                let items = item(of);
                all.push(json!([]));
                let length = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1);
                for one in items {
                    all.push(vec![one.clone(); length as usize].into());
                    all.push(vec![one; length as usize + 1].into());
                }
            }
        }
        "object" => {
            all.push(json!({}));
            if let Some(of @ Value::Object(_)) = schema.get("additionalProperties") {
                let mut found = Vec::new();
                add(defs, of, depth + 1, &mut found);
                all.extend(found.into_iter().map(|one| json!({ "a": one })));
            }
        }
        _ => {}
    }
}

/// An argument as a tree gives it.
fn given(arg: &ValueEntry, value: &Value, at: usize, name: Option<&str>) -> Value {
    let mut given = match arg.ty.in_out {
        Some(_) => json!({"arg_type": "blackboard", "arg_value": format!("key{at}")}),
        None => json!({"arg_type": "plain", "arg_value": value}),
    };
    if let Some(name) = name {
        given["arg_name"] = name.into();
    }
    given
}

/// The lists of arguments that a method is called with.
fn lists(defs: &JsonMap, method: &MethodEntry) -> Vec<Vec<Value>> {
    let each: Vec<Vec<Value>> = method.args.iter().map(|arg| values(defs, arg)).collect();
    let one = |at: usize| each[at].first().cloned().unwrap_or_default();
    let place = |at: usize| given(&method.args[at], &one(at), at, None);
    let named = |at: usize, name: &str| given(&method.args[at], &one(at), at, Some(name));
    let count = method.args.len();
    let by_place: Vec<Value> = (0..count).map(place).collect();
    let by_name: Vec<Value> = (0..count)
        .map(|at| named(at, &method.args[at].name))
        .collect();
    let mut all: Vec<Vec<Value>> = (0..=count).map(|end| by_place[..end].to_vec()).collect();
    all.push(by_name.clone());
    for (at, arg) in method.args.iter().enumerate() {
        for name in &arg.alias {
            let mut list = by_name.clone();
            list[at] = named(at, name);
            all.push(list);
        }
        let mut without = by_name.clone();
        without.remove(at);
        all.push(without);
        for value in each[at].iter().skip(1) {
            let mut list = by_place.clone();
            list[at] = given(arg, value, at, None);
            all.push(list);
        }
        let mut key = by_place.clone();
        key[at] = json!({"arg_type": "blackboard", "arg_value": "key"});
        all.push(key);
    }
    all.dedup();
    all
}

fn values(defs: &JsonMap, arg: &ValueEntry) -> Vec<Value> {
    let ty = &arg.ty;
    let ends = ty.min.iter().chain(&ty.max).chain(&ty.default);
    let chosen = ty.choices.iter().flatten();
    let mut all: Vec<Value> = ends.chain(chosen).cloned().collect();
    all.extend(samples(defs, &ty.schema));
    let number = |value: &Value| value.as_f64();
    all.retain(|value| {
        let low = number(value)
            .zip(ty.min.as_ref().and_then(number))
            .is_some_and(|(a, b)| a < b);
        let high = number(value)
            .zip(ty.max.as_ref().and_then(number))
            .is_some_and(|(a, b)| a > b);
        let is_chosen = ty
            .choices
            .as_ref()
            .is_none_or(|all| all.contains(value) || !ty.schema["enum"].is_array());
        let is_chosen = is_chosen || (ty.optional && value.is_null());
        let is_alias = names(&ty.schema).is_some_and(|all| all.iter().any(|name| value == name));
        let is_chosen = is_chosen || is_alias;
        !low && !high && is_chosen
    });
    all
}

/// Trees of an agent that call a method by a name.
pub(crate) fn calls(
    catalogue: &Catalogue,
    agent: &str,
    name: &str,
    method: &MethodEntry,
) -> Vec<File> {
    let lists = lists(&catalogue.defs, method);
    let call = |word: &str, args: &[Value]| json!({format!("{word}_name"): name, format!("{word}_args"): args});
    let nop = json!({"action_name": "nop", "action_args": []});
    let mut all = Vec::new();
    for list in &lists {
        let with = |key: &str, value: Value| {
            let mut extra = nop.clone();
            extra[key] = value;
            tree(agent, "action", extra)
        };
        match method.kind {
            MethodKind::Decorator => all.push(tree(agent, "decorator", call("decorator", list))),
            MethodKind::Composite => all.push(tree(agent, "composite", call("composite", list))),
            _ => all.push(tree(agent, "action", call("action", list))),
        }
        if method.kind == MethodKind::Condition {
            all.push(tree(agent, "condition", call("action", list)));
            all.push(with("guards", json!([call("condition", list)])));
        }
        if !method.is_async && method.is_leaf() {
            all.push(with("effects", json!({"enter": [call("action", list)]})));
            let mut service = call("action", list);
            service["seconds"] = 1.into();
            all.push(with("services", json!([service])));
        }
    }
    all
}

/// Trees of an agent that read a property.
pub(crate) fn reads(catalogue: &Catalogue, agent: &str, names: &[&str]) -> Vec<File> {
    let methods = catalogue.agents.iter().flat_map(|agent| &agent.methods);
    let one =
        methods.filter(|method| method.args.len() == 1 && method.kind != MethodKind::Decorator);
    let mut all = Vec::new();
    for method in one {
        for name in names {
            let args = json!([{"arg_type": "property", "arg_value": name}]);
            let extra = json!({"action_name": method.item.name, "action_args": args});
            all.push(tree(agent, "action", extra));
        }
    }
    all
}

/// Trees of an agent that wait for an event, and take a parameter of it.
pub(crate) fn waits(agent: &str, names: &[&str], params: &[&str]) -> Vec<File> {
    let mut all = Vec::new();
    for name in names {
        all.push(tree(agent, "wait_event", json!({ "event": name })));
        for param in params {
            let params = json!({ *param: "key" });
            all.push(tree(
                agent,
                "wait_event",
                json!({"event": name, "params": params}),
            ));
        }
    }
    all
}

fn tree(agent: &str, kind: &str, extra: Value) -> File {
    let mut nodes = vec![
        json!({"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": agent}}),
        json!({"idx": 1, "parent": 0, "type": kind, "children": [], "extra": extra}),
    ];
    if matches!(kind, "decorator" | "composite") {
        nodes[1]["children"] = json!([2]);
        nodes.push(
            json!({"idx": 2, "parent": 1, "type": "action", "children": [],
            "extra": {"action_name": "nop", "action_args": []}}),
        );
    }
    File {
        name: String::new(),
        path: String::new().into(),
        bytes: json!({ "nodes": nodes }).to_string().into_bytes(),
    }
}
