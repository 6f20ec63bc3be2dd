//! A client of another implementation: the official Python SDK, where `bt-meta/tests/assistant/.venv` has it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Monster;
use crate::game::{Game, tree};

/// The interpreter with the SDK.
fn python() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/assistant");
    let python = folder.join(".venv/bin/python");
    if python.exists() {
        return Some(python);
    }
    let folder = folder.display();
    println!(
        "skipped: it needs the Python SDK (`python3 -m venv {folder}/.venv && {folder}/.venv/bin/pip install -r {folder}/requirements.txt`)"
    );
    None
}

fn drive(python: &Path, trees: &Path, more: &[&Path]) {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/assistant/client.py");
    let mut command = Command::new(python);
    command
        .arg(client)
        .arg(env!("CARGO_BIN_EXE_bt-meta"))
        .arg(trees)
        .args(more);
    let run = command.output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    let wrong = String::from_utf8_lossy(&run.stderr);
    assert!(
        run.status.success() && said.ends_with("all tools\n"),
        "{said}{wrong}"
    );
}

#[test]
fn python_sdk_drives_every_tool_of_trees() {
    let Some(python) = python() else { return };
    let monster = Monster::new();
    let catalogue = monster.trees().join("../editor/agents.json");
    std::fs::copy(catalogue, monster.file("old.json")).unwrap();
    drive(&python, &monster.trees(), &[]);
}

#[test]
fn python_sdk_drives_every_tool_of_a_game() {
    let Some(python) = python() else { return };
    let game = Game::new();
    let trees = game.folder.path().join("trees");
    std::fs::create_dir(&trees).unwrap();
    std::fs::write(trees.join("wait.json"), tree()).unwrap();
    let catalogue = Monster::new().trees().join("../editor/agents.json");
    let agents = trees.join("agents.json");
    if catalogue.exists() {
        std::fs::copy(catalogue, agents).unwrap();
    }
    drive(&python, &trees, &[&game.folder.path().join("token.json")]);
}

/// Needs Node.js and `npm ci` in `tests/editor`.
#[test]
fn extension_of_vs_code_colours_checks_and_registers_the_server() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/editor");
    let has_node = Command::new("node").arg("--version").output().is_ok();
    if !has_node || !folder.join("node_modules/vscode-textmate").exists() {
        println!(
            "skipped: there is no Node.js, or `npm ci` was not run in {}",
            folder.display()
        );
        return;
    }
    let monster = Monster::new();
    let wrong = monster.text("flee.json").replace("\"rest\"", "\"rst\"");
    std::fs::write(monster.file("flee.json"), wrong).unwrap();
    let mut node = Command::new("node");
    node.arg(folder.join("extension.mjs"))
        .arg(env!("CARGO_BIN_EXE_bt-meta"));
    let run = node
        .arg(monster.trees().parent().unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert_eq!(
        said,
        "all of the extension\n",
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}
