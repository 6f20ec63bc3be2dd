//! Behaviour trees: what they are made of.

pub mod kinds;
