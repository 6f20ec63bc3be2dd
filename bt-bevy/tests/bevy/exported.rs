//! What editors see of an agent in Bevy is what they see of any other.

use bt_core::Registry;
use serde_json::{Value, json};

#[test]
fn types_of_bevy_are_arguments_with_a_schema() {
    let catalogue = serde_json::to_value(Registry::global().unwrap().catalogue()).unwrap();
    let agents = catalogue["agents"].as_array().unwrap();
    let guard = agents
        .iter()
        .find(|agent| agent["name"] == "guard")
        .unwrap();
    let actions = guard["actions"].as_array().unwrap();
    let arg = |action: &str| {
        let mut actions = actions.iter();
        let action = actions.find(|found| found["name"] == action).unwrap();
        action["args"][0].clone()
    };
    let text = |value: &Value| serde_json::to_string(value).unwrap();
    let to = text(&arg("walk_to"));
    assert!(to.contains("Vec2") || to.contains("\"x\""), "{to}");
    let other = arg("call");
    assert_eq!(other["schema"]["type"], json!("integer"), "{other}");
    assert!(text(&other).contains("An entity"), "{other}");
}
