//! Comments of people on records. Comments on a recording or a log are kept in a file beside it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::session::Session;
use crate::project::door::{AsFailure as _, Place, Refusal};
use crate::protocol::{Comment, CommentRow, Comments, Failure};

/// So many comments a history has, of so many characters each, at most.
const MOST: usize = 10_000;
const LONGEST: usize = 2_000;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 256 << 20;

/// The file: comments by the numbers of the records, by agent.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    agents: BTreeMap<String, BTreeMap<u64, String>>,
}

impl Session {
    /// `fight.btrec.notes.json`, beside `fight.btrec`.
    fn comments_file(&self) -> Option<Place> {
        let place = self.place.as_ref().filter(|_| self.writes)?;
        let mut name = place.name().to_owned();
        name.push(".notes.json");
        Some(place.beside(name))
    }

    fn read_comments(&self) -> Result<Kept, Failure> {
        let Some(place) = self.comments_file() else {
            return Ok(Kept::default());
        };
        let shown = place.path().display().to_string();
        match place.read(LARGEST) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|error| Failure::refused(format!("`{shown}` has no comments: {error}"))),
            Err(Refusal::Missing) => Ok(Kept::default()),
            Err(why) => Err(why.unread(&shown)),
        }
    }

    /// The comments of an agent that the file has.
    pub(super) fn kept_comments(&self, agent: &str) -> BTreeMap<u64, String> {
        let mut kept = self.read_comments().unwrap_or_default();
        kept.agents.remove(agent).unwrap_or_default()
    }

    pub(super) fn comment(&mut self, asked: &CommentRow) -> Result<Comments, Failure> {
        let file = self.comments_file();
        let mut kept = self.read_comments()?;
        let text = asked.text.trim();
        if text.chars().count() > LONGEST {
            return Err(Failure::limit(format!(
                "a comment has at most {LONGEST} characters"
            )));
        }
        let history = self.histories.get_mut(&asked.agent);
        let history = history.filter(|history| history.entry(asked.no).is_some());
        let Some(history) = history else {
            return Err(Failure::unknown(format!(
                "there is no record {} of agent {:?}",
                asked.no, asked.agent
            )));
        };
        if history.comments.len() >= MOST && !text.is_empty() {
            return Err(Failure::limit(format!(
                "there are {MOST} comments, which is the most"
            )));
        }
        let mut comments = history.comments.clone();
        match text {
            "" => _ = comments.remove(&asked.no),
            text => _ = comments.insert(asked.no, text.to_owned()),
        }
        if let Some(place) = &file {
            kept.agents.insert(asked.agent.clone(), comments.clone());
            kept.agents.retain(|_, comments| !comments.is_empty());
            let text = serde_json::to_string_pretty(&kept).map_err(Failure::refused)?;
            let written = place.write((text + "\n").as_bytes());
            written.map_err(|why| why.unwritten(&place.path().display().to_string()))?;
        }
        history.comments = comments;
        let all = history.comments.iter().map(|(no, text)| Comment {
            no: *no,
            text: text.clone(),
        });
        Ok(Comments {
            comments: all.collect(),
            file: file.map(|place| place.path().display().to_string()),
        })
    }
}
