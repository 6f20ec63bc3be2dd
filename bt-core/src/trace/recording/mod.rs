//! The tracers of records, their forms, and the state that they rebuild.

mod changes;
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
pub use changes::Change;
pub(crate) use changes::Step;
pub use lines::{JsonLines, read_lines};
#[doc(hidden)]
pub use output::Output;
pub use picture::{Held, NodeName, Picture};
pub(crate) use picture::{Live, Properties, Runs};
pub use replay::{Replay, ReplayError};
pub use ring::Ring;
pub use scene::Scene;
pub(crate) use scene::Shown;
pub use shared::SharedWriter;
pub use stands::{Stands, Suspended, TreeState};
pub use words::{Watch, Words};

/// Gets what happens to one agent, as it happens: see [`Runner::set_tracer`](crate::Runner::set_tracer).
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::trace::{Record, What};
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Runner, TreeAsset, TreeSet};
/// use std::sync::{Arc, atomic::{AtomicU32, Ordering}};
/// use std::time::Duration;
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// trees.add(TreeAsset::build("rest", "action_agent", action("nop")));
/// let entered = Arc::new(AtomicU32::new(0));
/// let count = entered.clone();
/// let mut runner = Runner::new(&trees.build()?, "rest")?.tracing(move |record: &Record<'_>| {
///     if matches!(record.what, What::NodeEnter) {
///         count.fetch_add(1, Ordering::Relaxed);
///     }
/// });
/// runner.start();
/// runner.poll(&mut ActionAgent, Duration::ZERO);
/// assert!(entered.load(Ordering::Relaxed) >= 2); // the root and the action
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Tracer: Any + Send {
    /// Something happened.
    fn record(&mut self, record: &Record<'_>);

    /// Returns true if the poll that begins now is to begin with a [snapshot](super::What::Snapshot) in place
    /// of a [`What::PollBegin`](super::What::PollBegin). The first record is one in any case.
    fn wants_snapshot(&mut self) -> bool {
        false
    }

    /// Returns true if it gets [`What::Explains`](super::What::Explains), so that an
    /// [`Explainer`](crate::explain::Explainer) can say why the agent waits. It is asked when it is set. A
    /// poll that changes the explanation then takes longer.
    fn wants_explanations(&mut self) -> bool {
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

    fn wants_explanations(&mut self) -> bool {
        let asked: Vec<_> = self.iter_mut().map(|it| it.wants_explanations()).collect();
        asked.contains(&true)
    }
}
