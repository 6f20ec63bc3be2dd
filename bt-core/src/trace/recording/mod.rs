//! Who gets records, how they are kept and what they rebuild.

#[cfg(feature = "behaviac-log")]
mod behaviac;
#[cfg(feature = "mosaic-log")]
mod debug_feed;
#[cfg(feature = "mosaic-log")]
mod debug_log;
#[cfg(feature = "mosaic-log")]
mod debug_rows;
mod lines;
mod output;
mod picture;
mod replay;
mod ring;
mod scene;
mod shared;
mod stands;
mod words;

use std::any::Any;

use super::Record;
#[cfg(feature = "behaviac-log")]
pub use behaviac::BehaviacLog;
#[cfg(feature = "mosaic-log")]
pub use debug_feed::DebugFeed;
#[cfg(feature = "mosaic-log")]
pub use debug_log::DebugLog;
pub use lines::{JsonLines, read_lines};
pub(crate) use picture::{Live, Properties, Runs};
pub use picture::{NodeName, Picture};
pub use replay::{Replay, ReplayError};
pub use ring::Ring;
pub use scene::Scene;
pub(crate) use scene::Shown;
pub use shared::SharedWriter;
pub use stands::{Stands, Suspended, TreeState};
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
