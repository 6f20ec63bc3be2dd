//! Members over real servers, which die meanwhile.

use std::time::{Duration, Instant};

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, sequence, wait_event};
use bt_core::{TreeAsset, TreeSet, Trees};
use bt_fleet::{Config, Fleet, Member};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::servers::Servers;

#[derive(Agent, Serialize, Deserialize, Default)]
struct Bee {
    hits: u64,
}

#[agent]
impl Bee {
    #[event]
    fn hit(number: u64);

    #[action]
    fn buzz(&mut self) {}
}

fn trees() -> Trees<Bee> {
    let mut trees = TreeSet::new();
    let hum = sequence([wait_event("hit"), action("buzz")]);
    trees.add(TreeAsset::build("hum", "bee", hum));
    trees.build().unwrap()
}

const PATIENCE: Duration = Duration::from_secs(20);

fn config() -> Config {
    Config::new("hive").shards(8).lease(Duration::from_secs(2))
}

/// A fleet of its own connection for each member, as if it were a process.
fn member(urls: &str, name: &str) -> Member<Bee> {
    let fleet = Fleet::<Bee>::connect(urls, config())
        .wait(PATIENCE)
        .unwrap();
    let member = fleet.member(name).spawn(|_, _| Ok(Bee::default()));
    let member = member.heard(|_, bee, _| bee.hits += 1);
    let member = member.save_every(Duration::from_millis(200));
    member.start(trees(), 1).unwrap()
}

/// Rounds of all members, until something holds.
fn until(
    members: &mut [Member<Bee>],
    begin: Instant,
    what: &str,
    mut holds: impl FnMut(&[Member<Bee>]) -> bool,
) {
    let end = Instant::now() + Duration::from_secs(60);
    while !holds(members) {
        assert!(Instant::now() < end, "in a minute: {what}");
        for member in &mut *members {
            member.round(begin.elapsed(), &mut ());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn running(members: &[Member<Bee>]) -> usize {
    members.iter().map(|member| member.shards().count()).sum()
}

/// Hits a hundred bees, with servers and members dying; the number of hits of all bees as they are saved is checked.
fn lives_through(count: usize) {
    let Some(mut servers) = Servers::start(count) else {
        return;
    };
    let urls = servers.urls();
    let fleet = Fleet::<Bee>::connect(&urls, config())
        .wait(PATIENCE)
        .unwrap();
    let begin = Instant::now();
    let mut members = vec![member(&urls, "a"), member(&urls, "b")];
    until(&mut members, begin, "all shards run", |members| {
        running(members) == 8
    });
    let mut replies = Vec::new();
    for key in 0..100 {
        replies.push(fleet.spawn(key, "hum", json!(null)).send());
    }
    // What is sent without waiting may be stored in another order.
    let stored = |reply: bt_fleet::Reply<u64>| _ = reply.wait(PATIENCE).unwrap();
    replies.drain(..).for_each(stored);
    let mut number = 0;
    let mut hit = |replies: &mut Vec<_>| {
        number += 1;
        replies.push(fleet.fire(number % 100, Bee::hit(number)).send());
    };
    (0..300).for_each(|_| hit(&mut replies));
    until(&mut members, begin, "all bees are there", |members| {
        members.iter().map(Member::len).sum::<usize>() == 100
    });
    servers.down(0);
    (0..300).for_each(|_| hit(&mut replies));
    // It dies, and another one comes.
    members.truncate(1);
    let down = Instant::now();
    until(&mut members, begin, "a while passes", |_| {
        down.elapsed() > Duration::from_secs(3)
    });
    servers.up(0);
    members.push(member(&urls, "c"));
    (0..300).for_each(|_| hit(&mut replies));
    for reply in replies {
        until(&mut members, begin, "no time passes", |_| true);
        reply.wait(PATIENCE).unwrap();
    }
    until(&mut members, begin, "all shards run", |members| {
        running(members) == 8
    });
    let total = |fleet: &Fleet<Bee>| -> Option<(u64, usize)> {
        let shards = (0..8).map(|shard| fleet.saved(shard, PATIENCE).ok());
        shards.sum_up()
    };
    let mut found = None;
    let mut looked = Instant::now();
    until(&mut members, begin, "all hits are saved", |_| {
        if looked.elapsed() > Duration::from_millis(500) {
            looked = Instant::now();
            found = total(&fleet);
        }
        found == Some((900, 100))
    });
    // No more of them come.
    let done = Instant::now();
    until(&mut members, begin, "a while passes", |_| {
        done.elapsed() > Duration::from_secs(1)
    });
    assert_eq!(total(&fleet), Some((900, 100)));
}

trait SumUp {
    fn sum_up(self) -> Option<(u64, usize)>;
}

impl<I: Iterator<Item = Option<bt_fleet::SavedShard<Bee>>>> SumUp for I {
    /// The hits of all bees, and how many bees there are.
    fn sum_up(self) -> Option<(u64, usize)> {
        let mut sum = (0, 0);
        for shard in self {
            let agents = shard?.agents;
            sum.0 += agents.values().map(|(bee, _)| bee.hits).sum::<u64>();
            sum.1 += agents.len();
        }
        Some(sum)
    }
}

#[test]
fn fleet_lives_through_the_restart_of_its_only_server() {
    lives_through(1);
}

#[test]
fn fleet_lives_through_the_death_of_one_of_three_servers() {
    lives_through(3);
}
