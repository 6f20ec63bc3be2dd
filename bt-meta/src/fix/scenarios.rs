//! Scenarios beside trees: the numbers of nodes and the names that the trees have now.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use bt_core::scenario::{Mentioned, Scenario};
use bt_core::tree::by_either_name;
use bt_core::{Registry, TreeAsset};

use super::Fixed;
use crate::error::Error;
use crate::validate::input::{Input, below};

/// A tree before and after its fixes, as far as scenarios name it.
pub(super) struct Moved {
    folder: PathBuf,
    file: String,
    agent: Option<String>,
    /// The new number of each node by the old one.
    numbers: HashMap<u32, u32>,
}

impl Moved {
    /// A tree's file with its texts; none of what is no tree.
    pub(super) fn of(input: &Input, before: &str, after: &str) -> Option<Moved> {
        let read = |text: &str| TreeAsset::from_slice(&input.name, text.as_bytes()).ok();
        let (before, after) = (read(before)?, read(after)?);
        let old = before.preorder().map(|node| node.idx());
        let new = after.preorder().map(|node| node.idx());
        Some(Moved {
            folder: input.path.parent().unwrap_or(Path::new("")).to_owned(),
            file: input.path.file_name()?.to_str()?.to_owned(),
            agent: after.agent().map(str::to_owned),
            numbers: old.zip(new).collect(),
        })
    }
}

/// The scenarios in the trees' folders that name something by another number or name than it has now.
pub(super) fn fixed(registry: &Registry, trees: &[Moved]) -> Result<Vec<Fixed>, Error> {
    let folders: BTreeSet<_> = trees.iter().map(|tree| &tree.folder).collect();
    let mut all = Vec::new();
    for folder in folders {
        let shown = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        for path in below(shown, &[".scenario.toml"])? {
            let beside: Vec<_> = trees.iter().filter(|tree| tree.folder == *folder).collect();
            if path.parent() != Some(shown) {
                continue;
            }
            let input = Input::new("", path);
            let Ok(before) = String::from_utf8(input.read()?) else {
                continue;
            };
            all.extend(one(registry, &beside, input, before));
        }
    }
    Ok(all)
}

fn one(registry: &Registry, trees: &[&Moved], input: Input, before: String) -> Option<Fixed> {
    if before.starts_with('\u{feff}') {
        return None;
    }
    let scenario = Scenario::from_toml(&input.shown(), &before).ok()?;
    let find =
        |name: &str| by_either_name(name, |name| trees.iter().find(|tree| tree.file == name));
    let agent = find(scenario.tree()).and_then(|tree| tree.agent.as_deref());
    let agent = agent.and_then(|name| registry.agent(name).ok());
    let (mut after, mut what) = (before.clone(), Vec::new());
    // From the end, so that the places before stay what they are.
    for mention in scenario.mentions().into_iter().rev() {
        let old = before[mention.at.clone()].to_owned();
        let new = match &mention.names {
            Mentioned::Node(tree, idx) => {
                let numbers = find(tree).map(|tree| &tree.numbers);
                numbers
                    .and_then(|numbers| numbers.get(idx))
                    .map(u32::to_string)
            }
            Mentioned::Method(name) => agent
                .and_then(|agent| agent.action(name).ok())
                .map(|found| found.item.name.clone()),
            Mentioned::Event(name) => agent
                .and_then(|agent| agent.event(name).ok())
                .map(|found| found.item.name.clone()),
            Mentioned::Property(name) => agent
                .and_then(|agent| agent.property(name).ok())
                .map(|found| found.item.name.clone()),
        };
        if let Some(new) = new.filter(|new| *new != old) {
            after.replace_range(mention.at, &new);
            what.push(format!("`{old}` is `{new}` now"));
        }
    }
    what.reverse();
    (after != before).then_some(Fixed {
        input,
        before,
        after,
        what,
    })
}
