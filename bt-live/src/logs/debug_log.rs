//! The file that the original's debugger opens.

use std::io::{self, Write};

use bt_core::trace::{Output, Record, Tracer};

use super::debug_rows::Rows;

/// Writes the debug log of one agent: a file that the original's debugger opens (seed document 1,
/// S1-D04).
///
/// `{"debug_cmds": [row …], "entity_id": …}`, a row a line: `[tree_idx, node_idx, ts_ms, cmd, detail]`.
/// Each poll begins with a `snapshot`. What that debugger has no command for is left out. It is a whole
/// file once it was [finished](DebugLog::finish), or was dropped.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_live::logs::DebugLog;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Runner, TreeAsset, TreeSet};
/// use std::any::Any;
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Torch;
///
/// #[agent]
/// impl Torch {
///     #[action]
///     fn light(&mut self) {}
/// }
///
/// let mut trees = TreeSet::<Torch>::new();
/// trees.add(TreeAsset::build("light.json", "torch", action("light")));
/// let log = DebugLog::new(Vec::new(), "torch#7").starting_at(1_700_000_000_000);
/// let mut runner = Runner::new(&trees.build()?, "light.json")?.tracing(log);
/// runner.start();
/// runner.poll(&mut Torch, Duration::from_millis(5));
/// let log: Box<dyn Any> = runner.set_tracer(None).unwrap();
/// let text = String::from_utf8(log.downcast::<DebugLog<Vec<u8>>>().unwrap().finish()?)?;
/// assert!(text.contains(r#"[0,1,1700000000005,"enter",[]]"#), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DebugLog<W: Write> {
    /// None once it was finished.
    to: Option<Output<W>>,
    entity: Box<str>,
    rows: Rows,
    /// True if there is a row above.
    has_rows: bool,
    line: Vec<u8>,
}

impl<W: Write> DebugLog<W> {
    /// Of the agent of that name. What it writes to should be buffered.
    pub fn new(to: W, entity: impl Into<String>) -> DebugLog<W> {
        DebugLog {
            to: Some(Output::new(to)),
            entity: entity.into().into(),
            rows: Rows::default(),
            has_rows: false,
            line: Vec::new(),
        }
    }

    /// With the time where the host's clock begins, in milliseconds of the rows' time stamps; 0
    /// otherwise.
    pub fn starting_at(mut self, ms: u64) -> DebugLog<W> {
        self.rows.start = ms;
        self
    }

    /// The error that ended the rows.
    pub fn error(&self) -> Option<&io::Error> {
        self.to.as_ref()?.error()
    }

    /// Ends the file: what it wrote to, with all that is buffered there.
    ///
    /// # Errors
    /// Of the first write that failed.
    pub fn finish(mut self) -> io::Result<W> {
        match self.close() {
            Some(to) => to.finish(),
            // Only this and the drop take it.
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn close(&mut self) -> Option<Output<W>> {
        let mut to = self.to.take()?;
        self.line.clear();
        let head = match self.has_rows {
            true => "\n  ],",
            false => "{\n  \"debug_cmds\": [],",
        };
        self.line.extend(head.as_bytes());
        self.line.extend(b"\n  \"entity_id\": ");
        match serde_json::to_writer(&mut self.line, &self.entity) {
            Ok(()) => self.line.extend(b"\n}\n"),
            Err(error) => to.fail(error.into()),
        }
        to.write(&self.line);
        to.flush();
        Some(to)
    }
}

impl<W: Write + Send + 'static> Tracer for DebugLog<W> {
    fn record(&mut self, record: &Record<'_>) {
        let Some(to) = self.to.as_mut().filter(|to| to.error().is_none()) else {
            return;
        };
        self.line.clear();
        let head = match self.has_rows {
            true => ",\n    ",
            false => "{\n  \"debug_cmds\": [\n    ",
        };
        self.line.extend(head.as_bytes());
        match self.rows.write(record, &mut self.line) {
            Ok(false) => {}
            Ok(true) => {
                self.has_rows = true;
                to.write(&self.line);
            }
            Err(error) => to.fail(error),
        }
    }

    fn wants_snapshot(&mut self) -> bool {
        true
    }
}

impl<W: Write> Drop for DebugLog<W> {
    fn drop(&mut self) {
        self.close();
    }
}
