//! An ogre that runs trees and is traced; both explanations, compared.

use std::any::Any;
use std::time::Duration;

use bt_core::explain::{Argument, Condition, Explainer, Explanation, Refusal, Why};
use bt_core::prelude::*;
use bt_core::trace::{JsonLines, read_lines};
use bt_core::tree::asset::spec::NodeSpec;
use bt_core::{Mode, Runner, TreeAsset, TreeSet};
use serde_json::Value;

use super::Ogre;

pub(crate) struct Scene {
    pub(crate) ogre: Ogre,
    pub(crate) runner: Runner<Ogre>,
}

impl Scene {
    /// Of one tree, `main.json`, which was not started.
    pub(crate) fn idle(main: NodeSpec) -> Scene {
        Scene::of([("main.json", main)])
    }

    /// The same, started.
    pub(crate) fn new(main: NodeSpec) -> Scene {
        Scene::trees([("main.json", main)])
    }

    /// Of several, the first of which is started.
    pub(crate) fn trees<const N: usize>(trees: [(&str, NodeSpec); N]) -> Scene {
        let mut scene = Scene::of(trees);
        scene.runner.start();
        scene
    }

    fn of<const N: usize>(trees: [(&str, NodeSpec); N]) -> Scene {
        let first = trees[0].0;
        let mut set = TreeSet::<Ogre>::new();
        for (name, top) in trees.clone() {
            set.add(TreeAsset::build(name, "ogre", top));
        }
        let trees = set.build().unwrap_or_else(|error| panic!("{error}"));
        let runner = Runner::new(&trees, first).unwrap();
        Scene {
            ogre: Ogre::default(),
            runner: runner.tracing(JsonLines::new(Vec::new())),
        }
    }

    /// It is run with other settings.
    pub(crate) fn with(mut self, change: impl FnOnce(Runner<Ogre>) -> Runner<Ogre>) -> Scene {
        let fresh = Runner::new(self.runner.trees(), self.runner.tree()).unwrap();
        self.runner = change(fresh).tracing(JsonLines::new(Vec::new()));
        self.runner.start();
        self
    }

    pub(crate) fn once(self) -> Scene {
        self.with(|runner| runner.mode(Mode::Once))
    }

    pub(crate) fn set(&mut self, key: &str, value: impl Into<Value>) -> &mut Scene {
        self.runner.blackboard().set(key, value);
        self
    }

    pub(crate) fn fire(&mut self, event: &str) -> &mut Scene {
        self.runner.fire(Event::new(event));
        self
    }

    pub(crate) fn poll(&mut self, seconds: f64) -> &mut Scene {
        let now = Duration::from_secs_f64(seconds);
        self.runner.poll(&mut self.ogre, now);
        self
    }

    pub(crate) fn stop(&mut self, seconds: f64) -> &mut Scene {
        let now = Duration::from_secs_f64(seconds);
        self.runner.stop(&mut self.ogre, now);
        self
    }

    /// What is said in words, after a comparison with what the trace says.
    pub(crate) fn words(&mut self) -> String {
        self.words_at(0.0)
    }

    pub(crate) fn words_at(&mut self, seconds: f64) -> String {
        let now = Duration::from_secs_f64(seconds);
        let live = self.runner.explain_at(now);
        let traced = self.traced_at(now);
        agree(&live, &traced);
        let json = serde_json::to_string(&live).unwrap();
        assert_eq!(serde_json::from_str::<Explanation>(&json).unwrap(), live);
        format!("{live}--- from the trace\n{traced}")
    }

    /// What the trace says alone; it ends there.
    pub(crate) fn traced_at(&mut self, now: Duration) -> Explanation {
        let tracer: Box<dyn Any> = self.runner.set_tracer(None).expect("it was traced");
        let lines = *tracer.downcast::<JsonLines<Vec<u8>>>().expect("lines");
        let mut explainer = Explainer::new();
        for line in read_lines(&*lines.finish().unwrap()) {
            let (_, record) = line.unwrap();
            explainer.apply(&record).unwrap();
        }
        explainer
            .explain_at(now)
            .expect("it begins with a snapshot")
    }
}

/// What both know is the same.
fn agree(live: &Explanation, traced: &Explanation) {
    assert_eq!(live.tree, traced.tree);
    assert_eq!(live.state, traced.state, "{live}{traced}");
    assert_eq!((live.at, live.paused), (traced.at, traced.paused));
    assert_eq!(live.spent, traced.spent);
    assert_eq!(live.queued, traced.queued);
    assert_eq!(live.suspended, traced.suspended);
    assert_eq!(live.diagnostics, traced.diagnostics);
    assert_eq!(live.waiting.len(), traced.waiting.len(), "{live}{traced}");
    for (live, traced) in live.waiting.iter().zip(&traced.waiting) {
        assert_eq!(live.node, traced.node);
        assert_eq!(live.node.run(), traced.node.run());
        assert_eq!(live.wait, traced.wait);
        assert_eq!(live.suspended, traced.suspended);
        let seen = |of: &[Argument]| -> Vec<_> {
            of.iter()
                .map(bt_core::explain::Argument::to_value)
                .collect()
        };
        // A trace that began later does not know of the call.
        if !traced.arguments.is_empty() {
            assert_eq!(seen(&live.arguments), seen(&traced.arguments));
        }
    }
    let guards = |of: &Explanation| -> Vec<_> { of.refusals.iter().filter_map(guard).collect() };
    assert_eq!(guards(live), guards(traced), "{live}{traced}");
    // The trace knows a cooldown only once it has refused.
    for refusal in &traced.refusals {
        let same = |other: &&Refusal| {
            other.node == refusal.node
                && std::mem::discriminant(&other.why) == std::mem::discriminant(&refusal.why)
        };
        assert!(live.refusals.iter().any(|other| same(&other)), "{traced}");
    }
}

/// What is known of a guard: its node, itself, what it saw, whether its node ran, and when.
fn guard(refusal: &Refusal) -> Option<(String, String, Value, bool, Option<u64>, Option<u32>)> {
    let Why::Guard {
        condition: Condition { name, not, .. },
        saw,
        aborted,
        ..
    } = &refusal.why
    else {
        return None;
    };
    Some((
        refusal.node.to_string(),
        format!("{name} {not}"),
        saw.clone()?.into(),
        *aborted,
        refusal.at,
        refusal.poll,
    ))
}
