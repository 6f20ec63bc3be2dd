//! A port from outside: what clients see and change, and what they cannot do.

mod changing;
mod cutting;
mod debugging;
mod floods;
mod game;
mod generator;
mod leaving;
mod other_language;
mod reading;
mod recordings;
mod requests;
mod security;
mod states;
mod streams;
