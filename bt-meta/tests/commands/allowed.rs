//! Comments that let one place pass, and those that let nothing pass.

use crate::common::samples::{agent, arg, catalogue, method, nop, with};
use crate::common::sandbox::{Run, Sandbox, run};
use serde_json::{Value, json};

/// A catalogue of a monster, whose base has one method.
fn sandbox(of_base: Value) -> Sandbox {
    let base = agent("action_agent", None, vec![of_base]);
    let monster = agent("ai::monster", Some("action_agent"), vec![]);
    let catalogue = catalogue(vec![base, monster]);
    let sandbox = Sandbox::new();
    sandbox.file("agents.json", &serde_json::to_string(&catalogue).unwrap());
    sandbox
}

fn validate(sandbox: &Sandbox, args: &[&str]) -> Run {
    let all = ["validate", "--catalogue", "agents.json"]
        .iter()
        .chain(args);
    run(&mut sandbox.command(".", all))
}

/// A tree that waits, and after that has a node with this comment and this `extra`, which never runs.
fn commented(comment: &str, extra: &str) -> String {
    format!(
        r#"{{"nodes": [
  {{"idx": 0, "type": "root", "children": [1], "extra": {{"agent_name": "monster"}}}},
  {{"idx": 1, "type": "sequence", "children": [2, 3]}},
  {{"idx": 2, "type": "always_running", "children": []}},
  {{"idx": 3, "type": "action", "children": [],
   "comment": "{comment}",
   "extra": {extra}}}
]}}
"#
    )
}

#[test]
fn useless_allow_comment_is_reported() {
    let sandbox = sandbox(nop());
    let told = |comment: &str, more: &[&str]| {
        let call = r#"{"action_name": "nop", "action_args": []}"#;
        sandbox.file("t.json", &commented(comment, call));
        validate(
            &sandbox,
            &[&["t.json", "--format", "github"], more].concat(),
        )
        .out
    };
    let line = |text: &str| format!("::warning file=t.json,line=6,col=15,endColumn={text}\n");
    assert_eq!(told("bt-meta: allow(unreachable)", &[]), "");
    assert_eq!(
        told("bt-meta: allow(unreachable, unset-key)", &[]),
        line(
            "55,title=BT0069 useless-allow::node 3: the comment allows `unset-key`, which is not found in \
             this node; take it out of the comment"
        )
    );
    assert_eq!(
        told("bt-meta: allow(unreachable, unset_key)", &[]),
        line(
            "55,title=BT0069 useless-allow::node 3: the comment allows `unset_key`, which is no code; did you \
             mean `unset-key`?"
        )
    );
    // What is not told anyway is there all the same.
    assert_eq!(
        told("bt-meta: allow(unreachable)", &["-A", "unreachable"]),
        ""
    );
    assert_eq!(
        told("bt-meta: allow(BT0060, BT0062)", &["-A", "useless-allow"]),
        ""
    );
    assert_eq!(
        told("bt-meta: allow(BT0060, BT0062, useless-allow)", &[]),
        ""
    );
    assert!(told("bt-meta: allow(BT0060, BT0062)", &["-D", "BT0069"]).starts_with("::error"));
}

#[test]
fn comment_allows_a_lint_over_all_trees_at_its_node() {
    let has_key = method(
        "condition",
        "has_key",
        "Asks.",
        vec![arg("bb_key", "string")],
    );
    let built_in = json!({"crate": "bt-core", "file": "src/builtin/keys.rs", "static": true});
    let sandbox = sandbox(with(has_key, built_in));
    let call =
        r#"{"action_name": "has_key", "action_args": [{"arg_type": "plain", "arg_value": "hp"}]}"#;
    let reads = commented("bt-meta: allow(unset-key, unreachable)", call)
        .replace("\"type\": \"action\"", "\"type\": \"condition\"");
    sandbox.file("reads.json", &reads);
    assert_eq!(validate(&sandbox, &["reads.json", "-q"]).done().out, "");
    let declared = reads.replace(
        "\"agent_name\": \"monster\"",
        "\"agent_name\": \"monster\", \"blackboard\": {\"hp\": {\"type\": \"int32\"}}",
    );
    sandbox.file("reads.json", &declared);
    let run = validate(&sandbox, &["reads.json", "--format", "github"]).done();
    assert!(
        run.out.contains("allows `unset-key`, which is not found"),
        "{}",
        run.out
    );
    assert_eq!(run.out.lines().count(), 1);
    // Where another file is no tree, nobody knows what it sets.
    sandbox.file("torn.json", "{");
    let run = validate(&sandbox, &["reads.json", "torn.json", "--format", "github"]);
    assert!(!run.out.contains("BT0069"), "{}", run.out);
}

#[test]
fn files_of_the_same_name_keep_their_own_allow_comments() {
    let sandbox = sandbox(nop());
    let call = r#"{"action_name": "nop", "action_args": []}"#;
    for folder in ["a", "b"] {
        let comment = format!("bt-meta: allow(unreachable, {folder}x)");
        sandbox.file(&format!("{folder}/t.json"), &commented(&comment, call));
    }
    let run = validate(&sandbox, &["a", "b", "--format", "github"]);
    for folder in ["a", "b"] {
        let told = format!("file={folder}/t.json,line=6,col=15,endColumn=48,title=BT0069");
        assert!(run.out.contains(&told), "{}", run.out);
        assert!(
            run.out.contains(&format!("allows `{folder}x`")),
            "{}",
            run.out
        );
    }
}

#[test]
fn a_root_lets_its_whole_tree_pass() {
    let sandbox = sandbox(nop());
    let tree = |comment: &str, mode: &str| {
        let root = format!(
            r#"{{"idx": 0, "type": "root", "children": [1], "comment": "{comment}",
                 "extra": {{"agent_name": "monster", "mode": "{mode}"}}}}"#
        );
        let nop =
            r#"{"idx": 1, "type": "action", "children": [], "extra": {"action_name": "nop"}}"#;
        sandbox.file("t.json", &format!("{{\"nodes\": [{root}, {nop}]}}"));
        validate(&sandbox, &["t.json", "--format", "github"])
            .done()
            .out
    };
    assert!(tree("", "loop").contains("BT0061"));
    assert_eq!(tree("bt-meta: allow(never-waits)", "loop"), "");
    assert!(tree("bt-meta: allow(never-waits)", "once").contains("BT0069"));
}

#[test]
fn among_more_than_are_listed_may_be_what_a_comment_allows() {
    let sandbox = sandbox(nop());
    let tree = |count: usize| {
        let leaf = |idx: usize| {
            let comment = if idx == count + 1 {
                "bt-meta: allow(meaningless-key)"
            } else {
                ""
            };
            let extra = json!({"action_name": "nop", "odd": 1});
            json!({"idx": idx, "type": "action", "children": [], "comment": comment, "extra": extra})
        };
        let children: Vec<usize> = (2..count + 2).collect();
        let mut nodes = vec![
            json!({"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "monster", "mode": "once"}}),
            json!({"idx": 1, "type": "sequence", "children": children, "extra": {}}),
        ];
        nodes.extend((2..count + 2).map(leaf));
        // Here it allows nothing.
        nodes[2]["comment"] = "bt-meta: allow(renamed)".into();
        sandbox.file("t.json", &json!({"nodes": nodes}).to_string());
        validate(&sandbox, &["t.json", "--format", "github"])
            .done()
            .out
    };
    assert_eq!(tree(20).matches("BT0069").count(), 1);
    assert_eq!(tree(1_100).matches("BT0069").count(), 0);
}
