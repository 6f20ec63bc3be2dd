//! Agents recorded into a file here: the game writes none.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use bt_live::client::{ClientError, Message};
use bt_live::protocol::Event;
use bt_live::protocol::types::*;
use bt_live::recording::{About, Recording, Scan, Writer};

use super::{Game, end_of, failed, find, left};
use crate::error::Error;
use crate::say::say;

/// After which silence, and at least how often, what was recorded goes to the disk.
const FLUSH: Duration = Duration::from_millis(200);

impl Game {
    /// Records agents for a while, or until the game ends.
    pub(crate) fn record(
        &mut self,
        agents: &[String],
        out: &Path,
        wait: Duration,
    ) -> Result<(), Error> {
        let mut entries = BTreeMap::new();
        for agent in agents {
            let entry = find(&mut self.client, agent)?;
            entries.insert(entry.id.clone(), entry);
        }
        let cannot =
            |error: io::Error| Error::failure(format!("cannot write `{}`: {error}", out.display()));
        let about = self.about()?;
        make_room(out).map_err(cannot)?;
        let mut file = Writer::create(out, &about).map_err(cannot)?;
        for entry in entries.values() {
            file.agent(entry).map_err(cannot)?;
        }
        for agent in entries.keys().cloned() {
            let recorded = true;
            self.call(Follow { agent, recorded })?;
        }
        let mut recorded: BTreeSet<String> = entries.into_keys().collect();
        let until = end_of(Some(wait));
        let mut flushed = Instant::now();
        while !recorded.is_empty() && !left(until).is_zero() {
            let message = match self.client.hear(left(until).min(FLUSH)) {
                Err(error @ ClientError::Socket(_)) => {
                    say(
                        "warning",
                        format!("{error}; what was recorded until then is kept"),
                    );
                    break;
                }
                message => message.map_err(failed)?,
            };
            let is_quiet = message.is_none();
            match message {
                Some(Message::Records(bytes)) => {
                    let scan =
                        Scan::of(&bytes).map_err(|error| Error::failure(error.to_string()))?;
                    let number = scan.agent().parse();
                    let number =
                        number.map_err(|_| Error::failure("an agent's id is no number"))?;
                    let span = scan.span(number);
                    file.records(span, &bytes).map_err(cannot)?;
                }
                Some(Message::Event(Event::Dropped(dropped))) => {
                    let records = dropped.records;
                    say("warning", format!("{records} records are missing"));
                }
                Some(Message::Event(Event::Despawned(gone))) => _ = recorded.remove(&gone.agent),
                // A recording has no more; a game may have.
                None if self.client.welcome().recording => break,
                Some(Message::Answer(..) | Message::Event(_)) | None => {}
            }
            if is_quiet || flushed.elapsed() >= FLUSH {
                file.flush().map_err(cannot)?;
                flushed = Instant::now();
            }
        }
        let name = out.display().to_string();
        let bytes = file.end().map_err(cannot)?;
        let text = format!("wrote {name} ({bytes} bytes)");
        self.print(&RecordingEntry { name, bytes }, || text)
    }

    /// The facts about the game, as a recording says them.
    fn about(&mut self) -> Result<About, Error> {
        let welcome = Welcome {
            recording: true,
            read_only: true,
            ..self.client.welcome().clone()
        };
        Ok(About {
            texts: self.texts()?,
            catalogue: self.call(GetCatalogue {})?.catalogue,
            welcome,
        })
    }

    /// The texts of the trees, by name.
    pub(super) fn texts(&mut self) -> Result<BTreeMap<String, String>, Error> {
        let names = self.call(ListTrees {})?.trees.into_keys();
        let text = |name: String| {
            let tree = self.client.tree(&name).map_err(failed)?;
            Ok((name, tree.text))
        };
        names.map(text).collect()
    }
}

/// Removes a recording that is there already; anything else stays.
fn make_room(out: &Path) -> io::Result<()> {
    match Recording::open(out) {
        Ok(_) => std::fs::remove_file(out),
        Err(_) if out.symlink_metadata().is_ok() => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "it is there already, and is no recording",
        )),
        Err(_) => Ok(()),
    }
}
