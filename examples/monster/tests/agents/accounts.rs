//! The way into the world.

use std::time::Duration;

use bt_core::prelude::*;
use monster::{AccountAgent, Blueprint, Kind};
use serde_json::{Value, json};

use super::{DONE, FAILED, Scene};

/// A login, and a scene to log in to.
fn login(account: &str) -> (Scene, AccountAgent) {
    let mut scene = Scene::new();
    let id = scene.world.spawn(Blueprint::account(account));
    (scene, AccountAgent::new(id, account, "secret"))
}

/// Makes a request, and waits for the completion's answer.
fn ask(scene: &mut Scene, agent: &mut AccountAgent, name: &str, args: Value) -> bool {
    assert_eq!(scene.call(agent, name, args), Outcome::Pending);
    let ticket = scene.session.take_requests().completion.unwrap().ticket();
    scene.world.step(Duration::from_secs(1));
    let answers = scene.session.take_completions();
    assert_eq!(answers[0].0, ticket);
    answers[0].1.unwrap()
}

#[test]
fn an_account_gets_into_the_world() {
    let (mut scene, mut ann) = login("ann");
    assert_eq!(scene.call(&mut ann, "is_registered", json!([])), FAILED);
    assert!(!ask(&mut scene, &mut ann, "log_in", json!([])));
    assert!(ask(&mut scene, &mut ann, "register", json!([])));
    assert!(!ask(&mut scene, &mut ann, "register", json!([])));
    assert_eq!(scene.call(&mut ann, "is_registered", json!([])), DONE);
    assert!(!ask(&mut scene, &mut ann, "log_in", json!(["guess"])));
    assert!(ask(&mut scene, &mut ann, "log_in", json!([])));
    assert_eq!(scene.call(&mut ann, "is_logged_in", json!([])), DONE);
    let at = json!({"x": 5.0, "y": 5.0});
    assert_eq!(
        scene.call(&mut ann, "enter_world", json!([at, "player"])),
        FAILED
    );

    assert_eq!(scene.call(&mut ann, "has_player", json!([])), FAILED);
    assert_eq!(
        scene.call(&mut ann, "make_up_name", json!(["us", "name"])),
        DONE
    );
    let name = scene.get("name");
    assert!(name.as_str().unwrap().ends_with("us"));
    assert!(ask(
        &mut scene,
        &mut ann,
        "create_player",
        json!([name, "healer"])
    ));
    assert_eq!(scene.call(&mut ann, "has_player", json!([])), DONE);
    assert_eq!(
        scene.call(&mut ann, "enter_world", json!([at, "player"])),
        DONE
    );
    let player = scene.get("player").as_u64().unwrap();
    let player = scene.world.entity(player).unwrap();
    assert_eq!((player.kind, player.potions), (Kind::Player, 5));
    assert_eq!(json!(player.name), name);

    assert_eq!(scene.call(&mut ann, "log_out", json!([])), DONE);
    assert_eq!(scene.call(&mut ann, "log_out", json!([])), FAILED);
    let events = scene.world.take_events();
    let agreed = (ann.entity(), AccountAgent::server_agreed("ann"));
    let refused = AccountAgent::server_refused("the password is wrong");
    assert!(events.contains(&agreed) && events.contains(&(ann.entity(), refused)));
}

#[test]
fn a_login_holds_a_seat_until_it_is_left() {
    let (mut scene, mut ann) = login("ann");
    scene.world.server_mut().set_free_seats(1);
    assert_eq!(scene.call(&mut ann, "log_in", json!([])), Outcome::Pending);
    let asked = scene.session.take_requests();
    assert_eq!(scene.world.server().free_seats(), 0);
    assert_eq!(scene.call(&mut ann, "log_in", json!([])), FAILED);
    assert_eq!(
        scene.session.take_failure().unwrap(),
        "refused: the server is full"
    );
    drop(asked.guards);
    assert_eq!(scene.world.server().free_seats(), 1);
}

#[test]
fn server_request_continues_in_a_restored_world() {
    let (mut scene, mut ann) = login("ann");
    assert!(ask(&mut scene, &mut ann, "register", json!([])));
    assert_eq!(scene.call(&mut ann, "log_in", json!([])), Outcome::Pending);
    let number = scene.session.take_requests().kept.unwrap();

    let saved = serde_json::to_string(&scene.world).unwrap();
    scene.world = serde_json::from_str(&saved).unwrap();
    scene.session.take_completions(); // of the world that is gone
    assert_eq!(
        scene.world.server().free_seats(),
        8,
        "who had one takes one"
    );
    let number = number.as_u64().unwrap();
    let mut cx = scene.session.context();
    assert_eq!(ann.resume_log_in(&mut scene.world, &mut cx, number), None);
    assert_eq!(scene.world.server().free_seats(), 7);
    let ticket = scene.session.take_requests().completion.unwrap().ticket();
    scene.world.step(Duration::from_secs(1));
    assert_eq!(scene.session.take_completions(), [(ticket, Some(true))]);
    let mut cx = scene.session.context();
    let too_late = ann.resume_request(&mut scene.world, &mut cx, number);
    assert_eq!(too_late, Some(false));
}

#[test]
fn an_interrupted_request_is_taken_back() {
    let (mut scene, mut ann) = login("ann");
    assert_eq!(
        scene.call(&mut ann, "register", json!([])),
        Outcome::Pending
    );
    drop(scene.session.take_requests());
    ann.leave_request(
        &mut scene.world,
        &mut scene.session.context(),
        Exit::Aborted,
    );
    scene.world.step(Duration::from_secs(1));
    assert!(!scene.world.server().is_registered("ann"));
    // Nobody holds its completion any more, which is a failure.
    assert_eq!(scene.session.take_completions()[0].1, None);
}
