//! A running agent as data: saved, and restored in another process, on another clock.
//!
//! [`Runner::save`](crate::Runner::save) makes it and [`Runner::restore`](crate::Runner::restore) takes
//! it. The agent itself is the host's to save.

mod binary;
mod error;
pub(crate) mod format;
mod part;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::decode::{DecodeError, decode, shown};
pub use error::RestoreError;
use format::{FORMAT, Parts, newer};

/// Everything that a runner knows of its agent, at one moment between polls.
///
/// It holds what is the agent's own: where it stands, what it waits for and for how long, its
/// blackboard, its random stream. Of the trees it has the names, a hash of what they mean, and what their files
/// say of the nodes that are active. Times
/// are times left, so it does not depend on the host's clock. Not in it are the
/// [diagnostics](crate::Runner::diagnostics) so far, the tracer, keys that a [shared
/// board](crate::SharedBoard) has (share it again), and what the host declared or
/// [watches](crate::Blackboard::watch) on the blackboard itself.
///
/// As JSON an agent that waits in a tree of 32 nodes takes less than 1,000 bytes, and about 300 if it is
/// [compact](Saved::compact). Other formats of serde will do if they describe themselves; one that people do not read,
/// such as MessagePack with the names of fields, is written and read in half the time, without JSON in between.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_core::{Runner, Saved, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// #[derive(Agent, Default)]
/// struct Baker { loaves: u32 }
///
/// #[agent]
/// impl Baker {
///     #[action]
///     fn take_out(&mut self) { self.loaves += 1; }
/// }
///
/// let mut trees = TreeSet::<Baker>::new();
/// let bake = sequence([action("wait_for_seconds").arg(60), action("take_out")]);
/// trees.add(TreeAsset::build("bake.json", "baker", bake));
/// let trees = trees.build()?;
/// let mut runner = Runner::new(&trees, "bake.json")?;
/// runner.start();
/// let mut baker = Baker::default();
/// runner.poll(&mut baker, Duration::from_secs(1_000));
/// runner.poll(&mut baker, Duration::from_secs(1_020));
/// let text = runner.save().to_json();
///
/// // Later, elsewhere: 40 seconds are left, whatever the clock says.
/// let mut runner = Runner::restore(&trees, &Saved::from_json(&text)?)?;
/// let poll = runner.poll(&mut baker, Duration::from_secs(5));
/// assert_eq!(poll.next_wake, Some(Duration::from_secs(45)));
/// runner.poll(&mut baker, Duration::from_secs(45));
/// assert_eq!(baker.loaves, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Saved(Box<Parts>);

impl Saved {
    pub(crate) fn new(parts: Parts) -> Saved {
        Saved(Box::new(parts))
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.0
    }

    /// The registered name of the agent's type.
    pub fn agent(&self) -> &str {
        &self.0.agent
    }

    /// The names of the trees that it needs as they were, sorted: those that run, and those of which
    /// something is kept.
    pub fn trees(&self) -> impl Iterator<Item = &str> {
        self.0.trees.iter().map(|(name, _)| name.as_str())
    }

    /// As JSON, on one line: sorted keys, the same text for the same state.
    pub fn to_json(&self) -> String {
        self.to_value().to_string()
    }

    /// The same without what it says of the active nodes, which is about half of the text: for hosts that save
    /// many agents and their trees with them. [Restored](crate::Runner::restore_or_restart) with changed
    /// trees, it starts anew.
    ///
    /// ```
    /// # use bt_core::builtin::ActionAgent;
    /// # use bt_core::tree::asset::spec::action;
    /// # use bt_core::{Runner, TreeAsset, TreeSet};
    /// # let mut trees = TreeSet::<ActionAgent>::new();
    /// # trees.add(TreeAsset::build("nap", "action_agent", action("wait_for_seconds").arg(5)));
    /// # let trees = trees.build()?;
    /// # let mut runner = Runner::new(&trees, "nap")?;
    /// # runner.start();
    /// # runner.poll(&mut ActionAgent, std::time::Duration::ZERO);
    /// let saved = runner.save();
    /// assert!(saved.to_json().contains("wait_for_seconds"));
    /// let compact = saved.compact();
    /// assert!(!compact.to_json().contains("wait_for_seconds"));
    /// assert!(Runner::restore(&trees, &compact).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compact(mut self) -> Saved {
        self.0.nodes.clear();
        self
    }

    fn to_value(&self) -> Value {
        let mut all = Map::new();
        part::put(&*self.0, &mut all);
        part::put(&self.0.settings, &mut all);
        part::put(&self.0.requests, &mut all);
        part::put(&self.0.board, &mut all);
        let mut value = Value::Object(all);
        // They are anyhow, unless some crate of the program turns on serde_json's `preserve_order`.
        value.sort_all_objects();
        value
    }

    /// Reads the text that [`to_json`](Saved::to_json) wrote.
    ///
    /// # Errors
    /// [`RestoreError::is_malformed`] for text that is no JSON, or that is cut off or was changed so
    /// that it says nothing any more; [`RestoreError::is_newer`] for a newer format. Whether it fits
    /// the trees is looked at when an agent is restored.
    pub fn from_json(text: &str) -> Result<Saved, RestoreError> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| RestoreError::malformed(format!("it is not JSON: {error}")))?;
        Saved::from_value(value)
    }

    fn from_value(value: Value) -> Result<Saved, RestoreError> {
        let all = match value {
            Value::Object(all) => all,
            _ => Map::new(),
        };
        let format = all.get("format");
        let Some(number) = format.and_then(Value::as_u64) else {
            let found = format.map_or("none".to_owned(), shown);
            return Err(RestoreError::malformed(format!(
                "expected a saved agent, an object with a number `format`; found {found}"
            )));
        };
        if number > FORMAT.into() {
            return Err(RestoreError::newer(newer(number)));
        }
        let parts = Saved::read(all);
        let parts = parts.map_err(|error| RestoreError::malformed(error.to_string()))?;
        Ok(Saved::new(parts))
    }

    fn read(mut all: Map<String, Value>) -> Result<Parts, DecodeError> {
        let settings = part::take(&mut all)?;
        let requests = part::take(&mut all)?;
        let board = part::take(&mut all)?;
        Ok(Parts {
            settings,
            requests,
            board,
            ..decode(&Value::Object(all))?
        })
    }
}

impl Serialize for Saved {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match to.is_human_readable() {
            true => self.to_value().serialize(to),
            false => binary::serialize(&self.0, to),
        }
    }
}

impl<'de> Deserialize<'de> for Saved {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Saved, D::Error> {
        if !from.is_human_readable() {
            return binary::deserialize(from).map(Saved::new);
        }
        let value = Value::deserialize(from)?;
        Saved::from_value(value).map_err(|error| D::Error::custom(error.what()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blackboard::SavedKeys;
    use crate::run::saved::{Requests, Settings};

    /// Agents are saved by one version and restored by the next, whatever the fields are called in the code.
    #[test]
    fn saved_agent_has_the_names_of_format_1() {
        let mut names = part::names::<Parts>().to_vec();
        names.extend(part::names::<Settings>());
        names.extend(part::names::<Requests>());
        names.extend(part::names::<SavedKeys>());
        names.sort_unstable();
        let names = names.join(" ");
        assert_eq!(
            names,
            "again agent awake budget followed forced format frames handed interrupted keeps_results kept \
             keys last latched levels nodes numbers observed order pace paused paused_ago phase poll queue random request \
             results resumed started starts_again states strange_events stuck taken timers trees unheld unread unset \
             work"
        );
    }

    #[test]
    fn from_json_refuses_fields_that_no_part_has_and_names_wrong_ones() {
        let saved = r#"{"format":1,"agent":"a","trees":[],"frames":[],"levels":[{"began":"x"}],
                        "phase":"idle","random":"0"}"#;
        let why = |text: &str| Saved::from_json(text).unwrap_err().to_string();
        let wrong = why(saved);
        assert!(
            wrong.contains("levels") && wrong.contains("began"),
            "{wrong}"
        );
        let unknown = why(&saved.replace(r#"[{"began":"x"}]"#, r#"[],"paused_for":1"#));
        assert!(unknown.contains("paused_for"), "{unknown}");
        let phase = why(&saved.replace(r#""idle""#, "7"));
        assert!(phase.contains("phase"), "{phase}");
    }
}
