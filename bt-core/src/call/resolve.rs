//! Where the values of one call come from: what all types of parameters share.
//!
//! A [`Binder`] resolves a tree's sources once, a [`Frame`] fetches the values for one call of a
//! tree, a [`Giver`] takes the values of one call by name. Parameters ask in the order of the
//! signature.

use std::cell::Ref;
use std::fmt;

use serde_json::Value;

use super::{CallError, Context};
use crate::blackboard::{Blackboard, KeyId};
use crate::registry::lookup::suggest;
use crate::registry::value::{ParamDesc, Shape};

/// Where an argument's value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// Written in the tree.
    Literal(Value),
    /// The value of a blackboard key at the time of the call.
    Key(String),
}

impl Source {
    /// A value written in the tree.
    pub fn literal(value: impl Into<Value>) -> Source {
        Source::Literal(value.into())
    }

    /// The value of a blackboard key at the time of the call.
    pub fn key(key: impl Into<String>) -> Source {
        Source::Key(key.into())
    }
}

/// Gives keys their slots.
pub trait Keys {
    /// The slot of a key.
    fn intern(&mut self, key: &str) -> KeyId;
}

impl Keys for &Blackboard {
    fn intern(&mut self, key: &str) -> KeyId {
        Blackboard::intern(self, key)
    }
}

/// What one argument comes to.
#[derive(Debug)]
pub enum Resolved<'a> {
    /// A blackboard key.
    Key(KeyId, String),
    /// A value that was given.
    Lent(&'a Value),
    /// The default.
    Default(Value),
    /// Nothing: fine for an `Option`.
    Nothing,
}

impl Resolved<'_> {
    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Resolved::Lent(value) => Some(value),
            Resolved::Default(value) => Some(value),
            Resolved::Key(..) | Resolved::Nothing => None,
        }
    }
}

const NEEDS_KEY: &str = "is written back, so it takes the name of a blackboard key";

/// Resolves the sources of a call, and notes all that is wrong.
pub struct Binder<'x> {
    sources: &'x [Source],
    descs: &'x [ParamDesc],
    keys: &'x mut dyn Keys,
    at: usize,
    argument: usize,
    problems: Vec<String>,
}

impl<'x> Binder<'x> {
    pub(super) fn new(
        sources: &'x [Source],
        descs: &'x [ParamDesc],
        keys: &'x mut dyn Keys,
    ) -> Binder<'x> {
        Binder {
            sources,
            descs,
            keys,
            at: 0,
            argument: 0,
            problems: Vec::new(),
        }
    }

    /// Passes a parameter that is no argument.
    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    fn next(&mut self) -> (Option<&'x Source>, &'x ParamDesc) {
        let next = (self.sources.get(self.argument), &self.descs[self.at]);
        self.at += 1;
        self.argument += 1;
        next
    }

    pub(super) fn resolve(&mut self) -> Option<Resolved<'x>> {
        let (source, desc) = self.next();
        match source {
            Some(Source::Key(key)) => Some(Resolved::Key(self.keys.intern(key), key.clone())),
            Some(Source::Literal(value)) => {
                let checked = desc.check(value);
                self.keep(checked)?;
                Some(Resolved::Lent(value))
            }
            None => Some(default(desc)),
        }
    }

    pub(super) fn key(&mut self) -> Option<(KeyId, String)> {
        match self.next().0 {
            Some(Source::Key(key)) => Some((self.keys.intern(key), key.clone())),
            _ => self.keep(Err(NEEDS_KEY.to_owned())),
        }
    }

    /// The value, or a note about the parameter that asked last.
    pub(super) fn keep<T>(&mut self, result: Result<T, String>) -> Option<T> {
        result
            .map_err(|why| note(&mut self.problems, self.descs, self.at, &why))
            .ok()
    }

    /// Whether nothing is wrong, now that all parameters have asked.
    pub(super) fn is_fine(&self) -> bool {
        self.problems.is_empty() && self.sources.len() <= self.argument
    }

    #[cold]
    pub(super) fn error(mut self) -> CallError {
        if self.sources.len() > self.argument {
            too_many(&mut self.problems, self.argument, self.sources.len());
        }
        CallError::arguments(self.problems.join("; "))
    }
}

impl fmt::Debug for Binder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Binder")
            .field("sources", &self.sources)
            .finish_non_exhaustive()
    }
}

fn default<'a>(desc: &ParamDesc) -> Resolved<'a> {
    desc.default_value()
        .map_or(Resolved::Nothing, Resolved::Default)
}

#[cold]
fn note(problems: &mut Vec<String>, descs: &[ParamDesc], at: usize, why: &str) {
    problems.push(format!("argument `{}` {why}", descs[at - 1].name));
}

fn too_many(problems: &mut Vec<String>, takes: usize, given: usize) {
    let s = if takes == 1 { "" } else { "s" };
    problems.push(format!("takes {takes} argument{s}, {given} given"));
}

/// What the parameters of one call of a tree take their values from.
#[derive(Debug)]
pub struct Frame<'a> {
    pub(super) board: &'a Blackboard,
    pub(super) ended: Option<bool>,
    pub(super) cx: Option<Context<'a>>,
    descs: &'static [ParamDesc],
    at: usize,
    error: Option<CallError>,
}

impl<'a> Frame<'a> {
    #[inline]
    pub(super) fn new(cx: Context<'a>, descs: &'static [ParamDesc]) -> Frame<'a> {
        Frame {
            board: cx.board(),
            ended: cx.ended(),
            cx: Some(cx),
            descs,
            at: 0,
            error: None,
        }
    }

    /// Passes a parameter that needs no look at its description.
    #[inline]
    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    /// The value of a key, on loan.
    pub(super) fn on_board(&mut self, id: KeyId, key: &str) -> Option<Ref<'a, Value>> {
        let desc = &self.descs[self.at];
        self.at += 1;
        let slot = self.board.slot(id)?;
        let Ok(value) = Ref::filter_map(slot.borrow(), Option::as_ref) else {
            self.fail(
                desc,
                &format!("takes blackboard key `{key}`, which is not set"),
            );
            return None;
        };
        if let Err(why) = desc.check(&value) {
            self.refuse(key, &value, &why);
            return None;
        }
        Some(value)
    }

    #[cold]
    fn fail(&mut self, desc: &ParamDesc, why: &str) {
        self.error = Some(CallError::key(format!("argument `{}` {why}", desc.name)));
    }

    /// Notes why a key's value is not taken.
    #[cold]
    pub(super) fn refuse(&mut self, key: &str, value: &Value, why: &str) {
        let desc = &self.descs[self.at - 1];
        self.fail(
            desc,
            &format!("takes blackboard key `{key}`, which holds {value}: {why}"),
        );
    }

    #[cold]
    pub(super) fn error(self) -> CallError {
        self.error
            .unwrap_or_else(|| CallError::key("a blackboard key has no slot".to_owned()))
    }
}

/// What the parameters of one call by name take their values from: an array by position, or an
/// object by name. Notes all that is wrong.
#[derive(Debug)]
pub struct Giver<'a> {
    pub(super) board: &'a Blackboard,
    pub(super) ended: Option<bool>,
    pub(super) cx: Option<Context<'a>>,
    args: &'a Value,
    descs: &'static [ParamDesc],
    shapes: &'static [Shape],
    at: usize,
    argument: usize,
    problems: Vec<String>,
}

impl<'a> Giver<'a> {
    pub(super) fn new(
        cx: Context<'a>,
        descs: &'static [ParamDesc],
        shapes: &'static [Shape],
        args: &'a Value,
    ) -> Giver<'a> {
        Giver {
            board: cx.board(),
            ended: cx.ended(),
            cx: Some(cx),
            args,
            descs,
            shapes,
            at: 0,
            argument: 0,
            problems: Vec::new(),
        }
    }

    /// Passes a parameter that is no argument.
    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    fn next(&mut self) -> (Option<&'a Value>, &'static ParamDesc) {
        let desc = &self.descs[self.at];
        let value = match self.args {
            Value::Array(list) => list.get(self.argument),
            Value::Object(map) => {
                let named = map.get(desc.name);
                named.or_else(|| desc.aliases().find_map(|alias| map.get(alias)))
            }
            _ => None,
        };
        self.at += 1;
        self.argument += 1;
        (value, desc)
    }

    pub(super) fn resolve(&mut self) -> Option<Resolved<'a>> {
        let (value, desc) = self.next();
        let Some(value) = value else {
            return Some(default(desc));
        };
        let checked = desc.check(value);
        self.keep(checked)?;
        Some(Resolved::Lent(value))
    }

    pub(super) fn key(&mut self) -> Option<(KeyId, String)> {
        match self.next().0 {
            Some(Value::String(key)) => Some((self.board.intern(key), key.clone())),
            _ => self.keep(Err(NEEDS_KEY.to_owned())),
        }
    }

    pub(super) fn take_from_board<T>(
        &mut self,
        id: KeyId,
        key: &str,
        decode: fn(&Value) -> Result<T, String>,
    ) -> Option<T> {
        let mut frame = Frame {
            board: self.board,
            ended: None,
            cx: None,
            descs: self.descs,
            at: self.at - 1,
            error: None,
        };
        let value = frame
            .on_board(id, key)
            .and_then(|value| match decode(&value) {
                Ok(decoded) => Some(decoded),
                Err(why) => {
                    frame.refuse(key, &value, &why);
                    None
                }
            });
        if let Some(error) = frame.error {
            self.problems.push(error.to_string());
        }
        value
    }

    /// The value, or a note about the parameter that asked last.
    pub(super) fn keep<T>(&mut self, result: Result<T, String>) -> Option<T> {
        result
            .map_err(|why| note(&mut self.problems, self.descs, self.at, &why))
            .ok()
    }

    /// Whether nothing is wrong, now that all parameters have asked.
    pub(super) fn is_fine(&mut self) -> bool {
        match self.args {
            Value::Array(list) if list.len() > self.argument => {
                too_many(&mut self.problems, self.argument, list.len());
            }
            Value::Object(map) => self.unknown_names(map),
            Value::Array(_) | Value::Null => {}
            other => self.problems.push(format!(
                "arguments are an array by position or an object by name, found {other}"
            )),
        }
        self.problems.is_empty()
    }

    fn unknown_names(&mut self, map: &serde_json::Map<String, Value>) {
        let all = || self.descs.iter().zip(self.shapes);
        let arguments = || all().filter(|(_, shape)| shape.passing.is_argument());
        let arguments = || arguments().map(|(desc, _)| desc);
        for name in map.keys() {
            let known =
                |desc: &ParamDesc| desc.name == name || desc.aliases().any(|alias| alias == name);
            if !arguments().any(known) {
                let near = suggest(name, arguments().map(|desc| desc.name));
                self.problems
                    .push(format!("there is no argument `{name}`{near}"));
            }
        }
    }

    #[cold]
    pub(super) fn error(mut self) -> CallError {
        // Where an argument was wrong the surplus has not been looked at.
        let before = std::mem::take(&mut self.problems);
        self.is_fine();
        let surplus = std::mem::replace(&mut self.problems, before);
        for problem in surplus {
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        CallError::arguments(self.problems.join("; "))
    }
}
