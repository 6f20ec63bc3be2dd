//! `import`: trees of other engines on the command line.

use crate::common::sandbox::{Run, Sandbox, run};

const ROBOT: &str = r#"<root BTCPP_format="4" main_tree_to_execute="Main">
  <BehaviorTree ID="Main">
    <Sequence name="to the ball">
      <Script code="tries := 0"/>
      <FindBall found="{ball}" _onFailure="tries += 1"/>
      <ManualSelector><Kick/></ManualSelector>
    </Sequence>
  </BehaviorTree>
  <TreeNodesModel>
    <Action ID="FindBall"><output_port name="found" type="Pose"/></Action>
  </TreeNodesModel>
</root>
"#;

fn import(sandbox: &Sandbox, more: &[&str]) -> Run {
    let all = ["import", "robot.xml", "--from", "btcpp", "--out", "out"];
    run(&mut sandbox.command(".", all.iter().chain(more).collect::<Vec<_>>()))
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("robot.xml", ROBOT);
    sandbox
}

#[test]
fn an_import_writes_trees_a_catalogue_and_a_skeleton_that_validate() {
    let sandbox = sandbox();
    let done = import(&sandbox, &["--agent", "robot", "--rust", "robot.rs"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(
        done.out,
        "imported 1 tree with 7 nodes from 5 elements; 1 construct lost, 0 notes\n"
    );
    assert_eq!(
        done.err,
        "warning: robot.xml:6:7: `ManualSelector` lets a person choose in a terminal\n  \
         help: let the host write a key, and choose by it with a switch\n"
    );
    assert!(sandbox.read("robot.rs").contains("fn find_ball"));
    let validated = ["validate", "--catalogue", "out/agents.json", "out/trees"];
    let validated = run(&mut sandbox.command(".", validated));
    assert!(!validated.err.contains("error"), "{}", validated.err);
}

#[test]
fn a_strict_import_that_loses_something_fails_and_writes_nothing() {
    let sandbox = sandbox();
    let done = import(&sandbox, &["--strict", "--rust", "robot.rs"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(
        done.err.contains("error: robot.xml:6:7: `ManualSelector`"),
        "{}",
        done.err
    );
    assert!(
        done.err
            .ends_with("error: nothing was written: 1 construct lost\n"),
        "{}",
        done.err
    );
    assert!(!sandbox.path().join("out").exists() && !sandbox.path().join("robot.rs").exists());
}

#[test]
fn what_was_edited_since_an_import_is_replaced_only_when_that_is_asked_for() {
    let sandbox = sandbox();
    let rust = ["--rust", "robot.rs"];
    import(&sandbox, &rust).done();
    // The same again changes nothing.
    import(&sandbox, &rust).done();
    let edited = sandbox.read("robot.rs") + "// mine\n";
    sandbox.file("robot.rs", &edited);
    let tree = sandbox.read("out/trees/Main.json");
    sandbox.file("out/trees/Main.json", &format!("{tree}\n"));
    let again = import(&sandbox, &rust);
    again.says(
        2,
        &[
            "out/trees/Main.json is there already with another text, as 1 other file is, which may have been edited",
            "`--overwrite`; nothing was written",
        ],
    );
    assert_eq!(sandbox.read("robot.rs"), edited);
    import(&sandbox, &["--rust", "robot.rs", "--overwrite"]).done();
    assert_eq!(sandbox.read("out/trees/Main.json"), tree);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_read() {
    let sandbox = sandbox();
    let pipe = sandbox.path().join("pipe.xml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let include = r#"<root BTCPP_format="4"><include path="pipe.xml"/><BehaviorTree ID="a"><AlwaysSuccess/></BehaviorTree></root>"#;
    sandbox.file("robot.xml", include);
    let done = import(&sandbox, &[]).done();
    assert!(
        done.err
            .contains("pipe.xml is no file: a pipe or a device is not read"),
        "{}",
        done.err
    );
}

#[test]
fn what_is_no_file_of_the_engine_is_refused() {
    let sandbox = sandbox();
    let wrong = ["import", "nowhere.xml", "--from", "btcpp", "--out", "out"];
    let done = run(&mut sandbox.command(".", wrong));
    assert_eq!(done.code, 2);
    assert!(
        done.err.starts_with("error: cannot read nowhere.xml: "),
        "{}",
        done.err
    );
    sandbox.file("robot.xml", "<root><BehaviorTree>");
    let done = import(&sandbox, &[]);
    assert_eq!(done.code, 1);
    assert!(
        done.err.contains("it is not well-formed XML"),
        "{}",
        done.err
    );
    let done = import(&sandbox, &["--enum", "RED"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("write `NAME=NUMBER`"), "{}", done.err);
}
