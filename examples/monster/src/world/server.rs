//! A pretend server: who is registered, who is logged in, and who plays whom.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bt_core::Completion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WorldError;

/// The class of a player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerClass {
    /// Has more hit points.
    #[default]
    Warrior,
    /// Runs faster.
    Ranger,
    /// Carries more potions.
    Healer,
}

/// A request to the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Make an account.
    Register {
        /// Its name, not taken yet.
        account: String,
        /// Its password. A real server would never keep it as it is.
        password: String,
    },
    /// Begin a session.
    LogIn {
        /// The account's name.
        account: String,
        /// Its password.
        password: String,
    },
    /// Make a player for the account that is logged in.
    CreatePlayer {
        /// The player's name.
        name: String,
        /// The class of the player.
        class: PlayerClass,
    },
}

/// A connection to the server, of which there are few; given back when it is dropped.
#[derive(Debug)]
pub struct Seat(Arc<AtomicU32>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The connections that there are.
#[derive(Debug, Serialize, Deserialize)]
struct Seats {
    all: u32,
    /// Not saved: whoever has one takes one again when it is restored.
    #[serde(skip)]
    taken: Arc<AtomicU32>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Account {
    password: String,
    /// The entity that is logged in.
    session: Option<u64>,
    player: Option<(String, PlayerClass)>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Pending {
    pub(super) number: u64,
    pub(super) from: u64,
    pub(super) answer_at: Duration,
    pub(super) request: Request,
    /// The completion of the waiting action. Not saved: see [`Server::answer_to`].
    #[serde(skip)]
    pub(super) completion: Option<Completion>,
}

/// The pretend server.
#[derive(Debug, Serialize, Deserialize)]
pub struct Server {
    /// The time that it takes to answer.
    pub latency: Duration,
    accounts: BTreeMap<String, Account>,
    pub(super) pending: Vec<Pending>,
    /// The number of the last request.
    pub(super) requests: u64,
    seats: Seats,
}

impl Server {
    pub(super) fn new() -> Server {
        Server {
            latency: Duration::from_millis(300),
            accounts: BTreeMap::new(),
            pending: Vec::new(),
            requests: 0,
            seats: Seats {
                all: 8,
                taken: Arc::default(),
            },
        }
    }

    /// The number of connections that are free.
    pub fn free_seats(&self) -> u32 {
        let taken = self.seats.taken.load(Ordering::Relaxed);
        self.seats.all.saturating_sub(taken)
    }

    /// Sets how many connections are free.
    pub fn set_free_seats(&mut self, seats: u32) {
        self.seats.all = seats + self.seats.taken.load(Ordering::Relaxed);
    }

    /// A connection, to keep while a request is under way.
    ///
    /// # Errors
    /// [`WorldError::Refused`] if all are taken.
    pub fn take_seat(&self) -> Result<Seat, WorldError> {
        let Seats { all, taken } = &self.seats;
        let take = |taken: u32| (taken < *all).then_some(taken + 1);
        match taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => Ok(Seat(taken.clone())),
            Err(_) => Err(WorldError::Refused("the server is full")),
        }
    }

    /// Returns true if an account is registered.
    pub fn is_registered(&self, account: &str) -> bool {
        self.accounts.contains_key(account)
    }

    /// The account that an entity is logged in to.
    pub fn account_of(&self, entity: u64) -> Option<&str> {
        let mut accounts = self.accounts.iter();
        let (name, _) = accounts.find(|(_, account)| account.session == Some(entity))?;
        Some(name)
    }

    /// The player of the account that an entity is logged in to.
    pub fn player_of(&self, entity: u64) -> Option<(&str, PlayerClass)> {
        let account = self.accounts.get(self.account_of(entity)?)?;
        let (name, class) = account.player.as_ref()?;
        Some((name, *class))
    }

    /// Ends an entity's session; whether it had one.
    pub fn log_out(&mut self, entity: u64) -> bool {
        let mut accounts = self.accounts.values_mut();
        let session = accounts.find_map(|account| account.session.take_if(|s| *s == entity));
        session.is_some()
    }

    /// Takes back an entity's requests; how many were under way.
    pub fn withdraw(&mut self, entity: u64) -> usize {
        let before = self.pending.len();
        self.pending.retain(|pending| pending.from != entity);
        before - self.pending.len()
    }

    /// Lets somebody else wait for the answer to a request, as after a save; whether it is still
    /// under way.
    pub fn answer_to(&mut self, request: u64, completion: Completion) -> bool {
        let mut pending = self.pending.iter_mut();
        let found = pending.find(|pending| pending.number == request);
        found
            .map(|pending| pending.completion = Some(completion))
            .is_some()
    }

    pub(super) fn answer(&mut self, from: u64, request: Request) -> Result<String, &'static str> {
        match request {
            Request::Register { account, password } => {
                if account.is_empty() {
                    return Err("the name is empty");
                }
                if self.is_registered(&account) {
                    return Err("the name is taken");
                }
                let new = Account {
                    password,
                    session: None,
                    player: None,
                };
                self.accounts.insert(account.clone(), new);
                Ok(account)
            }
            Request::LogIn { account, password } => {
                let entry = self.accounts.get(&account).ok_or("no such account")?;
                if entry.password != password {
                    return Err("the password is wrong");
                }
                if entry.session.is_some_and(|session| session != from) {
                    return Err("the account is in use");
                }
                self.log_out(from);
                if let Some(entry) = self.accounts.get_mut(&account) {
                    entry.session = Some(from);
                }
                Ok(account)
            }
            Request::CreatePlayer { name, class } => {
                let account = self.account_of(from).ok_or("not logged in")?.to_owned();
                let entry = self.accounts.get_mut(&account).ok_or("not logged in")?;
                if entry.player.is_some() {
                    return Err("the account has a player");
                }
                entry.player = Some((name, class));
                Ok(account)
            }
        }
    }
}
