//! A tree that is played: the thread that has its time, its requests, and what the page sees of it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use bt_core::TreeAsset;
use bt_core::registry::catalogue::{MethodEntry, ValueEntry};
use bt_live::port::Texts;
use bt_live::protocol::envelope::Id;
use bt_meta::catalogue::Catalogue;
use bt_meta::mentions::{ThingKind, mentions};
use bt_meta::play::{Board, Played, first_value, type_words};
use serde_json::Value;

use crate::games::News;
use crate::project::door::{AsFailure as _, Place};
use crate::protocol::{
    Done, Failure, PlayCard, PlayEvent, PlayMethod, PlayPace, PlayScenario, PlayState, PlayValue,
    Request,
};
use crate::studio::{Message as ToStudio, answer};

/// The time between two looks at what tools want.
const LOOK: Duration = Duration::from_millis(10);

/// The time between two messages to pages.
const NEWS: Duration = Duration::from_millis(50);

/// The most seconds in one.
const FASTEST: f64 = 1_000.0;

/// The number of events, properties and methods that are shown.
const SHOWN: usize = 500;

/// The agent whose methods are real.
pub(crate) const REAL: &str = "action_agent";

/// A message to a play.
pub(crate) enum ToPlay {
    /// The session that shows it.
    Session(u32),
    /// The port has its breakpoints, so it begins.
    Begin,
    /// A page asks for something.
    Asked {
        client: u64,
        id: Id,
        request: Box<Request>,
    },
    /// A page wants it to be saved as a scenario.
    Save {
        client: u64,
        id: Id,
        place: Place,
        shown: String,
        /// The path of the tree from the scenario's folder.
        tree: String,
    },
    /// The trees as they are edited now.
    Trees(Texts),
}

/// A play, as the studio knows it. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Handle {
    pub(crate) to: Sender<ToPlay>,
    /// The token file of its port.
    pub(crate) token_file: PathBuf,
    /// The path of its tree.
    pub(crate) path: String,
    pub(crate) agent: String,
    /// The texts that it got last.
    pub(crate) texts: Texts,
}

/// Starts a play of the tree at a path.
pub(crate) fn start(
    catalogue: Catalogue,
    played: Played,
    path: String,
    studio: Sender<ToStudio>,
) -> Result<Handle, Failure> {
    let (agent, texts) = (played.agent.clone(), played.texts.clone());
    let mut board = Board::new(catalogue, played).map_err(Failure::refused)?;
    let port = board.open_port();
    let port = port.map_err(|error| Failure::refused(format!("cannot open a port: {error}")))?;
    let token_file = port.token_file().to_owned();
    let (to, inbox) = channel();
    let uses = Uses::of(&board, &texts);
    let mut play = Play {
        board,
        studio,
        session: None,
        pace: PlayPace::Pause,
        speed: 1.0,
        passed: Instant::now(),
        uses,
        wrong: None,
        sent: None,
    };
    let name = "studio play".to_owned();
    let spawned = thread::Builder::new().name(name);
    let spawned = spawned.spawn(move || play.run(&inbox));
    spawned.map_err(|error| Failure::refused(format!("cannot start a thread: {error}")))?;
    Ok(Handle {
        to,
        token_file,
        path,
        agent,
        texts,
    })
}

/// A play on its thread.
struct Play {
    board: Board,
    studio: Sender<ToStudio>,
    session: Option<u32>,
    pace: PlayPace,
    speed: f64,
    /// The moment up to which real time has passed in the play.
    passed: Instant,
    uses: Uses,
    wrong: Option<String>,
    sent: Option<PlayState>,
}

impl Play {
    fn run(&mut self, inbox: &Receiver<ToPlay>) {
        let mut next_news = Instant::now();
        loop {
            match inbox.recv_timeout(LOOK) {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => {}
                // The board closes its port as it is dropped.
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.board.look();
            self.pass();
            let now = Instant::now();
            if now >= next_news {
                next_news = now + NEWS;
                self.tell();
            }
        }
    }

    /// Lets the time pass that has passed.
    fn pass(&mut self) {
        let now = Instant::now();
        let real = now.duration_since(self.passed);
        self.passed = now;
        if self.board.is_stopped() {
            return self.board.resume();
        }
        if !self.board.has_begun() {
            return;
        }
        match self.pace {
            PlayPace::Pause | PlayPace::Step => {}
            PlayPace::Run => {
                let to = self.board.session().now() + real.mul_f64(self.speed);
                self.board.pass(to);
            }
            PlayPace::Fast => self.board.run(),
        }
    }

    /// Makes the first poll, unless it was made.
    fn begin(&mut self) {
        if !self.board.has_begun() {
            self.board.begin();
        }
    }

    fn take(&mut self, message: ToPlay) {
        match message {
            ToPlay::Session(session) => self.session = Some(session),
            ToPlay::Begin => self.begin(),
            ToPlay::Trees(texts) => {
                self.wrong = self.board.replace(texts.clone()).err();
                if self.wrong.is_none() {
                    self.uses = Uses::of(&self.board, &texts);
                }
            }
            ToPlay::Save {
                client,
                id,
                place,
                shown,
                tree,
            } => {
                let text = self.board.scenario(&tree);
                let written = place.write(text.as_bytes());
                let written = written.map_err(|why| why.unwritten(&shown));
                self.answer(client, id, written.map(|()| PlayScenario { text }));
            }
            ToPlay::Asked {
                client,
                id,
                request,
            } => match *request {
                Request::GetPlay(_) => {
                    let state = self.state();
                    self.answer(client, id, Ok(state));
                }
                Request::GetPlayScenario(_) => {
                    let tree = self.board.session().runner().tree();
                    let tree = tree.rsplit('/').next().unwrap_or(tree);
                    let text = self.board.scenario(tree);
                    self.answer(client, id, Ok(PlayScenario { text }));
                }
                request => {
                    self.begin();
                    let done = self.done(request).map(|()| Done {});
                    self.tell();
                    self.answer(client, id, done.map_err(Failure::refused));
                }
            },
        }
    }

    /// Does what changes the play.
    fn done(&mut self, request: Request) -> Result<(), String> {
        match request {
            Request::SetPlayPace(asked) => {
                let speed = asked.speed.unwrap_or(1.0);
                if !(speed > 0.0 && speed <= FASTEST) {
                    return Err(format!(
                        "expected a speed above 0 and up to {FASTEST}, found {speed}"
                    ));
                }
                self.speed = speed;
                self.pace = asked.pace;
                self.passed = Instant::now();
                if asked.pace == PlayPace::Step {
                    self.pace = PlayPace::Pause;
                    self.board.step();
                }
                Ok(())
            }
            Request::AnswerPlay(asked) => self.board.set_answer(&asked.method, &asked.answer),
            Request::FinishPlay(asked) => self.board.finish(asked.card.into(), asked.success),
            Request::SetInPlay(asked) => self.board.set(&asked.name, asked.value),
            Request::FirePlay(asked) => self.board.fire(&asked.event, asked.params),
            Request::RestartPlay(_) => {
                self.board.begin_anew();
                Ok(())
            }
            _ => Err("this is not for a play".to_owned()),
        }
    }

    fn answer<T: serde::Serialize>(&self, client: u64, id: Id, result: Result<T, Failure>) {
        let text = answer(Some(id), result);
        _ = self.studio.send(ToStudio::Game(News::Tell(client, text)));
    }

    /// Tells all pages how the play is, if that has changed.
    fn tell(&mut self) {
        if self.session.is_none() {
            return;
        }
        let state = self.state();
        if self.sent.as_ref() != Some(&state) {
            self.sent = Some(state.clone());
            let news = News::TellAll(Box::new(crate::protocol::Event::PlayState(state)));
            _ = self.studio.send(ToStudio::Game(news));
        }
    }

    fn state(&self) -> PlayState {
        let info = self.board.info();
        let method = |name: &str| info.action(name).ok().map(|found| found.entry);
        let called = self.board.called();
        let names = self.uses.methods.union(&called).take(SHOWN);
        let methods = names.filter_map(|name| {
            let entry = method(name)?;
            Some(PlayMethod {
                name: name.clone(),
                kind: entry.kind.word().to_owned(),
                result: serde_json::to_value(entry.result).unwrap_or_default(),
                answer: self.board.answer(entry),
                brief: entry.item.brief.clone(),
            })
        });
        let cards = self.board.cards().iter().map(|card| PlayCard {
            card: u32::try_from(card.number).unwrap_or(u32::MAX),
            name: card.leaf.name.clone(),
            args: named(method(&card.leaf.name), &card.args),
            tree: card.leaf.tree.clone(),
            idx: card.leaf.idx,
            since: Duration::from_nanos(card.leaf.wait.since).as_secs_f64(),
        });
        let (methods, cards) = (methods.collect(), cards.collect());
        let events = self.uses.events.clone();
        let waits = self.board.next().is_none();
        let said = self.board.said();
        let session = self.board.session();
        let values = session.agent().values();
        let properties = self.uses.properties.iter();
        let properties = properties.map(|(name, ty)| PlayValue {
            name: name.clone(),
            value: values.get(name).cloned().unwrap_or_default(),
            ty: ty.clone(),
        });
        let (properties, runner) = (properties.collect(), session.runner());
        let over = match (runner.is_running(), runner.result()) {
            (true, _) => None,
            (false, _) if !self.board.has_begun() => None,
            (false, Some(true)) => Some("success"),
            (false, Some(false)) => Some("failure"),
            (false, None) => Some("stopped"),
        };
        PlayState {
            session: self.session.unwrap_or_default(),
            agent: session.number().to_string(),
            tree: runner.tree().to_owned(),
            now: session.now().as_secs_f64(),
            pace: self.pace,
            speed: self.speed,
            over: over.map(str::to_owned),
            waits,
            cards,
            methods,
            properties,
            events,
            said,
            wrong: self.wrong.clone(),
        }
    }
}

/// The names that the trees use of the agent.
struct Uses {
    methods: BTreeSet<String>,
    /// With their types, for people.
    properties: Vec<(String, String)>,
    events: Vec<PlayEvent>,
}

impl Uses {
    fn of(board: &Board, texts: &Texts) -> Uses {
        let info = board.info();
        let (mut methods, mut used) = (BTreeSet::new(), BTreeSet::new());
        for (name, text) in texts {
            let Ok(tree) = TreeAsset::from_slice(name, text.as_bytes()) else {
                continue;
            };
            for mention in mentions(&tree, Some(info)) {
                if mention.kind == ThingKind::Action
                    && let Ok(found) = info.action(&mention.name)
                    && found.agent.full_name() != REAL
                {
                    methods.insert(found.entry.item.name.clone());
                } else if mention.kind == ThingKind::Property
                    && let Ok(found) = info.property(&mention.name)
                {
                    let entry = found.entry;
                    used.insert((entry.item.name.clone(), type_words(&entry.ty)));
                }
            }
        }
        let events = info
            .events()
            .into_iter()
            .take(SHOWN)
            .map(|event| PlayEvent {
                name: event.item.name.clone(),
                params: first_values(&event.params),
            });
        Uses {
            methods,
            properties: used.into_iter().take(SHOWN).collect(),
            events: events.collect(),
        }
    }
}

fn first_values(params: &[ValueEntry]) -> Vec<PlayValue> {
    let first = params.iter().map(|param| PlayValue {
        name: param.name.clone(),
        value: first_value(&param.ty),
        ty: type_words(&param.ty),
    });
    first.collect()
}

fn named(method: Option<&MethodEntry>, args: &[Value]) -> Vec<PlayValue> {
    let entries = method.map_or(&[][..], |method| &method.args);
    let all = entries.iter().zip(args).map(|(entry, value)| PlayValue {
        name: entry.name.clone(),
        value: value.clone(),
        ty: entry.ty.type_name.clone(),
    });
    all.collect()
}
