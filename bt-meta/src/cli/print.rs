//! The output of commands.

use std::io::{self, Write as _};

use crate::error::Error;

/// Prints for a reader who may have gone: `bt-meta list | head` is no error.
pub(super) fn print(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::failure(format!(
            "cannot write to the output: {error}"
        ))),
        _ => Ok(()),
    }
}
