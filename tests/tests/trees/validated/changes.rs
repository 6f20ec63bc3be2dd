//! What `diff` calls breaking stops a tree, and what it calls compatible stops none.
//!
//! `BT_CHANGES=10000 cargo test --release -p bt-tests --test trees validated::changes` tries as many changes,
//! `BT_CHANGE=7` the one of that seed.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::registry::catalogue::{
    AgentEntry, Catalogue, ItemEntry, MethodEntry, MethodKind, TypeEntry, ValueEntry,
};
use bt_core::registry::schema::DECODER;
use bt_core::tree::Code;
use bt_core::tree::check::{Checker, Rules};
use bt_core::{Registry, TreeAsset};
use bt_meta::diff::{Change, Effect, What, diff};
use bt_meta::validate::File;
use serde_json::{Value, json};

use super::mutate::Random;
use super::witnesses::{calls, reads, samples, waits};

/// The agents of the example and [`Every`](super::every::Every): what other tests register has no trees here.
fn examined() -> Catalogue {
    let mut catalogue = Catalogue::collect();
    let of_others = |agent: &AgentEntry| {
        agent.item.package == env!("CARGO_PKG_NAME") && agent.full_name != "every"
    };
    catalogue.agents.retain(|agent| !of_others(agent));
    catalogue
}

/// What a change is about.
enum About {
    /// A method, by its old name, of the agent at that place.
    Method(usize, String),
    Property(usize, String),
    Event(usize, String),
    /// Everything that this agent has.
    Agent(usize),
    /// A definition of that name.
    Definition(String),
}

fn fresh(random: &mut Random) -> String {
    format!("new_{}", random.below(1_000))
}

/// Changes one thing; none if there is nothing of the kind.
fn change(catalogue: &mut Catalogue, random: &mut Random) -> Option<About> {
    let own: Vec<usize> = (0..catalogue.agents.len())
        .filter(|at| catalogue.agents[*at].item.package != "bt-core")
        .collect();
    let at = *random.one(&own);
    let types: Vec<TypeEntry> = catalogue
        .agents
        .iter()
        .flat_map(|agent| &agent.methods)
        .flat_map(|method| &method.args)
        .map(|arg| arg.ty.clone())
        .collect();
    let defs = catalogue.defs.clone();
    let agent = &mut catalogue.agents[at];
    match random.below(20) {
        0 => {
            let old = agent.full_name.clone();
            let name = fresh(random);
            if random.below(2) == 0 {
                agent.item.alias.push(old.clone());
            }
            agent.full_name = name.clone();
            agent.item.name = name.clone();
            agent.namespace = None;
            for other in &mut catalogue.agents {
                if other.base.as_ref() == Some(&old) {
                    other.base = Some(name.clone());
                }
            }
            return Some(About::Agent(at));
        }
        1 if !agent.properties.is_empty() => {
            let nth = random.below(agent.properties.len());
            let name = agent.properties[nth].item.name.clone();
            match random.below(3) {
                0 => drop(agent.properties.remove(nth)),
                1 => agent.properties[nth].ty = random.one(&types).clone(),
                _ => rename(&mut agent.properties[nth].item, random),
            }
            return Some(About::Property(at, name));
        }
        2 if !agent.events.is_empty() => {
            let nth = random.below(agent.events.len());
            let name = agent.events[nth].item.name.clone();
            match random.below(4) {
                0 => drop(agent.events.remove(nth)),
                1 => values(&mut agent.events[nth].params, &types, &defs, random),
                _ => rename(&mut agent.events[nth].item, random),
            }
            return Some(About::Event(at, name));
        }
        _ => {}
    }
    if agent.methods.is_empty() {
        return None;
    }
    let nth = random.below(agent.methods.len());
    let name = agent.methods[nth].item.name.clone();
    let about = About::Method(at, name);
    match random.below(16) {
        0 => drop(agent.methods.remove(nth)),
        1 => rename(&mut agent.methods[nth].item, random),
        2 => {
            let alias = &mut agent.methods[nth].item.alias;
            if alias.pop().is_none() {
                alias.push(fresh(random));
            }
        }
        3 => {
            let kinds = [
                MethodKind::Action,
                MethodKind::Condition,
                MethodKind::Decorator,
            ];
            agent.methods[nth].kind = *random.one(&kinds);
        }
        4 => agent.methods[nth].is_async ^= true,
        5 => {
            let mut method = agent.methods[nth].clone();
            method.item.name = fresh(random);
            agent.methods.push(method);
        }
        6..=10 => values(&mut agent.methods[nth].args, &types, &defs, random),
        _ => {
            let arg = random.below(agent.methods[nth].args.len());
            let arg = agent.methods[nth].args.get_mut(arg)?;
            let reference = arg.ty.schema.get("$ref").and_then(Value::as_str);
            let name = reference.and_then(|name| name.strip_prefix("#/$defs/"));
            if let Some(name) = name.map(str::to_owned) {
                schema(catalogue.defs.get_mut(&name)?, random);
                return Some(About::Definition(name));
            }
            schema(&mut arg.ty.schema, random);
        }
    }
    Some(about)
}

fn rename(item: &mut ItemEntry, random: &mut Random) {
    let old = std::mem::replace(&mut item.name, fresh(random));
    if random.below(2) == 0 {
        item.alias.push(old);
    }
}

/// Changes a list of arguments or parameters.
fn values(
    list: &mut Vec<ValueEntry>,
    types: &[TypeEntry],
    defs: &bt_core::registry::catalogue::JsonMap,
    random: &mut Random,
) {
    let optional = |ty: &mut TypeEntry, value: Option<Value>| {
        ty.optional = value.is_some();
        ty.default = value;
    };
    let sample = |ty: &TypeEntry| samples(defs, &ty.schema).into_iter().next();
    let at = random.below(list.len());
    if list.is_empty() || random.below(6) == 0 {
        let mut ty = random.one(types).clone();
        if random.below(2) == 0 && ty.in_out.is_none() {
            let value = sample(&ty);
            optional(&mut ty, value);
        }
        let new: ValueEntry = serde_json::from_value(json!({
            "name": fresh(random), "comment": "", "type": ty.type_name, "schema": true
        }))
        .unwrap();
        let at = random.below(list.len() + 1);
        return list.insert(at, ValueEntry { ty, ..new });
    }
    let other = random.below(list.len());
    let arg = &mut list[at];
    match random.below(8) {
        0 => drop(list.remove(at)),
        1 => list.swap(at, other),
        2 => {
            let old = std::mem::replace(&mut arg.name, fresh(random));
            if random.below(2) == 0 {
                arg.alias.push(old);
            }
        }
        3 => arg.ty = random.one(types).clone(),
        4 => {
            let value = match arg.ty.optional || arg.ty.in_out.is_some() {
                true => None,
                false => sample(&arg.ty),
            };
            optional(&mut arg.ty, value);
        }
        5 if arg.ty.schema["type"] == "number" || arg.ty.schema["type"] == "integer" => {
            let bound = json!(*random.one(&[0, 1, 5, 100]));
            let (end, key) = match random.below(2) {
                0 => (&mut arg.ty.min, "minimum"),
                _ => (&mut arg.ty.max, "maximum"),
            };
            *end = Some(bound.clone());
            arg.ty.schema[key] = bound;
        }
        6 if arg.alias.is_empty() => arg.alias.push(fresh(random)),
        6 => drop(arg.alias.pop()),
        _ => arg.comment.push('!'),
    }
}

/// Changes a type: its variants, its fields, or what its decoder is said to decide.
fn schema(of: &mut Value, random: &mut Random) {
    // Going on inside: the fields, the items.
    if random.below(3) == 0 {
        if let Some(fields) = of.get_mut("properties").and_then(Value::as_object_mut) {
            let at = random.below(fields.len());
            return fields
                .values_mut()
                .skip(at)
                .take(1)
                .for_each(|one| schema(one, random));
        }
        if let Some(items) = of.get_mut("items") {
            return schema(items, random);
        }
    }
    let flag = *random.one(&["closed", "length", "not", "minimum", "more", "places"]);
    let has_fields = of.get("properties").is_some();
    if let Some(known) = of.get_mut(DECODER).filter(|_| random.below(4) == 0)
        && let Some(known) = known.as_object_mut()
    {
        if known.remove(flag).is_none() && flag == "closed" && has_fields {
            known.insert(flag.to_owned(), true.into());
        }
        return;
    }
    let new = fresh(random);
    let names = |of: &mut Value, add: Option<&str>, remove: Option<&str>, random: &mut Random| {
        let names = of.get_mut(DECODER).and_then(|known| known.get_mut("names"));
        let Some(names) = names.and_then(Value::as_array_mut) else {
            return;
        };
        names.retain(|name| name.as_str() != remove);
        if let Some(add) = add {
            names.insert(random.below(names.len() + 1), add.into());
        }
    };
    if let Some(values) = of.get("enum").and_then(Value::as_array).cloned() {
        variants(of, "enum", values, json!(new), &new, names, random);
    } else if let Some(branches) = of.get("oneOf").and_then(Value::as_array).cloned() {
        variants(
            of,
            "oneOf",
            branches,
            json!({"const": new}),
            &new,
            names,
            random,
        );
    } else if let Some(fields) = of.get("properties").and_then(Value::as_object).cloned() {
        let (name, field) = fields.iter().nth(random.below(fields.len())).unwrap();
        let is_required = |of: &Value| {
            of["required"]
                .as_array()
                .is_some_and(|all| all.contains(&json!(name)))
        };
        let require = |of: &mut Value, name: &str, is: bool| {
            if !of["required"].is_array() {
                of["required"] = json!([]);
            }
            let all = of["required"].as_array_mut().unwrap();
            all.retain(|one| one != name);
            if is {
                all.push(name.into());
            }
        };
        match random.below(5) {
            0 => {
                of["properties"].as_object_mut().unwrap().remove(name);
                require(of, name, false);
                names(of, None, Some(name), random);
            }
            1 => {
                of["properties"][&new] = json!({"type": "boolean"});
                let is = random.below(2) == 0;
                require(of, &new, is);
                names(of, Some(&new), None, random);
            }
            2 => {
                let is = !is_required(of);
                require(of, name, is);
            }
            3 => {
                of["properties"].as_object_mut().unwrap().remove(name);
                of["properties"][&new] = field.clone();
                let is = is_required(of);
                require(of, name, false);
                require(of, &new, is);
                // Where it stood, with or without the old name as an alias.
                let keep = random.below(2) == 0;
                if let Some(all) = of
                    .pointer_mut(&format!("/{DECODER}/names"))
                    .and_then(Value::as_array_mut)
                    && let Some(at) = all.iter().position(|one| one == name)
                {
                    all.insert(at, json!(new));
                    if !keep {
                        all.remove(at + 1);
                    }
                }
            }
            _ => {
                if let Some(all) = of
                    .pointer_mut(&format!("/{DECODER}/names"))
                    .and_then(Value::as_array_mut)
                {
                    all.reverse();
                }
            }
        }
    } else if let Some(least) = of.get("minItems").and_then(Value::as_u64) {
        of["minItems"] = json!(least + 1);
        of["maxItems"] = json!(least + 1);
    }
}

type Names<'n> = &'n dyn Fn(&mut Value, Option<&str>, Option<&str>, &mut Random);

/// Changes the variants of an enum.
fn variants(
    of: &mut Value,
    key: &str,
    mut all: Vec<Value>,
    new: Value,
    name: &str,
    names: impl Fn(&mut Value, Option<&str>, Option<&str>, &mut Random),
    random: &mut Random,
) {
    let names: Names<'_> = &names;
    let at = random.below(all.len());
    let word = |one: &Value| -> Option<String> {
        let one = one.get("const").unwrap_or(one);
        let fields = || one.get("properties")?.as_object();
        let tag = || {
            fields()?
                .values()
                .find_map(|field| field.get("const")?.as_str())
        };
        let key = || fields()?.keys().next().cloned();
        let name = one.as_str().or_else(tag);
        name.map(str::to_owned).or_else(key)
    };
    let old = word(&all[at]);
    match random.below(4) {
        0 => {
            all.remove(at);
            names(of, None, old.as_deref(), random);
        }
        1 => {
            all.push(new);
            names(of, Some(name), None, random);
        }
        2 if all[at].is_string() || all[at].get("const").is_some() => {
            all[at] = new;
            let lost = old.as_deref().filter(|_| random.below(2) == 0);
            names(of, Some(name), lost, random);
        }
        _ => {
            let own: BTreeSet<String> = all.iter().filter_map(word).collect();
            let known = of
                .pointer(&format!("/{DECODER}/names"))
                .and_then(Value::as_array);
            let alias = known.into_iter().flatten().filter_map(Value::as_str);
            let alias = alias.map(str::to_owned).find(|name| !own.contains(name));
            match alias {
                Some(alias) => names(of, None, Some(&alias), random),
                None => names(of, Some(name), None, random),
            }
        }
    }
    of[key] = all.into();
}

/// The methods whose arguments lead to a definition.
fn leads_to(catalogue: &Catalogue, name: &str) -> Vec<(usize, String)> {
    let mut reached = BTreeSet::from([format!("\"#/$defs/{name}\"")]);
    loop {
        let before = reached.len();
        for (name, def) in &catalogue.defs {
            let text = def.to_string();
            if reached.iter().any(|one| text.contains(one)) {
                reached.insert(format!("\"#/$defs/{name}\""));
            }
        }
        if reached.len() == before {
            break;
        }
    }
    let mut found = Vec::new();
    for (at, agent) in catalogue.agents.iter().enumerate() {
        for method in &agent.methods {
            let mut schemas = method.args.iter().map(|arg| arg.ty.schema.to_string());
            if schemas.any(|text| reached.iter().any(|one| text.contains(one))) {
                found.push((at, method.item.name.clone()));
            }
        }
    }
    found
}

/// The agent and those that are based on it.
fn line(catalogue: &Catalogue, at: usize) -> Vec<&AgentEntry> {
    let mut all = vec![&catalogue.agents[at]];
    let mut next = 0;
    while let Some(agent) = all.get(next) {
        let full = agent.full_name.clone();
        let below = catalogue.agents.iter();
        all.extend(below.filter(|one| one.base.as_ref() == Some(&full)));
        next += 1;
    }
    all
}

fn all_names(item: &ItemEntry) -> Vec<&str> {
    let alias = item.alias.iter().map(String::as_str);
    std::iter::once(item.name.as_str()).chain(alias).collect()
}

/// Trees that use what a change is about, of the old catalogue.
fn trees(old: &Catalogue, about: &About) -> Vec<File> {
    let mut all = Vec::new();
    let mut method = |at: usize, name: &str, all_ways: bool| {
        let Some(found) = find(&old.agents[at], name) else {
            return;
        };
        for agent in line(old, at) {
            for name in all_names(&found.item) {
                let mut ways = calls(old, &agent.full_name, name, found);
                if !all_ways {
                    ways.truncate(3);
                }
                all.append(&mut ways);
            }
        }
    };
    match about {
        About::Method(at, name) => method(*at, name, true),
        About::Definition(name) => {
            leads_to(old, name)
                .iter()
                .for_each(|(at, name)| method(*at, name, true));
        }
        About::Agent(at) => {
            let names: Vec<_> = old.agents[*at]
                .methods
                .iter()
                .map(|one| one.item.name.clone())
                .collect();
            names.iter().for_each(|name| method(*at, name, false));
            for spelled in all_names(&old.agents[*at].item) {
                all.extend(waits(spelled, &["nothing"], &[]));
            }
        }
        About::Property(at, name) => {
            let found = old.agents[*at]
                .properties
                .iter()
                .find(|one| one.item.name == *name);
            for agent in line(old, *at) {
                all.extend(reads(
                    old,
                    &agent.full_name,
                    &all_names(&found.unwrap().item),
                ));
            }
        }
        About::Event(at, name) => {
            let found = old.agents[*at]
                .events
                .iter()
                .find(|one| one.item.name == *name)
                .unwrap();
            let params: Vec<_> = found
                .params
                .iter()
                .flat_map(|one| {
                    std::iter::once(&*one.name).chain(one.alias.iter().map(String::as_str))
                })
                .collect();
            for agent in line(old, *at) {
                all.extend(waits(&agent.full_name, &all_names(&found.item), &params));
            }
        }
    }
    for (at, file) in all.iter_mut().enumerate() {
        file.name = format!("{at}.json");
        file.path = file.name.clone().into();
    }
    all
}

fn find<'c>(agent: &'c AgentEntry, name: &str) -> Option<&'c MethodEntry> {
    agent.methods.iter().find(|method| method.item.name == name)
}

/// What a check says of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Valid,
    /// A schema alone does not tell, as of a field under an alias.
    InDoubt,
    Refused,
}

fn verdicts(registry: &Registry, trees: &[TreeAsset]) -> Vec<Verdict> {
    let rules = Rules::default();
    let checker = Checker::new(trees, registry, &rules);
    let each = trees.iter().enumerate().map(|(at, tree)| {
        let checked = checker.check(at, tree);
        let warns = |codes: &[Code]| {
            checked
                .warnings
                .iter()
                .any(|one| codes.contains(&one.code()))
        };
        // Neither is refused, and neither works.
        let is_lost = warns(&[Code::UnknownEvent, Code::RunningEffect]);
        match checked.problems.is_empty() && !is_lost {
            false => Verdict::Refused,
            true if warns(&[Code::DoubtfulArgument]) => Verdict::InDoubt,
            true => Verdict::Valid,
        }
    });
    each.collect()
}

/// Whether a tree that it breaks may be valid still, and mean something else: other values go to
/// arguments, a key of a value is ignored, a blackboard key is read or written, or holds another type.
fn changes_meaning(change: &Change, tree: &TreeAsset) -> bool {
    match change.change {
        What::Order | What::Passed => true,
        What::Removed => change.argument.is_some(),
        What::Type | What::Bounds if change.argument.is_none() || change.item == "event" => true,
        What::Type => {
            let nodes = tree.nodes().iter();
            let mut extras = nodes.flat_map(|node| node.extra.values());
            change.message.contains(" is gone")
                || tree.to_json().contains("blackboard")
                || extras.any(|extra| gives_array(extra, false))
        }
        _ => false,
    }
}

/// Whether an array is given, as a struct by position may be.
fn gives_array(of: &Value, is_given: bool) -> bool {
    match of {
        Value::Array(items) => is_given || items.iter().any(|item| gives_array(item, false)),
        Value::Object(map) => {
            let mut map = map.iter();
            map.any(|(key, value)| gives_array(value, is_given || key == "arg_value"))
        }
        _ => false,
    }
}

/// Whether its proof needs more than one tree, or more than trees: hosts set properties, the trees of a
/// base are called by those of a derived agent, and a definition stands behind properties and events too.
fn is_proven_elsewhere(change: &Change, about: &About, old: &Catalogue) -> bool {
    let is_value = matches!(change.item, "property" | "event");
    matches!(change.change, What::ReadOnly | What::Base)
        || (change.item == "property" && change.change == What::Bounds)
        || is_written(change, about, old)
        || (is_value && matches!(about, About::Definition(_)))
}

/// Whether it is about the bounds of what a key holds, which only running trees show.
fn is_written(change: &Change, about: &About, old: &Catalogue) -> bool {
    let About::Method(at, name) = about else {
        return false;
    };
    let method = find(&old.agents[*at], name);
    let mut args = method.iter().flat_map(|method| &method.args);
    let is_it = |arg: &&ValueEntry| Some(&arg.name) == change.argument.as_ref();
    let arg = args.find(is_it);
    change.change == What::Bounds && arg.is_some_and(|arg| arg.ty.in_out.is_some())
}

#[test]
fn what_is_breaking_stops_a_tree_and_what_is_compatible_stops_none() {
    let count = std::env::var("BT_CHANGES").map_or(400, |count| count.parse().unwrap());
    let one = std::env::var("BT_CHANGE").ok();
    let one: Option<u64> = one.map(|seed| seed.parse().unwrap());
    let seeds = one.map_or(0..count, |seed| seed..seed + 1);
    let base = examined();
    let (mut breaking, mut compatible, mut tried) = (0, 0, 0);
    let mut wrong = Vec::new();
    for seed in seeds {
        let mut random = Random(seed);
        let mut old = base.clone();
        // Some change already, so that aliases, defaults and bounds are there to be taken away.
        for _ in 0..random.below(4) {
            let _ = change(&mut old, &mut random);
        }
        let mut new = old.clone();
        let Some(about) = change(&mut new, &mut random) else {
            continue;
        };
        let registries = [&old, &new].map(|one| Registry::from_catalogue(one.clone()));
        let [Ok(was), Ok(is)] = &registries else {
            continue;
        };
        let files = trees(&old, &about);
        let all: Vec<_> = files
            .iter()
            .map(|file| TreeAsset::from_slice(&file.name, &file.bytes).unwrap())
            .collect();
        let before = verdicts(was, &all);
        let keep = |at: &usize| before[*at] != Verdict::Refused;
        let sure: BTreeSet<String> = (0..all.len())
            .filter(|at| before[*at] == Verdict::Valid)
            .map(|at| all[at].name().to_owned())
            .collect();
        let files: Vec<File> = (0..all.len())
            .filter(keep)
            .map(|at| files[at].clone())
            .collect();
        let all: Vec<_> = (0..all.len())
            .filter(keep)
            .map(|at| all[at].clone())
            .collect();
        let after: BTreeMap<&str, Verdict> = all
            .iter()
            .map(TreeAsset::name)
            .zip(verdicts(is, &all))
            .collect();
        let mut found = diff(&old, &new).unwrap();
        found.look_for_uses(&old, &new, &files);
        tried += all.len();
        let mut say = |what: String, tree: Option<&TreeAsset>| {
            let tree = tree.map_or_else(String::new, TreeAsset::to_json);
            let all = bt_meta::diff::print::text(&found);
            wrong.push(format!("seed {seed}: {what}\n{all}{tree}"));
        };
        if found.breaking == 0 {
            if let Some(tree) = all
                .iter()
                .find(|tree| sure.contains(tree.name()) && after[tree.name()] == Verdict::Refused)
            {
                say(
                    "nothing is breaking, and a tree stops".to_owned(),
                    Some(tree),
                );
            }
            compatible += 1;
            continue;
        }
        breaking += 1;
        let changes = found.changes.iter();
        for change in changes.filter(|change| change.effect == Effect::Breaking) {
            if change.uses.is_empty() && !is_proven_elsewhere(change, &about, &old) {
                say(
                    format!("no tree of {} shows: {}", all.len(), change.message),
                    None,
                );
            }
            for used in &change.uses {
                let tree = all.iter().find(|tree| tree.name() == used.file).unwrap();
                if after[tree.name()] == Verdict::Valid && !changes_meaning(change, tree) {
                    say(
                        format!("a tree goes on in spite of: {}", change.message),
                        Some(tree),
                    );
                    break;
                }
            }
        }
    }
    let lines: Vec<_> = wrong.iter().filter_map(|one| one.lines().next()).collect();
    let (number, lines) = (wrong.len(), lines.join("\n"));
    assert!(
        wrong.is_empty(),
        "{number} are wrong:\n{lines}\n\nthe first:\n{}",
        wrong[0]
    );
    println!("{breaking} breaking and {compatible} compatible changes, {tried} trees");
    assert!(
        one.is_some() || breaking > count / 4 && compatible > count / 8,
        "{breaking} and {compatible}"
    );
}
