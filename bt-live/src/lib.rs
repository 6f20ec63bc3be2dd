//! Behaviour trees that change while the game runs, and a port to look into it.
//!
//! [`Folder`] watches a folder of tree files: what is in it becomes a new set of trees, off the game's
//! thread.
//!
//! With the feature `port`, a [`port::Port`] lets tools on the same machine see and change what agents do:
//! the host polls it once a frame. With the feature `client`, a [`client::Client`] is the other end, for a
//! running game or a recording. [`protocol`] is what both speak.

#![forbid(unsafe_code)]

#[cfg(feature = "client")]
pub mod client;
mod folder;
#[cfg(feature = "port")]
pub mod port;
#[cfg(feature = "protocol")]
pub mod protocol;
#[cfg(any(feature = "client", feature = "port"))]
mod recording;
#[cfg(any(feature = "client", feature = "port"))]
mod shown;
#[cfg(any(feature = "client", feature = "port"))]
mod token_folder;

pub use folder::{Folder, FolderError, Found, Problems};
