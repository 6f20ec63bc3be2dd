//! Arrivals at a runner from elsewhere wake its host.

use std::task::Waker;
use std::time::Duration;

use super::plain::Phase;
use super::runner::Runner;
use crate::Agent;
use crate::deferred::Doer;
use crate::random::derive;

impl<A: Agent> Runner<A> {
    /// Has the answers of completions and the changes of shared keys wake the agent, which is known as
    /// `owner`. Those that do so already stay as they are. What had arrived before is seen by
    /// [`next_wake`](Runner::next_wake).
    pub(crate) fn wake_by(&mut self, owner: Doer, waker: &dyn Fn() -> Waker) {
        self.core.session.wake_by(owner, waker);
        self.core.session.board().wake_by(waker);
    }

    /// Seeds the random stream of one of many agents, by its number among them; not one for which somebody
    /// chose a seed, or of which something was drawn.
    pub(crate) fn seed_one_of(&mut self, seed: u64, number: u64) {
        if self.core.session.is_unseeded() {
            self.set_seed(derive(seed, number));
        }
    }

    /// Tells it the time, which may be later than that of its last poll.
    pub(crate) fn set_now(&mut self, now: Duration) {
        self.core.session.set_now(now);
    }

    /// Returns true if its tree was stopped and only what is cancelling is waited for: nothing else was asked
    /// for since.
    pub(crate) fn is_cancelling(&self) -> bool {
        let requests = self.core.cold.as_ref().map(|cold| &cold.requests);
        let is_revived = requests.is_some_and(|all| all.pending().is_some() || all.starts_again());
        self.core.phase == Phase::Stopping && !self.core.paused && !is_revived
    }

    /// [Saves](Runner::save) the agent as of a time of the host's clock that may be later than that of its last poll: an
    /// agent that waits may have been polled long ago.
    ///
    /// ```
    /// use bt_core::builtin::ActionAgent;
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// let mut trees = TreeSet::<ActionAgent>::new();
    /// trees.add(TreeAsset::build("nap", "action_agent", action("wait_for_seconds").arg(10)));
    /// let trees = trees.build()?;
    /// let mut runner = Runner::new(&trees, "nap")?;
    /// runner.start();
    /// runner.poll(&mut ActionAgent, Duration::ZERO);
    /// let saved = runner.save_at(Duration::from_secs(7));
    /// let mut restored = Runner::restore(&trees, &saved)?;
    /// let poll = restored.poll(&mut ActionAgent, Duration::ZERO);
    /// assert_eq!(poll.next_wake, Some(Duration::from_secs(3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "save")]
    pub fn save_at(&mut self, now: Duration) -> crate::Saved {
        self.set_now(now);
        self.save()
    }

    /// Has them wake nobody.
    pub(crate) fn wake_nobody(&mut self) {
        self.core.session.wake_nobody();
        self.core.session.board().wake_nobody();
    }
}
