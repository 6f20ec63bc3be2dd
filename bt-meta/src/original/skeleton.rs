//! The Rust to begin with: agents with a stub for each action of a catalogue.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::types::inside;
use crate::catalogue::{AgentEntry, Catalogue, MethodEntry, ValueEntry};
use crate::error::Error;
use crate::layout::Agents;
use crate::starter::KEYWORDS;

/// The built-in agent, base of every agent that names no other.
const BUILT_IN: &str = "action_agent";

const HEAD: &str = "\
//! Agents with a stub for each action: write what it does, and make a `#[condition]` of what answers at once and changes
//! nothing. Until then a stub fails with a reason, which traces show.
#![allow(unused_variables)]

use bt_core::prelude::*;
";

/// The words that a stub fails with.
const REASON: &str = "not written yet";

/// A Rust module with an agent for each of a catalogue, and a stub for each action. What is built in is left out: the
/// actions of `action_agent` that bt-core has. Others of it are stubs of the agents right below it.
///
/// # Errors
/// A finding if the catalogue contradicts itself.
pub fn skeleton(catalogue: &Catalogue) -> Result<String, Error> {
    let agents = Agents::new(catalogue)?;
    let built_in: BTreeSet<String> = built_in();
    let mut text = HEAD.to_owned();
    let of_built_in = agents.all().find(|agent| agent.full_name == BUILT_IN);
    let more: Vec<&MethodEntry> = of_built_in
        .iter()
        .flat_map(|agent| &agent.methods)
        .filter(|method| !built_in.contains(&method.item.name))
        .collect();
    let has_value = text.len();
    let mut written = 0;
    for agent in agents.all().filter(|agent| agent.full_name != BUILT_IN) {
        let base = agents.base(agent).filter(|base| base.full_name != BUILT_IN);
        let shared = if base.is_none() { &more[..] } else { &[] };
        let own: BTreeSet<&str> = agent
            .methods
            .iter()
            .map(|method| &*method.item.name)
            .collect();
        let shared = shared
            .iter()
            .filter(|method| !own.contains(&*method.item.name));
        let is_new =
            |method: &&MethodEntry| !is_inherited(&agents, agent, &method.item.name, &built_in);
        let methods = agent.methods.iter().filter(is_new).chain(shared.copied());
        self::agent(agent, base, methods, &mut text);
        written += 1;
    }
    if written == 0 && !more.is_empty() {
        let game = AgentEntry {
            full_name: "game_agent".to_owned(),
            ..AgentEntry::default()
        };
        self::agent(&game, None, more.into_iter(), &mut text);
    }
    if text.len() == has_value {
        text += "\n// Everything in the catalogue is built in: any agent has it.\n";
    }
    if text.contains("Value") {
        text.insert_str(HEAD.len(), "use serde_json::Value;\n");
    }
    Ok(text)
}

/// The names of the actions that every agent has.
fn built_in() -> BTreeSet<String> {
    let registry = bt_core::Registry::global().ok();
    let agent = registry.and_then(|registry| registry.agent(BUILT_IN).ok());
    let methods = agent.map(|agent| agent.entry().methods.clone());
    methods
        .into_iter()
        .flatten()
        .map(|method| method.item.name)
        .collect()
}

/// Returns true if a base has a method of that name: then it is no new one.
fn is_inherited(
    agents: &Agents<'_>,
    agent: &AgentEntry,
    name: &str,
    built_in: &BTreeSet<String>,
) -> bool {
    let mut above = agents.base(agent);
    while let Some(base) = above {
        if base.methods.iter().any(|method| method.item.name == name) {
            return true;
        }
        above = agents.base(base);
    }
    built_in.contains(name)
}

fn agent<'m>(
    agent: &AgentEntry,
    base: Option<&AgentEntry>,
    methods: impl Iterator<Item = &'m MethodEntry>,
    text: &mut String,
) {
    let ty = type_name(&agent.full_name);
    let default = snake(&ty);
    let _ = writeln!(
        text,
        "\n/// The agent `{}` of trees.\n#[derive(Debug, Default, Agent)]",
        agent.full_name
    );
    if default != agent.full_name {
        let _ = writeln!(text, "#[agent(name = {:?})]", agent.full_name);
    }
    match base {
        Some(base) => {
            let base = type_name(&base.full_name);
            let _ = writeln!(
                text,
                "pub struct {ty} {{\n    /// The base agent.\n    #[agent(base)]\n    pub base: {base},\n}}"
            );
        }
        None => {
            let _ = writeln!(text, "pub struct {ty} {{}}");
        }
    }
    let mut methods = methods.peekable();
    if methods.peek().is_none() {
        return;
    }
    let _ = writeln!(text, "\n#[agent]\nimpl {ty} {{");
    let mut taken = BTreeSet::new();
    for (at, method) in methods.enumerate() {
        if at > 0 {
            text.push('\n');
        }
        self::method(method, &mut taken, text);
    }
    text.push_str("}\n");
}

fn method(method: &MethodEntry, taken: &mut BTreeSet<String>, text: &mut String) {
    let name = fresh(&method.item.name, "action", taken);
    docs(&method.item.brief, 4, text);
    if !method.returns.is_empty() {
        if !method.item.brief.is_empty() {
            text.push_str("    ///\n");
        }
        text.push_str("    /// # Returns\n");
        docs(&method.returns, 4, text);
    }
    match name == method.item.name {
        true => text.push_str("    #[action]\n"),
        false => _ = writeln!(text, "    #[action(name = {:?})]", method.item.name),
    }
    let _ = writeln!(
        text,
        "    pub fn {name}(\n        &mut self,\n        cx: &mut Context,"
    );
    let mut taken = BTreeSet::from(["self".to_owned(), "cx".to_owned()]);
    for arg in &method.args {
        argument(arg, &mut taken, text);
    }
    let _ = writeln!(
        text,
        "    ) -> Result<Option<bool>, &'static str> {{\n        Err({REASON:?})\n    }}"
    );
}

fn argument(arg: &ValueEntry, taken: &mut BTreeSet<String>, text: &mut String) {
    let name = fresh(&arg.name, "argument", taken);
    docs(&arg.comment, 8, text);
    if name != arg.name {
        let _ = writeln!(text, "        #[arg(name = {:?})]", arg.name);
    }
    let _ = writeln!(text, "        {name}: {},", rust_type(&arg.ty.type_name));
}

fn docs(words: &str, indent: usize, text: &mut String) {
    for line in words.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(text, "{:indent$}/// {}", "", line.trim());
    }
}

/// A Rust type for one of the original's; `Value` for what may be anything.
fn rust_type(plain: &str) -> String {
    for (outer, rust) in [("array", "Vec"), ("optional", "Option")] {
        if let Some(inner) = inside(plain, outer) {
            return format!("{rust}<{}>", rust_type(inner));
        }
    }
    if let Some(inner) = inside(plain, "map") {
        return format!("std::collections::BTreeMap<String, {}>", rust_type(inner));
    }
    let known = match plain {
        "bool" => "bool",
        "string" => "String",
        "float" => "f32",
        "double" => "f64",
        "int8" => "i8",
        "int16" => "i16",
        "int32" => "i32",
        "int64" => "i64",
        "uint8" => "u8",
        "uint16" => "u16",
        "uint32" => "u32",
        "uint64" => "u64",
        _ => "Value",
    };
    known.to_owned()
}

/// A type's name for an agent's: `monster_agent` is `MonsterAgent`.
fn type_name(agent: &str) -> String {
    let words = agent.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    });
    let name: String = words.collect();
    match name.chars().next().is_some_and(char::is_alphabetic) {
        true => name,
        false => format!("Agent{name}"),
    }
}

/// The name that an agent has by itself if its type has this one.
fn snake(ty: &str) -> String {
    let mut snake = String::new();
    for (at, letter) in ty.chars().enumerate() {
        if letter.is_uppercase() && at > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// A Rust name that is not taken: the name itself where it is one.
fn fresh(name: &str, otherwise: &str, taken: &mut BTreeSet<String>) -> String {
    let letters = name.chars().map(|c| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '_'
        }
    });
    let mut plain: String = letters.collect::<String>().to_ascii_lowercase();
    let begins = plain.starts_with(|c: char| c.is_ascii_alphabetic());
    if !begins || KEYWORDS.contains(&plain.as_str()) {
        plain = format!("{otherwise}_{}", plain.trim_matches('_'));
    }
    let plain = plain.trim_end_matches('_').to_owned();
    let mut free = plain.clone();
    let mut count = 1;
    while !taken.insert(free.clone()) {
        count += 1;
        free = format!("{plain}_{count}");
    }
    free
}
