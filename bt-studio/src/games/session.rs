//! A session: its thread, and what it is attached to.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use bt_live::client::Client;
use bt_live::protocol::envelope::Id;
use bt_live::protocol::types::AgentEntry;
use bt_live::recording::Recording;
use serde::Serialize;
use serde_json::json;

use super::filter::Filter;
use super::history::History;
use super::link::{Link, connect_later};
use super::listen::Listener;
use super::log_rows::{Nodes, Rows};
use super::points::Points;
use super::port_calls::PortCall;
use super::reload::Reloads;
use super::requests::Searching;
use super::save::Saving;
use super::table::Table;
use super::{Handle, News, Source, ToSession};
use crate::project::door::{AsFailure as _, Place, Refusal};
use crate::protocol::{self, Failure, Followed, SessionState, StoredBreakpoint};
use crate::studio::{Message as ToStudio, answer};

/// The time of one slice of long work before the session looks for requests.
const SLICE: Duration = Duration::from_millis(8);

/// The number of times that pages hear of news.
const NEWS: Duration = Duration::from_millis(50);

/// The time that a history is kept which no page follows.
const KEPT: Duration = Duration::from_secs(60);

/// A session.
pub(super) struct Session {
    pub(super) about: protocol::Session,
    /// The last message to the studio.
    pub(super) sent: Option<protocol::Session>,
    pub(super) source: Source,
    studio: Sender<ToStudio>,
    own: Sender<ToSession>,
    waiting: Arc<AtomicUsize>,
    /// It is gone when the session is.
    pub(super) alive: Arc<()>,
    pub(super) link: Option<Link>,
    /// The token file, and what it said, of the run of the game that there was last.
    pub(super) last_run: Option<(PathBuf, String)>,
    /// True if the game was started anew since.
    pub(super) is_other_run: bool,
    pub(super) file: Option<Client>,
    pub(super) listener: Option<Listener>,
    pub(super) histories: BTreeMap<String, History>,
    pub(super) entries: BTreeMap<String, AgentEntry>,
    /// The followers of an agent before the game was started anew.
    pub(super) before: BTreeMap<String, BTreeSet<u64>>,
    pub(super) filters: VecDeque<Filter>,
    pub(super) next_filter: u32,
    pub(super) searches: Vec<Searching>,
    pub(super) table: Table,
    pub(super) reloads: Reloads,
    /// The texts of trees that were shown, to save them with a history.
    pub(super) texts: BTreeMap<String, String>,
    pub(super) points: Points,
    pub(super) nodes: Nodes,
    /// The rows that are posted, by entity.
    pub(super) posts: BTreeMap<String, Rows>,
    pub(super) saving: Option<Saving>,
    /// True if files are written.
    pub(super) writes: bool,
    /// The recording or the log.
    pub(super) place: Option<Place>,
    awaited: Vec<(u64, Id)>,
    next_news: Instant,
    pub(super) next_pulse: Instant,
}

/// The start of a session.
pub(crate) struct Start {
    pub(crate) id: u32,
    pub(crate) source: Source,
    pub(crate) studio: Sender<ToStudio>,
    /// The breakpoints, and whether a stop at one stops all.
    pub(crate) breakpoints: (Vec<StoredBreakpoint>, bool),
    /// The nodes of the project's trees: logs name them by number alone.
    pub(crate) nodes: Nodes,
    /// True if comments are written beside files.
    pub(crate) writes: bool,
    /// The recording or the log.
    pub(crate) file: Option<Place>,
}

/// Starts a session; whoever waits for it gets it as an answer.
pub(crate) fn start(begin: Start) -> Handle {
    let (own, inbox) = channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let handle = Handle::new(begin.source.clone(), own.clone(), Arc::clone(&waiting));
    let studio = begin.studio.clone();
    let id = begin.id;
    let run = move || {
        let mut session = Session::new(begin, own, waiting);
        session.run(&inbox);
    };
    let name = format!("studio session {id}");
    if thread::Builder::new().name(name).spawn(run).is_err() {
        _ = studio.send(ToStudio::Game(News::Over(id)));
    }
    handle
}

impl Session {
    fn new(begin: Start, own: Sender<ToSession>, waiting: Arc<AtomicUsize>) -> Session {
        Session {
            about: protocol::Session {
                id: begin.id,
                kind: begin.source.kind(),
                title: begin.source.title(),
                since: now(),
                speed: 1.0,
                read_only: !matches!(begin.source, Source::Game(_)),
                ..protocol::Session::default()
            },
            sent: None,
            source: begin.source,
            studio: begin.studio,
            own,
            waiting,
            alive: Arc::new(()),
            link: None,
            last_run: None,
            is_other_run: false,
            file: None,
            listener: None,
            histories: BTreeMap::new(),
            entries: BTreeMap::new(),
            before: BTreeMap::new(),
            filters: VecDeque::new(),
            next_filter: 1,
            searches: Vec::new(),
            table: Table::default(),
            reloads: Reloads::default(),
            texts: BTreeMap::new(),
            points: Points::of(begin.breakpoints),
            nodes: begin.nodes,
            posts: BTreeMap::new(),
            saving: None,
            writes: begin.writes,
            place: begin.file,
            awaited: Vec::new(),
            next_news: Instant::now(),
            next_pulse: Instant::now(),
        }
    }

    fn run(&mut self, inbox: &Receiver<ToSession>) {
        if let Err(why) = self.open() {
            return self.give_up(inbox, &why);
        }
        loop {
            let wait = match (&self.link, self.has_work()) {
                (_, true) | (Some(_), _) => Duration::ZERO,
                _ => NEWS,
            };
            let first = match wait.is_zero() {
                true => inbox.try_recv().ok(),
                false => match inbox.recv_timeout(wait) {
                    Ok(message) => Some(message),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return,
                },
            };
            let mut messages = first.into_iter().chain(inbox.try_iter());
            // What comes all the time does not keep it from the rest.
            let until = Instant::now() + SLICE;
            while Instant::now() < until
                && let Some(message) = messages.next()
            {
                match message {
                    ToSession::Detach => {
                        self.free_all();
                        return self.give_up(inbox, "the session was detached");
                    }
                    ToSession::Connected(Err(error)) if self.sent.is_none() => {
                        return self.give_up(inbox, &error.to_string());
                    }
                    message => self.take(message),
                }
            }
            drop(messages);
            self.listen();
            self.work(Instant::now() + SLICE);
            self.catch_up();
        }
    }

    /// Opens what the session is of. A running game takes its time, and is reached on another thread.
    fn open(&mut self) -> Result<(), String> {
        match self.source.clone() {
            Source::Game(token_file) => {
                let (own, alive) = (self.own.clone(), Arc::downgrade(&self.alive));
                connect_later(token_file, false, own, alive).map_err(|error| error.to_string())
            }
            Source::Recording(path) => self.open_recording(&path),
            Source::Log(path) => self.open_log(&path),
            Source::Listen(port) => self.listen_at(port),
        }
        .map(|()| {
            if !matches!(self.source, Source::Game(_)) {
                self.is_there();
            }
        })
    }

    fn open_recording(&mut self, path: &Path) -> Result<(), String> {
        let file = self.opened(path)?;
        let mut client = Client::of_recording(file).map_err(|error| error.to_string())?;
        self.welcome(client.welcome().clone());
        if let Some(recording) = client.recording() {
            for (id, entry) in &recording.agents {
                self.entries.insert(id.to_string(), entry.clone());
            }
            self.texts.clone_from(&recording.about.texts);
        }
        self.about.agents = self.entries.len() as u32;
        self.file = Some(client);
        Ok(())
    }

    /// The file of the session.
    pub(super) fn opened(&self, path: &Path) -> Result<File, String> {
        let place = self.place.clone().unwrap_or_else(|| Place::of(path));
        let unread = |why: Refusal| why.unread(&path.display().to_string()).message;
        place.open().map_err(unread)
    }

    /// It cannot be opened, or ends: whoever asks hears why.
    fn give_up(&mut self, inbox: &Receiver<ToSession>, why: &str) {
        let failure = || Failure::refused(why);
        for (client, id) in std::mem::take(&mut self.awaited) {
            self.answer::<()>(client, &id, Err(failure()));
        }
        if let Some(link) = self.link.take() {
            self.about.why = Some(why.to_owned());
            for ask in link.end() {
                self.fail(ask);
            }
        }
        self.say(News::Over(self.about.id));
        // Who asks until the studio knows that hears it as well.
        for message in inbox {
            match message {
                ToSession::Awaited { client, id }
                | ToSession::Asked { client, id, .. }
                | ToSession::Save { client, id, .. } => {
                    self.answer::<()>(client, &id, Err(failure()));
                }
                ToSession::Forgotten => return,
                ToSession::Left(_)
                | ToSession::Breakpoints(..)
                | ToSession::Saved { .. }
                | ToSession::Connected(_)
                | ToSession::Posted(_)
                | ToSession::Detach => {}
            }
        }
    }

    fn take(&mut self, message: ToSession) {
        match message {
            ToSession::Asked {
                client,
                id,
                request,
            } => {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                self.asked(client, id, *request);
            }
            ToSession::Awaited { client, id } => match self.sent {
                Some(_) => self.say(News::Opened(self.about.id, client, id)),
                None => self.awaited.push((client, id)),
            },
            ToSession::Left(client) => self.left(client),
            ToSession::Breakpoints(all, stop_all) => {
                self.points = Points::of((all, stop_all));
                self.set_breakpoints();
            }
            ToSession::Saved { tree, trees } => self.saved(tree, trees),
            ToSession::Connected(Ok(connected)) => self.connected(connected),
            ToSession::Connected(Err(error)) => self.lost(&error.to_string()),
            ToSession::Posted(posted) => self.posted(posted),
            ToSession::Save {
                client,
                id,
                place,
                shown,
                agents,
            } => {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                self.save(client, id, place, shown, agents);
            }
            ToSession::Detach | ToSession::Forgotten => {}
        }
    }

    /// The session is there: whoever waits for it gets it.
    pub(super) fn is_there(&mut self) {
        self.tell_state();
        for (client, id) in std::mem::take(&mut self.awaited) {
            self.say(News::Opened(self.about.id, client, id));
        }
    }

    /// Returns true if there is something that takes long to do.
    pub(super) fn has_work(&self) -> bool {
        !self.searches.is_empty()
            || self.histories.values().any(|it| !it.is_complete())
            || self.filters.iter().any(|filter| {
                let history = self.histories.get(&filter.asked.agent);
                history.is_some_and(|history| filter.has_work(history))
            })
    }

    /// Does some of what takes long.
    fn work(&mut self, until: Instant) {
        let mut file = self.file.as_mut().and_then(Client::recording);
        for history in self.histories.values_mut() {
            if let Some(file) = file.as_deref_mut()
                && !history.is_complete()
                && let Err(error) = history.read_on(file, until)
            {
                self.about.why = Some(error.to_string());
                self.about.state = SessionState::Ended;
            }
        }
        for filter in &mut self.filters {
            if let Some(history) = self.histories.get_mut(&filter.asked.agent)
                && filter.has_work(history)
            {
                // What cannot be read is not found.
                _ = filter.look_on(history, file.as_deref_mut(), until);
            }
        }
        self.search_on(until);
    }

    /// Does what is due.
    fn catch_up(&mut self) {
        let now = Instant::now();
        if self.link.is_some() {
            self.look_after_game(now);
        }
        self.look_after_reloads(now);
        if now >= self.next_news {
            self.next_news = now + NEWS;
            self.tell_news();
            // A game that was not reached yet is no session.
            if self.sent.is_some() {
                self.tell_state();
            }
            self.forget_unfollowed();
        }
    }

    fn tell_news(&mut self) {
        let mut all = Vec::new();
        for history in self.histories.values_mut() {
            if !std::mem::take(&mut history.is_news) {
                continue;
            }
            let event = protocol::Event::History(history.shown());
            all.extend(history.followers.iter().map(|page| (*page, event.clone())));
        }
        for filter in &mut self.filters {
            if let Some(history) = self.histories.get(&filter.asked.agent)
                && std::mem::take(&mut filter.is_news)
            {
                let event = protocol::Event::Filtered(filter.shown(history));
                all.push((filter.client, event));
            }
        }
        for (page, event) in all {
            let text = crate::studio::written(&event);
            self.say(News::Tell(page, text));
        }
    }

    pub(super) fn follows_changed(&mut self) {
        let all = self.histories.values().map(|history| Followed {
            agent: history.agent.clone(),
            name: history.name.clone(),
            live: history.live,
        });
        self.about.followed = all.collect();
    }

    /// Tells the studio how the session stands, if that has changed.
    pub(super) fn tell_state(&mut self) {
        if self.sent.as_ref() != Some(&self.about) {
            self.sent = Some(self.about.clone());
            self.say(News::State(Box::new(self.about.clone())));
        }
    }

    fn left(&mut self, client: u64) {
        for history in self.histories.values_mut() {
            if history.followers.remove(&client) && history.followers.is_empty() {
                history.left = Some(Instant::now());
            }
        }
        for followers in self.before.values_mut() {
            followers.remove(&client);
        }
        self.filters.retain(|filter| filter.client != client);
        self.searches.retain(|search| search.client != client);
    }

    /// Forgets what no page has followed for long. What nobody can follow again stays.
    fn forget_unfollowed(&mut self) {
        let is_over = |history: &History| history.left.is_some_and(|left| left.elapsed() > KEPT);
        let over: Vec<String> = self
            .histories
            .values()
            .filter(|history| history.live && is_over(history))
            .map(|history| history.agent.clone())
            .collect();
        for agent in over {
            self.unfollow(&agent);
        }
    }

    /// Forgets a history.
    pub(super) fn unfollow(&mut self, agent: &str) {
        let Some(history) = self.histories.remove(agent) else {
            return;
        };
        self.filters.retain(|filter| filter.asked.agent != agent);
        if history.live && self.link.is_some() {
            let params = json!({ "agent": agent });
            self.ask("agent.unfollow", params, PortCall::Nothing);
        }
        self.follows_changed();
    }

    /// The recording, if it is one.
    pub(super) fn recording(&mut self) -> Option<&mut Recording> {
        self.file.as_mut().and_then(Client::recording)
    }

    pub(super) fn say(&self, news: News) {
        // The studio ends with the program.
        _ = self.studio.send(ToStudio::Game(news));
    }

    pub(super) fn answer<T: Serialize>(&self, client: u64, id: &Id, result: Result<T, Failure>) {
        let result = result.and_then(|it| serde_json::to_value(it).map_err(Failure::refused));
        let text = answer(Some(id.clone()), result);
        self.say(News::Tell(client, text));
    }

    pub(super) fn own(&self) -> Sender<ToSession> {
        self.own.clone()
    }
}

/// The time in milliseconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
