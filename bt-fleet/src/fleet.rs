//! A fleet, as whoever sends inputs and starts members has it.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bt_core::{Agent, Event, Registry};
use serde_json::{Map, Value};

use crate::FleetError;
use crate::config::Config;
use crate::key::Key;
use crate::member::MemberBuilder;
use crate::reply::reply;
use crate::saved::LogReader;
use crate::sending::{Refusal, Sending};
use crate::store::{Memory, Read, Store, StoreError, Stream};
use crate::wire::input::{Control, What};
use crate::wire::read;

/// One world of agents of a type, on one machine or many. Clones are the same fleet.
///
/// The crate's page has an example.
pub struct Fleet<A: Agent> {
    shared: Arc<Shared>,
    agents: PhantomData<fn() -> A>,
}

struct Shared {
    store: Arc<dyn Store>,
    config: Config,
    /// The name under which it learns of refusals.
    sender: String,
    count: AtomicU64,
    refusals: AtomicU64,
}

impl<A: Agent> Clone for Fleet<A> {
    fn clone(&self) -> Fleet<A> {
        Fleet {
            shared: self.shared.clone(),
            agents: PhantomData,
        }
    }
}

impl<A: Agent> Fleet<A> {
    /// A fleet in this process alone, without a server: the same calls, and nothing outlives the process.
    pub fn local() -> Fleet<A> {
        Fleet::with_store(Arc::new(Memory::new()), Config::new("local"))
    }

    /// A fleet over a store of the host's.
    pub fn with_store(store: Arc<dyn Store>, config: Config) -> Fleet<A> {
        let number = RandomState::new().build_hasher().finish();
        Fleet {
            shared: Arc::new(Shared {
                store,
                config,
                sender: format!("{number:016x}"),
                count: AtomicU64::new(0),
                refusals: AtomicU64::new(0),
            }),
            agents: PhantomData,
        }
    }

    /// Its settings.
    pub fn config(&self) -> &Config {
        &self.shared.config
    }

    /// The store below it: for hosts that keep something of their own beside the fleet.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.shared.store
    }

    pub(crate) fn sender(&self) -> &str {
        &self.shared.sender
    }

    pub(crate) fn new_id(&self) -> String {
        let count = self.shared.count.fetch_add(1, Ordering::Relaxed);
        format!("{}-{count}", self.shared.sender)
    }

    /// A member of that name, to be started: letters, digits, `_` and `-`, at most 32. A process that starts again
    /// under its old name has its shards back at once.
    pub fn member(&self, name: &str) -> MemberBuilder<A> {
        MemberBuilder::new(self.shared.config.clone(), self.shared.store.clone(), name)
    }

    /// Adds an agent that runs a tree. `args` are for the function that [makes it](MemberBuilder::spawn).
    pub fn spawn(&self, key: impl Into<Key>, tree: &str, args: Value) -> Sending<'_, A> {
        let tree = tree.to_owned();
        Sending::new(self, key.into(), Ok(What::Spawn { tree, args }))
    }

    /// Ends an agent: its tree is stopped, and when nothing is cancelling any more it is gone.
    pub fn despawn(&self, key: impl Into<Key>) -> Sending<'_, A> {
        Sending::new(self, key.into(), Ok(What::Despawn))
    }

    /// Fires an event at an agent. One that its type does not register, or with other parameters, is refused here.
    pub fn fire(&self, key: impl Into<Key>, event: Event) -> Sending<'_, A> {
        let params = event
            .params()
            .map(|(name, value)| (name.to_owned(), value.clone()));
        let params: Map<String, Value> = params.collect();
        self.fire_named(key, event.name(), Value::Object(params))
    }

    /// Fires an event by its name, with parameters as JSON: an array by position, or an object by name.
    pub fn fire_named(&self, key: impl Into<Key>, event: &str, params: Value) -> Sending<'_, A> {
        let what = self.checked(event, params);
        Sending::new(self, key.into(), what)
    }

    fn checked(&self, event: &str, params: Value) -> Result<What, FleetError> {
        let invalid = |text: String| FleetError::invalid(text);
        let registry = Registry::global().map_err(|error| invalid(error.to_string()))?;
        let agent = registry.agent_of::<A>();
        let agent =
            agent.ok_or_else(|| invalid("the agents' type is not registered".to_owned()))?;
        let made = agent.make_event(event, &params);
        made.map_err(|error| invalid(error.to_string()))?;
        Ok(What::Fire {
            event: event.to_owned(),
            params,
        })
    }

    /// Ends an agent's waiting actions of a name, as [`Runner::finish_pending`](bt_core::Runner::finish_pending) does.
    pub fn finish(&self, key: impl Into<Key>, action: &str, success: bool) -> Sending<'_, A> {
        let action = action.to_owned();
        Sending::new(self, key.into(), Ok(What::Finish { action, success }))
    }

    /// Writes a key of an agent's blackboard.
    pub fn write(
        &self,
        key: impl Into<Key>,
        name: &str,
        value: impl Into<Value>,
    ) -> Sending<'_, A> {
        let (name, value) = (name.to_owned(), value.into());
        Sending::new(self, key.into(), Ok(What::Write { name, value }))
    }

    /// Pauses, resumes, starts, stops or resets an agent, or loads another tree.
    pub fn control(&self, key: impl Into<Key>, control: Control) -> Sending<'_, A> {
        Sending::new(self, key.into(), Ok(What::Control(control)))
    }

    /// The inputs of this fleet's handle that were stored and not applied, since this was called last: nobody has the
    /// key, or the member refused it. The newest 100,000 are kept, and 1,000 come at once. Waits at most so long for the answer.
    ///
    /// # Errors
    /// [`FleetError::is_unanswered`].
    pub fn refusals(&self, most: Duration) -> Result<Vec<Refusal>, FleetError> {
        let request = Read {
            stream: Stream::Out,
            subject: format!("refused.{}", self.sender()),
            after: self.shared.refusals.load(Ordering::Relaxed),
            most: 1_000,
            wait: Duration::ZERO,
        };
        let messages = self.read(request, most)?;
        if let Some(last) = messages.last() {
            self.shared.refusals.fetch_max(last.seq, Ordering::Relaxed);
        }
        let refusals = messages
            .iter()
            .filter_map(|message| read(&message.body).ok());
        Ok(refusals.collect())
    }

    /// A reader of a log into which agents [write](crate::Outbox::log), from its beginning. The newest 100,000 messages
    /// are kept, each with the lines of one shard in one save, at most 200.
    pub fn log(&self, name: &str) -> LogReader<A> {
        LogReader::new(self.clone(), name)
    }

    pub(crate) fn read(
        &self,
        request: Read,
        most: Duration,
    ) -> Result<Vec<crate::store::Message>, FleetError> {
        let (promise, reply) = reply();
        let done = move |answer: Result<_, StoreError>| promise.give(answer.map_err(Into::into));
        self.store().read(request, Box::new(done));
        reply.wait(most)
    }
}

impl<A: Agent> fmt::Debug for Fleet<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fleet")
            .field("config", &self.shared.config)
            .finish_non_exhaustive()
    }
}
