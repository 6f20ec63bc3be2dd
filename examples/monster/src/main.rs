//! Plays a scene of agents on their trees, and tells what happens.

mod live;
mod options;
mod play;
mod traces;

use std::io;
use std::process::ExitCode;

use play::Failure;

fn main() -> ExitCode {
    let options = match options::parse(std::env::args_os().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{}", options::HELP);
            return ExitCode::SUCCESS;
        }
        Err(why) => return refuse(&why),
    };
    match play::play(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // Whoever reads has read enough, as `head` has.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Option(why)) => refuse(&why),
        Err(Failure::Output(error)) => fail(&error),
        Err(Failure::Other(error)) => fail(&error),
    }
}

fn refuse(why: &str) -> ExitCode {
    eprintln!("error: {why}\n\nFor more information, try `--help`.");
    ExitCode::from(2)
}

fn fail(why: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::FAILURE
}
