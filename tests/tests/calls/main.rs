//! Agents called by name, without trees: methods, arguments, properties, events, and what they cost.

#![allow(
    unreachable_pub,
    reason = "modules share some items, and no crate uses this one"
)]

mod allocations;
mod bound_or_named;
mod builtin;
mod contract;
mod cost;
mod leaving;
mod members;
mod round_trip;
mod seed;
mod type_names;
