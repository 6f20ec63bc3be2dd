//! A trace played again: the active nodes and the blackboard at any record.

use std::fmt;
use std::time::Duration;

use super::picture::{NodeName, Picture};
use crate::trace::place::Place;
use crate::trace::record::Record;
use crate::trace::what::What;

/// The state after the records that it was given so far.
#[derive(Debug, Clone, Default)]
pub struct Replay {
    picture: Picture,
    began: bool,
    poll: u32,
    time: Duration,
    random: Option<u64>,
}

impl Replay {
    /// Before the first record.
    pub fn new() -> Replay {
        Replay::default()
    }

    /// The present state.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// The number of the last poll, and its time.
    pub fn poll(&self) -> (u32, Duration) {
        (self.poll, self.time)
    }

    /// The state of the agent's random stream at the last snapshot, if the trace has it:
    /// [`Random::new`](crate::Random::new) of it draws what the agent drew from there on.
    pub fn random(&self) -> Option<u64> {
        self.random
    }

    /// Returns true if a snapshot has been seen: what comes before the first is passed over.
    pub fn has_begun(&self) -> bool {
        self.began
    }

    /// Goes on by one record.
    ///
    /// # Errors
    /// [`ReplayError`] if it does not follow from those before: a node that is entered twice, or left
    /// and was not entered, a tree that nobody began. The picture stays as it was.
    pub fn apply(&mut self, record: &Record<'_>) -> Result<(), ReplayError> {
        if let What::Snapshot(scene) = &record.what {
            self.picture = scene.picture();
            // What is drawn afterwards is in no record.
            self.random = self.picture.random.take();
            self.began = true;
        } else if !self.began {
            return Ok(());
        }
        self.poll = record.poll;
        self.time = record.time();
        let board = &mut self.picture.blackboard;
        match &record.what {
            What::PushTree { file } => self.picture.trees.push(file.to_string()),
            What::NodeEnter => return self.enter(record),
            What::NodeLeave { .. } => return self.leave(record),
            What::BbSet { key, value } => {
                board.insert(key.to_string(), Clone::clone(value));
            }
            What::BbRemove { key } => {
                board.remove(&**key);
            }
            What::BbClear => board.clear(),
            What::PropertySet { property, value } => {
                let properties = &mut self.picture.properties;
                properties.insert(property.to_string(), Clone::clone(value));
            }
            What::PollBegin
            | What::Snapshot(_)
            | What::NodeAction { .. }
            | What::Reset
            | What::Guard { .. }
            | What::Because { .. }
            | What::Waits(_)
            | What::Woken { .. }
            | What::EventFired { .. }
            | What::EventConsumed { .. }
            | What::EventDropped { .. }
            | What::EventKept { .. }
            | What::TreeSwitched { .. }
            | What::Control { .. }
            | What::Stands(_)
            | What::Explains { .. }
            | What::Reload { .. }
            | What::Diagnostic { .. }
            | What::Note { .. } => {}
        }
        Ok(())
    }

    fn enter(&mut self, record: &Record<'_>) -> Result<(), ReplayError> {
        let place = placed(record)?;
        if self
            .picture
            .trees
            .get(place.run() as usize)
            .map(String::as_str)
            != Some(place.tree())
        {
            return Err(ReplayError::new(
                record,
                "belongs to a run that did not begin",
            ));
        }
        let node = NodeName {
            kind: place.kind().to_owned(),
            name: place.name().to_owned(),
        };
        match self.picture.active.insert(place.key(), node) {
            None => Ok(()),
            Some(_) => Err(ReplayError::new(record, "is entered, and was not left")),
        }
    }

    fn leave(&mut self, record: &Record<'_>) -> Result<(), ReplayError> {
        match self.picture.active.remove(&placed(record)?.key()) {
            Some(_) => Ok(()),
            None => Err(ReplayError::new(record, "exits, and was not entered")),
        }
    }
}

fn placed<'r>(record: &'r Record<'_>) -> Result<&'r Place<'r>, ReplayError> {
    let place = record.at.as_ref();
    place.ok_or_else(|| ReplayError::new(record, "names no node"))
}

/// A record that does not follow from those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayError {
    message: String,
}

impl ReplayError {
    pub(crate) fn new(record: &Record<'_>, what: &str) -> ReplayError {
        let command = record.what.command();
        let message = match &record.at {
            Some(place) => format!("poll {}, {command}: {place} {what}", record.poll),
            None => format!("poll {}, {command}: it {what}", record.poll),
        };
        ReplayError { message }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReplayError {}
