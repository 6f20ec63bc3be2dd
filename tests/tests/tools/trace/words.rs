//! Records in words: each in one line.

use bt_core::trace::{Words, read_lines};

fn words(json: &str) -> String {
    let line = format!(r#"{{"ns":12500000000,"poll":4,{json}}}"#);
    let (_, record) = read_lines(line.as_bytes()).next().unwrap().unwrap();
    let words = Words(&record).to_string();
    assert!(!words.contains(char::is_control), "{words:?}");
    words.strip_prefix("   12.500 s  ").unwrap().to_owned()
}

#[test]
fn every_command_has_words() {
    let at = r#""at":[0,3],"tree":"hunt.json","type":"action","name":"chase""#;
    let cases = [
        (r#""cmd":"node_enter""#, "is entered"),
        (r#""cmd":"node_leave","result":"success""#, "exits: success"),
        (r#""cmd":"node_leave","result":"aborted""#, "exits: aborted"),
        (
            r#""cmd":"node_leave","result":"aborted","by":{"at":[1,2],"tree":"x","type":"select"}"#,
            "exits: aborted by x: node 2 (select)",
        ),
        (
            r#""cmd":"node_action","call":"chase","args":[1,"a"],"role":"action""#,
            "calls `chase(1, \"a\")`",
        ),
        (
            r#""cmd":"node_action","call":"look","args":[],"role":"service""#,
            "is served by `look`",
        ),
        (
            r#""cmd":"bb_set","key":"k","value":{"a":[1]}"#,
            "sets `k` to {\"a\":[1]}",
        ),
        (r#""cmd":"bb_remove","key":"k\n""#, "unsets `k\\n`"),
        (
            r#""cmd":"guard","call":"is_near","args":[7.5],"not":true,"holds":false"#,
            "guard `not is_near(7.5)` does not hold",
        ),
        (
            r#""cmd":"guard","call":"is_near","args":[],"holds":true"#,
            "guard `is_near` holds",
        ),
        (r#""cmd":"because","why":"too\tfar""#, "failed: too\\tfar"),
        (
            r#""cmd":"waits","since":0,"until":14000000000,"events":["heard","seen"]"#,
            "waits for event `heard` or event `seen` or until 14.000 s",
        ),
        (
            r#""cmd":"waits","since":0,"until":14500000000"#,
            "waits until 14.500 s",
        ),
        (
            r#""cmd":"waits","since":0,"until_poll":9,"completion":true"#,
            "waits for its completion or until poll 9",
        ),
        (
            r#""cmd":"waits","since":0,"cancelling":true,"completion":true"#,
            "is cancelling, and waits for its completion",
        ),
        (
            r#""cmd":"waits","since":0,"polled":true"#,
            "waits for its next call",
        ),
        (r#""cmd":"waits","since":0"#, "waits"),
        (r#""cmd":"woken","by":"timer""#, "is woken: it is time"),
        (
            r#""cmd":"woken","by":{"host":false}"#,
            "is woken: the host finished it with failure",
        ),
        (
            r#""cmd":"event_fired","event":"go","params":{"a":1,"b":"x"}"#,
            "fires event `go`: a = 1, b = \"x\"",
        ),
        (r#""cmd":"event_consumed","event":"go""#, "takes event `go`"),
        (
            r#""cmd":"diagnostic","message":"a\nb""#,
            "went wrong: a\\nb",
        ),
        (
            r#""cmd":"note","note":"speed","value":2.5"#,
            "notes speed: 2.5",
        ),
    ];
    for (json, expected) in cases {
        let words = words(&format!("{at},{json}"));
        let words = words
            .strip_prefix("hunt.json: node 3 (action `chase`) ")
            .unwrap();
        assert_eq!(words, expected, "{json}");
    }
}

#[test]
fn record_without_a_node_is_displayed_for_the_host_or_the_agent() {
    let cases = [
        (r#""cmd":"poll_begin""#, "poll 4"),
        (
            r#""cmd":"snapshot","trees":["a","b"],"blackboard":{"k":1},"active":[[0,0,"root",""]]"#,
            "poll 4: `a`, `b`, keys: 1, active nodes: 1",
        ),
        (
            r#""cmd":"bb_set","key":"k","value":null"#,
            "`k` is set to null",
        ),
        (r#""cmd":"bb_remove","key":"k""#, "`k` is unset"),
        (r#""cmd":"bb_clear""#, "the blackboard is cleared"),
        (
            r#""cmd":"reset""#,
            "the tree starts again from the root in the next poll",
        ),
        (
            r#""cmd":"event_fired","event":"go","params":{}"#,
            "the host fires event `go`",
        ),
        (
            r#""cmd":"event_dropped","event":"go""#,
            "nobody takes event `go`",
        ),
        (
            r#""cmd":"tree_switched","from":"a","to":"b","how":"load""#,
            "`b` runs in place of `a`: loaded",
        ),
        (
            r#""cmd":"tree_switched","from":"a","to":"b","how":"transfer","at":[0,2],"tree":"a","type":"sub_tree","name":"b""#,
            "`b` runs in place of `a`: transferred to, by a: node 2 (sub_tree `b`)",
        ),
        (
            r#""cmd":"push_tree","file":"b","at":[1,0],"tree":"b","type":"root""#,
            "`b` begins run 1",
        ),
        (
            r#""cmd":"node_enter","at":[1,0],"tree":"b","type":"root""#,
            "b: node 0 (root) in run 1 is entered",
        ),
        (
            r#""cmd":"control","asked":"reset""#,
            "the host resets the tree",
        ),
        (
            r#""cmd":"reload","kept":["a: node 0 (root)"],"adopted":[],"aborted":["a: node 2 (action)"],"entered":[],"problems":[]"#,
            "the agent moves to changed trees: kept 1, adopted 0, aborted 1, entered 0",
        ),
    ];
    for (json, expected) in cases {
        assert_eq!(words(json), expected, "{json}");
    }
}
