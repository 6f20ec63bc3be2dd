//! The chain of a shard's saves, and what it says of the shard.
//!
//! Each link is accepted only after the last one that its writer knows. A new owner appends an epoch first, so the one
//! before can append nothing more. A save is a delta: the agents that changed, and some that were written longest ago,
//! so that in a bounded number of saves everybody is written again, and older ones can be removed.

use std::collections::{BTreeMap, HashMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::Blob;
use super::input::What;
use crate::key::Key;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Link {
    /// Somebody took the shard. The number of this link is the epoch.
    Epoch {
        member: String,
        incarnation: u64,
    },
    /// Agents of a save that is too large for one message. They count once the save comes.
    Part {
        save: u64,
        agents: Vec<(Key, Blob)>,
    },
    Save(Box<Save>),
}

/// A save: what it does not name is as it was.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Save {
    pub(crate) epoch: u64,
    /// Its number in the shard, whoever owns it.
    pub(crate) save: u64,
    /// The number of parts that come before it.
    pub(crate) parts: u32,
    /// The last input that was applied.
    pub(crate) last: u64,
    /// The shard's time in nanoseconds: times of agents are times left then.
    pub(crate) clock: u64,
    /// The version of the trees.
    pub(crate) version: u64,
    /// Agents that have gone; they are removed before those that are written.
    pub(crate) gone: Vec<Key>,
    pub(crate) agents: Vec<(Key, Blob)>,
    /// The last effect that came from each shard.
    pub(crate) senders: BTreeMap<u32, u64>,
    /// The number of the last effect for each subject, and those that may not have been sent.
    pub(crate) numbers: BTreeMap<String, u64>,
    pub(crate) outbox: VecDeque<Effect>,
}

/// Something that an agent does to another one, or writes into a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Effect {
    /// The subject, `in.7` or `log.deeds`.
    pub(crate) to: String,
    /// Its number among those of the subject.
    pub(crate) number: u64,
    pub(crate) content: Content,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Content {
    Agent(Key, What),
    Line(serde_json::Value),
}

/// A shard as its chain says it.
#[derive(Debug, Default)]
pub(crate) struct Image {
    pub(crate) epoch: u64,
    /// The last link.
    pub(crate) end: u64,
    /// The last save, without its agents.
    pub(crate) head: Save,
    /// Each agent with the save that has it.
    pub(crate) agents: HashMap<Key, (u64, Blob)>,
    /// The numbers of the saves, with those of their first messages.
    pub(crate) saves: VecDeque<(u64, u64)>,
    /// The parts of a save that has not come.
    parts: Vec<(Key, Blob)>,
    count: u32,
    first: u64,
}

impl Image {
    /// Reads one link more; false if one is missing: somebody removed it while others were read.
    pub(crate) fn add(&mut self, seq: u64, link: Link) -> bool {
        self.end = seq;
        if let Link::Save(save) = &link
            && let Some((before, _)) = self.saves.back()
            && save.save != before + 1
        {
            return false;
        }
        match link {
            Link::Epoch { .. } => {
                self.epoch = seq;
                self.forget_parts();
            }
            Link::Part { agents, .. } => {
                if self.count == 0 {
                    self.first = seq;
                }
                self.parts.extend(agents);
                self.count += 1;
            }
            Link::Save(save) => {
                if save.parts != self.count {
                    return false;
                }
                self.save(seq, *save);
            }
        }
        true
    }

    fn save(&mut self, seq: u64, mut save: Save) {
        // Parts are those of this save: nobody else's link can come between.
        let first = if self.count == 0 { seq } else { self.first };
        let parts = std::mem::take(&mut self.parts);
        self.forget_parts();
        for key in save.gone.drain(..) {
            self.agents.remove(&key);
        }
        let number = save.save;
        for (key, blob) in parts.into_iter().chain(save.agents.drain(..)) {
            self.agents.insert(key, (number, blob));
        }
        self.epoch = self.epoch.max(save.epoch);
        self.saves.push_back((number, first));
        self.head = save;
    }

    fn forget_parts(&mut self) {
        self.parts.clear();
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(key: u64, state: u8) -> (Key, Blob) {
        (Key::from(key), Blob([state].into()))
    }

    fn save(number: u64, agents: Vec<(Key, Blob)>, gone: &[u64]) -> Link {
        Link::Save(Box::new(Save {
            save: number,
            parts: if number == 2 { 2 } else { 0 },
            agents,
            gone: gone.iter().map(|key| Key::from(*key)).collect(),
            ..Save::default()
        }))
    }

    #[test]
    fn image_has_the_newest_of_each_agent_and_no_parts_without_their_save() {
        let mut image = Image::default();
        image.add(3, save(1, vec![agent(1, 1), agent(2, 1)], &[]));
        let part = |key| Link::Part {
            save: 2,
            agents: vec![agent(key, 2)],
        };
        image.add(5, part(2));
        image.add(6, part(3));
        image.add(7, save(2, vec![agent(4, 2)], &[1]));
        // Whoever wrote this part was replaced before its save.
        image.add(8, part(1));
        let epoch = Link::Epoch {
            member: "b".to_owned(),
            incarnation: 1,
        };
        image.add(9, epoch);
        image.add(12, save(3, vec![agent(5, 3)], &[5]));
        let mut agents: Vec<_> = image.agents.iter().collect();
        agents.sort_by_key(|(key, _)| key.to_string());
        let found: Vec<_> = agents
            .iter()
            .map(|(key, (save, _))| (key.to_string(), *save))
            .collect();
        let expected = [("2", 2), ("3", 2), ("4", 2), ("5", 3)];
        assert_eq!(found, expected.map(|(key, save)| (key.to_owned(), save)));
        assert_eq!((image.epoch, image.end), (9, 12));
        assert_eq!(image.saves, [(1, 3), (2, 5), (3, 12)]);
        assert!(
            !image.add(13, save(5, Vec::new(), &[])),
            "save 4 is missing"
        );
    }
}
