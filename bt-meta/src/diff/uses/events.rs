//! The events that a tree waits for and fires.

use bt_core::kinds::Path;
use bt_core::kinds::values::{Name, Parameters};
use bt_core::tree::asset::step;
use serde_json::Value;

use super::find::{Calling, Given, Walk};
use crate::catalogue::EventEntry;
use crate::diff::arguments::find as argument;

impl<'t> Walk<'t, '_> {
    /// Notes the event of a `wait_event` or of an attachment, and the keys that take its parameters.
    pub(super) fn event(
        &mut self,
        at: &str,
        path: &Path<'_>,
        Name(name): Name<'t>,
        params: &Parameters<'t>,
    ) {
        let pointer = |path: &Path<'_>| at.to_owned() + &path.pointer();
        let taken = path.key("params");
        let params = params.0.iter();
        let params = params.map(|(name, _)| (*name, pointer(&taken.key(name))));
        let event = pointer(&path.key("event"));
        self.one_event(event, name, params.collect(), Calling::Waits);
    }

    /// Notes the event of `fire_event`, if the tree names it.
    pub(super) fn fired(&mut self, given: &[Given<'t>]) {
        let literal = |place: usize| {
            let given = given.iter().find(|given| given.at == place)?;
            Some((format!("{}/arg_value", given.pointer), given.plain?))
        };
        let Some((pointer, Value::String(name))) = literal(0) else {
            return;
        };
        let params = match literal(1) {
            Some((at, Value::Object(map))) => map
                .keys()
                .map(|name| (name.as_str(), format!("{at}/{}", step(name))))
                .collect(),
            Some((at, Value::Array(pairs))) => pairs
                .iter()
                .enumerate()
                .filter_map(|(k, pair)| Some((pair.get(0)?.as_str()?, format!("{at}/{k}"))))
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
