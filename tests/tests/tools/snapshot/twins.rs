//! Two agents of the same kind to whom the same happens: one runs straight on, the other is saved and
//! restored whenever the test says so. Whatever there is to see of them is the same.

use std::time::Duration;

use bt_core::tree::asset::spec::NodeSpec;
use bt_core::{ActiveLeaf, Event, LeafId, Runner, Saved, Status};
use bt_tests::probe::*;

/// See the module.
pub(crate) struct Twins {
    pub(crate) straight: Play,
    pub(crate) saved: Play,
    now: Duration,
    /// The restored one's diagnostics are looked at by the test.
    pub(crate) tells_otherwise: bool,
}

impl Twins {
    pub(crate) fn new(main: NodeSpec) -> Twins {
        Twins::trees([("main", main)])
    }

    pub(crate) fn trees<'a>(trees: impl IntoIterator<Item = (&'a str, NodeSpec)>) -> Twins {
        let trees: Vec<_> = trees.into_iter().collect();
        Twins::of(|| Play::trees(trees.clone()))
    }

    /// Of what makes a play.
    pub(crate) fn of(make: impl Fn() -> Play) -> Twins {
        let plain = || {
            let mut play = make();
            play.probe.plain = true;
            play
        };
        Twins {
            straight: plain(),
            saved: plain(),
            now: Duration::ZERO,
            tells_otherwise: false,
        }
    }

    /// Does the same to both.
    pub(crate) fn both(&mut self, mut act: impl FnMut(&mut Play)) -> &mut Twins {
        act(&mut self.straight);
        act(&mut self.saved);
        self
    }

    pub(crate) fn fire(&mut self, event: Event) -> &mut Twins {
        self.both(|play| play.runner.fire(event.clone()))
    }

    pub(crate) fn finish(&mut self, leaf: LeafId, success: bool) -> &mut Twins {
        self.both(|play| play.runner.finish(leaf, success))
    }

    /// The other one goes through JSON.
    pub(crate) fn save(&mut self) -> &mut Twins {
        let before = self.saved.runner.save();
        let text = before.to_json();
        let saved = Saved::from_json(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(saved, before, "{text}");
        assert_eq!(saved.to_json(), text);
        let trees = self.saved.runner.trees().clone();
        let restored = Runner::restore(&trees, &saved);
        let restored = restored.unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(restored.save(), saved, "before the first poll: {text}");
        self.saved.runner = restored.at(self.now);
        assert_eq!(self.saved.runner.save().to_json(), text, "on the clock");
        self.compare();
        self
    }

    /// Polls both, in seconds.
    pub(crate) fn poll(&mut self, seconds: f64) -> Status {
        self.now = Duration::from_secs_f64(seconds);
        let now = self.now;
        let straight = self.straight.poll_at(now);
        let saved = self.saved.poll_at(now);
        assert_eq!(straight, saved, "at {seconds}: {}", self.picture());
        self.compare();
        straight
    }

    /// Saves and polls, again and again.
    pub(crate) fn polls(&mut self, times: impl IntoIterator<Item = f64>) -> Vec<Status> {
        let poll = |time| {
            self.save();
            self.poll(time)
        };
        times.into_iter().map(poll).collect()
    }

    /// Checks that both look the same, and would be saved alike.
    pub(crate) fn compare(&mut self) {
        let (straight, saved) = (self.straight.log(), self.saved.log());
        assert_eq!(straight, saved, "what was called: {}", self.picture());
        let (straight, saved) = (self.straight.diagnostics(), self.saved.diagnostics());
        if !self.tells_otherwise {
            assert_eq!(straight, saved, "what went wrong: {}", self.picture());
        }
        let (a, b) = (&self.straight.runner, &self.saved.runner);
        assert_eq!(a.next_wake(), b.next_wake(), "{}", self.picture());
        assert_eq!(a.active_nodes(), b.active_nodes());
        assert_eq!(self.leaves(a), self.leaves(b), "{}", self.picture());
        assert_eq!(a.blackboard().to_map(), b.blackboard().to_map());
        assert_eq!((a.tree(), a.result()), (b.tree(), b.result()));
        assert_eq!(a.is_running(), b.is_running());
        assert_eq!(a.is_paused(), b.is_paused());
        assert_eq!(a.picture(), b.picture());
        assert_eq!(a.save().to_json(), b.save().to_json());
    }

    /// The leaves; an overdue one is so since no time in particular, because its time is not saved.
    fn leaves(&self, runner: &Runner<Probe>) -> Vec<ActiveLeaf> {
        let now = self.now.as_nanos() as u64;
        let mut leaves = runner.active_leaves();
        for leaf in &mut leaves {
            leaf.wait.until = leaf.wait.until.map(|until| until.max(now));
        }
        leaves
    }

    fn picture(&self) -> String {
        let [a, b] = [&self.straight, &self.saved].map(|play| play.runner.save().to_json());
        format!("\nstraight {a}\nsaved    {b}")
    }
}
