//! The settings of a fleet.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::key::{Key, shard_of};

type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;
type ShardOf = Arc<dyn Fn(&Key) -> u32 + Send + Sync>;

/// The settings of a fleet. All that take part need the same name, number of shards and lease.
///
/// ```
/// use bt_fleet::Config;
/// use std::time::Duration;
///
/// let config = Config::new("world").shards(128).lease(Duration::from_secs(3));
/// assert_eq!(config.shard(&"npc:42".into()), config.shard(&"npc:42".into()));
/// ```
#[derive(Clone)]
pub struct Config {
    pub(crate) name: String,
    pub(crate) shards: u32,
    pub(crate) lease: Duration,
    pub(crate) replicas: usize,
    pub(crate) clock: Clock,
    shard_of: Option<ShardOf>,
}

impl Config {
    /// The settings of a fleet of that name: letters, digits, `_` and `-`. It has 64 shards and a lease of 5 s.
    pub fn new(name: impl Into<String>) -> Config {
        let start = Instant::now();
        Config {
            name: name.into(),
            shards: 64,
            lease: Duration::from_secs(5),
            replicas: 0,
            clock: Arc::new(move || start.elapsed()),
            shard_of: None,
        }
    }

    /// The settings of a fleet that is there already, with the number of shards that it was made with: for tools. With
    /// [`Fleet::connect`](crate::Fleet::connect) alone.
    #[cfg(feature = "nats")]
    pub fn existing(name: impl Into<String>) -> Config {
        Config {
            shards: 0,
            ..Config::new(name)
        }
    }

    /// Sets the number of shards, 1 to 4,096: the units that members own, save and move. It is fixed when the fleet is
    /// made; a few for each core that it may ever have are a good number.
    #[must_use]
    pub fn shards(mut self, shards: u32) -> Config {
        self.shards = shards.clamp(1, 4096);
        self
    }

    /// Sets how long a member may be silent before others take its shards, at least 200 ms. Until its own renewals are
    /// answered again it polls nobody for longer than that.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> Config {
        self.lease = lease.max(Duration::from_millis(200));
        self
    }

    /// Sets how many servers keep each message, 1 to 5; 0, the default, is as many as there are, but at most 3.
    #[must_use]
    pub fn replicas(mut self, replicas: usize) -> Config {
        self.replicas = replicas.min(5);
        self
    }

    /// Chooses the shard of a key by a function in place of its hash, for example by zones of the world. It has to give
    /// the same number everywhere and for ever; one beyond the last shard counts from the first again.
    #[must_use]
    pub fn shard_by(mut self, shard: impl Fn(&Key) -> u32 + Send + Sync + 'static) -> Config {
        self.shard_of = Some(Arc::new(shard));
        self
    }

    /// Sets the clock by which leases run, as the time since any start. It has to be monotonic; the default is that of
    /// the system. Tests give one of their own. Trees run by the time that rounds are given.
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Config {
        self.clock = Arc::new(clock);
        self
    }

    /// The number of shards.
    pub fn shard_count(&self) -> u32 {
        self.shards
    }

    /// The shard of a key.
    pub fn shard(&self, key: &Key) -> u32 {
        match &self.shard_of {
            Some(shard_of) => shard_of(key) % self.shards,
            None => shard_of(key, self.shards),
        }
    }

    /// The fault of a name that servers do not take.
    #[cfg(feature = "nats")]
    pub(crate) fn fault(&self) -> Option<String> {
        let name = &self.name;
        (!is_name(name)).then(|| {
            format!("the name of a fleet is letters, digits, `_` and `-`, 1 to 32 of them; found `{name}`")
        })
    }
}

/// Returns true for names that can be part of a subject.
pub(crate) fn is_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=32).contains(&name.len()) && name.bytes().all(fits)
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("name", &self.name)
            .field("shards", &self.shards)
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}
