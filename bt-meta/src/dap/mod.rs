//! The Debug Adapter Protocol on standard input and output: an editor debugs an agent of a running game, or of a
//! recording, with the trees' files as sources.
//!
//! A session is one agent, and has one thread. Its frames are the active nodes, the innermost first.

mod breaks;
mod history;
mod nodes;
mod session;
mod values;
mod wire;

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::error::Error;
use session::Session;
use wire::Wire;

/// How long the editor and the game wait for each other.
const TURN: Duration = Duration::from_millis(10);

/// Serves one editor until it disconnects.
pub(crate) fn run() -> Result<(), Error> {
    let (sender, requests) = mpsc::channel();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        // The end of the input, or what is no message, ends the session.
        while let Ok(Some(message)) = wire::read(&mut input) {
            if sender.send(message).is_err() {
                return;
            }
        }
    });
    let mut session = Session::new(Wire::new(io::stdout()));
    let cannot = |error: io::Error| Error::failure(format!("cannot write to the editor: {error}"));
    loop {
        match requests.recv_timeout(TURN) {
            Ok(request) => {
                if session.answer(&request).map_err(cannot)? {
                    return Ok(());
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        session.look().map_err(cannot)?;
    }
}
