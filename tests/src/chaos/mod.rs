//! Random trees of agents whose calls go wrong, and hosts that do what they like: panics, stops, loads
//! and resets at any time. The agent keeps watch over what is promised whatever happens:
//!
//! - Each request counts: nothing is called between a stop, a load or a reset and what it leads to.
//! - What was entered is exited once, nothing else is, and each guard drops once.
//! - No panic comes out of the runner, and it never hangs.
//!
//! One seed is one case.
//!
//! ```
//! use bt_tests::chaos::Chaos;
//!
//! assert_eq!(Chaos::of(7).run(), Ok(()));
//! ```

mod agent;
mod drive;
mod grow;
mod show;
mod shrink;
mod watch;

use crate::cases::{Case, Op};

pub use shrink::{class, explain};

/// The names of the trees.
pub const TREES: [&str; 3] = ["main", "other", "single"];

/// A case.
#[derive(Debug, Clone)]
pub struct Chaos {
    /// The trees, and what their leaves reply; it has no operations of its own.
    pub case: Case,
    /// The faults of the agent.
    pub quirks: Vec<Quirk>,
    /// The operations, in order.
    pub ops: Vec<Deal>,
    /// The end.
    pub end: End,
}

/// The fault of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quirk {
    /// The name of a leaf, a node, a flag; `left` for the exit methods of all leaves but slow ones.
    pub who: String,
    /// In which of its calls.
    pub when: When,
    /// The number of the call, the first is 1; 0 for all of them.
    pub nth: u32,
    /// The deed.
    pub deed: Deed,
}

/// A sort of call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the agent's methods")]
pub enum When {
    Call,
    Exit,
    Ask,
    Service,
    Entered,
    Ended,
    Left,
}

/// A deed of a call that is wrong, or rare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "most are methods of the context")]
pub enum Deed {
    Panic,
    Stop,
    Reset,
    Load(usize),
    LoadUnknown,
    Fire(&'static str),
    Set(&'static str, bool),
    /// So many guards more, which panic when they drop.
    Guards(u8, bool),
    /// Finishes all calls that wait.
    Finish(bool),
    DropCompletions,
    After,
    Polls(u32),
    Keep,
    /// A slow leaf ends at once when it is aborted.
    AtOnce,
    /// The guard of each call of a leaf panics when it drops.
    GuardPanics,
}

/// An operation of the host.
#[derive(Debug, Clone, Copy)]
pub enum Deal {
    /// An operation of other cases, too.
    Op(Op),
    /// Finishes a leaf that was active earlier.
    Stale(usize, bool),
    /// Finishes all calls that wait, on another thread; whether that is waited for.
    Thread(bool),
    /// Drops all completions.
    DropCompletions,
    /// Fires that many events.
    Burst(u16),
    /// A condition of a key panics from now on.
    KeyFalls(&'static str),
    /// The trees are edited, by a seed, and the runner is reloaded.
    Reload(u64),
}

/// The end of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The runner is stopped, and polled until it has stopped.
    Stop,
    /// It is dropped as it is.
    Drop,
}
