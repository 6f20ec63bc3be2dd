//! A server of the Model Context Protocol on standard input and output: trees read, edited, checked, played and debugged by
//! an assistant.
//!
//! `table` lists the tools, `tools` has a file for each family of them, `project` is the folder and its agents, `link` the game. `answer` is
//! what a tool answers, in pages; `server` speaks the protocol, `resources` are what a client can read without a tool.

mod answer;
mod input;
mod link;
mod options;
mod project;
mod resources;
mod server;
mod shared;
mod table;
mod tools;

use std::sync::Arc;

use crate::catalogue::Catalogue;
use crate::error::Error;
pub(crate) use options::{Attach, Options};
use project::Project;
use server::Server;

/// Serves until the input ends. `collect` collects the agents, on a thread of its own.
///
/// # Errors
/// A failure if the folder cannot be opened, or the streams break.
pub(crate) fn serve(
    options: Options,
    collect: impl Fn() -> Result<Catalogue, Error> + Send + Sync + 'static,
) -> Result<(), Error> {
    let project = Project::open(&options, Arc::new(collect))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::failure(format!("cannot start the server: {error}")))?;
    let served = runtime.block_on(server::run(Server::new(project, options)));
    // Whoever reads the input cannot be stopped.
    runtime.shutdown_background();
    served
}
