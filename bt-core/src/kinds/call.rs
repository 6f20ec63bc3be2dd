//! A call of the agent as a tree file writes it: a name, and arguments in order.

use serde_json::{Map, Value, json};

use super::path::Path;
use super::read::{
    Field, Fields, FromJson, KeyProblem, ObjectSchema, Others, Problems, choices, fields,
    read_object, wrong_form,
};
use super::values::{ByName, Json, Name, by_name};
use crate::call::Source;

choices! {
    /// Where the value of an argument comes from.
    pub enum ArgumentType {
        /// It is written in the tree.
        Plain = "plain",
        /// A key of the blackboard.
        Blackboard = "blackboard",
        /// A property of the agent.
        Property = "property",
    }
}

fields! {
    /// An argument as it is written.
    pub struct Written<'t> {
        ty as "arg_type": ArgumentType,
        value as "arg_value": Option<Json<'t>>,
        /// the argument that it is for, if its place does not say it
        name as "arg_name": Option<Name<'t>> = None,
    }
}

/// An argument.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument<'t> {
    /// Which one it is, if its place does not say it.
    pub name: Option<&'t str>,
    /// Where its value comes from.
    pub source: Source,
}

impl<'t> Argument<'t> {
    /// The argument; none, and a problem, if it cannot be read.
    pub fn read(
        json: &'t Value,
        path: &Path<'_>,
        problems: &mut Problems<'_>,
    ) -> Option<Argument<'t>> {
        let mut is_readable = true;
        let mut seen = |path: &Path<'_>, problem: KeyProblem<'_>| {
            is_readable &= matches!(problem, KeyProblem::Unknown { .. });
            problems(path, problem);
        };
        let written: Written<'_> = read_object(json, Others::Kept, path, &mut seen);
        let Json(value) = written.value?;
        let source = match written.ty {
            ArgumentType::Plain => Source::Literal(value.clone()),
            by_name => {
                let Name(name) = Name::read(value, &path.key("arg_value"), &mut seen);
                match by_name {
                    ArgumentType::Property => Source::property(name),
                    ArgumentType::Plain | ArgumentType::Blackboard => Source::key(name),
                }
            }
        };
        let name = written.name.map(|name| name.0);
        is_readable.then_some(Argument { name, source })
    }

    /// Refers to its definition.
    pub(super) fn schema() -> Value {
        json!({"$ref": "#/$defs/node.argument"})
    }

    /// The JSON Schema of an argument.
    pub(super) fn definition() -> Value {
        let mut schema = ObjectSchema::default();
        Written::describe(&mut schema);
        let mut schema = schema.into_value();
        let name = json!({
            "type": "string", "minLength": 1,
            "description": "the name of a key or of a property",
        });
        schema["if"] = json!({"properties": {"arg_type": {"enum": ["blackboard", "property"]}}});
        schema["then"] = json!({"properties": {"arg_value": name}});
        schema
    }
}

/// A call: under the keys `action_name` and `action_args` in a field `action`.
#[derive(Debug, Clone, PartialEq)]
pub struct Call<'t> {
    /// The method; empty where it cannot be read.
    pub name: &'t str,
    /// What it is given.
    pub args: Arguments<'t>,
}

/// The arguments of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Arguments<'t> {
    /// No list of them is there.
    LeftOut,
    /// In the order of the list.
    Listed(Vec<Argument<'t>>),
    /// Some cannot be read, of which there are problems.
    Unreadable,
}

impl<'t> Arguments<'t> {
    /// All of them; none if some cannot be read.
    pub fn all(&self) -> Option<&[Argument<'t>]> {
        match self {
            Arguments::LeftOut => Some(&[]),
            Arguments::Listed(list) => Some(list),
            Arguments::Unreadable => None,
        }
    }

    /// The arguments of a list.
    pub fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Arguments<'t> {
        let Some(items) = json.as_array() else {
            wrong_form("an array", json, path, problems);
            return Arguments::Unreadable;
        };
        let items = items.iter().enumerate();
        // All of them are read, for their problems.
        let list: Vec<_> = items
            .map(|(at, item)| Argument::read(item, &path.item(at), problems))
            .collect();
        match list.into_iter().collect() {
            Some(list) => Arguments::Listed(list),
            None => Arguments::Unreadable,
        }
    }
}

/// Which of its two keys a key is, if it is one of them.
fn part<'k>(name: &str, key: &'k str) -> Option<&'k str> {
    let part = key.strip_prefix(name)?;
    ["_name", "_args"].contains(&part).then_some(part)
}

impl<'t> Field<'t> for Call<'t> {
    fn hole() -> Call<'t> {
        Call {
            name: "",
            args: Arguments::LeftOut,
        }
    }

    fn has(name: &str, key: &str) -> bool {
        part(name, key).is_some()
    }

    fn read_key(
        &mut self,
        name: &str,
        key: &str,
        json: &'t Value,
        path: &Path<'_>,
        problems: &mut Problems<'_>,
    ) {
        match part(name, key) {
            Some("_name") => self.name = Name::read(json, path, problems).0,
            _ => self.args = Arguments::read(json, path, problems),
        }
    }

    fn missing(name: &'static str, object: &Map<String, Value>) -> Option<String> {
        let is_there = object.keys().any(|key| part(name, key) == Some("_name"));
        (!is_there).then(|| format!("{name}_name"))
    }

    fn describe(name: &str, doc: &str, required: bool, schema: &mut ObjectSchema) {
        schema.add(format!("{name}_name"), Name::schema(), doc, required);
        let args = json!({"type": "array", "items": Argument::schema()});
        schema.add(
            format!("{name}_args"),
            args,
            "its arguments in order",
            false,
        );
    }
}

/// What is handed to the keys of another tree, by their names; none where it cannot be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Handed<'t>(pub ByName<'t, Option<Argument<'t>>>);

impl<'t> FromJson<'t> for Handed<'t> {
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Handed<'t> {
        Handed(by_name(json, path, problems, Argument::read))
    }

    fn schema() -> Value {
        json!({"type": "object", "additionalProperties": Argument::schema()})
    }
}
