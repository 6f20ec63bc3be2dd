//! Worked examples of what each node means, written by hand from its text: each is run by the runner
//! and by the reference, and both do what is written here.

mod any_finish;
mod combined;
mod guards;
pub(crate) mod harness;
mod kept;
mod parallel;
mod played;
mod requests;
mod runs;
mod scopes;
mod turn;
mod wrapped;
mod writes;
