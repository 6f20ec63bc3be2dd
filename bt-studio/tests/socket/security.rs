//! Tests of admission, and of what nobody gets.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::json;

use super::Studio;
use super::client::Client;

fn http(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn pages_of_other_origins_and_foreign_hosts_are_refused() {
    let studio = Studio::of_monsters();
    let port = studio.port;
    for headers in [
        [("origin", "http://evil.example".to_owned())],
        [("origin", "null".to_owned())],
        [("origin", format!("https://127.0.0.1:{port}"))],
        [("origin", format!("http://127.0.0.1:{}", port ^ 1))],
        [("origin", format!("http://127.0.0.1:{port}.evil.example"))],
        [("host", format!("evil.example:{port}"))],
        [("host", "127.0.0.1".to_owned())],
        [("host", String::new())],
    ] {
        let headers = headers
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        let error = Client::open(port, &headers)
            .err()
            .unwrap_or_else(|| panic!("{headers:?} was let in"));
        assert!(error.contains("403"), "{error}");
    }
    for origin in [
        format!("http://127.0.0.1:{port}"),
        format!("http://localhost:{port}"),
    ] {
        assert!(Client::open(port, &[("origin", &origin)]).is_ok());
    }
    let foreign = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert!(http(port, foreign).starts_with("HTTP/1.1 403"));
    let two = format!(
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    );
    assert!(!http(port, &two).starts_with("HTTP/1.1 200"));
}

#[test]
fn page_says_what_it_may_do_and_nothing_else_is_served() {
    let studio = Studio::of_monsters();
    let port = studio.port;
    let get = |path: &str| {
        http(
            port,
            &format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"),
        )
    };
    let page = get("/");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    for said in [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "nosniff",
        "text/html",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains("unsafe-"), "{page}");
    assert!(!page.contains(&studio.token));
    for path in [
        "/hunt.json",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
        "//etc/passwd",
        "/assets/../../Cargo.toml",
        "/nothing",
    ] {
        let answer = get(path);
        assert!(
            answer.starts_with("HTTP/1.1 404") || answer.starts_with("HTTP/1.1 400"),
            "{path}: {answer}"
        );
    }
}

#[test]
fn nothing_is_answered_before_the_token_is_shown() {
    let studio = Studio::of_monsters();
    let refused = |first: &str| {
        let mut client = Client::open(studio.port, &[]).unwrap();
        client.send(first).unwrap();
        let answer = client.receive();
        // Nothing more comes, whatever is asked.
        _ = client.send(r#"{"jsonrpc": "2.0", "id": 2, "method": "project.get"}"#);
        assert_eq!(client.receive(), None, "{first}");
        answer.map(|answer| answer["error"]["code"].clone())
    };
    let hello = |token: &str| {
        json!({"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"token": token, "protocol": 1}}).to_string()
    };
    assert_eq!(refused(&hello("")), Some(json!(1)));
    assert_eq!(refused(&hello(&studio.token[1..])), Some(json!(1)));
    assert_eq!(
        refused(&hello(&studio.token.to_uppercase())),
        Some(json!(1))
    );
    assert_eq!(
        refused(r#"{"jsonrpc": "2.0", "id": 1, "method": "project.get"}"#),
        Some(json!(1))
    );
    assert_eq!(refused("{"), Some(json!(-32700)));
    assert_eq!(refused("[]"), Some(json!(-32600)));
}

#[test]
fn requests_that_are_none_are_refused_and_the_next_is_answered() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (text, code) in [
        ("", -32700),
        ("{\"id\"", -32700),
        (deep.as_str(), -32700),
        ("[]", -32600),
        (
            r#"{"jsonrpc": "1.0", "id": 1, "method": "project.get"}"#,
            -32600,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 1, "method": "nothing"}"#,
            -32601,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 1, "method": "doc.open", "params": {"path": 7}}"#,
            -32602,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 1, "method": "doc.open", "params": ["a"]}"#,
            -32602,
        ),
    ] {
        client.send(text).unwrap();
        let answer = client.receive().unwrap();
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
    assert!(client.call("project.get", json!({})).is_ok());
}

#[test]
fn paths_outside_of_the_folder_are_refused_by_every_method() {
    let studio = Studio::of_monsters();
    let mut client = studio.client();
    let doc = client.open_tree("hunt.json");
    for path in [
        "../agents.json",
        "/etc/passwd.json",
        "..%2fagents.json/../../agents.json",
        "a/../../agents.json",
        "hunt.txt",
        ".git/a.json",
        "",
    ] {
        let save = json!({"doc": doc["doc"], "revision": 0, "path": path});
        let extract = json!({"doc": doc["doc"], "revision": 0, "edits": [{"do": "extract", "node": 2, "path": path}]});
        let rename =
            json!({"of": {"kind": "tree", "name": "hunt.json"}, "to": path, "preview": false});
        for (method, params) in [
            ("doc.open", json!({"path": path})),
            ("doc.new", json!({"path": path, "agent": "monster_agent"})),
            ("doc.save", save),
            ("doc.edit", extract),
            ("rename", rename),
            ("git.revisions", json!({"path": path})),
            (
                "diff.tree",
                json!({"left": {"path": path}, "right": {"doc": doc["doc"]}}),
            ),
        ] {
            assert!(client.call(method, params).is_err(), "{method} {path}");
        }
    }
    assert!(studio.path("hunt.json").exists());
}

#[test]
fn documents_of_other_clients_are_unknown() {
    let studio = Studio::of_monsters();
    let (mut one, mut two) = (studio.client(), studio.client());
    let doc = one.open_tree("hunt.json");
    let error = two
        .call("doc.reload", json!({"doc": doc["doc"]}))
        .unwrap_err();
    assert_eq!(error["code"], 3, "{error}");
}

#[test]
fn read_only_studio_writes_no_file() {
    let studio = Studio::of("examples/monster/trees", true);
    let mut client = studio.client();
    let before = studio.text("hunt.json");
    let doc = client.open_tree("hunt.json");
    let changed = client.edit(&doc, 0, json!([{"do": "duplicate", "nodes": [2]}]));
    assert!(changed.is_ok());
    let save = client.call("doc.save", json!({"doc": doc["doc"], "revision": 1}));
    assert_eq!(save.unwrap_err()["code"], 2);
    for (method, params) in [
        (
            "rename",
            json!({"of": {"kind": "key", "name": "prey"}, "to": "victim", "preview": false}),
        ),
        (
            "rename",
            json!({"of": {"kind": "tree", "name": "flee.json"}, "to": "run.json", "preview": false}),
        ),
        (
            "replace",
            json!({"text": "prey", "with": "victim", "preview": false}),
        ),
    ] {
        assert_eq!(
            client.call(method, params).unwrap_err()["code"],
            2,
            "{method}"
        );
    }
    assert_eq!(studio.text("hunt.json"), before);
}

#[test]
fn a_message_that_is_too_long_ends_the_connection_and_no_other() {
    let studio = Studio::of_monsters();
    let (mut one, mut two) = (studio.client(), studio.client());
    let long = "x".repeat(80 << 20);
    _ = one.send(&long);
    assert_eq!(one.receive(), None);
    assert!(two.call("project.get", json!({})).is_ok());
}
