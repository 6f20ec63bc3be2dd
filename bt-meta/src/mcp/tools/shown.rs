//! Parts of answers that several tools have.

use serde_json::{Value, json};
use similar::TextDiff;

use super::super::answer::{Answer, PAGE, cut};
use crate::validate::Finding;

/// So many problems of a tree are shown with it.
const PROBLEMS: usize = 12;

/// So many lines say why an expectation was not met, and so many of the trace are shown.
const LINES: usize = 8;
const TRACE: usize = 4;

/// The longest line.
const LINE: usize = 300;

/// A problem for a client.
pub(super) fn problem(found: &Finding) -> Value {
    let mut json = found.to_json();
    if let Some(map) = json.as_object_mut() {
        for key in ["column", "end_column"] {
            map.remove(key);
        }
        if map.get("node").is_some() {
            map.remove("line");
        }
        map.retain(|_, value| value.as_str() != Some(""));
    }
    json
}

/// With the first problems, and how many more there are.
pub(super) fn problems<'f>(answer: Answer, found: impl Iterator<Item = &'f Finding>) -> Answer {
    let all: Vec<_> = found.collect();
    if all.is_empty() {
        return answer;
    }
    let shown: Vec<_> = all
        .iter()
        .take(PROBLEMS)
        .map(|found| problem(found))
        .collect();
    let more = all.len() - shown.len();
    let answer = answer.with("problems", shown);
    match more {
        0 => answer,
        more => answer.with("more_problems", more),
    }
}

/// A text with line feeds alone.
pub(super) fn lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The unified diff of a file.
pub(super) fn unified(name: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let text = diff
        .unified_diff()
        .context_radius(1)
        .header(name, name)
        .to_string();
    cut(&text, PAGE / 2)
}

/// The first lines, none of them long.
pub(super) fn short(lines: &[String], most: usize) -> Vec<String> {
    let mut short: Vec<_> = lines
        .iter()
        .take(most)
        .map(|line| cut(line, LINE))
        .collect();
    if let Some(more) = lines.len().checked_sub(most).filter(|more| *more > 0) {
        short.push(format!("and {more} more"));
    }
    short
}

/// An expectation that was not met.
pub(super) fn failure(failure: &bt_core::scenario::Failure) -> Value {
    let last = failure.trace.len().saturating_sub(TRACE);
    json!({
        "line": failure.line,
        "seconds": failure.time as f64 / 1e9,
        "expected": cut(&failure.expected, 500),
        "happened": cut(&failure.happened, 500),
        "why": short(&failure.why, LINES),
        "trace": short(&failure.trace[last..], TRACE),
    })
}
