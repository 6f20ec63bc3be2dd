//! Trees published for all members of a fleet.

use std::time::Duration;

use bt_core::{Agent, TreeSet};

use crate::FleetError;
use crate::fleet::Fleet;
use crate::member::Files;
use crate::reply::reply;
use crate::store::{Append, MOST_BYTES, Message, StoreError, Stream};
use crate::wire::keys::TREES;
use crate::wire::{pack, read, write};

impl<A: Agent> Fleet<A> {
    /// Publishes trees as a version, a number higher than those before. Each member builds them and moves its agents,
    /// as a [reload](bt_core::Runner::reload) does; one that cannot build them keeps what it has, says
    /// [why](crate::Member::trees_fault), and takes no shard that runs them. Each answer of the servers takes at most so
    /// long.
    ///
    /// # Errors
    /// [`FleetError::is_invalid`] if they cannot be built here, if they are packed larger than a message, or if that version
    /// or a higher one was published; [`FleetError::is_unanswered`].
    pub fn trees(&self, set: &TreeSet<A>, version: u64, most: Duration) -> Result<(), FleetError> {
        set.build()
            .map_err(|error| FleetError::invalid(error.to_string()))?;
        let before = self.last(Stream::Keys, TREES, most)?;
        let newest: u64 = before
            .as_ref()
            .and_then(|last| read(&last.body).ok())
            .unwrap_or(0);
        if version <= newest {
            let text = format!(
                "trees of version {newest} are published: expected a higher one, found {version}"
            );
            return Err(FleetError::invalid(text));
        }
        let files = set
            .trees()
            .iter()
            .map(|tree| (tree.name().to_owned(), tree.to_json()));
        let body = pack(&files.collect::<Files>());
        if body.len() > MOST_BYTES {
            let len = body.len();
            let text =
                format!("expected trees of at most {MOST_BYTES} bytes when packed, found {len}");
            return Err(FleetError::invalid(text));
        }
        let message = |stream, subject: String, expect, body| Append {
            stream,
            subject,
            id: None,
            expect: Some(expect),
            body,
        };
        // Nobody changes a version that is there: an attempt without an answer may be repeated with the same trees.
        let subject = format!("trees.{version}");
        let there = self.last(Stream::Saves, &subject, most)?;
        match there {
            Some(there) if there.body == body => {}
            Some(_) => {
                let text =
                    format!("other trees of version {version} are stored: publish a higher one");
                return Err(FleetError::invalid(text));
            }
            None => self.append(message(Stream::Saves, subject, 0, body), most)?,
        }
        let expect = before.map_or(0, |last| last.seq);
        self.append(
            message(Stream::Keys, TREES.to_owned(), expect, write(&version)),
            most,
        )
    }

    fn append(&self, message: Append, most: Duration) -> Result<(), FleetError> {
        let (promise, reply) = reply();
        let done = move |answer: Result<u64, StoreError>| promise.give(answer.map_err(Into::into));
        self.store().append(message, Box::new(done));
        reply.wait(most).map(|_| ())
    }

    pub(crate) fn last(
        &self,
        stream: Stream,
        subject: &str,
        most: Duration,
    ) -> Result<Option<Message>, FleetError> {
        let (promise, reply) = reply();
        let done = move |answer: Result<_, StoreError>| promise.give(answer.map_err(Into::into));
        self.store()
            .last(stream, subject.to_owned(), Box::new(done));
        reply.wait(most)
    }
}
