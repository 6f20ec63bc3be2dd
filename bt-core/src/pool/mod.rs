//! Many agents, of which few are due.
//!
//! A [`Pool`] owns agents and their runners. Hosts that keep them elsewhere, in an ECS or in a server's
//! table, use the [`WakeQueue`] alone. Both poll only who is due: by the time, by a completion, an event
//! or a global key, or because a node runs in every poll. Nothing here has threads of its own.
//!
//! Who is due when is in `queue` and `times`. What other threads request waits in `inbox`, `orders` and
//! `letterbox`, which they reach by `handle`, and `arrivals` does it. A round is in `round`, one agent in
//! `member`, and all of them in `agents`; `reload` moves them to changed trees. `effects` are those of agents on each other, for
//! hosts without a pool; `buffer` says which buffers are kept.

mod agents;
mod arrivals;
mod buffer;
#[cfg(feature = "save")]
mod changes;
mod effects;
mod handle;
mod id;
mod inbox;
mod keys;
mod letterbox;
mod member;
mod orders;
mod queue;
#[cfg(feature = "save")]
mod reload;
mod round;
#[cfg(feature = "save")]
mod saved;
mod times;
mod turn;
#[cfg(not(feature = "save"))]
mod unsaved;
#[cfg(not(feature = "save"))]
use unsaved::{self as reload, self as changes};

pub use agents::Pool;
#[cfg(feature = "save")]
pub use changes::Changed;
pub use effects::Effects;
pub use handle::{PoolHandle, Spawner};
pub use id::AgentId;
pub use keys::Keys;
pub use queue::WakeQueue;
#[cfg(feature = "save")]
pub use reload::Reloads;
pub use round::Chunk;
#[cfg(feature = "save")]
pub use saved::{SavedAgent, SavedPool};
