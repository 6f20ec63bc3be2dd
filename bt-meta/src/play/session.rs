//! A play that is on: the tree, its agent, the time and the port. Whoever plays is its host.

use std::any::Any;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::{MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use bt_core::dynamic::{Describe, DynAgent};
use bt_core::trace::JsonLines;
use bt_core::{Mode, Runner, TreeAsset};
use bt_live::port::{AgentsGame, Options, Port, Sources, Texts};

use super::handler::{Player, Seat};
use super::host::Host;
use super::wanted::{TICK, Wanted, assignment, seconds};
use crate::catalogue::Catalogue;
use crate::draw::files::Read;
use crate::error::Error;

/// A play that is on.
pub(super) struct Session {
    sources: Sources<DynAgent>,
    pub(super) runner: Runner<DynAgent>,
    pub(super) agent: DynAgent,
    host: Seat,
    port: Option<Port>,
    pub(super) now: Duration,
    tick: Duration,
    pub(super) until: Option<Duration>,
}

impl Session {
    /// A play of the trees that were read.
    pub(super) fn new(
        catalogue: Catalogue,
        wanted: &Wanted,
        read: &Read,
        host: Seat,
    ) -> Result<Session, Error> {
        let name = agent_name(&read.trees[0], wanted)?;
        let ty =
            Describe::from_catalogue(catalogue, &name).and_then(|it| it.handler(Player).build());
        let ty = ty.map_err(|error| Error::finding(error.to_string()))?;
        let mut texts = Texts::new();
        for (tree, path) in read.trees.iter().zip(&read.paths) {
            let text = crate::read::text(path);
            let text = text.map_err(|error| {
                Error::failure(format!("cannot read {}: {error}", path.display()))
            })?;
            let text = match tree.agent() {
                Some(_) => text,
                None => tree.clone().with_agent(&name).to_json(),
            };
            texts.insert(tree.name().to_owned(), text);
        }
        let sources = Sources::with(ty.trees(), texts).map_err(|problems| {
            Error::findings(problems.iter().map(ToString::to_string).collect())
        })?;
        let runner = Runner::new(sources.trees(), read.trees[0].name());
        let runner = runner.map_err(|error| Error::finding(error.to_string()))?;
        let mode = if wanted.loops { Mode::Loop } else { Mode::Once };
        let agent = DynAgent::new(&ty).with_state(host.clone());
        Ok(Session {
            sources,
            runner: runner.mode(mode).seed(wanted.seed),
            agent,
            host,
            port: None,
            now: Duration::ZERO,
            tick: wanted.tick.max(Duration::from_millis(1)),
            until: wanted.until,
        })
    }

    pub(super) fn start(&mut self, wanted: &Wanted) -> Result<(), Error> {
        for set in &wanted.set {
            let (name, value) = assignment(set).map_err(Error::failure)?;
            let set = self.set(name, value);
            set.map_err(|why| Error::failure(format!("--set {set_as}: {why}", set_as = name)))?;
        }
        if let Some(path) = &wanted.record {
            let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
            let name = self.agent.ty().name();
            let tracer = JsonLines::new(BufWriter::new(file)).of(name);
            self.runner.set_tracer(Some(Box::new(tracer)));
        }
        if wanted.live {
            let game = format!("play {}", self.runner.tree());
            let port = Port::open(Options::new(game));
            let port =
                port.map_err(|error| Error::failure(format!("cannot open a port: {error}")))?;
            self.say(&format!("port: {}\n", port.url()));
            self.port = Some(port);
        }
        self.runner.start();
        Ok(())
    }

    /// The time of the next poll; none if nothing comes by itself.
    pub(super) fn next(&self) -> Option<Duration> {
        if self.runner.has_queued_events() {
            return Some(self.now);
        }
        let wake = self.runner.next_wake()?;
        match wake > self.now {
            true => Some(wake),
            false => Some(self.now.saturating_add(self.tick)),
        }
    }

    pub(super) fn poll(&mut self) {
        let poll = self.runner.poll(&mut self.agent, self.now);
        if self.host().is_over() {
            // Nobody answered the last calls, so what came of them says nothing of the tree.
            return;
        }
        for said in self.runner.take_diagnostics() {
            self.say(&format!("  ! {said}\n"));
        }
        if !self.runner.is_running() {
            let ended = match poll.status {
                bt_core::Status::Success => "success",
                bt_core::Status::Failure => "failure",
                bt_core::Status::Running => "stopped",
            };
            self.say(&format!("{}: {ended}\n", seconds(self.now)));
        }
        self.look();
    }

    /// Lets the tools look that are attached.
    pub(super) fn look(&mut self) {
        if let Some(port) = &mut self.port {
            let agents = [(1, &mut self.agent, &mut self.runner)];
            let mut world = ();
            let game = AgentsGame::new(agents, &mut world, self.now);
            port.poll(&mut game.sources(&mut self.sources));
        }
    }

    pub(super) fn is_over(&self) -> bool {
        !self.runner.is_running() || self.host().is_over()
    }

    /// Waits for the next poll's time.
    pub(super) fn wait(&mut self, speed: f64) {
        let step = self.tick.min(TICK);
        let real = step.div_f64(speed.max(0.001)).min(Duration::from_secs(1));
        thread::sleep(real);
        self.look();
    }

    fn host(&self) -> MutexGuard<'_, dyn Host + 'static> {
        self.host.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn say(&self, text: &str) {
        self.host().say(text);
    }

    /// Sets a key, or a property with an `@`.
    pub(super) fn set(&mut self, name: &str, value: serde_json::Value) -> Result<(), String> {
        match name.strip_prefix('@') {
            Some(property) => {
                let set = self.agent.set(property, value);
                set.map_err(|error| error.to_string())
            }
            None => {
                let key = name.strip_prefix('$').unwrap_or(name);
                let set = self.runner.blackboard().try_set(key, value);
                set.map_err(|error| error.to_string())
            }
        }
    }

    pub(super) fn close(mut self, wanted: &Wanted) -> Result<(), Error> {
        self.host().end();
        if let Some(port) = self.port.take() {
            let agents = [(1, &mut self.agent, &mut self.runner)];
            port.close(&mut AgentsGame::new(agents, &mut (), self.now));
        }
        self.runner.stop(&mut self.agent, self.now);
        let Some(path) = &wanted.record else {
            return Ok(());
        };
        let tracer = self.runner.set_tracer(None);
        let tracer = tracer.map(|tracer| tracer as Box<dyn Any>);
        let lines = tracer.and_then(|tracer| tracer.downcast::<JsonLines<BufWriter<File>>>().ok());
        let written = lines.map_or(Ok(()), |lines| lines.finish().map(drop));
        written.map_err(|error| cannot_write(path, &error))
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::failure(format!("cannot write {}: {error}", path.display()))
}

/// The agent that a tree is for.
fn agent_name(tree: &TreeAsset, wanted: &Wanted) -> Result<String, Error> {
    let name = wanted.agent.as_deref().or(tree.agent());
    name.map(str::to_owned).ok_or_else(|| {
        Error::finding(format!(
            "{} names no agent: write `--agent NAME`",
            wanted.tree.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use bt_core::dynamic::Answer;
    use bt_core::registry::catalogue::PropertyEntry;
    use bt_core::{Context, Exit};
    use serde_json::{Value, json};

    use super::super::host::Call;
    use super::super::wanted::Pace;
    use super::*;
    use crate::draw;

    /// A host that is no terminal: it answers by a rule, and keeps what it hears.
    #[derive(Default)]
    struct Heard {
        lines: Vec<String>,
        is_over: bool,
    }

    impl Host for Heard {
        fn call(&mut self, call: &Call<'_>, _: &Context<'_>) -> Answer {
            self.lines.push(format!("{} {:?}", call.name, call.args));
            match call.name {
                "walk_to" => Answer::after(Duration::from_secs(2), true),
                _ => Answer::success(),
            }
        }

        fn property(&mut self, property: &PropertyEntry) -> Option<Value> {
            self.lines.push(format!("@{}", property.item.name));
            Some(json!(30))
        }

        fn exits(&mut self, name: &str, _: Exit, _: &[Value]) {
            self.lines.push(format!("{name} exits"));
        }

        fn say(&mut self, text: &str) {
            self.lines.push(text.trim().to_owned());
        }

        fn end(&mut self) {
            self.is_over = true;
        }

        fn is_over(&self) -> bool {
            self.is_over
        }
    }

    fn catalogue() -> Catalogue {
        let place = json!({"brief": "", "crate": "game", "file": "src/lib.rs", "line": 1});
        let item = |name: &str, more: Value| {
            let mut item = place.as_object().unwrap().clone();
            item.insert("name".to_owned(), json!(name));
            item.extend(more.as_object().unwrap().clone());
            Value::Object(item)
        };
        let walk = json!({"kind": "action", "result": "async", "async": true, "args": []});
        let sees = json!({"kind": "condition", "result": "bool", "args": []});
        let hp = json!({"type": "uint32", "schema": {"type": "integer", "format": "uint32", "minimum": 0}});
        let guard = json!({"full_name": "guard", "base": "action_agent", "events": [],
            "actions": [item("walk_to", walk)], "conditions": [item("sees_enemy", sees)],
            "properties": [item("hp", hp)]});
        let base = item("action_agent", json!({"full_name": "action_agent"}));
        let all = json!({"schema_version": 1, "agents": [base, item("guard", guard)]});
        serde_json::from_value(all).unwrap()
    }

    #[test]
    fn a_host_without_a_terminal_answers_all_calls() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hunt.json");
        let call = |name: &str| json!({"action_name": name, "action_args": []});
        let tree = json!({"nodes": [
            {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard"}},
            {"idx": 1, "type": "sequence", "children": [2, 3, 4], "extra": {}},
            {"idx": 2, "type": "condition", "children": [], "extra": call("sees_enemy")},
            {"idx": 3, "type": "action", "children": [], "extra": call("walk_to")},
            {"idx": 4, "type": "check", "children": [], "extra": {"if": "@hp < 50"}},
        ]});
        std::fs::write(&path, tree.to_string()).unwrap();
        let wanted = Wanted {
            tree: path.clone(),
            agent: None,
            seed: 0,
            until: None,
            tick: TICK,
            pace: Pace::Step,
            loops: false,
            set: Vec::new(),
            record: None,
            live: false,
        };
        let host = Arc::new(Mutex::new(Heard::default()));
        let read = draw::files::read(&path, true).unwrap();
        let mut session = Session::new(catalogue(), &wanted, &read, host.clone()).unwrap();
        session.start(&wanted).unwrap();
        session.poll();
        assert!(!session.is_over());
        session.now = session.next().unwrap();
        assert_eq!(session.now, Duration::from_secs(2));
        session.poll();
        assert!(session.is_over());
        session.close(&wanted).unwrap();
        let heard = host.lock().unwrap();
        assert_eq!(
            heard.lines,
            ["sees_enemy []", "walk_to []", "@hp", "2s: success"]
        );
        assert!(heard.is_over);
    }
}
