//! Breakpoints of an editor: on lines, calls and data, with conditions, counts of hits and messages.

use serde_json::{Value, json};

use super::editor::{Editor, line, ring};
use crate::game::{Game, tree};

#[test]
fn conditions_functions_data_and_pause_stop_too() {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    let line = line(&text, 3);
    let at = |more: Value| {
        let mut one = json!({ "line": line });
        one.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({ "source": { "path": file }, "breakpoints": [one] })
    };
    let go = |editor: &mut Editor| {
        ring(&game);
        let reason = editor.event("stopped")["reason"].clone();
        let rung = editor.variable(1, "rung").unwrap();
        editor.ask(
            "setBreakpoints",
            json!({ "source": { "path": file }, "breakpoints": [] }),
        );
        editor.ask("setFunctionBreakpoints", json!({ "breakpoints": [] }));
        editor.ask("setDataBreakpoints", json!({ "breakpoints": [] }));
        editor.ask("continue", json!({ "threadId": 1 }));
        (reason.as_str().unwrap().to_owned(), rung)
    };
    editor.ask("setBreakpoints", at(json!({ "condition": "rung >= 2" })));
    assert_eq!(go(&mut editor), ("breakpoint".to_owned(), json!("2")));
    game.live(&["set", "0v1", "rung=0"]).done();
    editor.ask("setBreakpoints", at(json!({ "hitCondition": "3" })));
    assert_eq!(go(&mut editor), ("breakpoint".to_owned(), json!("2")));
    let function = json!({ "breakpoints": [{ "name": "number_add" }] });
    editor.ask("setFunctionBreakpoints", function);
    assert_eq!(go(&mut editor).0, "breakpoint");
    game.live(&["set", "0v1", "rung=0"]).done();
    let turns_true = json!({ "breakpoints": [{ "name": "$rung >= 2" }] });
    editor.ask("setFunctionBreakpoints", turns_true);
    assert_eq!(go(&mut editor), ("breakpoint".to_owned(), json!("2")));
    let info = editor.ask(
        "dataBreakpointInfo",
        json!({ "variablesReference": 1, "name": "rung" }),
    );
    let data = json!({ "breakpoints": [{ "dataId": info["dataId"] }] });
    editor.ask("setDataBreakpoints", data);
    assert_eq!(go(&mut editor).0, "data breakpoint");
    editor.ask(
        "setBreakpoints",
        at(json!({ "logMessage": "rung {rung} times" })),
    );
    let said = loop {
        game.live(&["fire", "0v1", "bell"]).done();
        if let Some(at) = editor
            .events
            .iter()
            .position(|event| event["event"] == "output")
        {
            break editor.events.remove(at);
        }
        editor.ask("threads", json!({}));
    };
    let said = said["body"]["output"].as_str().unwrap().to_owned();
    let times = said.strip_prefix("rung ").unwrap();
    let times = times.strip_suffix(" times\n").unwrap();
    assert!(times.parse::<u64>().unwrap() > 2, "{said}");
    editor.ask("pause", json!({ "threadId": 1 }));
    game.live(&["fire", "0v1", "bell"]).done();
    assert_eq!(editor.event("stopped")["reason"], "pause");
    drop(editor);
    // The game goes on without the editor.
    while !game.json(&["show", "0v1"])["stop"].is_null() {}
}

#[test]
fn breakpoint_in_a_file_that_the_game_does_not_run_is_not_verified() {
    let game = Game::new();
    let file = game.file("wait.json", &(tree() + "\n"));
    let other = game.file("other.json", "{}");
    let mut editor = Editor::attach(&game);
    let cases = [
        (
            file,
            "the game runs another text of this tree: save and reload it",
        ),
        (
            other,
            "the game runs no tree of this file; there is only `wait.json`",
        ),
    ];
    for (file, why) in cases {
        let set = json!({ "source": { "path": file }, "breakpoints": [{ "line": 9 }] });
        let set = editor.ask("setBreakpoints", set);
        let breakpoint = &set["breakpoints"][0];
        assert_eq!(
            (&breakpoint["verified"], &breakpoint["message"]),
            (&json!(false), &json!(why))
        );
    }
}

#[test]
fn breakpoint_that_the_game_refuses_says_why_and_the_others_hold() {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    let line = line(&text, 3);
    let set = json!({ "source": { "path": file }, "breakpoints": [
        { "line": line, "condition": "rung is odd" },
        { "line": line, "hitCondition": "sometimes" },
        { "line": line },
    ]});
    let set = editor.ask("setBreakpoints", set);
    let verified = |at: usize| set["breakpoints"][at]["verified"].as_bool().unwrap();
    assert_eq!([0, 1, 2].map(verified), [false, false, true]);
    let why = set["breakpoints"][1]["message"].as_str().unwrap();
    assert_eq!(
        why,
        "hits are `>= 3`, from the third on, or `% 10`, every tenth"
    );
    ring(&game);
    let stopped = editor.event("stopped");
    assert_eq!(
        stopped["hitBreakpointIds"],
        json!([set["breakpoints"][2]["id"]])
    );
}

#[test]
fn breakpoints_move_with_a_reload() {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    // The same tree, ten lines further down.
    let moved = format!("{}{text}", "\n".repeat(10));
    game.file("wait.json", &moved);
    let line = line(&moved, 3);
    let set = json!({ "source": { "path": file }, "breakpoints": [{ "line": line }] });
    let set = editor.ask("setBreakpoints", set);
    assert_eq!(set["breakpoints"][0]["verified"], false);
    game.live(&["reload", file.to_str().unwrap()]).done();
    let changed = editor.event("breakpoint");
    assert_eq!(changed["reason"], "changed");
    let (before, after) = (&set["breakpoints"][0], &changed["breakpoint"]);
    assert_eq!(after["id"], before["id"]);
    assert_eq!(
        (&after["verified"], &after["line"]),
        (&json!(true), &json!(line))
    );
    ring(&game);
    editor.event("stopped");
    assert_eq!(editor.top()["line"], line);
}

/// The message of a breakpoint that does not hold.
fn why(set: &Value) -> &str {
    assert_eq!(set["verified"], false, "{set}");
    set["message"].as_str().unwrap()
}

#[test]
fn breakpoint_on_a_name_that_nobody_has_says_the_nearest() {
    let game = Game::new();
    let mut editor = Editor::attach(&game);
    let functions = json!({ "breakpoints": [
        { "name": "" }, { "name": "number_ad" }, { "name": "number_add", "condition": "rang > 1" },
        {}, { "name": "number_add" }, { "name": "$rang > 1" }, { "name": "$rung >" },
    ]});
    let set = editor.ask("setFunctionBreakpoints", functions);
    let set = set["breakpoints"].as_array().unwrap();
    assert_eq!(why(&set[0]), "no action or condition is named ``");
    let near = "no action or condition is named `number_ad`; did you mean `number_add`?";
    assert_eq!(why(&set[1]), near);
    let never = "the condition never holds: the agent has no key `rang`, and no tree names one; did you mean `rung`?";
    assert_eq!(why(&set[2]), never);
    assert_eq!(why(&set[3]), "no action or condition is named ``");
    assert_eq!(set[4]["verified"], true);
    let near = "the agent has no key `rang`, and no tree names one; did you mean `rung`?";
    assert_eq!(why(&set[5]), near);
    assert!(why(&set[6]).contains("`$rung >`: column"), "{}", set[6]);
    let data = json!({ "breakpoints": [
        { "dataId": "key:rang" }, { "dataId": "property:hp" }, { "dataId": "nothing" }, {},
        { "dataId": "key:rung", "accessType": "read" }, { "dataId": "key:rung", "accessType": "write" },
    ]});
    let set = editor.ask("setDataBreakpoints", data);
    let set = set["breakpoints"].as_array().unwrap();
    let near = "the agent has no key `rang`, and no tree names one; did you mean `rung`?";
    assert_eq!(why(&set[0]), near);
    assert_eq!(why(&set[1]), "the agent has no property `hp`");
    assert_eq!(why(&set[2]), "a `dataId` is `key:NAME` or `property:NAME`");
    assert_eq!(why(&set[3]), "a `dataId` is `key:NAME` or `property:NAME`");
    assert_eq!(
        why(&set[4]),
        "it stops where data is written, and at no other access"
    );
    assert_eq!(set[5]["verified"], true);
    let info = |asked: Value| editor.ask("dataBreakpointInfo", asked);
    let cases = [
        (
            json!({ "variablesReference": 1, "name": "rang" }),
            Value::Null,
            near,
        ),
        (
            json!({ "name": "@hp" }),
            Value::Null,
            "the agent has no property `hp`",
        ),
        (json!({ "name": "rung" }), json!("key:rung"), "key rung"),
        (
            json!({ "variablesReference": 7, "name": "[0]" }),
            Value::Null,
            "only keys and properties",
        ),
    ];
    let mut info = info;
    for (asked, id, said) in cases {
        let found = info(asked);
        assert_eq!(
            (&found["dataId"], &found["description"]),
            (&id, &json!(said))
        );
    }
}

#[test]
fn name_that_nobody_has_is_not_assigned_to() {
    let game = Game::new();
    let mut editor = Editor::attach(&game);
    let key = "the agent has no key `rang`, and no tree names one; did you mean `rung`? \
               (a new one is made by `bt-meta live set`)";
    let property = "the agent has no property `hp`";
    let set =
        |scope: u64, name: &str| json!({ "variablesReference": scope, "name": name, "value": "1" });
    assert_eq!(editor.refused("setVariable", set(1, "rang")), key);
    assert_eq!(editor.refused("setVariable", set(2, "hp")), property);
    for text in ["rang = 1", "@hp = 1"] {
        let asked = json!({ "expression": text, "context": "repl" });
        let expected = if text.starts_with('@') { property } else { key };
        assert_eq!(editor.refused("evaluate", asked), expected);
    }
    for text in ["rang", "@hp"] {
        let asked = json!({ "expression": text, "value": "1" });
        let expected = if text.starts_with('@') { property } else { key };
        assert_eq!(editor.refused("setExpression", asked), expected);
    }
    let asked = json!({ "expression": "rung" });
    let why = editor.refused("setExpression", asked);
    assert_eq!(why, "`value` is a text: JSON, or a text that is none");
    let call = editor.refused("evaluate", json!({ "expression": "number_ad()" }));
    assert!(call.contains("number_add"), "{call}");
    assert_eq!(
        editor.refused("evaluate", json!({ "expression": "rang" })),
        "there is no key `rang`; did you mean `rung`?"
    );
    let board = game.json(&["show", "0v1"])["blackboard"].clone();
    assert_eq!(board, json!({ "rung": 0 }));
}

#[test]
fn conditions_and_counts_that_mean_nothing_say_what_is_right() {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    let line = line(&text, 3);
    for condition in [
        "rung",
        "rung is odd",
        "rung > ",
        "> 3",
        "rung = 3",
        "rung == Bo",
    ] {
        let set = editor.set(&file, line, json!({ "condition": condition }));
        let expected = format!(
            "expected a key, one of `==`, `!=`, `<`, `<=`, `>`, `>=` and a JSON value, as in `health < 10`; found `{}`",
            condition.trim()
        );
        assert_eq!(why(&set), expected);
        assert_eq!(set["line"], line);
    }
    let near = "the condition never holds: the agent has no key `rang`, and no tree names one; did you mean `rung`?";
    let set = editor.set(&file, line, json!({ "condition": "rang > 3" }));
    assert_eq!(why(&set), near);
    for hits in [
        "0",
        "sometimes",
        "== 3",
        "> 3",
        ">= -1",
        "% 0",
        "%",
        "99999999999999999999",
    ] {
        let set = editor.set(&file, line, json!({ "hitCondition": hits }));
        let expected = "hits are `>= 3`, from the third on, or `% 10`, every tenth";
        assert_eq!(why(&set), expected, "{hits}");
    }
    // What is empty says nothing.
    let set = editor.set(
        &file,
        line,
        json!({ "condition": " ", "hitCondition": "", "logMessage": "" }),
    );
    assert_eq!(set["verified"], true);
}

#[test]
fn hits_are_counted_from_the_breakpoint_on() {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    let line = line(&text, 3);
    // Each bell is one hit: the key says how many there were before.
    for (hits, stops) in [(">= 3", [2, 3, 4]), ("% 10", [9, 19, 29]), ("4", [3, 4, 5])] {
        game.live(&["set", "0v1", "rung=0"]).done();
        let set = editor.set(&file, line, json!({ "hitCondition": hits }));
        assert_eq!(set["verified"], true);
        for rung in stops {
            ring(&game);
            assert_eq!(
                editor.event("stopped")["hitBreakpointIds"],
                json!([set["id"]])
            );
            assert_eq!(
                editor.variable(1, "rung"),
                Some(json!(rung.to_string())),
                "{hits}"
            );
            editor.ask("continue", json!({ "threadId": 1 }));
            editor.event("continued");
        }
    }
    // Both must be met: hits count where the condition holds.
    game.live(&["set", "0v1", "rung=0"]).done();
    editor.set(
        &file,
        line,
        json!({ "condition": "rung >= 2", "hitCondition": ">= 3" }),
    );
    ring(&game);
    editor.event("stopped");
    assert_eq!(editor.variable(1, "rung"), Some(json!("4")));
}

#[test]
fn logpoint_prints_and_does_not_stop() {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    let more = json!({
        "logMessage": "{rung}/{ rung }/{nobody}/{{rung}}", "condition": "rung >= 1", "hitCondition": "% 2",
    });
    editor.set(&file, line(&text, 3), more);
    for rung in 1..=4 {
        game.live(&["fire", "0v1", "bell"]).done();
        game.waits_for("0v1", "rung", rung);
    }
    assert_eq!(editor.event("output")["output"], "2/2/{nobody}/{2}\n");
    game.live(&["fire", "0v1", "bell"]).done();
    assert_eq!(editor.event("output")["output"], "4/4/{nobody}/{4}\n");
    assert!(game.json(&["show", "0v1"])["stop"].is_null());
}

#[test]
fn line_without_a_node_is_not_verified() {
    let game = Game::new();
    let text = tree();
    let file = game.file("wait.json", &text);
    let mut editor = Editor::attach(&game);
    let all: Vec<&str> = text.lines().collect();
    let end = all.iter().rposition(|line| *line == "    }").unwrap() + 1;
    let none = "no node begins above this line".to_owned();
    let behind = format!("no node is in this line: the last one ends in line {end}");
    let far = format!("the file has {} lines", all.len());
    for (line, expected) in [
        (0, &none),
        (1, &none),
        (end + 1, &behind),
        (all.len(), &behind),
        (all.len() + 1, &far),
        (usize::MAX, &far),
    ] {
        assert_eq!(why(&editor.set(&file, line, json!({}))), expected, "{line}");
    }
    // Every other line is in a node, and says where that begins.
    let begins: Vec<usize> = (0..4).map(|idx| line(&text, idx)).collect();
    for at in begins[0]..=end {
        let set = editor.set(&file, at, json!({}));
        let expected = begins.iter().rfind(|begin| **begin <= at).unwrap();
        assert_eq!(
            (&set["verified"], &set["line"]),
            (&json!(true), &json!(expected)),
            "{at}"
        );
    }
    let set = editor.set(&file, begins[3], json!({ "line": "nine" }));
    assert_eq!(why(&set), none);
}

#[test]
fn file_that_cannot_be_read_is_not_verified() {
    let game = Game::new();
    let folder = game.folder.path();
    let mut editor = Editor::attach(&game);
    // Without a file there is the text that the game gives.
    assert_eq!(
        editor.set(&folder.join("wait.json"), line(&tree(), 3), json!({}))["verified"],
        true
    );
    let near = editor.set(&folder.join("wat.json"), 9, json!({}));
    assert_eq!(
        why(&near),
        "the game runs no tree of this file; did you mean `wait.json`?"
    );
    std::fs::create_dir(folder.join("wait.json")).unwrap();
    let set = editor.set(&folder.join("wait.json"), 9, json!({}));
    assert_eq!(why(&set), "the file cannot be read: it is no file");
    std::fs::remove_dir(folder.join("wait.json")).unwrap();
    std::fs::write(folder.join("wait.json"), b"\xff").unwrap();
    let set = editor.set(&folder.join("wait.json"), 9, json!({}));
    assert_eq!(
        why(&set),
        "the file cannot be read: the file is not UTF-8 (byte 0)"
    );
}

#[test]
fn line_of_a_script_stops_at_its_node() {
    let text = "# Waits, and counts.\nAGENT action_agent\n\nSEQUENCE True\n    WAIT_EVENT {\"event\": \"bell\"}\n\n    # One more.\n    number_add \"rung\", 1\n";
    let game = Game::of("wait.bt", text);
    let file = game.file("wait.bt", text);
    let mut editor = Editor::attach(&game);
    for at in [1, 2, 3] {
        assert_eq!(
            why(&editor.set(&file, at, json!({}))),
            "no node begins above this line",
            "{at}"
        );
    }
    for (at, line) in [(4, 4), (5, 5), (6, 5), (7, 5)] {
        let set = editor.set(&file, at, json!({}));
        assert_eq!(
            (&set["verified"], &set["line"]),
            (&json!(true), &json!(line)),
            "{at}"
        );
    }
    assert_eq!(
        why(&editor.set(&file, 9, json!({}))),
        "the file has 8 lines"
    );
    let set = editor.set(&file, 8, json!({ "condition": "rung == 0" }));
    assert_eq!(set["line"], 8);
    ring(&game);
    assert_eq!(
        editor.event("stopped")["hitBreakpointIds"],
        json!([set["id"]])
    );
    let top = editor.top();
    assert_eq!(
        (&top["line"], &top["source"]["path"]),
        (&json!(8), &json!(file))
    );
    assert_eq!(top["name"], "3 action number_add");
    // Another version of the script, whose lines are others.
    let file = game.file("wait.bt", &format!("\n{text}"));
    let set = editor.set(&file, 9, json!({}));
    let other = "the game runs another text of this tree: save and reload it";
    assert_eq!(why(&set), other);
}

#[test]
fn breakpoint_on_a_key_holds_once_a_tree_names_it() {
    let game = Game::new();
    let mut editor = Editor::attach(&game);
    let data = json!({ "breakpoints": [{ "dataId": "key:rang" }] });
    let set = editor.ask("setDataBreakpoints", data)["breakpoints"][0].take();
    assert_eq!(set["verified"], false);
    let file = game.file("wait.json", &tree().replace("\"rung\"", "\"rang\""));
    game.live(&["reload", file.to_str().unwrap()]).done();
    let changed = editor.event("breakpoint");
    assert_eq!(changed["breakpoint"]["id"], set["id"]);
    assert_eq!(changed["breakpoint"]["verified"], true);
    game.live(&["set", "0v1", "rang=0"]).done();
    ring(&game);
    let stopped = editor.event("stopped");
    assert_eq!(stopped["hitBreakpointIds"], json!([set["id"]]));
}
