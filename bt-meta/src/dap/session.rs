//! One session: what each request of the editor does.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bt_core::trace::What;
use bt_live::client::{Client, Incoming};
use bt_live::protocol::types::*;
use bt_live::protocol::{Call, Event};
use serde_json::{Value, json};

use super::breaks::{Breaks, conditions, data_of, verified};
use super::history::History;
use super::nodes::{Trees, node_at};
use super::values::{BLACKBOARD, PROPERTIES, Shown};
use super::wire::Wire;

/// The one thread.
const THREAD: u64 = 1;

/// The game, once the editor has said which.
struct Game {
    client: Client,
    agent: AgentEntry,
    trees: Trees,
    stop: Option<StopEntry>,
}

impl Game {
    fn call<C: Call>(&mut self, params: C) -> Result<C::Result, String> {
        self.client.call(params).map_err(|error| error.to_string())
    }
}

pub(super) struct Session<W> {
    wire: Wire<W>,
    game: Option<Game>,
    history: History,
    breaks: Breaks,
    shown: Shown,
}

/// What an answer says, or why there is none.
type Answer = Result<Value, String>;

impl<W: Write> Session<W> {
    pub(super) fn new(wire: Wire<W>) -> Session<W> {
        Session {
            wire,
            game: None,
            history: History::default(),
            breaks: Breaks::default(),
            shown: Shown::default(),
        }
    }

    /// Answers a request; whether it was the last.
    pub(super) fn answer(&mut self, request: &Value) -> io::Result<bool> {
        let command = request["command"].as_str().unwrap_or_default();
        let answer = self.done(command, &request["arguments"]);
        let is_done = answer.is_ok();
        self.wire.answer(request, answer)?;
        if !is_done {
            return Ok(false);
        }
        match command {
            "attach" | "launch" => self.wire.event("initialized", json!({}))?,
            "configurationDone" if self.is_recording() => {
                self.history.look_at_start();
                self.stopped("entry", &json!([]))?;
            }
            "stepBack" | "reverseContinue" => self.stopped("step", &json!([]))?,
            "continue" | "next" | "stepIn" | "stepOut" if self.history.is_past() => {
                self.stopped("step", &json!([]))?;
            }
            "disconnect" | "terminate" => {
                self.wire.event("terminated", json!({}))?;
                return Ok(true);
            }
            _ => {}
        }
        Ok(false)
    }

    fn done(&mut self, command: &str, asked: &Value) -> Answer {
        match command {
            "initialize" => Ok(json!({
                "supportsConfigurationDoneRequest": true,
                "supportsConditionalBreakpoints": true,
                "supportsHitConditionalBreakpoints": true,
                "supportsLogPoints": true,
                "supportsFunctionBreakpoints": true,
                "supportsDataBreakpoints": true,
                "supportsSetVariable": true,
                "supportsEvaluateForHovers": true,
                "supportsStepBack": true,
                "supportsLoadedSourcesRequest": true,
            })),
            "attach" | "launch" => self.attach(asked),
            "setBreakpoints" => self.set_breakpoints(asked),
            "setFunctionBreakpoints" => self.set_functions(asked),
            "setDataBreakpoints" => self.set_data(asked),
            "dataBreakpointInfo" => Ok(data_of(asked)),
            "setExceptionBreakpoints" | "configurationDone" | "disconnect" | "terminate" => {
                Ok(json!({}))
            }
            "threads" => {
                let name = self.game()?.agent.name.clone();
                Ok(json!({ "threads": [{ "id": THREAD, "name": name }] }))
            }
            "stackTrace" => self.frames(asked),
            "scopes" => self.scopes(asked),
            "variables" => self.variables(asked),
            "setVariable" => self.set_variable(asked),
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
            _ => Err(format!("this debugger has no request `{command}`")),
        }
    }

    fn game(&mut self) -> Result<&mut Game, String> {
        let none = "no game is attached to: `attach` comes first";
        self.game.as_mut().ok_or_else(|| none.to_owned())
    }

    fn is_recording(&self) -> bool {
        let game = self.game.as_ref();
        game.is_some_and(|game| game.client.welcome().recording)
    }

    fn attach(&mut self, asked: &Value) -> Answer {
        let path = |name: &str| asked[name].as_str().map(PathBuf::from);
        let client = match (path("recording"), path("tokenFile")) {
            (Some(file), _) => Client::open(file),
            (None, Some(file)) => Client::attach(file),
            (None, None) => Client::find(),
        };
        let mut client = client.map_err(|error| error.to_string())?;
        let wanted = asked["agent"].as_str();
        let agent = agent(&mut client, wanted)?;
        let folder = path("trees").unwrap_or_default();
        let trees = Trees::of(&mut client, Path::new(&folder));
        let trees = trees.map_err(|error| error.to_string())?;
        let id = agent.id.clone();
        let followed = client.call(Follow { agent: id });
        followed.map_err(|error| error.to_string())?;
        self.game = Some(Game {
            client,
            agent,
            trees,
            stop: None,
        });
        Ok(json!({}))
    }

    /// Hears what the game says, and tells the editor.
    pub(super) fn look(&mut self) -> io::Result<()> {
        loop {
            let Some(game) = &mut self.game else {
                return Ok(());
            };
            let heard = match game.client.next(Duration::from_millis(1)) {
                Ok(Some(heard)) => heard,
                Ok(None) => return Ok(()),
                Err(error) => {
                    let output = json!({ "category": "important", "output": format!("{error}\n") });
                    self.game = None;
                    self.wire.event("output", output)?;
                    return self.wire.event("terminated", json!({}));
                }
            };
            match heard {
                Incoming::Records(frame) => {
                    let notes = frame
                        .records
                        .iter()
                        .filter_map(|record| match &record.what {
                            What::Note { note, value } if note == "log" => Some(value.to_string()),
                            _ => None,
                        });
                    let notes: Vec<_> = notes.collect();
                    self.history.add(frame.records);
                    for note in notes {
                        let output = format!("{note}\n");
                        self.wire
                            .event("output", json!({ "category": "console", "output": output }))?;
                    }
                }
                Incoming::Event(Event::StopEntry(stop)) if stop.agent == game.agent.id => {
                    let numbers = self.breaks.numbers.iter();
                    let own = numbers.filter(|(id, _)| Some(*id) == stop.breakpoint);
                    let own: Vec<u64> = own.map(|(_, number)| *number).collect();
                    let reason = match (&*stop.why, &*stop.record) {
                        ("breakpoint", "bb_set" | "bb_remove" | "property_set") => {
                            "data breakpoint"
                        }
                        ("breakpoint", _) => "breakpoint",
                        ("requested", _) => "pause",
                        _ => "step",
                    };
                    game.stop = Some(stop);
                    self.history.look_at_now();
                    self.stopped(reason, &json!(own))?;
                }
                Incoming::Event(Event::Continued(gone)) if gone.agent == game.agent.id => {
                    game.stop = None;
                    let body = json!({ "threadId": THREAD, "allThreadsContinued": true });
                    self.wire.event("continued", body)?;
                }
                Incoming::Event(Event::Despawned(gone)) if gone.agent == game.agent.id => {
                    self.game = None;
                    return self.wire.event("terminated", json!({}));
                }
                _ => {}
            }
        }
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

    fn set_breakpoints(&mut self, asked: &Value) -> Answer {
        let path = asked["source"]["path"].as_str();
        let path = path.or(asked["source"]["name"].as_str());
        let path = path.unwrap_or_default().to_owned();
        let game = self.game()?;
        let id = game.agent.id.clone();
        let tree = game.trees.of_file(&path);
        let tree = tree.map(|(tree, is_same)| (tree.clone(), is_same));
        let (mut all, mut shown) = (Vec::new(), Vec::new());
        for wanted in asked["breakpoints"].as_array().into_iter().flatten() {
            let number = self.breaks.number();
            let place = match &tree {
                None => Err("the game runs no tree of this file"),
                Some((_, false)) => {
                    Err("the game runs another text of this tree: save and reload it")
                }
                Some((tree, true)) => {
                    let line = wanted["line"].as_u64().unwrap_or_default();
                    node_at(tree, line).ok_or("no node begins above this line")
                }
            };
            match (place, &tree) {
                (Ok(node), Some((tree, _))) => {
                    let on = BreakpointSpec {
                        on: "enter".to_owned(),
                        tree: Some(tree.name.clone()),
                        idx: Some(node.idx),
                        ..conditions(wanted, &id)
                    };
                    all.push((number, on));
                    shown.push(json!({ "id": number, "verified": true, "line": node.line }));
                }
                (why, _) => {
                    let why = why.err();
                    shown.push(json!({ "id": number, "verified": false, "message": why }));
                }
            }
        }
        self.breaks.lines.retain(|(of, _)| *of != path);
        self.breaks.lines.push((path, all));
        self.place()?;
        Ok(json!({ "breakpoints": shown }))
    }

    fn set_functions(&mut self, asked: &Value) -> Answer {
        let id = self.game()?.agent.id.clone();
        self.breaks.functions.clear();
        for wanted in asked["breakpoints"].as_array().into_iter().flatten() {
            let number = self.breaks.number();
            let spec = BreakpointSpec {
                on: "call".to_owned(),
                name: wanted["name"].as_str().map(str::to_owned),
                ..conditions(wanted, &id)
            };
            self.breaks.functions.push((number, spec));
        }
        self.place()?;
        Ok(verified(&self.breaks.functions))
    }

    fn set_data(&mut self, asked: &Value) -> Answer {
        let id = self.game()?.agent.id.clone();
        self.breaks.data.clear();
        for wanted in asked["breakpoints"].as_array().into_iter().flatten() {
            let number = self.breaks.number();
            let data = wanted["dataId"].as_str().unwrap_or_default();
            let (on, name) = data.split_once(':').unwrap_or(("key", data));
            let spec = BreakpointSpec {
                on: on.to_owned(),
                name: Some(name.to_owned()),
                ..conditions(wanted, &id)
            };
            self.breaks.data.push((number, spec));
        }
        self.place()?;
        Ok(verified(&self.breaks.data))
    }

    /// Gives the game all breakpoints.
    fn place(&mut self) -> Result<(), String> {
        // In a recording they only say where it looks.
        if self.is_recording() {
            return Ok(());
        }
        let breakpoints = self.breaks.all().map(|(_, spec)| spec.clone()).collect();
        let set = self.game()?.call(SetBreakpoints {
            breakpoints,
            stop_all: false,
        })?;
        let numbers = self.breaks.all().map(|(number, _)| *number);
        let ids = set.breakpoints.iter().map(|entry| entry.id);
        self.breaks.numbers = ids.zip(numbers).collect();
        Ok(())
    }

    /// What there is where one looks: now, or in the past.
    fn picture(&mut self) -> Result<AgentPicture, String> {
        let is_past = self.history.is_past() || self.is_recording();
        let past = is_past.then(|| self.history.picture());
        let game = self.game()?;
        let agent = game.agent.id.clone();
        let Some(past) = past else {
            return game.call(GetPicture { agent, at: None });
        };
        let tree = |run: u32| past.trees.get(run as usize).cloned().unwrap_or_default();
        let active = past.active.iter().map(|((run, idx), node)| ActiveNode {
            run: *run,
            tree: tree(*run),
            idx: *idx,
            kind: node.kind.clone(),
            name: node.name.clone(),
        });
        Ok(AgentPicture {
            agent: game.agent.clone(),
            active: active.collect(),
            trees: past.trees.clone(),
            blackboard: past.blackboard.clone(),
            properties: past.properties.clone(),
            ..AgentPicture::default()
        })
    }

    /// The nodes of the frames, the innermost first.
    fn stack(&mut self) -> Result<Vec<ActiveNode>, String> {
        let mut active = self.picture()?.active;
        let past = self.history.last().and_then(|record| record.at.clone());
        let top = match past {
            Some(place) => Some((place.tree().to_owned(), place.idx())),
            None => {
                let stop = self.game()?.stop.clone();
                stop.and_then(|stop| Some((stop.tree?, stop.idx?)))
            }
        };
        if let Some((tree, idx)) = top {
            // Where it stopped is the innermost, be it exited by now.
            let is_top = |node: &ActiveNode| node.tree == tree && node.idx == idx;
            let at = active.iter().position(is_top);
            let node = match at {
                Some(at) => active.remove(at),
                // It is about to be entered, or was exited.
                None => ActiveNode {
                    kind: self.game()?.trees.kind(&tree, idx),
                    tree,
                    idx,
                    ..ActiveNode::default()
                },
            };
            active.push(node);
        }
        active.reverse();
        Ok(active)
    }

    fn frames(&mut self, asked: &Value) -> Answer {
        let stack = self.stack()?;
        let from = asked["startFrame"].as_u64().unwrap_or(0) as usize;
        let most = asked["levels"].as_u64().filter(|levels| *levels > 0);
        let most = most.map_or(usize::MAX, |levels| levels as usize);
        let game = self.game()?;
        let frames = stack.iter().enumerate().skip(from).take(most);
        let frames = frames.map(|(at, node)| {
            let mut frame = game.trees.place(&node.tree, node.idx);
            let words = [&*node.kind, &*node.name].join(" ");
            frame["id"] = (at + 1).into();
            frame["name"] = format!("{} {}", node.idx, words.trim()).into();
            frame
        });
        Ok(json!({ "stackFrames": frames.collect::<Vec<_>>(), "totalFrames": stack.len() }))
    }

    fn scopes(&mut self, asked: &Value) -> Answer {
        let stack = self.stack()?;
        let at = asked["frameId"].as_u64().unwrap_or(1) as usize;
        let node = stack.get(at.saturating_sub(1)).cloned();
        let node = node.unwrap_or_default();
        let said = self.game()?.trees.said(&node.tree, node.idx);
        let number = self.shown.number(&said);
        let mut scopes = vec![
            json!({ "name": "Blackboard", "variablesReference": BLACKBOARD, "expensive": false }),
            json!({ "name": "Properties", "variablesReference": PROPERTIES, "expensive": false }),
        ];
        if number != 0 {
            let name = "Node";
            scopes.push(json!({ "name": name, "variablesReference": number, "expensive": false }));
        }
        Ok(json!({ "scopes": scopes }))
    }

    fn variables(&mut self, asked: &Value) -> Answer {
        let number = asked["variablesReference"].as_u64().unwrap_or_default() as usize;
        let all = match number {
            BLACKBOARD => self.picture()?.blackboard,
            PROPERTIES => self.picture()?.properties,
            _ => return Ok(json!({ "variables": self.shown.parts(number) })),
        };
        let all = all.iter();
        let all: Vec<_> = all
            .map(|(name, value)| self.shown.variable(name, value))
            .collect();
        Ok(json!({ "variables": all }))
    }

    fn set_variable(&mut self, asked: &Value) -> Answer {
        let name = asked["name"].as_str().unwrap_or_default();
        let value = crate::live::value(asked["value"].as_str().unwrap_or_default());
        match asked["variablesReference"].as_u64().unwrap_or_default() as usize {
            BLACKBOARD => self.assign(name, false, value),
            PROPERTIES => self.assign(name, true, value),
            _ => Err("a part of a value is set by setting the whole".to_owned()),
        }
    }

    fn assign(&mut self, name: &str, is_property: bool, value: Value) -> Answer {
        if self.history.is_past() {
            return Err("this is the past: nobody can change it".to_owned());
        }
        let shown = value.to_string();
        let game = self.game()?;
        let agent = game.agent.id.clone();
        let name = name.to_owned();
        if is_property {
            game.call(SetProperty {
                agent,
                property: name,
                value,
            })?;
        } else {
            game.call(SetKey {
                agent,
                key: name,
                value,
            })?;
        }
        Ok(json!({ "value": shown, "result": shown, "variablesReference": 0 }))
    }

    /// `key`, `@property`, `key = value`, `@property = value`, `action(argument, …)`.
    fn evaluate(&mut self, asked: &Value) -> Answer {
        let text = asked["expression"].as_str().unwrap_or_default().trim();
        let is_name = |name: &str| {
            name.chars()
                .all(|it| it.is_alphanumeric() || "_@".contains(it))
        };
        if let Some((name, value)) = text.split_once('=').map(|(a, b)| (a.trim(), b.trim()))
            && is_name(name)
        {
            let (name, is_property) = match name.strip_prefix('@') {
                Some(property) => (property, true),
                None => (name, false),
            };
            return self.assign(name, is_property, crate::live::value(value));
        }
        if let Some((action, args)) = text.split_once('(')
            && let Some(args) = args.strip_suffix(')')
            && is_name(action)
        {
            // A hover calls nothing.
            if asked["context"] == "hover" {
                return Err("a hover calls no action".to_owned());
            }
            let args = serde_json::from_str(&format!("[{args}]"));
            let args = args.map_err(|error| format!("the arguments are no JSON: {error}"))?;
            let game = self.game()?;
            let agent = game.agent.id.clone();
            let action = action.to_owned();
            let called = game.call(CallAction {
                agent,
                action,
                args,
            })?;
            return Ok(json!({ "result": called.outcome, "variablesReference": 0 }));
        }
        let picture = self.picture()?;
        let found = match text.strip_prefix('@') {
            Some(property) => picture.properties.get(property),
            None => picture.blackboard.get(text),
        };
        let found = found.ok_or_else(|| format!("there is no key `{text}`"))?;
        let number = self.shown.number(found);
        Ok(json!({ "result": found.to_string(), "variablesReference": number }))
    }

    fn step(&mut self, how: &str) -> Answer {
        let is_recording = self.is_recording();
        self.shown.clear();
        if self.history.is_past() {
            let breaks = &self.breaks;
            let found = self.history.forward(|record| {
                let place = record.at.as_ref();
                how != "continue" || place.is_some_and(|at| breaks.is_at(at.tree(), at.idx()))
            });
            if found || is_recording {
                if !found {
                    self.history.look_at_end();
                }
                return Ok(json!({ "allThreadsContinued": true }));
            }
            // The end of what is recorded is where the agent stands.
        }
        let game = self.game()?;
        let agent = game.agent.id.clone();
        let stop = game.stop.take();
        let stop = stop.ok_or("the agent is not stopped")?;
        game.call(Step {
            agent,
            number: stop.number,
            step: how.to_owned(),
            tree: None,
            idx: None,
        })?;
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
            false => Err("nothing is recorded yet".to_owned()),
        }
    }
}

/// The agent of that id or name; the only one there is, if none is said.
fn agent(client: &mut Client, wanted: Option<&str>) -> Result<AgentEntry, String> {
    if let Some(name) = wanted {
        return crate::live::find(client, name).map_err(|error| error.to_string());
    }
    let page = client.call(ListAgents::default());
    let mut agents = page.map_err(|error| error.to_string())?.agents;
    match agents.len() {
        1 => Ok(agents.remove(0)),
        0 => Err("the game has no agents".to_owned()),
        _ => Err("the game has several agents: say which, as `agent`".to_owned()),
    }
}
