//! JSON texts that are changed and otherwise stay as they are written.
//!
//! [`json`] says where everything is, [`style`] how the file is laid out, [`edits`] collects changes of one text
//! and makes [`splices`] of them, `layout` writes a container with other entries, [`utf16`] are positions as the page
//! counts them.

pub mod edits;
pub mod json;
mod layout;
pub mod splices;
pub mod style;
pub mod utf16;
