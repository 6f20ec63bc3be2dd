//! The `bt-studio` command.

fn main() {}
