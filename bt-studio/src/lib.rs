//! Behaviour trees edited in the browser: a server for this machine alone, with the page in its own binary.
//!
//! [`protocol`] is what the page and the server say to each other.

pub mod protocol;
