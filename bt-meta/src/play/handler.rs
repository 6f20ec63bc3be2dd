//! The calls of the agent, handed to whoever plays.

use std::sync::{Arc, Mutex, PoisonError};

use bt_core::dynamic::{Answer, DynAgent, Handler};
use bt_core::{Context, Exit, Left};
use serde_json::Value;

use super::host::{Call, Host};

/// Whoever plays, as the agent keeps it.
pub type Seat = Arc<Mutex<dyn Host>>;

/// The handler that asks whoever plays.
pub(super) struct Player;

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
        host.call(&Call { name, method, args }, cx)
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
