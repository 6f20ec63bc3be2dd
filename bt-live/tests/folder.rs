//! A folder that people edit in all the ways that their editors do.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use bt_core::prelude::*;
use bt_core::reload::Changes;
use bt_core::tree::asset::spec::{action, sequence};
use bt_core::{Runner, TreeAsset};
use bt_live::{Folder, Found};

#[derive(Agent, Default)]
struct Miner {
    said: Vec<String>,
}

#[agent]
impl Miner {
    #[action]
    fn say(&mut self, word: String) {
        self.said.push(word);
    }
}

fn text(word: &str) -> String {
    let dig = sequence([action("wait_for_seconds").arg(5), action("say").arg(word)]);
    TreeAsset::build("dig.json", "miner", dig).to_json()
}

fn folder(word: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("dig.json"), text(word)).expect("it is written");
    folder
}

/// The next content of the folder.
fn next<A: Agent>(folder: &mut Folder<A>) -> Found<A> {
    let began = Instant::now();
    loop {
        if let Some(found) = folder.take() {
            return found;
        }
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "nothing is found"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// As editors do that never leave half a file.
fn replace(file: &Path, text: &str) {
    let parent = file.parent().expect("a folder");
    let mut new = tempfile::NamedTempFile::new_in(parent).expect("a file");
    new.write_all(text.as_bytes()).expect("it is written");
    new.persist(file).expect("it takes its place");
}

#[test]
fn a_file_that_is_replaced_gives_new_trees_and_the_agent_runs_on() {
    let files = folder("coal");
    let mut folder = Folder::<Miner>::watch(files.path()).expect("it is watched");
    let mut runner = Runner::new(folder.trees(), "dig.json").expect("it is there");
    let mut miner = Miner::default();
    runner.start();
    runner.poll(&mut miner, Duration::ZERO);
    assert!(folder.take().is_none());
    replace(&files.path().join("dig.json"), &text("gold"));
    let trees = next(&mut folder).expect("they are right");
    runner.reload(&Changes::between(runner.trees(), &trees));
    runner.poll(&mut miner, Duration::from_secs(5));
    assert_eq!(miner.said, ["gold"]);
}

#[test]
fn a_broken_file_gives_the_validators_message_and_the_next_good_one_trees() {
    let files = folder("coal");
    let file = files.path().join("dig.json");
    let mut folder = Folder::<Miner>::watch(files.path()).expect("it is watched");
    fs::write(&file, text("gold").replace("\"say\"", "\"sya\"")).expect("it is written");
    let problems = next(&mut folder).expect_err("there is no such action");
    let said = problems.to_string();
    assert!(said.starts_with("dig.json:"), "{said}");
    assert!(said.contains("`sya`") && said.contains("`say`"), "{said}");
    let half = text("gold");
    fs::write(&file, &half[..half.len() / 2]).expect("it is written");
    next(&mut folder).expect_err("it is half a file");
    fs::write(&file, half).expect("it is written");
    next(&mut folder).expect("it is whole");
}

#[test]
fn a_file_that_is_whole_soon_after_it_was_half_is_no_problem() {
    let files = folder("coal");
    let file = files.path().join("dig.json");
    let mut folder = Folder::<Miner>::watch(files.path()).expect("it is watched");
    let began = Instant::now();
    fs::write(&file, "").expect("it is written");
    // Long enough for the folder to be read, and shorter than problems are kept back.
    std::thread::sleep(Duration::from_millis(300));
    replace(&file, &text("gold"));
    let soon = began.elapsed() < Duration::from_millis(600);
    let found = next(&mut folder);
    // On a machine that slept longer there was something to report.
    assert!(!soon || found.is_ok(), "{found:?}");
}

#[test]
fn several_files_at_once_are_one_change() {
    let files = folder("coal");
    let mut folder = Folder::<Miner>::watch(files.path()).expect("it is watched");
    let below = files.path().join("deep");
    fs::create_dir(&below).expect("a folder");
    for (file, word) in [("a.json", "a"), ("b.json", "b")] {
        fs::write(below.join(file), text(word)).expect("it is written");
    }
    fs::write(below.join("notes.txt"), "no tree").expect("it is written");
    let trees = next(&mut folder).expect("they are right");
    let names: Vec<_> = trees.names().collect();
    assert_eq!(names, ["deep/a.json", "deep/b.json", "dig.json"]);
}

#[test]
fn a_file_that_is_deleted_is_a_tree_less() {
    let files = folder("coal");
    fs::write(files.path().join("rest.json"), text("zzz")).expect("it is written");
    let mut folder = Folder::<Miner>::watch(files.path()).expect("it is watched");
    assert_eq!(folder.trees().names().count(), 2);
    fs::remove_file(files.path().join("rest.json")).expect("it is deleted");
    let trees = next(&mut folder).expect("they are right");
    assert_eq!(trees.names().collect::<Vec<_>>(), ["dig.json"]);
}

#[test]
fn a_script_is_a_tree_and_what_begins_with_a_dot_is_none() {
    let files = folder("coal");
    let mut folder = Folder::<Miner>::watch(files.path()).expect("it is watched");
    fs::write(files.path().join(".#dig.json"), "what an editor keeps").expect("it is written");
    fs::write(
        files.path().join("rest.bt"),
        "AGENT miner\nSEQUENCE\n    say 'zzz'\n",
    )
    .expect("it is written");
    let trees = next(&mut folder).expect("they are right");
    assert_eq!(trees.names().collect::<Vec<_>>(), ["dig.json", "rest.bt"]);
}

#[test]
fn a_file_that_is_no_text_is_named() {
    let files = folder("coal");
    let mut folder = Folder::<Miner>::watch(files.path()).expect("it is watched");
    fs::write(files.path().join("dig.json"), [0xff, 0xfe]).expect("it is written");
    let said = next(&mut folder).expect_err("it is no text").to_string();
    assert!(said.starts_with("dig.json"), "{said}");
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_and_pipes_are_passed_over() {
    let files = folder("coal");
    let below = files.path().join("below");
    fs::create_dir(&below).expect("a folder");
    std::os::unix::fs::symlink(files.path(), below.join("round")).expect("a link");
    let pipe = below.join("pipe.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is there").success());
    let folder = Folder::<Miner>::watch(files.path()).expect("it is watched");
    assert_eq!(folder.trees().names().collect::<Vec<_>>(), ["dig.json"]);
}

#[derive(Agent)]
struct Bomb;

/// A number that is not one.
#[derive(Clone, schemars::JsonSchema)]
struct Fuse;

impl<'de> serde::Deserialize<'de> for Fuse {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Fuse, D::Error> {
        assert_ne!(u32::deserialize(from)?, 1, "it blows up");
        Ok(Fuse)
    }
}

#[agent]
impl Bomb {
    #[action]
    fn light(&mut self, _fuse: Fuse) {}
}

#[test]
fn a_decoder_that_panics_is_a_problem_and_the_next_good_file_gives_trees() {
    let files = tempfile::tempdir().expect("a folder");
    let file = files.path().join("bomb.json");
    let text = |leaf| TreeAsset::build("bomb.json", "bomb", leaf).to_json();
    fs::write(&file, text(action("nop"))).expect("it is written");
    let mut folder = Folder::<Bomb>::watch(files.path()).expect("it is watched");
    fs::write(&file, text(action("light").arg(1))).expect("it is written");
    let said = next(&mut folder).expect_err("it panics").to_string();
    assert!(said.contains("panics when it is decoded"), "{said}");
    fs::write(&file, text(sequence([action("nop")]))).expect("it is written");
    next(&mut folder).expect("they are right");
}

#[test]
fn a_save_without_a_change_is_none() {
    let files = folder("coal");
    let mut folder = Folder::<Miner>::watch(files.path()).expect("it is watched");
    replace(&files.path().join("dig.json"), &text("coal"));
    std::thread::sleep(Duration::from_millis(500));
    assert!(folder.take().is_none());
}
