//! Guards that did not hold when they were asked last: noted where results are kept or traced.

use serde_json::Value;
use thin_vec::ThinVec;

use crate::run::core::Core;
use crate::run::node_ref::At;
use crate::tree::plan::{Arg, Plan};

/// A guard whose last answer was no.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(super) at: At,
    /// Which of the node's guards.
    pub(super) guard: u32,
    /// Whether the node ran then.
    pub(super) aborted: bool,
    /// In nanoseconds.
    pub(super) time: u64,
    pub(super) poll: u32,
    /// The values of its arguments.
    pub(super) saw: Vec<Value>,
}

/// The guards whose last answer was no.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    /// Sorted by node.
    all: ThinVec<Refused>,
    /// Lists for what guards saw, to be used again.
    spare: ThinVec<Vec<Value>>,
}

impl Refusals {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Refused> {
        self.all.iter()
    }

    fn position(&self, at: At, guard: u32) -> Result<usize, usize> {
        let key = |refused: &Refused| (refused.at.node, refused.guard);
        self.all.binary_search_by_key(&(at.node, guard), key)
    }

    /// A guard holds.
    fn forget(&mut self, at: At, guard: u32) {
        if let Ok(found) = self.position(at, guard) {
            let mut gone = self.all.remove(found);
            gone.saw.clear();
            self.spare.push(gone.saw);
        }
    }

    /// What a guard saw last, or an empty list.
    fn take_seen(&mut self, at: At, guard: u32) -> Vec<Value> {
        match self.position(at, guard) {
            Ok(found) => std::mem::take(&mut self.all[found].saw),
            Err(_) => self.spare.pop().unwrap_or_default(),
        }
    }

    fn note(&mut self, refused: Refused) {
        match self.position(refused.at, refused.guard) {
            Ok(found) => self.all[found] = refused,
            Err(position) => self.all.insert(position, refused),
        }
    }
}

impl Core {
    /// Notes what a guard has just answered.
    #[cold]
    pub(crate) fn note_answer(&mut self, plan: &Plan, at: At, guard: u32, holds: bool) {
        if holds {
            if let Some(cold) = &mut self.cold {
                cold.refusals.forget(at, guard);
            }
            return;
        }
        let mut saw = self.cold().refusals.take_seen(at, guard);
        let call = plan.guards(at.node)[guard as usize].ask.call;
        self.look_at(&plan.calls[call as usize].args, &mut saw);
        let refused = Refused {
            at,
            guard,
            aborted: self.is_active(plan, at),
            time: self.now(),
            poll: self.poll,
            saw,
        };
        self.cold().refusals.note(refused);
    }

    /// Brings values up to date with arguments: what has not changed is not copied.
    fn look_at(&self, args: &[Arg], values: &mut Vec<Value>) {
        let board = self.session.board();
        values.resize(args.len(), Value::Null);
        for (arg, value) in args.iter().zip(values) {
            match arg {
                Arg::Literal(is) if value != is => value.clone_from(is),
                Arg::Key(_, id) => match board.lent(*id) {
                    Some(is) if *value != *is => value.clone_from(&is),
                    Some(_) => {}
                    None => *value = Value::Null,
                },
                Arg::Property(..) if value.is_null() => *value = arg.value(None),
                Arg::Literal(_) | Arg::Property(..) => {}
            }
        }
    }
}
