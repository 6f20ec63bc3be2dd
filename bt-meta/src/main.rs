//! The `bt-meta` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    bt_meta::cli::main()
}
