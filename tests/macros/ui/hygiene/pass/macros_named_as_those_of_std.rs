#![deny(warnings)]

use ::bt_core::prelude::*;

#[allow(unused_macros)]
macro_rules! vec { ($($t:tt)*) => { compile_error!("mine") } }
#[allow(unused_macros)]
macro_rules! stringify { ($($t:tt)*) => { compile_error!("mine") } }
#[allow(unused_macros)]
macro_rules! concat { ($($t:tt)*) => { compile_error!("mine") } }
#[allow(unused_macros)]
macro_rules! module_path { ($($t:tt)*) => { compile_error!("mine") } }
#[allow(unused_macros)]
macro_rules! file { ($($t:tt)*) => { compile_error!("mine") } }
#[allow(unused_macros)]
macro_rules! line { ($($t:tt)*) => { compile_error!("mine") } }
#[allow(unused_macros)]
macro_rules! env { ($($t:tt)*) => { compile_error!("mine") } }
#[allow(unused_macros)]
macro_rules! format { ($($t:tt)*) => { compile_error!("mine") } }
#[allow(unused_macros)]
macro_rules! submit { ($($t:tt)*) => { compile_error!("mine") } }
#[allow(unused_macros)]
macro_rules! cfg { ($($t:tt)*) => { compile_error!("mine") } }

::core::include!("../everything.rs");
