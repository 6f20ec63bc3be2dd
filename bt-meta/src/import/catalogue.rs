//! The agent of imported trees: the methods that they call.

use serde_json::{Value, json};

use super::problem::Place;
use super::types::Type;
use crate::catalogue::{
    AgentEntry, Catalogue, CrateEntry, InOut, ItemEntry, MethodEntry, MethodKind, ReturnKind,
    SCHEMA_VERSION, TypeEntry, ValueEntry,
};

/// The package that imported agents are said to be of.
const PACKAGE: &str = "imported";
/// The base of all agents: the built-in actions.
const BASE: &str = "action_agent";

/// A method that trees call.
#[derive(Debug, Clone)]
pub(super) struct Method {
    pub(super) name: String,
    pub(super) kind: MethodKind,
    pub(super) ports: Vec<Port>,
    /// True if a file or a catalogue says what it takes; else it was inferred from its calls.
    pub(super) modelled: bool,
    place: Place,
    /// The entry of a known catalogue.
    entry: Option<MethodEntry>,
}

/// An argument of a method.
#[derive(Debug, Clone)]
pub(super) struct Port {
    pub(super) name: String,
    pub(super) ty: Type,
    /// The way in which it is passed; none for what is only read.
    pub(super) in_out: Option<InOut>,
    pub(super) default: Option<String>,
    pub(super) optional: bool,
    pub(super) comment: String,
}

impl Port {
    /// An argument of which only the name is known.
    pub(super) fn named(name: &str) -> Port {
        Port {
            name: name.to_owned(),
            ty: Type::Any,
            in_out: None,
            default: None,
            optional: false,
            comment: String::new(),
        }
    }

    /// Its value where a call gives none, if that is no key.
    pub(super) fn literal_default(&self) -> Option<Value> {
        let text = self
            .default
            .as_deref()
            .filter(|text| !text.trim_start().starts_with('{'))?;
        self.ty.value(text)
    }

    fn entry(&self) -> ValueEntry {
        let default = self.literal_default();
        let (mut name, mut schema) = (self.ty.name().to_owned(), self.ty.schema());
        if self.is_option() {
            name = format!("optional<{name}>");
            schema = json!({"anyOf": [schema, {"type": "null"}]});
        }
        if let (Value::Object(schema), false) = (&mut schema, self.comment.is_empty()) {
            schema.insert("description".to_owned(), self.comment.clone().into());
        }
        ValueEntry {
            name: self.name.clone(),
            comment: self.comment.clone(),
            ty: TypeEntry {
                type_name: name,
                schema,
                optional: default.is_some() || self.is_option(),
                default,
                in_out: self.in_out,
                ..TypeEntry::default()
            },
            ..ValueEntry::default()
        }
    }

    /// Returns true if the method gets an `Option`: it may be left out, and nothing stands for it then.
    pub(super) fn is_option(&self) -> bool {
        self.in_out.is_none() && self.optional && self.literal_default().is_none()
    }
}

impl Method {
    pub(super) fn new(
        name: &str,
        kind: MethodKind,
        ports: Vec<Port>,
        modelled: bool,
        place: &Place,
    ) -> Method {
        Method {
            name: name.to_owned(),
            kind,
            ports,
            modelled,
            place: place.clone(),
            entry: None,
        }
    }

    /// A method of a known catalogue.
    pub(super) fn known(entry: &MethodEntry) -> Method {
        let port = |arg: &ValueEntry| {
            let plain = arg
                .ty
                .type_name
                .trim_start_matches("optional<")
                .trim_end_matches('>');
            let ty = match plain {
                "bool" => Type::Bool,
                "float" | "double" => Type::Number,
                "string" => Type::Text,
                name if name.starts_with("int") || name.starts_with("uint") => Type::Int,
                _ => Type::Any,
            };
            let optional = arg.ty.optional;
            Port {
                ty,
                optional,
                in_out: arg.ty.in_out,
                ..Port::named(&arg.name)
            }
        };
        let kind = match entry.kind {
            MethodKind::Query => MethodKind::Condition,
            MethodKind::Action
            | MethodKind::Condition
            | MethodKind::Decorator
            | MethodKind::Composite => entry.kind,
        };
        let ports = entry.args.iter().map(port).collect();
        let mut method = Method::new(&entry.item.name, kind, ports, true, &Place::default());
        method.entry = Some(entry.clone());
        method
    }

    /// Returns true if it is of a known catalogue.
    pub(super) fn is_known(&self) -> bool {
        self.entry.is_some()
    }

    fn entry(&self) -> MethodEntry {
        let result = match self.kind {
            MethodKind::Action => ReturnKind::Status,
            MethodKind::Condition | MethodKind::Query => ReturnKind::Bool,
            MethodKind::Decorator => ReturnKind::Next,
            MethodKind::Composite => ReturnKind::NextChild,
        };
        let item = item(&self.name, self.brief(), &self.place);
        MethodEntry {
            child_min: (self.kind == MethodKind::Composite).then_some(1),
            args: self.ports.iter().map(Port::entry).collect(),
            ..MethodEntry::new(item, self.kind, result)
        }
    }

    /// Its description.
    pub(super) fn brief(&self) -> String {
        format!("`{}` of the imported trees.", self.name)
    }
}

fn item(name: &str, brief: String, place: &Place) -> ItemEntry {
    ItemEntry {
        name: name.to_owned(),
        docs: brief.clone(),
        brief,
        package: PACKAGE.to_owned(),
        file: place.file.clone(),
        line: u32::try_from(place.line).unwrap_or(u32::MAX),
        ..ItemEntry::default()
    }
}

/// The catalogue of an agent with these methods, and with what is known already.
pub(super) fn catalogue(agent: &str, methods: &[&Method], known: Option<&Catalogue>) -> Catalogue {
    let mut catalogue = known.cloned().unwrap_or_else(built_in);
    let new: Vec<MethodEntry> = methods
        .iter()
        .filter(|method| !method.is_known())
        .map(|method| method.entry())
        .collect();
    let is_it = |entry: &&mut AgentEntry| entry.full_name == agent || entry.item.name == agent;
    match catalogue.agents.iter_mut().find(is_it) {
        Some(entry) => entry.methods.extend(new),
        None => catalogue.agents.push(AgentEntry {
            item: item(
                agent,
                "The agent of the imported trees.".to_owned(),
                &Place::default(),
            ),
            full_name: agent.to_owned(),
            base: Some(BASE.to_owned()),
            methods: new,
            ..AgentEntry::default()
        }),
    }
    for entry in &mut catalogue.agents {
        entry.methods.sort_by(|a, b| a.item.name.cmp(&b.item.name));
    }
    catalogue
        .agents
        .sort_by(|a, b| a.full_name.cmp(&b.full_name));
    catalogue
}

/// The catalogue of bt-core itself: the built-in actions and the node kinds.
fn built_in() -> Catalogue {
    let mut catalogue = Catalogue::collect();
    catalogue
        .agents
        .retain(|agent| agent.item.package == "bt-core");
    let own = CrateEntry {
        package: PACKAGE.to_owned(),
        name: PACKAGE.to_owned(),
    };
    catalogue.crates.retain(|entry| entry.package == "bt-core");
    catalogue.crates.push(own);
    catalogue.problems.clear();
    catalogue.unnamed_generics.clear();
    catalogue.defs.retain(|name, _| name.starts_with("node."));
    catalogue.schema_version = SCHEMA_VERSION;
    catalogue
}
