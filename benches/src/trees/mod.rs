//! The same trees in several engines: what a node, a poll and one more agent cost.
//!
//! A [`Shape`] is a tree that belongs to no engine, an [`Engine`] runs it, a [`Trial`] is what is
//! timed. Our own engine is here, for the instructions to be counted as well; the others are the
//! bench's.

mod body;
mod engine;
mod ours;
mod shape;
mod trial;

pub use body::Body;
pub use engine::{Engine, Loads};
pub use ours::Ours;
pub use shape::{Leaf, Shape};
pub use trial::Trial;
