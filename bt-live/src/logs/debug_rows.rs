//! The rows of the original's debugger.

use std::io;

use bt_core::trace::{Picture, Record, What};
use serde::Serialize;
use serde_json::{Value, json};

/// Makes rows of records: `[tree_idx, node_idx, ts_ms, cmd, detail]`. A row's tree is the number of its
/// run since the last snapshot, its node the `idx` in the file.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The offset of a record's time, in milliseconds.
    pub(super) start: u64,
    /// There was a snapshot: without one, rows say nothing.
    began: bool,
    /// The place of the last row.
    last: (u32, u32),
    /// The first snapshot, until there is another row: the first poll need not repeat it.
    first: Option<Value>,
}

impl Rows {
    /// Makes no more rows until there is a snapshot.
    pub(super) fn begin_again(&mut self) {
        self.began = false;
        self.first = None;
    }

    /// Adds the row of a record; whether the debugger has one for it.
    pub(super) fn write(&mut self, record: &Record<'_>, into: &mut Vec<u8>) -> io::Result<bool> {
        let mut shown = Value::Null;
        let at = if let What::Snapshot(scene) = &record.what {
            shown = snapshot(&scene.picture());
            if self.first.as_ref() == Some(&shown) {
                return Ok(false);
            }
            self.first = (!self.began).then(|| shown.clone());
            self.began = true;
            (0, 0)
        } else if let What::PushTree { .. } = &record.what {
            // Its own tree has a number once the row was read.
            self.last
        } else {
            record.at.as_ref().map_or((0, 0), |place| place.key())
        };
        if !self.began {
            return Ok(false);
        }
        let ms = self.start.saturating_add(record.ns / 1_000_000);
        let mut row = |cmd, detail: &dyn erased::Detail| detail.write(at, ms, cmd, into);
        match &record.what {
            What::Snapshot(_) => row("snapshot", &shown),
            What::PushTree { file } => row("push_tree", &[file]),
            What::NodeEnter => row("enter", &NONE),
            What::NodeLeave { result, .. } => row("leave", &[result]),
            What::NodeAction { call, args, .. } => row("mutate", &("node_action", (call, args))),
            What::Guard {
                call, args, holds, ..
            } => row("mutate", &("guard", (call, args, holds))),
            What::BbSet { key, value } => row("mutate", &("variable", ("set", (key, value)))),
            What::BbRemove { key } => row("mutate", &("variable", ("remove", [key]))),
            What::BbClear => row("mutate", &("variable", ("clear", NONE))),
            What::Reset => row("reset", &NONE),
            // It has no row for a property: it would take one of its own for ten steps on the root.
            What::PropertySet { .. }
            | What::PollBegin
            | What::Because { .. }
            | What::Waits(_)
            | What::Woken { .. }
            | What::EventFired { .. }
            | What::EventConsumed { .. }
            | What::EventDropped { .. }
            | What::EventKept { .. }
            | What::TreeSwitched { .. }
            | What::Control { .. }
            | What::Stands(_)
            | What::Explains { .. }
            | What::Reload { .. }
            | What::Diagnostic { .. }
            | What::Note { .. } => return Ok(false),
            _ => return Ok(false),
        }?;
        if !matches!(record.what, What::Snapshot(_)) {
            self.first = None;
        }
        self.last = at;
        Ok(true)
    }
}

/// An empty list.
const NONE: [(); 0] = [];

/// `[[files], {blackboard}, [[tree_idx, node_idx] …]]`.
fn snapshot(picture: &Picture) -> Value {
    let active: Vec<_> = picture.active.keys().collect();
    json!([picture.trees, picture.blackboard, active])
}

mod erased {
    use super::{Serialize, io};

    /// The last column of a row.
    pub(super) trait Detail {
        fn write(&self, at: (u32, u32), ms: u64, cmd: &str, into: &mut Vec<u8>) -> io::Result<()>;
    }

    impl<T: Serialize> Detail for T {
        fn write(
            &self,
            (tree, node): (u32, u32),
            ms: u64,
            cmd: &str,
            into: &mut Vec<u8>,
        ) -> io::Result<()> {
            serde_json::to_writer(into, &(tree, node, ms, cmd, self))?;
            Ok(())
        }
    }
}
