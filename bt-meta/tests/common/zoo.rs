//! A small game with one of everything that an export can say, and names that want to be escaped.

use bt_core::registry::catalogue::Catalogue;
use serde_json::{Value, json};

use super::samples::{action, agent, arg, catalogue, method, nop, with};

/// Two agents in a line, one beside them that shares its name with none.
pub fn zoo() -> Catalogue {
    let keeper = with(
        agent("zoo::keeper", Some("action_agent"), keeper_methods()),
        json!({
            "display": "饲养员", "docs": "Feeds <b>all</b> & \"cleans\".\n\n# Notes\nSee [`Cage`](crate::Cage), [the web](https://example.com/a?b=1&c=2).",
            "properties": [property("hunger", "double", json!({"min": 0.0, "max": 1.0, "read_only": true})),
                           property("LIMIT", "int32", json!({"static": true})),
                           property("mood", "Mood", json!({"schema": {"$ref": "#/$defs/Mood"}, "alias": ["temper"]}))],
            "events": [event("rang", vec![with(arg("by", "uint64"), json!({"alias": ["who"]})), arg("loud", "bool")]),
                       with(event("closed", vec![]), json!({"deprecated": {"since": "0.3", "note": "wait for `rang`"}}))],
        }),
    );
    let head = with(
        agent("zoo::head", Some("zoo::keeper"), head_methods()),
        json!({"alias": ["boss"], "category": "people"}),
    );
    let mut zoo = catalogue(vec![
        agent("action_agent", None, vec![nop()]),
        keeper,
        head,
        agent(
            "visitor",
            Some("action_agent"),
            vec![action("look", "Looks.")],
        ),
    ]);
    let mood = json!({"description": "How it feels.", "oneOf": [
        {"const": "calm", "type": "string", "description": "All is well."}, {"const": "angry", "type": "string"}]});
    let cage = json!({"description": "A place.", "type": "object", "required": ["row"], "properties": {
        "row": {"type": "integer", "format": "uint32", "minimum": 0, "description": "From the gate."},
        "mood": {"$ref": "#/$defs/Mood"}}});
    zoo.defs.insert("Mood".into(), mood);
    zoo.defs.insert("Cage".into(), cage);
    zoo
}

fn keeper_methods() -> Vec<Value> {
    let amount = with(
        arg("amount", "double"),
        json!({"schema": {"type": "number", "minimum": 0.0, "maximum": 9.5}, "default": 2.0, "optional": true,
               "unit": "kg", "min": 0.0, "max": 9.5, "step": 0.5, "comment": "How much | or less."}),
    );
    let cage = with(
        arg("cage", "Cage"),
        json!({"schema": {"$ref": "#/$defs/Cage"}, "display": "笼子"}),
    );
    let count = with(
        arg("count", "int32"),
        json!({"schema": {"type": "integer", "format": "int32"}, "alias": ["number"]}),
    );
    let left = with(arg("left", "int32"), json!({"in_out": "out"}));
    let feed = with(
        method(
            "action",
            "feed",
            "Feeds <what> is in a cage.",
            vec![cage, amount],
        ),
        json!({"async": true, "result": "async", "category": "work", "display": "喂食", "since": "0.2.0", "alias": ["give"],
               "docs": "Feeds <what> is in a cage.\n\nTakes a while.\n\n# Returns\n`true` if it eats.", "returns": "`true` if it eats."}),
    );
    let tally = method("action", "tally", "", vec![count, left]);
    let calm = with(
        arg("mood", "Mood"),
        json!({"schema": {"$ref": "#/$defs/Mood"}, "choices": ["calm", "angry"]}),
    );
    let asks = with(
        method("condition", "is_in_mood", "Is it?", vec![calm]),
        json!({"static": true}),
    );
    vec![feed, tally, asks]
}

fn head_methods() -> Vec<Value> {
    let tally = with(
        method("action", "tally", "Counts again.", vec![]),
        json!({"override": true, "deprecated": {"since": "0.4", "note": ""}}),
    );
    let twice = with(
        method("decorator", "twice", "Runs it twice.", vec![]),
        json!({"result": "next"}),
    );
    vec![tally, twice]
}

fn property(name: &str, type_name: &str, more: Value) -> Value {
    let property = json!({"name": name, "brief": "A property.", "crate": "my-game", "file": "src/lib.rs", "line": 9,
        "type": type_name, "schema": true});
    with(property, more)
}

fn event(name: &str, params: Vec<Value>) -> Value {
    json!({"name": name, "brief": "It happened.", "crate": "my-game", "file": "src/lib.rs", "line": 12, "params": params})
}
