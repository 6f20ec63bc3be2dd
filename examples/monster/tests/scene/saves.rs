//! A scene that is saved and restored says what it would have said.

use std::time::Duration;

use monster::scene::{STEP, Scene};

use super::program::{run, told};
use super::traces::folder;
use super::{contradictions, scene};

/// Plays for so long, a step at a time; the lines.
fn play(scene: &mut Scene, steps: u32) -> Vec<String> {
    for _ in 0..steps {
        scene.run(STEP);
    }
    scene.take_lines()
}

fn restored(scene: &Scene) -> Scene {
    Scene::restore(&scene.save()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn restored_agent_continues_exactly_as_the_saved_one() {
    for (agents, seed) in [(12, 7), (24, 3), (40, 11)] {
        let mut straight = scene(agents, seed);
        for steps in [1, 36, 64, 247] {
            play(&mut straight, steps);
            let mut other = restored(&straight);
            let world = |scene: &Scene| serde_json::to_value(scene.world()).unwrap();
            assert_eq!(world(&other), world(&straight), "nothing happens by itself");
            // The one that was saved plays on, too, and then it is saved again.
            let (expected, found) = (play(&mut straight, 300), play(&mut other, 300));
            let at = straight.world().now();
            assert_eq!(
                found, expected,
                "{agents} agents, seed {seed}, until {at:?}"
            );
            assert_eq!(other.tally(), straight.tally());
            assert_eq!(other.diagnostics(), []);
            assert_eq!(contradictions(&other), Vec::<String>::new());
        }
    }
}

#[test]
fn a_scene_that_is_saved_at_every_step_is_the_same_scene() {
    let (mut straight, mut hopping) = (scene(12, 5), scene(12, 5));
    for _ in 0..250 {
        hopping = restored(&hopping);
        let (expected, found) = (play(&mut straight, 1), play(&mut hopping, 1));
        assert_eq!(found, expected, "at {:?}", straight.world().now());
    }
    assert_eq!(hopping.tally(), straight.tally());
    assert_eq!(hopping.world().walks(), straight.world().walks());
}

#[test]
fn a_restored_scene_is_tidy_when_it_is_stopped() {
    for tenths in [1, 7, 23, 64, 180, 333] {
        let mut first = scene(24, 3);
        first.run(Duration::from_millis(100 * tenths));
        let mut scene = restored(&first);
        assert_eq!(
            scene.world().server().free_seats(),
            first.world().server().free_seats()
        );
        scene.stop();
        let walks = scene.world().walks();
        assert_eq!(walks.ended(), walks.started, "after {tenths} steps");
        assert_eq!(scene.world().server().free_seats(), 2);
        assert_eq!(scene.diagnostics(), []);
    }
}

#[test]
fn the_program_plays_on_in_another_process() {
    let folder = folder("plays_on");
    for (seed, at) in [("3", "30"), ("8", "17"), ("11", "49")] {
        let file = folder.join(format!("{seed}.json"));
        let file = file.to_str().unwrap();
        let seed = ["--agents=24", "--seed", seed];
        let save = ["--save", file];
        let whole = told(&[&seed[..], &["--seconds=60"]].concat());
        let begin = told(&[&seed[..], &save, &["--seconds", at]].concat());
        let (begun, _) = begin.split_once("\n\n").unwrap();
        let rest = ["--restore", file, "--seconds=60"];
        let on = told(&rest);
        assert_eq!(format!("{begun}\n{on}"), whole, "saved at its end");
        std::fs::remove_file(file).unwrap();
        let both = told(&[&seed[..], &save, &["--save-at", at, "--seconds=60"]].concat());
        assert_eq!(both, whole, "a save changes nothing");
        assert_eq!(told(&rest), on, "saved on the way");
    }
}

#[test]
fn a_restored_scene_is_traced_and_saved_again() {
    let folder = folder("again");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (first, second, trace) = (path("first.json"), path("second.json"), path("on.jsonl"));
    let whole = told(&["--agents=16", "--seconds=40"]);
    told(&["--agents=16", "--seconds=20", "--save", &first]);
    let watch = ["--watch=wolf-2", "--trace", &trace];
    told(
        &[
            &["--restore", &first, "--seconds=30", "--save", &second],
            &watch[..],
        ]
        .concat(),
    );
    let end = told(&["--restore", &second, "--seconds=40"]);
    assert!(whole.ends_with(&end));
    let lines = std::fs::read_to_string(trace).unwrap();
    assert!(
        lines
            .lines()
            .next()
            .unwrap()
            .contains(r#""cmd":"snapshot""#)
    );
}

/// The exit code, and the first line of the message, where a scene cannot be played.
fn complaint(args: &[&str]) -> (Option<i32>, String) {
    let output = run(args);
    assert!(output.stdout.is_empty());
    let text = String::from_utf8(output.stderr).unwrap();
    (
        output.status.code(),
        text.lines().next().unwrap_or_default().to_owned(),
    )
}

#[test]
fn a_time_that_is_over_is_refused() {
    let file = folder("over").join("scene.json");
    let file = file.to_str().unwrap();
    told(&["--agents=4", "--seconds=20", "--save", file]);
    let (code, said) = complaint(&["--restore", file, "--seconds=20"]);
    assert_eq!(code, Some(2));
    let saved = "the scene was saved after 20 seconds";
    assert_eq!(said, format!("error: `--seconds`: {saved}, found `20`"));
    let (code, said) = complaint(&["--restore", file, "--save", file, "--save-at=7"]);
    assert_eq!(code, Some(2));
    assert_eq!(said, format!("error: `--save-at`: {saved}, found `7`"));
}

#[test]
fn a_file_that_cannot_be_read_or_written_is_an_error() {
    let folder = folder("no_file");
    let missing = folder.join("none").join("scene.json");
    let missing = missing.to_str().unwrap();
    let (code, said) = complaint(&["--restore", missing]);
    assert_eq!(code, Some(1));
    assert!(
        said.starts_with(&format!("error: cannot read `{missing}`: ")),
        "{said}"
    );
    let output = run(&["--agents=2", "--seconds=1", "--save", missing]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with(&format!("error: cannot write `{missing}`: ")),
        "{said}"
    );
    let file = folder.join("bytes.json");
    std::fs::write(&file, b"\xff\xfe").unwrap();
    let (code, said) = complaint(&["--restore", file.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(said.contains("UTF-8"), "{said}");
    std::fs::write(&file, "{}").unwrap();
    let (code, said) = complaint(&["--restore", file.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    let head = "it is no saved scene: expected an object with the `format` \"monster scene\"";
    assert_eq!(
        said,
        format!("error: cannot restore `{}`: {head}", file.display())
    );
}
