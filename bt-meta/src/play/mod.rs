//! A tree played without its game: whoever plays it answers the calls of its agent.

mod answer;
mod commands;
mod console;
mod handler;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use bt_core::dynamic::{Describe, DynAgent};
use bt_core::trace::JsonLines;
use bt_core::{Mode, Runner, TreeAsset};
use bt_live::port::{AgentsGame, Options, Port, Sources, Texts};

use crate::catalogue::Catalogue;
use crate::draw;
use crate::error::Error;
use console::Console;
pub use console::{Lines, lines_of};
use handler::Player;

/// The time between two polls of what runs in every poll.
pub const TICK: Duration = Duration::from_millis(100);

/// The pace of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// Whoever plays says when it continues.
    Step,
    /// So many seconds in one.
    Speed(f64),
    /// As fast as it can.
    Fast,
}

/// The tree that is played, and the way.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The tree's file; those that it calls are beside it.
    pub tree: PathBuf,
    /// The agent; otherwise the one that the tree names.
    pub agent: Option<String>,
    /// The seed of the agent's random stream.
    pub seed: u64,
    /// The time at which it ends.
    pub until: Option<Duration>,
    /// The time between two polls.
    pub tick: Duration,
    /// The pace of the time.
    pub pace: Pace,
    /// True if the tree begins again when it has ended.
    pub loops: bool,
    /// Keys, and properties with an `@`, and their first values as JSON.
    pub set: Vec<String>,
    /// A file for the trace.
    pub record: Option<PathBuf>,
    /// True if tools can attach.
    pub live: bool,
}

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
    let mut session = Session::new(catalogue, wanted, Console::new(lines, out))?;
    session.start(wanted)?;
    session.run(wanted);
    session.close(wanted)
}

/// A play that is on.
struct Session {
    /// For pictures.
    assets: Vec<TreeAsset>,
    sources: Sources<DynAgent>,
    runner: Runner<DynAgent>,
    agent: DynAgent,
    console: Arc<Mutex<Console>>,
    port: Option<Port>,
    now: Duration,
    tick: Duration,
    until: Option<Duration>,
    /// The nodes of the last picture.
    shown: BTreeSet<(String, u32)>,
}

impl Session {
    fn new(catalogue: Catalogue, wanted: &Wanted, console: Console) -> Result<Session, Error> {
        let read = draw::files::read(&wanted.tree, true)?;
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
        let console = Arc::new(Mutex::new(console));
        let agent = DynAgent::new(&ty).with_state(console.clone());
        console
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .trees(&read.trees);
        Ok(Session {
            assets: read.trees,
            sources,
            runner: runner.mode(mode).seed(wanted.seed),
            agent,
            console,
            port: None,
            now: Duration::ZERO,
            tick: wanted.tick.max(Duration::from_millis(1)),
            until: wanted.until,
            shown: BTreeSet::new(),
        })
    }

    fn start(&mut self, wanted: &Wanted) -> Result<(), Error> {
        for set in &wanted.set {
            let (name, value) = commands::assignment(set).map_err(Error::failure)?;
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

    /// Polls until it has ended.
    fn run(&mut self, wanted: &Wanted) {
        let mut goes_to = None;
        loop {
            self.poll();
            if self.is_over() {
                return;
            }
            let next = self.next();
            let waits_for_player = next.is_none();
            let commands = match wanted.pace {
                Pace::Step => goes_to.is_none_or(|to| self.now >= to) || waits_for_player,
                Pace::Speed(_) | Pace::Fast => waits_for_player,
            };
            if commands {
                self.show_if_changed();
                if waits_for_player {
                    self.say(
                        "nothing comes by itself: `fire` an event, `finish` an action, or `quit`\n",
                    );
                }
                match commands::ask(self) {
                    commands::Then::Next => goes_to = None,
                    commands::Then::Go(by) => goes_to = Some(self.now.saturating_add(by)),
                    commands::Then::Quit => return,
                }
            }
            self.now = self.next().unwrap_or(self.now);
            if let Pace::Speed(speed) = wanted.pace {
                self.wait(speed);
            }
            if self.until.is_some_and(|until| self.now > until) {
                self.say(&format!(
                    "{}: the end\n",
                    seconds(self.until.unwrap_or(self.now))
                ));
                return;
            }
        }
    }

    /// The time of the next poll; none if nothing comes by itself.
    fn next(&self) -> Option<Duration> {
        if self.runner.has_queued_events() {
            return Some(self.now);
        }
        let wake = self.runner.next_wake()?;
        match wake > self.now {
            true => Some(wake),
            false => Some(self.now.saturating_add(self.tick)),
        }
    }

    fn poll(&mut self) {
        let poll = self.runner.poll(&mut self.agent, self.now);
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
    fn look(&mut self) {
        if let Some(port) = &mut self.port {
            let agents = [(1, &mut self.agent, &mut self.runner)];
            let mut world = ();
            let game = AgentsGame::new(agents, &mut world, self.now);
            port.poll(&mut game.sources(&mut self.sources));
        }
    }

    fn is_over(&self) -> bool {
        !self.runner.is_running() || self.console().is_over()
    }

    /// Waits for the next poll's time.
    fn wait(&mut self, speed: f64) {
        let step = self.tick.min(TICK);
        let real = step.div_f64(speed.max(0.001)).min(Duration::from_secs(1));
        thread::sleep(real);
        self.look();
    }

    fn console(&self) -> std::sync::MutexGuard<'_, Console> {
        self.console.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, text: &str) {
        self.console().say(text);
    }

    /// The picture, if other nodes are active than in the last one.
    fn show_if_changed(&mut self) {
        let active = self.active();
        if active != self.shown {
            self.show();
        }
    }

    fn active(&self) -> BTreeSet<(String, u32)> {
        let nodes = self.runner.active_nodes().into_iter();
        nodes.map(|node| (node.tree, node.idx)).collect()
    }

    /// The picture: the trees that are active, and the nodes that are.
    fn show(&mut self) {
        self.shown = self.active();
        let mut text = String::new();
        for tree in &self.assets {
            let of_tree = self.shown.iter().filter(|(name, _)| name == tree.name());
            let active: BTreeSet<u32> = of_tree.map(|(_, idx)| *idx).collect();
            if !active.is_empty() {
                text += &draw::outline_marked(tree, &self.assets, &active);
            }
        }
        self.say(&text);
    }

    /// Sets a key, or a property with an `@`.
    fn set(&mut self, name: &str, value: serde_json::Value) -> Result<(), String> {
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

    fn close(mut self, wanted: &Wanted) -> Result<(), Error> {
        self.console().end();
        if let Some(port) = self.port.take() {
            let agents = [(1, &mut self.agent, &mut self.runner)];
            port.close(&mut AgentsGame::new(agents, &mut (), self.now));
        }
        self.runner.stop(&mut self.agent, self.now);
        let Some(path) = &wanted.record else {
            return Ok(());
        };
        let tracer = self.runner.set_tracer(None);
        let tracer = tracer.map(|tracer| tracer as Box<dyn std::any::Any>);
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

/// A time for people.
fn seconds(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    format!("{}s", text.trim_end_matches('0').trim_end_matches('.'))
}
