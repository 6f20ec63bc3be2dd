//! What the macros submit, the whole-program catalogue, look-up by name.

pub mod catalogue;
