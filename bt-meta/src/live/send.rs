//! The records of an agent, sent to the original's debugger.

use std::time::Duration;

use bt_core::trace::{Record, Replay, Tracer, What};
use bt_live::client::Incoming;
use bt_live::logs::DebugFeed;
use bt_live::protocol::Event;
use bt_live::protocol::types::Follow;
use ureq::Agent as Http;

use super::{Game, end_of, failed, left};
use crate::error::Error;
use crate::say::say;

/// The time limit of the debugger's answer.
const TIMEOUT: Duration = Duration::from_secs(10);

impl Game {
    /// Posts the rows of an agent to `URL/post/ai_debug/`, each frame's at once.
    pub(crate) fn send(
        &mut self,
        agent: &str,
        to: &str,
        wait: Option<Duration>,
    ) -> Result<(), Error> {
        let agent = super::find(&mut self.client, agent)?;
        let url = format!("{}/post/ai_debug/", to.trim_end_matches('/'));
        let http =
            Http::new_with_config(Http::config_builder().timeout_global(Some(TIMEOUT)).build());
        let mut feed = DebugFeed::new(agent.name.as_str());
        self.call(Follow {
            agent: agent.id.clone(),
            recorded: false,
        })?;
        let mut replay = Replay::new();
        let until = end_of(wait);
        loop {
            let left = left(until);
            if left.is_zero() {
                return Ok(());
            }
            match self.client.next(left).map_err(failed)? {
                Some(Incoming::Records(frame)) => {
                    for record in &frame.records {
                        begun(record, &replay, &mut feed);
                        // A record that does not fit what was before it is shown, and no snapshot is made of it.
                        if replay.apply(record).is_err() {
                            replay = Replay::new();
                        }
                        feed.record(record);
                    }
                    if let Some(body) = feed.take() {
                        post(&http, &url, &body)?;
                    }
                }
                Some(Incoming::Event(Event::Despawned(gone))) if gone.agent == agent.id => {
                    say("note", "the agent is no more");
                    return Ok(());
                }
                Some(Incoming::Event(_)) => {}
                None if self.client.welcome().recording => return Ok(()),
                None => {}
            }
        }
    }
}

/// Begins a poll with a snapshot, as a file does: the game sends one at the beginning alone.
fn begun(record: &Record<'_>, replay: &Replay, feed: &mut DebugFeed) {
    let is_new = replay.has_begun() && replay.poll().0 < record.poll;
    if is_new && !matches!(record.what, What::Snapshot(_)) {
        feed.record(&Record {
            ns: record.ns,
            poll: record.poll,
            at: None,
            what: What::Snapshot(replay.picture().clone().into()),
        });
    }
}

fn post(http: &Http, url: &str, body: &str) -> Result<(), Error> {
    let sent = http.post(url).content_type("application/json").send(body);
    sent.map(drop).map_err(|error| {
        Error::failure(format!(
            "cannot post to `{url}`: {error}; does the debugger listen there?"
        ))
    })
}
