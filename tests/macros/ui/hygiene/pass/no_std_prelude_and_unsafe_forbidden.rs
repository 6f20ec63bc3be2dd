#![deny(warnings)]
#![forbid(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn)]

use ::bt_core::prelude::*;

::core::include!("../everything.rs");
