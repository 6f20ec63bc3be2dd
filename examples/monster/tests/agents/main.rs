//! Actions called by name, and what they did to the world.

mod accounts;
mod actors;
mod monsters;
mod players;

use std::time::Duration;

use bt_core::prelude::*;
use monster::world::MissReason;
use monster::{
    AccountAgent, ActorAgent, Blueprint, MonsterAgent, Obstacle, PlayerAgent, Point, World,
};
use serde_json::{Value, json};

const HOME: Point = Point::new(10.0, 10.0);
const TICK: Duration = Duration::from_millis(100);

/// A world with a wolf at home, a hero 10 metres east of it, and something to call with.
struct Scene {
    world: World,
    session: Session,
    wolf: u64,
    hero: u64,
}

impl Scene {
    fn new() -> Scene {
        let mut world = World::new();
        let wolf = world.spawn(Blueprint::monster("wolf", HOME));
        let hero = world.spawn(Blueprint::player("hero", Point::new(20.0, 10.0)));
        Scene {
            world,
            session: Session::new(7),
            wolf,
            hero,
        }
    }

    /// Calls an action by name.
    fn call<A>(&mut self, agent: &mut A, name: &str, args: Value) -> Outcome
    where
        A: for<'w, 's> Agent<World<'w, 's> = World>,
    {
        let registry = Registry::global().unwrap();
        let mut cx = self.session.context();
        let outcome = registry.invoke(agent, &mut self.world, &mut cx, name, &args);
        outcome.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Calls a polled action until it ends.
    fn poll<A>(&mut self, agent: &mut A, name: &str, args: Value) -> Outcome
    where
        A: for<'w, 's> Agent<World<'w, 's> = World>,
    {
        for _ in 0..1000 {
            match self.call(agent, name, args.clone()) {
                Outcome::Running => self.world.step(TICK),
                done => return done,
            }
        }
        panic!("`{name}` never ends");
    }

    /// The events that the last call finishes on.
    fn finishes_on(&mut self) -> Vec<(String, bool)> {
        self.session.take_requests().on
    }

    /// Steps until an entity is told something.
    fn next_event(&mut self, entity: u64) -> Event {
        for _ in 0..1000 {
            let events = self.world.take_events();
            if let Some((_, event)) = events.into_iter().find(|(id, _)| *id == entity) {
                return event;
            }
            self.world.step(TICK);
        }
        panic!("nothing happens to {entity}");
    }

    fn get(&mut self, key: &str) -> Value {
        self.session.context();
        self.session.blackboard().get(key)
    }

    /// A monster's, an actor's and a player's agent of the scene's two.
    fn agents(&self) -> (MonsterAgent, ActorAgent, PlayerAgent) {
        (
            MonsterAgent::new(self.wolf, HOME),
            ActorAgent::new(self.wolf),
            PlayerAgent::new(self.hero),
        )
    }

    fn put(&mut self, id: u64, x: f64, y: f64) {
        self.world.entity_mut(id).unwrap().position = Point::new(x, y);
    }

    fn health(&self, id: u64) -> f64 {
        self.world.entity(id).unwrap().health
    }
}

const DONE: Outcome = Outcome::Done(true);
const FAILED: Outcome = Outcome::Done(false);

#[test]
fn words_are_heard_and_monsters_growl() {
    let mut scene = Scene::new();
    let (mut wolf, _, mut hero) = scene.agents();
    assert_eq!(scene.call(&mut hero, "say", json!(["hello"])), DONE);
    assert_eq!(
        scene.next_event(scene.wolf),
        ActorAgent::heard(scene.hero, "hello")
    );
    assert_eq!(scene.call(&mut wolf, "say", json!(["go"])), DONE);
    assert_eq!(
        scene.next_event(scene.hero),
        ActorAgent::heard(scene.wolf, "Grr!")
    );
    assert_eq!(scene.call(&mut hero, "emote", json!([])), DONE);
    assert_eq!(
        scene.next_event(scene.wolf),
        ActorAgent::heard(scene.hero, "*waves*")
    );
}

#[test]
fn events_carry_what_their_constructors_were_given() {
    let at = Point::new(1.0, 2.0);
    let events = [
        (ActorAgent::arrived(at), json!({"at": {"x": 1.0, "y": 2.0}})),
        (
            ActorAgent::path_blocked(at),
            json!({"at": {"x": 1.0, "y": 2.0}}),
        ),
        (ActorAgent::target_lost(7), json!({"target": 7})),
        (ActorAgent::alarm_rang("a"), json!({"name": "a"})),
        (
            ActorAgent::heard(7, "hi"),
            json!({"speaker": 7, "words": "hi"}),
        ),
        (
            ActorAgent::hurt(7, 2.5),
            json!({"attacker": 7, "damage": 2.5}),
        ),
        (ActorAgent::died(7), json!({"killer": 7})),
        (
            ActorAgent::attack_landed(7, 2.5),
            json!({"target": 7, "damage": 2.5}),
        ),
        (
            ActorAgent::attack_missed(7, MissReason::Dead),
            json!({"target": 7, "why": "dead"}),
        ),
        (
            MonsterAgent::help_called(7, 8),
            json!({"caller": 7, "target": 8}),
        ),
        (MonsterAgent::target_found(7), json!({"target": 7})),
        (
            PlayerAgent::quest_finished("q", 5),
            json!({"title": "q", "reward": 5}),
        ),
        (PlayerAgent::level_reached(2), json!({"level": 2})),
        (PlayerAgent::looted(5), json!({"gold": 5})),
        (AccountAgent::player_died(7), json!({"player": 7})),
        (
            AccountAgent::server_agreed("ann"),
            json!({"account": "ann"}),
        ),
        (AccountAgent::server_refused("no"), json!({"why": "no"})),
    ];
    for (event, params) in events {
        let carried = event
            .params()
            .map(|(name, value)| (name.to_owned(), value.clone()));
        assert_eq!(Value::Object(carried.collect()), params, "{}", event.name());
    }
}

#[test]
fn the_same_calls_give_the_same_scene() {
    let play = || {
        let mut scene = Scene::new();
        let (mut wolf, mut actor, mut hero) = scene.agents();
        scene.world.add_obstacle(Obstacle::Circle {
            center: Point::new(15.0, 10.0),
            radius: 2.0,
        });
        scene.call(&mut actor, "random_point", json!({"point": "point"}));
        let point = scene.get("point");
        scene.call(&mut wolf, "move_to", json!([point]));
        let mut events = Vec::new();
        for _ in 0..100 {
            scene.call(&mut hero, "fight", json!([scene.wolf]));
            scene.world.step(TICK);
            events.extend(scene.world.take_events());
        }
        let places: Vec<Point> = scene.world.entities().map(|e| e.position).collect();
        (events, places)
    };
    let (events, places) = play();
    assert!(events.len() > 5);
    assert_eq!((events, places), play());
}
