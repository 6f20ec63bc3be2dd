//! Guards that did not hold when they were asked last: noted where results are kept or traced.

use serde_json::Value;

use crate::run::at::At;
use crate::run::core::Core;
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

impl Core {
    /// Notes what a guard has just answered.
    #[cold]
    pub(crate) fn note_answer(&mut self, plan: &Plan, at: At, guard: u32, holds: bool) {
        let key = |refused: &Refused| (refused.at.node, refused.guard);
        let noted = self.cold.as_ref().map(|cold| &cold.refusals);
        let found = noted.map_or(Err(0), |noted| {
            noted.binary_search_by_key(&(at.node, guard), key)
        });
        if holds {
            if let Ok(found) = found {
                let mut gone = self.cold().refusals.remove(found);
                gone.saw.clear();
                // To be used again.
                self.cold().spare_values.push(gone.saw);
            }
            return;
        }
        let mut saw = match found {
            Ok(found) => std::mem::take(&mut self.cold().refusals[found].saw),
            Err(_) => self.cold().spare_values.pop().unwrap_or_default(),
        };
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
        let noted = &mut self.cold().refusals;
        match found {
            Ok(found) => noted[found] = refused,
            Err(place) => noted.insert(place, refused),
        }
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
