//! The editor's changes, and its console.

use std::io::Write;

use bt_core::expression::builtin_names;
use bt_live::protocol::types::{CallAction, Explain, SetKey, SetProperty};
use serde_json::{Value, json};

use super::session::{Answer, Session};
use super::values::{BLACKBOARD, PROPERTIES};
use crate::live::{Of, own_key};
use crate::values::evaluated;

/// The refusal of a change in the past.
const PAST: &str = "this is the past: nobody can change it";

impl<W: Write> Session<W> {
    pub(super) fn set_variable(&mut self, asked: &Value) -> Answer {
        let name = asked["name"].as_str().unwrap_or_default();
        let value = value(asked)?;
        match asked["variablesReference"].as_u64().unwrap_or_default() as usize {
            BLACKBOARD => self.assign(name, false, value),
            PROPERTIES => self.assign(name, true, value),
            _ => Err("a part of a value is set by setting the whole".to_owned()),
        }
    }

    pub(super) fn set_expression(&mut self, asked: &Value) -> Answer {
        let name = asked["expression"].as_str().unwrap_or_default().trim();
        let value = value(asked)?;
        match name.strip_prefix('@') {
            Some(property) => self.assign(property, true, value),
            None => self.assign(name, false, value),
        }
    }

    fn assign(&mut self, name: &str, is_property: bool, value: Value) -> Answer {
        let shown = value.to_string();
        let game = self.present()?;
        let agent = game.agent.id.clone();
        if is_property {
            let property = game.find(Of::Property, name)??;
            game.call(SetProperty {
                agent,
                property,
                value,
            })?;
        } else {
            if let Some(why) = own_key(name, &game.picture()?.blackboard) {
                return Err(why);
            }
            let key = game
                .find(Of::Key, name)?
                .map_err(|why| format!("{why} (a new one is made by `bt-meta live set`)"))?;
            game.call(SetKey { agent, key, value })?;
        }
        Ok(json!({ "value": shown, "result": shown, "variablesReference": 0 }))
    }

    /// `key`, `@property`, an expression, `key = value`, `@property = value`, `action(argument, …)`, `?`.
    pub(super) fn evaluate(&mut self, asked: &Value) -> Answer {
        let text = asked["expression"].as_str().unwrap_or_default().trim();
        match change_of(text) {
            None if text == "?" => self.why(),
            None => self.read(text, asked["frameId"].as_u64()),
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
        let args = serde_json::from_str(&format!("[{args}]"));
        let args = args.map_err(|error| format!("the arguments are not JSON: {error}"))?;
        let game = self.present()?;
        let called = game.call(CallAction {
            agent: game.agent.id.clone(),
            action: action.to_owned(),
            args,
        })?;
        Ok(json!({ "result": called.outcome, "variablesReference": 0 }))
    }

    /// The game, where one looks at what is now.
    fn present(&mut self) -> Result<&mut super::game::Game, String> {
        if self.history.is_past() {
            return Err(PAST.to_owned());
        }
        self.game()
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

    /// Reads a key or a property by its name, or evaluates an expression: of the frame's tree, the innermost if none is
    /// said.
    fn read(&mut self, text: &str, frame: Option<u64>) -> Answer {
        let run = match frame.and_then(|frame| frame.checked_sub(1)) {
            Some(at) => self.stack()?.get(at as usize).map(|node| node.run),
            None => None,
        };
        let picture = self.picture()?;
        Ok(self.shown.result(&evaluated(text, &picture, run)?))
    }

    /// The data that a variable, or an expression, is, for a breakpoint on it.
    pub(super) fn data_of(&mut self, asked: &Value) -> Answer {
        let name = asked["name"].as_str().unwrap_or_default();
        let (of, name) = match asked["variablesReference"].as_u64().map(|it| it as usize) {
            Some(BLACKBOARD) => (Of::Key, name),
            Some(PROPERTIES) => (Of::Property, name),
            None | Some(0) => match name.strip_prefix('@') {
                Some(property) => (Of::Property, property),
                None => (Of::Key, name),
            },
            Some(_) => {
                return Ok(json!({ "dataId": null, "description": "only keys and properties" }));
            }
        };
        let word = if of == Of::Key { "key" } else { "property" };
        // A running tree's own key is `key@run`: a breakpoint is on the key of all runs.
        let name = if of == Of::Key {
            name.split('@').next().unwrap_or(name)
        } else {
            name
        };
        Ok(match self.game()?.find(of, name)? {
            Ok(name) => json!({
                "dataId": format!("{word}:{name}"),
                "description": format!("{word} {name}"),
                "accessTypes": ["write"],
            }),
            Err(why) => json!({ "dataId": null, "description": why }),
        })
    }
}

/// The value that an editor gives.
fn value(asked: &Value) -> Result<Value, String> {
    let text = asked["value"].as_str();
    text.map(crate::live::value)
        .ok_or_else(|| "`value` is a text: JSON, or a text that is none".to_owned())
}

/// The thing to change.
#[derive(Debug, PartialEq)]
enum Change<'a> {
    /// A key or an `@property`, and its value.
    Assign(&'a str, &'a str),
    /// An action, and its arguments.
    Call(&'a str, &'a str),
}

/// The change that a text requests, if it does.
fn change_of(text: &str) -> Option<Change<'_>> {
    let is_in_name = |it: char| it.is_alphanumeric() || "_@".contains(it);
    let is_name = |name: &str| !name.is_empty() && name.chars().all(is_in_name);
    if let Some((name, value)) = text.split_once('=') {
        let (name, value) = (name.trim(), value.trim());
        let name = name.strip_prefix('$').unwrap_or(name);
        // A comparison is no assignment.
        if is_name(name) && !value.starts_with('=') {
            return Some(Change::Assign(name, value));
        }
    }
    let (action, args) = text.split_once('(')?;
    let args = args.strip_suffix(')')?;
    let is_action = is_name(action) && builtin_names().all(|builtin| builtin != action);
    is_action.then_some(Change::Call(action, args))
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
        assert_eq!(change_of("len($list)"), None);
        assert_eq!(change_of("hp = 3"), Some(Change::Assign("hp", "3")));
        assert_eq!(change_of("$hp = 3"), Some(Change::Assign("hp", "3")));
        assert_eq!(change_of("@hp=[1]"), Some(Change::Assign("@hp", "[1]")));
        let call = Some(Change::Call("say", "\"a = (b)\""));
        assert_eq!(change_of("say(\"a = (b)\")"), call);
    }
}
