//! Values whose drops panic: each is contained, and none of them ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::trace::{Record, Tracer};
use bt_core::tree::asset::spec::{NodeSpec, action, call, parallel, sequence};
use bt_core::{Mode, Runner, TreeAsset, TreeSet};
use bt_tests::probe::of;
use schemars::JsonSchema;
use serde::Deserialize;

/// Counts its drops, and panics in each.
struct Falls(Arc<AtomicU32>);

impl Drop for Falls {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
        falls();
    }
}

/// Panics without a word on the terminal.
fn falls() -> ! {
    std::panic::resume_unwind(Box::new("it falls".to_owned()))
}

static FRAGILE: AtomicU32 = AtomicU32::new(0);

/// A value that the blackboard keeps decoded.
#[derive(Clone, Deserialize, JsonSchema)]
struct Fragile {
    #[expect(dead_code, reason = "it has to be something")]
    size: u32,
}

impl Drop for Fragile {
    fn drop(&mut self) {
        FRAGILE.fetch_add(1, Ordering::Relaxed);
        falls();
    }
}

#[derive(Agent, Default)]
struct Juggler {
    drops: Arc<AtomicU32>,
}

#[agent]
impl Juggler {
    /// Has two guards that panic.
    #[action(exit = "left")]
    fn juggle(&mut self, cx: &mut Context, ends: bool) -> Option<bool> {
        cx.on_exit(Falls(self.drops.clone()));
        cx.on_exit(Falls(self.drops.clone()));
        if ends {
            return Some(true);
        }
        cx.finish_on("go", true);
        None
    }

    /// Its exit panics, and leaves two guards more that do.
    fn left(&mut self, cx: &mut Context, _exit: Exit) {
        cx.on_exit(Falls(self.drops.clone()));
        cx.on_exit(Falls(self.drops.clone()));
        falls();
    }

    /// Panics with a value that panics when it drops.
    #[action]
    fn throw(&mut self, cx: &mut Context) -> bool {
        cx.on_exit(Falls(self.drops.clone()));
        std::panic::resume_unwind(Box::new(Falls(self.drops.clone())))
    }

    #[action]
    fn look(_fragile: &Fragile) -> bool {
        true
    }

    /// Ends a juggle.
    #[event]
    fn go();
}

fn juggler(top: NodeSpec) -> (Runner<Juggler>, Juggler) {
    let mut set = TreeSet::new();
    set.add(TreeAsset::build("main", "juggler", top));
    let trees = set.build().unwrap_or_else(|error| panic!("{error}"));
    let mut runner = Runner::new(&trees, "main").unwrap().mode(Mode::Once);
    runner.start();
    (runner, Juggler::default())
}

fn juggle(ends: bool) -> NodeSpec {
    action("juggle").arg(ends)
}

impl Juggler {
    fn drops(&self) -> u32 {
        self.drops.load(Ordering::Relaxed)
    }
}

#[test]
fn runner_that_is_dropped_contains_each_guard_that_panics() {
    let (mut runner, mut agent) = juggler(parallel(2, 1, [juggle(false), juggle(false)]));
    runner.poll(&mut agent, Duration::ZERO);
    drop(runner);
    assert_eq!(agent.drops(), 4);
}

#[test]
fn leaf_that_ends_drops_each_of_its_guards_though_they_panic() {
    let main = sequence([juggle(false), juggle(true)]);
    let (mut runner, mut agent) = juggler(main);
    runner.poll(&mut agent, Duration::ZERO);
    runner.fire(Event::new("go"));
    runner.poll(&mut agent, Duration::ZERO);
    assert_eq!(runner.result(), Some(true));
    assert_eq!(agent.drops(), 8);
    let reports = runner.take_diagnostics();
    let panics = |words: &str| {
        let found = reports
            .iter()
            .filter(|report| report.message().contains(words));
        found.count()
    };
    assert_eq!(panics("a guard panicked when it was dropped: it falls"), 8);
    assert_eq!(panics("its exit method panicked: it falls"), 2);
}

#[test]
fn leaf_that_is_aborted_drops_each_of_its_guards_though_they_panic() {
    let (mut runner, mut agent) = juggler(parallel(2, 1, [juggle(false), juggle(false)]));
    runner.poll(&mut agent, Duration::ZERO);
    runner.stop(&mut agent, Duration::ZERO);
    assert!(!runner.is_running());
    assert_eq!(agent.drops(), 8);
}

#[test]
fn effect_drops_each_of_its_guards_though_they_panic() {
    let top = of("always_true", [juggle(true)]).effect("enter", call("juggle").arg(false));
    let (mut runner, mut agent) = juggler(top);
    runner.poll(&mut agent, Duration::ZERO);
    assert_eq!(runner.result(), Some(true));
    assert_eq!(agent.drops(), 8);
}

#[test]
fn panic_whose_payload_panics_when_it_drops_is_contained() {
    let (mut runner, mut agent) = juggler(of("always_true", [action("throw")]));
    runner.poll(&mut agent, Duration::ZERO);
    assert_eq!(runner.result(), Some(true));
    assert_eq!(agent.drops(), 2);
}

#[test]
fn values_that_the_blackboard_keeps_decoded_are_contained() {
    let (mut runner, mut agent) = juggler(sequence([action("look").key("k"), juggle(false)]));
    let size = |size: u32| serde_json::json!({"size": size});
    runner.blackboard().set("k", size(1));
    runner.poll(&mut agent, Duration::ZERO);
    assert_eq!(FRAGILE.load(Ordering::Relaxed), 0);
    runner.blackboard().set("k", size(2));
    assert_eq!(FRAGILE.load(Ordering::Relaxed), 1);
    runner.reset();
    runner.blackboard().set("k", size(3));
    runner.poll(&mut agent, Duration::ZERO);
    drop(runner);
}

#[test]
fn tracer_that_panics_when_it_drops_is_contained() {
    struct Watches(#[expect(dead_code, reason = "it drops")] Falls);
    impl Tracer for Watches {
        fn record(&mut self, _: &Record<'_>) {}
    }
    let (runner, mut agent) = juggler(parallel(2, 1, [juggle(false), juggle(false)]));
    let mut runner = runner.tracing(Watches(Falls(agent.drops.clone())));
    runner.poll(&mut agent, Duration::ZERO);
    drop(runner);
    assert_eq!(agent.drops(), 5);
}
