//! Times at the end of the clock.

use std::time::Duration;

use bt_core::explain::Explainer;
use bt_core::trace::{Words, read_lines};
use bt_core::tree::asset::spec::{action, select};
use bt_core::{Runner, Saved};
use serde_json::json;

use super::scene::Scene;
use super::{timed, waits};

#[test]
fn explanation_of_an_endless_wait_says_so() {
    let mut scene = Scene::new(waits("ever"));
    insta::assert_snapshot!("ever", scene.poll(10.0).words_at(12.0));
    // Paused it waits as much longer, which is no time either.
    scene.runner.pause();
    let paused = scene.runner.explain_at(Duration::MAX).to_string();
    assert!(paused.contains("  until the end of time\n"), "{paused}");
    scene.runner.resume();
    scene.poll(99.0);
    let leaf = scene.runner.active_leaves()[0].to_string();
    assert!(
        leaf.ends_with("since 10 s, until the end of time"),
        "{leaf}"
    );
}

#[test]
fn explanation_of_a_restored_endless_wait_says_so() {
    let cooldown = timed("cooldown", 7.0, action("roars"));
    let mut scene = Scene::new(select([cooldown, waits("time")]));
    scene.poll(10.0).poll(10.0);
    let text = scene.runner.save().to_json();
    let ever = u64::MAX.to_string();
    for (left, ever_is) in [
        ("2500000000", "  until the end of time\n"),
        ("7000000000", "  it cools down without end\n"),
    ] {
        assert!(text.contains(left), "{text}");
        let saved = Saved::from_json(&text.replace(left, &ever)).unwrap();
        let restored = Runner::restore(scene.runner.trees(), &saved).unwrap();
        let mut restored = restored.at(Duration::from_secs(3));
        let fresh = restored.explain().to_string();
        assert!(fresh.contains(ever_is), "{fresh}");
        restored.poll(&mut scene.ogre, Duration::from_secs(4));
        let polled = restored.explain().to_string();
        assert!(polled.contains(ever_is), "{polled}");
    }
}

#[test]
fn trace_with_impossible_times_is_explained_without_a_panic() {
    let ever = u64::MAX;
    let explanation = json!({
        "tree": "main.json", "state": "running", "at": 5, "next_wake": null, "paused": ever,
        "spent": false, "queued": [], "suspended": [], "refusals": [], "diagnostics": [],
        "failures": [], "waiting": [{
            "node": {"at": [0, 1], "tree": "main.json", "type": "action", "name": "a"},
            "arguments": [],
            "wait": {"since": 0, "until": ever},
        }],
    });
    let lines = format!(
        r#"{{"ns":5,"poll":1,"cmd":"snapshot","trees":["main.json"],"blackboard":{{}},"active":[]}}
{{"ns":5,"poll":1,"cmd":"stands","current":"main.json","state":"running","paused":{ever}}}
{{"ns":5,"poll":1,"at":[0,1],"tree":"main.json","type":"action","name":"a","cmd":"waits","since":0,"until":{ever}}}
{{"ns":5,"poll":1,"cmd":"explains","changes":[{{"is":{explanation}}}]}}
{{"ns":5,"poll":1,"cmd":"control","asked":"resume"}}
{{"ns":5,"poll":1,"cmd":"explains","changes":[{{"in":["paused"]}},{{"in":["resumed"],"is":{ever}}}]}}
{{"ns":6,"poll":0,"cmd":"poll_begin"}}
"#
    );
    let mut explainer = Explainer::new();
    let mut told = String::new();
    for line in read_lines(lines.as_bytes()) {
        let (_, record) = line.unwrap();
        told += &Words(&record).to_string();
        explainer.apply(&record).unwrap();
        let explanation = explainer.explain_at(Duration::ZERO);
        explanation.map(|explanation| explanation.to_string());
    }
    assert!(told.contains("waits until the end of time"), "{told}");
    let told = explainer.explain_at(Duration::MAX).unwrap().to_string();
    assert!(told.contains("  until the end of time\n"), "{told}");
}
