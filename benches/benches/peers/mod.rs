//! Other crates that call Rust by name: the same method on the same agent.

mod reflect;
mod script;

use std::error::Error;

use bt_benches::Case;

/// The peers' cases.
pub(crate) fn cases() -> Result<Vec<Case>, Box<dyn Error>> {
    Ok(vec![reflect::case()?, script::case()?])
}
