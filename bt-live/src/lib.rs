//! Behaviour trees that change while the game runs: a folder of tree files is watched, and what is in it
//! becomes a new set of trees, off the game's thread. See [`Folder`].

#![forbid(unsafe_code)]

mod folder;

pub use folder::{Folder, FolderError, Found, Problems};
