//! Scenarios on the command line: played, shown, painted, and brought up to date with their trees.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::sandbox::{Run, Sandbox, run};

/// The monster's trees, one scenario that passes and one that does not.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let monster = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/monster");
    for tree in ["patrol", "hunt", "flee"] {
        let file = format!("trees/{tree}.json");
        sandbox.file(&file, &fs::read_to_string(monster.join(&file)).unwrap());
    }
    let agents = fs::read_to_string(monster.join("editor/agents.json")).unwrap();
    sandbox
        .file("agents.json", &agents)
        .file("trees/strikes-back.scenario.toml", STRIKES_BACK)
        .file(
            "trees/yelps.scenario.toml",
            &YELPS.replace("Yelp!", "Yelp?"),
        );
    sandbox
}

const STRIKES_BACK: &str = r##"tree = "flee.json"

[[answer]]
call = "should_flee"
result = false

[[answer]]
call = "is_alive"
result = true

[[expect]]
at = "end"
result = "success"
"##;

const YELPS: &str = r##"tree = "flee.json"
until = "1s"

[[answer]]
call = "should_flee"
result = true

[[answer]]
call = "say"
result = true

[[answer]]
call = "can_see"
result = true

[[answer]]
call = "flee"
running = true

[[expect]]
by = "0s"
called = "say(words: \"Yelp!\")"

[[expect]]
at = "1s"
active = ["flee.json#9"]
"##;

fn test(sandbox: &Sandbox, more: &[&str]) -> Run {
    let args = ["test", "trees", "--catalogue", "agents.json"];
    run(&mut sandbox.command(".", args.iter().chain(more)))
}

#[test]
fn failed_scenario_is_shown_with_its_reason_in_each_format() {
    let sandbox = sandbox();
    let text = test(&sandbox, &[]).says(1, &["1 of 2 scenarios failed"]);
    for part in [
        "trees/strikes-back.scenario.toml: passed\n",
        "trees/yelps.scenario.toml:21:6: expected `say(words: \"Yelp?\")` called by 0 s\n",
        "but it was called otherwise: `say(words: \"Yelp!\")` at 0 s by flee.json: node 4",
    ] {
        assert!(text.out.contains(part), "{part}:\n{}", text.out);
    }
    let json = test(&sandbox, &["--format", "json"]);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&json["passed"], &json["failed"]), (&1.into(), &1.into()));
    assert_eq!(json["scenarios"][1]["failures"][0]["line"], 21);
    let github = test(&sandbox, &["--format", "github"]).out;
    assert!(
        github.starts_with(
            "::error file=trees/yelps.scenario.toml,line=21,col=6,title=scenario::expected"
        ),
        "{github}"
    );
    let junit = test(&sandbox, &["--format", "junit"]).out;
    let junit = roxmltree::Document::parse(&junit).unwrap();
    let failures = junit
        .descendants()
        .filter(|node| node.has_tag_name("failure"));
    assert_eq!(failures.count(), 1);
}

#[test]
fn one_scenario_is_played_by_its_path() {
    let sandbox = sandbox();
    let test = |folder: &str, args: [&str; 4]| run(&mut sandbox.command(folder, args)).done().out;
    for said in [
        test(
            ".",
            [
                "test",
                "trees/strikes-back.scenario.toml",
                "--catalogue",
                "agents.json",
            ],
        ),
        test(
            "trees",
            [
                "test",
                "strikes-back.scenario.toml",
                "--catalogue",
                "../agents.json",
            ],
        ),
    ] {
        assert!(
            said.ends_with("strikes-back.scenario.toml: passed\n1 scenario passed\n"),
            "{said}"
        );
    }
}

#[test]
fn coverage_counts_outcomes_and_is_painted() {
    let sandbox = sandbox();
    sandbox.file("trees/yelps.scenario.toml", YELPS);
    let text = test(&sandbox, &["--coverage"]).done().out;
    for part in [
        "flee.json: ",
        "  #10 timeout: not seen: entry, success, failure\n",
        "2 scenarios passed\n",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    let json = test(&sandbox, &["--coverage", "--format", "json"])
        .done()
        .out;
    sandbox.file("coverage.json", &json);
    let draw = |more: &[&str]| {
        let args = ["draw", "trees/flee.json", "--coverage", "coverage.json"];
        run(&mut sandbox.command(".", args.iter().chain(more)))
    };
    let outline = draw(&[]).done().out;
    assert!(outline.contains("✗ ▸ rest #11"), "{outline}");
    assert!(outline.contains("½ ▸ say(\"Yelp!\") #4"), "{outline}");
    let picture = draw(&["--format", "svg"]).done().out;
    assert!(picture.contains("class=\"mark uncovered\""));
    draw(&["--format", "dot"]).says(2, &["`--coverage` is for text and SVG"]);
}

#[test]
fn a_thousand_scenarios_come_out_the_same_each_time_within_seconds() {
    let sandbox = sandbox();
    for number in 0..1000 {
        sandbox.file(&format!("trees/all/{number}.scenario.toml"), YELPS);
    }
    let start = Instant::now();
    let first = test(&sandbox, &["--format", "json"]).out;
    let time = start.elapsed();
    assert!(time < Duration::from_secs(120), "{time:?}");
    let json: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(json["passed"], 1001);
    assert_eq!(test(&sandbox, &["--format", "json"]).out, first);
}

#[test]
fn scenarios_that_are_wrong_are_refused_with_their_places() {
    let sandbox = sandbox();
    let cases = [
        (
            "tree = \"../../secret.json\"",
            "`tree` is a path from the scenario's folder down",
        ),
        (
            "tree = \"/etc/passwd\"",
            "`tree` is a path from the scenario's folder down",
        ),
        (
            "tree = \"flea.json\"",
            "there is no tree `flea.json`; did you mean `flee.json`?",
        ),
        (
            "tree = \"flee.json\"\nuntil = \"9\"",
            "wrong.scenario.toml:2:9: `9` is no time",
        ),
        ("tree = [", "wrong.scenario.toml:1:"),
        ("tree = \"broken.json\"", "broken.json is no tree: "),
    ];
    sandbox.file("trees/broken.json", "{\"nodes\": [");
    for (text, expected) in cases {
        sandbox.file("trees/wrong.scenario.toml", text);
        let said = test(&sandbox, &[])
            .says(1, &["2 of 3 scenarios failed"])
            .out;
        assert!(said.contains(expected), "{expected}:\n{said}");
    }
    let none =
        run(&mut sandbox.command(".", ["test", "agents.json", "--catalogue", "agents.json"]));
    none.says(
        2,
        &["agents.json is no scenario: expected a folder, or a file `*.scenario.toml`"],
    );
    fs::create_dir(sandbox.path().join("empty")).unwrap();
    let args = ["test", "empty", "--catalogue", "agents.json"];
    run(&mut sandbox.command(".", args)).says(2, &["no `*.scenario.toml` file is below empty"]);
}

#[test]
fn schema_is_one_that_a_scenario_fits_and_a_mistake_does_not() {
    let sandbox = sandbox();
    let schema = run(&mut sandbox.command(".", ["test", "--schema"]))
        .done()
        .out;
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let read = |text: &str| toml::from_str::<Value>(text).unwrap();
    assert!(schema.is_valid(&read(YELPS)));
    assert!(!schema.is_valid(&read(&YELPS.replace("until = ", "untill = "))));
    assert!(!schema.is_valid(&read(&YELPS.replace("\"1s\"", "\"1 hour\""))));
}

#[test]
fn fix_renumbers_and_renames_in_scenarios_as_in_their_tree() {
    let sandbox = sandbox();
    let tree = sandbox.read("trees/flee.json");
    // The action with another number, as an editor may leave it.
    let tree = tree
        .replace("\"idx\": 9,", "\"idx\": 90,")
        .replace("            9\n", "            90\n")
        .replace("        9\n", "        90\n");
    sandbox
        .file("trees/flee.json", &tree)
        .file("trees/yelps.scenario.toml", &YELPS.replace("#9\"", "#90\""));
    let args = [
        "fix",
        "trees",
        "--catalogue",
        "agents.json",
        "--only",
        "normalise",
        "--write",
    ];
    let fixed = run(&mut sandbox.command(".", args)).done();
    assert!(fixed.out.contains("`90` is `9` now"), "{}", fixed.out);
    assert_eq!(sandbox.read("trees/yelps.scenario.toml"), YELPS);
}
