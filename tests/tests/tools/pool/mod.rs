//! Pools: a round polls who is due and nobody else, whatever wakes it and however it is divided.

mod ants;
mod floods;
mod rounds;
mod same;
mod saved;
mod seeds;
mod wakes;
