//! The target of a tracer's lines, until one cannot be written.

use std::io::{self, Write};

/// A writer and the error that ended it.
#[derive(Debug)]
pub struct Output<W> {
    to: W,
    flushes: bool,
    error: Option<io::Error>,
}

impl<W: Write> Output<W> {
    /// Writes to that, and does not flush.
    pub fn new(to: W) -> Output<W> {
        Output {
            to,
            flushes: false,
            error: None,
        }
    }

    /// Flushes after each write from now on.
    pub fn flushing(&mut self) {
        self.flushes = true;
    }

    /// Writes it by one `write_all`, unless something could not be written before.
    pub fn write(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            let written = self.to.write_all(bytes);
            let done = match self.flushes {
                true => written.and_then(|()| self.to.flush()),
                false => written,
            };
            self.error = done.err();
        }
    }

    /// Returns the error that ended the writing.
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    /// Takes note of an error that came before the writing.
    pub fn fail(&mut self, error: io::Error) {
        self.error.get_or_insert(error);
    }

    /// Flushes the writer, unless something could not be written before.
    pub fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.to.flush().err();
        }
    }

    /// Returns the writer with all that is buffered written, or the error that prevents it.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush();
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.to),
        }
    }
}
