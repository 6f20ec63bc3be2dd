//! Effects of agents on each other, for hosts that poll agents themselves.

use std::fmt;

use super::{AgentId, WakeQueue};
use crate::deferred::{self, Effect};

/// Effects of agents on each other in a part of a round, kept until the round is over: an answer to another agent's
/// call, or a change of a global key.
///
/// A [`Pool`](super::Pool) keeps them itself. A host that polls the agents of a [`WakeQueue`] in several parts, side by
/// side, collects those of each part, and applies them in the order of the parts when all are polled: the round has
/// the same result then as in one part.
///
/// ```
/// use bt_core::pool::{Effects, WakeQueue};
/// use bt_core::prelude::*;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_core::{Completion, Mode, Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// #[derive(Agent, Default)]
/// struct Diver {
///     calls: Vec<Completion>,
/// }
///
/// #[agent]
/// impl Diver {
///     #[action]
///     fn dive(&mut self, cx: &mut Context) -> Option<bool> {
///         self.calls.push(cx.completion());
///         None
///     }
///
///     #[action]
///     fn call(&mut self) {
///         self.calls.drain(..).for_each(|call| _ = call.finish(true));
///     }
/// }
///
/// let mut trees = TreeSet::<Diver>::new();
/// trees.add(TreeAsset::build("dive", "diver", action("dive")));
/// trees.add(TreeAsset::build("call", "diver", action("call")));
/// let trees = trees.build()?;
/// let (mut below, mut above) = (Diver::default(), Diver::default());
/// let mut dive = Runner::new(&trees, "dive")?.mode(Mode::Once);
/// let mut call = Runner::new(&trees, "call")?.mode(Mode::Once);
/// dive.start();
/// call.start();
///
/// let mut queue = WakeQueue::new();
/// let (caller, diver) = (queue.join(&mut call), queue.join(&mut dive));
/// dive.poll(&mut below, Duration::ZERO);
/// above.calls.append(&mut below.calls);
/// let mut effects = Effects::default();
/// effects.collect(|| {
///     queue.begin_turn(caller);
///     call.poll(&mut above, Duration::ZERO);
///     queue.begin_turn(diver);
///     dive.poll(&mut below, Duration::ZERO);
/// });
/// assert_eq!(dive.result(), None, "the round is not over");
/// effects.apply();
/// dive.poll(&mut below, Duration::ZERO);
/// assert_eq!(dive.result(), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Effects(Vec<Effect>);

impl Effects {
    /// Keeps what the agents do to each other that are polled meanwhile, on this thread.
    pub fn collect(&mut self, polls: impl FnOnce()) {
        deferred::collect(&mut self.0, polls);
    }

    /// Does it, in its order: the round is over.
    pub fn apply(&mut self) {
        self.0.drain(..).for_each(|effect| effect());
    }
}

impl fmt::Debug for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Effects")
            .field("len", &self.0.len())
            .finish()
    }
}

impl WakeQueue {
    /// Says, within [`collect`](Effects::collect), which agent is polled next: what it does to itself has its effect at
    /// once.
    pub fn begin_turn(&self, id: AgentId) {
        deferred::begin_turn(self.inbox().doer(id));
    }
}
