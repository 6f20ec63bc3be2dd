//! `bt-meta list`: the agents on the terminal.

use clap::Args;

use super::print::print;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::list;

#[derive(Debug, Args)]
#[command(next_help_heading = "What is printed")]
pub(super) struct Listing {
    /// Only this agent: its name, its full name or an alias
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// As JSON, for programs
    #[arg(long)]
    json: bool,
}

/// Prints them.
pub(super) fn run(catalogue: &Catalogue, listing: &Listing) -> Result<(), Error> {
    let agent = listing.agent.as_deref();
    if listing.json {
        print(&format!("{:#}\n", list::json(catalogue, agent)?))
    } else {
        print(&list::text(catalogue, agent)?)
    }
}
