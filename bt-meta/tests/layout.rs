//! The content of the files, from a catalogue made by hand.

mod common;
