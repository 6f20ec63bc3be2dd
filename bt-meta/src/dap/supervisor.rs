//! The process between the debug adapter and a game that it starts: it ends the game when the adapter is
//! gone, however the adapter ended.
//!
//! The adapter holds the other end of the supervisor's standard input, and systems close that when a process ends, by
//! `kill -9` too. On Unix the two are a process group of their own, so that what the game has started ends with it. On
//! Linux the game ends with the supervisor as well, should that be killed.

use std::ffi::{OsStr, OsString};
use std::io;
use std::process::{self, Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::say::line;

/// The number of times that the supervisor looks whether the game has ended.
const LOOK: Duration = Duration::from_millis(20);

/// The exit code if the program cannot be run, as shells have it.
pub(super) const NOT_RUN: i32 = 127;

/// The environment variable by which this program knows that it is to supervise another one; with the number of a
/// process, that it is to end with that one.
const ASKED: &str = "BT_META_DAP_SUPERVISE";

/// Makes the command that runs a program under a supervisor.
pub(super) fn supervised(program: &OsStr) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(program).env(ASKED, "");
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    // It ends when its standard input does.
    command.stdin(Stdio::piped());
    Ok(command)
}

/// Ends what a supervisor has left that was killed itself.
#[cfg(unix)]
pub(super) fn end_rest(supervisor: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // Mostly there is nothing left.
    _ = kill_process_group(Pid::from_child(supervisor), Signal::KILL);
}

/// Does nothing: there the program itself is to end what it has started.
#[cfg(not(unix))]
pub(super) fn end_rest(_: &Child) {}

/// Says in words that a program cannot be run.
fn not_run(program: &OsStr, error: &io::Error) -> ! {
    line(format_args!("{}{error}", cannot_run(program)));
    process::exit(NOT_RUN)
}

/// The beginning of the message that a program cannot be run.
pub(super) fn cannot_run(program: &OsStr) -> String {
    format!("cannot run `{}`: ", program.display())
}

/// Does what an adapter asks of this program, if one has started it: then it does not come back.
pub(crate) fn run_if_asked() {
    let Some(asked) = std::env::var_os(ASKED) else {
        return;
    };
    let mut args = std::env::args_os().skip(1);
    let Some(program) = args.next() else { return };
    let args: Vec<_> = args.collect();
    match asked.is_empty() {
        true => supervise(&program, &args),
        false => become_bound(&asked, &program, &args),
    }
}

/// Runs a program until it or standard input ends, and ends with its exit code.
fn supervise(program: &OsStr, args: &[OsString]) -> ! {
    let mut child = match start(program, args) {
        Ok(child) => child,
        Err(error) => not_run(program, &error),
    };
    let (sender, adapter) = mpsc::channel::<()>();
    thread::spawn(move || {
        // Nothing comes, until the other end is closed.
        _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        drop(sender);
    });
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            process::exit(code_of(status));
        }
        if adapter.recv_timeout(LOOK) == Err(RecvTimeoutError::Disconnected) {
            end(&mut child);
        }
    }
}

/// Ends the game, all that it has started, and the supervisor.
fn end(child: &mut Child) -> ! {
    // It may have ended by itself.
    _ = child.kill();
    _ = child.wait();
    #[cfg(unix)]
    {
        use rustix::process::{Signal, getpgrp, getpid, kill_current_process_group};
        // Somebody else's group is left alone.
        if getpgrp() == getpid() {
            _ = kill_current_process_group(Signal::KILL);
        }
    }
    process::exit(0)
}

#[cfg(not(target_os = "linux"))]
fn start(program: &OsStr, args: &[OsString]) -> io::Result<Child> {
    Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .spawn()
}

/// Starts this program again, which binds itself to this process and becomes the game.
#[cfg(target_os = "linux")]
fn start(program: &OsStr, args: &[OsString]) -> io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(program).args(args);
    command.env(ASKED, process::id().to_string());
    command.stdin(Stdio::null()).spawn()
}

/// Nobody asks for that.
#[cfg(not(target_os = "linux"))]
fn become_bound(_: &OsStr, program: &OsStr, args: &[OsString]) -> ! {
    supervise(program, args)
}

/// Becomes the program, which the system ends together with its parent.
#[cfg(target_os = "linux")]
fn become_bound(parent: &OsStr, program: &OsStr, args: &[OsString]) -> ! {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    use std::os::unix::process::CommandExt as _;
    let bound = set_parent_process_death_signal(Some(Signal::KILL));
    let is_there = getppid().is_some_and(|pid| parent == pid.to_string().as_str());
    if bound.is_ok() && !is_there {
        // The parent was gone before.
        process::exit(0);
    }
    let error = Command::new(program).args(args).env_remove(ASKED).exec();
    not_run(program, &error)
}

/// The exit code that stands for how a program ended: 128 and the number of the signal that ended it, as shells have it.
fn code_of(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(1)
}
