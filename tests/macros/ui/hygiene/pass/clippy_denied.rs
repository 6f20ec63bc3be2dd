#![deny(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
//! A case.

use ::bt_core::prelude::*;

::core::include!("../everything.rs");
