//! Agents in an app without a window: one program, because linking Bevy takes seconds.

mod agents;
mod logged;
mod play;

mod events;
mod exits;
mod exported;
mod files;
mod mistakes;
mod page;
mod parts;
mod port;
mod rounds;
mod saved;
