//! The game that is debugged, and the agent.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bt_live::client::{Client, ClientError, Message};
use bt_live::protocol::types::*;
use bt_live::protocol::{Call, Error};
use serde_json::Value;

use super::nodes::Trees;
use crate::live::{Names, Of};

/// The time that an answer of the game may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The time that it may take once the editor is leaving.
const LAST_PATIENCE: Duration = Duration::from_secs(1);

/// The number of pages of long values that one picture has, 64 KiB each.
const PAGES: u32 = 64;

/// The number of times that one looks meanwhile whether the editor is leaving.
const LOOK: Duration = Duration::from_millis(50);

/// The game, once the editor has said which.
pub(super) struct Game {
    /// The connection; why there is none any more, once the game or the agent has ended.
    client: Result<Client, String>,
    /// The messages that came while an answer was waited for.
    unread: VecDeque<Message>,
    /// The reason why the connection does not work, if that was found out while an answer was waited for.
    broken: Option<ClientError>,
    pub(super) agent: AgentEntry,
    pub(super) trees: Trees,
    pub(super) stop: Option<StopEntry>,
    /// The names that the agent answers to, once somebody wants to know.
    names: Option<Names>,
    is_recording: bool,
    /// True if the editor is leaving.
    is_leaving: Arc<AtomicBool>,
}

/// The thing that an agent was asked for, or its refusal.
pub(super) type Refused<T> = Result<T, Error>;

impl Game {
    /// Attaches to the agent that the editor names: `agent`; its trees' files are in the folder `trees`.
    pub(super) fn of(
        mut client: Client,
        asked: &Value,
        is_leaving: Arc<AtomicBool>,
    ) -> Result<Game, String> {
        let agent = agent(&mut client, text(asked, "agent"))?;
        let folder = text(asked, "trees").map(PathBuf::from).unwrap_or_default();
        let trees = Trees::of(&mut client, &folder);
        let mut game = Game {
            is_recording: client.welcome().recording,
            client: Ok(client),
            unread: VecDeque::new(),
            broken: None,
            agent,
            trees: trees.map_err(|error| error.to_string())?,
            stop: None,
            names: None,
            is_leaving,
        };
        let agent = game.agent.id.clone();
        game.call(Follow {
            agent,
            recorded: false,
        })?;
        if game.is_live() {
            let stops = game.call(ListStops {})?.stops.into_iter();
            game.stop = { stops }.find(|stop| stop.agent == game.agent.id);
        }
        Ok(game)
    }

    /// Attaches as the editor says: to a `recording`, to the game of a `tokenFile`, or to the only one that runs.
    pub(super) fn attach(asked: &Value, is_leaving: Arc<AtomicBool>) -> Result<Game, String> {
        let client = match (text(asked, "recording"), text(asked, "tokenFile")) {
            (Some(file), _) => Client::open(file),
            (None, Some(file)) => Client::attach(file),
            (None, None) => Client::find(),
        };
        Game::of(
            client.map_err(|error| error.to_string())?,
            asked,
            is_leaving,
        )
    }

    /// Returns true if it is a recording.
    pub(super) fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// Returns true if the agent runs, and can be stopped and changed.
    pub(super) fn is_live(&self) -> bool {
        self.client.is_ok() && !self.is_recording
    }

    /// The reason why the game or the agent is no more.
    pub(super) fn ended(&self) -> Option<&str> {
        self.client.as_ref().err().map(String::as_str)
    }

    /// The game or the agent is no more: what is recorded is left.
    pub(super) fn end(&mut self, why: String) {
        self.client = Err(why);
        self.stop = None;
        self.unread.clear();
    }

    pub(super) fn call<C: Call>(&mut self, params: C) -> Result<C::Result, String> {
        self.ask(params)?.map_err(|error| error.to_string())
    }

    /// Asks for something; what the game refuses is inside.
    pub(super) fn ask<C: Call>(&mut self, params: C) -> Result<Refused<C::Result>, String> {
        let client = self.client.as_mut().map_err(|why| why.clone())?;
        let unread = &mut self.unread;
        match answered(client, params, unread, &self.is_leaving) {
            Ok(answer) => Ok(Ok(answer)),
            Err(ClientError::Refused(error)) => Ok(Err(error)),
            Err(error) => {
                let why = why(&error);
                if matches!(error, ClientError::Socket(_)) {
                    self.broken = Some(error);
                }
                Err(why)
            }
        }
    }

    /// The next message that the game sends unasked, if it sends one within that time.
    pub(super) fn next(&mut self, wait: Duration) -> Result<Option<Message>, ClientError> {
        if let Some(unread) = self.unread.pop_front() {
            return Ok(Some(unread));
        }
        if let Some(error) = self.broken.take() {
            return Err(error);
        }
        match &mut self.client {
            Ok(client) => client.hear(wait),
            Err(_) => Ok(None),
        }
    }

    /// Loads the texts of the trees again.
    pub(super) fn reload(&mut self) -> Result<(), String> {
        let client = self.client.as_mut().map_err(|why| why.clone())?;
        self.names = None;
        let loaded = self.trees.load(client);
        loaded.map_err(|error| why(&error))
    }

    /// The name that a name stands for; inside, that there is no such name, with the nearest one.
    ///
    /// # Errors
    /// If the game does not say which names there are.
    pub(super) fn find(&mut self, of: Of, name: &str) -> Result<Result<String, String>, String> {
        if self.names.is_none() {
            let catalogue = self.call(GetCatalogue {})?.catalogue;
            let texts = self.trees.texts();
            self.names = Some(Names::of(catalogue, Some(&self.agent.agent_type), texts));
        }
        let board = match of {
            Of::Key => self.picture()?.blackboard,
            Of::Call | Of::Property | Of::Event => Default::default(),
        };
        let names = self.names.get_or_insert_default();
        Ok(names.find(of, name, &board))
    }

    /// The present state of the agent; of a recording, that at its end. Long keys and properties are fetched page by page.
    pub(super) fn picture(&mut self) -> Result<AgentPicture, String> {
        let agent = self.agent.id.clone();
        let mut picture = self.call(GetPicture { agent, at: None })?;
        let mut pages = PAGES;
        let cut = std::mem::take(&mut picture.cut);
        let mut cut: BTreeMap<String, Cut> =
            cut.into_iter().map(|it| (it.at.clone(), it)).collect();
        let keys = picture.blackboard.iter_mut().map(|it| ("blackboard", it));
        let properties = picture.properties.iter_mut();
        let properties = properties.map(|it| ("properties", it));
        for (part, (name, value)) in keys.chain(properties) {
            let name = name.replace('~', "~0").replace('/', "~1");
            let at = format!("/{part}/{name}");
            if cut.contains_key(&at)
                && let Some(whole) = self.whole(&at, &mut pages)?
            {
                *value = whole;
                cut.remove(&at);
            }
        }
        picture.cut = cut.into_values().collect();
        Ok(picture)
    }

    /// A value of which the picture has a part; none where it has more pages than there may be.
    fn whole(&mut self, at: &str, pages: &mut u32) -> Result<Option<Value>, String> {
        let mut whole = Value::Null;
        let mut after = None;
        while *pages > 0 {
            *pages -= 1;
            let (agent, at) = (self.agent.id.clone(), at.to_owned());
            let page = self.call(GetValue { agent, at, after })?;
            match (&mut whole, page.value) {
                (Value::Array(all), Value::Array(more)) => all.extend(more),
                (Value::Object(all), Value::Object(more)) => all.extend(more),
                (Value::String(all), Value::String(more)) => all.push_str(&more),
                // The first page, or it was replaced meanwhile.
                (whole, value) => *whole = value,
            }
            if page.next.is_none() {
                return Ok(Some(whole));
            }
            after = page.next;
        }
        Ok(None)
    }
}

/// The answer to a request; what else comes meanwhile is kept.
fn answered<C: Call>(
    client: &mut Client,
    params: C,
    unread: &mut VecDeque<Message>,
    is_leaving: &AtomicBool,
) -> Result<C::Result, ClientError> {
    let params = serde_json::to_value(params).map_err(ClientError::Answer)?;
    let own = client.ask(C::METHOD, params)?;
    let began = Instant::now();
    loop {
        match client.hear(LOOK)? {
            Some(Message::Answer(id, result)) if id == own => {
                let result = result.map_err(ClientError::Refused)?;
                return serde_json::from_value(result).map_err(ClientError::Answer);
            }
            // Of a request that was not waited for until its end.
            Some(Message::Answer(..)) => {}
            Some(message) => unread.push_back(message),
            None => {}
        }
        let patience = match is_leaving.load(Ordering::Relaxed) {
            true => LAST_PATIENCE,
            false => TIMEOUT,
        };
        if began.elapsed() >= patience {
            return Err(ClientError::NoAnswer);
        }
    }
}

/// The reason why the game cannot be asked, in words.
pub(super) fn why(error: &ClientError) -> String {
    match error {
        error if error.is_closed() => "the game has ended".to_owned(),
        ClientError::Socket(error) => {
            format!("the game has ended, or the connection to it: {error}")
        }
        error => error.to_string(),
    }
}

/// A text that an editor gives; an empty one is none.
fn text<'a>(asked: &'a Value, name: &str) -> Option<&'a str> {
    asked[name].as_str().filter(|text| !text.is_empty())
}

/// The agent of that id or name; the first one, if none is said.
fn agent(client: &mut Client, wanted: Option<&str>) -> Result<AgentEntry, String> {
    if let Some(name) = wanted {
        return crate::live::find(client, name).map_err(|error| error.to_string());
    }
    let page = client.call(ListAgents {
        limit: Some(1),
        ..ListAgents::default()
    });
    let agents = page.map_err(|error| error.to_string())?.agents;
    let first = agents.into_iter().next();
    first.ok_or_else(|| "the game has no agents".to_owned())
}
