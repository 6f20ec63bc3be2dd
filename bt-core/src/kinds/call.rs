//! A call of the agent as a tree file writes it: a name, and arguments in order.

use serde_json::{Map, Value, json};

use super::path::Path;
use super::read::{
    Field, Fields, FromJson, KeyProblem, ObjectSchema, Others, Problems, choices, fields,
    read_object, wrong_form,
};
use super::values::{ByName, Formula, Json, Name, by_name};
use crate::call::Source;

choices! {
    /// The source of an argument's value.
    pub enum ArgumentType {
        /// It is written in the tree.
        Plain = "plain",
        /// A key of the blackboard.
        Blackboard = "blackboard",
        /// A property of the agent.
        Property = "property",
        /// The value of an expression.
        Expression = "expression",
    }
}

fields! {
    /// An argument.
    pub struct Argument<'t> {
        ty as "arg_type": ArgumentType,
        value as "arg_value": Json<'t>,
        /// the argument that it is for, if its place does not say it
        name as "arg_name": Option<Name<'t>> = None,
    }
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
        let argument: Argument<'_> = read_object(json, Others::Kept, path, &mut seen);
        if argument.ty != ArgumentType::Plain && json.get("arg_value").is_some() {
            Name::read(argument.value.0, &path.key("arg_value"), &mut seen);
        }
        is_readable.then_some(argument)
    }

    /// The parameter that it names, if its place does not name it.
    pub fn name(&self) -> Option<&'t str> {
        self.name.map(|name| name.0)
    }

    /// The value, if it is written in the tree.
    pub fn plain(&self) -> Option<&'t Value> {
        (self.ty == ArgumentType::Plain).then_some(self.value.0)
    }

    /// The key of the blackboard that it comes from.
    pub fn key(&self) -> Option<&'t str> {
        self.named(ArgumentType::Blackboard)
    }

    /// The property of the agent that it comes from.
    pub fn property(&self) -> Option<&'t str> {
        self.named(ArgumentType::Property)
    }

    /// The text of the expression whose value it is.
    pub fn expression(&self) -> Option<&'t str> {
        self.named(ArgumentType::Expression)
    }

    fn named(&self, ty: ArgumentType) -> Option<&'t str> {
        self.value.0.as_str().filter(|_| self.ty == ty)
    }

    /// The source of its value.
    pub fn source(&self) -> Source {
        let name = || self.value.0.as_str().unwrap_or_default();
        match self.ty {
            ArgumentType::Plain => Source::Literal(self.value.0.clone()),
            ArgumentType::Blackboard => Source::key(name()),
            ArgumentType::Property => Source::property(name()),
            ArgumentType::Expression => Source::expression(name()),
        }
    }

    /// As it is written in a file.
    pub fn write(ty: ArgumentType, value: Value, name: Option<&str>) -> Value {
        let mut argument = json!({"arg_type": ty.word(), "arg_value": value});
        if let Some(name) = name {
            argument["arg_name"] = name.into();
        }
        argument
    }

    /// Refers to its definition.
    pub(crate) fn schema() -> Value {
        json!({"$ref": "#/$defs/node.argument"})
    }

    /// The JSON Schema of an argument.
    pub(super) fn definition() -> Value {
        let mut schema = ObjectSchema::default();
        Argument::describe(&mut schema);
        let mut schema = schema.into_value();
        let name = json!({
            "type": "string", "minLength": 1,
            "description": "the name of a key or of a property",
        });
        schema["if"] = json!({"properties": {"arg_type": {"enum": ["blackboard", "property"]}}});
        schema["then"] = json!({"properties": {"arg_value": name}});
        schema["else"] = json!({
            "if": {"properties": {"arg_type": {"const": ArgumentType::Expression.word()}}},
            "then": {"properties": {"arg_value": Formula::schema()}},
        });
        schema
    }
}

/// A call: under the keys `action_name` and `action_args` in a field `action`.
#[derive(Debug, Clone, PartialEq)]
pub struct Call<'t> {
    /// The method; empty where it cannot be read.
    pub name: &'t str,
    /// Its arguments.
    pub args: Arguments<'t>,
}

/// The arguments of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Arguments<'t> {
    /// No list of them is there.
    LeftOut,
    /// In the order of the list.
    Listed(Vec<Argument<'t>>),
    /// A value of which all, or some, cannot be read; there are problems about it.
    Unreadable(Json<'t>),
}

impl<'t> Arguments<'t> {
    /// All of them; none if some cannot be read.
    pub fn all(&self) -> Option<&[Argument<'t>]> {
        match self {
            Arguments::LeftOut => Some(&[]),
            Arguments::Listed(list) => Some(list),
            Arguments::Unreadable(_) => None,
        }
    }

    /// The arguments of a list.
    pub fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Arguments<'t> {
        let Some(items) = json.as_array() else {
            wrong_form("an array", json, path, problems);
            return Arguments::Unreadable(Json(json));
        };
        let items = items.iter().enumerate();
        // All of them are read, for their problems.
        let list: Vec<_> = items
            .map(|(at, item)| Argument::read(item, &path.item(at), problems))
            .collect();
        match list.into_iter().collect() {
            Some(list) => Arguments::Listed(list),
            None => Arguments::Unreadable(Json(json)),
        }
    }
}

/// The part of a call that a key names, if it is one of its two keys.
fn part<'k>(name: &str, key: &'k str) -> Option<&'k str> {
    let part = key.strip_prefix(name)?;
    matches!(part, "_name" | "_args").then_some(part)
}

impl Call<'_> {
    /// No call, where a file may have something else in its place.
    pub(super) const NONE: Self = Call {
        name: "",
        args: Arguments::LeftOut,
    };
}

impl<'t> Field<'t> for Call<'t> {
    fn hole() -> Call<'t> {
        Call::NONE
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

/// The values for the keys of another tree, by the keys' names; none where it cannot be read.
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
