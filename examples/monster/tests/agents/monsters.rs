//! Patrols, hunts, fights and rests.

use std::time::Duration;

use bt_core::prelude::*;
use monster::world::MissReason;
use monster::{ActorAgent, Blueprint, MonsterAgent, Point, Stance};
use serde_json::json;

use super::{DONE, FAILED, HOME, Scene, TICK};

#[test]
fn a_patrol_walks_its_rounds_and_can_be_left() {
    let mut scene = Scene::new();
    let (mut wolf, _, _) = scene.agents();
    let route = json!([{"x": 12.0, "y": 10.0}, {"x": 10.0, "y": 10.0}]);
    assert_eq!(scene.poll(&mut wolf, "patrol", json!([route, 2])), DONE);
    // Two rounds of 4 metres at a calm 2 m/s.
    let seconds = scene.world.now().as_secs_f64();
    assert!((4.0..4.5).contains(&seconds), "{seconds}");
    wolf.leave_patrol(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Success,
    );
    assert_eq!(
        scene.call(&mut wolf, "patrol", json!([route])),
        Outcome::Running
    );
    wolf.leave_patrol(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Aborted,
    );
    assert!(!scene.world.entity(scene.wolf).unwrap().is_moving());
    assert_eq!(scene.call(&mut wolf, "patrol", json!([[]])), FAILED);
}

#[test]
fn a_hunt_finds_chases_and_forgets() {
    let mut scene = Scene::new();
    let (mut wolf, _, _) = scene.agents();
    let hero = scene.hero;
    assert_eq!(scene.call(&mut wolf, "sees_enemy", json!([5.0])), FAILED);
    assert_eq!(scene.call(&mut wolf, "sees_enemy", json!([])), DONE);
    assert_eq!(scene.call(&mut wolf, "has_target", json!([])), FAILED);
    assert_eq!(
        scene.call(&mut wolf, "find_target", json!({"target": "prey"})),
        DONE
    );
    assert_eq!(scene.get("prey"), hero);
    assert_eq!(
        scene.session.take_fired(),
        [MonsterAgent::target_found(hero)]
    );
    assert_eq!(scene.call(&mut wolf, "has_target", json!([])), DONE);
    assert_eq!(scene.call(&mut wolf, "in_reach", json!([hero])), FAILED);

    assert_eq!(
        scene.call(&mut wolf, "chase", json!([hero])),
        Outcome::Pending
    );
    let ends = scene.finishes_on();
    assert!(
        ends.contains(&("target_lost".to_owned(), false)),
        "{ends:?}"
    );
    assert_eq!(
        scene.world.entity(scene.wolf).unwrap().stance,
        Stance::Aggressive
    );
    assert_eq!(scene.next_event(scene.wolf).name(), "arrived");
    wolf.leave_run(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Success,
    );
    assert_eq!(
        scene.world.entity(scene.wolf).unwrap().stance,
        Stance::Alert
    );
    assert_eq!(scene.call(&mut wolf, "in_reach", json!([hero])), DONE);

    assert_eq!(scene.call(&mut wolf, "forget_target", json!([])), DONE);
    assert_eq!(scene.call(&mut wolf, "forget_target", json!([])), FAILED);
    assert_eq!(wolf.target(), None);
    scene.world.hurt(hero, scene.wolf, 99.0);
    assert_eq!(scene.call(&mut wolf, "chase", json!([hero])), FAILED);
}

#[test]
fn interrupted_chase_stops_the_hunter() {
    let mut scene = Scene::new();
    let (mut wolf, _, _) = scene.agents();
    scene.call(&mut wolf, "chase", json!([scene.hero]));
    scene.world.step(TICK);
    wolf.leave_run(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Aborted,
    );
    let at = wolf.entity();
    let before = scene.world.entity(at).unwrap().position;
    scene.world.step(TICK);
    assert_eq!(scene.world.entity(at).unwrap().position, before);
}

#[test]
fn the_death_of_the_prey_ends_a_chase() {
    let mut scene = Scene::new();
    let (mut wolf, _, _) = scene.agents();
    scene.call(&mut wolf, "chase", json!([scene.hero]));
    scene.world.hurt(scene.hero, 0, 99.0);
    let lost = ActorAgent::target_lost(scene.hero);
    assert_eq!(scene.next_event(scene.wolf), lost);
}

#[test]
fn a_monster_flees_and_goes_home() {
    let mut scene = Scene::new();
    let (mut wolf, _, _) = scene.agents();
    assert_eq!(scene.call(&mut wolf, "should_flee", json!([])), FAILED);
    scene.world.hurt(scene.wolf, scene.hero, 27.0);
    assert_eq!(scene.call(&mut wolf, "should_flee", json!([])), DONE);
    assert_eq!(scene.call(&mut wolf, "should_flee", json!([0.05])), FAILED);
    scene.world.take_events();
    scene.put(scene.hero, 12.0, 12.0);
    scene.put(scene.wolf, 40.0, 40.0);
    assert_eq!(scene.call(&mut wolf, "is_far_from_home", json!([])), DONE);
    let outcome = scene.call(&mut wolf, "flee", json!([scene.hero, 10.0]));
    assert_eq!(outcome, Outcome::Pending);
    assert_eq!(scene.next_event(scene.wolf).name(), "arrived");
    assert!(scene.world.distance(scene.wolf, scene.hero).unwrap() > 45.0);
    assert_eq!(
        scene.call(&mut wolf, "go_home", json!([])),
        Outcome::Pending
    );
    assert_eq!(scene.next_event(scene.wolf), ActorAgent::arrived(HOME));
    assert_eq!(scene.call(&mut wolf, "is_far_from_home", json!([])), FAILED);
}

#[test]
fn an_attack_hits_misses_and_is_called_off() {
    let mut scene = Scene::new();
    let (mut wolf, _, _) = scene.agents();
    let (id, hero) = (scene.wolf, scene.hero);
    assert_eq!(scene.call(&mut wolf, "attack", json!([hero])), FAILED);
    let why = format!("entity {hero} is out of reach");
    assert_eq!(scene.session.take_failure(), Some(why));
    scene.put(hero, 11.0, 10.0);
    assert_eq!(
        scene.call(&mut wolf, "attack", json!([hero])),
        Outcome::Pending
    );
    let ends = [
        ("attack_landed".to_owned(), true),
        ("attack_missed".to_owned(), false),
    ];
    assert_eq!(scene.finishes_on(), ends);
    assert_eq!(scene.next_event(id), ActorAgent::attack_landed(hero, 5.0));
    assert_eq!(scene.health(hero), 45.0);

    scene.call(&mut wolf, "attack", json!([hero]));
    scene.put(hero, 20.0, 10.0);
    let missed = ActorAgent::attack_missed(hero, MissReason::OutOfReach);
    assert_eq!(scene.next_event(id), missed);

    scene.put(hero, 11.0, 10.0);
    scene.call(&mut wolf, "attack", json!([hero]));
    wolf.leave_attack(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Aborted,
    );
    scene.world.step(Duration::from_secs(2));
    assert_eq!(scene.health(hero), 45.0);
}

#[test]
fn a_smash_falls_when_it_ends_by_itself_and_not_when_interrupted() {
    let mut scene = Scene::new();
    let (mut wolf, _, _) = scene.agents();
    let hero = scene.hero;
    scene.put(hero, 12.0, 10.0);
    assert_eq!(scene.call(&mut wolf, "smash", json!([])), Outcome::Pending);
    let after = scene.session.take_requests().after;
    assert_eq!(after, Some((Duration::from_millis(1200), true)));
    wolf.leave_smash(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Aborted,
    );
    assert_eq!(scene.health(hero), 50.0);
    wolf.leave_smash(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Success,
    );
    assert_eq!(scene.health(hero), 40.0);
    assert_eq!(scene.next_event(hero), ActorAgent::hurt(scene.wolf, 10.0));
}

#[test]
fn rest_heals_and_is_disturbed() {
    let mut scene = Scene::new();
    let (mut wolf, _, _) = scene.agents();
    let (id, hero) = (scene.wolf, scene.hero);
    scene.world.hurt(id, hero, 10.0);
    assert_eq!(scene.poll(&mut wolf, "rest", json!([])), DONE);
    wolf.leave_rest(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Success,
    );
    assert_eq!(scene.health(id), 30.0);
    scene.world.hurt(id, hero, 10.0);
    assert_eq!(scene.call(&mut wolf, "rest", json!([])), Outcome::Running);
    scene.world.hurt(id, hero, 1.0);
    assert_eq!(scene.call(&mut wolf, "rest", json!([])), FAILED);
    wolf.leave_rest(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Failure,
    );
    assert_eq!(scene.call(&mut wolf, "rest", json!([])), Outcome::Running);
}

#[test]
fn the_pack_is_called() {
    let mut scene = Scene::new();
    let (mut wolf, _, _) = scene.agents();
    let args = json!([scene.hero]);
    assert_eq!(scene.call(&mut wolf, "call_for_help", args.clone()), FAILED);
    let fellow = scene
        .world
        .spawn(Blueprint::monster("wolf", Point::new(12.0, 20.0)));
    assert_eq!(scene.call(&mut wolf, "call_for_help", args), DONE);
    let called = MonsterAgent::help_called(scene.wolf, scene.hero);
    assert_eq!(scene.next_event(fellow), called);
}

#[test]
fn a_decorator_of_the_monsters_own_looks_at_its_health() {
    let mut scene = Scene::new();
    let (mut wolf, _, _) = scene.agents();
    let mut ask = |scene: &mut Scene, ended| {
        scene.session.set_asked(ended);
        scene.call(&mut wolf, "while_healthy", json!([0.5]))
    };
    assert_eq!(ask(&mut scene, None), Outcome::Run);
    assert_eq!(ask(&mut scene, Some(true)), Outcome::Run);
    assert_eq!(ask(&mut scene, Some(false)), FAILED);
    scene.world.hurt(scene.wolf, scene.hero, 20.0);
    assert_eq!(ask(&mut scene, Some(true)), DONE);
}
