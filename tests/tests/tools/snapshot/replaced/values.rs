//! The replacements of a value in a saved agent.

use super::*;

/// Every value inside, by its pointer.
pub(super) fn pointers(value: &Value, at: &str, into: &mut Vec<String>) {
    into.push(at.to_owned());
    match value {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                pointers(item, &format!("{at}/{i}"), into);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                pointers(item, &format!("{at}/{key}"), into);
            }
        }
        _ => {}
    }
}

/// Numbers for the place of one.
fn numbers(number: &Value) -> Vec<Value> {
    let mut all = vec![
        json!(0),
        json!(1),
        json!(u32::MAX),
        json!((1_u64 << 47) + 1),
        json!((1_u64 << 48) + 1),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e20),
        json!(-1),
        json!(0.5),
    ];
    if let Some(number) = number.as_u64() {
        all.push(json!(number.saturating_sub(1)));
        all.push(json!(number.saturating_add(1)));
        all.push(json!(u64::from(u32::MAX).wrapping_add(number)));
        all.push(json!(number as f64));
    }
    all
}

/// Names, and the words of the format.
const WORDS: [&str; 24] = [
    "",
    "x",
    "main",
    "other",
    "scoped",
    "go",
    "told",
    "idle",
    "due",
    "active",
    "stopping",
    "succeeded",
    "pending",
    "polled",
    "event",
    "timer",
    "turn",
    "again",
    "cancelling",
    "node",
    "enter",
    "enter_checked",
    "stop",
    "nothing",
];

/// Extra keys of objects.
const MORE: [(&str, &str); 24] = [
    ("entering", "3"),
    ("decided", "true"),
    ("ended", "[3, true]"),
    ("counted", "1"),
    ("succeeded", "1"),
    ("failed", "1"),
    ("ran", "[3, 3]"),
    ("until", "[3, true]"),
    ("until", "[0, true]"),
    ("on", r#"[["go", true], ["go", false]]"#),
    ("kept", "7"),
    ("completion", "true"),
    ("guards", "true"),
    ("ago", "18446744073709551615"),
    ("paused_ago", "18446744073709551615"),
    ("paused", "true"),
    ("resumed", "true"),
    ("interrupted", "true"),
    (
        "queue",
        r#"[{"event": {"name": "told"}}, {"finish": [1, null]}, {"finish": [1, true]}]"#,
    ),
    (
        "held",
        r#"[{"event": {"name": "told"}}, {"finish": [1, false]}, {"finish": [3, null]}]"#,
    ),
    (
        "wishes",
        r#"[{"load": "main"}, "stop", {"reset": true}, {"reset": false}]"#,
    ),
    ("stuck", r#"{"main": [1, 2, 2, 3], "x": [4]}"#),
    (
        "strange_events",
        r#"["1", "2", "3", "4", "5", "6", "7", "8", "9"]"#,
    ),
    (
        "latched",
        r#"[{"name": "told"}, {"name": "told"}, {"name": "x"}]"#,
    ),
];

/// Other values for the place of one.
pub(super) fn others(value: &Value) -> Vec<Value> {
    let mut all = of_its_kind(value);
    all.extend([json!(null), json!(7), json!("x"), json!([1, 2]), json!({})]);
    all.retain(|other| other != value);
    all
}

/// Other values of the same kind.
pub(super) fn of_its_kind(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(_) => numbers(value),
        Value::String(_) => WORDS.iter().map(|word| json!(word)).collect(),

        Value::Bool(on) => vec![json!(!on)],
        Value::Array(items) => {
            let mut all = vec![json!([])];
            all.push(items.iter().rev().cloned().collect());
            for at in 0..items.len() {
                let (mut twice, mut less) = (items.clone(), items.clone());
                twice.insert(at, items[at].clone());
                less.remove(at);
                all.extend([twice, less].map(Value::from));
                let mut last = items.clone();
                last.push(items[at].clone());
                all.push(last.into());
            }
            all
        }
        Value::Object(map) => {
            let more = MORE.iter().filter(|(key, _)| !map.contains_key(*key));
            more.map(|(key, value)| {
                let mut map = map.clone();
                map.insert((*key).to_owned(), serde_json::from_str(value).unwrap());
                Value::Object(map)
            })
            .collect()
        }
        Value::Null => vec![json!(true)],
    }
}
