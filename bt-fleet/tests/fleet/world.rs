//! The agents of these tests, and a world whose time, network and members the test moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, select, sequence, wait_event};
use bt_core::{TreeAsset, TreeSet, Trees};
use bt_fleet::store::{Append, Link, Memory, Net, Store as _, Stream};
use bt_fleet::{Config, Fleet, FleetContext, Key, Member, MemberBuilder, SavedShard};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Counts its hits: in `heard`, and in its tree, which may not wait for one.
#[derive(Agent, Serialize, Deserialize, Default, Debug, Clone, PartialEq)]
pub(crate) struct Npc {
    pub(crate) hits: u64,
    pub(crate) seen: u64,
    pub(crate) steps: u64,
    /// The last number of a hit, and how many came out of order.
    pub(crate) last: u64,
    pub(crate) disorder: u64,
    pub(crate) greetings: u64,
}

#[agent]
impl Npc {
    #[event]
    pub(crate) fn hit(number: u64);

    #[event]
    fn greeted(by: u64);

    #[action]
    fn count(&mut self) {
        self.seen += 1;
    }

    #[action]
    fn walk(&mut self) {
        self.steps += 1;
    }

    /// Greets the agent of a key that its blackboard has, and notes that in a log.
    #[action]
    fn greet(&mut self, cx: &mut Context) -> bool {
        let friend: u64 = cx.get_as("friend").unwrap_or(0);
        self.steps += 1;
        let line = json!({"by": friend, "step": self.steps});
        cx.outbox().fire(friend, Npc::greeted(self.steps)) && cx.outbox().log("deeds", line)
    }

    #[action]
    fn leave(&mut self, cx: &mut Context) -> Option<bool> {
        cx.finish_after(Duration::from_secs(3600), true);
        None
    }
}

pub(crate) fn trees() -> Trees<Npc> {
    let mut trees = TreeSet::new();
    let stay = sequence([wait_event("hit"), action("count")]);
    let roam = sequence([action("wait_for_seconds").arg(2), action("walk")]);
    let greet = sequence([action("wait_for_seconds").arg(0.5), action("greet")]);
    let post = sequence([select([action("leave"), action("nop")]), action("walk")]);
    for (name, tree) in [
        ("stay", stay),
        ("roam", roam),
        ("greet", greet),
        ("post", post),
    ] {
        trees.add(TreeAsset::build(name, "npc", tree));
    }
    trees.build().unwrap()
}

pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A process: a member with its connection, that may be paused or gone.
pub(crate) struct Process {
    pub(crate) name: String,
    pub(crate) link: Link,
    pub(crate) member: Option<Member<Npc>>,
    pub(crate) paused_until: Duration,
}

/// A fleet on a network of its own.
pub(crate) struct World {
    pub(crate) net: Net,
    clock: Arc<AtomicU64>,
    pub(crate) now: Duration,
    pub(crate) config: Config,
    pub(crate) shards: u32,
    /// Whoever sends inputs; its connection has no faults.
    pub(crate) fleet: Fleet<Npc>,
    pub(crate) all: Vec<Process>,
    incarnations: u64,
}

pub(crate) fn spawn(_: &Key, args: &Value) -> Result<Npc, String> {
    match args.get("refuse") {
        Some(why) => Err(format!("no such agent: {why}")),
        None => Ok(Npc::default()),
    }
}

pub(crate) fn heard(_: &Key, npc: &mut Npc, event: &Event) {
    match event.name() {
        "hit" => {
            npc.hits += 1;
            let number = event.get_as("number").unwrap_or(0);
            npc.disorder += u64::from(number <= npc.last);
            npc.last = number;
        }
        _ => npc.greetings += 1,
    }
}

impl World {
    /// Puts something in the store that no fleet has written.
    pub(crate) fn put(&self, stream: Stream, subject: &str, body: &[u8]) {
        let message = Append {
            stream,
            subject: subject.to_owned(),
            id: None,
            expect: None,
            body: body.to_vec(),
        };
        let stored = Box::new(|stored: Result<_, _>| _ = stored.unwrap());
        self.net.memory().append(message, stored);
    }

    pub(crate) fn new(seed: u64, shards: u32) -> World {
        let net = Net::new(Memory::new(), seed);
        let clock = Arc::new(AtomicU64::new(0));
        let of = clock.clone();
        let clocked = move || Duration::from_nanos(of.load(Ordering::Relaxed));
        let config = Config::new("test")
            .shards(shards)
            .lease(SECOND)
            .clock(clocked);
        let fleet = Fleet::with_store(Arc::new(net.memory()), config.clone());
        World {
            net,
            clock,
            now: Duration::ZERO,
            config,
            shards,
            fleet,
            all: Vec::new(),
            incarnations: 0,
        }
    }

    /// The time of the current round.
    pub(crate) fn time(&self) -> impl Fn() -> Duration + use<> {
        let clock = self.clock.clone();
        move || Duration::from_nanos(clock.load(Ordering::Relaxed))
    }

    pub(crate) fn builder(&mut self, name: &str, link: &Link) -> MemberBuilder<Npc> {
        self.incarnations += 1;
        let fleet: Fleet<Npc> = Fleet::with_store(Arc::new(link.clone()), self.config.clone());
        let member = fleet.member(name).incarnation(self.incarnations);
        member.spawn(spawn).heard(heard).save_every(millis(200))
    }

    /// Starts a process; its number.
    pub(crate) fn start(&mut self, name: &str) -> usize {
        self.start_with(name, |builder| builder.start(trees(), 1).unwrap())
    }

    pub(crate) fn start_with(
        &mut self,
        name: &str,
        start: impl FnOnce(MemberBuilder<Npc>) -> Member<Npc>,
    ) -> usize {
        let link = self.net.link();
        let member = start(self.builder(name, &link));
        self.all.push(Process {
            name: name.to_owned(),
            link,
            member: Some(member),
            paused_until: Duration::ZERO,
        });
        self.all.len() - 1
    }

    pub(crate) fn member(&self, number: usize) -> &Member<Npc> {
        self.all[number].member.as_ref().unwrap()
    }

    pub(crate) fn member_mut(&mut self, number: usize) -> &mut Member<Npc> {
        self.all[number].member.as_mut().unwrap()
    }

    /// One step of 20 ms: every process that lives and is not paused has a round.
    pub(crate) fn step(&mut self) {
        self.now += millis(20);
        self.net.advance(self.now);
        self.clock
            .store(self.now.as_nanos() as u64, Ordering::Relaxed);
        for process in &mut self.all {
            if let Some(member) = &mut process.member
                && self.now >= process.paused_until
            {
                member.round(self.now, &mut ());
            }
        }
    }

    pub(crate) fn run(&mut self, seconds: f64) {
        let end = self.now + Duration::from_secs_f64(seconds);
        while self.now < end {
            self.step();
        }
    }

    /// Runs until something holds.
    ///
    /// # Panics
    /// If it does not within a minute of the world's time.
    pub(crate) fn until(&mut self, what: &str, mut holds: impl FnMut(&World) -> bool) {
        let start = self.now;
        while !holds(self) {
            assert!(self.now < start + 60 * SECOND, "in a minute: {what}");
            self.step();
        }
    }

    /// The number of shards that run somewhere.
    pub(crate) fn running(&self) -> usize {
        let members = self
            .all
            .iter()
            .filter_map(|process| process.member.as_ref());
        members.map(|member| member.shards().count()).sum()
    }

    pub(crate) fn saved(&self, shard: u32) -> SavedShard<Npc> {
        self.fleet.saved(shard, SECOND).unwrap()
    }

    /// All agents, as they are saved.
    pub(crate) fn all_saved(&self) -> Vec<(Key, Npc)> {
        let mut all = Vec::new();
        for shard in 0..self.shards {
            for (key, (npc, _)) in self.saved(shard).agents {
                assert_eq!(
                    self.config.shard(&key),
                    shard,
                    "{key} is in the wrong shard"
                );
                all.push((key, npc));
            }
        }
        all
    }

    /// The counts of all members that live.
    pub(crate) fn sum(&self, of: impl Fn(&bt_fleet::Metrics) -> u64) -> u64 {
        let members = self
            .all
            .iter()
            .filter_map(|process| process.member.as_ref());
        members.map(|member| of(member.metrics())).sum()
    }
}
