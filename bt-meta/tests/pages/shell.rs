//! The commands that pages show without what they print run, as readers type them, in a shell.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::sandbox::{Run, Sandbox, run};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The lines of a page's shell blocks that begin so, without that.
fn commands(page: &str, begin: &str) -> Vec<String> {
    let text = fs::read_to_string(repository().join(page)).unwrap();
    let blocks = text.split("\n```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("\n```").next().unwrap().lines());
    let found: Vec<_> = lines
        .filter_map(|line| line.strip_prefix(begin))
        .map(str::to_owned)
        .collect();
    assert!(!found.is_empty(), "{page}");
    found
}

/// Runs `bt-meta` with what a shell makes of a line, in a folder.
fn shell(sandbox: &Sandbox, folder: &Path, line: &str) -> Run {
    let bin = sandbox.path().join("bin");
    if !bin.exists() {
        fs::create_dir(&bin).unwrap();
        symlink(env!("CARGO_BIN_EXE_bt-meta"), bin.join("bt-meta")).unwrap();
    }
    let mut paths = vec![bin];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("bt-meta {line}")])
        .current_dir(folder);
    let like = sandbox.command(".", [""; 0]);
    for (name, value) in like.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    run(shell
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("HOME", sandbox.path())
        .env("CARGO_HOME", cargo_home()))
}

/// The folder where cargo has what it downloaded, whatever `HOME` is.
fn cargo_home() -> PathBuf {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}

#[test]
fn commands_of_the_readme_and_the_page_on_formats_run() {
    let sandbox = Sandbox::new();
    let readme = commands("README.md", "cargo run -p bt-meta -- ");
    let formats = commands("docs/src/formats.md", "bt-meta ");
    for line in readme.iter().chain(&formats) {
        let out = sandbox.out();
        let mut words = line.clone();
        for folder in ["editor", "out"] {
            let there = format!("--out-dir '{}' ", out.display());
            words = format!("{words} ").replace(&format!("--out-dir {folder} "), &there);
        }
        shell(&sandbox, &repository(), &words).done();
        if line.starts_with("export") {
            assert!(fs::read_dir(&out).unwrap().count() > 0, "{line}");
        }
    }
    assert!(sandbox.out().join("trees.schema.json").exists());
}

#[test]
fn commands_of_the_page_on_the_command_line_run() {
    let sandbox = Sandbox::new();
    let beside = repository().join("docs/src/command-line.in");
    let folder = sandbox.path().join("game");
    for name in ["trees", "before", "after"] {
        fs::create_dir_all(folder.join(name)).unwrap();
        let from = if name == "before" { "before" } else { "trees" };
        for file in fs::read_dir(beside.join(from)).unwrap() {
            let file = file.unwrap().path();
            if file.is_file() {
                fs::copy(&file, folder.join(name).join(file.file_name().unwrap())).unwrap();
            }
        }
    }
    fs::create_dir(folder.join("editor")).unwrap();
    fs::copy(
        beside.join("agents.json"),
        folder.join("editor/agents.json"),
    )
    .unwrap();
    for line in [
        "git init --quiet --initial-branch main",
        "git add .",
        "git -c user.name=n -c user.email=e commit --quiet --message begin",
    ] {
        let mut git = Command::new("sh");
        run(git.args(["-c", line]).current_dir(&folder)).done();
    }
    let tree = folder.join("trees/rounds.json");
    let text = fs::read_to_string(&tree).unwrap();
    fs::write(&tree, text.replacen("\"gate\"", "\"tower\"", 1)).unwrap();
    fs::create_dir_all(
        sandbox
            .path()
            .join(".local/share/bash-completion/completions"),
    )
    .unwrap();
    for line in commands("docs/src/command-line.md", "bt-meta ") {
        _ = fs::remove_file(folder.join("changes.html"));
        shell(&sandbox, &folder, &line).done();
        if line.starts_with("diff") {
            let page = fs::read_to_string(folder.join("changes.html")).unwrap();
            assert!(
                page.contains("</html>") && page.contains("rounds.json"),
                "{line}"
            );
        }
    }
    let script = sandbox
        .path()
        .join(".local/share/bash-completion/completions/bt-meta");
    assert!(fs::read_to_string(script).unwrap().contains("explain-run"));
}
