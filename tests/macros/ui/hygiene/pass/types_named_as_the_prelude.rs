#![deny(warnings)]
#![allow(unused, non_camel_case_types)]

use ::bt_core::prelude::*;

struct Option;
struct Result;
struct Some;
struct None;
struct Ok;
struct Err;
struct Box;
struct Vec;
struct String;
struct Value;
struct Val;
struct Shared;
struct Mut;
struct Out;
struct Ended;
struct Block;
struct Table;
struct Part;
struct Call;
struct Self_;
struct Send;
struct Sync;
struct Sized;
struct Fn;
struct Default;
struct Clone;
struct Copy;
struct From;
struct Into;
struct Iterator;
struct TypeId;
struct Registration;
struct Site;
struct Key;

::core::include!("../everything.rs");
