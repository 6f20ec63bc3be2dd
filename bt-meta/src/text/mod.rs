//! JSON texts that are changed and otherwise stay as they are written.
//!
//! [`json`] says where everything is, [`style`] how the file is laid out, [`edits`] collects changes of one text
//! and makes [`splices`] of them, `layout` writes a container with other entries, `fixes` are the changes that put problems
//! right.

pub mod edits;
mod fixes;
pub mod json;
mod layout;
pub mod splices;
pub mod style;

pub use fixes::fixed;
