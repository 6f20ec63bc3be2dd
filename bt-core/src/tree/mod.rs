//! Behaviour trees: what they are made of, and the form in which they are written and changed.

pub mod asset;
mod build;
pub mod check;
mod code;
pub(crate) mod plan;
pub(crate) mod set;

pub use code::{Code, Level, UnknownCode};

/// Finds the tree of a name: its ending, `.json` or `.bt`, may be there or not, and the name as it is comes
/// first.
#[doc(hidden)]
pub fn by_either_name<T>(name: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    let stem = [".json", SCRIPT].map(|ending| name.strip_suffix(ending));
    find(name).or_else(|| match stem.into_iter().flatten().next() {
        Some(stem) => find(stem),
        None => [".json", SCRIPT]
            .iter()
            .find_map(|ending| find(&format!("{name}{ending}"))),
    })
}

/// The ending of scripts' names.
const SCRIPT: &str = ".bt";

/// Returns true if a file of that name is a script.
#[doc(hidden)]
pub fn is_script(name: &str) -> bool {
    name.ends_with(SCRIPT)
}
