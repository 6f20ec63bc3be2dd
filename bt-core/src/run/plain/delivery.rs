//! Something that arrived, or became due.

use super::entry::{Entry, Order};
use crate::Event;
use crate::run::state::timers::{Purpose, Timer};

/// Something that arrived, or became due.
#[derive(Debug)]
pub(crate) enum Delivery {
    Event(Event),
    /// A completion's ticket, and its answer.
    Completed(u64, Option<bool>),
    /// The order of an entry, and the host's answer.
    Finished(Order, bool),
    /// A timer of a tree that was suspended.
    Timer(Timer),
}

impl Delivery {
    /// Returns true if it ends the wait of that node; events are delivered to nobody in particular.
    pub(crate) fn is_for(&self, entry: &Entry) -> bool {
        match self {
            Delivery::Event(_) => false,
            Delivery::Timer(timer) => {
                timer.at() == entry.at && !matches!(timer.purpose(), Purpose::Service(_))
            }
            Delivery::Finished(order, _) => *order == entry.order,
            Delivery::Completed(ticket, _) => {
                let more = entry.more.as_ref();
                let pending = more.and_then(|more| more.completion.as_ref());
                pending.is_some_and(|pending| pending.ticket() == *ticket)
            }
        }
    }
}
