//! The target of a sink's lines, until one cannot be written.

use std::io::{self, Write};

/// A writer and the error that ended it.
#[derive(Debug)]
pub(super) struct Output<W> {
    to: W,
    flushes: bool,
    error: Option<io::Error>,
}

impl<W: Write> Output<W> {
    pub(super) fn new(to: W) -> Output<W> {
        Output {
            to,
            flushes: false,
            error: None,
        }
    }

    /// Flushes after each write from now on.
    pub(super) fn flushing(&mut self) {
        self.flushes = true;
    }

    /// Writes it by one `write_all`, unless something could not be written before.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            let written = self.to.write_all(bytes);
            let done = match self.flushes {
                true => written.and_then(|()| self.to.flush()),
                false => written,
            };
            self.error = done.err();
        }
    }

    pub(super) fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    /// Takes note of an error that came before the writing.
    pub(super) fn fail(&mut self, error: io::Error) {
        self.error.get_or_insert(error);
    }

    pub(super) fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.to.flush().err();
        }
    }

    /// Returns the writer with all that is buffered written, or the error that prevents it.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.flush();
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.to),
        }
    }
}
