//! The attribute macros of bt-core.
