//! The grammar: tokens to what was written, without judgement.

pub(crate) mod items;
pub(crate) mod keys;
