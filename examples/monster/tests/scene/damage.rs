//! Saved scenes that were changed, cut off, or are something else: an error, or a scene; never a panic.

use std::time::Duration;

use monster::scene::Scene;
use serde_json::{Value, json};

use super::program::run;
use super::scene;
use super::traces::folder;

/// A scene in which a bit of everything is under way.
fn saved() -> Value {
    let mut scene = scene(12, 7);
    scene.run(Duration::from_secs(20));
    serde_json::from_str(&scene.save()).unwrap()
}

fn refusal(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap();
    let refused = Scene::restore(&text).err();
    refused
        .unwrap_or_else(|| panic!("it was restored"))
        .to_string()
}

/// A saved scene with another value somewhere.
fn with(place: &str, value: Value) -> Value {
    let mut saved = saved();
    *saved
        .pointer_mut(place)
        .unwrap_or_else(|| panic!("nothing at {place}")) = value;
    saved
}

#[test]
fn damaged_scene_error_names_the_place() {
    let head = "it is no saved scene: expected an object with the `format` \"monster scene\"";
    for other in [
        json!({}),
        json!([1]),
        json!("scene"),
        json!({"format": 1}),
        json!(null),
    ] {
        assert_eq!(refusal(&other), head);
    }
    for (place, value, why) in [
        (
            "/version",
            json!(0),
            "`version`: this program reads version 1, found 0",
        ),
        (
            "/version",
            json!("1"),
            "`version`: this program reads version 1, found \"1\"",
        ),
        (
            "/world/entities/5/id",
            json!(3),
            "`world.entities.5.id`: expected 5, found 3",
        ),
        (
            "/world/entities/5/health",
            json!(1e12),
            "`world.entities.5.health`: expected no number beyond 1000000000, found 1000000000000.0",
        ),
        (
            "/world/ground/size/x",
            json!(0.0),
            "`world.ground.size.x`: expected 1 to 1000 metres, found 0",
        ),
        (
            "/world/last_id",
            json!(3),
            "`world.last_id`: there is an entity 4, found 3",
        ),
        (
            "/minds/5/monster/agent/actor/entity",
            json!(3),
            "`minds.5`: expected the agent of entity 5, found that of 3",
        ),
    ] {
        assert_eq!(refusal(&with(place, value)), why);
    }
    for (place, value, why) in [
        (
            "/random",
            json!("luck"),
            "expected 16 hexadecimal digits, found `luck`",
        ),
        (
            "/world",
            json!(7),
            "invalid type: integer `7`, expected struct World",
        ),
        ("/lairs/5/breed", json!("cat"), "there is no breed `cat`"),
    ] {
        let changed = with(place, value.clone());
        let error = refusal(&changed);
        let at = error
            .strip_prefix(&format!("{why} at line "))
            .expect(&error);
        let line: usize = at.split(' ').next().unwrap().parse().unwrap();
        let text = serde_json::to_string_pretty(&changed).unwrap();
        let found = text.lines().nth(line - 1).unwrap();
        assert!(found.contains(&format!(": {value}")), "{error}: {found}");
    }
    let mut saved = saved();
    saved["world"].as_object_mut().unwrap().remove("server");
    let error = refusal(&saved);
    assert!(
        error.starts_with("missing field `server` at line "),
        "{error}"
    );
}

#[test]
fn damaged_runner_in_a_scene_is_refused_by_the_runner() {
    let runner =
        |key: &str, value: Value| refusal(&with(&format!("/minds/5/monster/runner{key}"), value));
    let cannot = "`minds.5.runner`: the agent cannot be restored: ";
    let other = runner("/agent", json!("player_agent"));
    assert!(
        other.starts_with(cannot) && other.contains("player_agent"),
        "{other}"
    );
    let changed = runner("/trees/0/1", json!("0000000000000000"));
    assert!(
        changed.starts_with(cannot) && changed.contains("patrol.json"),
        "{changed}"
    );
    let newer = runner("/format", json!(1000));
    assert!(
        newer.contains("format 1000") && newer.contains(" at line "),
        "{newer}"
    );
}

#[test]
fn a_text_that_is_cut_off_is_refused() {
    let text = saved().to_string();
    for end in (0..text.len()).step_by(977) {
        assert!(Scene::restore(&text[..end]).is_err(), "after {end} bytes");
    }
    assert!(Scene::restore(&format!("{text}x")).is_err());
    assert!(Scene::restore(&"[".repeat(1 << 20)).is_err());
}

/// The places of everything that is neither a list nor an object.
fn places(value: &Value, path: String, into: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                places(item, format!("{path}/{at}"), into);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                let key = key.replace('~', "~0").replace('/', "~1");
                places(member, format!("{path}/{key}"), into);
            }
        }
        _ => into.push(path),
    }
}

#[test]
fn a_value_that_was_changed_makes_no_panic() {
    let saved = saved();
    let mut all = Vec::new();
    places(&saved, String::new(), &mut all);
    let odd = [
        json!(null),
        json!(-1),
        json!(0),
        json!(1e9),
        json!(1_000_000_000),
        json!(4_294_967_295_u32),
        json!(""),
        json!([]),
    ];
    let mut random = bt_core::Random::new(1);
    let mut restored = 0;
    for _ in 0..300 {
        let place = random.choose(&all).unwrap();
        let value = random.choose(&odd).unwrap();
        let mut changed = saved.clone();
        *changed.pointer_mut(place).unwrap() = value.clone();
        if let Ok(mut scene) = Scene::restore(&changed.to_string()) {
            restored += 1;
            scene.run(Duration::from_secs(2));
            scene.stop();
        }
    }
    assert!(
        restored > 30,
        "{restored}: most changes are plausible, or refused"
    );
}

#[test]
fn the_program_says_which_file_and_where() {
    let file = folder("damage").join("scene.json");
    let text = serde_json::to_string_pretty(&with("/lairs/5/breed", json!("cat"))).unwrap();
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let output = run(&["--restore", file]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let why = format!("error: cannot restore `{file}`: there is no breed `cat` at line ");
    assert!(said.starts_with(&why), "{said}");
}
