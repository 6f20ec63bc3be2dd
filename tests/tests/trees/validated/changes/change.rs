//! A catalogue with one thing changed.

use bt_core::registry::catalogue::{
    Catalogue, ItemEntry, JsonMap, MethodKind, TypeEntry, ValueEntry,
};
use serde_json::{Value, json};

use super::types::schema;
use crate::validated::mutate::Random;
use crate::validated::witnesses::samples;

/// The subject of a change.
pub(super) enum About {
    /// A method, by its old name, of the agent at that place.
    Method(usize, String),
    Property(usize, String),
    Event(usize, String),
    /// Everything that this agent has.
    Agent(usize),
    /// A definition of that name.
    Definition(String),
}

pub(super) fn fresh(random: &mut Random) -> String {
    format!("new_{}", random.below(1_000))
}

/// Changes one thing; none if there is nothing of the kind.
pub(super) fn change(catalogue: &mut Catalogue, random: &mut Random) -> Option<About> {
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
                MethodKind::Composite,
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
fn values(list: &mut Vec<ValueEntry>, types: &[TypeEntry], defs: &JsonMap, random: &mut Random) {
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
