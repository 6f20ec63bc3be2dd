//! The agent whose trace is requested.

use std::collections::BTreeSet;

use crate::error::{count, did_you_mean, quoted};

/// The number of agents that a message names.
const NAMED: usize = 12;

/// The agents of a trace, and the one that is wanted.
pub(super) struct Agents<'w> {
    wanted: Option<&'w str>,
    /// The first, if none is named; empty for lines that name none.
    first: Option<String>,
    seen: BTreeSet<String>,
}

impl<'w> Agents<'w> {
    pub(super) fn new(wanted: Option<&'w str>) -> Agents<'w> {
        Agents {
            wanted,
            first: None,
            seen: BTreeSet::new(),
        }
    }

    /// Returns true if a record of that agent is wanted.
    pub(super) fn wants(&mut self, of: Option<String>) -> bool {
        let of = of.unwrap_or_default();
        let is_wanted = match self.wanted {
            Some(wanted) => wanted == of,
            None => *self.first.get_or_insert_with(|| of.clone()) == of,
        };
        if !self.seen.contains(&of) {
            self.seen.insert(of);
        }
        is_wanted
    }

    /// The name of the one that was wanted; none if the lines name none.
    pub(super) fn found(self) -> Result<Option<String>, String> {
        let named = self.seen.iter().filter(|name| !name.is_empty());
        let named: Vec<_> = named.map(String::as_str).collect();
        match self.wanted {
            Some(wanted) if self.seen.contains(wanted) => Ok(Some(wanted.to_owned())),
            Some(_) if named.is_empty() => {
                Err("its lines name no agent: leave `--agent` out".to_owned())
            }
            Some(wanted) => {
                let near = did_you_mean(wanted, named.iter().copied());
                let near = near.unwrap_or_else(|| format!("there are {}", listed(&named)));
                Err(format!("there is no agent `{wanted}` in it; {near}"))
            }
            None if self.seen.len() > 1 => Err(format!(
                "it has {}: say which with `--agent`; there are {}",
                count(self.seen.len(), "agent"),
                listed(&named)
            )),
            None => Ok(self.first.filter(|name| !name.is_empty())),
        }
    }
}

/// The first of them by name, and how many more there are.
fn listed(named: &[&str]) -> String {
    match named.len().checked_sub(NAMED) {
        None | Some(0) => quoted(named),
        Some(more) => format!("`{}` and {more} more", named[..NAMED].join("`, `")),
    }
}
