//! Effects on their way: numbered when they arise, sent once they are saved, kept until they are stored.

use std::collections::{BTreeMap, VecDeque};

use bt_core::Agent;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Env;
use crate::config::Config;
use crate::member::{Backoff, Step};
use crate::outbox::Sent;
use crate::store::{Append, StoreError, Stream};
use crate::wire::chain::{Content, Effect};
use crate::wire::input::Input;
use crate::wire::write;

/// The most effects in a message, and the most messages that are sent at once.
const MOST: usize = 200;
const AT_ONCE: usize = 16;

/// Lines of a log, as one shard wrote them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lines {
    pub(crate) from: u32,
    /// The number of the first; the others follow.
    pub(crate) first: u64,
    pub(crate) all: Vec<Value>,
}

pub(super) struct Outgoing {
    /// The number of the last effect of each subject.
    numbers: BTreeMap<String, u64>,
    pending: VecDeque<Effect>,
    /// The number of effects that ever were pending, and of those that are in an accepted save.
    count: u64,
    saved: u64,
    changed: bool,
    flights: Vec<Flight>,
    next: u32,
    retry: Backoff,
}

/// Effects that are being stored: those of one subject up to a number.
struct Flight {
    place: u32,
    to: String,
    upto: u64,
}

impl Outgoing {
    /// Those of an accepted save.
    pub(super) fn new(numbers: BTreeMap<String, u64>, pending: VecDeque<Effect>) -> Outgoing {
        let count = pending.len() as u64;
        Outgoing {
            numbers,
            pending,
            count,
            saved: count,
            changed: false,
            flights: Vec::new(),
            next: 0,
            retry: Backoff::default(),
        }
    }

    pub(super) fn add(&mut self, config: &Config, sent: Vec<Sent>) {
        for sent in sent {
            let to = match &sent {
                Sent::To(key, _) => format!("in.{}", config.shard(key)),
                Sent::Line(log, _) => format!("log.{log}"),
            };
            let number = self.numbers.entry(to.clone()).or_default();
            *number += 1;
            let number = *number;
            let content = sent.content();
            self.pending.push_back(Effect {
                to,
                number,
                content,
            });
            self.count += 1;
            self.changed = true;
        }
    }

    /// Returns true if the next save has something to say of them.
    pub(super) fn is_changed(&self) -> bool {
        self.changed
    }

    /// The effects as a save says them, and the number by which [`saved`](Outgoing::saved) knows them.
    pub(super) fn for_save(&mut self) -> (BTreeMap<String, u64>, VecDeque<Effect>, u64) {
        self.changed = false;
        (self.numbers.clone(), self.pending.clone(), self.count)
    }

    /// A save was accepted: what was pending then may be sent.
    pub(super) fn saved(&mut self, count: u64) {
        self.saved = count;
    }

    /// Sends what is saved, of each subject one message after the other.
    pub(super) fn send<A: Agent>(&mut self, env: &Env<'_, A>) {
        let unsaved = (self.count - self.saved) as usize;
        let saved = self.pending.len() - unsaved.min(self.pending.len());
        if saved == 0 || !self.retry.is_over(env.now) {
            return;
        }
        let mut batches: BTreeMap<&str, Vec<&Effect>> = BTreeMap::new();
        for effect in self.pending.iter().take(saved) {
            if batches.len() == AT_ONCE && !batches.contains_key(&*effect.to) {
                continue;
            }
            let batch = batches.entry(&effect.to).or_default();
            if batch.len() < MOST {
                batch.push(effect);
            }
        }
        batches.retain(|to, _| !self.flights.iter().any(|flight| flight.to == *to));
        for (to, batch) in batches {
            let place = self.next;
            self.next = self.next.wrapping_add(1);
            let upto = batch.last().map_or(0, |last| last.number);
            let message = message(env.shard, to, &batch);
            self.flights.push(Flight {
                place,
                to: to.to_owned(),
                upto,
            });
            env.calls.append(env.tag(Step::Effects(place)), message);
        }
    }

    /// The answer to a message.
    pub(super) fn sent<A: Agent>(
        &mut self,
        env: &mut Env<'_, A>,
        place: u32,
        answer: Result<u64, StoreError>,
    ) {
        let Some(at) = self.flights.iter().position(|flight| flight.place == place) else {
            return;
        };
        let flight = self.flights.swap_remove(at);
        match answer {
            Ok(_) => {
                self.retry.reset();
                let before = self.pending.len();
                let is_there =
                    |effect: &Effect| effect.to != flight.to || effect.number > flight.upto;
                self.pending.retain(is_there);
                env.metrics.effects += (before - self.pending.len()) as u64;
                self.changed = true;
            }
            Err(error) => env.note("effects are not sent", &error, &mut self.retry),
        }
    }
}

/// Effects of one subject. Who receives them again knows them by their numbers, so the same ones need not come in the
/// same messages.
fn message(shard: u32, to: &str, batch: &[&Effect]) -> Append {
    let first = batch.first().map_or(0, |first| first.number);
    let contents = batch.iter().map(|effect| &effect.content);
    let (stream, body) = match to.starts_with("in.") {
        true => {
            let all = contents.filter_map(|content| match content {
                Content::Agent(key, what) => Some((key.clone(), what.clone())),
                Content::Line(_) => None,
            });
            let all = all.collect();
            let input = Input::Effects {
                from: shard,
                first,
                all,
            };
            (Stream::Inputs, write(&input))
        }
        false => {
            let all = contents.filter_map(|content| match content {
                Content::Line(line) => Some(line.clone()),
                Content::Agent(..) => None,
            });
            let lines = Lines {
                from: shard,
                first,
                all: all.collect(),
            };
            (Stream::Out, write(&lines))
        }
    };
    Append {
        stream,
        subject: to.to_owned(),
        id: None,
        expect: None,
        body,
    }
}
