//! The game that is debugged, and the agent.

use std::path::PathBuf;

use bt_live::client::Client;
use bt_live::protocol::Call;
use bt_live::protocol::types::*;
use serde_json::Value;

use super::nodes::Trees;

/// The game, once the editor has said which.
pub(super) struct Game {
    pub(super) client: Client,
    pub(super) agent: AgentEntry,
    pub(super) trees: Trees,
    pub(super) stop: Option<StopEntry>,
    folder: PathBuf,
}

impl Game {
    /// Attaches to the agent that the editor names: `agent`; its trees' files are in the folder `trees`.
    pub(super) fn of(mut client: Client, asked: &Value) -> Result<Game, String> {
        let agent = agent(&mut client, text(asked, "agent"))?;
        let folder = text(asked, "trees").map(PathBuf::from).unwrap_or_default();
        let trees = Trees::of(&mut client, &folder);
        let mut game = Game {
            client,
            agent,
            trees: trees.map_err(|error| error.to_string())?,
            stop: None,
            folder,
        };
        let agent = game.agent.id.clone();
        game.call(Follow {
            agent,
            recorded: false,
        })?;
        if !game.client.welcome().recording {
            let stops = game.call(ListStops {})?.stops.into_iter();
            game.stop = { stops }.find(|stop| stop.agent == game.agent.id);
        }
        Ok(game)
    }

    /// Attaches as the editor says: to a `recording`, to the game of a `tokenFile`, or to the only one that runs.
    pub(super) fn attach(asked: &Value) -> Result<Game, String> {
        let client = match (text(asked, "recording"), text(asked, "tokenFile")) {
            (Some(file), _) => Client::open(file),
            (None, Some(file)) => Client::attach(file),
            (None, None) => Client::find(),
        };
        Game::of(client.map_err(|error| error.to_string())?, asked)
    }

    pub(super) fn call<C: Call>(&mut self, params: C) -> Result<C::Result, String> {
        self.client.call(params).map_err(|error| error.to_string())
    }

    /// Loads the texts of the trees again.
    pub(super) fn reload(&mut self) -> Result<(), String> {
        let trees = Trees::of(&mut self.client, &self.folder);
        self.trees = trees.map_err(|error| error.to_string())?;
        Ok(())
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
