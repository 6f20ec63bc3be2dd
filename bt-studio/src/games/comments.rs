//! What people write on records. Comments on a recording or a log are kept in a file beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use bt_meta::write::write_one;
use serde::{Deserialize, Serialize};

use super::session::Session;
use crate::protocol::{Comment, CommentRow, Comments, Failure};

/// So many comments a history has, of so many characters each, at most.
const MOST: usize = 10_000;
const LONGEST: usize = 2_000;

/// The file: comments by the numbers of the records, by agent.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    agents: BTreeMap<String, BTreeMap<u64, String>>,
}

impl Session {
    /// `fight.btrec.notes.json`, beside `fight.btrec`.
    fn comments_file(&self) -> Option<PathBuf> {
        let path = self.path().filter(|_| self.writes)?;
        let mut name = path.file_name()?.to_owned();
        name.push(".notes.json");
        Some(path.with_file_name(name))
    }

    fn read_comments(&self) -> Result<Kept, Failure> {
        let Some(path) = self.comments_file() else {
            return Ok(Kept::default());
        };
        let shown = path.display();
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|error| Failure::refused(format!("`{shown}` has no comments: {error}"))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Kept::default()),
            Err(error) => Err(Failure::refused(format!("cannot read `{shown}`: {error}"))),
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
        if let Some(path) = &file {
            kept.agents.insert(asked.agent.clone(), comments.clone());
            kept.agents.retain(|_, comments| !comments.is_empty());
            let text = serde_json::to_string_pretty(&kept).map_err(Failure::refused)?;
            write_one(path, &(text + "\n")).map_err(Failure::refused)?;
        }
        history.comments = comments;
        let all = history.comments.iter().map(|(no, text)| Comment {
            no: *no,
            text: text.clone(),
        });
        Ok(Comments {
            comments: all.collect(),
            file: file.map(|path| path.display().to_string()),
        })
    }
}
