//! The pages are true: the commands in the book, the trees of the pages about codes. And traces of an agent
//! of this program, explained.

#[path = "../common/mod.rs"]
mod common;

mod codes;
mod commands;
mod explain_run;
#[cfg(unix)]
mod shell;
