//! What a file says, in the words of a picture.
//!
//! A value stands as JSON has it, a blackboard key as `$key`, a property of the agent as `@property`.
//! What is not as it should be is left out or shown as it is: pictures check nothing.

use serde_json::{Map, Value};

/// More of one text is in no picture, not even behind the pointer.
const LONGEST: usize = 400;

/// A text of one line, without characters that do more than to be seen: controls, and those that turn
/// the direction of what follows.
pub(super) fn clean(text: &str) -> String {
    let mut clean = String::new();
    for (at, c) in text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .enumerate()
    {
        if at == LONGEST {
            clean.push('…');
            break;
        }
        clean.push(match c {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => {
                '\u{fffd}'
            }
            '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
            c if c.is_control() => '\u{fffd}',
            c => c,
        });
    }
    clean
}

/// A text that may be too long, with at most so many characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            text.chars()
                .take(most.saturating_sub(1))
                .collect::<String>()
                + "…"
        }
    }
}

/// A key of an object as text; empty where it has none.
pub(super) fn text(of: &Map<String, Value>, key: &str) -> String {
    of.get(key).map(word).unwrap_or_default()
}

/// A name as it is, anything else as JSON.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => clean(text),
        other => clean(&other.to_string()),
    }
}

/// A number as people write it: `2`, not `2.0`.
fn number(value: &Value) -> String {
    let text = word(value);
    match text.strip_suffix(".0") {
        Some(whole) if value.is_number() => whole.to_owned(),
        _ => text,
    }
}

/// `name(arguments)`, or the name alone; `what` is `action`, `condition` or `decorator`.
pub(super) fn call(of: &Map<String, Value>, what: &str) -> String {
    let name = text(of, &format!("{what}_name"));
    called(&name, &arguments(of, &format!("{what}_args")))
}

/// `name(arguments)`, or the name alone.
pub(super) fn called(name: &str, arguments: &str) -> String {
    match arguments {
        "" => name.to_owned(),
        arguments => format!("{name}({arguments})"),
    }
}

/// The arguments in a list, or in an object by names.
pub(super) fn arguments(of: &Map<String, Value>, key: &str) -> String {
    let arguments: Vec<String> = match of.get(key) {
        Some(Value::Array(list)) => list.iter().map(argument).collect(),
        Some(Value::Object(map)) => map
            .iter()
            .map(|(name, value)| format!("{}: {}", clean(name), argument(value)))
            .collect(),
        _ => Vec::new(),
    };
    clean(&arguments.join(", "))
}

fn argument(argument: &Value) -> String {
    let Some(fields) = argument.as_object() else {
        return argument.to_string();
    };
    let value = fields.get("arg_value").unwrap_or(&Value::Null);
    let shown = match fields.get("arg_type").and_then(Value::as_str) {
        Some("blackboard") => format!("${}", word(value)),
        Some("property") => format!("@{}", word(value)),
        _ => value.to_string(),
    };
    match fields.get("arg_name").and_then(Value::as_str) {
        Some(name) => format!("{}: {shown}", clean(name)),
        None => shown,
    }
}

/// What a kind takes, but for names, calls and trees.
pub(super) fn parameters(kind: &str, of: &Map<String, Value>) -> String {
    let flag = |key: &str| of.get(key) == Some(&Value::Bool(true));
    let said = |key: &str| of.contains_key(key).then(|| text(of, key));
    let mut words = Vec::new();
    match kind {
        "root" => words.extend(said("mode").filter(|mode| mode != "loop")),
        "parallel" => words.push(thresholds(of)),
        "probility" => words.extend(of.get("prob").map(weights)),
        "wait_event" => words.push(taken(of)),
        "end" => words.extend(said("status")),
        _ => {
            words.extend(of.get("count").map(times));
            words.extend(of.get("seconds").map(|time| format!("{} s", number(time))));
            words.extend(said("on").map(|ends| format!("on {ends}")));
        }
    }
    let flags = [
        ("keep_place", "keeps its place"),
        ("rerun", "run again each poll"),
        ("broadcast", "left to others"),
        ("latch", "even if it came before"),
        ("keep_blackboard", "keeps the blackboard"),
        ("outside", "of the agent's tree"),
    ];
    words.extend(
        flags
            .iter()
            .filter(|(key, _)| flag(key))
            .map(|(_, say)| (*say).to_owned()),
    );
    if kind == "sub_tree" {
        words.extend(said("mode").filter(|mode| mode != "call"));
    }
    words.retain(|word| !word.is_empty());
    words.join(", ")
}

fn times(count: &Value) -> String {
    match count.as_f64() {
        Some(count) if count < 0.0 => "× ∞".to_owned(),
        _ => format!("× {}", number(count)),
    }
}

fn weights(weights: &Value) -> String {
    let weights = weights.as_array().into_iter().flatten().map(number);
    clean(&weights.collect::<Vec<_>>().join(" : "))
}

/// How many ends of its children end a `parallel`.
fn thresholds(of: &Map<String, Value>) -> String {
    let enough = |key: &str, verb: &str| {
        let count = of.get(key)?;
        let ending = if count.as_u64() == Some(1) { "s" } else { "" };
        Some(format!("{} {verb}{ending}", number(count)))
    };
    let enough: Vec<_> = [enough("success", "succeed"), enough("failure", "fail")]
        .into_iter()
        .flatten()
        .collect();
    match enough.is_empty() {
        true => "until any ends".to_owned(),
        false => format!("until {}", enough.join(" or ")),
    }
}

/// Which parameters of an event go to which keys.
pub(super) fn taken(of: &Map<String, Value>) -> String {
    let params = of.get("params").and_then(Value::as_object);
    let taken = params.into_iter().flatten();
    let taken = taken.map(|(name, key)| format!("{} to ${}", clean(name), word(key)));
    clean(&taken.collect::<Vec<_>>().join(", "))
}

/// A key that is declared: its name, type and first value.
pub(super) fn declaration(name: &str, of: &Value) -> String {
    let field = |key: &str| of.get(key);
    let mut words = format!("${}", clean(name));
    if let Some(of) = field("type") {
        words += &format!(": {}", word(of));
    }
    if let Some(initial) = field("initial") {
        words += &format!(" = {initial}");
    }
    match field("scope").map(word).as_deref() {
        None | Some("agent") => {}
        Some(scope) => words += &format!(", one for each {scope}").replace("each global", "all"),
    }
    clean(&words)
}

/// What a guard asks, and what it aborts.
pub(super) fn guard(of: &Map<String, Value>) -> String {
    let not = if of.get("not") == Some(&Value::Bool(true)) {
        "not "
    } else {
        ""
    };
    let mut words = format!("{not}{}", call(of, "condition"));
    match text(of, "abort").as_str() {
        "" | "none" => {}
        what => words += &format!(", aborts {what}"),
    }
    if text(of, "mode") == "poll" {
        words += ", asked each poll";
    }
    clean(&words)
}

/// How long it is from one call of a service to the next.
pub(super) fn every(of: &Map<String, Value>) -> String {
    let seconds = of.get("seconds").map(number).unwrap_or_default();
    format!("every {seconds} s")
}

/// Which tree an event starts, and how.
pub(super) fn started(of: &Map<String, Value>) -> String {
    let how = match text(of, "mode").as_str() {
        "return" => "call",
        _ => "go to",
    };
    let mut words = format!("{how} {}", text(of, "tree"));
    if of.get("once") == Some(&Value::Bool(true)) {
        words += ", once";
    }
    match taken(of).as_str() {
        "" => words,
        taken => format!("{words}, {taken}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_replaced_and_a_line_stays_one() {
        assert_eq!(
            clean("a\n\t b\u{1b}[2J\u{202e}c\0"),
            "a b\u{fffd}[2J\u{fffd}c\u{fffd}"
        );
        assert_eq!(clean(&"x".repeat(1_000)).chars().count(), LONGEST + 1);
        assert_eq!(
            (cut("grün", 4), cut("grünes", 4)),
            ("grün".into(), "grü…".into())
        );
    }

    #[test]
    fn arguments_say_where_they_come_from() {
        let of = serde_json::json!({"action_name": "go", "action_args": [
            {"arg_type": "plain", "arg_value": {"x": 1.0}},
            {"arg_type": "blackboard", "arg_value": "home"},
            {"arg_type": "property", "arg_value": "speed", "arg_name": "at"},
            7,
        ]});
        let call = call(of.as_object().unwrap(), "action");
        assert_eq!(call, "go({\"x\":1.0}, $home, at: @speed, 7)");
    }
}
