//! Logs of the original's debugger: read from a file, or as they are posted.

use std::fmt;
use std::io::{BufReader, Read as _};
use std::path::Path;

use bt_live::protocol::types::AgentEntry;
use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::history::History;
use super::log_rows::{LogRow, Posted, Rows, name};
use super::session::Session;
use crate::protocol::SessionTree;

/// The largest log that is opened.
const LARGEST: u64 = 1 << 30;

/// So many agents are known by their posts, at most.
const AGENTS: usize = 64;

/// Reads a log row by row; the entity's name.
fn read(
    from: impl std::io::Read,
    each: &mut dyn FnMut(LogRow),
) -> Result<String, serde_json::Error> {
    let mut json = serde_json::Deserializer::from_reader(from);
    let entity = Log(each).deserialize(&mut json)?;
    json.end()?;
    Ok(entity)
}

/// A whole body, or file.
pub(super) fn read_all(bytes: &[u8]) -> Result<Posted, serde_json::Error> {
    let mut rows = Vec::new();
    let entity = read(bytes, &mut |row| rows.push(row))?;
    Ok(Posted {
        entity,
        rows,
        waiting: None,
    })
}

struct Log<'e>(&'e mut dyn FnMut(LogRow));

impl<'de> DeserializeSeed<'de> for Log<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Log<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a log of the original's debugger: an object with `entity_id` and `debug_cmds`")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<String, M::Error> {
        let mut entity = None;
        let mut has_rows = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "entity_id" => entity = Some(name(&map.next_value::<Value>()?)),
                "debug_cmds" | "cmds" => {
                    map.next_value_seed(LogRows(self.0))?;
                    has_rows = true;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if !has_rows {
            return Err(serde::de::Error::missing_field("debug_cmds"));
        }
        Ok(entity.unwrap_or_else(|| "agent".to_owned()))
    }
}

struct LogRows<'e>(&'e mut dyn FnMut(LogRow));

impl<'de> DeserializeSeed<'de> for LogRows<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for LogRows<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of rows")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut rows: S) -> Result<(), S::Error> {
        while let Some(row) = rows.next_element()? {
            (self.0)(row);
        }
        Ok(())
    }
}

impl Session {
    /// Opens a log of one agent.
    pub(super) fn open_log(&mut self, path: &Path) -> Result<(), String> {
        let shown = path.display();
        let file = self.opened(path)?;
        let size = file.metadata().map_or(0, |data| data.len());
        if size > LARGEST {
            let most = LARGEST >> 20;
            return Err(format!("`{shown}` has {size} bytes, more than {most} MiB"));
        }
        let mut history = History::new(self.about.id, "", "", false);
        history.is_log = true;
        let nodes = std::mem::take(&mut self.nodes);
        let mut rows = Rows::default();
        let entity = read(BufReader::new(file.take(LARGEST)), &mut |row| {
            rows.add(row, &nodes);
            if let Some(bytes) = rows.take(false) {
                _ = history.add(bytes);
            }
        });
        let entity = entity
            .map_err(|error| format!("`{shown}` is no log of the original's debugger: {error}"))?;
        if let Some(bytes) = rows.take(true) {
            _ = history.add(bytes);
        }
        self.nodes = nodes;
        history.agent.clone_from(&entity);
        history.name.clone_from(&entity);
        history.runs = rows.runs();
        history.comments = self.kept_comments(&entity);
        self.knows_agent(&entity, rows.trees.first().map(String::as_str));
        self.histories.insert(entity, history);
        self.knows_trees();
        self.follows_changed();
        Ok(())
    }

    /// Rows have come.
    pub(super) fn posted(&mut self, posted: Posted) {
        let Posted {
            entity,
            rows: new,
            waiting: _waiting,
        } = posted;
        if !self.histories.contains_key(&entity) {
            if self.histories.len() >= AGENTS {
                return;
            }
            let mut history = History::new(self.about.id, &entity, &entity, true);
            history.is_log = true;
            self.histories.insert(entity.clone(), history);
            self.knows_agent(&entity, None);
            self.follows_changed();
        }
        let nodes = std::mem::take(&mut self.nodes);
        let rows = self.posts.entry(entity.clone()).or_default();
        for row in new {
            rows.add(row, &nodes);
        }
        let bytes = rows.take(true);
        let (tree, runs) = (rows.trees.first().cloned(), rows.runs());
        self.nodes = nodes;
        if let (Some(history), Some(bytes)) = (self.histories.get_mut(&entity), bytes) {
            _ = history.add(bytes);
            history.runs = runs;
        }
        self.knows_agent(&entity, tree.as_deref());
        self.knows_trees();
    }

    fn knows_agent(&mut self, entity: &str, tree: Option<&str>) {
        let entry = self.entries.entry(entity.to_owned()).or_default();
        *entry = AgentEntry {
            id: entity.to_owned(),
            name: entity.to_owned(),
            tree: tree.unwrap_or_default().to_owned(),
            ..AgentEntry::default()
        };
        self.about.agents = self.entries.len() as u32;
    }

    /// The trees that records name.
    fn knows_trees(&mut self) {
        for history in self.histories.values() {
            for name in history.tree_names() {
                if !self.about.trees.contains_key(name) {
                    let tree = SessionTree::default();
                    self.about.trees.insert(name.to_owned(), tree);
                }
            }
        }
    }
}
