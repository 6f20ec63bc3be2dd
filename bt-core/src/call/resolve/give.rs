//! The arguments of one call by name.

use std::slice;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{BoardKey, Resolved, default, note};
use crate::blackboard::{Blackboard, KeyId};
use crate::call::param::{Param, Params};
use crate::call::{Asked, Context};
use crate::decode::shown;
use crate::error::CallError;
use crate::error::{ArgumentError, Flaw};
use crate::text;
use crate::text::suggest;

/// The source of the parameters' values in one call by name: an array by position, or an object by name. It
/// collects all problems.
#[derive(Debug)]
pub struct ArgumentSource<'a> {
    pub(in crate::call) board: &'a Blackboard,
    pub(in crate::call) asked: Asked,
    pub(in crate::call) cx: Option<Context<'a>>,
    params: slice::Iter<'a, Param>,
    /// The arguments by position that are left.
    list: slice::Iter<'a, Value>,
    /// The number of those by name that were taken.
    taken: usize,
    of: &'a Params,
    args: &'a Value,
    /// One word to clear and to drop at each call.
    noted: Option<Box<Noted>>,
}

/// Parts that few calls have.
#[derive(Debug, Default)]
struct Noted {
    /// The keys of arguments that are written back.
    written: Vec<KeyId>,
    problems: Vec<ArgumentError>,
}

impl<'a> ArgumentSource<'a> {
    #[inline]
    pub(in crate::call) fn new(
        cx: Context<'a>,
        params: &'a Params,
        args: &'a Value,
    ) -> ArgumentSource<'a> {
        let list: &[Value] = match args {
            Value::Array(list) => list,
            _ => &[],
        };
        ArgumentSource {
            board: cx.board(),
            asked: cx.asked(),
            cx: Some(cx),
            params: params.all.iter(),
            list: list.iter(),
            taken: 0,
            of: params,
            args,
            noted: None,
        }
    }

    /// For parameters none of which is the context.
    pub(in crate::call) fn without_context(
        board: &'a Blackboard,
        of: &'a Params,
        args: &'a Value,
    ) -> ArgumentSource<'a> {
        ArgumentSource {
            board,
            asked: Asked::Entry,
            cx: None,
            params: of.all.iter(),
            list: [].iter(),
            taken: 0,
            of,
            args,
            noted: None,
        }
    }

    /// Passes a parameter that is no argument.
    #[inline]
    pub(in crate::call) fn skip(&mut self) {
        self.params.next();
    }

    /// The next parameter, and its value if that is given by position.
    #[inline]
    pub(in crate::call) fn next(&mut self) -> (&'a Param, Option<&'a Value>) {
        let param = self
            .params
            .next()
            .expect("a description for each parameter");
        (param, self.list.next())
    }

    /// The value of a parameter, wherever it is given; none, and a note, if it is beyond its
    /// limits.
    pub(in crate::call) fn resolve(
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

    pub(in crate::call) fn key(&mut self) -> Option<BoardKey> {
        let (param, by_position) = self.next();
        let given = match self.resolve(param, by_position)? {
            Resolved::Lent(Value::String(key)) => {
                let source = format!("blackboard key `{}`", text::name(key));
                let id = self.board.intern(key);
                let written = &mut self.noted.get_or_insert_default().written;
                if written.contains(&id) {
                    return self.keep(param, Err(Flaw::SharesKey), None);
                }
                written.push(id);
                return Some(BoardKey::new(id, source, self.of.of, param));
            }
            Resolved::Lent(other) => Some(other),
            Resolved::Key(_) | Resolved::Field(_) | Resolved::Nothing => {
                return self.keep(param, Err(Flaw::Missing), None);
            }
        };
        self.keep(param, Err(Flaw::NeedsKey), given)
    }

    /// The value of a key, or a note about what is wrong with it.
    pub(in crate::call) fn on_board<T: DeserializeOwned + 'static>(
        &mut self,
        key: &BoardKey,
    ) -> Option<T> {
        let value = key.read(self.board);
        self.noted(value)
    }

    /// The value, or a note of the error that the blackboard keeps.
    pub(in crate::call) fn noted<T>(&mut self, value: Option<T>) -> Option<T> {
        if value.is_none()
            && let Some(error) = self.board.take_error()
        {
            self.problems().extend_from_slice(error.problems());
        }
        value
    }

    #[cold]
    fn problems(&mut self) -> &mut Vec<ArgumentError> {
        &mut self.noted.get_or_insert_default().problems
    }

    /// The value, or a note about a parameter.
    pub(in crate::call) fn keep<T>(
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

    /// Returns true if nothing is wrong, now that all parameters have asked.
    #[inline]
    pub(in crate::call) fn is_fine(&self) -> bool {
        let none_over = match self.args {
            Value::Array(_) => self.list.len() == 0,
            Value::Object(map) => map.len() == self.taken,
            Value::Null => true,
            _ => false,
        };
        let noted = self.noted.as_ref();
        none_over && noted.is_none_or(|noted| noted.problems.is_empty())
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
    pub(in crate::call) fn refuse<T>(&mut self) -> Option<T> {
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
                let found = shown(other);
                return CallError::arguments(format!(
                    "arguments are an array by position or an object by name, found {found}"
                ));
            }
        }
        CallError::bad(std::mem::take(self.problems()))
    }
}
