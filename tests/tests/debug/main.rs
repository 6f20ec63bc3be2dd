//! Agents that a debugger stops, and what it changes: each test is a sentence of the book's page “Debugging”.

mod breakpoints;
mod breakpoints_on_properties;
mod control;
mod forced;
mod harness;
mod pool;
mod profile;
mod properties;
mod saved;
mod steps;
