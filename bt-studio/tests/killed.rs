//! The program itself: killed in the middle of saves, and where no more can be written.
#![cfg(unix)]

#[path = "socket/client.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod client;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use client::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The program on a folder of one tree.
struct Program {
    running: Child,
    client: Client,
}

impl Program {
    /// `before`: what a shell does first.
    fn start(dir: &Path, before: &str) -> Program {
        let mut running = Command::new("sh")
            .args(["-c", &format!("{before} exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_bt-studio"))
            .arg(dir.join("trees"))
            .arg("--catalogue")
            .arg(dir.join("agents.json"))
            .arg("--no-open")
            .env("BT_STUDIO_STATE", dir.join("state"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let mut said = BufReader::new(running.stdout.take().unwrap());
        said.read_line(&mut url).unwrap();
        let (address, token) = url.trim().split_once("/#").unwrap();
        let port = address.rsplit(':').next().unwrap().parse().unwrap();
        let mut client = Client::open(port, &[]).unwrap();
        let hello = json!({"token": token, "protocol": 1});
        client.call("hello", hello).unwrap();
        Program { running, client }
    }

    fn kill(mut self) {
        self.running.kill().unwrap();
        self.running.wait().unwrap();
    }
}

/// A tree whose comment is that long, of one letter.
fn tree(letter: char, length: usize) -> String {
    let comment = String::from(letter).repeat(length);
    format!(
        "{{\"nodes\": [{{\"idx\": 0, \"type\": \"root\", \"children\": [], \"comment\": \"{comment}\", \"extra\": {{\"agent_name\": \"guard\"}}}}]}}"
    )
}

fn folder(text: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("trees")).unwrap();
    fs::write(dir.path().join("trees/hunt.json"), text).unwrap();
    let agents = Path::new(env!("CARGO_MANIFEST_DIR"));
    let agents = agents.join("../examples/monster/editor/agents.json");
    fs::copy(agents, dir.path().join("agents.json")).unwrap();
    dir
}

/// Replaces the whole text of a document.
fn replace(client: &mut Client, doc: &Value, text: &str) {
    let length = doc["text"].as_str().unwrap().len();
    let splice = json!({"from": 0, "to": length, "text": text});
    let replace = json!({"doc": doc["doc"], "revision": doc["revision"], "splices": [splice]});
    client.call("doc.replace", replace).unwrap();
}

/// The files that are whole, and in a folder that are not.
fn files(folder: &Path) -> (Vec<PathBuf>, usize) {
    let all = fs::read_dir(folder).into_iter().flatten();
    let all = all.map(|entry| entry.unwrap().path());
    let (half, whole): (Vec<_>, Vec<_>) = all.partition(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with(".bt-studio-") && name.ends_with(".tmp")
    });
    (whole, half.len())
}

#[test]
fn file_and_draft_are_old_or_new_when_the_studio_is_killed_in_the_middle_of_a_save() {
    const LENGTH: usize = 400_000;
    let dir = folder(&tree('a', LENGTH));
    let (path, drafts) = (
        dir.path().join("trees/hunt.json"),
        dir.path().join("state/drafts"),
    );
    let mut versions = vec![tree('a', LENGTH)];
    let (mut new_files, mut new_drafts, mut halves) = (0, 0, 0);
    for round in 0..50_u64 {
        let before = fs::read_to_string(&path).unwrap();
        let mut program = Program::start(dir.path(), "");
        let doc = program.client.open_tree("hunt.json");
        assert_eq!(doc["text"], before);
        let letter = char::from(b'b' + u8::try_from(round % 25).unwrap());
        let after = tree(letter, LENGTH);
        replace(&mut program.client, &doc, &after);
        versions.push(after.clone());
        // Half of the rounds into the save, the others into the draft, which is written half a second after the change.
        let folder = match round % 2 {
            0 => {
                let save = json!({"doc": doc["doc"], "revision": 1});
                let save =
                    json!({"jsonrpc": "2.0", "id": "save", "method": "doc.save", "params": save});
                program.client.send(&save.to_string()).unwrap();
                dir.path().join("trees")
            }
            _ => drafts.clone(),
        };
        // Just when the new file is begun, and a little later each time.
        let halves_before = files(&folder).1;
        let begun = Instant::now();
        while files(&folder).1 == halves_before && begun.elapsed() < Duration::from_secs(2) {}
        sleep(Duration::from_micros(round * round * 50));
        program.kill();
        let found = fs::read_to_string(&path).unwrap();
        assert!(
            found == before || found == after,
            "round {round}: {} bytes",
            found.len()
        );
        new_files += usize::from(found == after);
        let (whole, half) = files(&drafts);
        for draft in whole {
            let kept: Value = serde_json::from_slice(&fs::read(&draft).unwrap()).unwrap();
            let text = kept["text"].as_str().unwrap();
            assert!(
                versions.iter().any(|version| version == text),
                "round {round}"
            );
            new_drafts += usize::from(text == after);
        }
        let (whole, half_trees) = files(&dir.path().join("trees"));
        assert_eq!(whole, [path.as_path()]);
        halves = half + half_trees;
    }
    eprintln!(
        "50 kills: {new_files} new files, {new_drafts} new drafts, {halves} halves left to sweep"
    );
    // What was left is swept once it is old.
    let hour = std::time::SystemTime::now() - Duration::from_secs(3_600);
    for folder in [dir.path().join("trees"), drafts.clone()] {
        for entry in fs::read_dir(folder).unwrap() {
            let file = fs::File::options().write(true).open(entry.unwrap().path());
            file.unwrap().set_modified(hour).unwrap();
        }
    }
    let mut program = Program::start(dir.path(), "");
    let doc = program.client.open_tree("hunt.json");
    replace(&mut program.client, &doc, &tree('z', 10));
    let begun = Instant::now();
    while files(&drafts).1 + files(&dir.path().join("trees")).1 > 0 {
        assert!(begun.elapsed().as_secs() < 60, "something is left");
        sleep(Duration::from_millis(50));
    }
    program.kill();
}

#[test]
fn nothing_is_lost_where_no_more_can_be_written() {
    const LENGTH: usize = 200_000;
    let before = tree('a', 10);
    let dir = folder(&before);
    let path = dir.path().join("trees/hunt.json");
    // No file may have more than 64 KiB: what writes more gets an error, as on a full disk.
    let mut program = Program::start(dir.path(), "trap '' XFSZ; ulimit -f 128;");
    let client = &mut program.client;
    let doc = client.open_tree("hunt.json");
    replace(client, &doc, &tree('b', LENGTH));
    let notice = client.event("notice", |notice| notice["level"] == "warning");
    assert!(
        notice["text"]
            .as_str()
            .unwrap()
            .contains("not kept as a draft: "),
        "{notice}"
    );
    let save = json!({"doc": doc["doc"], "revision": 1});
    let refused = client.call("doc.save", save).unwrap_err();
    let said = refused["message"].as_str().unwrap();
    assert!(
        said.starts_with("cannot write `hunt.json`: ")
            && said.ends_with("; what is on the disk is as it was"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    assert_eq!(files(&dir.path().join("trees")), (vec![path.clone()], 0));
    assert_eq!(files(&dir.path().join("state/drafts")), (Vec::new(), 0));
    // What was edited is still there. Once there is room, it is saved.
    let same = client.open_tree("hunt.json");
    assert_eq!(
        (&same["doc"], same["text"].as_str().unwrap().len()),
        (&doc["doc"], tree('b', LENGTH).len())
    );
    replace(client, &same, &tree('c', 20));
    client
        .call("doc.save", json!({"doc": doc["doc"], "revision": 2}))
        .unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), tree('c', 20));
    program.kill();
}
