//! A tree played without its game: whoever plays it answers the calls of its agent.

mod answer;
mod asking;
mod board;
mod commands;
mod console;
#[cfg(test)]
mod fixture;
mod handler;
mod host;
mod recorder;
mod session;
mod terminal;
mod wanted;

use std::io::Write;

use crate::catalogue::Catalogue;
use crate::error::Error;
pub use board::{Board, Card, WAIT, first_value, type_words};
use console::Console;
pub use console::{Lines, lines_of};
pub use handler::Seat;
pub use host::{Call, Host};
pub use session::Session;
use terminal::Terminal;
use wanted::seconds;
pub use wanted::{Pace, Played, TICK, Wanted, for_agent};

/// Plays a tree: questions and pictures go to `out`, answers and commands come from `lines`.
///
/// # Errors
/// Findings for everything that is wrong with the trees, a failure for a file that cannot be read or written.
pub fn play(
    catalogue: Catalogue,
    wanted: &Wanted,
    lines: Lines,
    out: Box<dyn Write + Send>,
) -> Result<(), Error> {
    let mut terminal = Terminal::new(catalogue, wanted, Console::new(lines, out))?;
    terminal.start(wanted)?;
    run(&mut terminal, wanted);
    terminal.close(wanted)
}

/// Polls until it has ended.
fn run(terminal: &mut Terminal, wanted: &Wanted) {
    let mut goes_to = None;
    loop {
        terminal.session.poll();
        if terminal.session.is_over() {
            return;
        }
        let next = terminal.session.next();
        let waits_for_player = next.is_none();
        let commands = match wanted.pace {
            Pace::Step => goes_to.is_none_or(|to| terminal.session.now >= to) || waits_for_player,
            Pace::Speed(_) | Pace::Fast => waits_for_player,
        };
        if commands {
            terminal.show_if_changed();
            if waits_for_player {
                terminal.session.say(
                    "nothing comes by itself: `fire` an event, `finish` an action, or `quit`\n",
                );
            }
            match commands::ask(terminal) {
                commands::Then::Next => goes_to = None,
                commands::Then::Go(by) => goes_to = Some(terminal.session.now.saturating_add(by)),
                commands::Then::Quit => return,
            }
        }
        if let Pace::Speed(speed) = wanted.pace {
            terminal.session.wait(speed);
        }
        terminal.session.now = terminal.session.next().unwrap_or(terminal.session.now);
        if let Some(until) = wanted.until.filter(|until| terminal.session.now > *until) {
            let said = format!("{}: the end\n", seconds(until));
            return terminal.session.say(&said);
        }
    }
}
