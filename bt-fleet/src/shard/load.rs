//! A shard that was claimed: first its chain gets an epoch, so that nobody else can add to it, then it is read.

use std::time::Duration;

use bt_core::Agent;

use super::{Env, Next};
use crate::member::{Answer, Backoff, Step};
use crate::store::{Message, Read, StoreError, Stream};
use crate::wire::chain::{Image, Link};
use crate::wire::{pack, unpack};

/// The number of attempts after which somebody else may try.
const ATTEMPTS: u32 = 8;

pub(crate) struct Loading {
    /// The number of the shard's key, as this member wrote it.
    pub(super) revision: u64,
    pub(super) image: Image,
    next: Wanted,
    sent: bool,
    retry: Backoff,
}

/// The next request.
enum Wanted {
    /// The last link.
    End,
    /// An epoch after that link.
    Fence(u64),
    /// Links up to that epoch.
    Chain(u64),
    Nothing,
}

impl Loading {
    pub(super) fn new(revision: u64) -> Loading {
        Loading {
            revision,
            image: Image::default(),
            next: Wanted::End,
            sent: false,
            retry: Backoff::default(),
        }
    }

    /// Returns true if the image is whole.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.next, Wanted::Nothing)
    }

    /// The number of the shard's key, and what was read.
    pub(crate) fn take(&mut self) -> (u64, Image) {
        (self.revision, std::mem::take(&mut self.image))
    }

    pub(crate) fn go_on<A: Agent>(&mut self, env: &mut Env<'_, A>) {
        if self.sent || !self.retry.is_over(env.now) {
            return;
        }
        self.sent = true;
        match self.next {
            Wanted::End => env
                .calls
                .last(env.tag(Step::End), Stream::Saves, env.chain()),
            Wanted::Fence(end) => {
                let link = Link::Epoch {
                    member: env.settings.name.clone(),
                    incarnation: env.settings.incarnation,
                };
                env.append_link(Step::Fence, fence_id(env), end, pack(&link));
            }
            Wanted::Chain(_) => {
                let read = Read {
                    stream: Stream::Saves,
                    subject: env.chain(),
                    after: self.image.end,
                    most: 64,
                    wait: Duration::ZERO,
                };
                env.calls.read(env.tag(Step::Chain), read);
            }
            Wanted::Nothing => self.sent = false,
        }
    }

    pub(crate) fn answered<A: Agent>(
        &mut self,
        env: &mut Env<'_, A>,
        step: Step,
        answer: Answer,
    ) -> Next {
        self.sent = false;
        let outcome = match step {
            Step::End => super::last(answer).map(|last| self.end(env, last)),
            Step::Fence => self.fenced(super::stored(answer)),
            Step::Chain => super::messages(answer).map(|messages| self.read(env, messages)),
            Step::Claim
            | Step::Inputs
            | Step::Save
            | Step::Saved
            | Step::Confirm
            | Step::Free
            | Step::Effects(_) => Ok(Next::Stay),
        };
        match outcome {
            Ok(next) => next,
            Err(error) => {
                env.note("the saves cannot be read", &error, &mut self.retry);
                match self.retry.fails() < ATTEMPTS {
                    true => Next::Stay,
                    false => Next::Leave,
                }
            }
        }
    }

    fn end<A: Agent>(&mut self, env: &mut Env<'_, A>, last: Option<Message>) -> Next {
        let is_mine = |last: &Message| last.id.as_deref() == Some(&*fence_id(env));
        self.next = match &last {
            // The epoch of a request that was not answered.
            Some(last) if is_mine(last) => {
                env.metrics.read_back += 1;
                Wanted::Chain(last.seq)
            }
            last => Wanted::Fence(last.as_ref().map_or(0, |last| last.seq)),
        };
        Next::Stay
    }

    fn fenced(&mut self, answer: Result<u64, StoreError>) -> Result<Next, StoreError> {
        self.next = match answer {
            Ok(epoch) => Wanted::Chain(epoch),
            // The last owner was faster, or it is this one's own.
            Err(_) => Wanted::End,
        };
        match answer {
            Ok(_) | Err(StoreError::Stale) => Ok(Next::Stay),
            Err(error) => Err(error),
        }
    }

    fn read<A: Agent>(&mut self, env: &mut Env<'_, A>, messages: Vec<Message>) -> Next {
        for message in messages {
            let link = match unpack::<Link>(&message.body) {
                Ok(link) => link,
                Err(why) => {
                    let (shard, seq) = (env.shard, message.seq);
                    tracing::error!(
                        target: "bt_fleet",
                        "shard {shard}: message {seq} of its saves cannot be read: {why}; was it written by a newer \
                         version? Nobody runs the shard here"
                    );
                    return Next::Leave;
                }
            };
            if !self.image.add(message.seq, link) {
                // Removed while it was read: what is there now is whole.
                self.image = Image::default();
                let missing = StoreError::Refused("links are missing".to_owned());
                env.note("the saves were read again", &missing, &mut self.retry);
                return match self.retry.fails() < ATTEMPTS {
                    true => Next::Stay,
                    false => Next::Leave,
                };
            }
        }
        if let Wanted::Chain(epoch) = self.next
            && self.image.end >= epoch
        {
            self.next = match self.image.end == epoch {
                true => Wanted::Nothing,
                // Somebody else has it already.
                false => return Next::Leave,
            };
        }
        Next::Stay
    }
}

fn fence_id<A: Agent>(env: &Env<'_, A>) -> String {
    let settings = env.settings;
    let (shard, incarnation, life) = (env.shard, settings.incarnation, env.life);
    format!("epoch-{shard}-{}-{incarnation:x}-{life}", settings.name)
}
