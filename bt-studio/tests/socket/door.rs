//! Files that are no plain files, may not be written, or are too many; and connections that say nothing.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Studio;
use super::client::Client;

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn message(error: &Value) -> &str {
    error["message"].as_str().unwrap()
}

/// A document of a tree, changed once.
fn changed(client: &mut Client, path: &str) -> Value {
    let doc = client.open_tree(path);
    let edits = json!([{"do": "set", "node": 1, "at": "/comment", "value": "\"other\""}]);
    client.edit(&doc, 0, edits).unwrap();
    doc
}

#[test]
fn what_took_the_place_of_a_file_is_not_written_and_nobody_waits_for_it() {
    let studio = Studio::of_monsters();
    let (mut client, mut other) = (studio.client(), studio.client());
    let secret = studio.dir.path().join("secret.json");
    for (path, why) in [("hunt.json", "is a link"), ("flee.json", "it is a pipe")] {
        let doc = changed(&mut client, path);
        let text = studio.text(path);
        fs::write(&secret, &text).unwrap();
        fs::remove_file(studio.path(path)).unwrap();
        match path {
            "hunt.json" => symlink(&secret, studio.path(path)).unwrap(),
            _ => make_pipe(&studio.path(path)),
        }
        let hash = doc["hash"].clone();
        for save in [
            json!({"doc": doc["doc"], "revision": 1}),
            json!({"doc": doc["doc"], "revision": 1, "hash": hash}),
            json!({"doc": doc["doc"], "revision": 1, "hash": ""}),
        ] {
            let refused = client.call("doc.save", save).unwrap_err();
            assert!(message(&refused).contains(why), "{refused}");
        }
        for (method, params) in [
            ("doc.reload", json!({"doc": doc["doc"]})),
            ("git.revisions", json!({"path": path})),
            (
                "diff.tree",
                json!({"left": {"path": path}, "right": {"doc": doc["doc"]}}),
            ),
        ] {
            let refused = client.call(method, params).unwrap_err();
            assert!(message(&refused).contains(why), "{method}: {refused}");
        }
        let of = json!({"kind": "tree", "name": path});
        let rename = json!({"of": of, "to": "new.json", "preview": false});
        assert!(other.call("rename", rename).is_err(), "{path}");
        assert_eq!(fs::read_to_string(&secret).unwrap(), text);
        other.call("project.get", json!({})).unwrap();
        // What was edited is still there, and goes elsewhere.
        let elsewhere = format!("town/saved-{path}");
        let save = json!({"doc": doc["doc"], "revision": 1, "path": elsewhere});
        client.call("doc.save", save).unwrap();
        assert!(studio.text(&elsewhere).contains("other"));
    }
}

#[test]
fn files_that_are_not_shown_are_named() {
    let studio = Studio::of_monsters();
    symlink(studio.dir.path(), studio.path("way")).unwrap();
    symlink(studio.path("hunt.json"), studio.path("link.json")).unwrap();
    fs::write(studio.path("con.json"), "{}").unwrap();
    make_pipe(&studio.path("pipe.json"));
    let mut client = studio.client();
    client.call("project.get", json!({})).unwrap();
    let is_it = |notice: &Value| notice["text"].as_str().unwrap().starts_with("not shown");
    // The folder is read again a moment later.
    let notice = client.event("notice", |notice| {
        is_it(notice) && notice["text"].as_str().unwrap().contains("1 more")
    });
    let text = notice["text"].as_str().unwrap();
    assert!(
        text.contains("is a link") || text.contains("is a pipe"),
        "{text}"
    );
    let trees = client.call("project.get", json!({})).unwrap()["trees"].take();
    let paths: Vec<&str> = trees
        .as_array()
        .unwrap()
        .iter()
        .map(|tree| tree["path"].as_str().unwrap())
        .collect();
    for path in ["link.json", "con.json", "pipe.json", "way/agents.json"] {
        assert!(!paths.contains(&path), "{path}");
        assert!(
            client.call("doc.open", json!({"path": path})).is_err(),
            "{path}"
        );
    }
}

#[test]
fn names_of_devices_are_refused() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    for path in ["con.json", "NUL.json", "aux.hunt.json", "town/com1.bt"] {
        let new = json!({"path": path, "agent": "monster_agent"});
        let refused = client.call("doc.new", new).unwrap_err();
        assert!(
            message(&refused).contains("Windows has a device"),
            "{refused}"
        );
    }
}

#[test]
fn read_only_file_says_so_and_is_replaced_by_nobody() {
    let studio = Studio::of_monsters();
    let before = studio.text("hunt.json");
    set_mode(&studio.path("hunt.json"), 0o444);
    let mut client = studio.client();
    let entry = |trees: &Value, path: &str| {
        let mut all = trees.as_array().unwrap().iter();
        all.find(|tree| tree["path"] == path)
            .map(|tree| tree["read_only"].clone())
    };
    let doc = changed(&mut client, "hunt.json");
    assert_eq!(doc["read_only"], true);
    let project = client.call("project.get", json!({})).unwrap();
    assert_eq!(entry(&project["trees"], "hunt.json"), Some(json!(true)));
    assert_eq!(entry(&project["trees"], "flee.json"), Some(json!(false)));
    let save = json!({"doc": doc["doc"], "revision": 1, "hash": doc["hash"]});
    let refused = client.call("doc.save", save.clone()).unwrap_err();
    assert_eq!(refused["code"], 2);
    assert!(
        message(&refused).starts_with("cannot write `hunt.json`: it is read-only on the disk"),
        "{refused}"
    );
    // Who changes many trees changes none of them.
    let flee = studio.text("flee.json");
    let mut other = studio.client();
    for (method, params) in [
        (
            "rename",
            json!({"of": {"kind": "tree", "name": "hunt.json"}, "to": "new.json", "preview": false}),
        ),
        (
            "rename",
            json!({"of": {"kind": "key", "name": "prey"}, "to": "victim", "preview": false}),
        ),
        (
            "replace",
            json!({"text": "comment", "with": "remark", "preview": false}),
        ),
        (
            "replace",
            json!({"text": "e", "with": "e e", "preview": false}),
        ),
    ] {
        if let Err(refused) = other.call(method, params) {
            assert_eq!(refused["code"], 2, "{refused}");
        }
        assert_eq!(studio.text("hunt.json"), before, "{method}");
        assert_eq!(studio.text("flee.json"), flee, "{method}");
    }
    set_mode(&studio.path("hunt.json"), 0o644);
    client.event("trees", |trees| {
        entry(&trees["changed"], "hunt.json") == Some(json!(false))
    });
    client.call("doc.save", save).unwrap();
    assert!(studio.text("hunt.json").contains("other"));
}

#[test]
fn settings_that_are_locked_hold_breakpoints_and_refuse_snippets() {
    let studio = Studio::of_monsters();
    let file = studio.path(".bt-studio.json");
    fs::write(&file, "{}").unwrap();
    set_mode(&file, 0o444);
    let mut client = studio.client();
    let point = json!({"enabled": true, "spec": {"on": "enter", "tree": "hunt.json", "idx": 2}});
    let put = json!({"breakpoints": [point], "stop_all": false});
    let put = client.call("breakpoints.put", put).unwrap();
    assert_eq!(put["saved"], false, "{put}");
    assert_eq!(put["breakpoints"].as_array().unwrap().len(), 1);
    let doc = client.open_tree("hunt.json");
    let snippet = json!({"doc": doc["doc"], "nodes": [2], "name": "one"});
    let refused = client.call("snippet.save", snippet).unwrap_err();
    assert!(
        message(&refused).contains("read-only on the disk"),
        "{refused}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
}

#[test]
fn catalogue_that_became_a_pipe_keeps_nobody_waiting() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    client.call("project.get", json!({})).unwrap();
    let file = studio.dir.path().join("agents.json");
    fs::remove_file(&file).unwrap();
    make_pipe(&file);
    client.call("catalogue.refresh", json!({})).unwrap();
    let changed = client.event("catalogue", |changed| changed.get("problem").is_some());
    let why = changed["problem"].as_str().unwrap();
    assert!(why.contains("agents.json`: it is a pipe"), "{why}");
    client.open_tree("hunt.json");
}

#[test]
fn picture_is_written_over_no_link() {
    let studio = Studio::of_monsters();
    let secret = studio.dir.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    symlink(&secret, studio.path("hunt.svg")).unwrap();
    let mut client = studio.client();
    let doc = changed(&mut client, "hunt.json");
    let save = json!({"doc": doc["doc"], "revision": 1, "picture": {"svg": true}});
    let saved = client.call("doc.save", save).unwrap();
    assert_eq!(saved["pictures"], json!([]));
    let notice = client.event("notice", |notice| notice["level"] == "error");
    assert!(
        notice["text"]
            .as_str()
            .unwrap()
            .contains("`hunt.svg` is a link"),
        "{notice}"
    );
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
    assert!(studio.text("hunt.json").contains("other"));
}

/// Returns true if the other end closes within so many seconds.
fn is_closed(mut stream: &TcpStream, seconds: u64) -> bool {
    stream
        .set_read_timeout(Some(Duration::from_secs(seconds)))
        .unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).is_ok()
}

#[test]
fn connections_that_say_nothing_are_closed_and_others_are_not() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let connect = |said: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", studio.port)).unwrap();
        stream.write_all(said.as_bytes()).unwrap();
        stream
    };
    let whole = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", studio.port);
    let begun = Instant::now();
    let silent: Vec<TcpStream> = ["", "GET / HT", &whole[..whole.len() - 2], &whole]
        .iter()
        .map(|said| connect(said))
        .collect();
    for (at, stream) in silent.iter().enumerate() {
        assert!(is_closed(stream, 40), "{at}");
    }
    assert!(begun.elapsed() >= Duration::from_secs(5), "too early");
    client.call("project.get", json!({})).unwrap();
}
