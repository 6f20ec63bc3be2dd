//! A port from outside: what clients see and change, and what they cannot do.

mod changing;
mod debugging;
mod game;
mod other_language;
mod reading;
mod recordings;
mod security;
mod streams;
