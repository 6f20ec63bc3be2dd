//! Files and outputs of all kinds: pipes, devices, links, files that are named twice, outputs that are full.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::process::{Command, Stdio};

use crate::common::samples::{agent, catalogue, nop};
use crate::common::sandbox::{Run, Sandbox, run};
use serde_json::{Value, json};

/// A catalogue, and a tree with a node that has no parent.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let catalogue = catalogue(vec![agent("action_agent", None, vec![nop()])]);
    sandbox.file("agents.json", &json!(catalogue).to_string());
    sandbox.file("trees/a.json", &tree("nop"));
    sandbox
}

fn tree(action: &str) -> String {
    json!({"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "action_agent", "mode": "once"}},
        {"idx": 1, "type": "action", "children": [], "extra": {"action_name": action, "action_args": []}},
    ]})
    .to_string()
}

fn bt_meta(sandbox: &Sandbox, args: &[&str]) -> Run {
    run(&mut sandbox.command(".", args))
}

fn views(sandbox: &Sandbox, folder: &str, trees: &[&str]) -> Run {
    let args = [
        "export",
        "--catalogue",
        "agents.json",
        "--out-dir",
        "out",
        "--view-trees",
        folder,
        "--trees",
    ];
    bt_meta(sandbox, &[&args, trees].concat())
}

fn text(sandbox: &Sandbox, path: &str) -> String {
    fs::read_to_string(sandbox.path().join(path)).unwrap()
}

#[test]
fn two_trees_of_one_name_are_not_copied_over_each_other() {
    let sandbox = sandbox();
    sandbox.file("more/a.json", &tree("nop"));
    views(&sandbox, "copies", &["trees", "more"])
        .says(2, &["more/a.json", "trees/a.json", "copies/a.json"]);
    assert!(!sandbox.path().join("copies").exists());
    assert!(!sandbox.path().join("out").exists());
}

#[test]
fn a_copy_replaces_no_tree_whichever_it_is_of() {
    let sandbox = sandbox();
    sandbox.file("more/b.json", &tree("nop"));
    sandbox.file("trees/b.json", &tree("nop"));
    // The copy of more/b.json would be trees/b.json.
    let before = text(&sandbox, "trees/b.json");
    views(&sandbox, "trees", &["more/b.json", "trees/b.json"])
        .says(2, &["would replace the tree trees/b.json"]);
    symlink("trees", sandbox.path().join("link")).unwrap();
    views(&sandbox, "link", &["more", "trees/a.json", "trees/b.json"])
        .says(2, &["would replace the tree trees/b.json"]);
    assert_eq!(text(&sandbox, "trees/b.json"), before);
}

#[test]
fn a_copy_is_none_of_the_files_that_are_exported() {
    let sandbox = sandbox();
    sandbox.file("trees/agents.json", &tree("nop"));
    views(&sandbox, "out", &["trees"]).says(2, &["out/agents.json"]);
}

#[test]
fn a_copy_stays_in_the_folder_for_copies() {
    let sandbox = sandbox();
    sandbox.file("deep/er/x", "");
    views(&sandbox, "copies/in", &["dee[p]/../trees/a.json"])
        .says(2, &["would not be below copies/in"]);
    assert!(!sandbox.path().join("copies").exists());
}

#[test]
fn nothing_is_copied_where_the_export_is_refused() {
    let sandbox = sandbox();
    let args = [
        "export",
        "--catalogue",
        "agents.json",
        "--out-dir",
        "out",
        "--agent",
        "nobody",
    ];
    let more = ["--view-trees", "copies", "--trees", "trees"];
    bt_meta(&sandbox, &[&args[..], &more].concat()).says(2, &["nobody"]);
    assert!(!sandbox.path().join("copies").exists());
}

#[test]
fn a_pipe_is_read_once() {
    let sandbox = sandbox();
    let validate = |command: &str, path: &str| {
        let mut shell = Command::new("sh");
        let bt_meta = env!("CARGO_BIN_EXE_bt-meta");
        let line = format!(
            "cat trees/a.json | timeout 60 '{bt_meta}' {command} --catalogue agents.json {path}"
        );
        run(shell.arg("-c").arg(line).current_dir(sandbox.path()))
    };
    sandbox.file("trees/a.json", &tree("lost"));
    let run = validate("validate", "/dev/stdin").says(1, &["1 error"]);
    assert!(run.out.contains("BT0034"), "{}", run.out);
    let shown = validate("fix", "/dev/stdin").says(1, &["`--write` makes them"]);
    assert!(shown.out.contains("+"), "{}", shown.out);
    validate("fix --write", "/dev/stdin").says(2, &["is no file that can be written"]);
}

#[test]
fn a_device_is_written_to() {
    let sandbox = sandbox();
    bt_meta(&sandbox, &["draw", "trees/a.json", "--out", "/dev/null"]).done();
    assert!(
        fs::metadata("/dev/null")
            .unwrap()
            .file_type()
            .is_char_device()
    );
    let run = bt_meta(
        &sandbox,
        &["draw", "trees/a.json", "--out", "/dev/stdout", "-q"],
    )
    .done();
    assert!(run.out.contains("nop"), "{}", run.out);
    bt_meta(&sandbox, &["draw", "trees/a.json", "--out", "/dev/full"]).says(2, &["/dev/full"]);
}

#[test]
fn a_picture_does_not_replace_a_tree_that_it_is_of() {
    let sandbox = sandbox();
    let calls = tree("nop").replace("\"action\"", "\"sub_tree\"").replace(
        r#""action_args":[],"action_name":"nop""#,
        r#""sub_tree_name":"a""#,
    );
    sandbox.file("trees/calls.json", &calls);
    let before = text(&sandbox, "trees/a.json");
    bt_meta(
        &sandbox,
        &["draw", "trees/a.json", "--out", "trees/../trees/a.json"],
    )
    .says(2, &["would replace the tree"]);
    bt_meta(
        &sandbox,
        &[
            "draw",
            "trees/calls.json",
            "--follow",
            "--out",
            "trees/a.json",
        ],
    )
    .says(2, &["trees/a.json"]);
    assert_eq!(text(&sandbox, "trees/a.json"), before);
    bt_meta(
        &sandbox,
        &["draw", "trees/calls.json", "--out", "picture.svg"],
    )
    .done();
}

#[test]
fn a_trace_that_never_ends_is_refused() {
    let run = bt_meta(&sandbox(), &["explain-run", "/dev/zero"]);
    run.says(2, &["/dev/zero", "longer than 64 MiB"]);
}

#[test]
fn a_tree_that_never_ends_is_refused() {
    for command in ["validate", "fix"] {
        let run = bt_meta(
            &sandbox(),
            &[command, "--catalogue", "agents.json", "/dev/zero"],
        );
        run.says(2, &["cannot read /dev/zero", "longer than 256 MiB"]);
    }
}

#[test]
fn an_error_output_that_is_full_changes_no_exit_code() {
    let sandbox = sandbox();
    sandbox.file("trees/b.json", &tree("lost"));
    sandbox.file("trees/none.json", "{}");
    let code = |args: &[&str]| {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = sandbox.command(".", args);
        command.stderr(Stdio::from(full)).stdout(Stdio::null());
        command.status().unwrap().code()
    };
    assert_eq!(
        code(&["validate", "--catalogue", "agents.json", "trees"]),
        Some(1)
    );
    assert_eq!(
        code(&["validate", "--catalogue", "nowhere.json", "trees"]),
        Some(2)
    );
    // It warns of what is no tree.
    assert_eq!(
        code(&["fix", "--catalogue", "agents.json", "trees/none.json"]),
        Some(0)
    );
}

#[test]
fn a_file_that_is_named_twice_is_looked_at_once() {
    let sandbox = sandbox();
    for paths in [
        ["trees/a.json", "trees/a.json"],
        ["trees", "trees/a.json"],
        ["trees/a.json", "trees/../trees"],
    ] {
        let args = [&["validate", "--catalogue", "agents.json"], &paths[..]].concat();
        assert_eq!(bt_meta(&sandbox, &args).done().out, "1 tree: no problems\n");
    }
}

#[test]
fn what_begins_with_a_dot_is_passed_over_in_folders() {
    let sandbox = sandbox();
    for path in ["trees/.editor/settings.json", "trees/.bt-meta-x.json"] {
        sandbox.file(path, "{}");
    }
    // Neither is a file that only looks like one.
    fs::create_dir(sandbox.path().join("trees/folder.json")).unwrap();
    for trees in ["trees", "trees/*.json", "trees/**/*.json"] {
        let run = bt_meta(&sandbox, &["validate", "--catalogue", "agents.json", trees]).done();
        assert_eq!(run.out, "1 tree: no problems\n");
    }
    bt_meta(
        &sandbox,
        &[
            "validate",
            "--catalogue",
            "agents.json",
            "trees/.bt-meta-x.json",
        ],
    )
    .says(1, &[]);
}

#[test]
fn a_path_that_cannot_be_looked_at_says_why() {
    let sandbox = sandbox();
    let below = "trees/a.json/b.json";
    bt_meta(&sandbox, &["validate", "--catalogue", "agents.json", below])
        .says(2, &[below, "directory"]);
    symlink("round", sandbox.path().join("round")).unwrap();
    bt_meta(
        &sandbox,
        &["validate", "--catalogue", "agents.json", "round"],
    )
    .says(2, &["round", "symbolic links"]);
    bt_meta(&sandbox, &["draw", "trees/a.json", "--out", "round"])
        .says(2, &["round", "symbolic links"]);
}

#[test]
fn what_is_no_tree_is_not_counted_as_one() {
    let sandbox = sandbox();
    let whole = text(&sandbox, "trees/a.json").replace("\"idx\":1,", "\"idx\":1,\"parent\":0,");
    sandbox.file("trees/a.json", &whole);
    sandbox.file("trees/none.json", "{}");
    let run = bt_meta(&sandbox, &["fix", "--catalogue", "agents.json", "trees"]).done();
    assert_eq!(run.out, "1 tree: nothing to fix\n");
    assert!(
        run.err.contains("trees/none.json is no tree"),
        "{}",
        run.err
    );
}

#[test]
fn every_problem_of_a_large_tree_is_fixed() {
    let sandbox = Sandbox::new();
    let mut chase = crate::common::samples::action("chase", "Runs.");
    chase["alias"] = json!(["hunt"]);
    let catalogue = catalogue(vec![agent("action_agent", None, vec![nop(), chase])]);
    sandbox.file("agents.json", &json!(catalogue).to_string());
    let mut nodes = vec![
        json!({"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "action_agent"}}),
        json!({"idx": 1, "parent": 0, "type": "sequence", "children": Vec::from_iter(2..2_502), "extra": {}}),
    ];
    nodes.extend((2..2_502).map(|idx| {
        json!({"idx": idx, "parent": 1, "type": "action", "children": [],
            "extra": {"action_name": "hunt", "action_args": []}})
    }));
    sandbox.file("t.json", &json!({ "nodes": nodes }).to_string());
    bt_meta(
        &sandbox,
        &["fix", "--catalogue", "agents.json", "t.json", "--write"],
    )
    .done();
    assert_eq!(text(&sandbox, "t.json").matches("hunt").count(), 0);
}

/// Reports of `check` for programs.
mod reports {
    use super::*;

    fn check(sandbox: &Sandbox, args: &[&str], overwrite: bool) -> Run {
        let all = ["check", "--catalogue", "agents.json", "--out-dir", "out"];
        let mut command = sandbox.command(".", [&all, args].concat());
        if overwrite {
            command.env("BT_META", "overwrite");
        }
        run(&mut command)
    }

    #[test]
    fn what_is_rewritten_is_no_part_of_a_sarif_log() {
        let sandbox = sandbox();
        for _ in 0..2 {
            let run = check(&sandbox, &["--format", "sarif"], true).done();
            let log: Value = serde_json::from_str(&run.out).unwrap();
            assert_eq!(log["runs"][0]["results"], json!([]));
        }
        assert!(sandbox.path().join("out/agents.json").exists());
        fs::remove_dir_all(sandbox.path().join("out")).unwrap();
        assert_eq!(
            check(&sandbox, &["--format", "github"], true).done().out,
            ""
        );
    }

    #[test]
    fn why_the_changes_are_not_known_is_annotated() {
        let sandbox = sandbox();
        sandbox.file("out/agents.json", "[1, 2]");
        let run = check(&sandbox, &["--format", "github"], false).says(1, &[]);
        let told = run
            .out
            .lines()
            .find(|line| line.contains("title=unknown-changes"));
        let told = told.unwrap_or_else(|| panic!("{}", run.out));
        assert!(told.starts_with("::error file=out/agents.json,"), "{told}");
    }

    #[test]
    fn a_root_may_be_written_in_any_way_and_must_be_a_folder() {
        let sandbox = sandbox();
        fs::create_dir(sandbox.path().join("game")).unwrap();
        symlink(".", sandbox.path().join("link")).unwrap();
        for root in [".", "game/..", "link", "./link/link"] {
            let run = check(&sandbox, &["--format", "sarif", "--root", root], false).says(1, &[]);
            assert!(
                run.out.contains(r#""uri": "out/agents.json""#),
                "{}",
                run.out
            );
        }
        let run = check(&sandbox, &["--format", "sarif", "--root", "game"], false).says(1, &[]);
        assert!(run.out.contains(r#""uri": "file:///"#), "{}", run.out);
        for root in ["agents.json", "nowhere"] {
            check(&sandbox, &["--format", "github", "--root", root], false)
                .says(2, &["--root", "is no folder"]);
            let validate = [
                "validate",
                "--catalogue",
                "agents.json",
                "--format",
                "sarif",
                "--root",
                root,
                "trees",
            ];
            bt_meta(&sandbox, &validate).says(2, &["--root", "is no folder"]);
        }
    }

    /// A repository with the game in a folder, and the paths of everything that a command annotates.
    fn annotated(root: &[&str]) -> (String, String) {
        let sandbox = sandbox();
        sandbox.file(".git/HEAD", "ref: refs/heads/main");
        sandbox.file("games/one/trees/a.json", &tree("lost"));
        let agents = "../../agents.json";
        let game = |args: &[&str]| {
            let all = [args, &["--format", "github"], root].concat();
            run(&mut sandbox.command("games/one", all)).says(1, &[]).out
        };
        let validated = game(&["validate", "--catalogue", agents, "trees"]);
        let checked = game(&["check", "--catalogue", agents, "--out-dir", "out"]);
        (validated, checked)
    }

    #[test]
    fn paths_begin_at_the_folder_with_git_in_it_unless_a_root_is_given() {
        let (validated, checked) = annotated(&[]);
        let tree = "::error file=games/one/trees/a.json,line=";
        assert!(validated.contains(tree), "{validated}");
        let file = "::error file=games/one/out/agents.json,line=";
        assert!(checked.contains(file), "{checked}");
        for root in [".", "../one"] {
            let (validated, checked) = annotated(&["--root", root]);
            assert!(
                validated.contains("::error file=trees/a.json,line="),
                "{validated}"
            );
            assert!(
                checked.contains("::error file=out/agents.json,line="),
                "{checked}"
            );
        }
    }

    #[test]
    fn a_change_of_a_node_kind_has_no_empty_agent_in_front() {
        let sandbox = sandbox();
        let mut catalogue: Value = serde_json::from_str(&text(&sandbox, "agents.json")).unwrap();
        let kind = |most: u32| json!([{"name": "sequence", "child_min": 1, "child_max": most, "params": {}, "brief": "", "group": "composite"}]);
        catalogue["node_kinds"] = kind(9);
        sandbox.file("old.json", &json!(catalogue).to_string());
        catalogue["node_kinds"] = kind(8);
        sandbox.file("new.json", &json!(catalogue).to_string());
        let run = bt_meta(
            &sandbox,
            &["diff", "old.json", "new.json", "--format", "github"],
        )
        .says(1, &[]);
        assert!(run.out.contains("::node kind `sequence`"), "{}", run.out);
    }
}
