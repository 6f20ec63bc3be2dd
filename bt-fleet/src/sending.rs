//! An input on its way.

use std::future::IntoFuture;
use std::time::Duration;

use bt_core::Agent;
use serde::{Deserialize, Serialize};

use crate::FleetError;
use crate::fleet::Fleet;
use crate::key::Key;
use crate::reply::{Reply, reply};
use crate::store::{Append, Stream};
use crate::wire::input::{Input, What};
use crate::wire::write;

/// The most bytes of an input.
const MOST: usize = 256 << 10;

/// An input that is to be stored: await it, or [wait](Sending::wait) for it.
///
/// Its answer is the number of the stored input among all. It is applied in one of the next rounds of whoever has the
/// shard. An answer that is [uncertain](FleetError::is_unanswered) is made certain by the same input with the same
/// [id](Sending::id), within two minutes: it is stored once. Inputs of which the second is sent before the first is
/// answered may be stored in another order.
#[must_use = "nothing is sent before it is awaited or waited for"]
pub struct Sending<'f, A: Agent> {
    fleet: &'f Fleet<A>,
    id: Option<String>,
    input: Result<(Key, What), FleetError>,
}

/// The reason for which an input was stored and not applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The input's id.
    pub id: Option<String>,
    /// The key, as a text.
    pub key: Option<String>,
    /// The reason.
    pub why: String,
}

impl<'f, A: Agent> Sending<'f, A> {
    pub(crate) fn new(
        fleet: &'f Fleet<A>,
        key: Key,
        what: Result<What, FleetError>,
    ) -> Sending<'f, A> {
        let input = match key.fault() {
            Some(fault) => Err(FleetError::invalid(fault)),
            None => what.map(|what| (key, what)),
        };
        Sending {
            fleet,
            id: None,
            input,
        }
    }

    /// Sets the id by which a repetition is known: unique among all inputs of two minutes, at most 200 bytes. Without,
    /// it has one of its own, and repeating it is another input.
    pub fn id(mut self, id: impl Into<String>) -> Sending<'f, A> {
        self.id = Some(id.into());
        self
    }

    /// Sends it.
    pub fn send(self) -> Reply<u64> {
        match self.message() {
            Err(error) => Reply::given(Err(error)),
            Ok((fleet, message)) => {
                let (promise, reply) = reply();
                let done = move |answer: Result<u64, _>| promise.give(answer.map_err(Into::into));
                fleet.store().append(message, Box::new(done));
                reply
            }
        }
    }

    /// Sends it and waits on this thread, at most so long.
    ///
    /// # Errors
    /// [`FleetError::is_invalid`] if it cannot be right; nothing was sent. Otherwise as of [`Reply::wait`].
    pub fn wait(self, most: Duration) -> Result<u64, FleetError> {
        self.send().wait(most)
    }

    fn message(self) -> Result<(&'f Fleet<A>, Append), FleetError> {
        let (key, what) = self.input?;
        let fleet = self.fleet;
        let shard = fleet.config().shard(&key);
        let id = self.id.unwrap_or_else(|| fleet.new_id());
        if id.is_empty() || id.len() > 200 || id.contains(['\r', '\n']) {
            let text = format!(
                "the id of an input has 1 to 200 bytes and no line break; this one has {}",
                id.len()
            );
            return Err(FleetError::invalid(text));
        }
        let from = Some(fleet.sender().to_owned());
        let body = write(&Input::One { from, key, what });
        if body.len() > MOST {
            let len = body.len();
            return Err(FleetError::invalid(format!(
                "an input has at most {MOST} bytes; this one has {len}"
            )));
        }
        let message = Append {
            stream: Stream::Inputs,
            subject: format!("in.{shard}"),
            id: Some(id),
            expect: None,
            body,
        };
        Ok((fleet, message))
    }
}

impl<A: Agent> IntoFuture for Sending<'_, A> {
    type Output = Result<u64, FleetError>;
    type IntoFuture = Reply<u64>;

    fn into_future(self) -> Reply<u64> {
        self.send()
    }
}

impl<A: Agent> std::fmt::Debug for Sending<'_, A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sending")
            .field("input", &self.input)
            .finish_non_exhaustive()
    }
}
