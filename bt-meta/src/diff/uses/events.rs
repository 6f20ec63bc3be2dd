//! The events that a tree waits for and fires.

use bt_core::tree::asset::step;
use serde_json::{Map, Value};

use super::find::{Calling, Given, Walk, plain};
use crate::catalogue::EventEntry;
use crate::diff::arguments::find as argument;

impl<'t> Walk<'t, '_> {
    /// What a `wait_event` or an attached event waits for, and the keys that take its parameters.
    pub(super) fn event(&mut self, at: &str, object: &'t Map<String, Value>) {
        let Some(name) = object.get("event").and_then(Value::as_str) else {
            return;
        };
        let params = object.get("params").and_then(Value::as_object);
        let params = params.into_iter().flatten();
        let params = params.map(|(name, _)| (name.as_str(), format!("{at}/params/{}", step(name))));
        self.one_event(
            format!("{at}/event"),
            name,
            params.collect(),
            Calling::Waits,
        );
    }

    /// What `fire_event` fires, if the tree says it.
    pub(super) fn fired(&mut self, at: &str, args: &'t [Value], given: &[Given<'t>]) {
        let literal = |place: usize| {
            let (i, arg) = args.iter().enumerate().find(|(i, _)| {
                let pointer = format!("{at}/{i}");
                given
                    .iter()
                    .any(|given| given.at == place && given.pointer == pointer)
            })?;
            Some((i, plain(arg)?))
        };
        let Some((i, Value::String(name))) = literal(0) else {
            return;
        };
        let pointer = format!("{at}/{i}/arg_value");
        let params = match literal(1) {
            Some((i, Value::Object(map))) => map
                .keys()
                .map(|name| (name.as_str(), format!("{at}/{i}/arg_value/{}", step(name))))
                .collect(),
            Some((i, Value::Array(pairs))) => pairs
                .iter()
                .enumerate()
                .filter_map(|(k, pair)| {
                    Some((pair.get(0)?.as_str()?, format!("{at}/{i}/arg_value/{k}")))
                })
                .collect(),
            _ => Vec::new(),
        };
        self.one_event(pointer, name, params, Calling::Called);
    }

    fn one_event(
        &mut self,
        pointer: String,
        name: &'t str,
        params: Vec<(&'t str, String)>,
        calling: Calling,
    ) {
        let Some(agent) = self.agent else { return };
        // A tree of a base may wait for what a derived agent fires.
        let found = self.old.find::<EventEntry>(agent, name).or_else(|| {
            let below = self
                .old
                .agents()
                .filter(|one| self.old.is_below(one.full_name(), agent.full_name()));
            below
                .filter(|one| one.full_name() != agent.full_name())
                .find_map(|one| self.old.find(one, name))
        });
        let Some(found) = found else { return };
        let given = params
            .into_iter()
            .filter_map(|(name, pointer)| {
                Some(Given {
                    at: argument(&found.entry.params, name)?,
                    name: Some(name),
                    pointer,
                    plain: None,
                })
            })
            .collect();
        self.item(pointer, name, found, calling, given);
    }
}
