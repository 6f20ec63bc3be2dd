//! Recordings: written by a port, opened as if they were a game.

use std::fs;
use std::path::PathBuf;

use bt_live::client::{Client, Incoming};
use bt_live::protocol::types::*;

use crate::game::Game;

fn start(client: &mut Client, name: &str) -> Result<Done, bt_live::client::ClientError> {
    client.call(StartRecording {
        name: name.to_owned(),
        agents: vec![Game::dog(0)],
        keep: false,
    })
}

fn file(game: &Game, name: &str) -> PathBuf {
    game.folder.path().join("recordings").join(name)
}

/// A recording of a dog that barks for a while.
fn recorded(name: &str) -> (Game, PathBuf) {
    let game = Game::with(1, "busy.json", |options| options);
    let mut client = game.client();
    start(&mut client, name).unwrap();
    game.plays_on(400);
    let name = name.to_owned();
    let ended = client.call(StopRecording { name: name.clone() }).unwrap();
    let path = file(&game, &name);
    assert_eq!(ended.bytes, fs::metadata(&path).unwrap().len());
    (game, path)
}

#[test]
fn recording_opens_as_a_game_that_nobody_can_change() {
    let (_game, path) = recorded("barks.btrec");
    let mut client = Client::open(&path).unwrap();
    assert!(client.welcome().recording && client.welcome().read_only);
    let agents = client.call(ListAgents::default()).unwrap().agents;
    assert_eq!(agents.len(), 1);
    let agent = agents[0].id.clone();
    let name = "busy.json".to_owned();
    assert!(!client.tree(&name).unwrap().nodes.is_empty());
    let shown = client.call(GetPicture {
        agent: agent.clone(),
        at: None,
    });
    assert_eq!(shown.unwrap().blackboard["loud"], true);
    let text = client.call(Explain {
        agent: agent.clone(),
        at: None,
    });
    let text = text.unwrap().text;
    assert!(text.starts_with("busy.json "), "{text}");
    let refused = client.call(Stop { agent }).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "this is a recording: it has no `agent.stop`"
    );
}

#[test]
fn recording_shows_what_there_was_at_any_time() {
    let (_game, path) = recorded("times.btrec");
    let mut client = Client::open(&path).unwrap();
    let agent = client.call(ListAgents::default()).unwrap().agents[0]
        .id
        .clone();
    client
        .call(Follow {
            agent: agent.clone(),
            recorded: false,
        })
        .unwrap();
    let mut barks = Vec::new();
    while let Some(Incoming::Records(frame)) = client.next(std::time::Duration::ZERO).unwrap() {
        for record in frame.records {
            if let bt_core::trace::What::PropertySet { property, value } = &record.what
                && property == "barked"
            {
                barks.push((record.ns, value.as_u64().unwrap()));
            }
        }
    }
    assert!(barks.len() > 500, "{}", barks.len());
    for (ns, _) in barks.iter().step_by(97) {
        let shown = client.call(GetPicture {
            agent: agent.clone(),
            at: Some(*ns),
        });
        let of_then = barks.iter().rev().find(|(at, _)| at <= ns).unwrap().1;
        assert_eq!(shown.unwrap().properties["barked"], of_then, "at {ns}");
    }
}

#[test]
fn recording_that_a_crash_cut_off_is_read_as_far_as_it_goes() {
    let (_game, path) = recorded("crash.btrec");
    let whole = fs::read(&path).unwrap();
    for end in [whole.len() - 1, whole.len() / 2, whole.len() * 9 / 10] {
        let cut = path.with_extension("cut");
        fs::write(&cut, &whole[..end]).unwrap();
        let mut client = Client::open(&cut).unwrap();
        let agent = client.call(ListAgents::default()).unwrap().agents[0]
            .id
            .clone();
        let shown = client.call(GetPicture { agent, at: None }).unwrap();
        assert!(shown.properties.contains_key("barked"));
    }
}

#[test]
fn what_is_no_recording_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letter.txt");
    for bytes in [&b"Dear Ann"[..], b"", b"BTREC\x01\r\nX"] {
        fs::write(&path, bytes).unwrap();
        let refused = Client::open(&path).unwrap_err().to_string();
        let expected = "the recording cannot be read: this is no recording of a bt-live port, or \
                        one of another version";
        assert_eq!(refused, expected);
    }
}

#[test]
fn recordings_are_listed_and_fetched() {
    let (game, path) = recorded("fetched.btrec");
    let mut client = game.client();
    let list = client.call(ListRecordings {}).unwrap().recordings;
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].name, "fetched.btrec");
    let mut bytes = Vec::new();
    loop {
        let (name, offset) = ("fetched.btrec".to_owned(), bytes.len() as u64);
        let part = client.call(FetchRecording { name, offset }).unwrap();
        let part = data_encoding::BASE64
            .decode(part.base64.as_bytes())
            .unwrap();
        if part.is_empty() {
            break;
        }
        bytes.extend(part);
    }
    assert_eq!(bytes, fs::read(path).unwrap());
}

#[test]
fn names_that_lead_out_of_the_folder_are_refused() {
    let game = Game::of(1);
    let mut client = game.client();
    fs::write(game.folder.path().join("secret"), "key").unwrap();
    // With the right ending, so that nothing else is wrong with most of them.
    for name in [
        "../secret.btrec",
        "a/../../secret.btrec",
        "/etc/passwd.btrec",
        ".hidden.btrec",
        "a/b.btrec",
        "a\\b.btrec",
        "a\0b.btrec",
        "../secret",
        "..",
        "",
    ] {
        let refused = start(&mut client, name).unwrap_err().to_string();
        assert!(
            refused.starts_with("the name of a recording is"),
            "{name}: {refused}"
        );
        let fetched = client.call(FetchRecording {
            name: name.to_owned(),
            offset: 0,
        });
        let refused = fetched.unwrap_err().to_string();
        assert!(
            refused.starts_with("the name of a recording is"),
            "{name}: {refused}"
        );
    }
    #[cfg(unix)]
    {
        let secret = game.folder.path().join("secret");
        std::os::unix::fs::symlink(secret, file(&game, "link.btrec")).unwrap();
        let fetched = client.call(FetchRecording {
            name: "link.btrec".to_owned(),
            offset: 0,
        });
        assert_eq!(fetched.unwrap_err().to_string(), "`link.btrec` is no file");
    }
}

#[test]
fn recording_is_refused_where_it_cannot_be() {
    let game = Game::of(1);
    let mut client = game.client();
    start(&mut client, "twice.btrec").unwrap();
    let refused = start(&mut client, "twice.btrec").unwrap_err().to_string();
    assert_eq!(refused, "there is a recording `twice.btrec` already");
    let name = "never.btrec".to_owned();
    let refused = client.call(StopRecording { name }).unwrap_err();
    assert_eq!(refused.to_string(), "no recording `never.btrec` is running");
}

/// The number of records of the dog that a file has so far.
fn records(path: &std::path::Path) -> u64 {
    let mut client = Client::open(path).unwrap();
    client.call(GetStatistics {}).unwrap().records
}

#[test]
fn recording_of_a_quiet_agent_is_in_its_file_within_seconds() {
    let game = Game::of(1);
    let mut client = game.client();
    start(&mut client, "quiet.btrec").unwrap();
    let (agent, event) = (Game::dog(0), "stick".to_owned());
    let params = [("length".to_owned(), 2.into())].into();
    client
        .call(Fire {
            agent,
            event,
            params,
        })
        .unwrap();
    game.plays_on(5);
    let recorded = game.between(|_, port| port.statistics().records);
    assert!(recorded > 10, "{recorded}");
    let path = file(&game, "quiet.btrec");
    let began = std::time::Instant::now();
    while records(&path) < recorded {
        assert!(
            began.elapsed().as_secs() < 20,
            "{} of {recorded}",
            records(&path)
        );
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn recording_ends_with_its_client_unless_it_is_to_last() {
    let game = Game::with(1, "busy.json", |options| options);
    let mut client = game.client();
    start(&mut client, "own.btrec").unwrap();
    client
        .call(StartRecording {
            name: "kept.btrec".to_owned(),
            agents: vec![Game::dog(0)],
            keep: true,
        })
        .unwrap();
    game.plays_on(50);
    drop(client);
    let mut other = game.client();
    let mut stop = |name: &str| {
        let stopped = other.call(StopRecording {
            name: name.to_owned(),
        });
        stopped
            .map(|entry| entry.bytes)
            .map_err(|error| error.to_string())
    };
    while game.between(|_, port| port.statistics().clients) > 1 {}
    let why = stop("own.btrec").unwrap_err();
    assert_eq!(why, "no recording `own.btrec` is running");
    let before = records(&file(&game, "own.btrec"));
    assert!(before > 50, "{before}");
    game.plays_on(50);
    assert_eq!(records(&file(&game, "own.btrec")), before);
    assert_eq!(
        stop("kept.btrec").unwrap(),
        fs::metadata(file(&game, "kept.btrec")).unwrap().len()
    );
    assert!(records(&file(&game, "kept.btrec")) > before);
}

#[test]
fn recordings_that_run_are_limited() {
    let game = Game::of(1);
    let mut client = game.client();
    for number in 0..16 {
        start(&mut client, &format!("{number}.btrec")).unwrap();
    }
    let refused = start(&mut client, "16.btrec").unwrap_err().to_string();
    assert_eq!(
        refused,
        "16 recordings run: end one of them first (`recording.stop`)"
    );
    let name = "3.btrec".to_owned();
    client.call(StopRecording { name }).unwrap();
    start(&mut client, "16.btrec").unwrap();
    let many = StartRecording {
        name: "many.btrec".to_owned(),
        agents: vec![Game::dog(0); 1_001],
        keep: false,
    };
    let refused = client.call(many).unwrap_err().to_string();
    assert_eq!(refused, "a recording is of at most 1000 agents");
    assert!(!file(&game, "many.btrec").exists());
}

#[test]
fn folder_that_is_full_takes_no_recording() {
    let game = Game::of(1);
    for number in 0..1_000 {
        fs::write(file(&game, &format!("{number}.btrec")), "").unwrap();
    }
    let refused = start(&mut game.client(), "one_more.btrec")
        .unwrap_err()
        .to_string();
    let why = "cannot write `one_more.btrec`: the folder has 1000 files already: remove some";
    assert_eq!(refused, why);
}

#[test]
fn port_that_is_read_only_starts_and_ends_no_recording() {
    let game = Game::with(1, "guard.json", |options| options.read_only());
    let mut client = game.client();
    let refused = start(&mut client, "a.btrec").unwrap_err().to_string();
    assert_eq!(
        refused,
        "the port is read-only: `recording.start` changes the game"
    );
    assert!(!file(&game, "a.btrec").exists());
    let name = "a.btrec".to_owned();
    let refused = client.call(StopRecording { name }).unwrap_err().to_string();
    assert_eq!(
        refused,
        "the port is read-only: `recording.stop` changes the game"
    );
}

#[test]
fn port_that_is_dropped_has_written_its_recordings() {
    let game = Game::with(1, "busy.json", |options| options);
    let mut client = game.client();
    start(&mut client, "last.btrec").unwrap();
    game.plays_on(100);
    let recorded = game.between(|_, port| port.statistics().records);
    let (path, copy) = (
        file(&game, "last.btrec"),
        game.folder.path().with_extension("btrec"),
    );
    // The folder goes with the game.
    fs::hard_link(path, &copy).unwrap();
    drop(game);
    let written = records(&copy);
    fs::remove_file(copy).unwrap();
    assert!(written >= recorded, "{written} of {recorded}");
}
