//! A member, before it starts.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::time::Duration;

use bt_core::{Agent, Event, Registry, Runner, Trees};
use serde_json::Value;

use super::{Backoff, Calls, Farewell, Lease, Member, Published, View};
use crate::FleetError;
use crate::config::{Config, is_name};
use crate::key::Key;
use crate::metrics::Metrics;
use crate::shard::{Hooks, Settings, Slot};
use crate::store::Store;

/// A member before it starts: made by [`Fleet::member`](crate::Fleet::member).
#[must_use = "a member does nothing before it is started"]
pub struct MemberBuilder<A: Agent> {
    config: Config,
    store: Arc<dyn Store>,
    settings: Settings,
    hooks: Hooks<A>,
    port: Option<String>,
}

impl<A: Agent> MemberBuilder<A> {
    pub(crate) fn new(config: Config, store: Arc<dyn Store>, name: &str) -> MemberBuilder<A> {
        let spawn = |key: &Key, _: &Value| Err(format!("no function makes agents, so not `{key}`"));
        MemberBuilder {
            config,
            store,
            settings: Settings {
                name: name.to_owned(),
                incarnation: RandomState::new().build_hasher().finish(),
                version: 0,
                save_every: Duration::from_secs(1),
                most_inputs: 2_000,
                most_restored: 2_000,
                describes: false,
                ignores_lease: false,
            },
            hooks: Hooks {
                spawn: Box::new(spawn),
                heard: None,
                prepare: None,
            },
            port: None,
        }
    }

    /// Sets the function that makes the agent of a key, from the arguments that [`Fleet::spawn`](crate::Fleet::spawn)
    /// had. An error is reported to whoever sent them.
    pub fn spawn(
        mut self,
        spawn: impl FnMut(&Key, &Value) -> Result<A, String> + 'static,
    ) -> MemberBuilder<A> {
        self.hooks.spawn = Box::new(spawn);
        self
    }

    /// Sets a function that is called with each event for an agent, whatever its tree waits for: damage counts also
    /// while nobody waits for it.
    pub fn heard(mut self, heard: impl FnMut(&Key, &mut A, &Event) + 'static) -> MemberBuilder<A> {
        self.hooks.heard = Some(Box::new(heard));
        self
    }

    /// Sets a function that is called with each agent that is spawned or restored here: it attaches a tracer, shares
    /// a board, or opens what was not saved.
    pub fn prepare(
        mut self,
        prepare: impl FnMut(&Key, &mut A, &mut Runner<A>) + 'static,
    ) -> MemberBuilder<A> {
        self.hooks.prepare = Some(Box::new(prepare));
        self
    }

    /// Sets the time between two saves of a shard, at least 10 ms; 1 s by default. What was not saved happens again
    /// after a failure.
    pub fn save_every(mut self, every: Duration) -> MemberBuilder<A> {
        self.settings.save_every = every.max(Duration::from_millis(10));
        self
    }

    /// Sets the most inputs of a shard that are applied in a round, and the most agents of a shard that are restored
    /// in one: 2,000 each by default.
    pub fn budget(mut self, inputs: usize, restored: usize) -> MemberBuilder<A> {
        self.settings.most_inputs = inputs.max(1);
        self.settings.most_restored = restored.max(1);
        self
    }

    /// Saves what tree files say of active nodes, too. Agents move then to changed trees by the rules of a reload when
    /// they are restored; otherwise their trees start anew. It takes half as much time and space again.
    pub fn describe_nodes(mut self, describes: bool) -> MemberBuilder<A> {
        self.settings.describes = describes;
        self
    }

    /// The address of this process's debug port, for tools. Never a token.
    pub fn debug_port(mut self, address: impl Into<String>) -> MemberBuilder<A> {
        self.port = Some(address.into());
        self
    }

    /// The number of this process among those that ever had the name, in place of a random one: for tests.
    #[doc(hidden)]
    pub fn incarnation(mut self, incarnation: u64) -> MemberBuilder<A> {
        self.settings.incarnation = incarnation;
        self
    }

    /// Lets it poll without a lease: for tests, which show that its saves are refused all the same.
    #[doc(hidden)]
    pub fn ignore_lease(mut self) -> MemberBuilder<A> {
        self.settings.ignores_lease = true;
        self
    }

    /// Starts it with its trees, of which `version` is a number that grows with each change: a shard that was saved
    /// with newer trees is not taken by members with older ones.
    ///
    /// # Errors
    /// [`FleetError::is_invalid`] for a name that is not of letters, digits, `_` and `-`, and if the agents' type is not
    /// registered.
    pub fn start(mut self, trees: Trees<A>, version: u64) -> Result<Member<A>, FleetError> {
        let name = &self.settings.name;
        if !is_name(name) {
            return Err(FleetError::invalid(format!(
                "the name of a member is letters, digits, `_` and `-`, 1 to 32 of them; found `{name}`"
            )));
        }
        let registry =
            Registry::global().map_err(|error| FleetError::invalid(error.to_string()))?;
        self.settings.version = version;
        let slots = (0..self.config.shards).map(|_| Slot::default());
        Ok(Member {
            slots: slots.collect(),
            config: self.config,
            settings: self.settings,
            calls: Calls::new(self.store),
            trees,
            registry,
            hooks: self.hooks,
            port: self.port,
            metrics: Metrics::default(),
            published: Published::default(),
            lease: Lease::default(),
            view: View::default(),
            is_watching: false,
            watch_retry: Backoff::default(),
            looked: None,
            drains: false,
            farewell: Farewell::Unsaid,
            host: Duration::ZERO,
            now: Duration::ZERO,
        })
    }
}

impl<A: Agent> fmt::Debug for MemberBuilder<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemberBuilder")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
