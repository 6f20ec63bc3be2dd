//! Values that have no room: they are cut, say how much is missing, and are fetched by page.

use std::time::Duration;

use bt_live::client::{Client, Message};
use bt_live::protocol::types::*;
use bt_live::recording::{Scan, value};
use serde_json::{Value, json};

use crate::game::Game;

/// A text that repeats nothing.
fn long_text(bytes: usize) -> String {
    let mut text = String::new();
    while text.len() < bytes {
        text += &format!("{} é ", text.len());
    }
    text
}

/// Lets the first dog hold that.
fn hold(game: &Game, values: Vec<(String, Value)>) {
    game.between(|pool, _| {
        let id = pool.iter().next().unwrap().0;
        let board = pool.get_mut(id).unwrap().1.blackboard();
        for (key, value) in values {
            board.set(&key, value);
        }
    });
}

fn picture(client: &mut Client) -> AgentPicture {
    let agent = Game::dog(0);
    client.call(GetPicture { agent, at: None }).unwrap()
}

/// The pages of a value.
fn pages(client: &mut Client, at: &str) -> Vec<Value> {
    let mut asked = GetValue {
        agent: Game::dog(0),
        at: at.to_owned(),
        after: None,
    };
    let mut pages = Vec::new();
    loop {
        let page = client.call(asked.clone()).unwrap();
        let bytes = page.value.to_string().len();
        assert!(bytes < 256 << 10, "a page of {bytes} bytes");
        pages.push(page.value);
        asked.after = page.next;
        if asked.after.is_none() {
            return pages;
        }
    }
}

#[test]
fn picture_of_large_values_is_small_and_their_pages_have_all() {
    let game = Game::of(1);
    let text = long_text(2_000_000);
    let keys = (0..30).map(|key| (format!("big {key}"), text.clone().into()));
    hold(&game, keys.collect());
    let mut client = game.client();
    game.longest_poll();
    let shown = picture(&mut client);
    let bytes = serde_json::to_string(&shown).unwrap().len();
    assert!(bytes < 512 << 10, "{bytes} bytes");
    assert_eq!((shown.blackboard.len(), shown.cut.len()), (30, 30));
    let cut = &shown.cut[0];
    assert_eq!(cut.at, "/blackboard/big 0");
    let first = shown.blackboard["big 0"].as_str().unwrap();
    let (begin, missing) = first.rsplit_once("… (").unwrap();
    assert!(text.starts_with(begin) && begin.len() > 10_000);
    assert_eq!(cut.missing as usize, text.len() - begin.len());
    assert_eq!(missing, format!("{} more bytes)", cut.missing));
    let pages = pages(&mut client, &cut.at);
    let whole: String = pages.iter().map(|page| page.as_str().unwrap()).collect();
    assert!(whole == text, "{} bytes of {}", whole.len(), text.len());
}

#[test]
fn array_and_object_are_fetched_by_page() {
    let game = Game::of(1);
    let list: Vec<Value> = (0..20_000).map(|item| json!({ "item": item })).collect();
    let fields = (0..3_000).map(|field| (format!("field {field:04}"), json!(field)));
    let fields: serde_json::Map<_, _> = fields.collect();
    let deep = json!({ "a/b": [1, list] });
    let held = vec![
        ("list".to_owned(), list.clone().into()),
        ("fields".to_owned(), fields.clone().into()),
        ("deep".to_owned(), deep),
    ];
    hold(&game, held);
    let mut client = game.client();
    let shown = picture(&mut client);
    let items = shown.blackboard["list"].as_array().unwrap();
    let missing = list.len() - (items.len() - 1);
    assert_eq!(items[items.len() - 1], format!("… ({missing} more items)"));
    assert!(
        shown.blackboard["fields"]["…"]
            .as_str()
            .unwrap()
            .ends_with(" more entries)")
    );
    for at in [
        "/blackboard/deep/a~1b/1",
        "/blackboard/fields",
        "/blackboard/list",
    ] {
        assert!(shown.cut.iter().any(|cut| cut.at == at), "{at}");
    }
    for at in ["/blackboard/list", "/blackboard/deep/a~1b/1"] {
        let pages = pages(&mut client, at);
        let whole: Vec<Value> = pages
            .iter()
            .flat_map(|page| page.as_array().unwrap())
            .cloned()
            .collect();
        assert!(whole == list, "{at}");
    }
    let pages = pages(&mut client, "/blackboard/fields");
    let whole = pages
        .iter()
        .flat_map(|page| page.as_object().unwrap().clone());
    assert!(whole.collect::<serde_json::Map<_, _>>() == fields);
}

#[test]
fn keys_that_have_no_room_are_counted_and_fetched_by_page() {
    let game = Game::of(1);
    let keys = (0..5_000).map(|key| (format!("key {key:05}"), json!("x".repeat(100))));
    hold(&game, keys.collect());
    let mut client = game.client();
    let shown = picture(&mut client);
    let (there, cut) = (shown.blackboard.len(), shown.cut.last().unwrap());
    assert_eq!(
        (cut.at.as_str(), cut.missing as usize),
        ("/blackboard", 5_000 - there)
    );
    let pages = pages(&mut client, "/blackboard");
    let names = pages
        .iter()
        .flat_map(|page| page.as_object().unwrap().keys());
    let expected = (0..5_000).map(|key| format!("key {key:05}"));
    assert!(names.cloned().eq(expected));
    assert_eq!(pages[0]["key 00000"], "x".repeat(100));
}

#[test]
fn value_that_is_nowhere_is_refused() {
    let game = Game::of(1);
    hold(&game, vec![("list".to_owned(), json!([1, {"a": 2}]))]);
    let mut client = game.client();
    let mut ask = |at: &str, after: Option<&str>| {
        let asked = GetValue {
            agent: Game::dog(0),
            at: at.to_owned(),
            after: after.map(str::to_owned),
        };
        let page = client.call(asked);
        page.map(|page| page.value)
            .map_err(|error| error.to_string())
    };
    assert_eq!(ask("/blackboard/list/1/a", None), Ok(json!(2)));
    assert_eq!(ask("/properties/trust", None), Ok(json!(5)));
    for at in [
        "/blackboard/lost",
        "/blackboard/list/2",
        "/properties/lost",
        "/blackboard/list/1/b",
    ] {
        assert_eq!(ask(at, None).unwrap_err(), "there is no such value", "{at}");
    }
    for at in ["", "list", "/active/0", "/properties"] {
        let why = ask(at, None).unwrap_err();
        assert!(
            why.starts_with("a place is a JSON pointer into the picture: "),
            "{at}: {why}"
        );
    }
    let why = ask("/blackboard/list", Some("x")).unwrap_err();
    assert!(
        why.starts_with("a page of a text or an array comes after a number"),
        "{why}"
    );
}

#[test]
fn records_of_large_values_are_cut_and_say_so() {
    let game = Game::of(1);
    let text = long_text(1_000_000);
    let keys = (0..20).map(|key| (format!("big {key}"), text.clone().into()));
    hold(&game, keys.collect());
    let mut client = game.client();
    let (agent, recorded) = (Game::dog(0), true);
    client.call(Follow { agent, recorded }).unwrap();
    hold(&game, vec![("more".to_owned(), text.into())]);
    let mut seen = Vec::new();
    while seen.len() < 2 {
        let Some(Message::Records(message)) = client.hear(Duration::from_secs(60)).unwrap() else {
            continue;
        };
        assert!(message.len() < 1 << 20, "{} bytes", message.len());
        for head in Scan::of(&message).unwrap() {
            let record = value(&message[head.from..head.to]).unwrap();
            // Who does not know of it reads the rest.
            let read = bt_live::recording::record(&message[head.from..head.to]).unwrap();
            assert_eq!(read.what.command(), head.cmd);
            if record.get("cut").is_some() {
                seen.push(record);
            }
        }
    }
    assert_eq!(
        (&seen[0]["cmd"], &seen[0]["cut"][0]["at"]),
        (&json!("snapshot"), &json!("/blackboard/big 0"))
    );
    let keys = seen[0]["blackboard"].as_object().unwrap();
    let left_out = seen[0]["cut"]
        .as_array()
        .unwrap()
        .iter()
        .find(|cut| cut["at"] == "/blackboard");
    let left_out = left_out.map_or(0, |cut| cut["missing"].as_u64().unwrap());
    assert_eq!(keys.len() as u64 + left_out, 20);
    assert_eq!(
        (&seen[1]["cmd"], &seen[1]["key"]),
        (&json!("bb_set"), &json!("more"))
    );
    let shown = seen[1]["value"].as_str().unwrap();
    let missing = &seen[1]["cut"][0]["missing"];
    assert!(
        shown.ends_with(&format!("… ({missing} more bytes)")),
        "{missing}"
    );
}

#[test]
fn explanation_of_large_arguments_is_small() {
    use bt_core::TreeAsset;
    use bt_core::tree::asset::spec::{action, guard, select, wait_event};
    let near = guard("near").key("distance").set("abort", "lower");
    let top = select([action("bark").arg(1).guard(near), wait_event("stick")]);
    let text = TreeAsset::build("guard.json", "dog", top).to_json();
    let game = Game::on(
        [("guard.json".to_owned(), text)].into(),
        1,
        "guard.json",
        |it| it,
    );
    hold(
        &game,
        vec![("distance".to_owned(), long_text(1_000_000).into())],
    );
    let mut client = game.client();
    game.plays_on(2);
    let (agent, at) = (Game::dog(0), None);
    let explained = client.call(Explain { agent, at }).unwrap();
    let bytes = explained.explanation.to_string().len() + explained.text.len();
    assert!(bytes < 32 << 10, "{bytes} bytes");
    assert!(explained.explanation.to_string().contains(" more bytes)"));
}
