//! Trees changed under running agents: each test is a sentence of the book's page “Reload”.

mod active;
mod board;
mod boundary;
mod cancelling;
mod changed;
mod events;
mod harness;
mod pool;
mod properties;
mod removed;
mod saved;
