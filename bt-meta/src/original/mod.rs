//! The files of the original's editor, as a catalogue: `actions.json`, the hierarchy of agents and `node_types.json`.
//!
//! So trees are checked, drawn and listed against them before a line of Rust is written, and [`skeleton()`] is the Rust to
//! begin with. The files say less than annotations do: any action may take time, and a type that is none of the
//! original's own may be anything.

mod skeleton;
mod types;

use std::path::Path;

use bt_core::kinds::{Kind, node_kinds};
use serde_json::{Map, Value};

use crate::catalogue::{
    AgentEntry, Catalogue, ItemEntry, MethodEntry, MethodKind, ReturnKind, SCHEMA_VERSION,
    ValueEntry,
};
use crate::error::{Error, quoted};
pub use skeleton::skeleton;

/// The catalogue of the original's files. What bt has no kind for in `node_types.json` is an error, since trees of it
/// would not run.
///
/// # Errors
/// A failure for a file that cannot be read, and a finding with everything in which they are not what the original takes.
pub fn read(
    actions: &Path,
    hierarchy: Option<&Path>,
    node_types: Option<&Path>,
) -> Result<Catalogue, Error> {
    let mut problems = Vec::new();
    let mut agents = agents(
        &object(actions)?,
        &actions.display().to_string(),
        &mut problems,
    );
    if let Some(path) = hierarchy {
        bases(
            &object(path)?,
            &path.display().to_string(),
            &mut agents,
            &mut problems,
        );
    }
    if let Some(path) = node_types {
        kinds(&object(path)?, &path.display().to_string(), &mut problems);
    }
    if !problems.is_empty() {
        return Err(Error::findings(problems));
    }
    agents.sort_by(|a, b| a.full_name.cmp(&b.full_name));
    Ok(Catalogue {
        schema_version: SCHEMA_VERSION,
        agents,
        node_kinds: node_kinds(),
        ..Catalogue::default()
    })
}

fn object(path: &Path) -> Result<Map<String, Value>, Error> {
    let cannot = |why: String| Error::failure(format!("cannot read {}: {why}", path.display()));
    let text = crate::read::text(path).map_err(|error| cannot(error.to_string()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    match serde_json::from_str(text) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(cannot(
            "expected an object with a key for each name".to_owned(),
        )),
        Err(error) => Err(cannot(error.to_string())),
    }
}

/// A part of a file, for messages.
struct At<'a> {
    file: &'a str,
    place: String,
    problems: &'a mut Vec<String>,
}

impl At<'_> {
    fn below(&mut self, step: &str) -> At<'_> {
        At {
            file: self.file,
            place: format!("{}/{}", self.place, bt_core::tree::asset::step(step)),
            problems: self.problems,
        }
    }

    fn say(&mut self, expected: &str, found: &Value) {
        let found = match found {
            Value::Null => "nothing".to_owned(),
            other => other.to_string().chars().take(60).collect(),
        };
        self.problems.push(format!(
            "{}: `{}`: expected {expected}, found {found}",
            self.file, self.place
        ));
    }

    fn text(&mut self, object: &Value, key: &str) -> String {
        match object.get(key).and_then(Value::as_str) {
            Some(text) => text.trim().to_owned(),
            None => {
                self.below(key).say("a text", &object[key]);
                String::new()
            }
        }
    }
}

fn agents(file: &Map<String, Value>, path: &str, problems: &mut Vec<String>) -> Vec<AgentEntry> {
    let mut at = At {
        file: path,
        place: String::new(),
        problems,
    };
    let agents = file.iter().map(|(name, actions)| {
        let mut at = at.below(name);
        let mut agent = agent(name, path);
        match actions.as_object() {
            Some(actions) => {
                let methods = actions
                    .iter()
                    .map(|(name, action)| method(name, action, &mut at.below(name)));
                agent.methods = methods.collect();
            }
            None => at.say("an object with the agent's actions", actions),
        }
        agent
    });
    agents.collect()
}

fn agent(name: &str, path: &str) -> AgentEntry {
    AgentEntry {
        item: item(name, String::new(), path),
        full_name: name.to_owned(),
        ..AgentEntry::default()
    }
}

fn item(name: &str, brief: String, path: &str) -> ItemEntry {
    ItemEntry {
        name: name.to_owned(),
        docs: brief.clone(),
        brief,
        file: path.to_owned(),
        line: 1,
        ..ItemEntry::default()
    }
}

fn method(name: &str, action: &Value, at: &mut At<'_>) -> MethodEntry {
    at.text(action, "name");
    let brief = at.text(action, "brief");
    let args = action.get("args").and_then(Value::as_array);
    if args.is_none() {
        at.below("args").say("an array", &action["args"]);
    }
    let args = args.into_iter().flatten().enumerate();
    let args = args.map(|(place, arg)| {
        let mut below = at.below("args");
        let mut at = below.below(&place.to_string());
        ValueEntry {
            name: at.text(arg, "name"),
            comment: at.text(arg, "comment"),
            ty: types::entry(&at.text(arg, "type")),
            ..ValueEntry::default()
        }
    });
    let args = args.collect();
    // Any of them may return nothing at first, and give its result later.
    let (kind, result) = (MethodKind::Action, ReturnKind::Async);
    MethodEntry {
        returns: at.text(action, "return"),
        args,
        ..MethodEntry::new(item(name, brief, at.file), kind, result)
    }
}

/// The base of each agent; one without actions may stand in the hierarchy alone.
fn bases(
    file: &Map<String, Value>,
    path: &str,
    agents: &mut Vec<AgentEntry>,
    problems: &mut Vec<String>,
) {
    let mut at = At {
        file: path,
        place: String::new(),
        problems,
    };
    for (child, base) in file {
        let Some(base_name) = base.as_str() else {
            at.below(child)
                .say("the name of its base, or an empty text", base);
            continue;
        };
        if !base_name.is_empty() && !file.contains_key(base_name) {
            let names = quoted(file.keys());
            at.below(child)
                .say(&format!("one of {names}, or an empty text"), base);
            continue;
        }
        if goes_round(file, child) {
            at.below(child).say("a base that is not based on it", base);
            continue;
        }
        if !agents.iter().any(|agent| agent.full_name == *child) {
            agents.push(agent(child, path));
        }
        for agent in agents.iter_mut().filter(|agent| agent.full_name == *child) {
            agent.base = Some(base_name.to_owned()).filter(|name| !name.is_empty());
        }
    }
    for agent in agents.iter_mut() {
        let name = &agent.full_name;
        if !file.contains_key(name) {
            let place = format!("{path}: agent `{name}` is not in it");
            at.problems.push(format!(
                "{place}: write `\"{name}\": \"\"` where it has no base"
            ));
        }
    }
    // What a base has is written out in every agent: that is no method of its own.
    let own: Vec<(String, Vec<MethodEntry>)> = agents
        .iter()
        .map(|agent| (agent.full_name.clone(), agent.methods.clone()))
        .collect();
    for agent in agents {
        let mut base = agent.base.clone();
        while let Some(name) = base {
            let inherited = own
                .iter()
                .find(|(of, _)| *of == name)
                .map(|(_, methods)| methods);
            let inherited = inherited.map_or(&[][..], Vec::as_slice);
            agent.methods.retain(|method| !inherited.contains(method));
            for method in &mut agent.methods {
                let is_it = |base: &MethodEntry| base.item.name == method.item.name;
                method.is_override |= inherited.iter().any(is_it);
            }
            base = file
                .get(&name)
                .and_then(Value::as_str)
                .map(str::to_owned)
                .filter(|name| !name.is_empty());
        }
    }
}

fn goes_round(file: &Map<String, Value>, child: &str) -> bool {
    let mut at = child;
    for _ in 0..=file.len() {
        match file.get(at).and_then(Value::as_str) {
            Some(base) if base == child => return true,
            Some(base) if !base.is_empty() => at = base,
            _ => return false,
        }
    }
    false
}

/// The kinds of the editor: each one that bt runs too.
fn kinds(file: &Map<String, Value>, path: &str, problems: &mut Vec<String>) {
    let mut at = At {
        file: path,
        place: String::new(),
        problems,
    };
    for (name, kind) in file {
        if Kind::named(name).is_none() {
            let known = Kind::ALL
                .iter()
                .filter(|kind| kind.about().original.is_some());
            let known = quoted(known.map(|kind| kind.name()));
            at.problems.push(format!(
                "{path}: `{name}` is a kind of your own, which bt does not run: trees need another in its place; the \
                 original's own are {known}"
            ));
        }
        for key in ["child_min", "child_max"] {
            if !kind[key].is_u64() {
                at.below(name).below(key).say("a whole number", &kind[key]);
            }
        }
    }
}
