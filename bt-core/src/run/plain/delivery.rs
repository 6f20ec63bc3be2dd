//! Something that arrived, or became due.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::entry::{Entry, Order};
use crate::Event;
use crate::decode::is_default;
use crate::run::node_ref::At;
use crate::run::state::timers::Purpose;

/// Something that arrived, or became due.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Delivery<E = Event, O = Order, A = bool> {
    Event(E),
    /// The order of an entry, and the host's answer. In a saved agent it is that of a completion, too: none
    /// where the last one was dropped unused.
    #[serde(rename = "finish")]
    Finished(O, A),
    /// A completion's ticket, and its answer.
    #[serde(skip)]
    Completed(u64, Option<bool>),
    /// A timer of a tree that was suspended.
    Timer(At, Purpose),
}

/// One of a saved agent.
pub(crate) type SavedDelivery = Delivery<SavedEvent, u64, Option<bool>>;

/// An event of a saved agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedEvent {
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) params: Vec<(String, Value)>,
}

impl From<&Event> for SavedEvent {
    fn from(event: &Event) -> SavedEvent {
        SavedEvent {
            name: event.name().to_owned(),
            params: event.all_params().to_vec(),
        }
    }
}

impl From<&SavedEvent> for Event {
    fn from(saved: &SavedEvent) -> Event {
        let event = Event::new(saved.name.as_str());
        let params = saved.params.iter();
        params.fold(event, |event, (name, value)| {
            event.with(name.as_str(), value)
        })
    }
}

impl Delivery {
    /// Returns true if it ends the wait of that node; events are delivered to nobody in particular.
    pub(crate) fn is_for(&self, entry: &Entry) -> bool {
        match self {
            Delivery::Event(_) => false,
            Delivery::Timer(at, purpose) => {
                *at == entry.at && !matches!(purpose, Purpose::Service(_))
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
