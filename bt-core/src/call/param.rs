//! A method's parameters with what their keys say worked out once: defaults, bounds, choices.

use serde_json::{Map, Value};

use crate::compare::equal;
use crate::describe::catalogue::TypeEntry;
use crate::describe::schema::{listed, names};
use crate::describe::shape::less;
use crate::describe::value::{ParamDesc, Shape};
use crate::error::{ArgumentError, Flaw};

/// The parameters of one method.
#[derive(Debug)]
pub struct Params {
    /// The method's name, for errors.
    pub(super) of: &'static str,
    pub(super) all: Box<[Param]>,
    /// The number of arguments among them.
    pub(super) takes: usize,
}

/// One of them.
#[derive(Debug)]
pub(super) struct Param {
    pub(super) desc: &'static ParamDesc,
    pub(super) is_argument: bool,
    pub(super) default: Option<Value>,
    pub(super) limits: Option<Box<Limits>>,
    /// True if its type takes nothing at all: it is an `Option`.
    pub(super) optional: bool,
}

/// The values that are allowed.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    min: Option<Value>,
    max: Option<Value>,
    choices: Option<Vec<Value>>,
}

impl Params {
    /// The parameters of the method of that name.
    pub(crate) fn new(of: &'static str, descs: &'static [ParamDesc], shapes: &[Shape]) -> Params {
        let param = |(desc, shape): (&'static ParamDesc, &Shape)| Param {
            desc,
            is_argument: shape.passing.is_argument(),
            default: desc.default_value(),
            limits: Limits::of(desc).map(Box::new),
            optional: (shape.optional)(),
        };
        Params::of(of, descs.iter().zip(shapes).map(param).collect())
    }

    pub(super) fn of(of: &'static str, all: Box<[Param]>) -> Params {
        let takes = all.iter().filter(|param| param.is_argument).count();
        Params { of, all, takes }
    }

    /// Of the arguments of a call, those that `taken` has, by name; the defaults of those that were
    /// left out.
    pub(super) fn pick(&self, taken: &Params, args: &Value) -> Value {
        let mut picked = Map::new();
        let arguments = self.all.iter().filter(|param| param.is_argument);
        for (at, param) in arguments.enumerate() {
            let name = param.desc.name;
            if !taken.names().any(|taken| taken == name) {
                continue;
            }
            let given = match args {
                Value::Array(list) => list.get(at),
                Value::Object(map) => {
                    let mut names = std::iter::once(name).chain(param.desc.aliases());
                    names.find_map(|name| map.get(name))
                }
                _ => None,
            };
            if let Some(value) = given.or(param.default.as_ref()) {
                picked.insert(name.to_owned(), value.clone());
            }
        }
        Value::Object(picked)
    }

    /// The names of the arguments.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        let arguments = self.all.iter().filter(|param| param.is_argument);
        arguments.map(|param| param.desc.name)
    }

    /// The error for more arguments by position than there are parameters.
    pub(super) fn surplus(&self, given: usize) -> ArgumentError {
        surplus(self.names(), given)
    }
}

/// The error for more arguments by position than there are names.
pub(crate) fn surplus<'n>(names: impl Iterator<Item = &'n str>, given: usize) -> ArgumentError {
    let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    let takes = names.len();
    let s = if takes == 1 { "" } else { "s" };
    let names = match names.is_empty() {
        true => String::new(),
        false => format!(" ({})", names.join(", ")),
    };
    let help = format!("takes {takes} argument{s}{names}, {given} given");
    ArgumentError::new(takes.to_string(), Flaw::Surplus(help))
}

impl Limits {
    /// The limits in a catalogue. An enum's variants are choices there too; those are for decoding.
    pub(super) fn of_type(ty: &TypeEntry) -> Limits {
        // Where the decoder was asked for names, they are the type's own, and it knows its aliases.
        let chosen = listed(&ty.schema).is_some() && names(&ty.schema).is_none();
        Limits {
            min: ty.min.clone(),
            max: ty.max.clone(),
            choices: ty.choices.clone().filter(|_| chosen),
        }
    }

    fn of(desc: &ParamDesc) -> Option<Limits> {
        let limits = Limits {
            min: desc.min_value(),
            max: desc.max_value(),
            choices: desc.choice_values(),
        };
        limits.if_any()
    }

    pub(super) fn if_any(self) -> Option<Limits> {
        let any = self.min.is_some() || self.max.is_some() || self.choices.is_some();
        any.then_some(self)
    }

    /// Checks a value; says what was expected.
    pub(super) fn check(&self, value: &Value) -> Result<(), Flaw> {
        if let Some(min) = &self.min
            && less(value, min)
        {
            return Err(Flaw::Bounds(match &self.max {
                Some(max) => format!("{min} to {max}"),
                None => format!("{min} at least"),
            }));
        }
        if let Some(max) = &self.max
            && less(max, value)
        {
            return Err(Flaw::Bounds(match &self.min {
                Some(min) => format!("{min} to {max}"),
                None => format!("{max} at most"),
            }));
        }
        if let Some(choices) = &self.choices
            && !value.is_null()
            && !choices.iter().any(|choice| equal(choice, value))
        {
            let list: Vec<_> = choices.iter().map(Value::to_string).collect();
            return Err(Flaw::Bounds(format!("one of {}", list.join(", "))));
        }
        Ok(())
    }
}

/// Checks a value against what is said of a parameter, or of a property; says what is wrong.
pub(crate) fn check(desc: &ParamDesc, value: &Value) -> Result<(), ArgumentError> {
    let checked = check_limits(desc, value);
    checked.map_err(|flaw| ArgumentError::new(desc.name, flaw).with_found(value))
}

/// Checks a value against the bounds and choices of a parameter.
pub(crate) fn check_limits(desc: &ParamDesc, value: &Value) -> Result<(), Flaw> {
    Limits::of(desc).map_or(Ok(()), |limits| limits.check(value))
}

/// Checks a value against what the catalogue says of an argument's type.
pub(crate) fn check_type(ty: &TypeEntry, value: &Value) -> Result<(), Flaw> {
    Limits::of_type(ty).check(value)
}
