//! A play in a terminal: pictures and commands between two polls.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bt_core::TreeAsset;

use super::commands;
use super::console::Console;
use super::session::Session;
use super::{Pace, Wanted, seconds};
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

    /// Polls until it has ended.
    pub(super) fn run(&mut self, wanted: &Wanted) {
        let mut goes_to = None;
        loop {
            self.session.poll();
            if self.session.is_over() {
                return;
            }
            let next = self.session.next();
            let waits_for_player = next.is_none();
            let commands = match wanted.pace {
                Pace::Step => goes_to.is_none_or(|to| self.session.now >= to) || waits_for_player,
                Pace::Speed(_) | Pace::Fast => waits_for_player,
            };
            if commands {
                self.show_if_changed();
                if waits_for_player {
                    self.session.say(
                        "nothing comes by itself: `fire` an event, `finish` an action, or `quit`\n",
                    );
                }
                match commands::ask(self) {
                    commands::Then::Next => goes_to = None,
                    commands::Then::Go(by) => goes_to = Some(self.session.now.saturating_add(by)),
                    commands::Then::Quit => return,
                }
            }
            self.session.now = self.session.next().unwrap_or(self.session.now);
            if let Pace::Speed(speed) = wanted.pace {
                self.session.wait(speed);
            }
            if self
                .session
                .until
                .is_some_and(|until| self.session.now > until)
            {
                self.session.say(&format!(
                    "{}: the end\n",
                    seconds(self.session.until.unwrap_or(self.session.now))
                ));
                return;
            }
        }
    }

    pub(super) fn console(&self) -> MutexGuard<'_, Console> {
        self.console.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The picture, if other nodes are active than in the last one.
    fn show_if_changed(&mut self) {
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
