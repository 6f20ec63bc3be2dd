//! A running agent is saved and restored: it goes on as if nothing had happened.

#[path = "../run/random_trees/grow.rs"]
#[allow(dead_code, reason = "the trees of another test")]
mod grow;
mod random;
mod twins;
