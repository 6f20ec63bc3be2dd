//! Fleets over real servers: one, and a cluster of three. Slow, because servers elect leaders in their own time.
//!
//! They need `nats-server` in the path or in `BT_NATS_SERVER`, and say so where it is not.

mod servers;
mod store;
mod world;
