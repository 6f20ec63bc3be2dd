//! The use that fuzz targets make of their bytes: a module for each target, which is three lines in
//! `targets/` and four in the manifest.
//!
//! ```sh
//! cargo install cargo-fuzz --locked
//! cargo run --manifest-path fuzz/Cargo.toml --example seeds
//! cargo +nightly fuzz run -s none tree -- -dict=fuzz/json.dict -max_len=16384 -timeout=20 \
//!     -rss_limit_mb=2048 -max_total_time=300
//! ```
//!
//! There is no `unsafe` here or in what is tried, so the sanitizers would only be slow. What is
//! found becomes a test in `tests/tests/trees/hostile/`.

#![forbid(unsafe_code)]

mod agent;
pub mod catalogue;
pub mod lines;
mod play;
pub mod port;
pub mod saved;
pub mod script;
pub mod tree;
pub mod values;

pub use agent::Robot;
pub use play::play;
