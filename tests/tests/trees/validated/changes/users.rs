//! Trees that use what a change is about.

use std::collections::BTreeSet;

use bt_core::registry::catalogue::{AgentEntry, Catalogue, ItemEntry, MethodEntry};
use bt_meta::validate::File;

use super::change::About;
use crate::validated::witnesses::{calls, reads, waits};

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
pub(super) fn trees(old: &Catalogue, about: &About) -> Vec<File> {
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

pub(super) fn find<'c>(agent: &'c AgentEntry, name: &str) -> Option<&'c MethodEntry> {
    agent.methods.iter().find(|method| method.item.name == name)
}
