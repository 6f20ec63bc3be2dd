//! The `bt-studio` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    bt_studio::cli::main()
}
