//! The store of NATS JetStream: a stream each, whose subjects begin with the names of the fleet and of the stream.
//!
//! A thread of its own waits for the servers, so no member does. `connect` finds the servers and makes the streams,
//! `reader` follows a subject.

mod connect;
mod reader;

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::Context;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{LastRawMessageErrorKind, Stream as Messages};
use tokio::runtime::{Handle, Runtime};
use tokio::sync::{Mutex, Semaphore};

use crate::store::{Append, Done, MOST_BYTES, Message, Read, Store, StoreError, Stream};
use reader::Reader;

/// The time in which a server answers, or it counts as unanswered.
const PATIENCE: Duration = Duration::from_secs(2);

/// The time for which an input is sent again and again, with the same id.
const PERSISTENCE: Duration = Duration::from_secs(15);

/// The most requests that wait for answers; more wait for these.
const MOST_REQUESTS: usize = 4_096;

/// The most requests that wait in all: more are refused.
const MOST_WAITING: usize = 100_000;

/// A connection to servers: dropped, it closes.
pub(crate) struct Nats {
    runtime: Option<Runtime>,
    inside: Arc<Inside>,
    waiting: Arc<Semaphore>,
}

struct Inside {
    context: Context,
    fleet: String,
    streams: HashMap<Stream, Messages<()>>,
    readers: Mutex<HashMap<(Stream, String), Reader>>,
    requests: Semaphore,
}

impl Nats {
    fn new(runtime: Runtime, inside: Inside) -> Nats {
        Nats {
            runtime: Some(runtime),
            inside: Arc::new(inside),
            waiting: Arc::new(Semaphore::new(MOST_WAITING)),
        }
    }

    fn handle(&self) -> Option<&Handle> {
        self.runtime.as_ref().map(Runtime::handle)
    }

    /// Does something on the thread of the connection.
    fn run<T, F>(&self, done: Done<T>, request: impl FnOnce(Arc<Inside>) -> F + Send + 'static)
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send,
    {
        let place = self.waiting.clone().try_acquire_owned();
        let (Ok(place), Some(handle)) = (place, self.handle()) else {
            let text = format!("{MOST_WAITING} requests wait already");
            return done(Err(StoreError::Refused(text)));
        };
        let inside = self.inside.clone();
        handle.spawn(async move {
            let answer = request(inside).await;
            drop(place);
            done(answer);
        });
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        // It may be dropped where nobody may wait: in a task.
        self.runtime
            .take()
            .into_iter()
            .for_each(Runtime::shutdown_background);
    }
}

impl Store for Nats {
    fn append(&self, message: Append, done: Done<u64>) {
        self.run(done, |inside| async move { inside.append(message).await });
    }

    fn read(&self, read: Read, done: Done<Vec<Message>>) {
        self.run(done, |inside| async move { inside.read(read).await });
    }

    fn last(&self, stream: Stream, subject: String, done: Done<Option<Message>>) {
        self.run(done, move |inside| async move {
            inside.last(stream, &subject).await
        });
    }

    fn purge(&self, stream: Stream, subject: String, before: u64, done: Done<()>) {
        self.run(done, move |inside| async move {
            inside.purge(stream, &subject, before).await
        });
    }
}

impl Inside {
    fn subject(&self, stream: Stream, subject: &str) -> String {
        format!("{}.{}.{subject}", self.fleet, stream.name())
    }

    /// The subject without what all subjects of the stream begin with.
    fn own_subject(&self, stream: Stream, subject: &str) -> String {
        let start = self.fleet.len() + stream.name().len() + 2;
        subject.get(start..).unwrap_or_default().to_owned()
    }

    async fn append(&self, message: Append) -> Result<u64, StoreError> {
        let _place = self.requests.acquire().await;
        if message.body.len() > MOST_BYTES {
            let len = message.body.len();
            return Err(StoreError::Refused(format!(
                "{len} bytes are more than {MOST_BYTES}"
            )));
        }
        let begin = Instant::now();
        let mut wait = Duration::from_millis(50);
        loop {
            let error = match self.publish(&message).await {
                Ok(seq) => return Ok(seq),
                Err(error) => refusal(&error),
            };
            // Whoever expects something looks first at what there is.
            let again = message.expect.is_none() && matches!(error, StoreError::Unanswered(_));
            if !again || begin.elapsed() > PERSISTENCE {
                return Err(error);
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(Duration::from_secs(1));
        }
    }

    async fn publish(&self, message: &Append) -> Result<u64, PublishError> {
        let mut publish = PublishMessage::build().payload(message.body.clone().into());
        if let Some(id) = &message.id {
            publish = publish.message_id(id);
        }
        if let Some(expect) = message.expect {
            publish = publish.expected_last_subject_sequence(expect);
        }
        let subject = self.subject(message.stream, &message.subject);
        let stored = async { self.context.send_publish(subject, publish).await?.await };
        match tokio::time::timeout(PATIENCE, stored).await {
            Ok(stored) => Ok(stored?.sequence),
            Err(_) => Err(PublishErrorKind::TimedOut.into()),
        }
    }

    fn stream(&self, stream: Stream) -> Result<&Messages<()>, StoreError> {
        let found = self.streams.get(&stream);
        found.ok_or_else(|| StoreError::Refused(format!("there is no stream `{}`", stream.name())))
    }

    async fn last(&self, stream: Stream, subject: &str) -> Result<Option<Message>, StoreError> {
        let _place = self.requests.acquire().await;
        let full = self.subject(stream, subject);
        let last = self.stream(stream)?.get_last_raw_message_by_subject(&full);
        match within(last).await? {
            Ok(last) => {
                let id = last.headers.get("Nats-Msg-Id");
                Ok(Some(Message {
                    subject: subject.to_owned(),
                    seq: last.sequence,
                    id: id.map(|id| id.as_str().to_owned()),
                    body: last.payload.to_vec(),
                }))
            }
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(StoreError::Unanswered(error.to_string())),
        }
    }

    async fn purge(&self, stream: Stream, subject: &str, before: u64) -> Result<(), StoreError> {
        let _place = self.requests.acquire().await;
        let full = self.subject(stream, subject);
        let purge = self.stream(stream)?.purge().filter(full).sequence(before);
        let purged = within(async { purge.await }).await?;
        purged
            .map(|_| ())
            .map_err(|error| StoreError::Unanswered(error.to_string()))
    }

    /// Reads by a reader that is kept, if somebody waits: the next request continues where this one ends.
    async fn read(&self, read: Read) -> Result<Vec<Message>, StoreError> {
        let of = (read.stream, read.subject.clone());
        let kept = {
            let mut readers = self.readers.lock().await;
            readers.retain(|_, reader| reader.is_used());
            readers.remove(&of)
        };
        let kept = kept.filter(|reader| reader.after() == read.after);
        let mut reader = match kept {
            Some(reader) => reader,
            None => {
                let _place = self.requests.acquire().await;
                let subject = self.subject(read.stream, &read.subject);
                let waits = !read.wait.is_zero();
                let made = Reader::new(self.stream(read.stream)?, subject, read.after, waits);
                within(made).await??
            }
        };
        let mut found = reader.read(&read).await?;
        for message in &mut found {
            message.subject = self.own_subject(read.stream, &message.subject);
        }
        if !read.wait.is_zero() && reader.is_whole() {
            self.readers.lock().await.insert(of, reader);
        }
        Ok(found)
    }
}

/// The answer of a server, if it comes in time.
async fn within<T>(answer: impl Future<Output = T>) -> Result<T, StoreError> {
    let answer = tokio::time::timeout(PATIENCE, answer).await;
    answer.map_err(|_| StoreError::Unanswered(format!("none in {PATIENCE:?}")))
}

/// The meaning of an error of the client.
fn refusal(error: &PublishError) -> StoreError {
    let text = error.to_string();
    match error.kind() {
        PublishErrorKind::WrongLastSequence | PublishErrorKind::WrongLastMessageId => {
            StoreError::Stale
        }
        PublishErrorKind::MaxPayloadExceeded => StoreError::Refused(text),
        PublishErrorKind::StreamNotFound
        | PublishErrorKind::TimedOut
        | PublishErrorKind::BrokenPipe
        | PublishErrorKind::MaxAckPending => StoreError::Unanswered(text),
        PublishErrorKind::Other => StoreError::Refused(text),
    }
}

impl fmt::Debug for Nats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nats")
            .field("fleet", &self.inside.fleet)
            .finish_non_exhaustive()
    }
}
