//! Commands between two polls.

use std::time::Duration;

use serde_json::Value;

use super::console::Asked;
use super::session::Session;
use super::terminal::Terminal;
use super::wanted::{assignment, seconds};
use crate::explain::seconds as time;

const HELP: &str = "\
  (nothing)                 continues to what comes next
  go [SECONDS]              continues for a time, or without end
  fire EVENT [JSON]         fires an event, with its parameters as an object or an array
  set NAME=JSON             sets a key, or a property with an `@`
  finish ACTION success     finishes an action that waits; or `failure`
  forget CALL               takes an answer back that was given by `always`
  show                      draws the trees that are active
  why                       explains what the agent waits for
  keys                      lists keys and properties
  quit                      ends
";

/// The way on.
pub(super) enum Then {
    Next,
    Go(Duration),
    Quit,
}

/// Takes commands until one continues.
pub(super) fn ask(terminal: &mut Terminal) -> Then {
    loop {
        terminal
            .session
            .say(&format!("{}> ", seconds(terminal.session.now)));
        let line = loop {
            let asked = terminal.console().answered(Duration::from_millis(20));
            match asked {
                Asked::Line(line) => break line,
                Asked::Over => return Then::Quit,
                Asked::Nothing => terminal.session.look(),
            }
            if terminal.session.is_over() {
                return Then::Quit;
            }
        };
        match command(terminal, &line) {
            Ok(Some(then)) => return then,
            Ok(None) => {}
            Err(why) => terminal.session.say(&format!("  {why}\n")),
        }
    }
}

fn command(terminal: &mut Terminal, line: &str) -> Result<Option<Then>, String> {
    let (word, rest) = match line.split_once(' ') {
        Some((word, rest)) => (word, rest.trim()),
        None => (line, ""),
    };
    match (word, rest) {
        ("", _) | ("step", "") => return Ok(Some(Then::Next)),
        ("go", "") => return Ok(Some(Then::Go(Duration::MAX))),
        ("go", by) => return Ok(Some(Then::Go(time(by)?))),
        ("quit" | "q", _) => return Ok(Some(Then::Quit)),
        ("help" | "?", _) => terminal.session.say(HELP),
        ("show", _) => terminal.show(),
        ("why", _) => terminal.session.say(
            &terminal
                .session
                .runner
                .explain_at(terminal.session.now)
                .to_string(),
        ),
        ("keys", _) => keys(&terminal.session),
        ("fire", event) => return fire(&mut terminal.session, event).map(|()| Some(Then::Next)),
        ("set", set) => {
            let (name, value) = assignment(set)?;
            terminal.session.set(name, value)?;
        }
        ("finish", action) => {
            return finish(&mut terminal.session, action).map(|()| Some(Then::Next));
        }
        ("forget", call) => {
            if terminal.console().always.remove(call).is_none() {
                return Err(format!("`{call}` has no answer that stays"));
            }
        }
        _ => return Err(format!("no command `{word}`: `help` lists them")),
    }
    Ok(None)
}

fn fire(session: &mut Session, event: &str) -> Result<(), String> {
    let (event, params) = match event.split_once(' ') {
        Some((event, params)) => (event, params.trim()),
        None => (event, "null"),
    };
    let params: Value = serde_json::from_str(params).map_err(|_| {
        format!(
            "expected the parameters as JSON, such as `{{\"place\": \"gate\"}}`, found `{params}`"
        )
    })?;
    session.fire(event, &params)
}

fn finish(session: &mut Session, text: &str) -> Result<(), String> {
    let (action, success) = match text.split_once(' ') {
        Some((action, "success" | "s")) => (action, true),
        Some((action, "failure" | "f")) => (action, false),
        Some(_) | None => {
            return Err(format!(
                "expected an action and `success` or `failure`, found `{text}`"
            ));
        }
    };
    match session.runner.finish_pending(action, success) {
        0 => {
            let leaves = session.runner.active_leaves();
            let names: Vec<_> = leaves
                .iter()
                .map(|leaf| format!("`{}`", leaf.name))
                .collect();
            Err(format!(
                "no action `{action}` waits; active are {}",
                names.join(", ")
            ))
        }
        _ => Ok(()),
    }
}

fn keys(session: &Session) {
    let board = session.runner.blackboard();
    let mut text = String::new();
    for (key, value) in board.to_map() {
        text += &format!("  {key} = {value}\n");
    }
    for (property, value) in session.agent.values() {
        text += &format!("  @{property} = {value}\n");
    }
    session.say(&text);
}
