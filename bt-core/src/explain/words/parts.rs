//! Times, arguments, conditions, places and waits in words.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use serde_json::Value;

use crate::explain::{CallArgument, Condition};
use crate::text;
use crate::trace::{Place, Seconds};

/// The number of a path's nodes that are shown.
const MOST: usize = 16;

pub(super) fn nanos(time: Duration) -> Seconds {
    Seconds(crate::clock::nanos(time))
}

impl Display for CallArgument {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.property {
            return write!(f, "property `{name}`");
        }
        if let Some(key) = &self.key {
            write!(f, "key `{}`", text::name(key))?;
            return match &self.value {
                Some(value) => write!(f, " = {}", text::name(&value.to_string())),
                None => f.write_str(", which is not set"),
            };
        }
        if let Some(written) = &self.expression {
            write!(f, "`{}`", text::name(written))?;
            return match &self.value {
                Some(value) => write!(f, " = {}", text::name(&value.to_string())),
                None => Ok(()),
            };
        }
        let value = self.value.clone().unwrap_or_default().to_string();
        f.write_str(&text::name(&value))
    }
}

pub(super) fn list<T: Display>(items: &[T]) -> String {
    let items: Vec<_> = items.iter().map(ToString::to_string).collect();
    items.join(", ")
}

/// "`sees`(5, key `range` = 3)", with "not " before it.
impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let not = if self.not { "not " } else { "" };
        write!(f, "{not}`{}`", self.name)?;
        if self.expression {
            // The text has its names; their values follow the verb.
            return Ok(());
        }
        match self.arguments.as_slice() {
            [] => Ok(()),
            arguments => write!(f, "({})", list(arguments)),
        }
    }
}

/// ": `$hp` is 73, `$max` is not set" of an expression, as it saw its keys, or as they are; else nothing.
pub(super) fn values_in(condition: &Condition, saw: Option<&[Value]>) -> String {
    if !condition.expression || condition.arguments.is_empty() {
        return String::new();
    }
    let each = condition
        .arguments
        .iter()
        .enumerate()
        .map(|(at, argument)| {
            let value = match saw.and_then(|saw| saw.get(at)) {
                Some(value) => Some(value),
                None => argument.value.as_ref(),
            };
            match (&argument.key, &argument.property, value) {
                (Some(key), _, Some(value)) => {
                    let (key, value) = (text::name(key), value.to_string());
                    format!("`${key}` is {}", text::name(&value))
                }
                (Some(key), _, None) => format!("`${}` is not set", text::name(key)),
                (None, Some(name), _) => format!("`@{name}` is read of the agent"),
                (None, None, _) => argument.to_string(),
            }
        });
    format!(": {}", each.collect::<Vec<_>>().join(", "))
}

/// "node 3 (action `chase`)", for what stands in the same tree as what was named before.
pub(super) fn short(node: &Place<'_>) -> String {
    let whole = node.to_string();
    match whole.split_once(": ") {
        Some((_, short)) if !node.tree().contains(": ") => short.to_owned(),
        _ => whole,
    }
}

/// "main: 0 root > 2 sub_tree `trap` > trap: 0 root > 1 sequence", the end of it if it is long.
pub(super) fn path(path: &[Place<'static>]) -> String {
    let from = path.len().saturating_sub(MOST);
    let mut text = String::new();
    let mut run = None;
    for node in &path[from..] {
        text += match (text.is_empty(), from) {
            (true, 0) => "",
            (true, _) => "… > ",
            (false, _) => " > ",
        };
        if run.replace(node.run()) != Some(node.run()) {
            text += &format!("{}: ", node.tree());
        }
        text += &format!("{} {}", node.idx(), node.kind());
        if !node.name().is_empty() {
            text += &format!(" `{}`", node.name());
        }
        if let Some(line) = node.line() {
            text += &format!(" (line {line})");
        }
    }
    text
}
