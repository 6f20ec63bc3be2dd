//! Crates to start from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::sandbox::{Run, Sandbox, bt_core_path, run};

fn new(sandbox: &Sandbox, folder: &str, args: &[&str]) -> Run {
    run(&mut sandbox.command(folder, ["new"].iter().chain(args)))
}

/// Cargo on a package of the sandbox, with the workspace's own lock.
fn cargo(sandbox: &Sandbox, folder: &str, args: &[&str]) -> Run {
    let mut command = sandbox.command(folder, [""; 0]);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(args).arg("--offline");
    cargo.current_dir(sandbox.path().join(folder));
    let variables = command
        .get_envs()
        .map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)));
    for (name, value) in variables.collect::<Vec<_>>() {
        match value {
            Some(value) => cargo.env(name, value),
            None => cargo.env_remove(name),
        };
    }
    command = cargo;
    run(&mut command)
}

fn read(sandbox: &Sandbox, file: &str) -> String {
    fs::read_to_string(sandbox.path().join(file)).unwrap()
}

#[test]
fn a_new_crate_passes_its_tests_and_runs_and_is_exported_at_once() {
    let sandbox = Sandbox::new();
    let made = new(&sandbox, ".", &["starter-crate"]).done();
    assert!(
        made.out
            .contains("\nNext:\n  cd starter-crate\n  cargo test "),
        "{}",
        made.out
    );
    assert_eq!(made.err, "");
    sandbox.lock("starter-crate");
    let tests = passes(&sandbox);
    assert!(!tests.err.contains("warning"), "{}", tests.err);
    let life = cargo(&sandbox, "starter-crate", &["run"]).done();
    let [output, action, problems] = &quick_start(" starter\n")[..] else {
        panic!("expected three blocks")
    };
    assert_eq!(life.out, *output);
    let formatted = rustfmt(&sandbox, "starter-crate");
    assert_eq!(formatted.code, 0, "{}", formatted.out);
    sandbox.export("starter-crate", &["--offline"]).done();
    assert_eq!(sandbox.agents(), ["guard"]);
    let exported = sandbox.out().join("agents.json");
    assert_eq!(guard(&exported), guard(&on_the_page()));
    assert_eq!(types(&exported), types(&on_the_page()));
    let validate = [
        "validate",
        "--catalogue",
        exported.to_str().unwrap(),
        "trees",
    ];
    run(&mut sandbox.command("starter-crate", validate)).done();
    let test = [
        "test",
        "--coverage",
        "--catalogue",
        exported.to_str().unwrap(),
        "trees",
    ];
    let played = run(&mut sandbox.command("starter-crate", test)).done();
    assert!(played.out.contains("3 scenarios passed"), "{}", played.out);

    // The changed tree of the quick start.
    let tree = read(&sandbox, "starter-crate/trees/rounds.json");
    assert!(tree.contains(action), "{tree}");
    let (before, after) = tree.rsplit_once("\"gate\"").unwrap();
    let changed = format!("{before}\"kitchen\"{after}");
    sandbox.file("starter-crate/trees/rounds.json", &changed);
    let changed = cargo(&sandbox, "starter-crate", &["run"]).done();
    assert!(
        changed.out.contains("from Tower to Kitchen"),
        "{}",
        changed.out
    );
    passes(&sandbox);

    // The mistake, and what is said of it.
    let (before, after) = tree.rsplit_once("\"walk_to\"").unwrap();
    sandbox.file(
        "starter-crate/trees/rounds.json",
        &format!("{before}\"walk_too\"{after}"),
    );
    // As the page says it: the crate in this folder is built.
    let refused = run(&mut sandbox.command("starter-crate", ["validate", "trees"]));
    assert_eq!(refused.code, 1, "{}", refused.err);
    assert_eq!(format!("{}{}", refused.out, refused.err), *problems);
    let fails = cargo(&sandbox, "starter-crate", &["test"]);
    assert!(fails.out.contains("no action `walk_too`"), "{}", fails.out);
    sandbox.file("starter-crate/trees/rounds.json", &tree);

    // The changed agent.
    let [page] = &quick_start("```rust\n")[..] else {
        panic!("expected one block")
    };
    let (_, whistle) = page.split_once("#[agent]\nimpl Guard {\n").unwrap();
    let whistle = whistle.strip_suffix("}\n").unwrap();
    let agent = read(&sandbox, "starter-crate/src/guard.rs");
    let (before, after) = agent.split_once("#[agent]\nimpl Guard {\n").unwrap();
    let agent = format!("{before}#[agent]\nimpl Guard {{\n{whistle}\n{after}");
    sandbox.file("starter-crate/src/guard.rs", &agent);
    passes(&sandbox);
    let list = run(&mut sandbox.command("starter-crate", ["list"])).done();
    assert!(list.out.contains("whistle"), "{}", list.out);
}

/// Runs the tests of the new crate: they pass.
fn passes(sandbox: &Sandbox) -> Run {
    let tests = cargo(sandbox, "starter-crate", &["test"]).done();
    let passed = tests.out.matches("\ntest result: ok. 4 passed").count();
    assert_eq!(passed, 1, "{}", tests.out);
    tests
}

/// The blocks of the quick start that begin so.
fn quick_start(begin: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/quick-start.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks = page.split(begin).skip(1);
    let blocks = blocks.map(|block| block.split_once("```").unwrap().0.to_owned());
    blocks.collect()
}

/// The commands of the quick start and of the README are those that the test above runs.
#[test]
fn commands_of_the_quick_start_are_those_that_are_run() {
    let shell = |page: &str| {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
        let page = fs::read_to_string(page).unwrap();
        let blocks = page.split("\n```sh\n").skip(1);
        let blocks = blocks.map(|block| block.split_once("\n```").unwrap().0.to_owned());
        blocks.collect::<Vec<_>>()
    };
    let install = "cargo install --path bt-meta";
    let begin = "bt-meta new my-game\ncd my-game\ncargo test\ncargo run";
    assert_eq!(
        shell("docs/src/quick-start.md"),
        [install, begin, "bt-meta validate trees"]
    );
    let readme = &shell("README.md")[0];
    let lines = readme
        .lines()
        .map(|line| line.split("  #").next().unwrap().trim_end());
    let lines: Vec<_> = lines.collect();
    let rest = ["bt-meta new my-game", "cd my-game && cargo run"];
    assert_eq!(lines, [&[install][..], &rest].concat());
}

/// The commands page's lines of the same crate.
fn on_the_page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/command-line.in/agents.json")
}

/// The guard in a catalogue, whatever its crate is called.
fn guard(catalogue: &Path) -> serde_json::Value {
    let text = fs::read_to_string(catalogue).unwrap();
    let text = text.replace("starter-crate", "my-game");
    let catalogue: serde_json::Value = serde_json::from_str(&text).unwrap();
    let agents = catalogue["agents"].as_array().unwrap();
    let guard = agents.iter().find(|agent| agent["name"] == "guard");
    guard.unwrap().clone()
}

/// The types of a catalogue.
fn types(catalogue: &Path) -> serde_json::Value {
    let text = fs::read_to_string(catalogue).unwrap();
    let catalogue: serde_json::Value = serde_json::from_str(&text).unwrap();
    catalogue["$defs"].clone()
}

fn rustfmt(sandbox: &Sandbox, folder: &str) -> Run {
    let files = ["src/lib.rs", "src/main.rs", "tests/meta.rs"];
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024"]).args(files);
    run(rustfmt.current_dir(sandbox.path().join(folder)))
}

#[test]
fn a_crate_depends_on_the_bt_core_that_was_named() {
    let sandbox = Sandbox::new();
    sandbox.file("bt/bt-core/Cargo.toml", "[package]\nname = \"bt-core\"\n");
    new(
        &sandbox,
        ".",
        &["beside", "--path", "games/beside", "--bt", "bt"],
    )
    .done();
    let manifest = read(&sandbox, "games/beside/Cargo.toml");
    assert!(
        manifest.contains("bt-core = { path = \"../../bt/bt-core\" }\n"),
        "{manifest}"
    );
    assert!(manifest.contains("name = \"beside\"\n"), "{manifest}");
    let bt = sandbox.path().join("bt");
    new(&sandbox, ".", &["far", "--bt", bt.to_str().unwrap()]).done();
    let manifest = read(&sandbox, "far/Cargo.toml");
    assert!(
        manifest.contains("bt-core = { path = \"../bt/bt-core\" }\n"),
        "{manifest}"
    );
    new(&sandbox, ".", &["lost", "--bt", "games"]).says(2, &["there is no bt-core in `games`"]);
    assert!(!sandbox.path().join("lost").exists());
    let url = "https://git.example/bt.git";
    new(&sandbox, ".", &["shared", "--git", url]).done();
    let manifest = read(&sandbox, "shared/Cargo.toml");
    let line = "bt-core = { git = \"https://git.example/bt.git\" }\n";
    assert!(manifest.contains(line), "{manifest}");
    new(&sandbox, ".", &["both", "--git", url, "--bt", "bt"]).says(2, &["cannot be used with"]);
    new(&sandbox, ".", &["none", "--git", ""]).says(2, &["a value is required for '--git <URL>'"]);
    // Without a word about it: the checkout that bt-meta was built from, seen from the crate.
    new(&sandbox, ".", &["plain"]).done();
    let manifest = read(&sandbox, "plain/Cargo.toml");
    let line = manifest
        .lines()
        .find(|line| line.starts_with("bt-core"))
        .unwrap();
    let path = Path::new(line.split('"').nth(1).unwrap());
    assert!(path.is_relative(), "{line}");
    assert_eq!(
        fs::canonicalize(sandbox.path().join("plain").join(path)).unwrap(),
        fs::canonicalize(bt_core_path()).unwrap()
    );
}

#[test]
fn names_go_into_code_as_rust_spells_them() {
    let sandbox = Sandbox::new();
    new(&sandbox, ".", &["dark-castle-2"]).done();
    assert!(read(&sandbox, "dark-castle-2/src/main.rs").contains("use dark_castle_2::{"));
    let all = [
        "Cargo.toml",
        "src/lib.rs",
        "src/main.rs",
        "src/guard.rs",
        "tests/meta.rs",
    ];
    for file in all {
        let text = read(&sandbox, &format!("dark-castle-2/{file}"));
        for rest in ["my-game", "my_game", "{{"] {
            let is_format = rest == "{{" && !file.ends_with("toml");
            assert!(is_format || !text.contains(rest), "`{rest}` in {file}");
        }
    }
}

#[test]
fn new_refuses_a_name_that_no_crate_can_have_and_makes_nothing() {
    let sandbox = Sandbox::new();
    let refused = |args: &[&str], parts: &[&str]| {
        let run = new(&sandbox, ".", args).says(2, parts);
        assert_eq!(run.out, "");
    };
    refused(
        &["my game"],
        &[
            "`my game` is no name for a crate",
            "found ` `",
            "write `my-game`",
        ],
    );
    refused(&["match"], &["a word of the language"]);
    refused(&["7up"], &["a letter first, found `7`"]);
    refused(&["serde"], &["a crate that it depends on"]);
    refused(&[], &["<NAME>"]);
    sandbox.file("used/notes.txt", "mine");
    refused(
        &["used"],
        &["the folder `used` is there and not empty", "--path"],
    );
    sandbox.file("a_file", "");
    refused(&["a_file"], &["cannot make the folder `a_file`"]);
    refused(
        &["below", "--path", "a_file/below"],
        &["cannot make the folder `a_file/below`"],
    );
    let mut left: Vec<_> = fs::read_dir(sandbox.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["a_file", "used"]);
    assert_eq!(read(&sandbox, "used/notes.txt"), "mine");
    fs::create_dir(sandbox.path().join("empty")).unwrap();
    new(&sandbox, "empty", &["here", "--path", "."]).done();
    assert!(read(&sandbox, "empty/Cargo.toml").contains("name = \"here\""));
}

/// A workspace of one member, or of all below a folder.
fn workspace(members: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file(
        "Cargo.toml",
        &format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n"),
    );
    sandbox.file(
        "crates/old/Cargo.toml",
        "[package]\nname = \"old\"\nedition = \"2024\"\n",
    );
    sandbox.file("crates/old/src/lib.rs", "");
    sandbox
}

/// Cargo knows the package, and as a part of which workspace.
fn root(sandbox: &Sandbox, folder: &str) -> Result<String, String> {
    let run = cargo(
        sandbox,
        folder,
        &["metadata", "--no-deps", "--format-version=1"],
    );
    if run.code != 0 {
        return Err(run.err);
    }
    let metadata: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let root = fs::canonicalize(metadata["workspace_root"].as_str().unwrap()).unwrap();
    let sandbox = fs::canonicalize(sandbox.path()).unwrap();
    Ok(root
        .strip_prefix(sandbox)
        .unwrap()
        .to_string_lossy()
        .into_owned())
}

#[test]
fn a_member_of_a_workspace_is_one_without_a_word_in_its_manifest() {
    let sandbox = workspace("\"crates/*\"");
    let made = new(&sandbox, "crates", &["young"]).done();
    assert!(
        made.err
            .starts_with("note: `young` is a member of the workspace of `"),
        "{}",
        made.err
    );
    assert!(!read(&sandbox, "crates/young/Cargo.toml").contains("workspace"));
    assert_eq!(root(&sandbox, "crates/young"), Ok(String::new()));
}

#[test]
fn package_outside_the_workspace_members_is_told_how_to_join() {
    let sandbox = workspace("\"crates/old\"");
    let before = read(&sandbox, "Cargo.toml");
    let made = new(&sandbox, "crates", &["young"]).done();
    assert!(
        made.err.contains("add \"crates/young\" to `members` in `"),
        "{}",
        made.err
    );
    assert_eq!(read(&sandbox, "Cargo.toml"), before);
    assert_eq!(
        root(&sandbox, "crates/young"),
        Ok("crates/young".to_owned())
    );
    // As it is told: it joins.
    let manifest = read(&sandbox, "crates/young/Cargo.toml");
    assert!(manifest.ends_with("\n[workspace]\n"), "{manifest}");
    sandbox.file(
        "crates/young/Cargo.toml",
        manifest.trim_end_matches("[workspace]\n"),
    );
    assert!(
        root(&sandbox, "crates/young")
            .unwrap_err()
            .contains("workspace")
    );
    sandbox.file(
        "Cargo.toml",
        &before.replace("old\"", "old\", \"crates/young\""),
    );
    assert_eq!(root(&sandbox, "crates/young"), Ok(String::new()));
}

#[test]
fn a_workspace_that_leaves_it_out_and_a_missing_cargo_are_nothing_to_speak_of() {
    let sandbox = workspace("\"crates/old\"");
    let manifest = read(&sandbox, "Cargo.toml") + "exclude = [\"games\"]\n";
    sandbox.file("Cargo.toml", &manifest);
    let made = new(&sandbox, ".", &["young", "--path", "games/young"]).done();
    assert_eq!(made.err, "");
    let mut command = sandbox.command(".", ["new", "alone"]);
    let made = run(command.env("CARGO", Path::new("/nowhere/cargo"))).done();
    assert_eq!(made.err, "");
}
