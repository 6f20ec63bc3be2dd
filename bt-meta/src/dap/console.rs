//! What the editor changes, and its console.

use std::io::Write;

use bt_live::protocol::types::{CallAction, Explain, SetKey, SetProperty};
use serde_json::{Value, json};

use super::session::{Answer, Session};
use super::values::{BLACKBOARD, PROPERTIES};

/// Why nothing can be changed there.
const PAST: &str = "this is the past: nobody can change it";

impl<W: Write> Session<W> {
    pub(super) fn set_variable(&mut self, asked: &Value) -> Answer {
        let name = asked["name"].as_str().unwrap_or_default();
        let value = crate::live::value(asked["value"].as_str().unwrap_or_default());
        match asked["variablesReference"].as_u64().unwrap_or_default() as usize {
            BLACKBOARD => self.assign(name, false, value),
            PROPERTIES => self.assign(name, true, value),
            _ => Err("a part of a value is set by setting the whole".to_owned()),
        }
    }

    fn assign(&mut self, name: &str, is_property: bool, value: Value) -> Answer {
        if self.history.is_past() {
            return Err(PAST.to_owned());
        }
        let shown = value.to_string();
        let game = self.game()?;
        let agent = game.agent.id.clone();
        let name = name.to_owned();
        if is_property {
            game.call(SetProperty {
                agent,
                property: name,
                value,
            })?;
        } else {
            game.call(SetKey {
                agent,
                key: name,
                value,
            })?;
        }
        Ok(json!({ "value": shown, "result": shown, "variablesReference": 0 }))
    }

    /// `key`, `@property`, `key = value`, `@property = value`, `action(argument, …)`, `?`.
    pub(super) fn evaluate(&mut self, asked: &Value) -> Answer {
        let text = asked["expression"].as_str().unwrap_or_default().trim();
        match change_of(text) {
            None if text == "?" => self.why(),
            None => self.read(text),
            // An editor evaluates these by itself, again and again.
            Some(_) if asked["context"] == "hover" || asked["context"] == "watch" => {
                Err("a hover or a watch changes nothing: use the console".to_owned())
            }
            Some(Change::Assign(name, value)) => match name.strip_prefix('@') {
                Some(property) => self.assign(property, true, crate::live::value(value)),
                None => self.assign(name, false, crate::live::value(value)),
            },
            Some(Change::Call(action, args)) => self.call(action, args),
        }
    }

    fn call(&mut self, action: &str, args: &str) -> Answer {
        if self.history.is_past() {
            return Err(PAST.to_owned());
        }
        let args = serde_json::from_str(&format!("[{args}]"));
        let args = args.map_err(|error| format!("the arguments are not JSON: {error}"))?;
        let game = self.game()?;
        let called = game.call(CallAction {
            agent: game.agent.id.clone(),
            action: action.to_owned(),
            args,
        })?;
        Ok(json!({ "result": called.outcome, "variablesReference": 0 }))
    }

    /// Says why the agent waits.
    fn why(&mut self) -> Answer {
        if self.history.is_past() {
            return Err("why it waits is known of now alone: step forward again".to_owned());
        }
        let game = self.game()?;
        let agent = game.agent.id.clone();
        let explained = game.call(Explain { agent, at: None })?;
        Ok(json!({ "result": explained.text.trim_end(), "variablesReference": 0 }))
    }

    /// Reads a key or a property.
    fn read(&mut self, text: &str) -> Answer {
        let picture = self.picture()?;
        let found = match text.strip_prefix('@') {
            Some(property) => picture.properties.get(property),
            None => picture.blackboard.get(text),
        };
        let found = found.ok_or_else(|| format!("there is no key `{text}`"))?;
        let number = self.shown.number(found);
        Ok(json!({ "result": found.to_string(), "variablesReference": number }))
    }
}

/// Which data a variable is, for a breakpoint on it.
pub(super) fn data_of(asked: &Value) -> Value {
    let name = asked["name"].as_str().unwrap_or_default();
    let (on, what) = match asked["variablesReference"].as_u64().unwrap_or_default() as usize {
        BLACKBOARD => ("key", "key"),
        PROPERTIES => ("property", "property"),
        _ => return json!({ "dataId": null, "description": "only keys and properties" }),
    };
    json!({
        "dataId": format!("{on}:{name}"),
        "description": format!("{what} {name}"),
        "accessTypes": ["write"],
    })
}

/// What is to change.
#[derive(Debug, PartialEq)]
enum Change<'a> {
    /// A key or an `@property`, and its value.
    Assign(&'a str, &'a str),
    /// An action, and its arguments.
    Call(&'a str, &'a str),
}

/// What a text asks to change, if it does.
fn change_of(text: &str) -> Option<Change<'_>> {
    let is_in_name = |it: char| it.is_alphanumeric() || "_@".contains(it);
    let is_name = |name: &str| !name.is_empty() && name.chars().all(is_in_name);
    if let Some((name, value)) = text.split_once('=') {
        let (name, value) = (name.trim(), value.trim());
        // A comparison is no assignment.
        if is_name(name) && !value.starts_with('=') {
            return Some(Change::Assign(name, value));
        }
    }
    let (action, args) = text.split_once('(')?;
    let args = args.strip_suffix(')')?;
    is_name(action).then_some(Change::Call(action, args))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_console_are_told_apart() {
        assert_eq!(change_of("hp"), None);
        assert_eq!(change_of("@hp"), None);
        assert_eq!(change_of("hp == 3"), None);
        assert_eq!(change_of("hp >= 3"), None);
        assert_eq!(change_of("= 3"), None);
        assert_eq!(change_of("(3)"), None);
        assert_eq!(change_of("hp = 3"), Some(Change::Assign("hp", "3")));
        assert_eq!(change_of("@hp=[1]"), Some(Change::Assign("@hp", "[1]")));
        let call = Some(Change::Call("say", "\"a = (b)\""));
        assert_eq!(change_of("say(\"a = (b)\")"), call);
    }
}
