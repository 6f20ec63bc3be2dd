//! Values as an editor sees them.

use serde_json::{Value, json};

use super::editor::Editor;
use crate::game::Game;

#[test]
fn long_values_are_cut_and_their_parts_come_by_page() {
    let game = Game::new();
    let mut editor = Editor::attach(&game);
    let items: Vec<u32> = (0..5_000).collect();
    let mut set = |text: &str| {
        let change = json!({ "variablesReference": 1, "name": "rung", "value": text });
        editor.ask("setVariable", change);
        let all = editor.ask("variables", json!({ "variablesReference": 1 }));
        let rung = all["variables"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["name"] == "rung");
        rung.unwrap().clone()
    };
    let text = set(&json!("ä".repeat(20_000)).to_string());
    assert!(text["value"].as_str().unwrap().ends_with("ää…"));
    assert!(text["value"].as_str().unwrap().len() < 10_010);
    assert_eq!(text["presentationHint"]["attributes"], json!(["readOnly"]));
    let array = set(&json!(items).to_string());
    assert_eq!(
        (&array["indexedVariables"], &array["evaluateName"]),
        (&json!(5_000), &json!("rung"))
    );
    let short = set("[1, [2]]");
    assert_eq!(
        (&short["indexedVariables"], &short["value"]),
        (&Value::Null, &json!("[1,[2]]"))
    );
    let parts = |editor: &mut Editor, more: Value| {
        let mut asked = json!({ "variablesReference": array["variablesReference"] });
        asked
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let parts = editor.ask("variables", asked)["variables"].take();
        let parts = parts.as_array().unwrap().clone();
        parts
            .iter()
            .map(|part| part["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        parts(
            &mut editor,
            json!({ "filter": "indexed", "start": 4_998, "count": 100 })
        ),
        ["[4998]", "[4999]"]
    );
    assert_eq!(parts(&mut editor, json!({ "start": 9_000 })), [""; 0]);
    assert_eq!(parts(&mut editor, json!({ "filter": "named" })), [""; 0]);
    assert_eq!(parts(&mut editor, json!({})).len(), 5_000);
    // A part has no name in the console.
    let asked = json!({ "variablesReference": short["variablesReference"] });
    assert_eq!(
        editor.ask("variables", asked)["variables"][1]["evaluateName"],
        Value::Null
    );
}
