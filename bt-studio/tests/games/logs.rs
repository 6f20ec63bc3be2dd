//! The original's debug logs, from a file and as they are posted.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use bt_core::Runner;
use bt_core::builtin::ActionAgent;
use bt_core::{TreeAsset, TreeSet};
use bt_live::logs::DebugLog;
use serde_json::{Value, json};
use std::any::Any;
use std::time::Duration;

use super::{Studio, followed, of, repository};

/// A log of the original's own demo, as its debugger's documents spell it.
fn demo() -> Value {
    json!({
        "entity_id": 7,
        "debug_cmds": [
            [0, 0, 1_700_000_000_000_u64, "snapshot", [["new_btree_1"], {"hp": 10}, [[0, 0]]]],
            [0, 1, 1_700_000_000_000_u64, "enter", []],
            [0, 1, 1_700_000_000_000_u64, "mutate", ["variable", ["set", ["hp", 9]]]],
            [0, 1, 1_700_000_000_010_u64, "mutate", ["node_action", ["attack", [3]]]],
            [0, 1, 1_700_000_000_010_u64, "leave", []],
            [0, 0, 1_700_000_000_500_u64, "poll_begin", []],
            [0, 0, 1_700_000_000_500_u64, "push_tree", ["test_event"]],
            [1, 0, 1_700_000_000_500_u64, "node_enter", []],
            [1, 0, 1_700_000_000_500_u64, "bb_set", ["hp", 8]],
            [1, 0, 1_700_000_000_500_u64, "bb_remove", ["hp"]],
            [1, 0, 1_700_000_000_500_u64, "bb_set", ["hp", 5]],
            [1, 0, 1_700_000_000_500_u64, "bb_clear", []],
            [1, 0, 1_700_000_000_500_u64, "whistle", ["tune"]],
            [1, 0, 1_700_000_000_500_u64, "node_leave", [false]],
        ],
    })
}

#[test]
fn log_of_the_original_opens_as_a_session_with_one_agent() {
    let studio = Studio::with(Vec::new(), false);
    let trees = repository().join("tests/data/mosaic/btree");
    fs::copy(
        trees.join("new_btree_1.json"),
        studio.path("new_btree_1.json"),
    )
    .unwrap();
    fs::write(studio.path("demo.json"), demo().to_string()).unwrap();
    let mut page = studio.page();
    let mut files = Value::Null;
    while files[0]["path"] != "demo.json" {
        files = page.call("games.list", json!({})).unwrap()["files"].clone();
    }
    assert_eq!(files[0]["kind"], "log");
    let session = page
        .call("game.attach", json!({ "log": "demo.json" }))
        .unwrap();
    assert_eq!(session["kind"], "log");
    assert_eq!(session["trees"]["new_btree_1"]["path"], "new_btree_1.json");
    assert!(
        session["trees"]["new_btree_1"].get("same").is_none(),
        "nobody knows"
    );
    let history = followed(&mut page, "7", 14);
    assert_eq!(history["records"], 14);
    assert_eq!(history["polls"], 2);
    let rows = of(
        &mut page,
        "game.rows",
        "7",
        json!({ "from": 0, "count": 20 }),
    );
    let text = |no: usize| rows["rows"][no]["text"].as_str().unwrap().to_owned();
    assert!(text(1).starts_with("new_btree_1: node 1 (") && text(1).ends_with("is entered"));
    assert!(
        !text(1).contains("()"),
        "its kind is the project's tree's: {}",
        text(1)
    );
    assert!(text(3).contains("calls `attack(3)`"), "{}", text(3));
    assert!(
        text(4).ends_with(" exits"),
        "how it ended is not known: {}",
        text(4)
    );
    assert!(text(13).ends_with("exits: failure"), "{}", text(13));
    assert!(text(12).contains("whistle"), "{}", text(12));
    assert_eq!(rows["rows"][13]["failed"], true);
    let at = |page: &mut super::client::Client, no: u64| {
        let moment = of(page, "game.moment", "7", json!({ "at": no }));
        moment["picture"]["blackboard"]["hp"].clone()
    };
    assert_eq!(at(&mut page, 0), 10);
    assert_eq!(at(&mut page, 4), 9);
    assert_eq!(at(&mut page, 8), 8);
    assert_eq!(at(&mut page, 9), Value::Null);
    assert_eq!(at(&mut page, 10), 5);
    assert_eq!(at(&mut page, 11), Value::Null);
    let ended = of(&mut page, "game.moment", "7", json!({ "at": 4 }))["results"].clone();
    assert_eq!(ended[0]["result"], "ended", "{ended}");
    assert_eq!(rows["rows"][4]["failed"], false);
    let asked = json!({ "session": 1, "from": 0, "count": 5 });
    let agents = page.call("game.agents", asked).unwrap();
    assert_eq!(agents["rows"][0]["state"], "runs", "{agents}");
    let active = of(&mut page, "game.moment", "7", json!({ "at": 7 }))["picture"]["active"].clone();
    assert_eq!(active.as_array().unwrap().len(), 2, "{active}");
    let refused = json!({ "session": 1, "method": "agent.stop", "params": { "agent": "7" } });
    let refused = page.call("game.call", refused).unwrap_err();
    assert_eq!(refused["message"], "this is a log: it has no `agent.stop`");
    let comment = json!({ "no": 3, "text": "ouch" });
    of(&mut page, "game.comment", "7", comment);
    assert!(studio.path("demo.json.notes.json").is_file());
    let record = json!({ "session": 1, "path": "demo.btrec" });
    let saved = page.call("game.record", record).unwrap();
    assert_eq!(saved["records"], 14);
    let again = page
        .call("game.attach", json!({ "recording": "demo.btrec" }))
        .unwrap();
    assert_eq!(again["agents"], 1);
}

#[test]
fn log_that_a_runner_writes_opens() {
    let path = "tests/data/mosaic/btree/new_btree_1.json";
    let bytes = fs::read(repository().join(path)).unwrap();
    let mut set = TreeSet::<ActionAgent>::new();
    let count = bt_core::tree::asset::spec::action("number_add")
        .arg("n")
        .arg(1);
    set.add(TreeAsset::build("count.json", "action_agent", count));
    let log = DebugLog::new(Vec::new(), "torch#7").starting_at(1_700_000_000_000);
    let mut runner = Runner::new(&set.build().unwrap(), "count.json")
        .unwrap()
        .tracing(log);
    runner.blackboard().set("n", 0);
    runner.start();
    for poll in 0..200 {
        runner.poll(&mut ActionAgent, Duration::from_millis(poll * 16));
    }
    let log: Box<dyn Any> = runner.set_tracer(None).unwrap();
    let text = log
        .downcast::<DebugLog<Vec<u8>>>()
        .unwrap()
        .finish()
        .unwrap();
    let studio = Studio::with(Vec::new(), false);
    fs::write(studio.path("torch.json"), text).unwrap();
    fs::write(studio.path("other.json"), bytes).unwrap();
    let mut page = studio.page();
    page.call("game.attach", json!({ "log": "torch.json" }))
        .unwrap();
    let history = followed(&mut page, "torch#7", 1);
    // What there was before the first poll is one by itself.
    assert_eq!(history["polls"], 201);
    let last = of(&mut page, "game.moment", "torch#7", json!({}));
    assert_eq!(last["picture"]["blackboard"]["n"], 200);
    let refused = page
        .call("game.attach", json!({ "log": "other.json" }))
        .unwrap_err();
    let said = refused["message"].as_str().unwrap();
    assert!(
        said.contains("is no log of the original's debugger: missing field `debug_cmds`"),
        "{said}"
    );
}

/// The answer to a post.
fn post(address: &str, headers: &[(&str, &str)], body: &str) -> String {
    let (host, path) = address
        .strip_prefix("http://")
        .unwrap()
        .split_once('/')
        .unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let length = body.len();
    let mut request =
        format!("POST /{path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {length}\r\n");
    if !headers.iter().any(|(name, _)| *name == "host") {
        request += &format!("host: {host}\r\n");
    }
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    stream
        .write_all(format!("{request}\r\n{body}").as_bytes())
        .unwrap();
    let mut answer = String::new();
    _ = stream.read_to_string(&mut answer);
    answer
}

#[test]
fn posts_to_the_originals_debugger_are_taken_when_it_is_asked_for() {
    let studio = Studio::with(Vec::new(), false);
    let mut page = studio.page();
    let session = page.call("game.attach", json!({ "listen": 0 })).unwrap();
    assert_eq!(session["kind"], "listen");
    let address = session["address"].as_str().unwrap();
    let mut body = demo();
    body["cmds"] = body["debug_cmds"].take();
    body.as_object_mut().unwrap().remove("debug_cmds");
    let body = body.to_string();
    assert!(post(address, &[], &body).starts_with("HTTP/1.1 200 "));
    super::once(&mut page, |session| session["agents"] == 1);
    followed(&mut page, "7", 14);
    let more = r#"{"entity_id": 7, "cmds": [[0, 1, 1700000000900, "poll_begin", []], [0, 1, 1700000000900, "bb_set", ["hp", 77]]]}"#;
    assert!(post(address, &[], more).starts_with("HTTP/1.1 200 "));
    followed(&mut page, "7", 16);
    let last = of(&mut page, "game.moment", "7", json!({}));
    assert_eq!(last["picture"]["blackboard"]["hp"], 77);

    let refused = post(address, &[("origin", "http://127.0.0.1:1")], more);
    assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
    let refused = post(address, &[("host", "evil.example")], more);
    assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
    for body in ["", "[]", "{}", "{\"cmds\": [[1]]}", "{\"cmds\": 3}"] {
        let refused = post(address, &[], body);
        assert!(refused.starts_with("HTTP/1.1 400 "), "{body}: {refused}");
    }
    let history = followed(&mut page, "7", 16);
    assert_eq!(history["records"], 16);
    page.call("game.detach", json!({ "session": 1 })).unwrap();
    page.event("game.detached", |_| true);
}
