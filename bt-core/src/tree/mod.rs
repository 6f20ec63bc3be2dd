//! Behaviour trees: what they are made of, and the form in which they are written and changed.

pub mod asset;
mod build;
pub mod check;
mod code;
pub(crate) mod plan;
pub(crate) mod set;

pub use code::{Code, Level, UnknownCode};

/// What a tree's name stands for: its ending `.json` may be there or not, and the name as it is goes
/// first.
pub fn by_either_name<T>(name: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    find(name).or_else(|| match name.strip_suffix(".json") {
        Some(stem) => find(stem),
        None => find(&format!("{name}.json")),
    })
}
