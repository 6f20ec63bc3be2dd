//! A consumer of a subject, which says what comes after a message, without a gap.

use std::time::{Duration, Instant};

use async_nats::jetstream;
use async_nats::jetstream::consumer::pull::{Config, Stream as Pull};
use async_nats::jetstream::consumer::{AckPolicy, Consumer, DeliverPolicy};
use async_nats::jetstream::stream::Stream as Messages;
use futures::StreamExt;

use crate::store::{Message, Read, StoreError};

/// A reader that nobody used for so long is closed.
const IDLE: Duration = Duration::from_secs(15);

/// The time that a message may take that follows another one at once.
const SOON: Duration = Duration::from_millis(1);

/// The number of messages that a server sends at once.
const BATCH: usize = 500;

pub(super) struct Reader {
    source: Source,
    after: u64,
    /// The number of the next message among those of the consumer: one that is missing was lost on the way.
    next: u64,
    is_whole: bool,
    used: Instant,
}

enum Source {
    /// Messages as they come. An ordered consumer of the client stands still without an error when its server dies;
    /// this one has heartbeats.
    Waiting(Box<Pull>),
    /// Those that are there.
    There(Box<Consumer<Config>>),
}

fn unanswered(error: impl std::fmt::Display) -> StoreError {
    StoreError::Unanswered(error.to_string())
}

impl Reader {
    pub(super) async fn new(
        stream: &Messages<()>,
        subject: String,
        after: u64,
        waits: bool,
    ) -> Result<Reader, StoreError> {
        let config = Config {
            filter_subject: subject,
            deliver_policy: DeliverPolicy::ByStartSequence {
                start_sequence: after + 1,
            },
            ack_policy: AckPolicy::None,
            memory_storage: true,
            num_replicas: 1,
            inactive_threshold: IDLE,
            ..Config::default()
        };
        let consumer = stream.create_consumer(config).await.map_err(unanswered)?;
        let source = match waits {
            false => Source::There(Box::new(consumer)),
            true => {
                let messages = consumer.stream().max_messages_per_batch(BATCH);
                let messages = messages.heartbeat(Duration::from_millis(700));
                let messages = messages.expires(Duration::from_secs(3)).messages().await;
                Source::Waiting(Box::new(messages.map_err(unanswered)?))
            }
        };
        Ok(Reader {
            source,
            after,
            next: 1,
            is_whole: true,
            used: Instant::now(),
        })
    }

    /// The last message that it read.
    pub(super) fn after(&self) -> u64 {
        self.after
    }

    /// Returns true if its messages had no gap and no error.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    pub(super) fn is_used(&self) -> bool {
        self.used.elapsed() < IDLE
    }

    pub(super) async fn read(&mut self, read: &Read) -> Result<Vec<Message>, StoreError> {
        self.used = Instant::now();
        let found = match &self.source {
            Source::Waiting(_) => self.wait(read).await,
            Source::There(_) => self.fetch(read).await,
        };
        self.used = Instant::now();
        found
    }

    async fn fetch(&mut self, read: &Read) -> Result<Vec<Message>, StoreError> {
        let mut found = Vec::new();
        let Source::There(consumer) = &self.source else {
            return Ok(found);
        };
        let fetch = consumer.fetch().max_messages(read.most).messages();
        let mut messages = super::within(fetch).await?.map_err(unanswered)?;
        while let Some(message) = super::within(messages.next()).await? {
            let message = message.map_err(unanswered)?;
            if !self.take(&message, &mut found)? {
                break;
            }
        }
        Ok(found)
    }

    async fn wait(&mut self, read: &Read) -> Result<Vec<Message>, StoreError> {
        let mut found = Vec::new();
        while found.len() < read.most {
            let time = if found.is_empty() { read.wait } else { SOON };
            let Source::Waiting(messages) = &mut self.source else {
                break;
            };
            match tokio::time::timeout(time, messages.next()).await {
                Err(_) => break,
                Ok(Some(Ok(message))) => {
                    if !self.take(&message, &mut found)? {
                        break;
                    }
                }
                Ok(Some(Err(error))) if found.is_empty() => return Err(unanswered(error)),
                Ok(None) if found.is_empty() => {
                    return Err(unanswered("the consumer has gone"));
                }
                Ok(Some(Err(_)) | None) => {
                    self.is_whole = false;
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Adds a message; false if one before it is missing.
    fn take(
        &mut self,
        message: &jetstream::Message,
        found: &mut Vec<Message>,
    ) -> Result<bool, StoreError> {
        let info = message.info().map_err(unanswered)?;
        if info.consumer_sequence != self.next {
            self.is_whole = false;
            return Ok(false);
        }
        self.next += 1;
        self.after = info.stream_sequence;
        let headers = message.headers.as_ref();
        let id = headers.and_then(|headers| headers.get("Nats-Msg-Id"));
        found.push(Message {
            subject: message.subject.to_string(),
            seq: info.stream_sequence,
            id: id.map(|id| id.as_str().to_owned()),
            body: message.payload.to_vec(),
        });
        Ok(true)
    }
}
