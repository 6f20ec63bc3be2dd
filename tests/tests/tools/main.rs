//! Tests around a running tree: traces, explanations, saved agents, pools; and random trees that compare two
//! ways to one result.

#![allow(
    unreachable_pub,
    reason = "modules share some items, and no crate uses this one"
)]

mod chaos;
mod explain;
mod expressions;
#[path = "../trees/run/random_trees/grow.rs"]
#[allow(dead_code, reason = "the trees of another test")]
mod grow;
mod kinds;
mod pool;
mod properties;
mod reference;
mod snapshot;
mod trace;
