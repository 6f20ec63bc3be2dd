//! The answers that whoever plays writes: one line each.

use std::time::Duration;

use bt_core::dynamic::Answer;
use bt_core::registry::catalogue::{MethodEntry, ReturnKind};
use serde_json::Value;

use crate::explain::seconds;

/// An answer as it was said.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    pub(super) result: Ending,
    /// Values that the call writes back, by the names of its parameters.
    pub(super) writes: Writes,
}

/// The result in an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ending {
    Done(bool),
    Failed(String),
    Running,
    After(Duration, bool),
    Run,
    RunChild(usize),
    Value(Value),
}

impl From<Said> for Answer {
    fn from(said: Said) -> Answer {
        let answer = match said.result {
            Ending::Done(true) => Answer::success(),
            Ending::Done(false) => Answer::failure(),
            Ending::Failed(why) => Answer::failed(why),
            Ending::Running => Answer::running(),
            Ending::After(time, success) => Answer::after(time, success),
            Ending::Run => Answer::run(),
            Ending::RunChild(child) => Answer::run_child(child),
            Ending::Value(value) => Answer::value(value),
        };
        let writes = said.writes.into_iter();
        writes.fold(answer, |answer, (name, value)| answer.write(name, value))
    }
}

/// The answer that a line means.
///
/// # Errors
/// What was expected.
pub(super) fn parse(line: &str, method: Option<&MethodEntry>) -> Result<Said, String> {
    let result = method.map_or(ReturnKind::Async, |method| method.result);
    if result == ReturnKind::Value {
        let value: Result<Value, _> = serde_json::from_str(line);
        let value = value.map_err(|_| {
            format!("expected a value as JSON, such as `3` or `\"gate\"`, found `{line}`")
        })?;
        let (result, writes) = (Ending::Value(value), Vec::new());
        return Ok(Said { result, writes });
    }
    let (line, writes) = writes(line)?;
    let (word, rest) = match line.split_once(' ') {
        Some((word, rest)) => (word, rest.trim()),
        None => (line, ""),
    };
    let said = match (word, rest) {
        ("s" | "success" | "true" | "yes", "") => Ending::Done(true),
        ("f" | "failure" | "false" | "no", "") => Ending::Done(false),
        ("f" | "failure" | "false" | "no", why) if method.is_none_or(|method| method.fallible) => {
            Ending::Failed(why.to_owned())
        }
        ("f" | "failure" | "false" | "no", _) => {
            return Err("it gives no reason for a failure: write `failure`".to_owned());
        }
        ("r" | "running", "") if waits(result) => Ending::Running,
        ("after", rest) if waits(result) => after(rest)?,
        ("run", "") if result == ReturnKind::Next => Ending::Run,
        ("run", child) if result == ReturnKind::NextChild => {
            let child = child.parse();
            Ending::RunChild(child.map_err(|_| "expected the number of a child, from 0: `run 1`")?)
        }
        (other, rest) if waits(result) && seconds(other).is_ok() => {
            after(&format!("{other} {rest}"))?
        }
        _ => return Err(format!("expected {}, found `{line}`", expected(method))),
    };
    if result == ReturnKind::Unit && said == Ending::Done(false) {
        return Err("it returns nothing, so it cannot fail: write `success`".to_owned());
    }
    Ok(Said {
        result: said,
        writes,
    })
}

pub(super) fn waits(result: ReturnKind) -> bool {
    matches!(result, ReturnKind::Async | ReturnKind::Status)
}

/// `2s`, `2s failure`.
fn after(text: &str) -> Result<Ending, String> {
    let (time, end) = match text.trim().split_once(' ') {
        Some((time, end)) => (time, end.trim()),
        None => (text.trim(), ""),
    };
    let time: Duration = seconds(time)?;
    match end {
        "" | "s" | "success" => Ok(Ending::After(time, true)),
        "f" | "failure" => Ok(Ending::After(time, false)),
        other => Err(format!(
            "expected `success` or `failure` after the time, found `{other}`"
        )),
    }
}

/// Values that a call writes back, by the names of its parameters.
type Writes = Vec<(String, Value)>;

/// A line without the values that it writes back, `place="gate"`, and these.
fn writes(line: &str) -> Result<(&str, Writes), String> {
    let mut line = line.trim();
    let mut writes = Vec::new();
    while let Some((before, last)) = line.rsplit_once(' ') {
        let Some((name, value)) = last.split_once('=') else {
            break;
        };
        let value = serde_json::from_str(value);
        let value = value.map_err(|_| format!("expected JSON without spaces behind `{name}=`"))?;
        writes.push((name.to_owned(), value));
        line = before.trim_end();
    }
    Ok((line, writes))
}

/// The answers that a call can have.
pub(super) fn expected(method: Option<&MethodEntry>) -> String {
    let result = method.map_or(ReturnKind::Async, |method| method.result);
    let mut text = match result {
        ReturnKind::Unit => "`success`",
        ReturnKind::Bool => "`success` or `failure`",
        ReturnKind::Async | ReturnKind::Status => "`success`, `failure`, `running` or `after 2s`",
        ReturnKind::Next => "`run`, `success` or `failure`",
        ReturnKind::NextChild => "`run 0`, `success` or `failure`",
        ReturnKind::Value => "a value as JSON",
    }
    .to_owned();
    let args = method.map_or(&[][..], |method| &method.args);
    for arg in args.iter().filter(|arg| arg.ty.in_out.is_some()) {
        text += &format!(", with `{}=VALUE`", arg.name);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_answer_in_several_spellings() {
        for (line, answer) in [
            ("s", Answer::success()),
            ("failure", Answer::failure()),
            ("f no way", Answer::failed("no way")),
            ("r", Answer::running()),
            ("after 2s", Answer::after(Duration::from_secs(2), true)),
            ("1.5s f", Answer::after(Duration::from_millis(1500), false)),
            (
                "s place=\"gate\" n=3",
                Answer::success().write("place", "gate").write("n", 3),
            ),
        ] {
            assert_eq!(parse(line, None).map(Answer::from), Ok(answer), "{line}");
        }
        for (line, expected) in [
            (
                "maybe",
                "expected `success`, `failure`, `running` or `after 2s`, found `maybe`",
            ),
            ("after soon", "expected seconds from 0 on, such as 12.5"),
            (
                "2s perhaps",
                "expected `success` or `failure` after the time, found `perhaps`",
            ),
            ("s n={", "expected JSON without spaces behind `n=`"),
        ] {
            assert_eq!(parse(line, None).unwrap_err(), expected);
        }
    }
}
