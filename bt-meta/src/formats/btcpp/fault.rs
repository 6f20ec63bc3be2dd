//! Something that the engine has no counterpart for.

/// The reason why a node is not written, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) help: String,
}

/// A fault as an error.
pub(super) fn refuse<T>(message: impl Into<String>, help: impl Into<String>) -> Result<T, Fault> {
    Err(Fault {
        message: message.into(),
        help: help.into(),
    })
}
