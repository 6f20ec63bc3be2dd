//! Trees that somebody published while members run: built here, and agents move to them.

use bt_core::reload::Changes;
use bt_core::{Agent, TreeAsset, TreeSet, Trees};

use super::{Answer, Member, Tag};
use crate::shard::{self, Live};
use crate::store::Stream;
use crate::wire::unpack;

/// The number of sleeping agents of a shard that are looked at in each round.
const BUDGET: usize = 1_000;

/// The trees that are published, as this member knows them.
#[derive(Debug, Default)]
pub(super) struct Published {
    sent: bool,
    /// A version that cannot be built here, and why.
    fault: Option<(u64, String)>,
}

/// The files of a version, as they are stored: names and texts.
pub(crate) type Files = Vec<(String, String)>;

impl<A: Agent> Member<A> {
    /// Requests the trees that are newer than those here, if there are any.
    pub(super) fn request_trees(&mut self) {
        let Some(version) = self.view.trees() else {
            return;
        };
        let failed = self
            .published
            .fault
            .as_ref()
            .is_some_and(|(failed, _)| *failed == version);
        if version <= self.settings.version || failed || self.published.sent {
            return;
        }
        self.published.sent = true;
        let subject = format!("trees.{version}");
        self.calls.last(Tag::Trees(version), Stream::Saves, subject);
    }

    /// Builds them, and moves everybody.
    pub(super) fn trees_came(&mut self, version: u64, answer: Answer) {
        self.published.sent = false;
        let built = match shard::last(answer) {
            Ok(Some(message)) => unpack(&message.body).and_then(build::<A>),
            // It is requested again.
            Ok(None) | Err(_) => return,
        };
        match built {
            Err(why) => {
                let name = &self.settings.name;
                tracing::error!(
                    target: "bt_fleet",
                    "{name}: trees of version {version} cannot be built here, so shards that run them are not taken: {why}"
                );
                self.published.fault = Some((version, why));
            }
            Ok(trees) => {
                let changes = Changes::between(&self.trees, &trees);
                let lives = self.slots.iter_mut().filter_map(|slot| slot.live_mut());
                lives.for_each(|live: &mut Live<A>| live.reload(&changes, BUDGET));
                self.trees = trees;
                self.settings.version = version;
                self.published.fault = None;
            }
        }
    }

    /// The version of its trees.
    pub fn version(&self) -> u64 {
        self.settings.version
    }

    /// The reason for which published trees cannot be built here: their version, and all their problems.
    pub fn trees_fault(&self) -> Option<(u64, &str)> {
        let fault = self.published.fault.as_ref();
        fault.map(|(version, why)| (*version, why.as_str()))
    }
}

fn build<A: Agent>(files: Files) -> Result<Trees<A>, String> {
    let mut set = TreeSet::<A>::new();
    for (name, text) in files {
        let tree = TreeAsset::from_json(&name, &text);
        set.add(tree.map_err(|error| error.to_string())?);
    }
    set.build().map_err(|error| error.to_string())
}
