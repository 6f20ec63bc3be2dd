//! The tracer of an agent that is followed or profiled: it encodes records into a buffer that the port empties, and
//! counts them.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bt_core::debug::Profile;
use bt_core::trace::{Record, Tracer};

use super::encode::write_record;
use super::inbox::Waiting;
use super::limits::BUFFERED;

/// The number of bytes of room that a buffer takes at a time.
const CHUNK: usize = 16 << 10;

/// The number of bytes of room that all buffers have taken.
pub(super) type Buffered = Waiting;

/// The records of an agent since the last poll of the port.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) bytes: Vec<u8>,
    pub(super) records: u32,
    /// The times of the first and the last of them, in nanoseconds.
    pub(super) from: u64,
    pub(super) to: u64,
    /// The number of those that had no room.
    pub(super) dropped: u64,
}

#[derive(Debug)]
struct Buffer {
    taken: Taken,
    /// The number of bytes that it may have before it takes more room, which others then do not have.
    room: usize,
    buffered: Buffered,
}

impl Buffer {
    fn add(&mut self, record: &Record<'_>) {
        let taken = &mut self.taken;
        let length = taken.bytes.len();
        // After the first that had no room there is a gap in any case.
        let has_room = taken.dropped == 0 && (length < self.room || self.grow());
        let taken = &mut self.taken;
        if has_room && write_record(&mut taken.bytes, record) {
            if taken.records == 0 {
                taken.from = record.ns;
            }
            taken.to = record.ns;
            taken.records += 1;
        } else {
            taken.dropped += 1;
        }
    }

    /// Takes more room, if there is some.
    #[cold]
    fn grow(&mut self) -> bool {
        let more = CHUNK.max(self.taken.bytes.len() + 1 - self.room);
        let grows = self.room < BUFFERED.0 && self.buffered.add_within(more, BUFFERED.1);
        self.room += if grows { more } else { 0 };
        grows
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.buffered.remove(self.room);
    }
}

/// A buffer that the tracer fills and the port empties, both on the game's threads.
#[derive(Debug, Clone)]
pub(super) struct SharedBuffer(Arc<Mutex<Buffer>>);

impl SharedBuffer {
    pub(super) fn new(buffered: &Buffered) -> SharedBuffer {
        SharedBuffer(Arc::new(Mutex::new(Buffer {
            taken: Taken::default(),
            room: 0,
            buffered: buffered.clone(),
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Buffer> {
        // A panic elsewhere leaves whole records in it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what there is.
    pub(super) fn take(&self) -> Taken {
        let mut buffer = self.lock();
        buffer.buffered.remove(buffer.room);
        buffer.room = 0;
        std::mem::take(&mut buffer.taken)
    }

    /// Returns true if there are only so many handles: if the tracer has none, its agent is gone, or has
    /// another.
    pub(super) fn is_held_by(&self, handles: usize) -> bool {
        Arc::strong_count(&self.0) == handles
    }
}

/// The counts of an agent's nodes, which the tracer makes and the port reads.
#[derive(Debug, Clone)]
pub(super) struct SharedProfile {
    profile: Arc<Mutex<Profile>>,
    began: Instant,
}

impl SharedProfile {
    pub(super) fn new() -> SharedProfile {
        SharedProfile {
            profile: Arc::default(),
            began: Instant::now(),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Profile> {
        // A panic elsewhere leaves whole counts in it.
        self.profile.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, record: &Record<'_>) {
        self.lock().record(record, self.began.elapsed());
    }
}

/// The tracer of an agent that is followed or profiled. A tracer that the host had set gets its records as before.
pub(super) struct PortTracer {
    pub(super) buffer: SharedBuffer,
    pub(super) host: Option<Box<dyn Tracer>>,
    /// True if somebody wants its records.
    pub(super) encodes: bool,
    /// True if it wants to know why the agent waits: a recording does.
    pub(super) explains: bool,
    /// The profile that it counts in, if the agent is profiled.
    pub(super) profile: Option<SharedProfile>,
}

impl PortTracer {
    /// The host's tracer again, of a tracer that may be one of these.
    pub(super) fn host_of(tracer: Box<dyn Tracer>) -> Option<Box<dyn Tracer>> {
        let any: &dyn Any = &*tracer;
        if !any.is::<PortTracer>() {
            return Some(tracer);
        }
        let any: Box<dyn Any> = tracer;
        any.downcast::<PortTracer>().ok().and_then(|own| own.host)
    }
}

impl Tracer for PortTracer {
    fn record(&mut self, record: &Record<'_>) {
        if let Some(host) = &mut self.host {
            host.record(record);
        }
        // The port was dropped.
        if self.buffer.is_held_by(1) {
            return;
        }
        if let Some(profile) = &self.profile {
            profile.record(record);
        }
        if !self.encodes {
            return;
        }
        self.buffer.lock().add(record);
    }

    fn wants_snapshot(&mut self) -> bool {
        self.host.as_mut().is_some_and(|host| host.wants_snapshot())
    }

    fn wants_explanations(&mut self) -> bool {
        let host = self.host.as_mut();
        // Both are asked.
        host.is_some_and(|host| host.wants_explanations()) || self.explains
    }
}
