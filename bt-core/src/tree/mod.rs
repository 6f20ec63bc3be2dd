//! Trees. So far: the node kinds that they are made of.

pub mod kinds;
