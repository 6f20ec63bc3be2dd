//! Scripts on the command line: they are validated, drawn, fixed and copied as other trees are.

use crate::common::samples::{agent, arg, catalogue, method, nop, with};
use crate::common::sandbox::{Run, Sandbox, run};
use serde_json::{Value, json};

const PATROL: &str = "# Round and round.
AGENT monster {\"mode\": \"once\"}
KEY prey {\"type\": \"uint64\", \"scope\": \"agent\"}
SEQUENCE
    # Not in the dark.
    chase $prey, 2.0
        GUARD sees $prey
    SUB_TREE 'rest'
";

fn sandbox() -> Sandbox {
    let range = json!({"schema": {"type": "number", "format": "double"}, "alias": ["distance"]});
    let prey = json!({"schema": {"type": "integer", "format": "uint64"}});
    let chase = method(
        "action",
        "chase",
        "Runs.",
        vec![
            with(arg("prey", "uint64"), prey.clone()),
            with(arg("range", "double"), range),
        ],
    );
    let chase = with(chase, json!({"alias": ["hunt"]}));
    let sees = method(
        "condition",
        "sees",
        "",
        vec![with(arg("prey", "uint64"), prey)],
    );
    let monster = agent("monster", Some("action_agent"), vec![chase, sees]);
    let base = agent("action_agent", None, vec![nop()]);
    let catalogue = catalogue(vec![base, monster]);
    let sandbox = Sandbox::new();
    sandbox.file("agents.json", &serde_json::to_string(&catalogue).unwrap());
    sandbox.file("trees/patrol.bt", PATROL);
    sandbox.file(
        "trees/rest.bt",
        "AGENT monster once\nnop\n"
            .replace("once", "{'mode': 'once'}")
            .as_str(),
    );
    sandbox
}

fn bt_meta(sandbox: &Sandbox, command: &str, args: &[&str]) -> Run {
    let catalogue = ["--catalogue", "agents.json"];
    let all = [command]
        .into_iter()
        .chain(catalogue)
        .chain(args.iter().copied());
    run(&mut sandbox.command(".", all.collect::<Vec<_>>()))
}

#[test]
fn scripts_below_a_folder_are_validated_with_their_lines() {
    let sandbox = sandbox();
    let run = bt_meta(&sandbox, "validate", &["trees"]).done();
    assert_eq!(run.out, "2 trees: no problems\n");
    let wrong = PATROL
        .replace("chase $prey, 2.0", "chaze $prey, 2.0")
        .replace("GUARD sees $prey", "GUARD sees $prey, 1")
        .replace("'rest'", "'rst'");
    sandbox.file("trees/patrol.bt", &wrong);
    let run = bt_meta(&sandbox, "validate", &["trees"]).says(1, &["3 errors in 2 trees"]);
    for part in [
        "did you mean `chase`?",
        "trees/patrol.bt:6:5",
        "trees/patrol.bt:7:",
        "trees/patrol.bt:8:",
        "rest",
    ] {
        assert!(run.out.contains(part), "`{part}` in:\n{}", run.out);
    }
    sandbox.file("trees/patrol.bt", "AGENT monster\nSEQENCE\n    nop\n");
    let expected = [
        "trees/patrol.bt:2:1",
        "`SEQENCE` is no word of a script",
        "did you mean `SEQUENCE`?",
    ];
    let run = bt_meta(&sandbox, "validate", &["trees"]).says(1, &["1 error in"]);
    for part in expected {
        assert!(run.out.contains(part), "`{part}` in:\n{}", run.out);
    }
}

#[test]
fn scripts_are_drawn_with_the_trees_that_they_call() {
    let sandbox = sandbox();
    let run = run(&mut sandbox.command(".", ["draw", "--follow", "trees/patrol.bt"])).done();
    for part in [
        "patrol.bt",
        "monster",
        "chase",
        "$prey",
        "“Not in the dark.”",
        "rest.bt",
        "nop",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
}

#[test]
fn old_names_in_scripts_are_fixed_and_all_else_stays() {
    let sandbox = sandbox();
    let old = PATROL.replace(
        "chase $prey, 2.0",
        "hunt  {'distance': 2.0, \"prey\": $prey} # soon",
    );
    sandbox.file("trees/patrol.bt", &old);
    bt_meta(&sandbox, "fix", &["--write", "trees"]).done();
    let fixed = PATROL.replace(
        "chase $prey, 2.0",
        "chase  {\"range\": 2.0, \"prey\": $prey} # soon",
    );
    let written = std::fs::read_to_string(sandbox.path().join("trees/patrol.bt"));
    assert_eq!(written.unwrap(), fixed);
    bt_meta(&sandbox, "validate", &["trees"]).done();
}

#[test]
fn copies_of_scripts_are_json_with_their_numbers() {
    let sandbox = sandbox();
    let args = [
        "--out-dir",
        "editor",
        "--view-trees",
        "copies",
        "--trees",
        "trees",
    ];
    bt_meta(&sandbox, "export", &args).done();
    let copy: Value = serde_json::from_str(&sandbox.read("copies/patrol.json")).unwrap();
    let nodes = copy["nodes"].as_array().unwrap();
    let kinds: Vec<_> = nodes.iter().map(|node| &node["type"]).collect();
    assert_eq!(kinds, ["root", "sequence", "action", "sub_tree"]);
    assert_eq!(nodes[3]["extra"], json!({"sub_tree_name": "rest"}));
    let args = json!([
        {"arg_type": "blackboard", "arg_value": "prey"},
        {"arg_type": "plain", "arg_value": 2.0},
    ]);
    assert_eq!(nodes[2]["extra"]["action_args"], args);
    let comment = nodes[2]["comment"].as_str().unwrap();
    assert!(comment.contains("if sees($prey)"), "{comment}");
    assert!(comment.contains("Not in the dark."), "{comment}");
    assert!(sandbox.path().join("copies/rest.json").exists());
    assert!(!sandbox.path().join("copies/patrol.bt").exists());
}
