//! The tree files: that they are good, and that they do what their comments say.

use std::time::Duration;

use bt_core::{Registry, Runner, TreeAsset};
use monster::scene::trees::{FILES, Forest};
use monster::{Blueprint, MonsterAgent, Point, Stance, World};
use serde_json::Value;

const TICK: Duration = Duration::from_millis(100);

fn trees() -> impl Iterator<Item = TreeAsset> {
    let read = |(name, text): &(&str, &str)| TreeAsset::from_json(name, text);
    FILES.iter().map(move |file| read(file).unwrap())
}

#[test]
fn every_tree_builds() {
    let forest = Forest::grow().unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = forest.monsters.names().collect();
    assert_eq!(names, ["patrol.json", "hunt.json", "flee.json"]);
}

#[test]
fn every_file_is_as_an_editor_saves_it() {
    for (tree, (name, text)) in trees().zip(FILES) {
        assert_eq!(tree.to_json(), text, "{name}");
        let mut normal = tree.clone();
        normal.normalise();
        assert_eq!(normal, tree, "{name}");
        let is_named = tree.keys().get("name").and_then(Value::as_str);
        assert_eq!(is_named, Some(name));
        assert!(
            !tree.root().comment.is_empty(),
            "{name} says what it is for"
        );
    }
}

#[test]
fn every_event_that_a_tree_names_is_registered() {
    let registry = Registry::global().unwrap();
    let mut named = 0;
    for tree in trees() {
        let agent = registry.agent(tree.agent().unwrap()).unwrap();
        for node in tree.preorder() {
            let waits = node.extra.get("event").and_then(Value::as_str);
            let attached = node.extra.get("events").and_then(Value::as_array);
            let attached = attached.into_iter().flatten();
            let attached = attached.filter_map(|taken| taken["event"].as_str());
            for event in waits.into_iter().chain(attached) {
                let found = agent.event(event).is_ok();
                assert!(found, "{}: node {}: {event}", tree.name(), node.idx());
                named += 1;
            }
        }
    }
    assert!(named >= 4);
}

/// A wolf on its patrol, and a hero that nobody plays, too far away to be hunted.
struct Den {
    world: World,
    agent: MonsterAgent,
    runner: Runner<MonsterAgent>,
    wolf: u64,
    hero: u64,
}

impl Den {
    fn new() -> Den {
        let home = Point::new(20.0, 20.0);
        let mut world = World::new();
        let wolf = world.spawn(Blueprint::monster("wolf", home).health(40.0));
        let hero = world.spawn(Blueprint::player("hero", Point::new(40.0, 20.0)));
        let forest = Forest::grow().unwrap();
        let mut runner = Runner::new(&forest.monsters, "patrol.json").unwrap();
        let route = [Point::new(18.0, 14.0), Point::new(16.0, 22.0), home];
        runner.blackboard().set_as("route", &route).unwrap();
        runner.start();
        let agent = MonsterAgent::new(wolf, home);
        let mut den = Den {
            world,
            agent,
            runner,
            wolf,
            hero,
        };
        den.until(|den| den.world.entity(den.wolf).unwrap().is_moving());
        assert_eq!(den.stance(), Stance::Calm);
        den
    }

    fn step(&mut self) {
        self.world.step(TICK);
        while let Some(event) = self.world.take_event_of(self.wolf) {
            self.runner.fire(event);
            self.poll();
        }
        self.poll();
    }

    fn poll(&mut self) {
        let now = self.world.now();
        self.runner.poll_in(&mut self.agent, &mut self.world, now);
    }

    /// Steps until it is so, two minutes at most.
    fn until(&mut self, is_so: impl Fn(&Den) -> bool) {
        for _ in 0..1200 {
            self.step();
            if is_so(self) {
                return;
            }
        }
        panic!("never, in {:?}", self.runner);
    }

    fn stance(&self) -> Stance {
        self.world.entity(self.wolf).unwrap().stance
    }

    fn is_on(&self, tree: &str) -> bool {
        self.runner.tree() == tree
    }
}

#[test]
fn a_badly_hurt_patroller_flees_rests_and_comes_back() {
    let mut den = Den::new();
    den.world.hurt(den.wolf, den.hero, 35.0);
    den.step();
    assert_eq!(
        (den.runner.tree(), den.stance()),
        ("flee.json", Stance::Fleeing)
    );
    den.until(|den| den.world.entity(den.wolf).unwrap().resting);
    den.until(|den| den.is_on("patrol.json"));
    den.until(|den| den.world.entity(den.wolf).unwrap().is_moving());
    assert_eq!(den.runner.take_diagnostics(), []);
}

#[test]
fn a_scratched_patroller_hunts_whoever_did_it() {
    let mut den = Den::new();
    den.world.hurt(den.wolf, den.hero, 5.0);
    den.until(|den| den.is_on("hunt.json"));
    assert_eq!(den.runner.blackboard().get("prey"), den.hero);
    den.until(|den| den.world.entity(den.hero).unwrap().health < 50.0);
    den.world.hurt(den.hero, den.wolf, 99.0);
    den.until(|den| den.is_on("patrol.json"));
    assert_eq!(den.agent.target(), None);
}

#[test]
fn a_hunter_that_is_badly_hurt_flees_before_its_blow_falls() {
    let mut den = Den::new();
    den.world.hurt(den.wolf, den.hero, 5.0);
    den.until(|den| den.world.entity(den.wolf).unwrap().is_attacking());
    den.world.hurt(den.wolf, den.hero, 30.0);
    let before = den.world.entity(den.hero).unwrap().health;
    den.step();
    assert_eq!(den.stance(), Stance::Fleeing);
    assert!(!den.world.entity(den.wolf).unwrap().is_attacking());
    den.until(|den| den.is_on("patrol.json"));
    assert_eq!(den.world.entity(den.hero).unwrap().health, before);
}

#[test]
fn a_hunter_whose_tree_is_stopped_stands_still() {
    let mut den = Den::new();
    den.world.hurt(den.wolf, den.hero, 5.0);
    den.until(|den| den.is_on("hunt.json") && den.stance() == Stance::Aggressive);
    let now = den.world.now();
    den.runner.stop_in(&mut den.agent, &mut den.world, now);
    let wolf = den.world.entity(den.wolf).unwrap();
    assert!(!wolf.is_moving() && !wolf.is_attacking());
    assert!(!den.runner.is_running());
    assert_eq!(den.agent.target(), None, "the hunt's effects run as well");
}
