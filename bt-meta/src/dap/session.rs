//! One session: what each request of the editor does.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use bt_core::trace::What;
use bt_live::client::{Client, Message};
use bt_live::protocol::Event;
use bt_live::protocol::frame::Frame;
use bt_live::protocol::types::*;
use serde_json::{Value, json};

use super::breaks::Breaks;
use super::game::{Game, why};
use super::history::History;
use super::launch::Program;
use super::values::Shown;
use super::wire::Wire;

/// The one thread.
const THREAD: u64 = 1;

/// The time that the game's records are waited for, when the editor needs nothing.
const WAIT: Duration = Duration::from_millis(1);

/// The time that the session listens to the game before it looks whether the editor asks for something.
const GAME_TURN: Duration = Duration::from_millis(20);

pub(super) struct Session<W> {
    wire: Wire<W>,
    /// True if the editor has begun the conversation.
    is_initialized: bool,
    /// True if the editor is leaving: then nothing is waited for.
    is_leaving: Arc<AtomicBool>,
    game: Option<Game>,
    /// The game that the editor has started.
    program: Option<Program>,
    /// The request that is answered when its port is open.
    launch: Option<Value>,
    breaks: Breaks,
    pub(super) history: History,
    pub(super) shown: Shown,
}

/// The body of an answer, or the reason why there is none.
pub(super) type Answer = Result<Value, String>;

impl<W: Write> Session<W> {
    pub(super) fn new(wire: Wire<W>, is_leaving: Arc<AtomicBool>) -> Session<W> {
        Session {
            wire,
            is_initialized: false,
            is_leaving,
            game: None,
            program: None,
            launch: None,
            breaks: Breaks::default(),
            history: History::default(),
            shown: Shown::default(),
        }
    }

    /// Answers what is no request.
    pub(super) fn refuse(&mut self, seq: u64, why: &str) -> io::Result<()> {
        let request = json!({ "seq": seq });
        self.wire.answer(&request, Err(why.to_owned()))
    }

    /// Answers a request; whether it was the last.
    pub(super) fn answer(&mut self, request: &Value) -> io::Result<bool> {
        let command = request["command"].as_str().unwrap_or_default();
        if command == "launch" && self.is_initialized {
            return self.launch(request).map(|()| false);
        }
        let answer = match command {
            "initialize" => self.initialize(&request["arguments"]),
            "disconnect" | "terminate" => Ok(json!({})),
            _ if !self.is_initialized => Err("`initialize` comes first".to_owned()),
            _ => self.done(command, &request["arguments"]),
        };
        let is_done = answer.is_ok();
        if matches!(command, "disconnect" | "terminate")
            && let Some(launch) = self.launch.take()
        {
            let why = "the session ends before the game's port is open";
            self.wire.answer(&launch, Err(why.to_owned()))?;
        }
        self.wire.answer(request, answer)?;
        if !is_done {
            return Ok(false);
        }
        match command {
            "attach" => self.attached()?,
            "configurationDone" if self.is_recording() => {
                self.history.look_at_start();
                self.stopped("entry", &json!([]))?;
            }
            "stepBack" | "reverseContinue" => self.stopped("step", &json!([]))?,
            "continue" | "next" | "stepIn" | "stepOut" if self.history.is_past() => {
                self.stopped("step", &json!([]))?;
            }
            // Behind what is recorded there is nothing more.
            "continue"
                if self
                    .game
                    .as_ref()
                    .is_some_and(|game| game.ended().is_some()) =>
            {
                self.wire.event("terminated", json!({}))?;
            }
            "disconnect" | "terminate" => {
                self.wire.event("terminated", json!({}))?;
                return Ok(true);
            }
            _ => {}
        }
        Ok(false)
    }

    /// Begins the conversation: says what the adapter can.
    fn initialize(&mut self, asked: &Value) -> Answer {
        if self.is_initialized {
            return Err("a session is initialized once".to_owned());
        }
        for begin in ["linesStartAt1", "columnsStartAt1"] {
            if asked[begin] == false {
                return Err(format!(
                    "lines and columns start at 1 here: `{begin}` is true"
                ));
            }
        }
        if asked["pathFormat"].as_str().is_some_and(|it| it != "path") {
            return Err("files are named by their paths here: `pathFormat` is `path`".to_owned());
        }
        self.is_initialized = true;
        Ok(json!({
            "supportsConfigurationDoneRequest": true,
            "supportsConditionalBreakpoints": true,
            "supportsHitConditionalBreakpoints": true,
            "supportsLogPoints": true,
            "supportsFunctionBreakpoints": true,
            "supportsDataBreakpoints": true,
            "supportsSetVariable": true,
            "supportsSetExpression": true,
            "supportsEvaluateForHovers": true,
            "supportsStepBack": true,
            "supportsLoadedSourcesRequest": true,
        }))
    }

    fn done(&mut self, command: &str, asked: &Value) -> Answer {
        match command {
            "attach" => {
                self.is_free()?;
                self.game = Some(Game::attach(asked, self.is_leaving.clone())?);
                Ok(json!({}))
            }
            "setBreakpoints" => {
                let source = &asked["source"];
                let path = source["path"].as_str().or(source["name"].as_str());
                let path = path.unwrap_or_default();
                let game = self.game.as_mut().ok_or(NO_GAME)?;
                self.breaks.set_lines(game, path, points(asked))
            }
            "setFunctionBreakpoints" => {
                let game = self.game.as_mut().ok_or(NO_GAME)?;
                self.breaks.set_functions(game, points(asked))
            }
            "setDataBreakpoints" => {
                let game = self.game.as_mut().ok_or(NO_GAME)?;
                self.breaks.set_data(game, points(asked))
            }
            "dataBreakpointInfo" => self.data_of(asked),
            "setExceptionBreakpoints" | "configurationDone" => Ok(json!({})),
            "threads" => {
                let name = self.game()?.agent.name.clone();
                Ok(json!({ "threads": [{ "id": THREAD, "name": name }] }))
            }
            "stackTrace" => self.frames(asked),
            "scopes" => self.scopes(asked),
            "variables" => self.variables(asked),
            "setVariable" => self.set_variable(asked),
            "setExpression" => self.set_expression(asked),
            "evaluate" => self.evaluate(asked),
            "continue" => self.step("continue"),
            "next" => self.step("over"),
            "stepIn" => self.step("into"),
            "stepOut" => self.step("out"),
            "stepBack" => self.back(|_, _, _| true),
            "reverseContinue" => self.back(Breaks::is_at),
            "pause" => {
                let game = self.game()?;
                let agent = game.agent.id.clone();
                game.call(Break { agent })?;
                Ok(json!({}))
            }
            "source" => {
                let number = asked["sourceReference"].as_u64().unwrap_or_default();
                let text = self.game()?.trees.text(number);
                let text = text.ok_or("there is no such source")?;
                Ok(json!({ "content": text }))
            }
            "loadedSources" => Ok(json!({ "sources": self.game()?.trees.sources() })),
            _ => {
                let command: String = command.chars().take(60).collect();
                Err(format!("this debugger has no request `{command}`"))
            }
        }
    }

    pub(super) fn game(&mut self) -> Result<&mut Game, String> {
        self.game.as_mut().ok_or_else(|| NO_GAME.to_owned())
    }

    /// Returns whether no game was attached to or started yet.
    fn is_free(&self) -> Result<(), String> {
        match self.game.is_none() && self.program.is_none() {
            true => Ok(()),
            false => Err("a session debugs one agent of one game".to_owned()),
        }
    }

    pub(super) fn is_recording(&self) -> bool {
        self.game.as_ref().is_some_and(Game::is_recording)
    }

    /// Tells the editor that it can set its breakpoints, and where the agent is stopped already.
    fn attached(&mut self) -> io::Result<()> {
        self.wire.event("initialized", json!({}))?;
        match self.game.as_ref().is_some_and(|game| game.stop.is_some()) {
            true => self.stopped("pause", &json!([])),
            false => Ok(()),
        }
    }

    /// Starts a game. The answer comes when its port is open.
    fn launch(&mut self, request: &Value) -> io::Result<()> {
        let started = self.is_free();
        match started.and_then(|()| Program::start(&request["arguments"])) {
            Ok(program) => {
                self.program = Some(program);
                self.launch = Some(request.clone());
                Ok(())
            }
            Err(why) => self.wire.answer(request, Err(why)),
        }
    }

    /// Shows what the started game prints, and attaches to it when its port is open.
    fn look_at_program(&mut self) -> io::Result<()> {
        let Some(program) = &mut self.program else {
            return Ok(());
        };
        let ended = program.ended();
        for (category, line) in program.output(ended.is_some()) {
            let output = json!({ "category": category, "output": line });
            self.wire.event("output", output)?;
        }
        if let Some(ended) = ended
            && let Some(why) = program.not_run(ended)
        {
            return self.launched(Err(why));
        }
        match (&self.launch, ended) {
            (None, None) => Ok(()),
            (Some(_), None) => match program.port() {
                None => Ok(()),
                Some(file) => {
                    let client = Client::attach(file);
                    self.launched(client.map_err(|error| error.to_string()))
                }
            },
            (Some(_), Some(ended)) => self.launched(Err(format!(
                "the game has ended before its port was open ({ended}): is it started with one, as by `--live`?"
            ))),
            (None, Some(ended)) => {
                self.program = None;
                let body = json!({ "exitCode": ended.code().unwrap_or(-1) });
                self.wire.event("exited", body)
            }
        }
    }

    /// The game was started, or not: the request that asked for it is answered.
    fn launched(&mut self, client: Result<Client, String>) -> io::Result<()> {
        let Some(request) = self.launch.take() else {
            return Ok(());
        };
        let is_leaving = self.is_leaving.clone();
        match client.and_then(|client| Game::of(client, &request["arguments"], is_leaving)) {
            Ok(game) => {
                self.game = Some(game);
                self.wire.answer(&request, Ok(json!({})))?;
                self.attached()
            }
            Err(why) => {
                self.program = None;
                self.wire.answer(&request, Err(why))
            }
        }
    }

    /// Receives what the game sends, and passes it to the editor.
    pub(super) fn look(&mut self) -> io::Result<()> {
        self.look_at_program()?;
        let until = Instant::now() + GAME_TURN;
        while Instant::now() < until {
            let Some(game) = &mut self.game else {
                return Ok(());
            };
            match game.next(WAIT) {
                Ok(None) => return Ok(()),
                Ok(Some(Message::Records(bytes))) => match Frame::read(&bytes) {
                    Ok(frame) => self.recorded(frame, bytes.len())?,
                    Err(error) => return self.end(error.to_string(), false),
                },
                Ok(Some(Message::Event(event))) => self.on_event(event)?,
                // Of a request that was not waited for until its end, or of a later version.
                Ok(Some(Message::Answer(..))) => {}
                Err(error) => return self.end(why(&error), error.is_closed()),
            }
        }
        Ok(())
    }

    /// The game or the agent is no more. What was recorded can be looked at, unless that was to be expected.
    fn end(&mut self, why: String, is_expected: bool) -> io::Result<()> {
        if let Some(game) = &mut self.game {
            game.end(why.clone());
        }
        if is_expected || !self.history.has_steps() {
            self.say(&why)?;
            return self.wire.event("terminated", json!({}));
        }
        self.say(&format!(
            "{why}; step back through what was recorded, or continue to end the session"
        ))?;
        self.history.look_at_end();
        self.shown.clear();
        let body = json!({
            "reason": "exit",
            "description": "The game has ended",
            "text": why,
            "threadId": THREAD,
            "allThreadsStopped": true,
        });
        self.wire.event("stopped", body)
    }

    /// Keeps records, and prints what logpoints note.
    fn recorded(&mut self, frame: Frame, bytes: usize) -> io::Result<()> {
        let each = bytes / frame.records.len().max(1);
        for record in frame.records {
            let mut note = None;
            if let What::Note { note: name, value } = &record.what
                && name == "log"
            {
                note = value.as_str().map(str::to_owned);
            }
            self.history.add(record, each);
            if let Some(note) = note {
                let text = filled(&note, |key| self.history.key(key));
                let output = json!({ "category": "console", "output": format!("{text}\n") });
                self.wire.event("output", output)?;
            }
        }
        Ok(())
    }

    fn on_event(&mut self, event: Event) -> io::Result<()> {
        let Some(game) = &mut self.game else {
            return Ok(());
        };
        match event {
            Event::StopEntry(stop) if stop.agent == game.agent.id => {
                let number = self.breaks.number_of(stop.breakpoint);
                let reason = match &*stop.why {
                    "breakpoint" if self.breaks.is_on_data(stop.breakpoint) => "data breakpoint",
                    "breakpoint" => "breakpoint",
                    "requested" => "pause",
                    _ => "step",
                };
                game.stop = Some(stop);
                self.history.look_at_now();
                self.stopped(reason, &json!(Vec::from_iter(number)))
            }
            Event::Continued(gone) if gone.agent == game.agent.id => {
                game.stop = None;
                let body = json!({ "threadId": THREAD, "allThreadsContinued": true });
                self.wire.event("continued", body)
            }
            Event::Despawned(gone) if gone.agent == game.agent.id => {
                let why = format!("the agent `{}` is no more", game.agent.name);
                self.end(why, false)
            }
            Event::Reloaded(_) => {
                let reloaded = game.reload();
                let reloaded = reloaded.and_then(|()| self.breaks.relocate(game));
                match reloaded {
                    Ok(points) => {
                        for breakpoint in points {
                            let body = json!({ "reason": "changed", "breakpoint": breakpoint });
                            self.wire.event("breakpoint", body)?;
                        }
                        Ok(())
                    }
                    Err(why) => self.say(&why),
                }
            }
            _ => Ok(()),
        }
    }

    /// Says something that the user should read.
    fn say(&mut self, text: &str) -> io::Result<()> {
        let output = json!({ "category": "important", "output": format!("{text}\n") });
        self.wire.event("output", output)
    }

    fn stopped(&mut self, reason: &str, breakpoints: &Value) -> io::Result<()> {
        self.shown.clear();
        let body = json!({
            "reason": reason,
            "threadId": THREAD,
            "allThreadsStopped": true,
            "hitBreakpointIds": breakpoints,
        });
        self.wire.event("stopped", body)
    }

    fn step(&mut self, how: &str) -> Answer {
        let is_live = self.game()?.is_live();
        self.shown.clear();
        if self.history.is_past() {
            let breaks = &self.breaks;
            let found = self.history.forward(|record| {
                let place = record.at.as_ref();
                how != "continue" || place.is_some_and(|at| breaks.is_at(at.tree(), at.idx()))
            });
            if found || !is_live {
                // Whoever continues behind the end of a game that was ends the session.
                if !found && (how != "continue" || self.is_recording()) {
                    self.history.look_at_end();
                }
                return Ok(json!({ "allThreadsContinued": true }));
            }
            // The end of what is recorded is where the agent stands.
        }
        let game = self.game()?;
        let stop = game.stop.as_ref();
        let number = stop.ok_or("the agent is not stopped")?.number;
        game.call(Step {
            agent: game.agent.id.clone(),
            number,
            step: how.to_owned(),
            tree: None,
            idx: None,
        })?;
        game.stop = None;
        Ok(json!({ "allThreadsContinued": true }))
    }

    /// Looks at an earlier step of what is recorded.
    fn back(&mut self, is_meant: impl Fn(&Breaks, &str, u32) -> bool) -> Answer {
        self.shown.clear();
        let breaks = &self.breaks;
        self.history.back(|record| {
            let place = record.at.as_ref();
            place.is_some_and(|at| is_meant(breaks, at.tree(), at.idx()))
        });
        match self.history.is_past() {
            true => Ok(json!({})),
            false => Err(match self.game()?.ended() {
                None => "nothing is recorded yet".to_owned(),
                Some(why) => format!("{why}, and nothing was recorded"),
            }),
        }
    }
}

const NO_GAME: &str = "no game is attached to: `attach` comes first";

/// The breakpoints of a request.
fn points(asked: &Value) -> &[Value] {
    asked["breakpoints"].as_array().map_or(&[], Vec::as_slice)
}

/// A text with the values of keys in place of `{key}`; what is no key stays as it is.
fn filled<'a>(mut text: &str, key: impl Fn(&str) -> Option<&'a Value>) -> String {
    let mut filled = String::new();
    while let Some((before, rest)) = text.split_once('{') {
        filled.push_str(before);
        let found = rest.split_once('}');
        let found = found.and_then(|(name, after)| Some((key(name.trim())?, after)));
        text = match found {
            Some((value, after)) => {
                filled.push_str(&value.to_string());
                after
            }
            None => {
                filled.push('{');
                rest
            }
        };
    }
    filled + text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_messages_are_filled_with_keys() {
        let (three, text) = (json!(3), json!("a{b}"));
        let key = |name: &str| match name {
            "n" => Some(&three),
            "t" => Some(&text),
            _ => None,
        };
        assert_eq!(
            filled("n is {n}, t is { t }.", key),
            "n is 3, t is \"a{b}\"."
        );
        assert_eq!(filled("{{n}} {m} {", key), "{3} {m} {");
        assert_eq!(filled("", key), "");
    }
}
