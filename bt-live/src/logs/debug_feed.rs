//! Rows for a debugger that looks on while the agent runs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bt_core::trace::{Record, Tracer};

use super::debug_rows::Rows;

/// The number of bytes of rows that are kept for a reader who does not take them.
const MOST: usize = 16 << 20;

/// Hands out the rows of one agent's [debug log](super::DebugLog) in batches, for the original's
/// debugger, which takes them by HTTP: `POST /post/ai_debug/` (S1-D04, U14).
///
/// Its clones are the same feed: one is the runner's tracer, by the other the host takes what there is
/// and posts it. When nobody takes anything the feed keeps 16 MiB; then it drops all that it has, and
/// begins again with the snapshot of the next poll.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_live::logs::DebugFeed;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Beacon;
///
/// #[agent]
/// impl Beacon {
///     #[action]
///     fn light(&mut self) {}
/// }
///
/// let mut trees = TreeSet::<Beacon>::new();
/// trees.add(TreeAsset::build("light.json", "beacon", action("light")));
/// let feed = DebugFeed::new("beacon#7");
/// let mut runner = Runner::new(&trees.build()?, "light.json")?.tracing(feed.clone());
/// runner.start();
/// runner.poll(&mut Beacon, Duration::ZERO);
/// let body = feed.take().unwrap();
/// assert!(body.starts_with(r#"{"cmds":[[0,0,0,"snapshot",[["light.json"],{},[]]],"#), "{body}");
/// assert_eq!(feed.take(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct DebugFeed(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    entity: Box<str>,
    rows: Rows,
    /// The rows that nobody took, separated by commas.
    kept: Vec<u8>,
    lost: u64,
    row: Vec<u8>,
}

impl DebugFeed {
    /// Of the agent of that name.
    pub fn new(entity: impl Into<String>) -> DebugFeed {
        DebugFeed(Arc::new(Mutex::new(Inner {
            entity: entity.into().into(),
            rows: Rows::default(),
            kept: Vec::new(),
            lost: 0,
            row: Vec::new(),
        })))
    }

    /// With the time where the host's clock begins, in milliseconds of the rows' time stamps; 0
    /// otherwise.
    pub fn starting_at(self, ms: u64) -> DebugFeed {
        self.lock().rows.start = ms;
        self
    }

    /// The rows since the last call of this, as the text of a request's body:
    /// `{"cmds":[row …],"entity_id":…}`. None if there are none.
    pub fn take(&self) -> Option<String> {
        let inner = &mut *self.lock();
        if inner.kept.is_empty() {
            return None;
        }
        let mut body = br#"{"cmds":["#.to_vec();
        body.append(&mut inner.kept);
        body.extend(br#"],"entity_id":"#);
        serde_json::to_writer(&mut body, &inner.entity).ok()?;
        body.push(b'}');
        String::from_utf8(body).ok()
    }

    /// The number of times that all rows were dropped because nobody took them.
    pub fn lost(&self) -> u64 {
        self.lock().lost
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Whoever panicked while it wrote left no more than half a row.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tracer for DebugFeed {
    fn record(&mut self, record: &Record<'_>) {
        let inner = &mut *self.lock();
        inner.row.clear();
        if !matches!(inner.rows.write(record, &mut inner.row), Ok(true)) {
            return;
        }
        if inner.kept.len() + inner.row.len() > MOST {
            inner.kept.clear();
            inner.lost += 1;
            inner.rows.begin_again();
            return;
        }
        if !inner.kept.is_empty() {
            inner.kept.push(b',');
        }
        inner.kept.append(&mut inner.row);
    }

    fn wants_snapshot(&mut self) -> bool {
        true
    }
}
