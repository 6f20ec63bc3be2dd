//! Traces as other tools read them: tracers that write behaviac's log, and the rows of the original's debugger.

mod behaviac;
mod debug_feed;
mod debug_log;
mod debug_rows;

pub use behaviac::BehaviacLog;
pub use debug_feed::DebugFeed;
pub use debug_log::DebugLog;
