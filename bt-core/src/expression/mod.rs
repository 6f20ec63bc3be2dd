//! Expressions of trees, such as `$hp < 0.3 * @max_hp && !is_friend($target)`: read, checked, evaluated.
//!
//! [`parse()`] reads the text, [`check()`] finds what can never work, `Code` is what a built tree
//! evaluates. They know no agent and no tree: the caller resolves the names.

mod ast;
mod builtins;
mod check;
mod code;
mod compile;
mod eval;
mod given;
mod lex;
mod names;
mod parse;
mod types;

#[cfg(test)]
mod tests;

pub use ast::{Argument, Expr, Form, Mistake, Named, Operator, Span, Spelled};
pub use builtins::builtin_names;
pub(crate) use check::never_equal;
pub use check::{Checked, Names, check};
pub(crate) use code::Code;
pub use compile::constant;
pub(crate) use compile::{Link, compile};
pub(crate) use eval::{Outside, Val, eval};
pub use given::evaluate;
#[cfg(feature = "save")]
pub(crate) use lex::means_the_same;
pub(crate) use names::spelled;
pub use names::{Target, keys, names, renamed};
pub use parse::parse;
pub(crate) use parse::writes;
pub use types::Type;

/// The number of characters that an expression may have.
pub const LONGEST: usize = 4096;

/// The number of operands that may be inside one another, a chain such as `1 + 2 + 3` counted link by link.
pub const DEEPEST: u8 = 64;
