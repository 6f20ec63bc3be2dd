//! BehaviorTree.CPP's scripts: read as its own grammar has them, written as our expressions.

mod lex;
mod parse;
mod translate;

pub(super) use parse::{Script, Statement, parse};
pub(super) use translate::{Names, truth, write};

/// A mistake in a script: its place in the text, a message, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: String,
    pub(super) help: &'static str,
}

fn fault<T>(at: usize, message: impl Into<String>, help: &'static str) -> Result<T, Fault> {
    Err(Fault {
        at,
        message: message.into(),
        help,
    })
}
