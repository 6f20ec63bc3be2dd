//! Each tool that reads, plays or tests, and each of its refusals.

use std::fs;

use serde_json::{Value, json};

use super::{Client, Monster};

/// As many tokens as a text has, about.
fn tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

#[test]
fn tools_and_resources_are_listed_with_schemas_that_are_small() {
    let monster = Monster::new();
    let mut client = monster.client(&[]);
    let answer = client.request("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    let expected = [
        "agents", "agent", "trees", "tree", "edit", "validate", "fix", "diff", "find", "play",
        "test",
    ];
    assert_eq!(names, expected);
    for tool in tools {
        let schema = &tool["inputSchema"];
        assert!(jsonschema::meta::is_valid(schema), "{schema:#}");
        assert_eq!(schema["additionalProperties"], false, "{}", tool["name"]);
        assert!(tool["description"].as_str().unwrap().len() > 20);
        let writes = ["edit", "fix"].contains(&tool["name"].as_str().unwrap());
        assert_eq!(tool["annotations"]["readOnlyHint"], !writes);
    }
    let size = tokens(&answer.to_string());
    assert!(size < 6_000, "all tools take {size} tokens");
    let resources = client.request("resources/list", json!({}));
    let all = resources["result"]["resources"].as_array().unwrap();
    assert!(all.len() > 15);
    for resource in all {
        let read = client.request("resources/read", json!({"uri": resource["uri"]}));
        let text = read["result"]["contents"][0]["text"].as_str();
        assert!(text.is_some_and(|text| text.len() > 20), "{read:#}");
    }
    let page = client.request("resources/read", json!({"uri": "bt://book/unknown-action"}));
    assert!(
        page["result"]["contents"][0]["text"]
            .as_str()
            .unwrap()
            .contains("BT0034")
    );
    for uri in [
        "bt://book/nothing",
        "bt://trees/../x.json",
        "file:///etc/passwd",
        "bt:",
        "bt://agents/x",
    ] {
        let answer = client.request("resources/read", json!({ "uri": uri }));
        assert!(
            answer["error"]["message"]
                .as_str()
                .unwrap()
                .contains("there is no resource"),
            "{answer}"
        );
    }
}

#[test]
fn agents_are_listed_with_all_that_trees_can_call() {
    let monster = Monster::new();
    let mut client = monster.client(&[]);
    let agents = client.done("agents", json!({}));
    let names: Vec<_> = agents["data"]["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| agent["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"monster_agent"), "{names:?}");
    let chase = client.done(
        "agent",
        json!({"agent": "monster_agent", "filter": "chase"}),
    );
    let entry = &chase["data"]["entries"][0];
    assert_eq!(entry["name"], "chase");
    assert_eq!(entry["args"][1]["name"], "range");
    let kinds = client.done(
        "agent",
        json!({"agent": "monster_agent", "kinds": true, "filter": "timeout"}),
    );
    assert!(
        kinds["data"]["entries"][0]["keys"]["seconds"].is_string(),
        "{kinds:#}"
    );
    let (mut cursor, mut count) = (Value::Null, 0);
    loop {
        let mut asked = json!({"agent": "monster_agent", "docs": true});
        if !cursor.is_null() {
            asked["cursor"] = cursor;
        }
        let page = client.done("agent", asked);
        count += page["data"]["entries"].as_array().unwrap().len();
        cursor = page["next"].clone();
        if cursor.is_null() {
            break;
        }
        assert!(page["cut"].as_str().unwrap().starts_with("entries"));
    }
    assert!(count > 100, "{count} entries");
    assert!(client.done("agents", json!({"refresh": true}))["data"]["agents"].is_array());
    let (code, words) = client.refused("agent", json!({"agent": "monster_agnt"}));
    assert_eq!(code, "unknown");
    assert!(words.contains("did you mean `monster_agent`?"), "{words}");
}

#[test]
fn tree_of_twenty_nodes_takes_less_than_six_hundred_tokens() {
    let monster = Monster::new();
    let mut client = monster.client(&[]);
    let trees = client.done("trees", json!({"filter": "json"}));
    let mut all = 0;
    for tree in trees["data"]["trees"].as_array().unwrap() {
        let name = &tree["tree"];
        let answer = client.done("tree", json!({ "tree": name }));
        assert_eq!(answer["data"]["form"], "script", "{name}");
        let size = tokens(&answer.to_string());
        let nodes = tree["nodes"].as_u64().unwrap();
        println!("{name}: {nodes} nodes, {size} tokens");
        if nodes == 20 {
            assert!(size < 600, "{name}: {size} tokens");
        }
        all += size;
    }
    assert!(all < 2_500, "all five take {all} tokens");
}

#[test]
fn page_of_the_book_shows_what_the_server_answers() {
    let page = include_str!("../../../../docs/src/assistants.md");
    let monster = Monster::new();
    fs::write(
        monster.file("hunt.json"),
        monster.text("hunt.json").replace("1.2\n", "12\n"),
    )
    .unwrap();
    let mut client = monster.client(&[]);
    let script = client.done("tree", json!({"tree": "hunt"}))["data"]["text"].clone();
    let script = script.as_str().unwrap();
    assert!(page.contains(script), "{script}");
    let answer = client.done("test", json!({}));
    let suspect = &answer["data"]["suspects"][0];
    assert!(
        page.contains(suspect["cause"].as_str().unwrap()),
        "{suspect:#}"
    );
    let choices = suspect["choices"].as_array().unwrap();
    let range = choices.iter().find(|choice| choice["now"] == 12).unwrap();
    assert!(
        page.contains(&range["try"].to_string().replace(',', ", ")),
        "{range}"
    );
    let tools = client.request("tools/list", json!({}));
    for tool in tools["result"]["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn problems_are_listed_and_certain_ones_fixed() {
    let monster = Monster::new();
    let clean = monster.client(&[]).done("validate", json!({}));
    assert_eq!(clean["note"], "5 trees: no problems");
    let whole = monster.text("flee.json");
    fs::write(
        monster.file("flee.json"),
        whole
            .replace("\"parent\": 0,", "")
            .replace("\"rest\"", "\"rst\""),
    )
    .unwrap();
    let mut client = monster.client(&[]);
    let found = client.done("validate", json!({"tree": "flee"}));
    let problem = &found["data"]["problems"][0];
    assert_eq!(
        (&problem["name"], &problem["node"]),
        (&json!("unknown-action"), &json!(11))
    );
    assert!(
        problem["help"].as_str().unwrap().contains("`rest`"),
        "{problem:#}"
    );
    let trees = client.done("trees", json!({"filter": "flee.json"}));
    assert_eq!(trees["data"]["trees"][0]["errors"], 1);
    let tree = client.done("tree", json!({"tree": "flee"}));
    assert_eq!(tree["data"]["problems"][0]["code"], problem["code"]);
    let shown = client.done("fix", json!({"only": ["parents"]}));
    assert!(
        shown["data"]["files"][0]["diff"]
            .as_str()
            .unwrap()
            .contains("+      \"parent\": 0"),
        "{shown:#}"
    );
    assert_eq!(shown["note"], "not written: `write` makes them");
    client.done("fix", json!({"only": ["parents"], "write": true}));
    assert!(monster.text("flee.json").contains("\"parent\": 0"));
    assert_eq!(
        client.refused("fix", json!({"only": ["all"]})).0,
        "arguments"
    );
}

#[test]
fn texts_and_uses_are_found() {
    let monster = Monster::new();
    let mut client = monster.client(&[]);
    let found = client.done("find", json!({"text": "yelp"}));
    assert_eq!(found["data"]["places"][0]["node"], 4);
    let uses = client.done(
        "find",
        json!({"uses": {"kind": "tree", "name": "flee.json"}}),
    );
    let trees: Vec<_> = uses["data"]["places"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["tree"].as_str().unwrap())
        .collect();
    assert!(
        trees.contains(&"hunt.json") && trees.contains(&"patrol.json"),
        "{uses:#}"
    );
    let none = client.done("find", json!({"text": "^no such$", "regex": true}));
    assert_eq!(none["note"], "0 places");
    for asked in [
        json!({}),
        json!({"text": "("  , "regex": true}),
        json!({"text": ""}),
    ] {
        assert_eq!(client.refused("find", asked).0, "arguments");
    }
}

#[test]
fn trees_are_compared_with_a_revision_and_agents_with_an_older_catalogue() {
    let monster = Monster::new();
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        let who = ["-c", "user.name=t", "-c", "user.email=t@t"];
        let done = git
            .current_dir(monster.trees())
            .args(who)
            .args(args)
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "x"]);
    let mut client = monster.client(&[]);
    assert_eq!(
        client.done("diff", json!({"since": "HEAD"}))["note"],
        "nothing has changed"
    );
    let changed = monster
        .text("flee.json")
        .replace("\"seconds\": 6", "\"seconds\": 7");
    fs::write(monster.file("flee.json"), changed).unwrap();
    let diff = client.done("diff", json!({"since": "HEAD"}));
    let line = diff["data"]["trees"][0]["nodes"][0].as_str().unwrap();
    assert!(line.starts_with("changed") && line.contains("#8"), "{line}");
    let catalogue = monster.trees().join("../editor/agents.json");
    let old = fs::read_to_string(catalogue)
        .unwrap()
        .replace("\"name\": \"rest\"", "\"name\": \"repose\"");
    fs::write(monster.file("old.json"), old).unwrap();
    let diff = client.done("diff", json!({"old_agents": "old.json"}));
    assert!(
        diff["data"]["changes"].as_str().unwrap().contains("repose"),
        "{diff:#}"
    );
    assert_eq!(client.refused("diff", json!({})).0, "arguments");
    assert_eq!(
        client
            .refused("diff", json!({"old_agents": "../editor/agents.json"}))
            .0,
        "path"
    );
    client.refused("diff", json!({"since": "--output=x"}));
}

#[test]
fn trees_are_played_with_answers_and_say_why_they_wait() {
    let monster = Monster::new();
    let mut client = monster.client(&[]);
    let play = json!({
        "tree": "flee",
        "until": "3s",
        "set": {"$threat": 7},
        "answer": [
            {"call": "should_flee", "result": true},
            {"call": "say", "result": true},
            {"call": "can_see", "result": true},
            {"call": "flee", "running": true},
        ],
    });
    let answer = client.done("play", play.clone());
    assert_eq!(answer["data"]["result"], "running");
    assert!(
        answer["data"]["active"]
            .as_array()
            .unwrap()
            .contains(&json!("flee.json#9")),
        "{answer:#}"
    );
    let calls = answer["data"]["calls"].to_string();
    assert!(calls.contains("flee(threat: 7, distance: 14)"), "{calls}");
    assert!(
        answer["data"]["why"]
            .to_string()
            .contains("aborted by node 8 (timeout)"),
        "{answer:#}"
    );
    let mut less = play.clone();
    less["answer"].as_array_mut().unwrap().pop();
    let answer = client.done("play", less);
    let stopped = answer["data"]["stopped"][0]["expected"].as_str().unwrap();
    assert!(stopped.starts_with("an answer to `flee("), "{stopped}");
    let mut changed = play.clone();
    changed["edits"] =
        json!([{"do": "set", "node": 9, "at": "/extra/action_args/1/arg_value", "value": "3"}]);
    let answer = client.done("play", changed);
    assert!(
        answer["data"]["calls"].to_string().contains("distance: 3"),
        "{answer:#}"
    );
    assert!(!monster.text("flee.json").contains("\"arg_value\": 3\n"));
    let mut wrong = play;
    wrong["answer"][0]["call"] = "shuld_flee".into();
    let (code, words) = client.refused("play", wrong);
    assert_eq!(code, "arguments");
    assert!(words.contains("should_flee"), "{words}");
    assert!(
        client
            .refused("play", json!({"tree": "flee", "until": "soon"}))
            .1
            .contains("soon")
    );
}

#[test]
fn failed_scenarios_say_why_and_name_nodes_with_their_choices() {
    let monster = Monster::new();
    let mut client = monster.client(&[]);
    assert_eq!(client.done("test", json!({}))["note"], "all scenarios pass");
    let edits =
        json!([{"do": "set", "node": 16, "at": "/extra/action_args/1/arg_value", "value": "12"}]);
    let answer = client.done("test", json!({"tree": "hunt", "edits": edits}));
    let failure = &answer["data"]["scenarios"][0]["failures"][0];
    assert!(
        failure["happened"].as_str().unwrap().contains("range: 12"),
        "{failure:#}"
    );
    let suspect = &answer["data"]["suspects"][0];
    assert_eq!(
        (&suspect["tree"], &suspect["node"]),
        (&json!("hunt.json"), &json!(16))
    );
    assert!(
        suspect["cause"]
            .as_str()
            .unwrap()
            .contains("a failure names it")
    );
    let choices = suspect["choices"].as_array().unwrap();
    let range = choices
        .iter()
        .find(|choice| choice["at"] == "/extra/action_args/1/arg_value");
    assert_eq!(range.unwrap()["try"][0], 1.2);
    // Nothing was written.
    assert_eq!(client.done("test", json!({}))["data"]["failed"], 0);
    let one = client.done("test", json!({"scenarios": ["hunt-misses.scenario.toml"]}));
    assert_eq!(one["data"]["passed"], 1);
    assert!(
        client
            .refused("test", json!({"scenarios": ["hunt-mises.scenario.toml"]}))
            .1
            .contains("hunt-misses")
    );
    assert_eq!(
        client
            .refused("test", json!({"edits": [{"do": "renumber"}]}))
            .0,
        "arguments"
    );
}

#[test]
fn what_is_not_asked_for_is_refused_by_name() {
    let monster = Monster::new();
    let mut client = monster.client(&[]);
    for (tool, arguments, words) in [
        ("tree", json!({}), "missing field `tree`"),
        (
            "tree",
            json!({"tree": "flee", "forms": "json"}),
            "unknown field `forms`",
        ),
        ("tree", json!({"tree": 7}), "invalid type"),
        ("tree", json!({"tree": "fle"}), "did you mean `flee.json`?"),
        (
            "tree",
            json!({"tree": "flee", "node": 99}),
            "has no node 99",
        ),
        ("trees", json!({"cursor": "x"}), "`x` is no place"),
    ] {
        let (_, said) = client.refused(tool, arguments);
        assert!(said.contains(words), "{said}");
    }
    for (tool, words) in [
        ("tre", "did you mean `tree`?"),
        ("live_agents", "start the server with `--attach`"),
        ("live_set", "`--control`"),
    ] {
        let answer = client.request("tools/call", json!({"name": tool, "arguments": {}}));
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn forms_of_a_tree_are_a_picture_and_its_file() {
    let monster = Monster::new();
    let mut client = monster.client(&[]);
    let outline = client.done("tree", json!({"tree": "flee", "form": "outline"}));
    assert!(outline["data"]["text"].as_str().unwrap().contains("└─"));
    let node = client.done("tree", json!({"tree": "flee", "node": 8}));
    assert!(
        node["data"]["text"]
            .as_str()
            .unwrap()
            .contains("\"distance\"")
            || node["data"]["form"] == "json"
    );
    let comments = client.done("tree", json!({"tree": "flee", "comments": true}));
    assert!(
        comments["data"]["text"]
            .as_str()
            .unwrap()
            .contains("# [10] Lick the wounds"),
        "{comments:#}"
    );
    let mut all = String::new();
    let mut asked = json!({"tree": "auto_play", "form": "json"});
    loop {
        let page = client.done("tree", asked.clone());
        all += page["data"]["text"].as_str().unwrap();
        match page["next"].as_str() {
            Some(next) => asked["cursor"] = next.into(),
            None => break,
        }
    }
    assert_eq!(all, monster.text("auto_play.json"));
}

#[test]
fn server_without_agents_reads_and_does_not_write() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(Monster::new().file("flee.json")).unwrap();
    fs::write(folder.path().join("flee.json"), &text).unwrap();
    let missing = folder.path().join("none.json");
    let mut client = Client::start(folder.path(), &["--catalogue", missing.to_str().unwrap()]);
    let tree = client.done("tree", json!({"tree": "flee"}));
    assert!(
        tree["note"]
            .as_str()
            .unwrap()
            .contains("no agents are known"),
        "{tree:#}"
    );
    let edits = json!([{"do": "renumber"}]);
    let (_, words) = client.refused(
        "edit",
        json!({"tree": "flee.json", "revision": tree["data"]["revision"], "edits": edits}),
    );
    assert!(words.contains("--catalogue"), "{words}");
}
