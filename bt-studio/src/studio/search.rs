//! The uses of a thing, and the places of a text, in all trees as they are now.

use bt_core::TreeAsset;
use bt_meta::find::{Known, matches, mentions_of, pattern, places};
use bt_meta::text::json::Json;

use super::Studio;
use super::documents::path_of;
use crate::mentions::Mention;
use crate::project::files::File;
use crate::protocol::{Failure, Find, FoundPlace, Places, Thing};

/// So many places are listed, at most.
const LISTED: usize = 10_000;

impl Studio {
    pub(super) fn usages(&self, of: &Thing) -> Places {
        let mut places = Places::default();
        for (path, file) in self.current() {
            let Ok(tree) = TreeAsset::from_slice(&file.name, &file.bytes) else {
                continue;
            };
            let found = self
                .mentions_of(of, path, &tree)
                .into_iter()
                .map(|mention| mention.pointer);
            list(path, &file, Some(&tree), found.collect(), &mut places);
        }
        places
    }

    /// The places where a tree mentions something.
    pub(super) fn mentions_of(&self, of: &Thing, path: &str, tree: &TreeAsset) -> Vec<Mention> {
        self.with_known(|known| mentions_of(known, of, path, tree))
    }

    /// Calls with what uses are found by.
    pub(super) fn with_known<T>(&self, then: impl FnOnce(&Known<'_>) -> T) -> T {
        let tree = |path: &str| {
            let file = self.current().remove(path)?;
            TreeAsset::from_slice(&file.name, &file.bytes).ok()
        };
        then(&Known {
            registry: self.registry.as_deref(),
            path_of: &path_of(&self.files),
            tree: &tree,
        })
    }

    pub(super) fn find(&self, asked: &Find) -> Result<Places, Failure> {
        let pattern = pattern(&asked.text, asked.case, asked.regex).map_err(Failure::refused)?;
        let mut places = Places::default();
        for (path, file) in self.current() {
            let Some(text) = file.text() else { continue };
            let Some(json) = Json::read(text) else {
                continue;
            };
            let found = matches(&json, &pattern, &asked.within);
            if found.is_empty() {
                continue;
            }
            let tree = TreeAsset::from_slice(&file.name, &file.bytes).ok();
            let found = found.into_iter().map(|id| json.pointer(id));
            list(path, &file, tree.as_ref(), found.collect(), &mut places);
        }
        Ok(places)
    }
}

/// Lists places of a file, with their lines.
fn list(
    path: &str,
    file: &File,
    tree: Option<&TreeAsset>,
    mut found: Vec<String>,
    all: &mut Places,
) {
    let room = LISTED.saturating_sub(all.places.len());
    let more = found.len().saturating_sub(room);
    all.unlisted += u32::try_from(more).unwrap_or(u32::MAX);
    found.truncate(room);
    let found = places(file.text().unwrap_or_default(), tree, &found);
    all.places.extend(found.into_iter().map(|place| FoundPlace {
        path: path.to_owned(),
        node: place.node,
        pointer: place.pointer,
        line: place.line,
        shown: place.shown,
    }));
}
