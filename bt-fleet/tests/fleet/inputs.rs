//! Inputs of every kind reach their agents; bad ones are refused to whoever sent them, and counted.

use bt_core::prelude::*;
use bt_fleet::store::Stream;
use bt_fleet::{Control, Fleet, Key};
use serde_json::json;

use crate::world::*;

fn started() -> World {
    let mut world = World::new(1, 2);
    world.start("here");
    world.until("both shards run", |world| world.running() == 2);
    world
}

#[test]
fn inputs_of_every_kind_reach_their_agent() {
    let mut world = started();
    let fleet = world.fleet.clone();
    fleet.spawn("a", "stay", json!(null)).wait(SECOND).unwrap();
    fleet.spawn(7, "post", json!(null)).wait(SECOND).unwrap();
    fleet.write("a", "mood", "calm").wait(SECOND).unwrap();
    fleet.fire("a", Npc::hit(1)).wait(SECOND).unwrap();
    fleet
        .fire_named("a", "hit", json!([2]))
        .wait(SECOND)
        .unwrap();
    fleet.finish(7, "leave", false).wait(SECOND).unwrap();
    world.run(0.2);
    fleet.finish(7, "leave", false).wait(SECOND).unwrap();
    world.run(0.2);
    let (npc, runner) = world.member(0).agent(&"a".into()).unwrap();
    assert_eq!((npc.hits, npc.last), (2, 2));
    assert_eq!(runner.blackboard().get("mood"), "calm");
    assert_eq!(world.member(0).agent(&7.into()).unwrap().0.steps, 1);
    for (control, is_paused, tree) in [
        (Control::Pause, true, "stay"),
        (Control::Resume, false, "stay"),
        (Control::Load("roam".to_owned()), false, "roam"),
        (Control::Reset, false, "roam"),
    ] {
        fleet.control("a", control).wait(SECOND).unwrap();
        world.run(0.2);
        let (_, runner) = world.member(0).agent(&"a".into()).unwrap();
        assert_eq!((runner.is_paused(), runner.tree()), (is_paused, tree));
    }
    fleet.control("a", Control::Stop).wait(SECOND).unwrap();
    world.run(0.2);
    assert!(!world.member(0).agent(&"a".into()).unwrap().1.is_running());
    fleet.control("a", Control::Start).wait(SECOND).unwrap();
    world.run(0.2);
    assert!(world.member(0).agent(&"a".into()).unwrap().1.is_running());
    fleet.despawn("a").wait(SECOND).unwrap();
    world.run(1.0);
    let keys: Vec<_> = world.all_saved().into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, [Key::from(7)]);
    // Its key is free again.
    fleet.spawn("a", "stay", json!(null)).wait(SECOND).unwrap();
    world.run(1.0);
    assert_eq!(world.all_saved().len(), 2);
    assert_eq!(
        world.sum(|metrics| metrics.refused_inputs),
        1,
        "it did not leave yet"
    );
}

#[test]
fn input_that_cannot_be_right_is_refused_before_it_is_sent() {
    let fleet = Fleet::<Npc>::local();
    let long = "k".repeat(201);
    let why = |sending: bt_fleet::Sending<'_, Npc>| {
        let error = sending.wait(SECOND).unwrap_err();
        assert!(error.is_invalid(), "{error}");
        error.to_string()
    };
    let event = why(fleet.fire("a", Event::new("hid")));
    assert!(
        event.contains("`hid`") && event.contains("did you mean `hit`"),
        "{event}"
    );
    let params = why(fleet.fire_named("a", "hit", json!({"number": "three"})));
    assert!(
        params.contains("event `hit`") && params.contains("number"),
        "{params}"
    );
    let key = why(fleet.fire(long, Npc::hit(1)));
    assert_eq!(
        key,
        "a key is a number or a text of 1 to 200 bytes; this one has 201"
    );
    let id = why(fleet.fire("a", Npc::hit(1)).id("a\nb"));
    assert!(id.contains("no line break; this one has 3"), "{id}");
    let large = why(fleet.write("a", "map", "m".repeat(300_000)));
    assert!(large.contains("at most 262144 bytes"), "{large}");
    let shard = fleet.move_shard(64, Some("here")).wait(SECOND).unwrap_err();
    assert_eq!(shard.to_string(), "expected a shard from 0 to 63, found 64");
}

#[test]
fn input_that_cannot_be_applied_is_refused_to_whoever_sent_it() {
    let mut world = started();
    let fleet = world.fleet.clone();
    fleet.spawn("a", "stay", json!(null)).wait(SECOND).unwrap();
    let bad = [
        fleet.fire("b", Npc::hit(1)).id("nobody"),
        fleet.spawn("a", "stay", json!(null)).id("twice"),
        fleet.spawn("c", "stray", json!(null)).id("tree"),
        fleet
            .spawn("d", "stay", json!({"refuse": "dragons"}))
            .id("args"),
        fleet.finish("a", "leave", true).id("waits"),
        fleet
            .control("a", Control::Load("stray".to_owned()))
            .id("load"),
    ];
    for sending in bad {
        sending.wait(SECOND).unwrap();
    }
    world.run(0.5);
    let mut refusals = fleet.refusals(SECOND).unwrap();
    refusals.sort_by_key(|refusal| refusal.id.clone());
    let why: Vec<_> = refusals
        .iter()
        .map(|refusal| format!("{}: {}", refusal.id.as_deref().unwrap(), refusal.why))
        .collect();
    let expected = [
        "args: no such agent: \"dragons\"",
        "load: ",
        "nobody: there is no agent `b`: spawn it first",
        "tree: ",
        "twice: there is an agent `a` already",
        "waits: agent `a` does not wait for an action `leave`",
    ];
    assert_eq!(why.len(), expected.len(), "{why:?}");
    for (why, expected) in why.iter().zip(expected) {
        assert!(why.starts_with(expected), "{why}");
    }
    assert!(why[1].contains("did you mean `stay`"), "{}", why[1]);
    assert_eq!(fleet.refusals(SECOND).unwrap(), [], "each is reported once");
    assert_eq!(world.sum(|metrics| metrics.refused_inputs), 6);
}

/// Whoever can write into the stream may write anything.
#[test]
fn bytes_that_are_no_input_are_counted_and_harm_nobody() {
    let mut world = started();
    let fleet = world.fleet.clone();
    let mut count = 0;
    let foreign = [
        &b""[..],
        b"\xff",
        b"{\"One\":1}",
        b"\x81\xa3One\x80",
        &[0x91; 100_000],
    ];
    for shard in ["in.0", "in.1"] {
        for body in foreign {
            world.put(Stream::Inputs, shard, body);
            count += 1;
        }
    }
    fleet.spawn("a", "stay", json!(null)).wait(SECOND).unwrap();
    fleet.fire("a", Npc::hit(1)).wait(SECOND).unwrap();
    world.run(1.0);
    assert_eq!(world.sum(|metrics| metrics.refused_inputs), count);
    assert_eq!(world.member(0).agent(&"a".into()).unwrap().0.hits, 1);
}

/// A function of the host's that panics is no poison that kills one member after the other.
#[test]
fn panic_of_a_host_function_refuses_the_input() {
    let mut world = World::new(1, 1);
    world.start_with("here", |builder| {
        let builder = builder.spawn(|key, _| match key {
            Key::Number(_) => panic!("no numbers here"),
            Key::Text(_) => Ok(Npc::default()),
        });
        builder.start(trees(), 1).unwrap()
    });
    let fleet = world.fleet.clone();
    fleet.spawn(1, "stay", json!(null)).wait(SECOND).unwrap();
    fleet.spawn("a", "stay", json!(null)).wait(SECOND).unwrap();
    world.run(1.0);
    assert_eq!(world.member(0).len(), 1);
    let refusals = fleet.refusals(SECOND).unwrap();
    assert_eq!(refusals[0].why, "the function that makes agents panicked");
}
