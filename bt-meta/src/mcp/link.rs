//! The connection to a game, or a recording.

use std::path::Path;

use bt_live::client::Client;
use bt_live::protocol::Call;

use super::answer::{Code, Refused};
use super::options::Attach;
use crate::live;

/// The connection, once there is one.
#[derive(Debug, Default)]
pub(super) struct Live(Option<Client>);

impl Live {
    /// The game, attached to if that is not so yet.
    pub(super) fn client(&mut self, attach: Option<&Attach>) -> Result<&mut Client, Refused> {
        if self.0.is_none() {
            let client = match attach {
                Some(Attach::File(path)) if is_recording(path) => Client::open(path),
                Some(Attach::File(path)) => Client::attach(path),
                Some(Attach::Only) | None => Client::find(),
            };
            let client = client.map_err(|error| {
                let help = "start the game with its port open; then this attaches by itself";
                Refused::new(Code::Refused, format!("cannot attach: {error}"), help)
            })?;
            self.0 = Some(client);
        }
        self.0
            .as_mut()
            .ok_or_else(|| Refused::new(Code::Refused, "there is no game", ""))
    }

    pub(super) fn call<C: Call>(
        &mut self,
        attach: Option<&Attach>,
        params: C,
    ) -> Result<C::Result, Refused> {
        let answered = self.client(attach)?.call(params);
        answered.map_err(|error| {
            if !matches!(error, bt_live::client::ClientError::Refused(_)) {
                // The game may come again.
                self.0 = None;
            }
            Refused::new(
                Code::Refused,
                error.to_string(),
                "`live_agents` lists who is there",
            )
        })
    }

    pub(super) fn id(&mut self, attach: Option<&Attach>, name: &str) -> Result<String, Refused> {
        let client = self.client(attach)?;
        let found = live::find(client, name);
        found.map(|agent| agent.id).map_err(|error| {
            Refused::new(
                Code::Unknown,
                error.messages().join("; "),
                "`live_agents` lists them",
            )
        })
    }
}

fn is_recording(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "btrec")
}
