//! The Debug Adapter Protocol on standard input and output: an editor debugs an agent of a running game, or of a
//! recording, with the trees' files as sources.
//!
//! A session is one agent, and has one thread. Its frames are the active nodes, the innermost first.

mod breaks;
mod console;
mod game;
mod history;
mod launch;
mod looks;
mod nodes;
mod session;
mod supervisor;
mod values;
mod wire;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

pub(crate) use supervisor::run_if_asked;

use crate::error::Error;
use session::Session;
use wire::{Message, Wire};

/// The time that the editor and the game wait for each other.
const TURN: Duration = Duration::from_millis(10);

/// The number of the editor's requests that wait.
const REQUESTS: usize = 16;

/// Serves one editor until it disconnects.
pub(crate) fn run() -> Result<(), Error> {
    let (sender, requests) = mpsc::sync_channel(REQUESTS);
    let leaves = Arc::new(AtomicBool::new(false));
    let is_leaving = leaves.clone();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(read) = wire::read(&mut input).transpose() {
            let is_lost = read.is_err();
            let is_last = matches!(&read, Ok(Message::Request(asked))
                if asked["command"] == "disconnect" || asked["command"] == "terminate");
            if is_lost || is_last {
                leaves.store(true, Ordering::Relaxed);
            }
            if sender.send(read).is_err() || is_lost {
                return;
            }
        }
        leaves.store(true, Ordering::Relaxed);
    });
    let mut session = Session::new(Wire::new(io::stdout()), is_leaving);
    let cannot = |error: io::Error| Error::failure(format!("cannot write to the editor: {error}"));
    loop {
        match requests.recv_timeout(TURN) {
            Ok(Ok(Message::Request(request))) => {
                if session.answer(&request).map_err(cannot)? {
                    return Ok(());
                }
            }
            Ok(Ok(Message::Wrong { seq, why })) => session.refuse(seq, &why).map_err(cannot)?,
            Ok(Err(why)) => {
                session.refuse(0, &why).map_err(cannot)?;
                return Err(Error::failure(why));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        session.look().map_err(cannot)?;
    }
}
