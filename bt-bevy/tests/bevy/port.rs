//! A client of the port, while the game runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use bevy_app::Update;
use bevy_ecs::prelude::*;
use bt_bevy::prelude::{AddAgent, BtPlugin};
use bt_bevy::{BtPort, BtPortPlugin};
use bt_live::client::{Client, Incoming};
use bt_live::port::Options;
use bt_live::protocol::Event;
use bt_live::protocol::types::*;

use crate::agents::{Guard, Position};
use crate::play::Play;

const ROUNDS: &str = "SEQUENCE True\n    step 1\n    wait_for_seconds 0.1";

/// A game with a port, and the file by which clients find it.
fn game() -> (Play, PathBuf, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::new("village").token_file(folder.path().join("port.json"));
    let mut play = Play::with(|app| {
        app.add_plugins((BtPlugin::in_schedule(Update), BtPortPlugin::with(options)));
        app.add_agent::<Guard>();
    });
    let file = play
        .app
        .world()
        .resource::<BtPort>()
        .token_file()
        .to_owned();
    assert!(
        play.app
            .world_mut()
            .resource_mut::<BtPort>()
            .url()
            .is_some()
    );
    play.frames(1);
    (play, file, folder)
}

/// Lets a client do something while the game runs.
fn attached<R: Send + 'static>(
    play: &mut Play,
    file: &Path,
    act: impl FnOnce(&mut Client) -> R + Send + 'static,
) -> R {
    let file = file.to_owned();
    let client = thread::spawn(move || act(&mut Client::attach(file).unwrap()));
    play.until("the client is done", |_| client.is_finished());
    client.join().unwrap()
}

fn id(entity: Entity) -> String {
    entity.to_bits().to_string()
}

fn steps(play: &Play, guard: Entity) -> u32 {
    play.app.world().get::<Guard>(guard).unwrap().steps
}

#[test]
fn one_agent_stops_at_a_breakpoint_and_the_others_run() {
    let (mut play, file, _folder) = game();
    let one = play.guard(ROUNDS);
    let tree = play.load("trees/door.bt");
    let other = play.spawn(tree);
    play.app
        .world_mut()
        .entity_mut(one)
        .insert(Name::new("Ann"));
    let (send, stopped) = std::sync::mpsc::channel();
    let (go, goes) = std::sync::mpsc::channel();
    let agent = id(one);
    let client = thread::spawn(move || {
        let mut client = Client::attach(file).unwrap();
        let agents = client.call(ListAgents::default()).unwrap().agents;
        let on = BreakpointSpec {
            on: "enter".to_owned(),
            tree: Some("door.bt".to_owned()),
            idx: Some(2),
            agents: Some(vec![agent]),
            ..BreakpointSpec::default()
        };
        client
            .call(SetBreakpoints {
                breakpoints: vec![on],
                stop_all: false,
            })
            .unwrap();
        let stop = loop {
            match client.next(Duration::from_secs(10)).unwrap() {
                Some(Incoming::Event(Event::StopEntry(stop))) => break stop,
                Some(_) => {}
                None => panic!("the agent stops"),
            }
        };
        send.send((agents, stop.tree.clone())).unwrap();
        let () = goes.recv().unwrap();
        client
            .call(SetBreakpoints {
                breakpoints: Vec::new(),
                stop_all: false,
            })
            .unwrap();
        let (agent, number) = (stop.agent, stop.number);
        client
            .call(Step {
                agent,
                number,
                step: "continue".to_owned(),
                tree: None,
                idx: None,
            })
            .unwrap();
    });
    let found = std::cell::RefCell::new(None);
    play.until("the agent stops", |_| {
        assert!(!client.is_finished(), "the client panicked");
        *found.borrow_mut() = stopped.try_recv().ok();
        found.borrow().is_some()
    });
    let (agents, tree) = found.into_inner().unwrap();
    let mut names: Vec<_> = agents.iter().map(|agent| agent.name.clone()).collect();
    names.sort();
    assert_eq!(names, [format!("Ann {one}"), format!("Guard {other}")]);
    assert!(
        agents
            .iter()
            .all(|agent| agent.agent_type.ends_with("guard"))
    );
    assert_eq!(tree.as_deref(), Some("door.bt"));
    let before = (steps(&play, one), steps(&play, other));
    play.frames(10);
    assert_eq!(steps(&play, one), before.0);
    assert!(steps(&play, other) > before.1);
    go.send(()).unwrap();
    play.until("the client is done", |_| client.is_finished());
    client.join().unwrap();
    play.until("it goes on", |play| steps(play, one) > before.0);
}

#[test]
fn client_looks_at_an_agent_and_changes_it() {
    let (mut play, file, _folder) = game();
    let guard = play.guard("SEQUENCE True\n    WAIT_EVENT {\"event\": \"knock\", \"params\": {\"visitor\": \"who\"}}\n    say $who");
    let agent = id(guard);
    let explained = attached(&mut play, &file, move |client| {
        let explained = client
            .call(Explain {
                agent: agent.clone(),
                at: None,
            })
            .unwrap()
            .text;
        client
            .call(SetProperty {
                agent: agent.clone(),
                property: "steps".to_owned(),
                value: 7.into(),
            })
            .unwrap();
        let params = BTreeMap::from([("visitor".to_owned(), "Bob".into())]);
        client
            .call(Fire {
                agent,
                event: "knock".to_owned(),
                params,
            })
            .unwrap();
        explained
    });
    assert!(explained.contains("event `knock`"), "{explained}");
    play.until("Bob is heard", |play| {
        play.app.world().resource::<crate::agents::Log>().0 == ["Bob"]
    });
    assert_eq!(steps(&play, guard), 7);
    let gone = id(Entity::from_raw_u32(9_999).unwrap());
    let refused = attached(&mut play, &file, |client| {
        client
            .call(Pause {
                agent: gone,
                keep: false,
            })
            .unwrap_err()
            .to_string()
    });
    assert!(refused.contains("there is no agent"), "{refused}");
}

#[test]
fn client_checks_and_replaces_trees() {
    let (mut play, file, _folder) = game();
    let guard = play.guard(ROUNDS);
    let texts = |line: &str| {
        BTreeMap::from([(
            "door.bt".to_owned(),
            format!("SEQUENCE True\n    {line}\n    hold"),
        )])
    };
    let (wrong, right) = (texts("sey \"new\""), texts("say \"new\""));
    let (text, problems, kept, moved) = attached(&mut play, &file, move |client| {
        let text = client
            .call(GetTree {
                name: "door.bt".to_owned(),
                page: None,
            })
            .unwrap()
            .text;
        let problems = client
            .call(CheckTrees {
                trees: wrong.clone(),
            })
            .unwrap()
            .problems;
        let kept = client.call(ReloadTrees { trees: wrong }).unwrap();
        let moved = client.call(ReloadTrees { trees: right }).unwrap();
        (text, problems, kept, moved)
    });
    assert_eq!(text, ROUNDS);
    assert_eq!((problems[0].line, problems[0].column), (Some(2), Some(5)));
    assert!(
        problems[0].message.contains("did you mean `say`?")
            || problems[0].message.contains("`sey`")
    );
    assert_eq!((kept.problems.len(), kept.moved), (1, 0));
    assert_eq!((moved.problems.len(), moved.moved), (0, 1));
    play.until("it holds", |play| {
        play.app
            .world()
            .resource::<crate::agents::Log>()
            .0
            .last()
            .is_some_and(|last| last == "hold")
    });
    let has_moved = play.with_runner(guard, |runner| runner.reloads() > 0);
    assert_eq!(has_moved, Some(true));
}

#[test]
fn client_sets_the_speed_of_the_trees() {
    let (mut play, file, _folder) = game();
    let guard = play.guard(ROUNDS);
    attached(&mut play, &file, |client| {
        client
            .call(SetSpeed {
                speed: 0.0,
                keep: true,
            })
            .unwrap()
    });
    play.frames(2);
    let before = steps(&play, guard);
    play.frames(10);
    assert!(steps(&play, guard) <= before + 1, "its time stands");
    assert!(play.app.world().get::<Position>(guard).is_some());
}
