//! Descriptions of agents, their items and their values: names, documentation, types, defaults and bounds, as
//! the macros submit them and as the catalogue holds them.

pub mod catalogue;
pub(crate) mod docs;
pub mod schema;
pub(crate) mod shape;
pub(crate) mod type_name;
pub(crate) mod value;
