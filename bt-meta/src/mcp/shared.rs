//! All that tools share.

use std::sync::Mutex;

use super::link::Live;
use super::options::Options;
use super::project::Project;

/// All that tools share.
pub(super) struct Shared {
    pub(super) project: Project,
    pub(super) options: Options,
    pub(super) live: Mutex<Live>,
}
