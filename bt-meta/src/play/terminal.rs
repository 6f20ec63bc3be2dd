//! A play in a terminal: pictures and commands between two polls.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bt_core::TreeAsset;

use super::console::Console;
use super::session::Session;
use super::wanted::Wanted;
use crate::catalogue::Catalogue;
use crate::draw;
use crate::error::Error;

/// The terminal of whoever plays, and the play.
pub(super) struct Terminal {
    pub(super) session: Session,
    console: Arc<Mutex<Console>>,
    /// For pictures.
    assets: Vec<TreeAsset>,
    /// The nodes of the last picture.
    shown: BTreeSet<(String, u32)>,
}

impl Terminal {
    pub(super) fn new(
        catalogue: Catalogue,
        wanted: &Wanted,
        mut console: Console,
    ) -> Result<Terminal, Error> {
        let read = draw::files::read(&wanted.tree, true)?;
        console.trees(&read.trees);
        let console = Arc::new(Mutex::new(console));
        let session = Session::new(catalogue, wanted, &read, console.clone())?;
        Ok(Terminal {
            session,
            console,
            assets: read.trees,
            shown: BTreeSet::new(),
        })
    }

    pub(super) fn console(&self) -> MutexGuard<'_, Console> {
        self.console.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The picture, if other nodes are active than in the last one.
    pub(super) fn show_if_changed(&mut self) {
        let active = self.active();
        if active != self.shown {
            self.show();
        }
    }

    fn active(&self) -> BTreeSet<(String, u32)> {
        let nodes = self.session.runner.active_nodes().into_iter();
        nodes.map(|node| (node.tree, node.idx)).collect()
    }

    /// The picture: the trees that are active, and the nodes that are.
    pub(super) fn show(&mut self) {
        self.shown = self.active();
        let mut text = String::new();
        for tree in &self.assets {
            let of_tree = self.shown.iter().filter(|(name, _)| name == tree.name());
            let active: BTreeSet<u32> = of_tree.map(|(_, idx)| *idx).collect();
            if !active.is_empty() {
                text += &draw::outline_marked(tree, &self.assets, &active);
            }
        }
        self.session.say(&text);
    }
}
