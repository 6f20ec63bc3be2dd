//! Quests, fights and potions.

use std::time::Duration;

use bt_core::prelude::*;
use monster::world::Quest;
use monster::{Blueprint, PlayerAgent, Point};
use serde_json::json;

use super::{DONE, FAILED, Scene};

#[test]
fn a_player_does_a_quest_from_the_board_to_the_reward() {
    let mut scene = Scene::new();
    let (_, _, mut hero) = scene.agents();
    let quest = |title: &str, prey: &str, count, reward| Quest {
        title: title.to_owned(),
        prey: prey.to_owned(),
        count,
        reward,
    };
    assert_eq!(
        scene.call(&mut hero, "pick_quest", json!(["shortest", "title"])),
        FAILED
    );
    scene.world.post_quest(quest("many hares", "hare", 10, 10));
    scene.world.post_quest(quest("the wolf", "wolf", 1, 40));
    for choice in ["best_paid", "shortest"] {
        let args = json!([choice, "title"]);
        assert_eq!(scene.call(&mut hero, "pick_quest", args), DONE);
        assert_eq!(scene.get("title"), "the wolf");
    }
    assert_eq!(
        scene.call(&mut hero, "pick_quest", json!(["random", "title"])),
        DONE
    );

    assert_eq!(scene.call(&mut hero, "find_prey", json!(["prey"])), FAILED);
    assert_eq!(scene.session.take_failure().unwrap(), "no quest");
    assert_eq!(
        scene.call(&mut hero, "accept_quest", json!(["the wolf"])),
        DONE
    );
    assert_eq!(scene.call(&mut hero, "has_quest", json!([])), DONE);
    assert_eq!(hero.quest(&scene.world).as_deref(), Some("the wolf"));
    assert_eq!(scene.call(&mut hero, "find_prey", json!(["prey"])), DONE);
    assert_eq!(scene.get("prey"), scene.wolf);
    assert_eq!(scene.call(&mut hero, "turn_in_quest", json!([])), FAILED);

    assert_eq!(scene.poll(&mut hero, "fight", json!([scene.wolf])), DONE);
    hero.leave_fight(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Success,
    );
    assert_eq!(hero.victories(), 1);
    let finished = PlayerAgent::quest_finished("the wolf", 40);
    assert!(scene.world.take_events().contains(&(scene.hero, finished)));
    assert_eq!(scene.call(&mut hero, "is_quest_done", json!([])), DONE);
    assert_eq!(scene.call(&mut hero, "turn_in_quest", json!([])), DONE);
    assert_eq!(hero.gold(&scene.world), 40);

    let args = json!(["loot", 30.0, "heap"]);
    assert_eq!(scene.call(&mut hero, "find_nearest", args), DONE);
    let heap = scene.get("heap");
    assert_eq!(scene.call(&mut hero, "loot", json!([heap])), DONE);
    assert_eq!(scene.next_event(scene.hero), PlayerAgent::looted(10));
    assert_eq!(scene.call(&mut hero, "loot", json!([heap])), FAILED);
    assert_eq!(hero.gold(&scene.world), 50);
}

#[test]
fn an_interrupted_fight_ends_with_the_weapon_down() {
    let mut scene = Scene::new();
    let (_, _, mut hero) = scene.agents();
    scene.put(scene.hero, 11.0, 10.0);
    let args = json!([scene.wolf]);
    assert_eq!(scene.call(&mut hero, "fight", args), Outcome::Running);
    assert!(scene.world.entity(scene.hero).unwrap().is_attacking());
    hero.leave_fight(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Aborted,
    );
    scene.world.step(Duration::from_secs(2));
    assert_eq!(scene.health(scene.wolf), 30.0);
    assert_eq!(scene.call(&mut hero, "fight", json!([99])), FAILED);
}

#[test]
fn potions_are_bought_and_drunk_to_the_end_or_not_at_all() {
    let mut scene = Scene::new();
    let (_, _, mut hero) = scene.agents();
    let id = scene.hero;
    assert_eq!(scene.call(&mut hero, "needs_healing", json!([])), FAILED);
    scene.world.hurt(id, scene.wolf, 40.0);
    assert_eq!(scene.call(&mut hero, "needs_healing", json!([])), DONE);
    assert_eq!(scene.call(&mut hero, "needs_healing", json!([0.1])), FAILED);
    assert_eq!(
        scene.call(&mut hero, "drink_potion", json!([])),
        Outcome::Pending
    );
    assert!(scene.session.take_requests().after.is_some());
    hero.leave_drinking(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Aborted,
    );
    assert_eq!((hero.potions(&scene.world), scene.health(id)), (2, 10.0));
    hero.leave_drinking(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Success,
    );
    assert_eq!((hero.potions(&scene.world), scene.health(id)), (1, 35.0));

    assert_eq!(scene.call(&mut hero, "has_potions", json!([])), DONE);
    assert_eq!(scene.call(&mut hero, "has_potions", json!([2])), FAILED);
    assert_eq!(scene.call(&mut hero, "buy_potions", json!([])), FAILED);
    let beside = Point::new(21.0, 10.0);
    scene.world.spawn(Blueprint::merchant("ann", beside));
    scene.world.entity_mut(id).unwrap().gold = 10;
    assert_eq!(scene.call(&mut hero, "buy_potions", json!([2])), DONE);
    assert_eq!(scene.call(&mut hero, "has_potions", json!([3])), DONE);
    scene.world.entity_mut(id).unwrap().potions = 0;
    assert_eq!(scene.call(&mut hero, "drink_potion", json!([])), FAILED);
}
