//! Contradictions in a catalogue: duplicates, bases, overrides. Never last-one-wins.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::describe::catalogue::{
    AgentEntry, Catalogue, ItemEntry, Place, ProblemEntry, TypeEntry,
};
use crate::describe::shape::less;

/// Everything that is wrong with a catalogue, in the order of its agents.
pub(crate) fn check(catalogue: &Catalogue) -> Vec<ProblemEntry> {
    let mut problems = Vec::new();
    agents(catalogue, &mut problems);
    let mut too_deep = false;
    let by_name: BTreeMap<&str, &AgentEntry> = catalogue
        .agents
        .iter()
        .map(|agent| (agent.full_name.as_str(), agent))
        .collect();
    for agent in &catalogue.agents {
        let bases = chain(&by_name, agent, &mut too_deep, &mut problems);
        items(agent, &bases, &mut problems);
        defaults(agent, &mut problems);
        bounds(agent, &mut problems);
    }
    problems
}

fn agent_place(agent: &AgentEntry) -> Place {
    agent.item.place(format!("agent `{}`", agent.full_name))
}

/// Each name of an agent stands for one type.
fn agents(catalogue: &Catalogue, problems: &mut Vec<ProblemEntry>) {
    let mut by_name: BTreeMap<&str, Vec<&AgentEntry>> = BTreeMap::new();
    for agent in &catalogue.agents {
        by_name.entry(&agent.full_name).or_default().push(agent);
    }
    for (name, same) in by_name.iter().filter(|(_, same)| same.len() > 1) {
        problems.push(ProblemEntry {
            message: format!(
                "agent `{name}` is registered {} times: give one of them another name, \
                 `#[agent(name = \"…\")]`, or a namespace",
                same.len()
            ),
            places: same.iter().map(|agent| agent_place(agent)).collect(),
        });
    }
    for (at, agent) in catalogue.agents.iter().enumerate() {
        for alias in &agent.item.alias {
            let same = |other: &&AgentEntry| other.item.alias.contains(alias);
            if let Some(other) = catalogue.agents[..at].iter().find(same) {
                problems.push(ProblemEntry {
                    message: format!(
                        "agents `{}` and `{}` have the same alias `{alias}`: an old tree would not \
                         know which is meant",
                        other.full_name, agent.full_name
                    ),
                    places: vec![agent_place(other), agent_place(agent)],
                });
            }
            if let Some(other) = by_name.get(alias.as_str()) {
                problems.push(ProblemEntry {
                    message: format!(
                        "agent `{}` has the alias `{alias}`, which is another agent's name",
                        agent.full_name
                    ),
                    places: vec![agent_place(agent), agent_place(other[0])],
                });
            }
        }
    }
}

/// The number of bases that can stand one below the other: a file may say anything.
const MOST_BASES: usize = 64;

/// The bases of an agent, nearest first; reports one that is missing, and a circle.
fn chain<'a>(
    by_name: &BTreeMap<&str, &'a AgentEntry>,
    agent: &'a AgentEntry,
    too_deep: &mut bool,
    problems: &mut Vec<ProblemEntry>,
) -> Vec<&'a AgentEntry> {
    let mut bases: Vec<&AgentEntry> = Vec::new();
    let mut last = agent;
    while let Some(name) = &last.base {
        let Some(&base) = by_name.get(name.as_str()) else {
            // Reported once, at the agent that names it.
            if last.full_name == agent.full_name {
                problems.push(ProblemEntry {
                    message: format!(
                        "agent `{}` is based on `{name}`, which no linked crate registers as an \
                         agent: write `#[derive(Agent)]` on it, or `register_agent!({name});` if \
                         it is an instance of a generic one",
                        agent.full_name
                    ),
                    places: vec![agent_place(agent)],
                });
            }
            break;
        };
        if base.full_name == agent.full_name {
            // Reported once for the circle, at its first agent by name.
            if bases.iter().all(|b| b.full_name > agent.full_name) {
                let mut names = vec![agent.full_name.clone()];
                names.extend(bases.iter().map(|b| b.full_name.clone()));
                names.push(agent.full_name.clone());
                let mut places = vec![agent_place(agent)];
                places.extend(bases.iter().map(|b| agent_place(b)));
                problems.push(ProblemEntry {
                    message: format!("agents are based on each other: {}", names.join(" -> ")),
                    places,
                });
            }
            break;
        }
        if bases.iter().any(|b| b.full_name == base.full_name) {
            break;
        }
        if bases.len() == MOST_BASES {
            // Reported once, at the first agent: every one of a long circle is too deep.
            if !std::mem::replace(too_deep, true) {
                problems.push(ProblemEntry {
                    message: format!(
                        "agent `{}` has more than {MOST_BASES} bases, one below the other",
                        agent.full_name
                    ),
                    places: vec![agent_place(agent)],
                });
            }
            break;
        }
        bases.push(base);
        last = base;
    }
    bases
}

/// The names of one kind of item, as the checks need them.
struct Named<'a> {
    item: &'a ItemEntry,
    is_override: bool,
}

fn methods(agent: &AgentEntry) -> Vec<Named<'_>> {
    let named = agent.methods.iter().map(|m| Named {
        item: &m.item,
        is_override: m.is_override,
    });
    named.collect()
}

fn properties(agent: &AgentEntry) -> Vec<Named<'_>> {
    let named = agent.properties.iter().map(|p| Named {
        item: &p.item,
        is_override: p.is_override,
    });
    named.collect()
}

fn events(agent: &AgentEntry) -> Vec<Named<'_>> {
    let named = agent.events.iter().map(|e| Named {
        item: &e.item,
        is_override: false,
    });
    named.collect()
}

type Select = fn(&AgentEntry) -> Vec<Named<'_>>;

/// The kinds that share one set of names, with their articles, and the key that permits an override.
const KINDS: [(&str, &str, Select, &str); 3] = [
    (
        "an",
        "action",
        methods,
        "write `override` in its attribute, or another name",
    ),
    (
        "a",
        "property",
        properties,
        "write `override` in its attribute, or another name",
    ),
    (
        "an",
        "event",
        events,
        "fire the base's, or give this one another name",
    ),
];

fn items(agent: &AgentEntry, bases: &[&AgentEntry], problems: &mut Vec<ProblemEntry>) {
    let full = &agent.full_name;
    for (article, kind, select, remedy) in KINDS {
        let own = select(agent);
        let describe = |of: &str, name: &str| format!("{kind} `{name}` of `{of}`");
        for (at, one) in own.iter().enumerate() {
            let name = &one.item.name;
            let here = || one.item.place(describe(full, name));
            if let Some(first) = own[..at].iter().find(|other| other.item.name == *name) {
                problems.push(ProblemEntry {
                    message: format!("agent `{full}` registers the {kind} `{name}` twice"),
                    places: vec![first.item.place(describe(full, name)), here()],
                });
            }
            for alias in &one.item.alias {
                let clash = own.iter().enumerate().find(|(other, o)| {
                    o.item.name == *alias || (*other < at && o.item.alias.contains(alias))
                });
                if let Some((_, other)) = clash {
                    problems.push(ProblemEntry {
                        message: format!(
                            "the alias `{alias}` of {} is taken: each name and alias stands for \
                             one {kind}",
                            describe(full, name)
                        ),
                        places: vec![here(), other.item.place(describe(full, &other.item.name))],
                    });
                }
            }
            let inherited = bases.iter().find_map(|base| {
                let theirs = select(base).into_iter().find(|b| b.item.name == *name)?;
                Some(theirs.item.place(describe(&base.full_name, name)))
            });
            match inherited {
                Some(base) if !one.is_override => problems.push(ProblemEntry {
                    message: format!(
                        "{} hides the one of its base agent: {remedy}",
                        describe(full, name)
                    ),
                    places: vec![here(), base],
                }),
                None if one.is_override => problems.push(ProblemEntry {
                    message: format!(
                        "{} says `override`, but no base agent has {article} {kind} `{name}`",
                        describe(full, name)
                    ),
                    places: vec![here()],
                }),
                _ => {}
            }
        }
    }
}

/// A default is a value that the argument's own bounds and choices allow.
fn defaults(agent: &AgentEntry, problems: &mut Vec<ProblemEntry>) {
    for method in &agent.methods {
        for arg in &method.args {
            let Some(default) = arg.ty.default.as_ref().filter(|value| !value.is_null()) else {
                continue;
            };
            let allowed = match (&arg.ty.min, &arg.ty.max, &arg.ty.choices) {
                (Some(min), ..) if less(default, min) => format!("at least {min}"),
                (_, Some(max), _) if less(max, default) => format!("at most {max}"),
                (.., Some(choices)) if !choices.contains(default) => {
                    let list: Vec<_> = choices.iter().map(ToString::to_string).collect();
                    format!("one of {}", list.join(", "))
                }
                _ => continue,
            };
            let name = &method.item.name;
            let what = format!("action `{name}` of `{}`", agent.full_name);
            problems.push(ProblemEntry {
                message: format!(
                    "argument `{}` of {what} has the default {default}, but it takes {allowed}",
                    arg.name
                ),
                places: vec![method.item.place(what)],
            });
        }
    }
}

/// A bound is a number: one that is infinite or not a number is null in JSON.
fn bounds(agent: &AgentEntry, problems: &mut Vec<ProblemEntry>) {
    let full = &agent.full_name;
    let args = agent.methods.iter().flat_map(|method| {
        let of = move |arg: &str| format!("argument `{arg}` of action `{}`", method.item.name);
        let args = method.args.iter();
        args.map(move |arg| (of(&arg.name), &method.item, &arg.ty))
    });
    let params = agent.events.iter().flat_map(|event| {
        let of = move |arg: &str| format!("parameter `{arg}` of event `{}`", event.item.name);
        let params = event.params.iter();
        params.map(move |arg| (of(&arg.name), &event.item, &arg.ty))
    });
    let properties = agent.properties.iter();
    let properties = properties.map(|p| (format!("property `{}`", p.item.name), &p.item, &p.ty));
    for (what, item, ty) in args.chain(params).chain(properties) {
        let keys = no_numbers(ty);
        problems.extend(keys.map(|key| ProblemEntry {
            message: format!(
                "`{key}` of {what} of `{full}` is infinite or not a number: write a finite number, \
                 or leave the key out"
            ),
            places: vec![item.place(format!("{what} of `{full}`"))],
        }));
    }
}

/// The keys of a value that are null.
fn no_numbers(ty: &TypeEntry) -> impl Iterator<Item = &'static str> {
    let null = |value: &Option<Value>| value.as_ref().is_some_and(Value::is_null);
    let choice = ty.choices.as_ref().filter(|_| !ty.optional);
    let keys = [
        ("min", null(&ty.min)),
        ("max", null(&ty.max)),
        ("step", null(&ty.step)),
        (
            "choices",
            choice.is_some_and(|all| all.contains(&Value::Null)),
        ),
    ];
    keys.into_iter()
        .filter_map(|(key, is_null)| is_null.then_some(key))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_chain_of_bases_has_an_end() {
        let agents = |count: usize, last: Option<usize>| {
            let agent = |n: usize| {
                let base = if n + 1 < count { Some(n + 1) } else { last };
                let base = base.map(|n| format!("a{n}"));
                let name = format!("a{n}");
                json!({
                    "name": name, "full_name": name, "base": base,
                    "crate": "game", "file": "src/lib.rs", "line": 1,
                })
            };
            let agents: Vec<_> = (0..count).map(agent).collect();
            serde_json::from_value(json!({"schema_version": 1, "agents": agents})).unwrap()
        };
        assert_eq!(check(&agents(MOST_BASES + 1, None)), []);
        let found = check(&agents(5000, None));
        assert_eq!(found.len(), 1);
        assert!(
            found[0].message.contains("more than 64 bases"),
            "{}",
            found[0].message
        );
        let circle = check(&agents(5000, Some(0)));
        assert!(!circle.is_empty());
    }

    #[test]
    fn two_agents_with_one_alias_are_a_problem() {
        let agent = |name: &str, line: u32| {
            json!({
                "name": name, "full_name": name, "alias": ["old"],
                "crate": "game", "file": "src/lib.rs", "line": line,
            })
        };
        let catalogue = json!({"schema_version": 1, "agents": [agent("a", 1), agent("b", 2)]});
        let found = check(&serde_json::from_value(catalogue).unwrap());
        assert_eq!(found.len(), 1);
        assert!(
            found[0]
                .message
                .starts_with("agents `a` and `b` have the same alias `old`")
        );
        assert_eq!((found[0].places[0].line, found[0].places[1].line), (1, 2));
    }

    #[test]
    fn a_default_that_its_own_bounds_refuse_is_a_problem() {
        let arg = |ty: serde_json::Value| {
            let mut arg = json!({"name": "x", "type": "double", "schema": {}});
            arg.as_object_mut()
                .unwrap()
                .extend(ty.as_object().unwrap().clone());
            arg
        };
        let args = [
            arg(json!({"default": -1, "min": 0})),
            arg(json!({"default": 9.5, "max": 9})),
            arg(json!({"default": "c", "choices": ["a", "b"]})),
            arg(json!({"default": 1, "min": 0, "max": 2})),
            arg(json!({"default": null, "choices": ["a"]})),
        ];
        let place = json!({"crate": "game", "file": "src/lib.rs", "line": 3});
        let named = |name: &str, more: serde_json::Value| {
            let mut item = place.clone();
            item["name"] = name.into();
            item.as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            item
        };
        let method = named(
            "go",
            json!({"kind": "action", "result": "bool", "args": args}),
        );
        let agent = named("guard", json!({"full_name": "guard", "actions": [method]}));
        let catalogue = json!({"schema_version": 1, "agents": [agent]});
        let found = check(&serde_json::from_value(catalogue).unwrap());
        let messages: Vec<_> = found
            .iter()
            .map(|problem| problem.message.as_str())
            .collect();
        let begin = "argument `x` of action `go` of `guard` has the default";
        assert_eq!(
            messages,
            [
                format!("{begin} -1, but it takes at least 0"),
                format!("{begin} 9.5, but it takes at most 9"),
                format!("{begin} \"c\", but it takes one of \"a\", \"b\""),
            ]
        );
        assert_eq!(
            found[0].places[0].to_string(),
            "game/src/lib.rs:3: action `go` of `guard`"
        );
    }
}
