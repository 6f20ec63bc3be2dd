//! Fleets over a store in memory, on a clock and a network of the test's own: everything follows from a seed.

mod chaos;
mod inputs;
mod moves;
mod same;
mod saves;
mod world;
