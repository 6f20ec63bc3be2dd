//! The words of a picture for the content of a file.
//!
//! A value stands as JSON has it, a blackboard key as `$key`, a property of the agent as `@property`.
//! What is not as it should be is left out or shown as it is: pictures check nothing.

use bt_core::kinds::Params;
use bt_core::kinds::attached::{
    Abort, Declaration, DeclaredScope, EventMode, EventTree, Guard, GuardMode,
};
use bt_core::kinds::call::{Argument, Arguments, Call, Handed};
use bt_core::kinds::set::Writes;
use bt_core::kinds::values::{Formula, Json, Name};

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

/// `name(arguments)`, or the name alone.
pub(super) fn call(call: &Call<'_>) -> String {
    called(&clean(call.name), &arguments(&call.args))
}

/// A call, or what is written in its place.
pub(super) fn call_or_writes(call: &Call<'_>, writes: &Writes<'_>) -> String {
    match writes.0.is_empty() {
        true => self::call(call),
        false => clean(&writes.to_string()),
    }
}

/// `name(arguments)`, or the name alone.
pub(super) fn called(name: &str, arguments: &str) -> String {
    match arguments {
        "" => name.to_owned(),
        arguments => format!("{name}({arguments})"),
    }
}

/// The arguments of a call; those that cannot be read as the file has them.
pub(super) fn arguments(arguments: &Arguments<'_>) -> String {
    let listed = match arguments {
        Arguments::LeftOut => String::new(),
        Arguments::Listed(list) => joined(list.iter().map(argument)),
        Arguments::Unreadable(Json(json)) => json.to_string(),
    };
    clean(&listed)
}

fn argument(argument: &Argument<'_>) -> String {
    let value = match (argument.key(), argument.property(), argument.expression()) {
        (Some(key), _, _) => format!("${key}"),
        (_, Some(property), _) => format!("@{property}"),
        (_, _, Some(text)) => text.to_owned(),
        (None, None, None) => argument.value.0.to_string(),
    };
    match argument.name() {
        Some(name) => format!("{name}: {value}"),
        None => value,
    }
}

/// The values for another tree's keys.
pub(super) fn handed(Handed(handed): &Handed<'_>) -> String {
    let each = handed.iter().map(|(key, value)| match value {
        Some(value) => format!("{key}: {}", argument(value)),
        None => (*key).to_owned(),
    });
    clean(&joined(each))
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// The parameters of a kind, but for names, calls and trees.
pub(super) fn parameters(params: &Params<'_>) -> String {
    let mut parts = Vec::new();
    params.display(&mut |part| parts.push(part));
    clean(&parts.join(", "))
}

/// A key that is declared: its name, type and first value.
pub(super) fn declaration(name: &str, of: &Declaration<'_>) -> String {
    let mut words = format!("${name}");
    if let Name(ty) = of.ty
        && !ty.is_empty()
    {
        words += &format!(": {ty}");
    }
    if let Some(Json(initial)) = of.initial {
        words += &format!(" = {initial}");
    }
    match of.scope {
        None | Some(DeclaredScope::Agent) => {}
        Some(DeclaredScope::Tree) => words += ", one for each tree",
        Some(DeclaredScope::Global) => words += ", one for all",
    }
    clean(&words)
}

/// The condition of a guard, and the nodes that it aborts.
pub(super) fn guard(of: &Guard<'_>) -> String {
    let not = if of.not { "not " } else { "" };
    let asked = match of.formula {
        Some(Formula(text)) => text.to_owned(),
        None => call(&of.condition),
    };
    let mut words = format!("{not}{asked}");
    if of.abort != Abort::None {
        words += &format!(", aborts {}", of.abort.word());
    }
    if of.mode == Some(GuardMode::Poll) {
        words += ", evaluated each poll";
    }
    clean(&words)
}

/// The tree that an event starts, and its mode.
pub(super) fn started(of: &EventTree<'_>) -> String {
    let how = match of.mode {
        EventMode::Return => "call",
        EventMode::Transfer => "go to",
    };
    let mut words = format!("{how} {}", of.tree.0);
    if of.once {
        words += ", once";
    }
    if !of.params.0.is_empty() {
        words += &format!(", {}", of.params);
    }
    clean(&words)
}

#[cfg(test)]
mod tests {
    use bt_core::kinds::Path;

    use super::*;

    #[test]
    fn effect_that_writes_is_shown_as_a_script_writes_it() {
        let writes = Writes(vec![
            ("$fled", Formula("true")),
            ("@speed", Formula("$a + 1")),
        ]);
        let call = Call {
            name: "",
            args: Arguments::LeftOut,
        };
        let shown = call_or_writes(&call, &writes);
        assert_eq!(shown, "$fled = true, @speed = $a + 1");
    }

    #[test]
    fn drawing_replaces_control_characters_and_line_breaks() {
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
        let read = |list: &_| arguments(&Arguments::read(list, &Path::TOP, &mut |_, _| {}));
        let list = serde_json::json!([
            {"arg_type": "plain", "arg_value": {"x": 1.0}},
            {"arg_type": "blackboard", "arg_value": "home"},
            {"arg_type": "property", "arg_value": "speed", "arg_name": "at"},
        ]);
        assert_eq!(read(&list), "{\"x\":1.0}, $home, at: @speed");
        assert_eq!(read(&serde_json::json!([7])), "[7]");
    }
}
