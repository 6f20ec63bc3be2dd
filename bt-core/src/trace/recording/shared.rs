//! One file for the sinks of many agents.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, PoisonError};

use crate::sync::{Mutex, MutexGuard, lock};

/// A writer that many sinks write to; its clones are the same writer.
///
/// Each `write_all` is done before the next one begins. Every sink here writes a whole line by one, so
/// the lines of agents on many threads never mix.
pub struct SharedWriter<W>(Arc<Mutex<W>>);

impl<W> SharedWriter<W> {
    /// A writer, to be shared.
    pub fn new(to: W) -> SharedWriter<W> {
        SharedWriter(Arc::new(Mutex::new(to)))
    }

    /// Lends the writer to a function, while nobody writes.
    pub fn with<T>(&self, look: impl FnOnce(&mut W) -> T) -> T {
        look(&mut self.lock())
    }

    /// The writer again.
    ///
    /// # Errors
    /// This one, if there are others that write to it.
    pub fn into_inner(self) -> Result<W, SharedWriter<W>> {
        let inner = Arc::try_unwrap(self.0).map_err(SharedWriter)?;
        Ok(inner.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whoever panicked while it wrote left no more than half a line.
    fn lock(&self) -> MutexGuard<'_, W> {
        lock(&self.0)
    }
}

impl<W: Write> Write for SharedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.lock().write_all(bytes)
    }

    fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        self.lock().write_fmt(text)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.lock().flush()
    }
}

impl<W> Clone for SharedWriter<W> {
    fn clone(&self) -> SharedWriter<W> {
        SharedWriter(self.0.clone())
    }
}

impl<W> fmt::Debug for SharedWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedWriter").finish_non_exhaustive()
    }
}
