//! What happened to one agent, as values: who gets them, how they are kept, and what they rebuild.
//!
//! A runner that has a [`Tracer`] hands it a [`Record`] of everything that happens: nodes entered and
//! left, calls, writes, events, diagnostics. The commands are those of the original's debugger, and
//! more. The first record of a trace is a snapshot ([`What::Snapshot`]); from there on the active nodes
//! and the blackboard at any record can be [rebuilt](Replay).
//!
//! ```
//! use bt_core::prelude::*;
//! use bt_core::trace::Ring;
//! use bt_core::tree::asset::spec::{action, sequence};
//! use bt_core::{Runner, TreeAsset, TreeSet};
//! use std::time::Duration;
//!
//! #[derive(Agent)]
//! struct Lantern;
//!
//! #[agent]
//! impl Lantern {
//!     #[action]
//!     fn light(&mut self, cx: &mut Context) { cx.set("lit", true); }
//! }
//!
//! let mut trees = TreeSet::<Lantern>::new();
//! trees.add(TreeAsset::build("light.json", "lantern", sequence([action("light")])));
//! let trees = trees.build()?;
//! let mut runner = Runner::new(&trees, "light.json")?;
//! runner.set_tracer(Some(Box::new(Ring::new(&trees, 1000))));
//! runner.start();
//! runner.poll(&mut Lantern, Duration::ZERO);
//! let ring = runner.tracer::<Ring>().unwrap();
//! let words: Vec<_> = ring.records().map(|record| record.what.command().to_owned()).collect();
//! assert_eq!(words, [
//!     "snapshot", "control", "poll_begin", "node_enter", "node_enter", "node_enter", "node_action",
//!     "bb_set", "node_leave", "node_leave", "node_leave",
//! ]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod behaviac;
mod debug_feed;
mod debug_log;
mod debug_rows;
mod lines;
mod output;
mod picture;
mod record;
mod replay;
mod ring;
mod shared;
mod stands;
mod what;
mod words;

use std::any::Any;

pub use behaviac::BehaviacLog;
pub use debug_feed::DebugFeed;
pub use debug_log::DebugLog;
pub use lines::{JsonLines, read_lines};
pub(crate) use picture::{Live, Properties, Runs};
pub use picture::{NodeName, Picture};
pub use record::{Args, Place, Record};
pub use replay::{Replay, ReplayError};
pub use ring::Ring;
pub use shared::SharedWriter;
pub use stands::{Stands, Suspended, TreeState};
pub use what::{Control, GoesOn, Leave, Role, Scene, Switch, Wait, What, Woken};
pub(crate) use what::{Names, Shown};
pub use words::{Watch, Words};

/// Gets what happens to one agent, as it happens: see [`Runner::set_tracer`](crate::Runner::set_tracer).
pub trait Tracer: Any + Send {
    /// Something happened.
    fn record(&mut self, record: &Record<'_>);

    /// Whether the poll that begins now is to begin with a [snapshot](What::Snapshot) in place of a
    /// [`What::PollBegin`]. The first record is one in any case.
    fn wants_snapshot(&mut self) -> bool {
        false
    }
}

/// A closure gets everything.
impl<F: FnMut(&Record<'_>) + Send + 'static> Tracer for F {
    fn record(&mut self, record: &Record<'_>) {
        self(record);
    }
}

/// Each of them gets everything.
impl Tracer for Vec<Box<dyn Tracer>> {
    fn record(&mut self, record: &Record<'_>) {
        for tracer in self {
            tracer.record(record);
        }
    }

    fn wants_snapshot(&mut self) -> bool {
        let asked: Vec<_> = self.iter_mut().map(|it| it.wants_snapshot()).collect();
        asked.contains(&true)
    }
}
