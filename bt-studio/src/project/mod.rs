//! The open project: folders, the tree files in them and their history, the project's settings, and where the
//! agents come from. All of it goes through the `door`.

pub mod agents;
pub mod door;
pub mod files;
pub mod folders;
pub mod git;
pub mod settings;
