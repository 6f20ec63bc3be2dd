//! The event that an entity has not received yet, as JSON: the entity, the event, its parameters.

use bt_core::Event;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

#[derive(Serialize, Deserialize)]
struct Told {
    entity: u64,
    event: String,
    params: Vec<(String, Value)>,
}

pub(super) fn serialize<S: Serializer>(events: &[(u64, Event)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(events.iter().map(|(entity, event)| {
        Told {
            entity: *entity,
            event: event.name().to_owned(),
            params: event
                .params()
                .map(|(name, value)| (name.to_owned(), value.clone()))
                .collect(),
        }
    }))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<(u64, Event)>, D::Error> {
    let told = Vec::<Told>::deserialize(from)?.into_iter();
    let event = |told: Told| {
        let params = told.params.into_iter();
        let event = params.fold(Event::new(told.event), |event, (name, value)| {
            event.with(name, value)
        });
        (told.entity, event)
    };
    Ok(told.map(event).collect())
}
