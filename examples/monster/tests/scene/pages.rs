//! The commands of pages of the book run, as their readers type them, in a shell.
//!
//! `bt-meta` is there as this package's example `monster-meta`; `cargo run -p monster` is this program.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use bt_live::client::Client;
use bt_live::protocol::types::SetSpeed;
use bt_live::recording::Recording;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The time that anything may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The program that `cargo` is here: the commands of pages name programs that are built already.
const CARGO: &str = r#"#!/bin/sh
[ "$1 $2" = "run -p" ] && package=$3 && [ "$4" = "--" ] && shift 4 || { echo "what is \`cargo $*\`?" >&2; exit 9; }
case $package in
    monster) exec "$MONSTER" "$@" ;;
    bt-meta) exec bt-meta "$@" ;;
    *) echo "what is \`$package\`?" >&2; exit 9 ;;
esac
"#;

/// A reader at a shell, in a folder that looks like the repository's.
struct Reader {
    folder: TempDir,
    /// The process that runs: a game, or a breakpoint that is waited at.
    game: Option<Child>,
    breakpoint: Option<(Child, BufReader<std::process::ChildStdout>)>,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    fs::read_to_string(repository().join("docs/src").join(name)).unwrap()
}

/// The commands of a page, in their order, with the heading that each stands below.
fn commands(page: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let (mut heading, mut language) = ("", None);
    for line in page.lines() {
        match (line.strip_prefix("```"), language) {
            (Some(new), None) => language = Some(new),
            (Some(_), Some(_)) => language = None,
            (None, Some("sh")) => all.push((heading.to_owned(), line.to_owned())),
            (None, Some(_)) => {}
            (None, None) => {
                heading = line.strip_prefix("## ").unwrap_or(heading);
                // In a sentence: between backticks.
                let inside = line.split('`').skip(1).step_by(2);
                // The name of a command alone is none.
                let is_command = |it: &&str| {
                    it.starts_with("cargo run ")
                        || it.starts_with("bt-meta live ") && it.split(' ').count() > 3
                };
                all.extend(
                    inside
                        .filter(is_command)
                        .map(|it| (heading.to_owned(), it.to_owned())),
                );
            }
        }
    }
    all
}

impl Reader {
    fn new() -> Reader {
        let folder = tempfile::tempdir().unwrap();
        let monster = Path::new(env!("CARGO_BIN_EXE_monster"));
        let meta = monster.with_file_name("examples").join("monster-meta");
        assert!(
            meta.exists(),
            "build it with `cargo build -p monster --examples`"
        );
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        symlink(meta, bin.join("bt-meta")).unwrap();
        fs::write(bin.join("cargo"), CARGO).unwrap();
        fs::set_permissions(bin.join("cargo"), fs::Permissions::from_mode(0o755)).unwrap();
        let trees = folder.path().join("examples/monster/trees");
        fs::create_dir_all(&trees).unwrap();
        for tree in fs::read_dir(repository().join("examples/monster/trees")).unwrap() {
            let tree = tree.unwrap().path();
            fs::copy(&tree, trees.join(tree.file_name().unwrap())).unwrap();
        }
        Reader {
            folder,
            game: None,
            breakpoint: None,
        }
    }

    fn shell(&self, line: &str) -> Command {
        let mut paths = vec![self.folder.path().join("bin")];
        paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
        let mut shell = Command::new("sh");
        shell
            .args(["-c", line])
            .current_dir(self.folder.path())
            .env("PATH", std::env::join_paths(paths).unwrap())
            .env("MONSTER", env!("CARGO_BIN_EXE_monster"))
            .env("XDG_RUNTIME_DIR", self.folder.path())
            // All that a line starts ends together.
            .process_group(0);
        shell
    }

    /// Runs a line; what it prints.
    fn run(&self, line: &str) -> String {
        let Output {
            status,
            stdout,
            stderr,
        } = self.shell(line).output().unwrap();
        let [out, err] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(status.success(), "{line}\n{out}{err}");
        out
    }

    /// Starts a line that goes on until it is ended; its output.
    fn start(&self, line: &str) -> (Child, BufReader<std::process::ChildStdout>) {
        let mut shell = self.shell(line);
        let mut child = shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        (child, out)
    }

    /// The token file of the game.
    fn token(&self) -> Option<PathBuf> {
        let files = fs::read_dir(self.folder.path().join("bt-live")).ok()?;
        let file = files.map(|file| file.unwrap().path()).next()?;
        Client::attach(&file).is_ok().then_some(file)
    }

    /// Begins another game.
    fn play(&mut self, line: &str) {
        self.stop();
        let mut shell = self.shell(line);
        self.game = Some(shell.stdout(Stdio::null()).spawn().unwrap());
        until(line, || self.token().is_some());
    }

    /// Lets time pass at another speed, whatever the page said.
    fn speed(&self, speed: f64) {
        let mut client = Client::attach(self.token().unwrap()).unwrap();
        client.call(SetSpeed { speed, keep: false }).unwrap();
    }

    /// A breakpoint is left: whoever is stopped at it continues.
    fn leave(&mut self) {
        if let Some((mut child, _)) = self.breakpoint.take() {
            end(&mut child);
        }
    }

    fn stop(&mut self) {
        self.leave();
        if let Some(mut game) = self.game.take() {
            end(&mut game);
            _ = fs::remove_dir_all(self.folder.path().join("bt-live"));
        }
    }

    /// A line that stops an agent; it stays stopped.
    fn break_at(&mut self, line: &str) {
        self.leave();
        // Before that node there may be a long walk.
        self.speed(16.0);
        let (child, mut out) = self.start(line);
        let place = line.split_whitespace().nth(3).unwrap();
        assert!(
            next_line(&mut out).contains(&format!(" stopped at {place} (")),
            "{line}"
        );
        self.speed(1.0);
        self.breakpoint = Some((child, out));
    }

    /// A line of a page on a running game.
    fn read_live(&mut self, line: &str) {
        let line = line
            .replace("--seconds 60", "--seconds 2")
            .replace("--seconds 30", "--seconds 2")
            .replace("--seconds 5 ", "--seconds 1 ")
            .replace("FILE", "examples/monster/trees/patrol.json");
        let is_of = |word: &str| line.split_whitespace().any(|it| it == word);
        if line.starts_with("cargo run -p monster ") {
            self.play(&line);
        } else if is_of("break") {
            self.break_at(&line);
        } else if is_of("watch") && !is_of("--open") {
            let (mut child, mut out) = self.start(&line);
            assert!(!next_line(&mut out).is_empty());
            end(&mut child);
        } else if is_of("send") {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port().to_string();
            let (mut child, _) = self.start(&line.replace("8080", &port));
            let (mut stream, _) = listener.accept().unwrap();
            let mut begin = [0; 20];
            stream.read_exact(&mut begin).unwrap();
            assert_eq!(&begin, b"POST /post/ai_debug/");
            end(&mut child);
        } else if is_of("--at") {
            let mut recording = Recording::open(&self.folder.path().join("wolf.btrec")).unwrap();
            let agent = *recording.agents.keys().next().unwrap();
            let (from, to) = recording.times(agent).unwrap();
            assert!(
                recording.count(agent) > 0 && recording.message(recording.parts(agent)[0]).is_ok()
            );
            let seconds = (from + (to - from) / 2) as f64 / 1e9;
            let line = line.replace("12.5", &seconds.to_string());
            self.run(&line.replace("SECONDS", &seconds.to_string()));
        } else if is_of("--attach") {
            let token = self.token().unwrap();
            self.run(&line.replace("token.json", token.to_str().unwrap()));
        } else {
            self.run(&line);
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.stop();
    }
}

fn next_line(out: &mut impl BufRead) -> String {
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    line
}

/// Ends a line and what it has started.
fn end(child: &mut Child) {
    let mut kill = Command::new("kill");
    let group = format!("-{}", child.id());
    // It may have ended by itself.
    _ = kill
        .args(["-9", "--", &group])
        .stderr(Stdio::null())
        .status();
    child.wait().unwrap();
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + TIMEOUT;
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn commands_of_the_page_on_the_port_run() {
    let page = page("live.md");
    let mut reader = Reader::new();
    let mut below = String::new();
    let all = commands(&page);
    for (heading, line) in &all {
        if below != *heading {
            reader.leave();
            below.clone_from(heading);
        }
        reader.read_live(line);
    }
    assert!(all.len() > 30, "{}", all.len());
}

/// The steps of "Find out why a wolf stands still": what the page says of them is so.
#[test]
fn wolf_that_stands_still_is_helped_as_the_page_says() {
    let page = page("live.md");
    let (_, steps) = page
        .split_once("## Find out why a wolf stands still\n")
        .unwrap();
    let (steps, _) = steps.split_once("\n## ").unwrap();
    let command = |part: &str| {
        let mut inside = steps.split('`');
        inside
            .find(|it| it.contains(part))
            .unwrap_or_else(|| panic!("`{part}`"))
    };
    let mut reader = Reader::new();
    reader.play("cargo run -p monster -- --live --speed 1");
    until("the first wolf does not fail", || {
        let all = reader.run(command("list --waits monster_agent"));
        let first = all.lines().next().unwrap();
        first == "wolf#2  monster_agent  patrol.json  failed in the last poll"
    });
    let why = reader.run(command("live explain wolf-2"));
    let node = "node 14 (action `next_waypoint`): no point on the route";
    assert!(
        why.contains(node) && steps.contains("node 14 of patrol.json"),
        "{why}"
    );
    let shown = reader.run(command("live show wolf-2"));
    assert!(shown.contains("\nkey route = []\n"), "{shown}");
    reader.break_at(command("break patrol.json:14"));
    let called = reader.run(command("live explain wolf-2"));
    assert!(called.contains("key `route` = []"), "{called}");
    reader.run(command("set wolf-2"));
    let (mut child, out) = reader.breakpoint.take().unwrap();
    // It has nothing more to say, and the wolf has not stopped again until then.
    writeln!(child.stdin.take().unwrap(), "continue").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(out.lines().count(), 0);
    until("the wolf stands still", || {
        let now = reader.run("bt-meta live show wolf-2");
        now.contains("active: patrol.json:16 action `move_to`")
    });
    let reloaded = reader.run(command("live reload"));
    assert!(
        reloaded.ends_with(" agents move to other trees\n"),
        "{reloaded}"
    );
    let file = reader
        .folder
        .path()
        .join("examples/monster/trees/patrol.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"next_waypoint\"", "\"next_waypont\"")).unwrap();
    let refused = reader.shell(command("live reload")).output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        said.contains("patrol.json:") && said.contains("the trees stay as they are"),
        "{said}"
    );
}

/// The studio's page begins with a game of this page.
#[test]
fn game_of_the_studios_page_is_one_of_the_page_on_the_port() {
    let known = commands(&page("live.md"));
    let all = commands(&page("studio-debugger.md")).into_iter();
    let games: Vec<_> = all
        .filter(|(_, line)| line.starts_with("cargo run -p monster "))
        .collect();
    assert!(!games.is_empty());
    for (_, line) in games {
        assert!(known.iter().any(|(_, other)| *other == line), "{line}");
    }
}

#[test]
fn commands_of_the_pages_on_debugging_and_saving_run() {
    for name in ["debugging.md", "saving.md"] {
        let reader = Reader::new();
        let page = page(name);
        let all = commands(&page);
        assert!(!all.is_empty(), "{name}");
        for (_, line) in all {
            let said = reader.run(&line);
            assert!(said.len() > 20, "{line}: {said}");
        }
    }
}

/// The contents of an editor's configuration on the page, with what stands for the reader's folder.
fn configuration(folder: &Path, request: &str) -> Value {
    let page = page("live.md");
    let blocks = page.split("```json\n").skip(1);
    let mut blocks = blocks.map(|block| block.split("```").next().unwrap());
    let is_it = |block: &&str| block.contains(&format!("\"request\": \"{request}\""));
    let text = blocks.find(is_it).unwrap();
    serde_json::from_str(&text.replace("${workspaceFolder}", folder.to_str().unwrap())).unwrap()
}

/// Asks a debug adapter; its answer.
fn ask(child: &mut Child, out: &mut impl BufRead, command: &str, arguments: &Value) -> Value {
    let request =
        json!({ "seq": 1, "type": "request", "command": command, "arguments": arguments });
    let text = request.to_string();
    let input = child.stdin.as_mut().unwrap();
    write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    loop {
        let head = next_line(out);
        let length = head
            .trim_end()
            .strip_prefix("Content-Length: ")
            .unwrap_or_else(|| panic!("{head:?}"));
        next_line(out);
        let mut bytes = vec![0; length.parse().unwrap()];
        out.read_exact(&mut bytes).unwrap();
        let message: Value = serde_json::from_slice(&bytes).unwrap();
        if message["type"] == "response" && message["command"] == command {
            assert_eq!(message["success"], true, "{message}");
            return message["body"].clone();
        }
    }
}

#[test]
fn configurations_of_the_page_debug_the_first_wolf() {
    for request in ["launch", "attach"] {
        let mut reader = Reader::new();
        if request == "attach" {
            reader.play("cargo run -p monster -- --live");
        }
        let configuration = configuration(reader.folder.path(), request);
        let (mut child, mut out) = reader.start("exec bt-meta dap");
        ask(&mut child, &mut out, "initialize", &json!({}));
        ask(&mut child, &mut out, request, &configuration);
        let threads = ask(&mut child, &mut out, "threads", &json!({}));
        assert_eq!(threads["threads"][0]["name"], "wolf#2");
        let path = reader
            .folder
            .path()
            .join("examples/monster/trees/patrol.json");
        let set = json!({ "source": { "path": path }, "breakpoints": [{ "line": 300 }] });
        let set = ask(&mut child, &mut out, "setBreakpoints", &set);
        assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
        ask(&mut child, &mut out, "disconnect", &json!({}));
        assert!(child.wait().unwrap().success());
        if request == "launch" {
            assert_eq!(reader.token(), None, "the game has ended with the session");
        }
    }
}
