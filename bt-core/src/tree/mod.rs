//! Behaviour trees: what they are made of, and the form in which they are written and changed.

pub mod asset;
pub mod check;
pub mod kinds;
