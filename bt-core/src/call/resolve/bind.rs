//! The sources of a tree's call, resolved once.

use std::any::Any;

use serde_json::Value;

use super::{BoardKey, Origin, Resolved, default, note};
use crate::blackboard::KeyId;
use crate::call::param::{Param, Params};
use crate::call::typed_field::FieldReader;
use crate::error::CallError;
use crate::error::{ArgumentError, Flaw};
use crate::text;

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
    pub(in crate::call) fn new(origins: &'x [Origin<'x>], params: &'x Params) -> Binder<'x> {
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
    pub(in crate::call) fn skip(&mut self) {
        self.at += 1;
    }

    fn next(&mut self) -> (Option<&'x Origin<'x>>, &'x Param) {
        let next = (self.origins.get(self.argument), &self.params.all[self.at]);
        self.at += 1;
        self.argument += 1;
        next
    }

    pub(in crate::call) fn resolve(&mut self) -> Option<Resolved<'x>> {
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
        if let Origin::Field(field) = origin {
            return Some(Resolved::Field(*field));
        }
        let (id, source) = origin.slot()?;
        let key = BoardKey::new(id, source, self.params.of, param);
        Some(Resolved::Key(key))
    }

    /// The field as one of the type and with the values that the parameter has; a note if it is of another.
    pub(in crate::call) fn field<T: 'static>(&mut self, field: &dyn Any) -> Option<FieldReader<T>> {
        let is_free = self.params.all[self.at - 1].limits.is_none();
        let reader = field.downcast_ref().filter(|_| is_free).cloned();
        self.keep(reader.ok_or(Flaw::NeedsKey), None)
    }

    pub(in crate::call) fn key(&mut self) -> Option<BoardKey> {
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
            Some(Origin::Property(..) | Origin::Expression(..) | Origin::Field(_)) => None,
            None => return self.keep(Err(Flaw::Missing), None),
        };
        self.keep(Err(Flaw::NeedsKey), found)
    }

    /// The value, or a note about the parameter that asked last.
    pub(in crate::call) fn keep<T>(
        &mut self,
        result: Result<T, Flaw>,
        found: Option<&Value>,
    ) -> Option<T> {
        result
            .map_err(|flaw| {
                let param = &self.params.all[self.at - 1];
                note(&mut self.problems, param, flaw, found);
            })
            .ok()
    }

    /// Returns true if nothing is wrong, now that all parameters have asked.
    pub(in crate::call) fn is_fine(&self) -> bool {
        self.problems.is_empty() && self.origins.len() <= self.argument
    }

    #[cold]
    pub(in crate::call) fn error(mut self) -> CallError {
        if self.origins.len() > self.argument {
            self.problems.push(self.params.surplus(self.origins.len()));
        }
        CallError::bad(self.problems)
    }
}
