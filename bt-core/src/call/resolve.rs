//! Where the values of one call come from: what all types of parameters share.
//!
//! A [`Binder`] resolves a tree's sources once, a [`Frame`] fetches the values for one call of a
//! tree, a [`Giver`] takes the values of one call by name. Parameters ask in the order of the
//! signature.

use std::borrow::Cow;
use std::cell::Ref;
use std::slice;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::decode::{self, DecodeError};
use super::error::{ArgumentError, Flaw};
use super::param::{Limits, Param, Params};
use super::{CallError, Context};
use crate::blackboard::{Blackboard, Held, KeyId, Slot};
use crate::registry::lookup::suggest;
use crate::text;

/// Where an argument's value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// Written in the tree.
    Literal(Value),
    /// The value of a blackboard key at the time of the call.
    Key(String),
    /// The value of one of the agent's properties at the time of the call.
    Property(String),
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

    /// The value of one of the agent's properties at the time of the call.
    pub fn property(name: impl Into<String>) -> Source {
        Source::Property(name.into())
    }
}

/// A source with its names looked up.
#[derive(Debug)]
pub enum Origin<'x> {
    /// Written in the tree.
    Literal(&'x Value),
    /// A blackboard key.
    Key(KeyId, &'x str),
    /// A property, whose value is put there before the call.
    Property(KeyId, &'x str),
}

impl Origin<'_> {
    /// The slot, and the words for it.
    fn slot(&self) -> Option<(KeyId, String)> {
        match self {
            Origin::Literal(_) => None,
            Origin::Key(id, key) => Some((*id, format!("blackboard key `{}`", text::name(key)))),
            Origin::Property(id, name) => Some((*id, format!("property `{}`", text::name(name)))),
        }
    }
}

/// A blackboard key that an argument is taken from at each call.
#[derive(Debug)]
pub struct BoardKey {
    id: KeyId,
    limited: bool,
    about: Box<About>,
}

/// What an error says, and what is checked where there is something to check.
#[derive(Debug)]
struct About {
    of: Cow<'static, str>,
    argument: Cow<'static, str>,
    /// "blackboard key `hp`"
    source: String,
    limits: Option<Limits>,
}

impl BoardKey {
    fn new(id: KeyId, source: String, of: &'static str, param: &Param) -> BoardKey {
        BoardKey {
            id,
            limited: param.limits.is_some(),
            about: Box::new(About {
                of: of.into(),
                argument: param.desc.name.into(),
                source,
                limits: param.limits.as_deref().cloned(),
            }),
        }
    }

    /// Of a call that the fallback answers: its arguments have positions, and no names. None for
    /// a literal.
    pub(super) fn of_fallback(origin: &Origin<'_>, of: &str, position: usize) -> Option<BoardKey> {
        let (id, source) = origin.slot()?;
        Some(BoardKey {
            id,
            limited: false,
            about: Box::new(About {
                of: text::name(of).into_owned().into(),
                argument: position.to_string().into(),
                source,
                limits: None,
            }),
        })
    }

    pub(super) fn id(&self) -> KeyId {
        self.id
    }

    /// The key's value as a `T` of its own; none, and an error kept by `board`, if it has none.
    ///
    /// An `Option` of a number comes back in registers, a `Result` does not.
    #[inline]
    pub(super) fn read<T: DeserializeOwned + 'static>(&self, board: &Blackboard) -> Option<T> {
        if !self.limited
            && let Some(slot) = board.near_slot(self.id)
            && let Some(plain) = slot.borrow().value().and_then(decode::plain)
        {
            return Some(plain);
        }
        self.decode(board)
    }

    /// The key's text, on loan; none if there is more to check, or to say.
    #[inline]
    pub(super) fn text<'a>(&self, board: &'a Blackboard) -> Option<Ref<'a, str>> {
        if self.limited {
            return None;
        }
        Ref::filter_map(board.near_slot(self.id)?.borrow(), Held::text).ok()
    }

    #[inline(never)]
    fn decode<T: DeserializeOwned + 'static>(&self, board: &Blackboard) -> Option<T> {
        let slot = self.slot(board)?.borrow();
        match decode::decode(slot.value()?) {
            Ok(value) => Some(value),
            Err(why) => board.keep_error(self.undecodable(why)),
        }
    }

    /// The slot, whose value is set and within its limits.
    pub(super) fn slot<'a>(&self, board: &'a Blackboard) -> Option<&'a Slot> {
        let slot = board.slot(self.id)?;
        let held = slot.borrow();
        let Some(value) = held.value() else {
            return board.keep_error(self.unset());
        };
        if self.limited
            && let Err(error) = self.check(value)
        {
            return board.keep_error(error);
        }
        Some(slot)
    }

    /// The key's value, on loan.
    pub(super) fn lend<'a>(&self, board: &'a Blackboard) -> Option<Ref<'a, Value>> {
        Ref::filter_map(self.slot(board)?.borrow(), Held::value).ok()
    }

    fn check(&self, value: &Value) -> Result<(), CallError> {
        match &self.about.limits {
            None => Ok(()),
            Some(limits) => limits
                .check(value)
                .map_err(|flaw| self.error(flaw, Some(value))),
        }
    }

    #[cold]
    fn error(&self, flaw: Flaw, found: Option<&Value>) -> CallError {
        let about = &self.about;
        let mut error = ArgumentError::new(&*about.argument, flaw).from(about.source.clone());
        if let Some(found) = found {
            error = error.with_found(found);
        }
        CallError::bad(vec![error]).about(&format!("`{}`", about.of))
    }

    #[cold]
    pub(super) fn undecodable(&self, why: DecodeError) -> CallError {
        self.error(Flaw::Decode(why), None)
    }

    #[cold]
    pub(super) fn unset(&self) -> CallError {
        self.error(Flaw::Unset, None)
    }
}

/// What one argument comes to.
#[derive(Debug)]
pub enum Resolved<'a> {
    /// A blackboard key.
    Key(BoardKey),
    /// A value that was given, or the default.
    Lent(&'a Value),
    /// Nothing: fine for an `Option`.
    Nothing,
}

/// Resolves the sources of a call, and notes all that is wrong.
#[derive(Debug)]
pub struct Binder<'x> {
    origins: &'x [Origin<'x>],
    params: &'x Params,
    at: usize,
    argument: usize,
    /// The keys of arguments that are written back.
    written: Vec<KeyId>,
    problems: Vec<ArgumentError>,
}

impl<'x> Binder<'x> {
    pub(super) fn new(origins: &'x [Origin<'x>], params: &'x Params) -> Binder<'x> {
        Binder {
            origins,
            params,
            at: 0,
            argument: 0,
            written: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Passes a parameter that is no argument.
    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    fn next(&mut self) -> (Option<&'x Origin<'x>>, &'x Param) {
        let next = (self.origins.get(self.argument), &self.params.all[self.at]);
        self.at += 1;
        self.argument += 1;
        next
    }

    pub(super) fn resolve(&mut self) -> Option<Resolved<'x>> {
        let (origin, param) = self.next();
        let Some(origin) = origin else {
            return Some(default(param));
        };
        if let Origin::Literal(value) = origin {
            if let Some(limits) = &param.limits {
                let checked = limits.check(value);
                self.keep(checked, Some(value))?;
            }
            return Some(Resolved::Lent(value));
        }
        let (id, source) = origin.slot()?;
        let key = BoardKey::new(id, source, self.params.of, param);
        Some(Resolved::Key(key))
    }

    pub(super) fn key(&mut self) -> Option<BoardKey> {
        let (origin, param) = self.next();
        let found = match origin {
            Some(Origin::Key(id, _)) if self.written.contains(id) => {
                return self.keep(Err(Flaw::SharesKey), None);
            }
            Some(Origin::Key(id, key)) => {
                self.written.push(*id);
                let source = format!("blackboard key `{}`", text::name(key));
                return Some(BoardKey::new(*id, source, self.params.of, param));
            }
            Some(Origin::Literal(value)) => Some(*value),
            Some(Origin::Property(..)) => None,
            None => return self.keep(Err(Flaw::Missing), None),
        };
        self.keep(Err(Flaw::NeedsKey), found)
    }

    /// The value, or a note about the parameter that asked last.
    pub(super) fn keep<T>(&mut self, result: Result<T, Flaw>, found: Option<&Value>) -> Option<T> {
        result
            .map_err(|flaw| {
                let param = &self.params.all[self.at - 1];
                note(&mut self.problems, param, flaw, found);
            })
            .ok()
    }

    /// Whether nothing is wrong, now that all parameters have asked.
    pub(super) fn is_fine(&self) -> bool {
        self.problems.is_empty() && self.origins.len() <= self.argument
    }

    #[cold]
    pub(super) fn error(mut self) -> CallError {
        if self.origins.len() > self.argument {
            self.problems.push(self.params.surplus(self.origins.len()));
        }
        CallError::bad(self.problems)
    }
}

#[inline]
fn default(param: &Param) -> Resolved<'_> {
    match &param.default {
        Some(value) => Resolved::Lent(value),
        None => Resolved::Nothing,
    }
}

#[cold]
fn note(problems: &mut Vec<ArgumentError>, param: &Param, flaw: Flaw, found: Option<&Value>) {
    let mut problem = ArgumentError::new(param.desc.name, flaw);
    if let Some(found) = found {
        problem = problem.with_found(found);
    }
    problems.push(problem);
}

/// What the parameters of one call of a tree take their values from.
///
/// Parameters hand on its parts, never itself, to what is not inlined: so it stays in registers.
#[derive(Debug)]
pub struct Frame<'a> {
    pub(super) board: &'a Blackboard,
    pub(super) ended: Option<bool>,
    pub(super) cx: Option<Context<'a>>,
}

impl<'a> Frame<'a> {
    #[inline]
    pub(super) fn new(cx: Context<'a>) -> Frame<'a> {
        Frame {
            board: cx.board(),
            ended: cx.ended(),
            cx: Some(cx),
        }
    }
}

/// What the parameters of one call by name take their values from: an array by position, or an
/// object by name. Notes all that is wrong.
#[derive(Debug)]
pub struct Giver<'a> {
    pub(super) board: &'a Blackboard,
    pub(super) ended: Option<bool>,
    pub(super) cx: Option<Context<'a>>,
    params: slice::Iter<'a, Param>,
    /// The arguments by position that are left.
    list: slice::Iter<'a, Value>,
    /// How many of those by name were taken.
    taken: usize,
    of: &'a Params,
    args: &'a Value,
    /// The keys of arguments that are written back.
    written: Vec<KeyId>,
    #[allow(
        clippy::box_collection,
        reason = "one word to clear and to drop at each call"
    )]
    problems: Option<Box<Vec<ArgumentError>>>,
}

impl<'a> Giver<'a> {
    #[inline]
    pub(super) fn new(cx: Context<'a>, params: &'a Params, args: &'a Value) -> Giver<'a> {
        let list: &[Value] = match args {
            Value::Array(list) => list,
            _ => &[],
        };
        Giver {
            board: cx.board(),
            ended: cx.ended(),
            cx: Some(cx),
            params: params.all.iter(),
            list: list.iter(),
            taken: 0,
            of: params,
            args,
            written: Vec::new(),
            problems: None,
        }
    }

    /// Passes a parameter that is no argument.
    #[inline]
    pub(super) fn skip(&mut self) {
        self.params.next();
    }

    /// The next parameter, and its value if that is given by position.
    #[inline]
    pub(super) fn next(&mut self) -> (&'a Param, Option<&'a Value>) {
        let param = self
            .params
            .next()
            .expect("a description for each parameter");
        (param, self.list.next())
    }

    /// The value of a parameter, wherever it is given; none, and a note, if it is beyond its
    /// limits.
    pub(super) fn resolve(
        &mut self,
        param: &'a Param,
        by_position: Option<&'a Value>,
    ) -> Option<Resolved<'a>> {
        let given = match self.args {
            Value::Object(map) => self.named(map, param),
            _ => by_position,
        };
        let Some(value) = given else {
            return Some(default(param));
        };
        if let Some(limits) = &param.limits {
            let checked = limits.check(value);
            self.keep(param, checked, Some(value))?;
        }
        Some(Resolved::Lent(value))
    }

    fn named(&mut self, map: &'a Map<String, Value>, param: &Param) -> Option<&'a Value> {
        let mut value = map.get(param.desc.name);
        for alias in param.desc.aliases() {
            value = value.or_else(|| map.get(alias));
        }
        self.taken += usize::from(value.is_some());
        value
    }

    pub(super) fn key(&mut self) -> Option<BoardKey> {
        let (param, by_position) = self.next();
        let given = match self.resolve(param, by_position)? {
            Resolved::Lent(Value::String(key)) => {
                let source = format!("blackboard key `{}`", text::name(key));
                let id = self.board.intern(key);
                if self.written.contains(&id) {
                    return self.keep(param, Err(Flaw::SharesKey), None);
                }
                self.written.push(id);
                return Some(BoardKey::new(id, source, self.of.of, param));
            }
            Resolved::Lent(other) => Some(other),
            Resolved::Key(_) | Resolved::Nothing => {
                return self.keep(param, Err(Flaw::Missing), None);
            }
        };
        self.keep(param, Err(Flaw::NeedsKey), given)
    }

    /// The value of a key, or a note about what is wrong with it.
    pub(super) fn on_board<T: DeserializeOwned + 'static>(&mut self, key: &BoardKey) -> Option<T> {
        let value = key.read(self.board);
        if value.is_none()
            && let Some(error) = self.board.take_error()
        {
            self.problems().extend_from_slice(error.problems());
        }
        value
    }

    #[cold]
    fn problems(&mut self) -> &mut Vec<ArgumentError> {
        self.problems.get_or_insert_default()
    }

    /// The value, or a note about a parameter.
    pub(super) fn keep<T>(
        &mut self,
        param: &Param,
        result: Result<T, Flaw>,
        found: Option<&Value>,
    ) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(flaw) => {
                note(self.problems(), param, flaw, found);
                None
            }
        }
    }

    /// Whether nothing is wrong, now that all parameters have asked.
    #[inline]
    pub(super) fn is_fine(&self) -> bool {
        let none_over = match self.args {
            Value::Array(_) => self.list.len() == 0,
            Value::Object(map) => map.len() == self.taken,
            Value::Null => true,
            _ => false,
        };
        none_over && self.problems.is_none()
    }

    fn unknown_names(&mut self, map: &Map<String, Value>) {
        let mut seen: Vec<(&str, &String)> = Vec::new();
        for name in map.keys() {
            let mut arguments = self.of.all.iter().filter(|param| param.is_argument);
            let meant = arguments.find(|param| {
                param.desc.name == name || param.desc.aliases().any(|alias| alias == name)
            });
            let help = match meant.map(|param| param.desc.name) {
                Some(argument) => {
                    let Some((_, other)) = seen.iter().find(|(seen, _)| *seen == argument) else {
                        seen.push((argument, name));
                        continue;
                    };
                    let alias = if name == argument { other } else { name };
                    let alias = text::name(alias);
                    format!("argument `{argument}` is given twice, once as `{alias}`")
                }
                None => {
                    let near = suggest(name, self.of.names());
                    let name = text::name(name);
                    format!("there is no argument `{name}`{near}")
                }
            };
            let problem = ArgumentError::new(name, Flaw::Surplus(help));
            self.problems().push(problem);
        }
    }

    /// Keeps what is wrong on the blackboard.
    #[cold]
    pub(super) fn refuse<T>(&mut self) -> Option<T> {
        let error = self.error();
        self.board.keep_error(error)
    }

    fn error(&mut self) -> CallError {
        match self.args {
            Value::Array(list) if list.len() > self.of.takes => {
                let surplus = self.of.surplus(list.len());
                self.problems().push(surplus);
            }
            Value::Object(map) => self.unknown_names(map),
            Value::Array(_) | Value::Null => {}
            other => {
                let found = super::shown(other);
                return CallError::arguments(format!(
                    "arguments are an array by position or an object by name, found {found}"
                ));
            }
        }
        CallError::bad(std::mem::take(self.problems()))
    }
}
