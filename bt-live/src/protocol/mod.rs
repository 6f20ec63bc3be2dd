//! The messages between a port and its clients.
//!
//! Requests, their results and events are JSON-RPC 2.0 in text messages of a WebSocket; records are
//! MessagePack in binary messages ([`frame`]). One table has all methods, another all events: requests are
//! read by them, and the OpenRPC document, the TypeScript types and the page of the book are made from them.

#[doc(hidden)]
pub mod envelope;
mod error;
pub mod frame;
mod table;
pub mod types;

#[cfg(any(feature = "client", feature = "port"))]
pub(crate) use envelope::{Answer, Envelope, Id};
pub use error::{Error, ErrorCode};
pub use table::{Call, EVENTS, Event, EventEntry, METHODS, MethodEntry, Request};
#[doc(hidden)]
pub use table::{read_params, schema_of, unknown_method};

/// The version of the protocol. A method or a field that is added does not change it.
pub const VERSION: u32 = 1;

/// The hash that a text is known by, of a tree or a catalogue: FNV-1a in 16 hexadecimal digits.
pub fn hash(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
