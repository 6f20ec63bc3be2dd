//! `bt-meta check`: exported files against the code.

use std::fs;
use std::path::Path;

use crate::common::rules::FILES;
use crate::common::samples::{action, agent, arg, catalogue, method, nop};
use crate::common::sandbox::{Run, Sandbox, run};
use serde_json::{Value, json};

fn catalogue_of(action: Value) -> String {
    let guard = agent("guard", None, vec![nop(), action]);
    serde_json::to_string(&catalogue(vec![guard])).unwrap()
}

/// The code in `code.json`, and files in `editor` that are what it says.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("code.json", &catalogue_of(action("go", "Goes.")));
    let args = ["export", "--catalogue", "code.json", "--out-dir", "editor"];
    run(&mut sandbox.command(".", args)).done();
    sandbox
}

/// The same after `go` got another name.
fn changed() -> Sandbox {
    let sandbox = sandbox();
    sandbox.file("code.json", &catalogue_of(action("halt", "Stops.")));
    sandbox
}

fn check_with(sandbox: &Sandbox, mode: &str, args: &[&str]) -> Run {
    let all = ["check", "--catalogue", "code.json", "--out-dir", "editor"];
    let mut command = sandbox.command(".", all.iter().chain(args));
    run(command.env("BT_META", mode))
}

fn check(sandbox: &Sandbox, args: &[&str]) -> Run {
    check_with(sandbox, "", args)
}

fn editor(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path().join("editor").join(name)).unwrap()
}

#[test]
fn files_that_are_what_the_code_says_are_fresh() {
    let sandbox = sandbox();
    let run = check(&sandbox, &[]).done();
    assert_eq!(
        (run.out.as_str(), run.err.as_str()),
        ("editor: 5 files, all as the code says\n", "")
    );
    let quiet = check(&sandbox, &["--quiet"]).done();
    assert_eq!(quiet.out, "");
}

#[test]
fn check_shows_changed_lines_and_changed_meaning() {
    let sandbox = changed();
    let tree = json!({"nodes": [
        {"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard"}},
        {"idx": 1, "type": "action", "children": [], "extra": {"action_name": "go", "action_args": []}},
    ]});
    sandbox.file("trees/t.json", &tree.to_string());
    let before = FILES.map(|file| editor(&sandbox, file));
    let run = check(&sandbox, &["--trees", "trees"]).says(
        1,
        &[
            "error: 2 of 5 files are not what the code says; this brings them up to date: \
           BT_META=overwrite bt-meta check --catalogue code.json --out-dir editor --trees trees",
        ],
    );
    insta::assert_snapshot!("stale", run.out);
    // Nothing was touched.
    assert_eq!(before, FILES.map(|file| editor(&sandbox, file)));
}

#[test]
fn the_options_of_an_export_count() {
    let sandbox = sandbox();
    let run = check(&sandbox, &["--editor", "full"]).says(1, &["1 of 5 files is not"]);
    assert!(
        run.out
            .starts_with("editor/node_types.json is not what the code says:\n"),
        "{}",
        run.out
    );
    check(&sandbox, &["--layout", "flat"]).says(1, &["1 of 5 files is not"]);
    let args = [
        "export",
        "--catalogue",
        "code.json",
        "--out-dir",
        "editor",
        "--editor",
        "full",
    ];
    crate::common::sandbox::run(&mut sandbox.command(".", args)).done();
    check(&sandbox, &["--editor", "full"]).done();
}

#[test]
fn a_file_that_is_missing_is_said() {
    let sandbox = sandbox();
    fs::remove_file(sandbox.path().join("editor/node_types.json")).unwrap();
    let run = check(&sandbox, &[]).says(1, &["1 of 5 files is not what the code says"]);
    assert_eq!(run.out, "editor/node_types.json is missing\n");
    fs::remove_dir_all(sandbox.path().join("editor")).unwrap();
    check(&sandbox, &[]).says(1, &["5 of 5 files are not"]);
}

#[test]
fn other_line_ends_are_no_difference() {
    let sandbox = sandbox();
    for name in FILES {
        sandbox.file(
            &format!("editor/{name}"),
            &editor(&sandbox, name).replace('\n', "\r\n"),
        );
    }
    let run = check(&sandbox, &[]).done();
    assert!(
        run.err.starts_with(
            "note: editor/action_types.json has other line ends than an export writes"
        ),
        "{}",
        run.err
    );
    assert_eq!(check(&sandbox, &["--quiet"]).done().err, "");
    // What differs besides is shown without them, and alone rewritten.
    sandbox.file("code.json", &catalogue_of(action("halt", "Stops.")));
    let run = check(&sandbox, &[]).says(1, &["2 of 5 files are not"]);
    assert!(
        run.out.contains("\n-    \"go\": {\n+    \"halt\": {\n"),
        "{}",
        run.out
    );
    check_with(&sandbox, "overwrite", &[]).done();
    assert!(!editor(&sandbox, "agents.json").contains('\r'));
    assert!(editor(&sandbox, "node_types.json").contains('\r'));
}

#[test]
fn overwrite_rewrites_what_is_not_fresh_and_says_which() {
    let sandbox = changed();
    fs::remove_file(sandbox.path().join("editor/node_types.json")).unwrap();
    let run = check_with(&sandbox, "overwrite", &[]).done();
    assert_eq!(
        run.out,
        "rewrote editor/action_types.json (1 agent, 2 actions, 0 conditions)\n\
         rewrote editor/agents.json (1 agent, 2 actions, 0 conditions, 0 properties, 0 events)\n\
         rewrote editor/node_types.json (14 node kinds)\n"
    );
    assert!(
        check(&sandbox, &[])
            .done()
            .out
            .contains("all as the code says")
    );
    let again = check_with(&sandbox, "overwrite", &[]).done();
    assert_eq!(again.out, "editor: 5 files, all as the code says\n");
    check_with(&sandbox, "overwirte", &[])
        .says(2, &["`BT_META` is `overwirte`: expected `overwrite`"]);
}

#[test]
fn of_a_long_difference_the_rest_is_counted() {
    let sandbox = sandbox();
    let args = (0..100)
        .map(|n| arg(&format!("a{n:03}"), "int32"))
        .collect();
    sandbox.file(
        "code.json",
        &catalogue_of(method("action", "go", "Goes.", args)),
    );
    let run = check(&sandbox, &[]).says(1, &["2 of 5 files"]);
    let (shown, _) = run.out.split_once("\n\neditor/agents.json").unwrap();
    let last = shown.lines().last().unwrap();
    assert!(
        last.starts_with("… and ") && last.ends_with(" more lines"),
        "{last}"
    );
    assert_eq!(shown.lines().count(), 62);
}

#[test]
fn a_catalogue_that_cannot_be_read_is_stale_all_the_same() {
    let sandbox = sandbox();
    for (text, why) in [
        ("<<<<<<< HEAD\n", "this is no catalogue"),
        ("{\"schema_version\": 99}\n", "schema version 99"),
    ] {
        sandbox.file("editor/agents.json", text);
        let run = check(&sandbox, &[]).says(1, &["1 of 5 files is not"]);
        assert!(
            run.out
                .contains("What changed in `agents.json` cannot be said: "),
            "{}",
            run.out
        );
        assert!(run.out.contains(why), "{}", run.out);
    }
    fs::write(sandbox.path().join("editor/agents.json"), b"\xff\xfe").unwrap();
    check(&sandbox, &[]).says(1, &["1 of 5 files is not"]);
}

#[test]
fn moved_source_lines_make_files_stale_without_a_change_of_meaning() {
    let sandbox = sandbox();
    let moved = catalogue_of(action("go", "Goes.")).replace("\"line\":7", "\"line\":8");
    sandbox.file("code.json", &moved);
    let run = check(&sandbox, &[]).says(1, &["1 of 5 files is not"]);
    assert!(
        run.out
            .ends_with("\nNothing changed in `agents.json` but where things are in Rust.\n"),
        "{}",
        run.out
    );
}

#[test]
fn a_folder_where_a_file_should_be_is_a_failure() {
    let sandbox = sandbox();
    fs::remove_file(sandbox.path().join("editor/agents.json")).unwrap();
    fs::create_dir(sandbox.path().join("editor/agents.json")).unwrap();
    let path = Path::new("editor").join("agents.json");
    check(&sandbox, &[]).says(2, &[&format!("cannot read `{}`", path.display())]);
}

#[test]
fn assert_fresh_compares_files_with_the_linked_agents() {
    // Somebody is overwriting what other tests compare.
    if std::env::var_os("BT_META").is_some() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("editor");
    let options = bt_meta::layout::Options::default();
    let code = bt_meta::catalogue::Catalogue::collect();
    let files = bt_meta::files::render(&code, &options).unwrap();
    bt_meta::write::write(&path, &files.files).unwrap();
    bt_meta::assert_fresh!(path, bt_core);

    fs::write(path.join("agent_hierarchy.json"), "{}\n").unwrap();
    let panicked = |ask: &(dyn Fn() + std::panic::RefUnwindSafe)| {
        let message = std::panic::catch_unwind(ask).unwrap_err();
        message.downcast_ref::<String>().unwrap().clone()
    };
    let stale = panicked(&|| bt_meta::assert_fresh!(path, bt_core));
    assert!(
        stale.starts_with(
            "1 of 5 files is not what the code says; this brings them up to date: \
             BT_META=overwrite cargo test -p bt-meta\n\n"
        ),
        "{stale}"
    );
    assert!(
        stale.contains("\n-{}\n+{\n+  \"action_agent\": \"\"\n+}\n"),
        "{stale}"
    );
    let silent = panicked(&|| bt_meta::assert_fresh!(path, serde_json));
    assert!(
        silent.contains("`serde_json` in `bt_meta::assert_fresh!` registered nothing"),
        "{silent}"
    );
    let unnamed = panicked(&|| bt_meta::assert_fresh!(path));
    assert!(
        unnamed.starts_with("no agents but bt-core's own are linked into this test"),
        "{unnamed}"
    );
}

/// As code hosts take it: each file that is not what the code says, and what changed in meaning.
#[test]
fn check_prints_annotations_for_code_hosts() {
    let sandbox = changed();
    let github = check(&sandbox, &["--format", "github"]);
    assert_eq!(github.code, 1);
    let first = "::error file=editor/action_types.json,line=1,col=1,title=stale-file::\
                 editor/action_types.json is not what the code says\n";
    assert!(github.out.contains(first), "{}", github.out);
    let gone = "::error title=breaking-change::guard: action `go` is gone";
    assert!(github.out.contains(gone), "{}", github.out);
    let sarif = check(&sandbox, &["--format", "sarif", "--root", "editor"]);
    let sarif: Value = serde_json::from_str(&sarif.out).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "action_types.json");
    assert_eq!(results[0]["level"], "error");
    // What an export can be is not what a check is printed as.
    check(&sandbox, &["--format", "html"]).says(2, &["invalid value 'html'"]);
}

#[test]
fn a_diff_annotates_the_trees_that_it_breaks() {
    let sandbox = changed();
    let node = json!({"idx": 1, "type": "action", "children": [], "extra": {"action_name": "go", "action_args": []}});
    let root = json!({"idx": 0, "type": "root", "children": [1], "extra": {"agent_name": "guard"}});
    sandbox.file("trees/t.json", &json!({"nodes": [root, node]}).to_string());
    let diff = |format: &str| {
        let args = [
            "diff",
            "editor/agents.json",
            "code.json",
            "--trees",
            "trees",
            "--format",
            format,
        ];
        run(&mut sandbox.command(".", args))
    };
    let github = diff("github");
    assert_eq!(github.code, 1);
    assert!(
        github.out.contains("::error file=trees/t.json,line=1,col="),
        "{}",
        github.out
    );
    assert!(
        github.out.contains("::notice title=compatible-change::"),
        "{}",
        github.out
    );
    let sarif: Value = serde_json::from_str(&diff("sarif").out).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
}
