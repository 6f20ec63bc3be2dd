//! Behaviour trees that change while the game runs, and a port to look into it.
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `folder` | yes | `Folder`: a folder of tree files is watched, and what is in it becomes a new set of trees, off the game's thread |
//! | `port` | no | `port`: tools on the same machine see and change what agents do; the host polls it once a frame |
//! | `client` | no | `client`: the other end of it, for a running game or a recording |
//! | `logs` | no | `logs`: tracers that write behaviac's log, and the log and the live feed of the original's debugger |
//! | `protocol` | no | `protocol`: what both speak; either needs it |

#![forbid(unsafe_code)]

#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "folder")]
mod folder;
#[cfg(feature = "logs")]
pub mod logs;
#[cfg(feature = "port")]
pub mod port;
#[cfg(feature = "protocol")]
pub mod protocol;
#[cfg(any(feature = "client", feature = "port"))]
pub mod recording;
#[cfg(any(feature = "client", feature = "port"))]
mod shown;
#[cfg(any(feature = "client", feature = "port"))]
mod token_folder;

#[cfg(feature = "folder")]
pub use folder::{Folder, FolderError, Found, Problems};
