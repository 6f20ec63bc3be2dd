//! The way to a running game: requests under way, and how it is found again when it is lost.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Weak;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use bt_live::client::{self, Client, ClientError, Message};
use serde_json::Value;

use super::port_calls::PortCall;
use super::{Connected, ToSession, game_of};
use crate::project::door::Place;

/// So many requests are under way at once: the port reads no more than 64.
const UNDER_WAY: usize = 32;

/// The time limit of an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The time after which a game counts as one that does not answer.
const SILENT: Duration = Duration::from_millis(2_500);

/// The time that a game may take for the last answers.
const GOODBYE: Duration = Duration::from_millis(1_000);

/// The longest token file, in bytes.
const TOKEN: u64 = 1 << 16;

/// The number of times that a game that is lost is looked for.
const AGAIN: Duration = Duration::from_secs(1);

/// The way to a running game.
pub(super) struct Link {
    client: Client,
    under_way: BTreeMap<u64, (PortCall, Instant)>,
    queue: VecDeque<(String, Value, PortCall)>,
}

impl Link {
    pub(super) fn new(connected: Connected) -> Link {
        Link {
            client: connected.client,
            under_way: BTreeMap::new(),
            queue: VecDeque::new(),
        }
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// Asks the game for something, when there is room.
    pub(super) fn ask(&mut self, method: &str, params: Value, ask: PortCall) {
        self.queue.push_back((method.to_owned(), params, ask));
    }

    /// Returns true if no request is open.
    pub(super) fn is_idle(&self) -> bool {
        self.under_way.is_empty() && self.queue.is_empty()
    }

    /// Sends what there is room for.
    pub(super) fn send(&mut self) -> Result<(), ClientError> {
        while self.under_way.len() < UNDER_WAY
            && let Some((method, params, ask)) = self.queue.pop_front()
        {
            match self.client.ask(&method, params) {
                Ok(number) => _ = self.under_way.insert(number, (ask, Instant::now())),
                Err(error) => {
                    // Its page hears that the game is lost.
                    self.queue.push_front((method, Value::Null, ask));
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// The next message, if one arrives in that time.
    pub(super) fn hear(&mut self, wait: Duration) -> Result<Option<Message>, ClientError> {
        self.client.hear(wait)
    }

    /// The sender of the request that was answered.
    pub(super) fn answered(&mut self, number: u64) -> Option<PortCall> {
        self.under_way.remove(&number).map(|(ask, _)| ask)
    }

    /// Those whose answers take too long.
    pub(super) fn late(&mut self) -> Vec<PortCall> {
        let is_late = |_: &u64, (_, since): &mut (PortCall, Instant)| since.elapsed() > TIMEOUT;
        let late = self.under_way.extract_if(.., is_late);
        late.map(|(_, (ask, _))| ask).collect()
    }

    /// The time that the game has not answered, if that is long.
    pub(super) fn silence(&self) -> Option<Duration> {
        let mut asked = self.under_way.values().map(|(_, since)| since.elapsed());
        asked.next().filter(|silent| *silent > SILENT)
    }

    /// Sends what is left, and waits a moment for the answers: then the way ends.
    pub(super) fn finish(&mut self) {
        let until = Instant::now() + GOODBYE;
        while Instant::now() < until && !self.is_idle() && self.send().is_ok() {
            match self.hear(Duration::from_millis(20)) {
                Ok(Some(Message::Answer(number, _))) => drop(self.answered(number)),
                Ok(Some(Message::Event(_) | Message::Records(_)) | None) => {}
                Err(_) => return,
            }
        }
    }

    /// All open requests: the game is lost.
    pub(super) fn end(self) -> Vec<PortCall> {
        let under_way = self.under_way.into_values().map(|(ask, _)| ask);
        let queued = self.queue.into_iter().map(|(_, _, ask)| ask);
        under_way.chain(queued).collect()
    }
}

/// Attaches to a game by its token file.
pub(super) fn connect(token_file: &Path) -> Result<Connected, ClientError> {
    let client = Client::attach(token_file)?;
    Ok(Connected {
        client,
        token_file: token_file.to_owned(),
        said: Place::of(token_file).text(TOKEN).unwrap_or_default(),
    })
}

/// Attaches on another thread, and again every second if that is wanted, as long as the session is there.
pub(super) fn connect_later(
    token_file: PathBuf,
    again: bool,
    to: Sender<ToSession>,
    session: Weak<()>,
) -> std::io::Result<()> {
    let run = move || {
        loop {
            if again {
                thread::sleep(AGAIN);
            }
            if session.upgrade().is_none() {
                return;
            }
            let reached = candidates(&token_file)
                .iter()
                .find_map(|file| connect(file).ok());
            let result = match (reached, again) {
                (Some(connected), _) => Ok(connected),
                (None, false) => connect(&token_file),
                (None, true) => continue,
            };
            _ = to.send(ToSession::Connected(result));
            return;
        }
    };
    let name = "studio attach".to_owned();
    thread::Builder::new().name(name).spawn(run).map(drop)
}

/// The places where a game may be found: its own token file, then those of games of the same name, the newest
/// first.
fn candidates(token_file: &Path) -> Vec<PathBuf> {
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    for file in client::games().unwrap_or_default() {
        if file != token_file && game_of(&file) == game_of(token_file) {
            let changed = Place::of(&file)
                .modified()
                .unwrap_or(SystemTime::UNIX_EPOCH);
            found.push((changed, file));
        }
    }
    found.sort();
    let others = found.into_iter().rev().map(|(_, file)| file);
    let own = Place::of(token_file).look().is_ok();
    let own = own.then(|| token_file.to_owned());
    own.into_iter().chain(others).collect()
}
