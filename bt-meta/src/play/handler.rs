//! The calls of the agent, handed to whoever plays.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bt_core::dynamic::{Answer, DynAgent, Handler};
use bt_core::registry::catalogue::ReturnKind;
use bt_core::{Completion, Context, Exit, Left};
use serde_json::Value;

use super::host::{Call, Host};

/// Whoever plays, as the agent keeps it.
pub type Seat = Arc<Mutex<dyn Host>>;

/// The handler that asks whoever plays.
#[derive(Default)]
pub(super) struct Player {
    /// Those that are kept say that somebody can end the call.
    waits: Mutex<VecDeque<Completion>>,
}

/// The number of completions that are kept. By then the oldest calls are over.
const KEPT: usize = 1_000;

impl Handler for Player {
    fn call(
        &self,
        agent: &mut DynAgent,
        name: &str,
        args: &[Value],
        cx: &mut Context<'_>,
    ) -> Answer {
        let method = agent.ty().info().action(name).ok().map(|found| found.entry);
        let Some(seat) = seat(agent) else {
            return Answer::refused("nobody plays");
        };
        let mut host = seat.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = host.call(&Call { name, method, args }, cx);
        let result = method.map_or(ReturnKind::Async, |method| method.result);
        if answer == Answer::running() && result == ReturnKind::Async {
            let mut waits = self.waits.lock().unwrap_or_else(PoisonError::into_inner);
            if waits.len() >= KEPT {
                waits.pop_front();
            }
            waits.push_back(cx.completion());
        }
        answer
    }

    fn exit(
        &self,
        agent: &mut DynAgent,
        name: &str,
        exit: Exit,
        args: &[Value],
        _: &mut Context<'_>,
    ) -> Left {
        if let Some(seat) = seat(agent) {
            let mut host = seat.lock().unwrap_or_else(PoisonError::into_inner);
            host.exits(name, exit, args);
        }
        Left::Now
    }

    fn property(&self, agent: &mut DynAgent, name: &str, cx: &mut Context<'_>) -> Option<Value> {
        // Only what a node of the tree reads is asked for: a trace has what is known.
        cx.node()?;
        let property = agent.ty().info().property(name).ok()?.entry;
        let seat = seat(agent)?;
        let mut host = seat.lock().unwrap_or_else(PoisonError::into_inner);
        host.property(property)
    }
}

fn seat(agent: &mut DynAgent) -> Option<Seat> {
    agent.state::<Seat>().cloned()
}
