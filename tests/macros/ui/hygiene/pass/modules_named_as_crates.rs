#![deny(warnings)]

use ::bt_core::prelude::*;

#[allow(unused)]
mod std {}
#[allow(unused)]
mod core {}
#[allow(unused)]
mod alloc {}
#[allow(unused)]
mod serde {}
#[allow(unused)]
mod serde_json {}
#[allow(unused)]
mod schemars {}
#[allow(unused)]
mod inventory {}
#[allow(unused)]
mod bt_core {
    pub mod __private {}
}
#[allow(unused)]
mod bt_macros {}
#[allow(unused)]
mod __private {}

::core::include!("../everything.rs");
