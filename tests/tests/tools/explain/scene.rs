//! An ogre that runs trees and is traced; both explanations, compared.

use std::any::Any;
use std::time::Duration;

use bt_core::explain::{Explainer, Explanation};
use bt_core::prelude::*;
use bt_core::trace::{JsonLines, read_lines};
use bt_core::tree::asset::spec::NodeSpec;
use bt_core::{Mode, Runner, TreeAsset, TreeSet};
use bt_tests::probe::agree;
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
        let trees = trees.map(|(name, top)| TreeAsset::build(name, "ogre", top));
        Scene::of_assets(trees)
    }

    /// Of scripts, the first of which is started.
    pub(crate) fn scripts<const N: usize>(scripts: [(&str, &str); N]) -> Scene {
        let read = |(name, text)| TreeAsset::from_script(name, text).unwrap();
        let mut scene = Scene::of_assets(scripts.map(read));
        scene.runner.start();
        scene
    }

    fn of_assets<const N: usize>(trees: [TreeAsset; N]) -> Scene {
        let first = trees[0].name().to_owned();
        let mut set = TreeSet::<Ogre>::new();
        for tree in trees {
            set.add(tree);
        }
        let trees = set.build().unwrap_or_else(|error| panic!("{error}"));
        let runner = Runner::new(&trees, &first).unwrap();
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

    /// The explanation in words, after a comparison with that of the trace.
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

    /// The explanation from the trace alone; it ends there.
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
