//! Agents of a pool that are stopped.

use std::sync::Arc;
use std::time::Duration;

use bt_core::debug::{Breakpoint, Breakpoints, Hits, On, Step};
use bt_core::pool::{AgentId, Pool};
use bt_core::prelude::*;
use bt_core::tree::asset::spec::action;
use bt_core::{Mode, Runner, TreeAsset, TreeSet};

#[derive(Agent)]
struct Bee {
    flights: u32,
}

#[agent]
impl Bee {
    #[action]
    fn fly(&mut self) {
        self.flights += 1;
    }
}

fn hive() -> (Pool<Bee>, [AgentId; 3]) {
    let mut trees = TreeSet::<Bee>::new();
    trees.add(TreeAsset::build("fly", "bee", action("fly")));
    let trees = trees.build().expect("it is sound");
    let mut pool = Pool::new();
    let ids = std::array::from_fn(|_| {
        let mut runner = Runner::new(&trees, "fly")
            .expect("it is there")
            .mode(Mode::Loop);
        runner.start();
        pool.spawn(Bee { flights: 0 }, runner)
    });
    (pool, ids)
}

fn flights(pool: &Pool<Bee>) -> Vec<u32> {
    pool.iter().map(|(_, bee, _)| bee.flights).collect()
}

fn enter() -> On {
    let tree = "fly".to_owned();
    On::Enter { tree, idx: 1 }
}

#[test]
fn stopped_agent_is_not_due_and_the_others_run_on() {
    let (mut pool, ids) = hive();
    let one = Arc::new(Breakpoints::new([Breakpoint::new(1, enter())]));
    let (_, runner) = pool.get_mut(ids[1]).expect("it is there");
    runner.set_breakpoints(Some(one));
    for second in 0..3 {
        pool.poll(Duration::from_secs(second));
    }
    assert_eq!(flights(&pool), [3, 0, 3]);
    assert_eq!(pool.stopped().collect::<Vec<_>>(), [ids[1]]);
    assert_eq!(pool.poll(Duration::from_secs(3)), 2, "it is not due");

    let (_, runner) = pool.get_mut(ids[1]).expect("it is there");
    let number = runner.stopped().expect("it is stopped").number;
    runner.set_breakpoints(None);
    runner
        .step(number, Step::Continue)
        .expect("it is stopped there");
    pool.poll(Duration::from_secs(4));
    assert_eq!(flights(&pool), [5, 1, 5]);
    assert_eq!(pool.stopped().count(), 0);
}

#[test]
fn each_agent_counts_the_hits_of_shared_breakpoints() {
    let (mut pool, ids) = hive();
    let second = Breakpoint::new(1, enter()).hits(Hits::AtLeast(2));
    pool.set_breakpoints(Some(&Arc::new(Breakpoints::new([second]))));
    pool.poll(Duration::ZERO);
    assert_eq!(pool.stopped().count(), 0);
    pool.poll(Duration::from_secs(1));
    assert_eq!(pool.stopped().collect::<Vec<_>>(), ids);
}

#[test]
fn agent_that_is_despawned_at_a_stop_is_gone() {
    let (mut pool, ids) = hive();
    pool.set_breakpoints(Some(&Arc::new(Breakpoints::new([Breakpoint::new(
        1,
        enter(),
    )]))));
    pool.poll(Duration::ZERO);
    assert!(pool.despawn(ids[0]));
    pool.poll(Duration::from_secs(1));
    assert!(!pool.contains(ids[0]));
    assert_eq!(pool.stopped().collect::<Vec<_>>(), ids[1..]);
}
