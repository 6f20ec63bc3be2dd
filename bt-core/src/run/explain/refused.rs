//! Guards that did not hold when they were asked last: noted where results are kept or traced.

use serde_json::Value;

use crate::run::core::Core;
use crate::run::node_ref::At;
use crate::run::plain::Refused;
use crate::tree::plan::{Arg, Plan};

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
                Arg::Expression(_) => *value = arg.value(Some(board)),
                Arg::Property(..) if value.is_null() => *value = arg.value(None),
                Arg::Literal(_) | Arg::Property(..) => {}
            }
        }
    }
}
