//! Events that a tree fires at itself.

use std::collections::BTreeMap;

use serde_json::Value;

use super::ActionAgent;
use crate::prelude::*;

#[agent]
impl ActionAgent {
    /// Fire an event at the agent's own tree.
    ///
    /// It is delivered in this poll, after what is running now.
    ///
    /// # Returns
    /// Always `true`, whether anything takes the event or not.
    #[action(category = "event")]
    fn fire_event(
        cx: &mut Context,
        /// The name of the event.
        event: &str,
        /// Its parameters by name.
        params: Option<BTreeMap<String, Value>>,
    ) -> bool {
        let params = params.unwrap_or_default();
        let event = params
            .into_iter()
            .fold(Event::new(event), |event, (name, value)| {
                event.with(name, value)
            });
        cx.fire(event);
        true
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::Event;
    use crate::builtin::bench::{Bench, refuses};

    #[test]
    fn an_event_is_fired_with_its_parameters() {
        let mut bench = Bench::new(json!({}));
        bench.call("fire_event", json!(["door_opened"]));
        bench.call("fire_event", json!(["heard", {"who": 7, "loud": true}]));
        let heard = Event::new("heard").with("loud", true).with("who", 7);
        assert_eq!(bench.fired(), [Event::new("door_opened"), heard]);
        refuses("fire_event", json!(["heard", 7]), "expected an object");
    }
}
