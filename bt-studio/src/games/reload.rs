//! Trees that were saved while a game runs them: it gets them at once, and says what came of it.

use std::time::{Duration, Instant};

use bt_live::protocol::types::{Checked, ReloadReport, ReloadedNode};
use serde_json::{Map, Value, json};

use super::News;
use super::port_calls::PortCall;
use super::session::Session;
use crate::protocol::{Event, GameReloaded, NodeCount, SessionKind};

/// The time after which the game is queried for the outcome, and the interval while agents still have to
/// move.
const ASKED_AFTER: Duration = Duration::from_millis(200);
const TIMES: u32 = 20;

/// The reloads whose agents have not all moved.
#[derive(Debug, Default)]
pub(super) struct Reloads(Vec<Reload>);

#[derive(Debug)]
struct Reload {
    tree: String,
    due: Instant,
    asked: u32,
    /// The last message to the pages.
    sent: Option<GameReloaded>,
}

impl Session {
    /// A tree was saved.
    pub(super) fn saved(&mut self, tree: String, trees: Vec<(String, String)>) {
        if self.about.kind != SessionKind::Game || trees.is_empty() {
            return;
        }
        if self.about.read_only {
            let why = "the game's port is read-only: it does not take other trees";
            return self.not_reloaded(&tree, why.to_owned());
        }
        let texts: Map<String, Value> = trees
            .into_iter()
            .map(|(name, text)| (name, text.into()))
            .collect();
        let params = json!({ "trees": texts });
        self.ask("trees.reload", params, PortCall::Reload { tree });
    }

    /// The game has the tree, or refuses it.
    pub(super) fn reloaded(&mut self, tree: String, checked: Checked) {
        let Reloads(all) = &mut self.reloads;
        // What the last one did is all that the game can say.
        all.clear();
        if checked.problems.is_empty() {
            all.push(Reload {
                tree,
                due: Instant::now() + ASKED_AFTER,
                asked: 0,
                sent: None,
            });
            return;
        }
        self.tell_reloaded(GameReloaded {
            tree,
            problems: checked.problems,
            ..GameReloaded::default()
        });
    }

    pub(super) fn not_reloaded(&mut self, tree: &str, why: String) {
        self.tell_reloaded(GameReloaded {
            tree: tree.to_owned(),
            why: Some(why),
            ..GameReloaded::default()
        });
    }

    fn tell_reloaded(&self, reloaded: GameReloaded) {
        let reloaded = GameReloaded {
            session: self.about.id,
            ..reloaded
        };
        self.say(News::TellAll(Box::new(Event::GameReloaded(reloaded))));
    }

    /// Asks what came of reloads, when it is time.
    pub(super) fn look_after_reloads(&mut self, now: Instant) {
        let Reloads(all) = &mut self.reloads;
        let mut due = Vec::new();
        for reload in all.iter_mut().filter(|reload| reload.due <= now) {
            // The answer says when to ask again.
            reload.due = now + Duration::from_secs(60);
            reload.asked += 1;
            due.push(reload.tree.clone());
        }
        for tree in due {
            self.ask("trees.report", json!({}), PortCall::Report { tree });
        }
    }

    /// Applies the report of a reload.
    pub(super) fn reported(&mut self, tree: &str, report: ReloadReport) {
        let Reloads(all) = &mut self.reloads;
        let Some(at) = all.iter().position(|reload| reload.tree == tree) else {
            return;
        };
        let counts = |nodes: Vec<ReloadedNode>| {
            let nodes = nodes.into_iter().map(|node| NodeCount {
                tree: node.tree,
                idx: node.idx,
                kind: node.kind,
                agents: node.agents,
            });
            nodes.collect()
        };
        let reloaded = GameReloaded {
            session: self.about.id,
            tree: tree.to_owned(),
            moved: report.moved,
            waiting: report.waiting,
            stayed: report.stayed,
            kept: counts(report.kept),
            adopted: counts(report.adopted),
            aborted: counts(report.aborted),
            entered: counts(report.entered),
            lost: report.problems,
            ..GameReloaded::default()
        };
        let reload = &mut all[at];
        let is_new = reload.sent.as_ref() != Some(&reloaded);
        reload.sent = Some(reloaded.clone());
        // Those that sleep may take long.
        reload.due = Instant::now() + ASKED_AFTER * reload.asked.min(10);
        if reloaded.waiting == 0 || reload.asked >= TIMES {
            all.remove(at);
        }
        if is_new {
            self.tell_reloaded(reloaded);
        }
    }
}
