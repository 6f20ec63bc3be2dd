//! `agents.md` and `agents.html`: what there is, for those who make trees.
//!
//! Both are one document of nested [`Part`](parts::Part)s, written in two ways. All text in it is Markdown: doc
//! comments as [`comment`] lets them through, names and values as code.

mod agents;
mod comment;
mod html;
mod inherited;
mod items;
mod kinds;
mod links;
mod markdown;
mod parts;
mod schema_words;
mod types;
mod values;

use super::ids::Ids;
use crate::catalogue::{AgentEntry, Catalogue};
use crate::error::{Error, count};
use crate::files::Files;
use crate::layout::Agents;
use links::Marks;
pub(super) use parts::Manual;

impl Manual {
    /// Of all agents, or of one and its bases.
    ///
    /// # Errors
    /// A failure for an agent that is not there.
    pub(super) fn of(
        catalogue: &Catalogue,
        agents: &Agents<'_>,
        wanted: Option<&str>,
    ) -> Result<Manual, Error> {
        let mut selected: Vec<&AgentEntry> = match wanted {
            Some(wanted) => agents.line(agents.find(wanted)?).collect(),
            None => agents.all().collect(),
        };
        selected.sort_by_key(|agent| agents.key(agent));
        let mut ids = Ids::default();
        let marks = Marks::of(catalogue, agents, &selected, &mut ids);
        let mut parts = agents::chapters(agents, &selected, &marks, &mut ids);
        parts.extend(types::chapter(catalogue, &marks));
        parts.extend(kinds::chapter(catalogue, &marks, &mut ids));
        Ok(Manual {
            parts,
            counts: count(selected.len(), "agent"),
        })
    }

    /// `agents.md`
    pub(super) fn markdown_file(&self) -> Files {
        Files::one("agents.md", markdown::text(self), self.counts.clone())
    }

    /// `agents.html`
    pub(super) fn html_file(&self) -> Files {
        Files::one("agents.html", html::text(self), self.counts.clone())
    }
}
