//! Clients that go, or die: what they have made stand still runs again.

use std::time::Duration;

use bt_live::client::{Client, Incoming};
use bt_live::protocol::Event;
use bt_live::protocol::types::*;

use crate::game::Game;

const WAIT: Duration = Duration::from_secs(60);

fn at(tree: &str, on: &str, idx: u32) -> BreakpointSpec {
    BreakpointSpec {
        on: on.to_owned(),
        tree: Some(tree.to_owned()),
        idx: Some(idx),
        ..BreakpointSpec::default()
    }
}

fn set(client: &mut Client, breakpoints: Vec<BreakpointSpec>, stop_all: bool) {
    client
        .call(SetBreakpoints {
            breakpoints,
            stop_all,
        })
        .unwrap();
}

fn stop(client: &mut Client) -> StopEntry {
    loop {
        match client.next(WAIT).unwrap() {
            Some(Incoming::Event(Event::StopEntry(stop))) => return stop,
            Some(_) => {}
            None => panic!("the agent stops"),
        }
    }
}

fn step(client: &mut Client, stop: &StopEntry, how: &str) {
    client
        .call(Step {
            agent: stop.agent.clone(),
            number: stop.number,
            step: how.to_owned(),
            tree: None,
            idx: None,
        })
        .unwrap();
}

fn fire(client: &mut Client) {
    client
        .call(Fire {
            agent: Game::dog(0),
            event: "stick".to_owned(),
            params: [("length".to_owned(), 2.into())].into(),
        })
        .unwrap();
}

fn picture(client: &mut Client) -> AgentPicture {
    let agent = Game::dog(0);
    client.call(GetPicture { agent, at: None }).unwrap()
}

/// Waits until the game knows that only so many clients are left.
fn left(game: &Game, clients: u32) {
    while game.between(|_, port| port.statistics().clients) > clients {}
    // It looks at all agents again.
    game.plays_on(3);
}

fn speed(game: &Game) -> f64 {
    game.between(|_, port| port.speed())
}

#[test]
#[expect(clippy::float_cmp, reason = "these are set, not computed")]
fn time_passes_as_before_when_the_client_goes_that_stopped_it() {
    let game = Game::of(1);
    let mut other = game.client();
    for (wanted, keep, after) in [(0.0, false, 1.0), (0.5, true, 0.5), (0.0, false, 0.5)] {
        let mut client = game.client();
        let asked = SetSpeed {
            speed: wanted,
            keep,
        };
        client.call(asked).unwrap();
        assert_eq!(speed(&game), wanted);
        drop(client);
        left(&game, 1);
        assert_eq!(speed(&game), after);
    }
    let mut told = Vec::new();
    while let Some(Incoming::Event(Event::SpeedChanged(changed))) =
        other.next(Duration::ZERO).unwrap()
    {
        told.push(changed.speed);
    }
    assert_eq!(told, [0.0, 1.0, 0.5, 0.0, 0.5]);
}

#[test]
#[expect(clippy::float_cmp, reason = "these are set, not computed")]
fn speed_of_another_client_stays() {
    let game = Game::of(1);
    let (mut first, mut second) = (game.client(), game.client());
    let keep = false;
    first.call(SetSpeed { speed: 0.0, keep }).unwrap();
    second.call(SetSpeed { speed: 2.0, keep }).unwrap();
    drop(first);
    left(&game, 1);
    assert_eq!(speed(&game), 2.0);
    drop(second);
    left(&game, 0);
    assert_eq!(speed(&game), 1.0);
}

#[test]
fn breakpoint_that_stops_all_frees_all_when_its_client_goes() {
    let game = Game::with(2, "busy.json", |options| options);
    let mut client = game.client();
    set(&mut client, vec![at("busy.json", "enter", 3)], true);
    _ = stop(&mut client);
    game.plays_on(2);
    assert_eq!(speed(&game).to_bits(), 0);
    drop(client);
    left(&game, 0);
    assert_eq!(speed(&game).to_bits(), 1.0_f64.to_bits());
    let mut client = game.client();
    assert!(client.call(ListStops {}).unwrap().stops.is_empty());
    let before = picture(&mut client).properties["barked"].as_u64();
    game.plays_on(5);
    assert!(picture(&mut client).properties["barked"].as_u64() > before);
}

#[test]
fn request_to_stop_of_a_client_that_is_gone_stops_nobody() {
    let game = Game::of(1);
    let mut client = game.client();
    let agent = Game::dog(0);
    client.call(Break { agent }).unwrap();
    drop(client);
    left(&game, 0);
    let mut other = game.client();
    fire(&mut other);
    game.plays_on(5);
    assert!(other.call(ListStops {}).unwrap().stops.is_empty());
    assert_eq!(picture(&mut other).properties["barked"], 1);
}

#[test]
fn step_of_a_client_that_is_gone_stops_nobody() {
    let game = Game::of(1);
    let mut client = game.client();
    set(&mut client, vec![at("guard.json", "enter", 3)], false);
    fire(&mut client);
    let first = stop(&mut client);
    // It barks, and waits for a thousand seconds: whatever happens next is another poll.
    step(&mut client, &first, "poll");
    game.plays_on(3);
    assert!(client.call(ListStops {}).unwrap().stops.is_empty());
    drop(client);
    left(&game, 0);
    let mut other = game.client();
    fire(&mut other);
    game.plays_on(5);
    assert!(other.call(ListStops {}).unwrap().stops.is_empty());
}

#[test]
fn step_of_a_client_that_is_gone_is_that_of_another_client_with_a_breakpoint() {
    let game = Game::with(1, "busy.json", |options| options);
    let (mut first, mut second) = (game.client(), game.client());
    set(&mut first, vec![at("busy.json", "enter", 3)], false);
    let stopped = stop(&mut first);
    step(&mut second, &stopped, "record");
    drop(second);
    left(&game, 1);
    let next = loop {
        let stop = stop(&mut first);
        if stop.number > stopped.number {
            break stop;
        }
    };
    game.plays_on(5);
    assert_eq!(first.call(ListStops {}).unwrap().stops, [next]);
}

#[test]
fn agent_is_stopped_for_a_client_until_that_goes_though_others_step_too() {
    let game = Game::with(1, "busy.json", |options| options);
    let (mut first, mut second) = (game.client(), game.client());
    set(&mut first, vec![at("busy.json", "enter", 3)], false);
    let stopped = stop(&mut first);
    // Breakpoints that are replaced leave it where it is.
    set(&mut first, Vec::new(), false);
    game.plays_on(5);
    assert_eq!(
        second.call(ListStops {}).unwrap().stops,
        std::slice::from_ref(&stopped)
    );
    step(&mut second, &stopped, "into");
    let next = loop {
        let stop = stop(&mut second);
        if stop.number > stopped.number {
            break stop;
        }
    };
    drop(first);
    left(&game, 1);
    assert_eq!(second.call(ListStops {}).unwrap().stops, [next]);
    drop(second);
    left(&game, 0);
    let mut third = game.client();
    assert!(third.call(ListStops {}).unwrap().stops.is_empty());
}

#[test]
fn paused_agent_is_resumed_when_the_last_client_goes_that_paused_it() {
    let game = Game::with(1, "busy.json", |options| options);
    let is_paused = || game.between(|pool, _| pool.iter().next().unwrap().2.is_paused());
    let pause = |client: &mut Client, keep| {
        let agent = Game::dog(0);
        client.call(Pause { agent, keep }).unwrap();
    };
    let (mut first, mut second) = (game.client(), game.client());
    pause(&mut first, false);
    pause(&mut second, false);
    drop(first);
    left(&game, 1);
    assert!(is_paused());
    drop(second);
    left(&game, 0);
    assert!(!is_paused());
    let mut client = game.client();
    pause(&mut client, true);
    drop(client);
    left(&game, 0);
    assert!(is_paused(), "it was to stay so");
    // One that the host has paused is no client's.
    let mut client = game.client();
    pause(&mut client, false);
    drop(client);
    left(&game, 0);
    assert!(is_paused());
    let mut client = game.client();
    let agent = Game::dog(0);
    client.call(Resume { agent }).unwrap();
    assert!(!is_paused());
}

#[test]
fn forced_node_stays_forced_and_is_listed() {
    let game = Game::with(1, "busy.json", |options| options);
    let mut client = game.client();
    client
        .call(Force {
            agent: Game::dog(0),
            tree: "busy.json".to_owned(),
            idx: 2,
            forced: Some("failure".to_owned()),
        })
        .unwrap();
    drop(client);
    left(&game, 0);
    let mut client = game.client();
    let forced = client.call(ListForced {}).unwrap().forced;
    assert_eq!((forced.len(), forced[0].idx), (1, 2));
    assert_eq!(picture(&mut client).forced.len(), 1);
    let states = client.call(ListStates::default()).unwrap();
    assert_eq!(states.agents[0].forced, 1);
}
