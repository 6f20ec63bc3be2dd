//! The lines of a script, before their meaning is known.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::kinds::call::ArgumentType;
use crate::tree::Code;
use crate::tree::asset::node::InScript;
use crate::tree::asset::problem::{Position, Problem, Problems};
use crate::tree::asset::{MAX_DEPTH, MAX_NODES};

/// One node of a script, or what is attached to one, before what it means is known. They come in the
/// order of the lines.
pub(super) struct Entry {
    /// The number of the script's nodes above it.
    pub(super) depth: usize,
    /// The attachment to the node above it; none for a node.
    pub(super) attached: Option<Attached>,
    /// Empty where it could not be read.
    pub(super) name: String,
    pub(super) param: Option<Param>,
    pub(super) comment: String,
    pub(super) place: Place,
    pub(super) at: At,
}

impl Entry {
    /// The content of its line, for people.
    pub(super) fn found(&self) -> String {
        match &self.param {
            None => "nothing".to_owned(),
            Some(Param::One(value)) => crate::decode::shown(value),
            Some(Param::Several(_)) => "a tuple".to_owned(),
            Some(Param::Named(named)) if named.is_empty() => "{}".to_owned(),
            Some(Param::Named(_)) => "a dict".to_owned(),
            Some(Param::Source(ArgumentType::Property, _)) => "a property".to_owned(),
            Some(Param::Source(ArgumentType::Expression, _)) => "an expression".to_owned(),
            Some(Param::Source(..)) => "a key".to_owned(),
        }
    }
}

/// The fault of a line that can be read, and the remedy.
#[derive(Debug, Default)]
pub(super) struct Fault {
    /// The byte of the text behind the name that it is about; none for the line.
    pub(super) at: Option<usize>,
    pub(super) message: String,
    pub(super) help: String,
}

impl From<String> for Fault {
    fn from(message: String) -> Fault {
        Fault {
            message,
            ..Fault::default()
        }
    }
}

/// The start of a line and of its parts, in bytes.
#[derive(Default, Clone, Copy)]
pub(super) struct At {
    pub(super) line: usize,
    pub(super) name: usize,
    /// The text behind the name.
    pub(super) rest: usize,
}

/// A dict: its values by their keys, each with where in the rest of the line its key begins.
pub(super) type Named = BTreeMap<String, (usize, Param)>;

/// The parameter of a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Param {
    /// A tuple: its items, each with where in the rest of the line it begins.
    Several(Vec<(usize, Param)>),
    /// A dict.
    Named(Named),
    /// `$key`, `@property` or an expression.
    Source(ArgumentType, String),
    /// Anything else.
    One(Value),
}

impl From<Value> for Param {
    fn from(value: Value) -> Param {
        match value {
            Value::Object(map) => {
                let items = map.into_iter();
                Param::Named(
                    items
                        .map(|(key, item)| (key, (0, Param::One(item))))
                        .collect(),
                )
            }
            other => Param::One(other),
        }
    }
}

/// The number of bytes of a line's name: a letter or `_`, then letters, digits and `_`.
pub fn name_length(line: &str) -> usize {
    if !line.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        return 0;
    }
    let end = line.find(|char: char| !char.is_alphanumeric() && char != '_');
    end.unwrap_or(line.len())
}

/// The place of an entry in the text.
pub(super) enum Place {
    Text(Position),
    Json(String),
}

impl Place {
    /// Its line and column, if it was written in a text.
    pub(super) fn in_script(&self) -> Option<InScript> {
        match self {
            Place::Text(position) => InScript::of(*position),
            Place::Json(_) => None,
        }
    }

    pub(super) fn of(&self, problem: Problem) -> Problem {
        self.behind(problem, 0)
    }

    /// The same of a place in its line, so many characters behind it.
    pub(super) fn behind(&self, problem: Problem, characters: usize) -> Problem {
        match self {
            Place::Text(Position { line, column }) => problem.in_text(Position {
                line: *line,
                column: column + characters,
            }),
            Place::Json(pointer) => problem.at(pointer.clone()),
        }
    }
}

/// Returns true, and reports it, if one more entry is too many for a tree.
pub(super) fn too_many(entries: usize, place: &Place, problems: &mut Problems<'_>) -> bool {
    // The root of the tree is no entry.
    let many = entries + 1 == MAX_NODES;
    if many {
        let message = || format!("more than {MAX_NODES} nodes");
        problems.say(Code::TooLarge, message, |problem| place.of(problem));
    }
    many
}

/// Returns true, and reports it, if an entry is too deep for a tree.
pub(super) fn too_deep(depth: usize, place: &Place, problems: &mut Problems<'_>) -> bool {
    let deep = depth + 1 == MAX_DEPTH;
    if deep {
        let message = || format!("more than {MAX_DEPTH} nodes below one another");
        problems.say(Code::TooLarge, message, |problem| place.of(problem));
    }
    deep
}

/// The sort of a line's attachment.
pub(super) enum Attached {
    Agent,
    Key,
    Event,
    Guard(Vec<GuardOption>),
    /// The seconds between two of its calls.
    Service(f64),
    Effect(Moment),
}

/// The word between `ON` and the action, and the key of the effects of that moment.
#[derive(Clone, Copy)]
pub(super) struct Moment(pub(super) &'static str);

impl Moment {
    const ALL: [(&'static str, &'static str); 5] = [
        ("ENTER", "enter"),
        ("SUCCESS", "success"),
        ("FAILURE", "failure"),
        ("ABORTED", "aborted"),
        ("EXIT", "exit"),
    ];

    pub(super) fn of(word: &str) -> Option<Moment> {
        let mut all = Moment::ALL.into_iter();
        all.find(|(name, _)| *name == word)
            .map(|(_, key)| Moment(key))
    }

    /// The word of the effects under a key.
    pub(super) fn word(key: &str) -> &'static str {
        let mut all = Moment::ALL.into_iter();
        all.find(|(_, own)| *own == key)
            .map_or("", |(word, _)| word)
    }

    pub(super) fn words() -> [&'static str; 5] {
        Moment::ALL.map(|(word, _)| word)
    }
}

/// A word between `GUARD` and the condition: a key of the guard, and its value.
#[derive(Clone, Copy)]
pub(super) struct GuardOption(pub(super) &'static str, pub(super) Option<&'static str>);

impl GuardOption {
    pub(super) fn of(word: &str) -> Option<GuardOption> {
        let (key, value) = match word {
            "NOT" => ("not", None),
            "SELF" => ("abort", Some("self")),
            "LOWER" => ("abort", Some("lower")),
            "BOTH" => ("abort", Some("both")),
            "POLL" => ("mode", Some("poll")),
            _ => return None,
        };
        Some(GuardOption(key, value))
    }
}

impl Attached {
    pub(super) fn word(&self) -> &'static str {
        match self {
            Attached::Agent => "AGENT",
            Attached::Key => "KEY",
            Attached::Event => "EVENT",
            Attached::Guard(_) => "GUARD",
            Attached::Service(_) => "SERVICE",
            Attached::Effect(_) => "ON",
        }
    }

    /// The thing that its name is the name of.
    pub(super) fn what(&self) -> &'static str {
        match self {
            Attached::Agent => "an agent",
            Attached::Key => "a key",
            Attached::Event => "an event",
            Attached::Guard(_) => "a condition, or an expression",
            Attached::Service(_) | Attached::Effect(_) => "an action, or `SET`",
        }
    }

    /// The list in a node's `extra` that it is one of, below its keys there; none if it is in no list.
    pub(super) fn list(&self) -> Option<(&'static str, Option<&'static str>)> {
        match self {
            Attached::Agent | Attached::Key => None,
            Attached::Event => Some(("events", None)),
            Attached::Guard(_) => Some(("guards", None)),
            Attached::Service(_) => Some(("services", None)),
            Attached::Effect(Moment(key)) => Some(("effects", Some(key))),
        }
    }
}
