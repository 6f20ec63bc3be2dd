//! The tests of `run` and `running` once more, with a tracer: what it is told is replayed as it goes,
//! and leads to what the runner shows, after every poll.

#[path = "../run/main.rs"]
mod run;
#[path = "../running/main.rs"]
mod running;
