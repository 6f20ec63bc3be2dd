//! Versions of a tree.

use std::process::Command;

use serde_json::json;

use super::Studio;

#[test]
fn a_tree_is_compared_with_what_git_knows_of_it() {
    let studio = Studio::of_monsters();
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(studio.path(""));
        let who = [
            "-c",
            "user.name=Tester",
            "-c",
            "user.email=tester@example.org",
            "-c",
            "commit.gpgsign=false",
        ];
        let done = command.args(who).args(args).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    let mut client = studio.client();
    let none = client
        .call("git.revisions", json!({"path": "hunt.json"}))
        .unwrap_err();
    assert!(none["message"].as_str().unwrap().contains("git"), "{none}");
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "Hunt, with ünïcode"]);
    let revisions = client
        .call("git.revisions", json!({"path": "hunt.json"}))
        .unwrap()["revisions"]
        .take();
    assert_eq!(
        (&revisions[0]["subject"], &revisions[0]["author"]),
        (&json!("Hunt, with ünïcode"), &json!("Tester"))
    );

    let doc = client.open_tree("hunt.json");
    let edits = json!([
        {"do": "insert", "parent": 1, "at": 0, "kind": "action", "name": "nop"},
        {"do": "remove", "nodes": [19]},
        {"do": "set", "node": 1, "at": "/comment", "value": "\"other\""},
    ]);
    let changed = client.edit(&doc, 0, edits).unwrap();
    let then = json!({"path": "hunt.json", "revision_id": revisions[0]["id"]});
    let diff = client
        .call(
            "diff.tree",
            json!({"left": then, "right": {"doc": doc["doc"]}}),
        )
        .unwrap();
    let of = |change: &str| -> Vec<_> {
        let nodes = diff["nodes"].as_array().unwrap().iter();
        nodes
            .filter(|node| node["change"] == change)
            .cloned()
            .collect()
    };
    assert_eq!(
        of("added"),
        [json!({"right": changed["created"][0], "change": "added", "what": []})]
    );
    assert_eq!(of("removed")[0]["left"], 19);
    assert_eq!((of("changed").len(), of("moved").len()), (1, 0));
    assert_eq!(
        diff["list"].as_array().unwrap().len(),
        2 + of("removed").len()
    );
    let disk = client
        .call(
            "diff.tree",
            json!({"left": then, "right": {"path": "hunt.json"}}),
        )
        .unwrap();
    assert_eq!(disk["list"], json!([]));
    for id in ["", "HEAD", "--output=x", "0000000"] {
        let side = json!({"path": "hunt.json", "revision_id": id});
        assert!(
            client
                .call(
                    "diff.tree",
                    json!({"left": side, "right": {"doc": doc["doc"]}})
                )
                .is_err(),
            "{id}"
        );
    }
}

#[cfg(unix)]
#[test]
fn no_program_runs_that_a_repository_names() {
    use super::hostile_repository::arm;
    for read_only in [false, true] {
        let studio = Studio::of("examples/monster/trees", read_only);
        let marks = arm(
            &studio.path(""),
            studio.dir.path(),
            "hunt.json",
            "flee.json",
        );
        let mut client = studio.client();
        let listed = client.call("git.revisions", json!({"path": "hunt.json"}));
        let revisions = listed.unwrap()["revisions"].take();
        assert_eq!(revisions.as_array().unwrap().len(), 2, "{revisions}");
        for path in ["hunt.json", "flee.json"] {
            for revision in ["0", "1"].map(|at| &revisions[at.parse::<usize>().unwrap()]["id"]) {
                let then = json!({"path": path, "revision_id": revision});
                let sides = json!({"left": then, "right": {"path": path}});
                let compared = client.call("diff.tree", sides);
                // One text is missing, which another repository is said to have.
                let is_lost = path == "hunt.json" && revision == &revisions[1]["id"];
                assert_eq!(compared.is_err(), is_lost, "{path}: {compared:?}");
            }
        }
        assert_eq!(marks.take(), [""; 0]);
    }
}

#[cfg(unix)]
#[test]
fn studio_answers_while_git_waits() {
    let studio = Studio::of_monsters();
    let git = studio.path(".git");
    std::fs::create_dir(&git).unwrap();
    for part in ["objects", "refs"] {
        std::fs::create_dir(git.join(part)).unwrap();
    }
    std::fs::write(git.join("config"), "").unwrap();
    let pipe = Command::new("mkfifo").arg(git.join("HEAD")).status();
    assert!(pipe.unwrap().success());
    let mut client = studio.client();
    let asked = json!({"jsonrpc": "2.0", "id": "later", "method": "git.revisions", "params": {"path": "hunt.json"}});
    client.send(&asked.to_string()).unwrap();
    let begun = std::time::Instant::now();
    client.open_tree("hunt.json");
    client.call("project.get", json!({})).unwrap();
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}
