//! The arguments of a method that is described: each a value that its schema takes, or a key.

use std::sync::Arc;

use serde_json::Value;

use crate::call::param::{Limits, Param, Params};
use crate::call::resolve::{ArgumentSource, Binder, BoardKey, Resolved};
use crate::decode::DecodeError;
use crate::describe::catalogue::{InOut, TypeEntry, ValueEntry};
use crate::describe::schema::{Certain, certain};
use crate::error::Flaw;

/// Says whether a type takes a value, without its bounds.
pub(crate) type Judge = Arc<dyn Fn(&Value) -> Result<(), DecodeError> + Send + Sync>;

/// The values that a type takes.
pub(crate) struct Takes {
    /// The values that need no look at the schema.
    plain: Option<Certain>,
    judge: Judge,
    limits: Option<Limits>,
}

impl Takes {
    pub(crate) fn of(ty: &TypeEntry, judge: &dyn Fn(&Value) -> Judge) -> Takes {
        Takes {
            plain: certain(&ty.schema),
            judge: judge(&ty.schema),
            limits: Limits::of_type(ty).if_any(),
        }
    }

    /// Checks a value and its bounds.
    pub(crate) fn check(&self, value: &Value) -> Result<(), Flaw> {
        if let Some(limits) = &self.limits {
            limits.check(value)?;
        }
        self.decodes(value).map_err(Flaw::Decode)
    }

    pub(crate) fn decodes(&self, value: &Value) -> Result<(), DecodeError> {
        match self.plain.is_some_and(|is_plain| is_plain(value)) {
            true => Ok(()),
            false => (self.judge)(value),
        }
    }
}

/// The arguments of a method.
pub(super) struct Signature {
    params: Params,
    parts: Box<[Part]>,
}

struct Part {
    takes: Takes,
    in_out: Option<InOut>,
}

/// The source of an argument's value at each call.
pub(super) enum Slot {
    Literal(Value),
    Key(BoardKey),
    /// The key that it is written back to.
    Back(BoardKey, InOut),
}

/// The keys that arguments are written back to, by the number of the argument.
pub(super) type Backs = Vec<(usize, BoardKey, InOut)>;

impl Signature {
    pub(super) fn new<'e>(
        of: &str,
        args: impl IntoIterator<Item = &'e ValueEntry>,
        judge: &dyn Fn(&Value) -> Judge,
    ) -> Signature {
        let (params, parts): (Vec<_>, Vec<_>) = args
            .into_iter()
            .map(|arg| {
                let part = Part {
                    takes: Takes::of(&arg.ty, judge),
                    in_out: arg.ty.in_out,
                };
                (param(arg), part)
            })
            .unzip();
        Signature {
            params: Params::of(super::leaked::text(of), params.into()),
            parts: parts.into(),
        }
    }

    pub(super) fn params(&self) -> &Params {
        &self.params
    }

    pub(super) fn takes(&self, argument: usize) -> &Takes {
        &self.parts[argument].takes
    }

    /// Resolves the sources of a tree's call; none for an argument that is wrong, which the binder notes.
    pub(super) fn slots(&self, binder: &mut Binder<'_>) -> Vec<Option<Slot>> {
        let parts = self.parts.iter().zip(&self.params.all);
        parts
            .map(|(part, param)| slot(part, param, binder))
            .collect()
    }

    /// The value of an argument for one call.
    pub(super) fn value(
        &self,
        argument: usize,
        key: &BoardKey,
        board: &crate::Blackboard,
    ) -> Option<Value> {
        let param = &self.params.all[argument];
        key.checked(board, param.optional, |value| {
            self.takes(argument).decodes(value)
        })
    }

    /// The values of a call by name; none, and an error kept by the blackboard, if they are not what the
    /// method takes.
    pub(super) fn given(&self, source: &mut ArgumentSource<'_>) -> Option<(Vec<Value>, Backs)> {
        let mut backs = Vec::new();
        let mut values = Vec::with_capacity(self.parts.len());
        for argument in 0..self.parts.len() {
            values.push(self.given_one(argument, source, &mut backs));
        }
        let values: Option<Vec<_>> = values.into_iter().collect();
        match values {
            Some(values) if source.is_fine() => Some((values, backs)),
            Some(_) | None => source.refuse(),
        }
    }

    fn given_one(
        &self,
        argument: usize,
        source: &mut ArgumentSource<'_>,
        backs: &mut Backs,
    ) -> Option<Value> {
        let part = &self.parts[argument];
        if let Some(in_out) = part.in_out {
            let key = source.key()?;
            let value = match in_out {
                InOut::Out => Some(Value::Null),
                InOut::InOut => {
                    let value = self.value(argument, &key, source.board);
                    source.noted(value)
                }
            };
            backs.push((argument, key, in_out));
            return value;
        }
        let (param, by_position) = source.next();
        let (taken, found) = match source.resolve(param, by_position)? {
            Resolved::Lent(value) => {
                let taken = part.takes.decodes(value).map_err(Flaw::Decode);
                (taken.map(|()| value.clone()), Some(value))
            }
            Resolved::Key(_) | Resolved::Field(_) | Resolved::Nothing => (nothing(param), None),
        };
        source.keep(param, taken, found)
    }
}

fn slot(part: &Part, param: &Param, binder: &mut Binder<'_>) -> Option<Slot> {
    if let Some(in_out) = part.in_out {
        return binder.key().map(|key| Slot::Back(key, in_out));
    }
    let (taken, found) = match binder.resolve()? {
        Resolved::Key(key) => return Some(Slot::Key(key)),
        Resolved::Lent(value) => {
            let taken = part.takes.decodes(value).map_err(Flaw::Decode);
            (taken.map(|()| value.clone()), Some(value))
        }
        Resolved::Field(_) | Resolved::Nothing => (nothing(param), None),
    };
    binder.keep(taken, found).map(Slot::Literal)
}

/// The value of an argument that is left out.
fn nothing(param: &Param) -> Result<Value, Flaw> {
    match param.optional {
        true => Ok(Value::Null),
        false => Err(Flaw::Missing),
    }
}

fn param(arg: &ValueEntry) -> Param {
    let ty = &arg.ty;
    Param {
        desc: super::leaked::param(arg),
        is_argument: true,
        default: ty.default.clone(),
        limits: Limits::of_type(ty).if_any().map(Box::new),
        // What has a default may be left out, too, and need be no `Option`.
        optional: ty.optional && (ty.default.is_none() || ty.type_name.starts_with("optional<")),
    }
}
