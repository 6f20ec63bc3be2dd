//! Agents of a shard that was taken, restored in slices: no round takes long.

use std::collections::HashMap;

use bt_core::{Agent, Runner, Saved};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::{Env, Live};
use crate::key::Key;
use crate::wire::{Blob, read};

/// An agent in a save.
#[derive(Debug, Deserialize)]
pub(crate) struct Record<A> {
    pub(crate) agent: A,
    /// True if it was despawned, and is still cancelling.
    ends: bool,
    /// The shard's time then, in nanoseconds.
    clock: u64,
    pub(crate) runner: Saved,
}

/// The same, to be written.
#[derive(Debug, Serialize)]
#[serde(rename = "Record")]
pub(super) struct RecordRef<'a, A> {
    pub(super) agent: &'a A,
    pub(super) ends: bool,
    pub(super) clock: u64,
    pub(super) runner: &'a Saved,
}

/// The agents that are still to be restored, the last first.
pub(super) struct Restoring {
    agents: Vec<(Key, u64, Blob)>,
    counted: bool,
}

impl Restoring {
    pub(super) fn new(agents: HashMap<Key, (u64, Blob)>) -> Restoring {
        let agents = agents.into_iter();
        let mut agents: Vec<_> = agents
            .map(|(key, (save, blob))| (key, save, blob))
            .collect();
        // Those who were written longest ago come first: that is the order in which they are written again.
        agents.sort_unstable_by(|a, b| (b.1, &b.0).cmp(&(a.1, &a.0)));
        Restoring {
            agents,
            counted: false,
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.agents.is_empty() && self.counted
    }

    pub(super) fn len(&self) -> usize {
        self.agents.len()
    }
}

impl<A: Agent + DeserializeOwned> Live<A> {
    pub(super) fn restore(&mut self, env: &mut Env<'_, A>) {
        for _ in 0..env.settings.most_restored {
            let Some((key, save, blob)) = self.restoring.agents.pop() else {
                self.restoring.counted = true;
                env.metrics.taken += 1;
                return;
            };
            self.log.write(&key, save);
            if let Err(why) = self.restore_one(env, &key, &blob) {
                env.metrics.stranded += 1;
                let shard = env.shard;
                tracing::error!(
                    target: "bt_fleet",
                    "shard {shard}: agent `{key}` cannot be restored here, and is kept as it was saved: {why}"
                );
                self.stranded.insert(key, blob);
            }
        }
    }

    fn restore_one(&mut self, env: &mut Env<'_, A>, key: &Key, blob: &Blob) -> Result<(), String> {
        let record: Record<A> = read(&blob.0)?;
        let Record {
            mut agent,
            ends,
            clock,
            runner,
        } = record;
        let runner = Runner::restore_or_restart(env.trees, &runner);
        let runner = runner.map_err(|error| error.to_string())?;
        let mut runner = runner.at(Duration::from_nanos(clock));
        if let Some(prepare) = &mut env.hooks.prepare {
            prepare(key, &mut agent, &mut runner);
        }
        let id = self.pool.spawn(agent, runner);
        if ends {
            self.pool.handle().despawn(id);
        }
        self.keys.insert(key.clone(), id);
        Ok(())
    }
}
