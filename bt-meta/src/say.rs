//! Lines on the standard error output, which may be full or closed: that ends nothing.

use std::fmt::Display;
use std::io::{self, Write as _};

/// A line such as `warning: …`.
pub(crate) fn say(word: &str, message: impl Display) {
    line(format_args!("{word}: {message}"));
}

/// A line.
pub(crate) fn line(text: impl Display) {
    // There is nowhere else to say that this went wrong.
    let _ = writeln!(io::stderr(), "{text}");
}
