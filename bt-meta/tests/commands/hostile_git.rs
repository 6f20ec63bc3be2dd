//! Repositories whose configuration names programs: none of them runs.

use std::fs;

use super::diff::{exported, sandbox};
use super::hostile_repository::arm;
use crate::common::sandbox::run;

#[cfg(unix)]
#[test]
fn diff_runs_no_program_that_a_repository_names() {
    let sandbox = sandbox(&exported(), &exported());
    let folder = sandbox.path();
    for (name, idx) in [("lost", 1), ("kept", 2)] {
        let tree = format!(
            "{{\"nodes\": [{{\"idx\": {idx}, \"type\": \"root\", \"children\": [], \"extra\": {{\"agent_name\": \"guard\"}}}}]}}"
        );
        sandbox.file(&format!("armed/{name}.json"), &tree);
    }
    fs::copy(
        folder.join("new/agents.json"),
        folder.join("armed/agents.json"),
    )
    .unwrap();
    let armed = folder.join("armed");
    let marks = arm(&armed, folder, "lost.json", "kept.json");
    let page = ["--trees", "armed", "--format", "html"];
    for (revision, more, code) in [
        ("HEAD", ["armed"].as_slice(), 0),
        ("HEAD~1", &["armed/agents.json"], 0),
        ("HEAD", &page, 0),
        (
            "HEAD",
            &["--trees", "armed/kept.json", "--format", "html"],
            0,
        ),
        // A blob is missing that another repository is said to have.
        ("HEAD~1", &page, 2),
        (
            "HEAD~1",
            &["--trees", "armed/lost.json", "--format", "html"],
            2,
        ),
    ] {
        let args = [&["diff", "--since", revision], more].concat();
        let mut command = sandbox.command(".", args);
        for name in [
            "GIT_EXTERNAL_DIFF",
            "GIT_PAGER",
            "PAGER",
            "GIT_SSH_COMMAND",
            "GIT_ASKPASS",
            "GIT_PROXY_COMMAND",
            "GIT_EDITOR",
        ] {
            command.env(name, marks.program(name));
        }
        command
            .env("GIT_TRACE", folder.join("marks/trace"))
            .env("GIT_CONFIG_COUNT", "1")
            .env("GIT_CONFIG_KEY_0", "core.fsmonitor")
            .env("GIT_CONFIG_VALUE_0", marks.program("of-variable"));
        let done = run(&mut command);
        assert_eq!(done.code, code, "{revision} {more:?}: {}", done.err);
        assert_eq!(marks.take(), [""; 0], "{revision} {more:?}");
        if code == 2 {
            assert!(!done.err.contains("fetch"), "{}", done.err);
        }
    }
}
