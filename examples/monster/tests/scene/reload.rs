//! Trees that are saved while the scene plays.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use monster::scene::trees::FILES;
use monster::scene::{Grove, Scene};

/// The time limit of a wait for something immediate.
const LONG: Duration = Duration::from_secs(60);

/// A folder with the trees of the scene.
fn trees() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).expect("it is written");
    }
    folder
}

/// Saves a tree of the folder in which one text stands for another, at one blow: half a file would be news, too.
fn save(folder: &Path, tree: &str, from: &str, to: &str) {
    let (_, text) = FILES
        .iter()
        .find(|(name, _)| *name == tree)
        .expect("a tree");
    assert!(text.contains(from), "{from}");
    let new = folder.join(".new");
    fs::write(&new, text.replace(from, to)).expect("it is written");
    fs::rename(new, folder.join(tree)).expect("it takes its place");
}

/// Lets the scene take what was saved; what it tells then.
fn reload(scene: &mut Scene, grove: &mut Grove) -> Vec<String> {
    let began = Instant::now();
    loop {
        scene.reload(grove);
        let lines = scene.take_lines();
        if !lines.is_empty() {
            return lines;
        }
        assert!(began.elapsed() < LONG, "nothing is found");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_book_shows_the_transcript_of_a_reload() {
    let folder = trees();
    let mut grove = Grove::watch(folder.path()).expect("it is watched");
    let mut scene = Scene::on(grove.forest(), 6, 7);
    let mut lines = Vec::new();
    let run = |scene: &mut Scene, seconds| {
        scene.run(Duration::from_secs(seconds));
        scene.take_lines()
    };
    lines.extend(run(&mut scene, 8));
    save(folder.path(), "patrol.json", "\"rest\"", "\"rset\"");
    lines.extend(reload(&mut scene, &mut grove));
    lines.extend(run(&mut scene, 4));
    save(
        folder.path(),
        "patrol.json",
        "\"arg_value\": 14\n",
        "\"arg_value\": 40\n",
    );
    lines.extend(reload(&mut scene, &mut grove));
    lines.extend(run(&mut scene, 8));
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/reload.md");
    let book = fs::read_to_string(book).expect("it is there");
    let shown = format!(
        "$ cargo run -p monster -- --agents 6 --seed 7 --reload\n{}\n",
        lines.join("\n")
    );
    assert!(book.contains(&shown), "{shown}");
    scene.stop();
}

#[test]
fn the_program_plays_on_with_a_broken_file_and_takes_the_next_good_one() {
    let folder = trees();
    let mut program = Command::new(env!("CARGO_BIN_EXE_monster"));
    program.args(["--agents", "4", "--seconds", "86400", "--reload"]);
    program.arg(folder.path()).stdout(Stdio::piped());
    let mut program = program.spawn().expect("it starts");
    let out = BufReader::new(program.stdout.take().expect("it is piped"));
    let (told, lines) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            _ = told.send(line);
        }
    });
    let next = |what: &str| {
        let began = Instant::now();
        while let Ok(line) = lines.recv_timeout(LONG.saturating_sub(began.elapsed())) {
            if line.contains(what) {
                return Some(line);
            }
        }
        None
    };
    assert!(next("00:").is_some(), "it plays");
    save(folder.path(), "patrol.json", "\"rest\"", "\"rset\"");
    let broken = next("the trees stay: ");
    save(
        folder.path(),
        "patrol.json",
        "\"arg_value\": 14\n",
        "\"arg_value\": 40\n",
    );
    let good = next("new trees: ");
    program.kill().expect("it runs");
    program.wait().expect("it is over");
    reader.join().expect("it reads");
    let broken = broken.expect("it tells of the broken file");
    let said =
        "patrol.json: node 9: agent `monster_agent` has no action `rset`; did you mean `rest`?";
    assert!(broken.ends_with(said), "{broken}");
    assert!(
        good.expect("it takes the good one")
            .ends_with("agents move to them")
    );
}

#[test]
fn a_folder_that_cannot_be_watched_is_an_error() {
    let folder = trees();
    save(folder.path(), "flee.json", "\"nodes\"", "\"noodles\"");
    for path in [folder.path().to_owned(), folder.path().join("nowhere")] {
        let path = path.to_str().expect("it is text");
        let output = super::program::run(&["--reload", path]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(
            text.starts_with(&format!("error: `--reload {path}`: ")),
            "{text}"
        );
    }
}
