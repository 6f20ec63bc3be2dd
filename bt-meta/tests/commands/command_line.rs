//! The command line on catalogues and programs that are there already.

use std::fs;
use std::process::Command;

use crate::common::rules::{FILES, check_export};
use crate::common::samples::{action, agent, arg, catalogue, method, nop, with};
use crate::common::sandbox::{Run, Sandbox, run};
use serde_json::json;

fn sandbox() -> Sandbox {
    let sees = method(
        "condition",
        "sees",
        "Is anybody there?",
        vec![with(
            arg("range", "double"),
            json!({"default": 2.0, "unit": "m"}),
        )],
    );
    let hp = json!({"name": "hp", "crate": "my-game", "file": "src/m.rs", "line": 9, "type": "int32", "schema": true, "read_only": true});
    let hit = json!({"name": "hit", "brief": "Ouch.", "crate": "my-game", "file": "src/m.rs", "line": 12, "params": [arg("by", "uint64")]});
    let monster = agent(
        "ai::monster",
        Some("action_agent"),
        vec![
            with(action("attack", "Hits."), json!({"result": "async"})),
            sees,
        ],
    );
    let monster = with(monster, json!({"properties": [hp], "events": [hit]}));
    let catalogue = catalogue(vec![agent("action_agent", None, vec![nop()]), monster]);
    let sandbox = Sandbox::new();
    sandbox.file("agents.json", &serde_json::to_string(&catalogue).unwrap());
    sandbox
}

fn bt_meta(sandbox: &Sandbox, args: &[&str]) -> Run {
    run(&mut sandbox.command(".", args))
}

#[test]
fn a_catalogue_is_exported_and_its_export_gives_the_same_again() {
    let sandbox = sandbox();
    sandbox.export(".", &["--catalogue", "agents.json"]).done();
    check_export(&sandbox.out());
    let again = sandbox
        .export(".", &["--catalogue", "out/agents.json"])
        .done();
    assert_eq!(
        again.out.matches("unchanged ").count(),
        FILES.len(),
        "{}",
        again.out
    );
}

#[test]
fn export_reads_the_catalogue_of_an_executable() {
    let sandbox = sandbox();
    let script = "#!/bin/sh\necho loading\nprintf 'bt-catalogue: '\ncat agents.json\necho\n";
    sandbox.file("game", script);
    #[cfg(unix)]
    fs::set_permissions(
        sandbox.path().join("game"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    let run = sandbox.export(".", &["--executable", "game"]).done();
    assert_eq!(run.err, "loading\n");
    check_export(&sandbox.out());
    sandbox
        .export(".", &["--executable", "nowhere"])
        .says(2, &["cannot run `./nowhere`"]);
    sandbox.file("game", "#!/bin/sh\nexit 0\n");
    sandbox
        .export(".", &["--executable", "game"])
        .says(2, &["no catalogue", "export_if_asked"]);
}

#[test]
fn the_list_says_what_there_is_and_where() {
    let list = bt_meta(&sandbox(), &["list", "--catalogue", "agents.json"])
        .done()
        .out;
    assert_eq!(
        list,
        "\
action_agent - An agent.  [my-game src/lib.rs:7]
  action nop() -> bool - Does nothing.  [my-game src/lib.rs:7]

monster : action_agent - An agent.  [my-game src/lib.rs:7]
  action attack() -> async - Hits.  [my-game src/lib.rs:7]
  condition sees(range: double m = 2.0) -> bool - Is anybody there?  [my-game src/lib.rs:7]
  property read-only hp: int32  [my-game src/m.rs:9]
  event hit(by: uint64) - Ouch.  [my-game src/m.rs:12]
  and 1 inherited
"
    );
}

#[test]
fn the_list_is_there_as_json_and_for_one_agent() {
    let args = [
        "list",
        "--catalogue",
        "agents.json",
        "--json",
        "--agent",
        "monster",
    ];
    let run = bt_meta(&sandbox(), &args).done();
    let list: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(list["agents"].as_array().unwrap().len(), 1);
    assert_eq!(list["agents"][0]["full_name"], "ai::monster");
    assert_eq!(
        list["agents"][0]["inherited"],
        json!([{"name": "nop", "from": "action_agent"}])
    );
}

#[test]
fn formats_are_chosen_by_name_and_each_writes_its_files() {
    let sandbox = sandbox();
    let run = sandbox.export(
        ".",
        &[
            "--catalogue",
            "agents.json",
            "--format",
            "html,behaviac",
            "--format",
            "json-schema",
        ],
    );
    assert_eq!(
        run.done().out,
        "\
wrote out/agents.html (2 agents)
wrote out/behaviac_meta.xml (2 agents, 1 member, 5 methods)
wrote out/trees.schema.json (2 agents, 46 node kinds)
"
        .replace("out/", &format!("{}/", sandbox.out().display()))
    );
    let mut names: Vec<_> = fs::read_dir(sandbox.out())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["agents.html", "behaviac_meta.xml", "trees.schema.json"]
    );
    let again = ["--catalogue", "agents.json", "--format", "html"];
    let again = sandbox.export(".", &again).done();
    assert!(again.out.starts_with("unchanged "), "{}", again.out);
}

#[test]
fn without_a_format_the_editors_files_are_written_as_ever() {
    let (without, with) = (sandbox(), sandbox());
    without.export(".", &["--catalogue", "agents.json"]).done();
    with.export(".", &["--catalogue", "agents.json", "--format", "mosaic"])
        .done();
    let mut names: Vec<_> = fs::read_dir(without.out())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, FILES);
    for file in FILES {
        let read = |sandbox: &Sandbox| fs::read(sandbox.out().join(file)).unwrap();
        assert_eq!(read(&without), read(&with), "{file}");
    }
}

#[test]
fn a_format_that_is_none_is_answered_with_those_that_are() {
    let sandbox = sandbox();
    for format in ["xml", "mosaic,markdwn", ""] {
        sandbox
            .export(".", &["--catalogue", "agents.json", "--format", format])
            .says(2, &["mosaic, behaviac, btcpp, json-schema, markdown, html"]);
    }
    assert!(!sandbox.out().exists());
}

#[test]
fn misuse_ends_with_two_and_says_what_to_do() {
    let sandbox = sandbox();
    bt_meta(&sandbox, &["export", "--catalogue", "agents.json"]).says(2, &["--out-dir"]);
    bt_meta(&sandbox, &["exprot"]).says(2, &["export"]);
    sandbox
        .export(".", &["--catalogue", "agents.json", "--package", "x"])
        .says(2, &["cannot be used with"]);
    for with_build in ["--release", "--features=x"] {
        let args = ["--catalogue", "agents.json", with_build];
        sandbox.export(".", &args).says(2, &["cannot be used with"]);
    }
    sandbox
        .export(".", &["--catalogue", "agents.json", "--agent", "monstr"])
        .says(2, &["did you mean `monster`?"]);
    sandbox
        .export(".", &["--catalogue", "nowhere.json"])
        .says(2, &["`nowhere.json`"]);
    sandbox.file(
        "bad.json",
        "{\"schema_version\": 2, \"bt_core\": \"8.0.0\"}",
    );
    sandbox
        .export(".", &["--catalogue", "bad.json"])
        .says(2, &["`bad.json`", "bt-core 8.0.0", "schema version 2"]);
    assert!(!sandbox.out().exists());
}

#[test]
fn a_finding_ends_with_one_and_changes_no_file() {
    let sandbox = sandbox();
    let problem =
        json!({"schema_version": 1, "agents": [], "problems": [{"message": "registered twice"}]});
    sandbox.file("bad.json", &problem.to_string());
    sandbox
        .export(".", &["--catalogue", "bad.json"])
        .says(1, &["error: registered twice"]);
    bt_meta(&sandbox, &["list", "--catalogue", "bad.json"]).says(1, &["error: registered twice"]);
    assert!(!sandbox.out().exists());
}

#[test]
fn help_lists_the_exit_codes() {
    for args in [&["--help"][..], &["export", "--help"], &["list", "--help"]] {
        let run = bt_meta(&sandbox(), args).done();
        assert!(
            run.out.contains("Exit codes:") && run.out.contains("a problem was found"),
            "{}",
            run.out
        );
    }
}

/// The system refuses writes beyond a size, as a full disk does, in the middle of a file.
#[cfg(unix)]
#[test]
fn a_disk_that_fills_up_half_way_leaves_the_old_files() {
    let sandbox = sandbox();
    fs::create_dir(sandbox.out()).unwrap();
    for file in FILES {
        fs::write(sandbox.out().join(file), "old").unwrap();
    }
    let script =
        "ulimit -f 8; trap '' XFSZ; exec \"$0\" export --catalogue agents.json --out-dir out";
    let mut shell = Command::new("sh");
    shell
        .args(["-c", script, env!("CARGO_BIN_EXE_bt-meta")])
        .current_dir(sandbox.path());
    run(&mut shell).says(2, &["cannot write `out/agents"]);
    let mut names: Vec<_> = fs::read_dir(sandbox.out())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, FILES);
    for file in FILES {
        assert_eq!(
            fs::read(sandbox.out().join(file)).unwrap(),
            b"old",
            "{file}"
        );
    }
}

#[test]
fn an_output_directory_that_cannot_be_is_named() {
    let sandbox = sandbox();
    sandbox.file("out", "a file where a directory should be");
    sandbox
        .export(".", &["--catalogue", "agents.json"])
        .says(2, &["cannot make the directory", "--out-dir"]);
}
