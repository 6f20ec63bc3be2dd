//! Tests of every actor's abilities: it walks, looks, waits and has a stance.

use bt_core::prelude::*;
use monster::{ActorAgent, Blueprint, Obstacle, Point, Stance};
use serde_json::json;

use super::{DONE, FAILED, HOME, Scene};

#[test]
fn walk_starts_reports_its_end_and_can_be_cancelled() {
    let mut scene = Scene::new();
    let (_, mut actor, _) = scene.agents();
    let goal = json!({"x": 10.0, "y": 14.0});
    let outcome = scene.call(&mut actor, "move_to", json!([goal]));
    assert_eq!(outcome, Outcome::Pending);
    let asked = scene.session.take_requests();
    assert_eq!(asked.on[0], ("arrived".to_owned(), true));
    assert_eq!(asked.kept, None, "a walk is saved with the world");
    assert_eq!(scene.call(&mut actor, "is_moving", json!([])), DONE);
    let arrived = ActorAgent::arrived(Point::new(10.0, 14.0));
    assert_eq!(scene.next_event(scene.wolf), arrived);

    scene.call(&mut actor, "go_to", json!([20.0, 20.0]));
    actor.leave_walk(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Aborted,
    );
    assert_eq!(scene.call(&mut actor, "is_moving", json!([])), FAILED);
}

#[test]
fn a_walk_to_nowhere_fails_with_its_reason() {
    let mut scene = Scene::new();
    let (_, mut actor, _) = scene.agents();
    let outcome = scene.call(&mut actor, "move_to", json!([{"x": -5.0, "y": 0.0}]));
    assert_eq!(outcome, FAILED);
    assert_eq!(scene.session.take_failure().unwrap(), "no way leads there");
}

#[test]
fn routes_are_followed_and_round_trips_counted() {
    let mut scene = Scene::new();
    let (_, mut actor, _) = scene.agents();
    let route = json!([{"x": 12.0, "y": 10.0}, {"x": 12.0, "y": 12.0}]);
    let outcome = scene.call(&mut actor, "follow_route", json!([route]));
    assert_eq!(outcome, Outcome::Pending);
    let end = ActorAgent::arrived(Point::new(12.0, 12.0));
    assert_eq!(scene.next_event(scene.wolf), end);

    scene.session.blackboard().set("taken", 1);
    let args = json!([route, "taken", "point"]);
    assert_eq!(scene.call(&mut actor, "next_waypoint", args.clone()), DONE);
    assert_eq!(scene.get("point"), route[1]);
    assert_eq!(scene.call(&mut actor, "next_waypoint", args), DONE);
    assert_eq!(scene.get("point"), route[0]);
    assert_eq!(scene.get("taken"), 3);
    let none = json!([[], "taken", "point"]);
    assert_eq!(scene.call(&mut actor, "next_waypoint", none), FAILED);
}

#[test]
fn an_actor_comes_up_to_another_and_turns() {
    let mut scene = Scene::new();
    let (_, mut actor, _) = scene.agents();
    // By its former name, too.
    let outcome = scene.call(&mut actor, "move_to_entity", json!([scene.hero, 4.0]));
    assert_eq!(outcome, Outcome::Pending);
    assert_eq!(scene.next_event(scene.wolf).name(), "arrived");
    assert!(actor.is_near(&scene.world, scene.hero, 4.001));
    assert_eq!(
        scene.call(&mut actor, "face", json!([{"x": 0.0, "y": 0.0}])),
        DONE
    );
    assert_eq!(
        scene.world.entity(scene.wolf).unwrap().facing,
        Point::default()
    );
}

#[test]
fn an_actor_finds_what_is_around() {
    let mut scene = Scene::new();
    let (_, mut actor, _) = scene.agents();
    let loot = scene
        .world
        .spawn(Blueprint::loot(3, Point::new(11.0, 10.0)));
    let hero = scene.hero;
    assert_eq!(
        scene.call(&mut actor, "find_nearest", json!({"found": "it"})),
        DONE
    );
    assert_eq!(scene.get("it"), loot);
    let args = json!(["player", 30.0, "it"]);
    assert_eq!(scene.call(&mut actor, "find_nearest", args), DONE);
    assert_eq!(scene.get("it"), hero);
    let args = json!(["merchant", 30.0, "it"]);
    assert_eq!(scene.call(&mut actor, "find_nearest", args), FAILED);
    assert_eq!(
        scene.call(&mut actor, "find_all", json!({"found": "all"})),
        DONE
    );
    assert_eq!(scene.get("all"), json!([loot, hero]));
    assert_eq!(
        scene.call(&mut actor, "find_named", json!(["hero", "it"])),
        DONE
    );
    assert_eq!(scene.get("it"), hero);
    assert_eq!(
        scene.call(&mut actor, "find_named", json!(["nobody", "it"])),
        FAILED
    );
    assert_eq!(
        scene.call(&mut actor, "locate", json!([hero, "there"])),
        DONE
    );
    assert_eq!(scene.get("there"), json!({"x": 20.0, "y": 10.0}));
    assert_eq!(
        scene.call(&mut actor, "locate", json!([99, "there"])),
        FAILED
    );
    assert_eq!(
        scene.call(&mut actor, "measure_distance", json!([hero, "far"])),
        DONE
    );
    assert_eq!(scene.get("far"), 10.0);
}

#[test]
fn a_random_point_is_one_that_can_be_walked_to() {
    let mut scene = Scene::new();
    let (_, mut actor, _) = scene.agents();
    scene.put(scene.wolf, 1.0, 1.0);
    for _ in 0..20 {
        let args = json!({"radius": 5.0, "point": "point"});
        assert_eq!(scene.call(&mut actor, "random_point", args), DONE);
        scene.session.context();
        let point: Point = scene.session.blackboard().get_as("point").unwrap();
        assert!(scene.world.ground().is_free(point));
        assert!(point.distance(Point::new(1.0, 1.0)) <= 5.0);
    }
    let nowhere = json!([{"x": -50.0, "y": 0.0}, 5.0, "point"]);
    assert_eq!(scene.call(&mut actor, "random_point", nowhere), FAILED);
}

#[test]
fn an_actor_sees_what_is_near_and_not_hidden() {
    let mut scene = Scene::new();
    let (_, mut actor, _) = scene.agents();
    let hero = scene.hero;
    assert_eq!(scene.call(&mut actor, "can_see", json!([hero])), DONE);
    assert_eq!(scene.call(&mut actor, "is_near", json!([hero])), FAILED);
    assert_eq!(scene.call(&mut actor, "is_near", json!([hero, 10.0])), DONE);
    scene.put(hero, 10.0 + ActorAgent::SIGHT + 1.0, 10.0);
    assert_eq!(scene.call(&mut actor, "can_see", json!([hero])), FAILED);
    scene.put(hero, 20.0, 10.0);
    scene.world.add_obstacle(Obstacle::Rect {
        min: Point::new(14.0, 8.0),
        max: Point::new(15.0, 12.0),
    });
    assert_eq!(scene.call(&mut actor, "can_see", json!([hero])), FAILED);
    assert_eq!(scene.call(&mut actor, "is_alive", json!([hero])), DONE);
    scene.world.hurt(hero, scene.wolf, 99.0);
    assert_eq!(scene.call(&mut actor, "is_alive", json!([hero])), FAILED);
}

#[test]
fn alarms_ring_beside_the_tree_and_waits_inside_it() {
    let mut scene = Scene::new();
    let (_, mut actor, _) = scene.agents();
    for (name, seconds) in [("short", 0.5), ("long", 60.0)] {
        assert_eq!(
            scene.call(&mut actor, "set_alarm", json!([name, seconds])),
            DONE
        );
    }
    assert_eq!(
        scene.call(&mut actor, "is_alarm_set", json!(["short"])),
        DONE
    );
    assert_eq!(
        scene.next_event(scene.wolf),
        ActorAgent::alarm_rang("short")
    );
    assert_eq!(
        scene.call(&mut actor, "is_alarm_set", json!(["short"])),
        FAILED
    );
    assert_eq!(
        scene.call(&mut actor, "cancel_alarm", json!(["short"])),
        FAILED
    );
    assert_eq!(scene.call(&mut actor, "cancel_alarm", json!([])), DONE);
    assert!(!actor.is_alarm_set(&scene.world, "long"));

    assert_eq!(
        scene.call(&mut actor, "linger", json!([2.0, 4.0])),
        Outcome::Pending
    );
    let (at, success) = scene.session.take_requests().after.unwrap();
    assert!(success && (2.0..=4.0).contains(&at.as_secs_f64()), "{at:?}");
}

#[test]
fn stance_and_speed_are_properties_of_the_entity() {
    let mut scene = Scene::new();
    let (_, mut actor, _) = scene.agents();
    assert_eq!(scene.call(&mut actor, "set_stance", json!(["calm"])), DONE);
    assert_eq!(scene.call(&mut actor, "has_stance", json!(["calm"])), DONE);
    assert_eq!(actor.stance(&scene.world), Stance::Calm);
    assert_eq!(scene.call(&mut actor, "set_stance", json!([])), DONE);
    assert_eq!(actor.stance(&scene.world), Stance::Alert);
    actor.set_speed(&mut scene.world, 6.0).unwrap();
    assert_eq!(actor.speed(&scene.world), 6.0);
    assert_eq!(actor.health(&scene.world), 30.0);
    assert_eq!(actor.position(&scene.world), HOME);
    scene.world.despawn(scene.wolf);
    assert!(actor.set_speed(&mut scene.world, 6.0).is_err());
    assert_eq!(actor.health(&scene.world), 0.0);
}
