//! Trees that run: the rules of every kind of node, worked examples, hostile files and large trees.

#![allow(
    unreachable_pub,
    reason = "modules share some items, and no crate uses this one"
)]

mod any_json;
mod exit_reports;
mod expressions;
mod frames;
mod hostile;
mod large;
mod run;
mod running;
mod scripts;
mod sentences;
mod sets;
mod sleepers;
mod steady_state;
mod text;
mod traced;
mod validated;
mod worked;
