//! A running agent is saved and restored: it goes on as if nothing had happened.

mod binary;
mod blackboard;
mod cancelling;
mod control;
mod events;
mod explained;
mod format;
mod guards;
mod hostile;
mod keeper;
mod nodes;
mod process;
mod random;
mod refused;
mod replaced;
mod restarted;
mod resumed;
mod times;
pub(crate) mod twins;
