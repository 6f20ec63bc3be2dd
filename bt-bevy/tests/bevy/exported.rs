//! Editors see an agent in Bevy as they see any other.

use bt_core::Registry;
use serde_json::json;

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
    assert_eq!(arg("walk_to")["schema"], json!({"$ref": "#/$defs/Vec2"}));
    assert_eq!(arg("call")["schema"], json!({"$ref": "#/$defs/Entity"}));
    let schema = |name: &str| {
        let text = catalogue.to_string();
        text.contains(&format!("\"{name}\":{{"))
    };
    assert!(schema("Vec2") && schema("Entity"), "{catalogue}");
}
