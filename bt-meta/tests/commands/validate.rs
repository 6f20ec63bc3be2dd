//! Trees checked on the command line.

use crate::common::samples::{action, agent, arg, catalogue, method, nop, with};
use crate::common::sandbox::{Run, Sandbox, run};
use serde_json::json;

/// A catalogue, and a tree with nothing wrong.
fn sandbox() -> Sandbox {
    let range = json!({"schema": {"type": "number", "format": "double"}, "min": 0.0});
    let chase = method(
        "action",
        "chase",
        "Runs.",
        vec![with(arg("range", "double"), range)],
    );
    let monster = agent("ai::monster", Some("action_agent"), vec![chase]);
    let bird = agent("bird", Some("action_agent"), vec![action("fly", "Flies.")]);
    let base = agent("action_agent", None, vec![nop()]);
    let catalogue = catalogue(vec![base, monster, bird]);
    let sandbox = Sandbox::new();
    sandbox.file("agents.json", &serde_json::to_string(&catalogue).unwrap());
    sandbox.file(
        "trees/fine.json",
        &tree(
            "monster",
            "chase",
            "[{\"arg_type\": \"plain\", \"arg_value\": 2}]",
        ),
    );
    sandbox
}

/// One action below the root, once: it waits for nothing.
fn tree(agent: &str, action: &str, args: &str) -> String {
    format!(
        r#"{{"nodes": [
  {{"idx": 0, "type": "root", "children": [1], "extra": {{"agent_name": "{agent}", "mode": "once"}}}},
  {{"idx": 1, "type": "action", "children": [], "extra": {{
    "action_name": "{action}", "action_args": {args}}}}}
]}}
"#
    )
}

fn validate(sandbox: &Sandbox, args: &[&str]) -> Run {
    let all = ["validate", "--catalogue", "agents.json"]
        .iter()
        .chain(args);
    run(&mut sandbox.command(".", all))
}

#[test]
fn a_tree_with_nothing_wrong_is_done() {
    let sandbox = sandbox();
    let run = validate(&sandbox, &["trees/fine.json"]).done();
    assert_eq!(
        (run.out.as_str(), run.err.as_str()),
        ("1 tree: no problems\n", "")
    );
    let quiet = validate(&sandbox, &["trees", "--quiet"]).done();
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
}

/// Two mistakes and something odd, in two of three files.
fn mistakes() -> Sandbox {
    let sandbox = sandbox();
    let far = r#"[{"arg_type": "plain", "arg_value": -1, "unit": "m"}]"#;
    sandbox.file("trees/more/far.json", &tree("monster", "chase", far));
    sandbox.file("trees/lost.json", &tree("monster", "chsae", "[]"));
    sandbox
}

#[test]
fn every_format_reports_every_problem_with_its_place() {
    let sandbox = mistakes();
    for format in ["human", "json", "sarif", "github"] {
        let run = validate(&sandbox, &["trees", "--format", format])
            .says(1, &["error: 2 errors and 1 warning in 3 trees"]);
        insta::assert_snapshot!(format!("validate_{format}"), run.out);
    }
}

#[test]
fn levels_come_from_the_file_and_then_from_the_options() {
    let sandbox = mistakes();
    let quiet = ["trees/more/far.json", "--format", "github"];
    let with = |more: &[&str]| validate(&sandbox, &[&quiet, more].concat()).out;
    assert!(with(&[]).contains("::warning file=trees/more/far.json,line=4,col=92"));
    assert!(!with(&["-A", "meaningless-key"]).contains("warning"));
    assert!(with(&["-D", "warnings"]).contains("::error file=trees/more/far.json,line=4,col=92"));
    sandbox.file("bt-meta.toml", "[levels]\nBT0053 = \"allow\"\n");
    assert!(!with(&[]).contains("BT0053"));
    assert!(with(&["-W", "BT0053"]).contains("BT0053"));
    sandbox.file("other.toml", "[levels]\nwrong-argument = \"warn\"\n");
    validate(&sandbox, &["trees", "--config", "other.toml"])
        .says(2, &["other.toml: `wrong-argument` is an error"]);
    validate(&sandbox, &["trees", "-A", "meaningles-key"])
        .says(2, &["did you mean `meaningless-key`?"]);
}

#[test]
fn trees_that_the_host_starts_come_from_the_file_and_the_options() {
    let sandbox = sandbox();
    for name in ["hunt", "rest"] {
        let text = tree("bird", "fly", "[]");
        sandbox.file(&format!("trees/{name}.json"), &text);
    }
    let unused = |more: &[&str]| {
        let args = [&["trees", "--format", "json", "-W", "unused-tree"], more].concat();
        let found: serde_json::Value =
            serde_json::from_str(&validate(&sandbox, &args).done().out).unwrap();
        let findings = found["findings"].as_array().unwrap().clone();
        let files = findings.iter().map(|one| {
            assert_eq!(one["name"], "unused-tree");
            one["file"].as_str().unwrap().to_owned()
        });
        files.collect::<Vec<_>>()
    };
    assert_eq!(unused(&[]), [""; 0]);
    sandbox.file("bt-meta.toml", "[trees]\nstart = [\"hunt.json\"]\n");
    assert_eq!(unused(&[]), ["trees/fine.json", "trees/rest.json"]);
    assert_eq!(unused(&["--start", "rest"]), ["trees/fine.json"]);
    sandbox.file("other.toml", "[trees]\nstart = [\"fine\", \"hunt\"]\n");
    assert_eq!(unused(&["--config", "other.toml"]), ["trees/rest.json"]);
}

#[test]
fn a_comment_lets_one_place_pass() {
    let sandbox = mistakes();
    let far = r#"[{"arg_type": "plain", "arg_value": 1, "unit": "m"}]"#;
    let text = tree("monster", "chase", far);
    sandbox.file("far.json", &text);
    let run = validate(&sandbox, &["far.json"]).done();
    assert!(run.out.contains("BT0053"), "{}", run.out);
    let comment = r#""comment": "bt-meta: allow(meaningless-key)", "idx": 1"#;
    sandbox.file("far.json", &text.replace(r#""idx": 1"#, comment));
    assert_eq!(
        validate(&sandbox, &["far.json"]).done().out,
        "1 tree: no problems\n"
    );
}

#[test]
fn patterns_name_files_and_one_that_matches_none_is_said() {
    let sandbox = mistakes();
    validate(&sandbox, &["trees/**/f*.json", "--agent", "monster"])
        .says(1, &["1 error", "in 2 trees"]);
    validate(&sandbox, &["trees/*.jsn"]).says(2, &["no file is like `trees/*.jsn`"]);
    validate(&sandbox, &["trees/[.json"]).says(2, &["is no pattern of files"]);
}

#[test]
fn one_agent_may_run_all_trees() {
    let sandbox = sandbox();
    sandbox.file("bird.json", &tree("bird", "fly", "[]"));
    validate(&sandbox, &["bird.json"]).done();
    let run =
        validate(&sandbox, &["bird.json", "--agent", "monster"]).says(1, &["1 error in 1 tree"]);
    for part in [
        "error[BT0031]: the tree is for agent `bird`, which is no base of `ai::monster`",
        "--> bird.json:2:71",
        "help: expected `ai::monster` or `action_agent`",
    ] {
        assert!(run.out.contains(part), "{}", run.out);
    }
    validate(&sandbox, &["bird.json", "--agent", "monstr"])
        .says(2, &["no agent `monstr`; did you mean `monster`"]);
}

#[test]
fn a_file_that_is_no_tree_is_a_problem_and_one_that_is_not_there_a_failure() {
    let sandbox = sandbox();
    sandbox.file("torn.json", "{\"nodes\": [}");
    let run =
        validate(&sandbox, &["torn.json", "trees/fine.json"]).says(1, &["1 error in 2 trees"]);
    assert!(run.out.contains("--> torn.json:1:12"), "{}", run.out);
    validate(&sandbox, &["nowhere.json"]).says(2, &["cannot read nowhere.json: No such file"]);
    sandbox.file("empty/readme.txt", "");
    validate(&sandbox, &["empty"]).says(2, &["no `.json` or `.bt` file"]);
    validate(&sandbox, &[]).says(2, &["TREES"]);
}

#[test]
fn a_catalogue_that_contradicts_itself_is_a_finding() {
    let sandbox = sandbox();
    let twice = catalogue(vec![agent("a", None, vec![nop(), nop()])]);
    sandbox.file("agents.json", &serde_json::to_string(&twice).unwrap());
    validate(&sandbox, &["trees"]).says(1, &["`nop`"]);
}

#[test]
fn of_many_problems_the_rest_is_counted() {
    let sandbox = sandbox();
    let children: Vec<_> = (1..=1_200).collect();
    let leaf = |idx| json!({"idx": idx + 1, "type": "action", "children": [], "extra": {"action_name": "no"}});
    let mut nodes = vec![
        json!({"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "monster"}}),
        json!({"idx": 1, "type": "select", "children": children.iter().map(|idx| idx + 1).collect::<Vec<_>>(), "extra": {}}),
    ];
    nodes.extend(children.iter().map(|idx| leaf(*idx)));
    sandbox.file("many.json", &json!({"nodes": nodes}).to_string());
    let run = validate(&sandbox, &["many.json"]).says(1, &["1200 errors and 1 warning in 1 tree"]);
    assert!(
        run.out
            .ends_with("\nand 200 more\n\nfor more about a code: bt-meta explain BT0055 BT0034\n"),
        "{}",
        &run.out[run.out.len() - 200..]
    );
    assert_eq!(run.out.matches("error[BT0034]").count(), 1_000);
}

/// Two trees that the original editor comes with. Nobody fires their events, and a key is the host's.
#[test]
fn the_originals_own_trees_are_only_warned_of() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let sandbox = Sandbox::new();
    let catalogue = root.join("examples/monster/editor/agents.json");
    let trees = root.join("tests/data/mosaic/btree");
    let mut command = sandbox.command(".", ["validate", "--format", "json", "--catalogue"]);
    let run = run(command.arg(catalogue).arg(trees)).done();
    let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let findings = found["findings"].as_array().unwrap().iter();
    let codes: Vec<_> = findings.map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(found["errors"], 0);
    assert_eq!(codes, ["unset-key", "unknown-event", "unknown-event"]);
}
