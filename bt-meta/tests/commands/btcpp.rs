//! `export --format btcpp`: trees for BehaviorTree.CPP and Groot2 on the command line.

use crate::common::sandbox::{Run, Sandbox, run};

const ROBOT: &str = r#"<root BTCPP_format="4">
  <BehaviorTree ID="Main">
    <Sequence name="to the ball">
      <FindBall found="{ball}"/>
      <Kick ball="{ball}" _failureIf="tries &gt; 3"/>
    </Sequence>
  </BehaviorTree>
  <TreeNodesModel>
    <Action ID="FindBall"><output_port name="found"/></Action>
    <Action ID="Kick"><input_port name="ball"/></Action>
  </TreeNodesModel>
</root>
"#;

fn export(sandbox: &Sandbox, more: &[&str]) -> Run {
    let all = [
        "export",
        "--catalogue",
        "in/agents.json",
        "--out-dir",
        "out",
    ];
    run(&mut sandbox.command(".", all.iter().chain(more).collect::<Vec<_>>()))
}

fn imported() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("robot.xml", ROBOT);
    let import = ["import", "robot.xml", "--from", "btcpp", "--out", "in"];
    assert_eq!(run(&mut sandbox.command(".", import)).code, 0);
    sandbox
}

#[test]
fn imported_trees_are_exported_and_come_back_as_they_were() {
    let sandbox = imported();
    let done = export(&sandbox, &["--format", "btcpp", "--trees", "in/trees"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert_eq!(done.out, "wrote out/btcpp.xml (1 tree, 2 models)\n");
    let import = [
        "import",
        "out/btcpp.xml",
        "--from",
        "btcpp",
        "--out",
        "back",
        "--strict",
    ];
    let back = run(&mut sandbox.command(".", import));
    assert_eq!(back.code, 0, "{}", back.err);
    for file in ["trees/Main.json", "agents.json"] {
        let [before, after] =
            ["in", "back"].map(|folder| sandbox.read(&format!("{folder}/{file}")));
        let without_places = |text: String| -> String {
            let lines = text
                .lines()
                .filter(|line| !line.contains("\"line\":") && !line.contains("\"file\":"));
            lines.map(|line| format!("{line}\n")).collect()
        };
        assert_eq!(without_places(before), without_places(after), "{file}");
    }
}

#[test]
fn a_tree_that_cannot_be_exported_is_named_and_nothing_is_written() {
    let sandbox = imported();
    let other = r#"{"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "imported_agent"}},
        {"idx": 1, "type": "random_seq", "parent": 0, "children": [2]},
        {"idx": 2, "type": "action", "parent": 1, "children": [], "extra": {"action_name": "nop"}}
    ]}"#;
    sandbox.file("in/trees/other.json", other);
    let done = export(&sandbox, &["--format", "btcpp", "--trees", "in/trees"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(
        done.err
            .contains("(`random_seq`): BehaviorTree.CPP has no node"),
        "{}",
        done.err
    );
    assert!(!sandbox.path().join("out").exists());
}

#[test]
fn trees_without_a_format_that_has_them_are_refused() {
    let sandbox = imported();
    let done = export(&sandbox, &["--trees", "in/trees"]);
    let says =
        "error: `--trees` is for `--view-trees DIR` or `--format btcpp`: write one of them\n";
    assert_eq!((done.code, done.err.as_str()), (2, says));
}

#[test]
fn without_trees_the_models_of_all_agents_are_written() {
    let sandbox = imported();
    let done = export(&sandbox, &["--format", "btcpp"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let text = sandbox.read("out/btcpp.xml");
    assert!(
        text.contains("<Action ID=\"FindBall\">") && !text.contains("<BehaviorTree"),
        "{text}"
    );
}
