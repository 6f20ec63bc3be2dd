//! The allocations of an agent that has run its tree for a while: none.

use std::time::Duration;

use allocation_counter::measure;
use bt_core::pool::{Chunk, Pool};
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{
    NodeSpec, action, call, condition, guard, negative, node, parallel, reactive_select,
    reactive_sequence, select, sequence, sub_tree, wait_event,
};
use bt_core::{Mode, Runner, TreeAsset, TreeSet};

#[derive(Agent, Default)]
struct Bee {
    visits: u64,
    hungry: bool,
    sum: f64,
}

#[agent]
impl Bee {
    #[action]
    fn buzz(&mut self) {
        self.visits += 1;
    }

    #[action]
    fn fail(&mut self) -> bool {
        self.visits += 1;
        false
    }

    #[action]
    fn fly(&mut self, flower: i64, height: f64) {
        self.visits += 1;
        self.sum += flower as f64 + height;
    }

    #[action]
    fn hum(&mut self, cx: &mut Context, text: &str, height: f64) {
        self.visits += 1;
        self.sum += text.len() as f64 + height + cx.now().as_secs_f64();
    }

    #[action]
    fn hover(&mut self) -> Status {
        self.visits += 1;
        Status::Running
    }

    /// Keeps a value for its run.
    #[action]
    fn climb(&mut self, cx: &mut Context) -> Status {
        self.visits += 1;
        *cx.memory_or(|| self.sum) += 1.0;
        Status::Running
    }

    #[action]
    fn starve(&mut self) {
        self.visits += 1;
        self.hungry = !self.hungry;
    }

    #[condition]
    fn is_hungry(&self) -> bool {
        self.hungry
    }

    #[condition]
    fn is_high(height: f64) -> bool {
        height > 1.0
    }

    /// Somebody rang.
    #[event]
    fn bell();
}

const FRAME: Duration = Duration::from_millis(100);

/// Runs a tree for a while, and then says what 1,000 polls allocate, and how often leaves were
/// visited in them. Before each poll `before` does what else happens, which is not counted.
fn steady(tree: NodeSpec, mut before: impl FnMut(&mut Runner<Bee>)) -> (u64, u64) {
    let mut trees = TreeSet::<Bee>::new();
    trees.add(TreeAsset::build("bee.json", "bee", tree));
    trees.add(TreeAsset::build(
        "dance.json",
        "bee",
        sequence([action("buzz"), wait(0.1)]),
    ));
    let trees = trees.build().unwrap();
    let mut runner = Runner::new(&trees, "bee.json").unwrap().mode(Mode::Loop);
    runner.blackboard().set("flower", 7);
    runner.blackboard().set("height", 2.5);
    runner.blackboard().set("text", "intrude");
    runner.start();
    let mut bee = Bee::default();
    let mut now = Duration::ZERO;
    let mut polls = |bee: &mut Bee, polls| {
        let count = |_| {
            now += FRAME;
            before(&mut runner);
            let counted = measure(|| {
                runner.poll(bee, now);
            });
            counted.count_total
        };
        (0..polls).map(count).sum()
    };
    let _: u64 = polls(&mut bee, 100);
    let visits = bee.visits;
    let allocations = polls(&mut bee, 1_000);
    let wrong = runner.diagnostics();
    assert!(wrong.is_empty(), "{wrong:?}");
    (allocations, bee.visits - visits)
}

#[track_caller]
fn allocates_nothing(tree: NodeSpec, visits: u64) {
    assert_eq!(steady(tree, |_| {}), (0, visits));
}

fn wait(seconds: f64) -> NodeSpec {
    action("wait_for_seconds").arg(seconds)
}

fn buzz() -> NodeSpec {
    action("buzz")
}

#[test]
fn leaves_without_arguments() {
    allocates_nothing(sequence(vec![buzz(); 8]), 8_000);
}

#[test]
fn literals() {
    let fly = action("fly").arg(7).arg(2.5);
    let hum = action("hum").arg("intrude").arg(2.5);
    allocates_nothing(sequence([fly, hum]), 2_000);
}

#[test]
fn keys() {
    let fly = action("fly").key("flower").key("height");
    let hum = action("hum").key("text").key("height");
    allocates_nothing(sequence([fly, hum]), 2_000);
}

#[test]
fn composites_and_decorators() {
    let tree = sequence([
        select([action("fail"), buzz()]),
        negative(action("fail")),
        node("always_true").child(action("fail")),
        node("if_else").children([condition("is_hungry"), buzz(), buzz()]),
        node("memory_sequence").children([buzz(), buzz()]),
        node("memory_select").children([action("fail"), buzz()]),
        sequence([buzz(), buzz()]).keep_place(),
        node("always_seq").children([action("fail"), buzz()]),
        node("repeat").extra("count", 3).child(buzz()),
        node("and").children([condition("is_high").arg(2.5), condition("is_high").arg(3.5)]),
    ]);
    allocates_nothing(tree, 15_000);
}

#[test]
fn a_round_of_timers() {
    // It begins again in the poll in which it ends.
    allocates_nothing(sequence([buzz(), wait(0.2)]), 500);
}

#[test]
fn limits_in_time() {
    let timeout = node("timeout").extra("seconds", 0.1).child(wait(10.0));
    let tree = sequence([
        node("always_true").child(timeout),
        node("delay").extra("seconds", 0.1).child(buzz()),
        node("always_true").child(node("cooldown").extra("seconds", 5.0).child(buzz())),
    ]);
    let (allocations, visits) = steady(tree, |_| {});
    assert_eq!(allocations, 0);
    assert!(visits > 300, "{visits}");
}

#[test]
fn random_orders() {
    let tree = sequence([
        node("random_seq").children(vec![buzz(); 5]),
        node("random_select").children(vec![action("fail"); 5]),
    ]);
    allocates_nothing(tree, 10_000);
    let luck = node("probility").extra("prob", serde_json::json!([1, 2]));
    allocates_nothing(luck.children([buzz(), buzz()]), 1_000);
}

#[test]
fn parallels() {
    let waits = parallel(2, 2, [wait(0.1), sequence([buzz(), wait(0.1)]), wait(10.0)]);
    allocates_nothing(waits, 1_000);
    let instant = parallel(3, 1, vec![buzz(); 3]);
    allocates_nothing(instant, 3_000);
}

#[test]
fn reactive_nodes() {
    let watching = reactive_sequence([buzz(), condition("is_high").key("height"), wait(0.2)]);
    let (allocations, visits) = steady(watching, |_| {});
    assert_eq!(allocations, 0);
    assert!(visits >= 1_000, "{visits}");
    let falling = reactive_select([action("fail"), action("hover")]);
    allocates_nothing(falling, 2_000);
}

#[test]
fn guards() {
    let by_agent = guard("is_hungry").set("abort", "self");
    let by_key = guard("is_high").key("height").set("abort", "both");
    let tree = select([
        sequence([action("starve"), wait(10.0)]).guard(by_agent),
        sequence([buzz(), action("starve"), wait(0.1)]).guard(by_key),
        buzz(),
    ]);
    let (allocations, visits) = steady(tree, |_| {});
    assert_eq!(allocations, 0);
    assert!(visits > 10, "{visits}");
}

#[test]
fn guards_whose_key_changes() {
    let by_key = guard("is_high").key("height").set("abort", "self");
    let tree = select([
        sequence([buzz(), wait(10.0)]).guard(by_key),
        sequence([buzz(), wait(0.1)]),
    ]);
    let mut high = false;
    let (allocations, visits) = steady(tree, |runner| {
        high = !high;
        runner
            .blackboard()
            .set("height", if high { 2.5 } else { 0.5 });
    });
    assert_eq!(allocations, 0);
    assert!(visits > 400, "{visits}");
}

#[test]
fn guards_that_follow_many_keys() {
    const KEYS: u32 = 100;
    let key = |number| format!("key{number}");
    let by_key = |number| guard("is_high").key(&key(number)).set("abort", "both");
    let guarded = |number| select([wait(10.0).guard(by_key(number)), wait(0.1)]);
    let tree = parallel(KEYS, KEYS, (0..KEYS).map(guarded));
    let mut polls = 0;
    let (allocations, _) = steady(tree, |runner| {
        polls += 1;
        for number in 0..KEYS {
            let high = if (polls + number) % 3 == 0 { 2.5 } else { 0.5 };
            runner.blackboard().set(&key(number), high);
        }
    });
    assert_eq!(allocations, 0);
}

#[test]
fn services_and_effects() {
    let tree = sequence([buzz(), wait(0.5)])
        .service(0.2, call("buzz"))
        .effect("enter", call("buzz"))
        .effect("exit", call("buzz"));
    let (allocations, visits) = steady(tree, |_| {});
    assert_eq!(allocations, 0);
    assert!(visits > 600, "{visits}");
}

#[test]
fn events() {
    let tree = sequence([wait_event("bell"), buzz()]);
    let (allocations, visits) = steady(tree, |runner| runner.fire(Bee::bell()));
    assert_eq!(allocations, 0);
    assert!(visits > 400, "{visits}");
}

#[test]
fn sub_trees() {
    let (allocations, visits) = steady(sequence([sub_tree("dance.json"), buzz()]), |_| {});
    assert_eq!(allocations, 0);
    assert!(visits > 900, "{visits}");
}

#[test]
fn leaves_that_keep_running() {
    allocates_nothing(action("hover"), 1_000);
}

#[test]
fn leaves_that_keep_a_value_for_their_run() {
    allocates_nothing(action("climb"), 1_000);
}

#[test]
fn agents_that_wait() {
    allocates_nothing(sequence([buzz(), wait(1e6)]), 0);
    allocates_nothing(sequence([buzz(), wait_event("bell")]), 0);
}

/// A clock's later bits are set first at 68.7 and at 137.4 seconds: the lists of sleepers are then there.
#[test]
fn rounds_of_a_pool() {
    let mut trees = TreeSet::<Bee>::new();
    let tree = sequence([buzz(), wait(0.2)]);
    trees.add(TreeAsset::build("bee.json", "bee", tree));
    let trees = trees.build().unwrap();
    let mut hive = Pool::new();
    for _ in 0..100 {
        let mut runner = Runner::new(&trees, "bee.json").unwrap();
        runner.start();
        hive.spawn(Bee::default(), runner);
    }
    for frame in 0..700 {
        hive.poll(FRAME * frame);
    }
    let mut polled = 0;
    let counted = measure(|| {
        for frame in 700..1_300 {
            polled += hive.poll(FRAME * frame);
        }
    });
    assert_eq!((counted.count_total, polled), (0, 30_000));
    let counted = measure(|| {
        for frame in 1_300..1_310 {
            hive.round(FRAME * frame, 4, |chunks| {
                chunks.into_iter().for_each(Chunk::poll);
            });
        }
    });
    // A list of chunks for each round, and once the lists of what they do to others.
    assert!(counted.count_total <= 11, "{}", counted.count_total);
}
