//! Plain values: what the owners of an agent's state keep, and hand out. Their fields are open, and they
//! know neither the owners nor [`Core`](super::core::Core), so that whoever deals with them need not
//! know each other.

mod delivery;
mod entry;
mod leaving;
mod level;
#[cfg(feature = "trace")]
mod moment;
mod next;
mod phase;
mod place;
#[cfg(feature = "trace")]
mod refused;
mod renumber;
#[cfg(feature = "save")]
mod restored;
#[cfg(feature = "debug")]
mod stopped;
mod watch;

pub(super) use delivery::Delivery;
pub use entry::LeafId;
pub(crate) use entry::{Entry, Order, Wait};
pub(super) use leaving::{Leaving, Then};
pub(super) use level::{Level, Suspension};
#[cfg(feature = "trace")]
pub(super) use moment::Moment;
pub(super) use next::Next;
pub(crate) use phase::{Omitted, Phase, Quiet};
#[cfg(feature = "trace")]
pub(super) use refused::Refused;
pub(super) use renumber::Renumber;
#[cfg(feature = "save")]
pub(super) use restored::{How, Restored, Todo};
#[cfg(feature = "debug")]
pub(super) use stopped::{Left, Stopped};
pub(crate) use watch::Due;
pub(super) use watch::{KeySet, Watch};
#[cfg(feature = "save")]
pub(crate) use {
    delivery::{SavedDelivery, SavedEvent},
    entry::SavedEntry,
    leaving::{By, SavedLeaving},
    level::{SavedLevel, Stage},
    watch::{Followed, SavedWatch},
};
