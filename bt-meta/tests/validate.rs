//! Trees checked on the command line.

mod common;

use common::samples::{action, agent, arg, catalogue, method, nop, with};
use common::sandbox::{Run, Sandbox, run};
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

/// One action below the root.
fn tree(agent: &str, action: &str, args: &str) -> String {
    format!(
        r#"{{"nodes": [
  {{"idx": 0, "type": "root", "children": [1], "extra": {{"agent_name": "{agent}"}}}},
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
        ("1 tree: nothing is wrong\n", "")
    );
    let quiet = validate(&sandbox, &["trees", "--quiet"]).done();
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
}

#[test]
fn each_problem_is_a_line_with_its_place_and_the_exit_code_is_one() {
    let sandbox = sandbox();
    let far = r#"[{"arg_type": "plain", "arg_value": -1, "unit": "m"}]"#;
    sandbox.file("trees/more/far.json", &tree("monster", "chase", far));
    sandbox.file("trees/lost.json", &tree("monster", "chsae", "[]"));
    let run = validate(&sandbox, &["trees"]).says(1, &["error: 2 problems in 3 trees"]);
    assert_eq!(
        run.out,
        "trees/lost.json:4:20: node 1: agent `ai::monster` has no action `chsae`; did you mean `chase`?\n\
         trees/more/far.json:4:80: node 1: `chase`: argument `range` is -1, expected 0.0 at least\n"
    );
    assert!(
        run.err.starts_with(
            "warning: trees/more/far.json:4:92: node 1: `action_args[0].unit` means nothing here\n"
        ),
        "{}",
        run.err
    );
}

#[test]
fn one_agent_may_run_all_trees() {
    let sandbox = sandbox();
    sandbox.file("bird.json", &tree("bird", "fly", "[]"));
    validate(&sandbox, &["bird.json"]).done();
    let run =
        validate(&sandbox, &["bird.json", "--agent", "monster"]).says(1, &["1 problem in 1 tree"]);
    assert_eq!(
        run.out,
        "bird.json:2:71: node 0: the tree is for agent `bird`, which is no base of `ai::monster`; \
         expected `ai::monster` or `action_agent`\n"
    );
    validate(&sandbox, &["bird.json", "--agent", "monstr"])
        .says(2, &["no agent `monstr`; did you mean `monster`"]);
}

#[test]
fn a_file_that_is_no_tree_is_a_problem_and_one_that_is_not_there_a_failure() {
    let sandbox = sandbox();
    sandbox.file("torn.json", "{\"nodes\": [}");
    let run =
        validate(&sandbox, &["torn.json", "trees/fine.json"]).says(1, &["1 problem in 2 trees"]);
    assert!(run.out.starts_with("torn.json:1:12: "), "{}", run.out);
    validate(&sandbox, &["nowhere.json"]).says(2, &["cannot read nowhere.json"]);
    sandbox.file("empty/readme.txt", "");
    validate(&sandbox, &["empty"]).says(2, &["no `.json` file"]);
    validate(&sandbox, &[]).says(2, &["FILES"]);
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
    let run = validate(&sandbox, &["many.json"]).says(1, &["1200 problems in 1 tree"]);
    assert!(run.out.ends_with("\nand 200 more\n"));
    assert_eq!(run.out.lines().count(), 1_001);
}
