#![no_implicit_prelude]
#![deny(warnings)]

use ::bt_core::prelude::*;

::core::include!("../everything.rs");
