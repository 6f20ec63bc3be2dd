//! The messages between the page and the server.
//!
//! JSON-RPC 2.0 in text messages of a WebSocket, as the port of a game speaks it: one table has all methods and
//! events, and `web/src/net/protocol.ts` is made from it. Positions in texts are in UTF-16 code units, so that
//! JavaScript's `slice` takes them.

mod breakpoint;
mod document;
mod edit;
mod failure;
mod game;
mod history;
mod moment;
mod node;
mod play;
mod project;
mod review;
mod scenarios;
mod search;
mod snippet;
mod table;

pub use breakpoint::*;
pub use document::*;
pub use edit::*;
pub use failure::{Failure, FailureCode};
pub use game::*;
pub use history::*;
pub use moment::*;
pub use node::*;
pub use play::*;
pub use project::*;
pub use review::*;
pub use scenarios::*;
pub use search::*;
pub use snippet::*;
pub use table::{EVENTS, Event, METHODS, Request};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// Parameters, results and their parts.
macro_rules! types {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })+) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        })+
    };
}

/// Words that a field may have.
macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $word:ident,)* })+) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$field_meta])* $word,)*
        })+
    };
}

use {types, words};
