//! A type changed: its variants, its fields, or what its decoder is said to decide.

use std::collections::BTreeSet;

use bt_core::registry::schema::DECODER;
use serde_json::{Value, json};

use super::change::fresh;
use crate::validated::mutate::Random;

/// Changes a type: its variants, its fields, or what its decoder is said to decide.
pub(super) fn schema(of: &mut Value, random: &mut Random) {
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
    let has_tag = |one: &Value| {
        let fields = one.get("properties").and_then(Value::as_object);
        fields.is_some_and(|fields| fields.values().any(|field| field["const"].is_string()))
    };
    let is_tagged = all.iter().any(has_tag);
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
        // Whether a tag is another name of a variant is in doubt before and after.
        _ if is_tagged => {}
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
